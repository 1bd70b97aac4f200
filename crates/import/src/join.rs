//! Closed curves from the pieces of a drawing.
//!
//! Programs write an outline as one closed curve, as an open one that is filled, or as separate
//! lines and arcs. Pieces whose ends are nearer than a tolerance are joined. What belongs to no
//! closed curve, such as axes and lines of dimensions, is left out with a word; lines that part an
//! area are left out, too, so that its outer boundary stays.
//!
//! The steps, in this order:
//!
//! 1. curves shorter than the tolerance are left out;
//! 2. curves that say that they are closed, or whose ends meet, are complete;
//! 3. ends of the others get numbers, the same for ends that are near;
//! 4. a curve that is drawn twice between the same ends counts once;
//! 5. curves with a loose end are set aside, and so is every curve that becomes loose by it;
//! 6. of the remaining groups a simple ring is joined as it is; of any other the outer boundary is taken;
//! 7. curves set aside are closed, if they are filled, by a straight line;
//! 8. small loops at corners are cut off.
//!
//! Every step keeps the order of the file, so that equal files give equal bits.

use super::ReadError;
use super::drawing::Drawn;
use super::names::few;
use super::near::merged;
use super::polygon::{area, polygon};
use super::silhouette::silhouette;
use ipcsim_math::Vec2;
use ipcsim_math::number::short;
use ipcsim_mesh::curve::Piece;
use std::collections::{BTreeMap, BTreeSet};

/// Number of curves between the same ends that are compared with each other.
/// Further ones are compared with the first ones only, so that the time stays linear.
const COMPARED: usize = 8;

/// Curves of a drawing that are joined.
pub(crate) struct Joining<'a> {
    /// Distance below which ends are one, in units of the file.
    pub(crate) tolerance: f64,
    /// Length of a unit (m), for messages.
    pub(crate) unit: f64,
    /// True if messages count y downwards.
    pub(crate) is_downwards: bool,
    /// Word for a curve in messages.
    pub(crate) word: &'a str,
}

/// A curve whose ends have numbers.
struct Open {
    /// The curve as it is drawn.
    curve: Drawn,
    /// Numbers of its start and its end, the same for ends that are near.
    ends: [usize; 2],
}

