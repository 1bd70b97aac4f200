//! The triangulation that a refinement begins with: the lines of an area, and triangles inside.

use super::triangulation::{Corners, NONE, Triangulation};
use crate::{Domain, SizeField};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::{exp2, log2};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};
use std::collections::{BTreeMap, BTreeSet};

/// Geometry that a vertex is on.
///
/// It decides which triangles are left as they are: between two lines that meet in a sharp corner
/// none is better than that corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// A vertex of the area's curves.
    Corner,
    /// A point within a line.
    Line(usize),
    /// Nothing.
    Area,
}

/// A triangulation of an area without points inside.
pub(super) struct Start<'a> {
    /// Triangles inside.
    pub(super) triangulation: Triangulation,
    /// Geometry that each vertex is on, `[vertices]`.
    pub(super) on: Vec<On>,
    /// Names of the parts that each region is in, `[regions]`.
    pub(super) regions: Vec<BTreeSet<&'a str>>,
}

/// Triangulates an area whose lines are divided by a size.
///
/// Lines keep their order, and so do the points on them: vertices of the curves come first, then
/// the points between them.
pub(super) fn start<'a>(domain: &'a Domain, size: &SizeField) -> Start<'a> {
    let mut x = domain.x.clone();
    let mut on = vec![On::Corner; x.len()];
    let mut edges = Vec::new();
    let mut line_of = BTreeMap::new();

    for (k, line) in domain.lines.iter().enumerate() {
        let [a, b] = line.ends;
        let count = parts(x[a], x[b], size);
        let mut from = a;
        for part in 1..=count {
            let to = if part == count { b } else { x.len() };

            // The last part ends at the vertex itself, without rounding.
            if part < count {
                let share = part as f64 / count as f64;
                x.push(x[a] + (x[b] - x[a]) * share);
                on.push(On::Line(k));
            }
            edges.push([from, to]);
            line_of.insert([from.min(to), from.max(to)], k);
            from = to;
        }
    }

    // Triangles of the convex hull; parts outside of the area are left out.
    let all = triangles(&x, edges);
    let (triangulation, regions) = inner(domain, x, &all, &line_of);
    let (triangulation, on) = used(triangulation, &on);
    Start {
        triangulation,
        on,
        regions,
    }
}

/// Number of equal parts of a line, by the largest size on it: where the size is less, parts are
/// halved later.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is between 1 and a million"
)]
fn parts(a: Vec2, b: Vec2, size: &SizeField) -> usize {
    let places = (0..5).map(|k| a + (b - a) * (f64::from(k) / 4.0));
    let largest = places.map(|x| size.at(x)).fold(0.0, f64::max);
    ((b - a).norm() / largest - 1e-9).ceil().clamp(1.0, 1e6) as usize
}

/// All triangles of the constrained Delaunay triangulation of points, in the order of their
/// smallest vertices; none if the points cannot be triangulated.
fn triangles(x: &[Vec2], edges: Vec<[usize; 2]>) -> Vec<[usize; 3]> {
    // spade rejects very small coordinates: the largest one becomes about 1.
    let largest = x.iter().map(Vec2::amax).fold(0.0, f64::max);
    let scale = exp2(-log2(largest.max(f64::MIN_POSITIVE)).floor());
    let points = x.iter().map(|p| {
        let [x, y] = [p.x * scale, p.y * scale].map(whole_or_zero);
        Point2::new(x, y)
    });
    let mut conflicts = 0;
    let found = ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(
        points.collect(),
        edges,
        |_| conflicts += 1,
    );
    let Ok(found) = found else {
        return Vec::new();
    };

    let faces = found.inner_faces();
    let mut triangles: Vec<[usize; 3]> = faces
        .map(|face| face.vertices().map(|vertex| vertex.fix().index()))
        .collect();
    for triangle in &mut triangles {
        let least = (0..3).min_by_key(|&k| triangle[k]).unwrap_or(0);
        triangle.rotate_left(least);
    }
    triangles.sort_unstable();
    triangles
}

/// A coordinate near 1, or 0 if it is too small to be one.
fn whole_or_zero(c: f64) -> f64 {
    if c.abs() < 1e-40 { 0.0 } else { c }
}

