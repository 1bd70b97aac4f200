//! Pressure on edges opposite to longer sides of quadratic triangles.
//!
//! The force of a quadratic triangle alternates along its sides, and a body with shorter edges feels
//! that: it has the pressure of the longer side at the nearest place. Where it does, its pressures are
//! scaled by one factor for each pair of bodies, so that their sum is the force.

use super::chords::{Chords, VertexPressure};
use super::cover::{Cover, Covers};
use super::sides::Sides;
use crate::tuning::LONGER_SIDE;
use ipcsim_math::Vec2;
use std::collections::BTreeMap;

/// Gives edges opposite to longer sides the pressure there, from the pressures `found` by the forces
/// alone, `[vertices]`.
pub(super) fn smooth(
    chords: &mut Chords,
    sides: &Sides,
    covers: &Covers,
    found: &[VertexPressure],
) {
    let mut smoothed: Vec<(usize, [f64; 2])> = Vec::new();
    let mut sums: BTreeMap<[usize; 2], [f64; 2]> = BTreeMap::new();
    for (&k, cover) in covers {
        let Some(pressures) = opposite(chords, sides, k, cover, found) else {
            continue;
        };
        let sum = sums.entry(pair(chords, k, cover)).or_default();
        for (end, pressure) in chords.ends[k].iter().zip(pressures) {
            sum[0] += end.force;
            sum[1] += pressure * end.length;
        }
        smoothed.push((k, pressures));
    }

    for (k, pressures) in smoothed {
        let [force, own] = sums[&pair(chords, k, &covers[&k])];
        if own > 0.0 {
            for (end, pressure) in chords.ends[k].iter_mut().zip(pressures) {
                end.force = pressure * end.length * force / own;
            }
        }
    }
}

/// Bodies of an edge and of the edges opposite.
fn pair(chords: &Chords, k: usize, cover: &Cover) -> [usize; 2] {
    let body = |k: usize| chords.surface.body[chords.surface.edges[k][0]];
    [
        body(k),
        cover.opposite.first().map_or(usize::MAX, |&k| body(k)),
    ]
}

/// Pressures (N/m) opposite to both ends of the edge `k`; `None` unless the sides of quadratic
/// triangles there are longer than its own.
fn opposite(
    chords: &Chords,
    sides: &Sides,
    k: usize,
    cover: &Cover,
    found: &[VertexPressure],
) -> Option<[f64; 2]> {
    let own = sides.length_of(chords, k);
    let longer = |&other: &usize| sides.quadratic_length(chords, other) > LONGER_SIDE * own;
    if !cover.opposite.iter().any(longer) {
        return None;
    }
    let ends = chords.surface.edges[k].map(|vertex| {
        let near = |other: usize| nearest(chords, other, chords.x[vertex], found);
        let all = cover
            .opposite
            .iter()
            .flat_map(|&other| sides.around(chords, other));
        let closest = all.map(near).min_by(|a, b| a.0.total_cmp(&b.0));
        closest.map_or(0.0, |(_, pressure)| pressure)
    });
    Some(ends)
}

/// Distance (m) of a place from an edge, and the pressure (N/m) at the nearest place of the edge.
fn nearest(chords: &Chords, k: usize, place: Vec2, found: &[VertexPressure]) -> (f64, f64) {
    let [a, b] = chords.surface.edges[k];
    let start = chords.x[a];
    let way = chords.way(k);
    let at = (way.dot(&(place - start)) / way.norm_squared()).clamp(0.0, 1.0);
    let pressure = found[a].per_length * (1.0 - at) + found[b].per_length * at;
    ((start + way * at - place).norm(), pressure)
}