impl Joining<'_> {
    /// Closed curves of a drawing, with sentences on what was changed or left out.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn closed(
        &self,
        curves: Vec<Drawn>,
    ) -> Result<(Vec<Drawn>, Vec<String>), ReadError> {
        // Complete curves keep their place in the file.
        let mut closed = Vec::new();
        let mut notes = Vec::new();
        let mut open = Vec::new();
        let mut points = 0;
        let count = curves.len();
        for (order, curve) in curves.into_iter().enumerate() {
            let size = size(&curve);
            if size <= self.tolerance {
                points += 1;
            } else if curve.is_closed || (curve.end() - curve.start).norm() <= self.tolerance {
                closed.push((order, self.shut(curve)));
            } else {
                open.push((order, curve));
            }
        }

        if points > 0 {
            notes.push(format!(
                "{points} curves are shorter than the tolerance and were left out"
            ));
        }

        let rest = self.join(open, &mut closed, &mut notes);
        // A filled curve has an area, also where only the drawing program closes it.
        let mut left = Vec::new();
        for (order, curve) in rest {
            if curve.is_filled && area(&polygon(&curve)).abs() > self.tolerance * size(&curve) {
                closed.push((order, curve));
            } else {
                left.push(curve);
            }
        }

        if closed.is_empty() {
            return Err(self.refuse(&left, count));
        }
        if !left.is_empty() {
            notes.push(self.described(&left));
        }
        closed.sort_by_key(|(order, _)| *order);
        let mut loops = 0;
        let closed = closed.into_iter().map(|(_, curve)| {
            let (curve, count) = without_loops(curve);
            loops += count;
            curve
        });

        let closed = closed.collect();
        if loops > 0 {
            notes.push(format!(
                "{loops} loops at corners, which enclose next to nothing, were left out"
            ));
        }

        Ok((closed, notes))
    }

    /// A curve whose end is its start.
    ///
    /// Both ends become the start, if they are within the tolerance.
    fn shut(&self, curve: Drawn) -> Drawn {
        let start = curve.start;
        // An end that is not near has a straight line to the start.
        if (curve.end() - start).norm() > self.tolerance {
            return curve;
        }
        curve.with_ends(start, start)
    }

    /// Joins open curves to closed ones. Gives the rest.
    ///
    /// `closed` takes the new curves with the place in the file of their first part, and `notes`
    /// sentences on what was changed.
    fn join(
        &self,
        open: Vec<(usize, Drawn)>,
        closed: &mut Vec<(usize, Drawn)>,
        notes: &mut Vec<String>,
    ) -> Vec<(usize, Drawn)> {
        // Ends that are near have one number.
        let ends: Vec<Vec2> = open
            .iter()
            .flat_map(|(_, curve)| [curve.start, curve.end()])
            .collect();
        let (numbers, _) = merged(&ends, &(0..ends.len()).collect(), self.tolerance);
        let mut all: Vec<Option<(usize, Open)>> = Vec::new();
        for (k, (order, curve)) in open.into_iter().enumerate() {
            let ends = [numbers[&(2 * k)], numbers[&(2 * k + 1)]];
            all.push(Some((order, Open { curve, ends })));
        }

        let twice = self.without_copies(&mut all);
        if twice > 0 {
            notes.push(format!("{twice} curves are drawn twice and count once"));
        }

        let mut parting = 0;
        for group in groups(&all) {
            let is_chain = group.values().all(|curves| curves.len() == 2);
            let members: BTreeSet<usize> = group.into_values().flatten().collect();
            let order: Vec<usize> = members.iter().copied().collect();
            let own: Vec<&Open> = order
                .iter()
                .filter_map(|&k| all[k].as_ref())
                .map(|(_, open)| open)
                .collect();
            let path = if is_chain {
                around(&own)
            } else {
                let curves: Vec<(&Drawn, [usize; 2])> =
                    own.iter().map(|open| (&open.curve, open.ends)).collect();
                silhouette(&curves)
            };

            let Some(path) = path else { continue };
            parting += members.len() - path.len();
            closed.push((order[0], chained(&own, &path)));
            for k in members {
                all[k] = None;
            }
        }

        if parting > 0 {
            notes.push(format!(
                "{parting} curves part an area between others and were left out"
            ));
        }

        let left = all.into_iter().flatten();
        left.map(|(order, open)| (order, open.curve)).collect()
    }

    /// Removes curves that are the same as one before. Gives their number.
    ///
    /// A curve in the other direction is the same. Removed places become `None`, so that numbers
    /// stay.
    fn without_copies(&self, all: &mut [Option<(usize, Open)>]) -> usize {
        let mut kept: BTreeMap<[usize; 2], Vec<Drawn>> = BTreeMap::new();
        let mut count = 0;
        for place in all {
            let Some((_, open)) = place else { continue };
            let [a, b] = open.ends;
            let own = if a <= b {
                open.curve.clone()
            } else {
                open.curve.reversed()
            };
            let others = kept.entry([a.min(b), a.max(b)]).or_default();
            if others
                .iter()
                .any(|other| is_same(other, &own, self.tolerance))
            {
                *place = None;
                count += 1;
            } else if others.len() < COMPARED {
                others.push(own);
            }
        }
        count
    }

    /// The error of a drawing without a closed curve.
    ///
    /// `left` are open curves, and `count` is the number of all curves of the drawing.
    fn refuse(&self, left: &[Drawn], count: usize) -> ReadError {
        let Some(first) = left.first() else {
            let message = format!(
                "all of its {count} curves are shorter than the tolerance; make it smaller"
            );
            return ReadError::new(message);
        };

        let name = first.names.first().map_or_else(
            || format!("a {}", self.word),
            |name| format!("{} \"{name}\"", self.word),
        );
        let end = first.end();
        let gap = (end - first.start).norm();
        let [from, to] = [first.start, end].map(|x| self.shown(x));
        let others = if left.len() > 1 {
            format!(
                "none of its {} curves is closed, and they form no closed curve; ",
                left.len()
            )
        } else {
            String::new()
        };
        ReadError {
            message: format!(
                "{others}{name} is open: it begins at {from} and ends at {to}, {} away; close it{}. A line has no \
                 area: draw its outline instead{}",
                short(gap),
                self.remedy(left),
                if self.is_downwards {
                    " (in Inkscape: Path > Stroke to Path)"
                } else {
                    ""
                }
            ),
            places: vec![first.start, end],
        }
    }

    /// A sentence on curves that are left out.
    fn described(&self, left: &[Drawn]) -> String {
        let names: BTreeSet<&str> = left
            .iter()
            .filter_map(|curve| curve.names.first())
            .map(String::as_str)
            .collect();
        let names: Vec<String> = names
            .into_iter()
            .map(|name| format!("\"{name}\""))
            .collect();
        let [from, to] = [left[0].start, left[0].end()].map(|x| self.shown(x));
        let remedy = self.remedy(left);
        let which = if names.is_empty() {
            String::new()
        } else {
            format!(" {}", few(&names))
        };
        if left.len() == 1 {
            return format!(
                "1 curve is open and was left out:{which} from {from} to {to}; to have it, close it{remedy}"
            );
        }
        format!(
            "{} curves are open and were left out:{which}, the first from {from} to {to}; to have them, close \
             them{remedy}",
            left.len()
        )
    }

    /// How a tolerance would help, if ends are near.
    ///
    /// It is empty if the least gap is above 2 % of the largest curve, where a tolerance would join
    /// separate curves.
    fn remedy(&self, left: &[Drawn]) -> String {
        let ends: Vec<Vec2> = left
            .iter()
            .flat_map(|curve| [curve.start, curve.end()])
            .collect();
        let gap = least_gap(&ends, self.tolerance);
        let size = left.iter().map(size).fold(0.0, f64::max);
        if !(self.tolerance..0.02 * size).contains(&gap) {
            return String::new();
        }
        format!(
            ", or give a tolerance above the gap: the least one is {} units of the file, {} m (--tolerance, key \
             tolerance)",
            short(gap),
            short(gap * self.unit)
        )
    }

    /// A place as the file counts.
    /// The sum with 0 turns -0 into 0.
    fn shown(&self, x: Vec2) -> String {
        let y = if self.is_downwards { -x.y } else { x.y };
        format!("({}, {})", short(x.x), short(y + 0.0))
    }
}