/// Triangles inside an area with their neighbours, lines and regions.
///
/// A region is a set of parts that triangles are in together. Triangles outside of the area are
/// left out, so that the boundary of the triangulation is the outline with its holes.
fn inner<'a>(
    domain: &'a Domain,
    x: Vec<Vec2>,
    all: &[[usize; 3]],
    line_of: &BTreeMap<[usize; 2], usize>,
) -> (Triangulation, Vec<BTreeSet<&'a str>>) {
    let mut sides: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    for (k, &[a, b, c]) in all.iter().enumerate() {
        for side in [[a, b], [b, c], [c, a]] {
            sides.insert(side, k);
        }
    }
    let line = |[a, b]: [usize; 2]| line_of.get(&[a.min(b), a.max(b)]).copied();
    let (number, within) = flooded(domain, all, &sides, &line);
    let is_inside: Vec<bool> = within
        .iter()
        .map(|curves| domain.has_within(curves))
        .collect();

    // Triangles that are inside, by their new numbers.
    let kept: Vec<usize> = (0..all.len()).filter(|&k| is_inside[number[k]]).collect();
    let mut new = vec![NONE; all.len()];
    for (count, &k) in kept.iter().enumerate() {
        new[k] = count;
    }
    let triangles = kept.iter().map(|&k| {
        let v = all[k];
        let opposite = |corner: usize| [v[(corner + 1) % 3], v[(corner + 2) % 3]];
        Corners {
            v,
            beyond: std::array::from_fn(|corner| {
                let [a, b] = opposite(corner);
                sides.get(&[b, a]).map_or(NONE, |&beyond| new[beyond])
            }),
            line: std::array::from_fn(|corner| line(opposite(corner)).unwrap_or(NONE)),
            region: number[k],
            changes: 0,
        }
    });
    let triangulation = Triangulation {
        triangles: triangles.collect(),
        x,
        changed: Vec::new(),
    };
    (
        triangulation,
        within
            .iter()
            .map(|curves| domain.parts_of(curves))
            .collect(),
    )
}

/// Number of the region of each triangle, and the curves that each region is within.
///
/// Outside of all points a place is within no curve; crossing a line enters or leaves the curves
/// that the line is part of. No position is compared, so that rounding changes nothing.
fn flooded(
    domain: &Domain,
    all: &[[usize; 3]],
    sides: &BTreeMap<[usize; 2], usize>,
    line: &dyn Fn([usize; 2]) -> Option<usize>,
) -> (Vec<usize>, Vec<BTreeSet<usize>>) {
    let mut numbers: BTreeMap<BTreeSet<usize>, usize> = BTreeMap::new();
    let mut within: Vec<BTreeSet<usize>> = Vec::new();
    let mut across =
        |from: &BTreeSet<usize>, ends: [usize; 2], within: &mut Vec<BTreeSet<usize>>| {
            let crossed = line(ends).map(|k| &domain.lines[k].curves);
            let curves: BTreeSet<usize> = match crossed {
                Some(crossed) => from.symmetric_difference(crossed).copied().collect(),
                None => from.clone(),
            };
            *numbers.entry(curves).or_insert_with_key(|curves| {
                within.push(curves.clone());
                within.len() - 1
            })
        };

    // A side without a triangle on the other side is on the hull.
    let mut number = vec![NONE; all.len()];
    let outside = BTreeSet::new();
    let mut open = Vec::new();
    for (&[a, b], &k) in sides {
        if !sides.contains_key(&[b, a]) && number[k] == NONE {
            number[k] = across(&outside, [a, b], &mut within);
            open.push(k);
        }
    }

    // From there through all triangles, by their common sides.
    while let Some(k) = open.pop() {
        let here = within[number[k]].clone();
        let [a, b, c] = all[k];
        for [a, b] in [[a, b], [b, c], [c, a]] {
            if let Some(&beyond) = sides.get(&[b, a])
                && number[beyond] == NONE
            {
                number[beyond] = across(&here, [a, b], &mut within);
                open.push(beyond);
            }
        }
    }
    (number, within)
}

/// The triangulation without vertices that no triangle has, and the geometry of the others.
fn used(mut triangulation: Triangulation, on: &[On]) -> (Triangulation, Vec<On>) {
    let mut new = vec![NONE; on.len()];
    for corners in &triangulation.triangles {
        for i in corners.v {
            new[i] = 0;
        }
    }

    // Kept vertices are numbered in their order.
    let kept: Vec<usize> = (0..on.len()).filter(|&i| new[i] == 0).collect();
    for (count, &i) in kept.iter().enumerate() {
        new[i] = count;
    }

    for corners in &mut triangulation.triangles {
        corners.v = corners.v.map(|i| new[i]);
    }

    triangulation.x = kept.iter().map(|&i| triangulation.x[i]).collect();
    (triangulation, kept.iter().map(|&i| on[i]).collect())
}
