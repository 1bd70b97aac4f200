//! Outer boundary of curves that meet three or more at a place.
//!
//! The boundary begins at the leftmost place of all curves, which is certainly on it, and runs
//! counter-clockwise. Where several curves leave an end, the next one is the first counter-clockwise
//! from the one that led there: the area stays to the left, and nothing is to the right.
//!
//! Directions are taken from the first chord of a polygon that stands for the curve.

use super::drawing::Drawn;
use super::polygon::polygon;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::atan2;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

/// Curves of a group, which are joined at their ends only, around its outer boundary
/// counter-clockwise, each with its direction. `None` if the boundary meets itself.
///
/// The boundary is followed from the leftmost place; at each end it continues with the curve that
/// turns most to the right.
pub(crate) fn silhouette(curves: &[(&Drawn, [usize; 2])]) -> Option<Vec<(usize, bool)>> {
    let points: Vec<Vec<Vec2>> = curves.iter().map(|(curve, _)| polygon(curve)).collect();
    let mut at: BTreeMap<usize, Vec<(usize, bool)>> = BTreeMap::new();
    for (k, (_, ends)) in curves.iter().enumerate() {
        at.entry(ends[0]).or_default().push((k, true));
        at.entry(ends[1]).or_default().push((k, false));
    }

    let first = leftmost(curves, &points, &at)?;
    // Around the boundary until it is back at the first curve.
    let mut path = Vec::new();
    let mut passed = BTreeSet::new();
    let mut next = first;
    loop {
        let (k, is_forward) = next;
        path.push(next);
        let end = curves[k].1[usize::from(is_forward)];
        // A boundary that comes back to a place before its first one meets itself.
        if !passed.insert(end) {
            return None;
        }
        let back = angle(&points[k], !is_forward);
        let choices = at[&end]
            .iter()
            .filter(|&&choice| choice != (k, !is_forward));
        next = *choices.min_by(|&&a, &&b| {
            let [a, b] = [a, b].map(|(k, is_forward)| turn(angle(&points[k], is_forward) - back));
            a.total_cmp(&b)
        })?;

        if next == first {
            return Some(path);
        }
    }
}

/// The curve at the leftmost place, in the direction counter-clockwise around all.
///
/// Of several places as far to the left the lowest counts. `points` are the polygons of the curves,
/// and `at` has the curves at each end with their directions. `None` without curves.
fn leftmost(
    curves: &[(&Drawn, [usize; 2])],
    points: &[Vec<Vec2>],
    at: &BTreeMap<usize, Vec<(usize, bool)>>,
) -> Option<(usize, bool)> {
    let all = points
        .iter()
        .enumerate()
        .flat_map(|(k, own)| (0..own.len()).map(move |i| (k, i)));
    let (k, i) = all.min_by(|&(k, i), &(l, j)| {
        let [a, b] = [points[k][i], points[l][j]];
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
    })?;

    // Within a curve its own direction decides.
    let own = &points[k];
    if i > 0 && i + 1 < own.len() {
        // Counter-clockwise the boundary runs downwards at its left.
        let is_downwards = cross_of(own[i] - own[i - 1], own[i + 1] - own[i]) > 0.0;
        return Some((k, is_downwards));
    }

    // All curves leave to the right: the first counter-clockwise from straight down.
    let end = curves[k].1[usize::from(i > 0)];
    let choices = at[&end].iter().copied();
    choices.min_by(|&(k, a), &(l, b)| {
        let [a, b] =
            [angle(&points[k], a), angle(&points[l], b)].map(|angle| turn(angle + TAU / 4.0));
        a.total_cmp(&b)
    })
}

/// Cross product of two vectors.
fn cross_of(a: Vec2, b: Vec2) -> f64 {
    ipcsim_math::cross(a, b)
}

/// Direction in which a curve leaves its start, or its end (rad).
///
/// A curve without length has the direction 0.
fn angle(points: &[Vec2], is_forward: bool) -> f64 {
    let count = points.len();
    let away = match (count, is_forward) {
        (0 | 1, _) => Vec2::zeros(),
        (_, true) => points[1] - points[0],
        (_, false) => points[count - 2] - points[count - 1],
    };
    atan2(away.y, away.x)
}

/// An angle above 0 and up to a whole turn (rad).
fn turn(angle: f64) -> f64 {
    let turn = angle % TAU;
    if turn <= 0.0 { turn + TAU } else { turn }
}
