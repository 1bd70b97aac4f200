//! Forces that pieces of an edge count twice.
//!
//! At the inner side of a vertex the pieces over both edges overlap, and a corner with a negative
//! weight subtracts the part that both count. Friction has no use for negative forces: they would
//! push along the sliding. So each of the two pieces gives half of them.

use crate::Contacts;
use crate::segments::{CornerPush, Growth};
use ipcsim_math::Vec2;

/// Part of overlaps that a strip loses.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlap {
    /// Force (N).
    pub(super) force: f64,
    /// Derivative of the force (N/m).
    pub(super) growth: Growth,
}

/// Numbers of each strip that loses a part, and of the corner whose part it is, in the order of
/// corners.
pub(super) fn overlapping(contacts: &Contacts) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    let corners = contacts.corners.iter().enumerate();
    let negative = corners.filter(|(_, (_, corner))| corner.piece.weight < 0.0);

    // Strips by their edges, once there is a negative corner.
    let strips = &contacts.strips.stencils;
    let mut by_edge: Vec<([usize; 2], usize)> = Vec::new();
    for (number, (&[a, b, v], _)) in negative {
        if by_edge.is_empty() {
            by_edge.extend((0..strips.len()).map(|k| ([strips[k][0], strips[k][1]], k)));
            by_edge.sort_unstable();
        }
        let first = by_edge.partition_point(|(edge, _)| *edge < [a, b]);
        let own = by_edge[first..]
            .iter()
            .take_while(|(edge, _)| *edge == [a, b]);
        let near = own.filter(|(_, k)| strips[*k][2..].contains(&v));
        pairs.extend(near.map(|&(_, k)| [k, number]));
    }
    pairs
}

/// Part of overlaps that each strip loses at the positions `x` (m, `[vertices]`), `[strips]`; empty
/// if nothing overlaps.
pub(super) fn overlaps(contacts: &Contacts, x: &[Vec2]) -> Vec<Overlap> {
    let pairs = overlapping(contacts);
    let mut overlaps = Vec::new();
    if !pairs.is_empty() {
        overlaps.resize(contacts.strips.stencils.len(), Overlap::default());
    }
    for of_corner in pairs.chunk_by(|one, other| one[1] == other[1]) {
        let corner = of_corner[0][1];
        let stencil = contacts.corners.stencils[corner];
        let found = contacts.corners.elements[corner].push(stencil, x);
        for &[strip, _] in of_corner {
            overlaps[strip].lose(&found);
        }
    }
    overlaps
}

impl Overlap {
    /// Adds the half of a negative corner's push that a strip loses.
    pub(super) fn lose(&mut self, found: &CornerPush) {
        self.force -= 0.5 * found.push.force;
        self.growth.add(&found.growth, -0.5);
    }
}