/// Share of a curve's area up to which a loop at one of its corners is left out (1).
const LOOP: f64 = 0.01;

/// A closed curve without small loops, which come back to a corner, and their number. Programs for
/// laser cutters write some for the width of the beam.
fn without_loops(curve: Drawn) -> (Drawn, usize) {
    let mut ends = vec![curve.start];
    for piece in &curve.pieces {
        ends.push(piece.end(curve.start));
    }
    let same = 1e-9 * size(&curve);
    let (numbers, count) = merged(&ends, &(0..ends.len()).collect(), same);
    if count + 1 >= ends.len() {
        return (curve, 0);
    }

    // Area of the curve as a whole.
    let most = LOOP * area(&polygon(&curve)).abs();
    let mut kept: Vec<usize> = Vec::new();
    let mut at = BTreeMap::from([(numbers[&0], 0)]);
    let mut loops = 0;
    for k in 0..curve.pieces.len() {
        kept.push(k);
        let end = numbers[&(k + 1)];
        let Some(&first) = at
            .get(&end)
            .filter(|&&first| first > 0 || k + 1 < curve.pieces.len())
        else {
            at.insert(end, kept.len());
            continue;
        };
        // Pieces since the curve was here before.
        let own = Drawn {
            pieces: kept[first..]
                .iter()
                .map(|&k| curve.pieces[k].clone())
                .collect(),
            ..Drawn::at(ends[k + 1], &[])
        };

        if area(&polygon(&own)).abs() > most {
            at.insert(end, kept.len());
            continue;
        }

        for k in kept.split_off(first) {
            let passed = numbers[&(k + 1)];
            if passed != end {
                at.remove(&passed);
            }
        }

        loops += 1;
    }

    let mut own = curve.clone();
    own.pieces = kept.iter().map(|&k| curve.pieces[k].clone()).collect();
    let names = kept
        .iter()
        .filter_map(|&k| curve.piece_names.get(k).cloned());
    own.piece_names = names.collect();
    (own, loops)
}

/// Diagonal of the box around a curve.
fn size(curve: &Drawn) -> f64 {
    ipcsim_math::geometry::Aabb::around(curve.corners())
        .extent()
        .norm()
}

/// Least distance above a tolerance between two of these places; infinite if there is none. Nearer ones are
/// of curves that meet.
///
/// Only the next 64 places along x are compared with each.
fn least_gap(ends: &[Vec2], tolerance: f64) -> f64 {
    let mut order: Vec<Vec2> = ends.to_vec();
    order.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut least = f64::INFINITY;
    for (k, a) in order.iter().enumerate() {
        for b in order[k + 1..].iter().take(64) {
            if b.x - a.x >= least {
                break;
            }
            let gap = (a - b).norm();
            if gap > tolerance {
                least = least.min(gap);
            }
        }
    }
    least
}

