//! Forces that pieces of an edge count twice.
//!
//! At the inner side of a vertex the pieces over both edges overlap, and a corner with a negative
//! weight subtracts the part that both count. Friction has no use for negative forces: they would
//! push along the sliding. So each of the two pieces gives half of them.

use crate::Contacts;
use crate::segments::Growth;
use ipcsim_math::Vec2;

/// Part of overlaps that a strip loses.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlap {
    /// Force (N).
    pub(super) force: f64,
    /// Derivative of the force (N/m).
    pub(super) growth: Growth,
}

/// Part of overlaps that each strip loses at the positions `x` (m, `[vertices]`), `[strips]`; empty
/// if nothing overlaps.
pub(super) fn overlaps(contacts: &Contacts, x: &[Vec2]) -> Vec<Overlap> {
    let mut overlaps = Vec::new();
    let corners = contacts.corners.iter();
    let negative = corners.filter(|(_, corner)| corner.piece.weight < 0.0);

    // Strips by their edges, once there is a negative corner.
    let strips = &contacts.strips.stencils;
    let mut by_edge: Vec<([usize; 2], usize)> = Vec::new();
    for (&[a, b, v], corner) in negative {
        if by_edge.is_empty() {
            by_edge.extend((0..strips.len()).map(|k| ([strips[k][0], strips[k][1]], k)));
            by_edge.sort_unstable();
            overlaps.resize(strips.len(), Overlap::default());
        }
        let found = corner.push([a, b, v], x);
        let first = by_edge.partition_point(|(edge, _)| *edge < [a, b]);
        let own = by_edge[first..]
            .iter()
            .take_while(|(edge, _)| *edge == [a, b]);
        for &(_, k) in own.filter(|(_, k)| strips[*k][2..].contains(&v)) {
            overlaps[k].force -= 0.5 * found.push.force;
            overlaps[k].growth.add(&found.growth, -0.5);
        }
    }
    overlaps
}
