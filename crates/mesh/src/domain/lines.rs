//! Lines of curves: where they meet, and where they must not.

use super::{Bound, Fault, Line, Loop};
use ipcsim_math::geometry::predicates::{folds_back, segments_touch};
use ipcsim_math::geometry::{Aabb, sweep};
use ipcsim_math::sort::sort_by;
use ipcsim_math::{Vec2, cross};
use std::collections::{BTreeMap, BTreeSet};

/// Divides lines at the points that are on them, and finds lines that must not meet.
///
/// Bounds are compared exactly and as given: they must neither touch nor cross. Lines of parts are
/// first divided where points are on them within the tolerance (m); lines that cross after that are
/// a fault.
pub(super) fn crossings(
    x: &[Vec2],
    sides: &mut Vec<Bound>,
    loops: &[Loop],
    tolerance: f64,
) -> Vec<Fault> {
    let is_part = |side: &Bound| loops[side.curve].part.is_some();
    let boxes: Vec<Aabb> = sides
        .iter()
        .map(|side| Aabb::around(side.line.ends.map(|i| x[i])).grown(tolerance))
        .collect();

    // Points on lines, by the number of the line.
    let mut on: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut faults = Vec::new();
    let pairs = sweep::pairs(&boxes);
    for &(i, j) in &pairs {
        for [k, other] in [[i, j], [j, i]] {
            let [a, b] = sides[k].line.ends;
            for end in sides[other].line.ends {
                if end == a || end == b || !is_on(x[end], [x[a], x[b]], tolerance) {
                    continue;
                }
                if is_part(&sides[k]) || is_part(&sides[other]) {
                    on.entry(k).or_default().insert(end);
                }
            }
        }
        if !is_part(&sides[i]) && !is_part(&sides[j]) && meet(x, &sides[i].line, &sides[j].line) {
            faults.push(crossing(x, [&sides[i], &sides[j]], loops));
        }
    }
    faults.extend(repeated(x, sides, loops));
    if !faults.is_empty() {
        return faults;
    }

    divide(x, sides, &on);

    // Lines that still meet are crossings of parts.
    let boxes: Vec<Aabb> = sides
        .iter()
        .map(|side| Aabb::around(side.line.ends.map(|i| x[i])))
        .collect();
    for (i, j) in sweep::pairs(&boxes) {
        let [a, b] = [&sides[i], &sides[j]];
        if (is_part(a) || is_part(b)) && meet(x, &a.line, &b.line) {
            faults.push(crossing(x, [a, b], loops));
        }
    }
    faults
}

/// True if a point is nearer to a segment than the tolerance (m).
fn is_on(p: Vec2, [a, b]: [Vec2; 2], tolerance: f64) -> bool {
    let along = (b - a).normalize();
    let way = (p - a).dot(&along);
    way > 0.0 && way < (b - a).norm() && cross(along, p - a).abs() <= tolerance
}

/// True if two lines share more than a common end, and are not the same.
fn meet(x: &[Vec2], one: &Line, two: &Line) -> bool {
    let [a, b] = one.ends;
    let [c, d] = two.ends;
    if [a, b] == [c, d] || [a, b] == [d, c] {
        return false;
    }
    let joint = [[a, b, c, d], [a, b, d, c], [b, a, c, d], [b, a, d, c]];
    match joint.into_iter().find(|[joint, _, same, _]| joint == same) {
        Some([joint, from, _, to]) => folds_back(x[from], x[joint], x[to]),
        None => segments_touch(x[a], x[b], x[c], x[d]),
    }
}

/// The fault of two sides that meet, at the point where they do.
///
/// Two lines `a + s u` and `c + t v` meet at `s = (c - a) x v / (u x v)`. Lines in one direction
/// have no single point in common, and the fault is at an end.
fn crossing(x: &[Vec2], sides: [&Bound; 2], loops: &[Loop]) -> Fault {
    let [[a, b], [c, d]] = sides.map(|side| side.line.ends.map(|i| x[i]));
    let [u, v] = [b - a, d - c];
    let across = cross(u, v);

    let at = if across.abs() > 1e-12 * u.norm() * v.norm() {
        a + u * (cross(c - a, v) / across).clamp(0.0, 1.0)
    } else {
        c
    };

    // A curve that meets itself is named once.
    let [one, two] = sides.map(|side| &loops[side.curve].label);
    let (label, what) = if one == two {
        (one.clone(), "crosses or touches itself".to_owned())
    } else {
        (one.clone(), format!("crosses or touches {two}"))
    };

    Fault {
        label,
        message: format!(
            "{what} at ({}, {}); move its points there",
            ipcsim_math::number::short(at.x),
            ipcsim_math::number::short(at.y)
        ),
        places: vec![at],
    }
}

/// Faults of vertices that bounds come to more than once.
fn repeated(x: &[Vec2], sides: &[Bound], loops: &[Loop]) -> Vec<Fault> {
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for side in sides {
        // Parts may share points with bounds.
        let curve = &loops[side.curve];
        if curve.part.is_some() {
            continue;
        }

        let start = side.line.ends[0];
        if let Some(&other) = first.get(&start) {
            let what = if other == side.curve {
                "comes to the same point twice".to_owned()
            } else {
                format!("touches {}", loops[other].label)
            };
            faults.push(Fault {
                label: curve.label.clone(),
                message: format!(
                    "{what}, at ({}, {}); move or remove a point",
                    ipcsim_math::number::short(x[start].x),
                    ipcsim_math::number::short(x[start].y)
                ),
                places: vec![x[start]],
            });
        }

        first.entry(start).or_insert(side.curve);
    }
    faults
}

/// Replaces lines with points on them by their parts.
fn divide(x: &[Vec2], sides: &mut Vec<Bound>, on: &BTreeMap<usize, BTreeSet<usize>>) {
    let mut divided = Vec::with_capacity(sides.len());
    for (k, side) in std::mem::take(sides).into_iter().enumerate() {
        // Points on the line, from its start to its end.
        let [a, b] = side.line.ends;
        let mut between: Vec<usize> = on.get(&k).into_iter().flatten().copied().collect();
        sort_by(&mut between, |&i, &j| {
            let [i, j] = [i, j].map(|i| (x[i] - x[a]).norm_squared());
            i.total_cmp(&j)
        });

        let mut from = a;
        for to in between.into_iter().chain([b]) {
            divided.push(Bound {
                curve: side.curve,
                line: Line {
                    ends: [from, to],
                    ..side.line.clone()
                },
            });
            from = to;
        }
    }
    *sides = divided;
}

/// Lines between different vertices, each once, with all names.
pub(super) fn distinct(sides: Vec<Bound>) -> Vec<Line> {
    let mut numbers: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    let mut lines: Vec<Line> = Vec::new();
    for Bound { line, .. } in sides {
        // Neighbouring parts share lines, in opposite directions.
        let [a, b] = line.ends;
        let key = [a.min(b), a.max(b)];
        if let Some(&known) = numbers.get(&key) {
            lines[known].names.extend(line.names);
            lines[known].curves.extend(line.curves);
        } else {
            numbers.insert(key, lines.len());
            lines.push(line);
        }
    }
    lines
}