/// True if two curves with the same direction are the same within a tolerance.
///
/// Pieces are compared one by one: they have the same kinds, and their corners are within twice the
/// tolerance.
fn is_same(a: &Drawn, b: &Drawn, tolerance: f64) -> bool {
    let [x, y]: [Vec<Vec2>; 2] = [a, b].map(|curve| curve.corners().collect());
    let kinds = a.pieces.iter().zip(&b.pieces);
    let same_kinds = kinds
        .clone()
        .all(|(a, b)| std::mem::discriminant::<Piece>(a) == std::mem::discriminant::<Piece>(b));
    x.len() == y.len()
        && a.pieces.len() == b.pieces.len()
        && same_kinds
        && x.iter()
            .zip(&y)
            .all(|(x, y)| (x - y).norm() <= 2.0 * tolerance)
}

/// Groups of curves that hang together, except curves that lead to a loose end: for each end the
/// curves at it.
fn groups(all: &[Option<(usize, Open)>]) -> Vec<BTreeMap<usize, Vec<usize>>> {
    let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (k, place) in all.iter().enumerate() {
        for end in place.iter().flat_map(|(_, open)| open.ends) {
            at.entry(end).or_default().push(k);
        }
    }

    // A curve with a loose end is not part of a closed one, and its removal may make others loose.
    let mut is_used: Vec<bool> = all.iter().map(Option::is_some).collect();
    let mut loose: Vec<usize> = at
        .iter()
        .filter(|(_, own)| own.len() == 1)
        .map(|(&end, _)| end)
        .collect();
    while let Some(end) = loose.pop() {
        let Some(&k) = at.get(&end).and_then(|own| own.first()) else {
            continue;
        };
        is_used[k] = false;
        let ends = all[k].as_ref().map_or([end; 2], |(_, open)| open.ends);
        for end in ends {
            let own = at.entry(end).or_default();
            own.retain(|&other| other != k);
            if own.len() == 1 {
                loose.push(end);
            }
        }
    }

    let mut groups = Vec::new();
    for first in 0..all.len() {
        if !is_used[first] {
            continue;
        }
        let mut group = BTreeMap::new();
        let mut open = vec![first];
        is_used[first] = false;
        while let Some(k) = open.pop() {
            for end in all[k].iter().flat_map(|(_, open)| open.ends) {
                let own = at.get(&end).cloned().unwrap_or_default();
                for &other in &own {
                    if is_used[other] {
                        is_used[other] = false;
                        open.push(other);
                    }
                }
                group.insert(end, own);
            }
        }
        groups.push(group);
    }
    groups
}

/// Curves of a group in their order around it, each with its direction; each end has two of them.
///
/// `None` if the curves form several rings.
fn around(own: &[&Open]) -> Option<Vec<(usize, bool)>> {
    let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (k, open) in own.iter().enumerate() {
        for end in open.ends {
            at.entry(end).or_default().push(k);
        }
    }

    let mut path = vec![(0, true)];
    let mut used = vec![false; own.len()];
    used[0] = true;
    let mut end = own.first()?.ends[1];
    while let Some(&next) = at[&end].iter().find(|&&k| !used[k]) {
        used[next] = true;
        let is_forward = own[next].ends[0] == end;
        path.push((next, is_forward));
        end = own[next].ends[usize::from(is_forward)];
    }
    (path.len() == own.len()).then_some(path)
}

/// One closed curve of parts that follow each other, each with its direction. Names that all have are its
/// own; the first name of a part goes to its pieces.
fn chained(own: &[&Open], path: &[(usize, bool)]) -> Drawn {
    let mut parts = path.iter().map(|&(k, is_forward)| {
        let curve = &own[k].curve;
        if is_forward {
            curve.clone()
        } else {
            curve.reversed()
        }
    });

    let Some(mut whole) = parts.next() else {
        return Drawn::at(Vec2::zeros(), &[]);
    };
    let rest: Vec<Drawn> = parts.collect();
    // Names that all parts have.
    let mut names = whole.names.clone();
    names.retain(|name| rest.iter().all(|part| part.names.contains(name)));
    let own_name = |part: &Drawn| {
        let own = part.names.first().filter(|name| !names.contains(name));
        vec![own.cloned(); part.pieces.len()]
    };

    let start = whole.start;
    whole.piece_names = own_name(&whole);
    for part in rest {
        // Ends that are one have the place of the curve before.
        let at = whole.end();
        whole.piece_names.extend(own_name(&part));
        let mut part = part;
        part.start = at;
        whole.pieces.extend(part.pieces);
    }

    if whole.piece_names.iter().all(Option::is_none) {
        whole.piece_names.clear();
    }
    whole.names = names;
    whole.is_closed = true;
    whole.with_ends(start, start)
}
