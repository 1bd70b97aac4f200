//! Products with the derivatives of friction, and the slip of anchors at the end.
//!
//! Friction of a contact is the vector `N f(u) t` on its nodes: `N` is the normal load, `u` the
//! slip, `f` the developed share of friction and `t` the tangent, as derivatives of the slip by
//! nodes. Its change is
//!
//! `(dN f + N f' du) t + N f dt`.
//!
//! Loads, slips and tangents change with coordinates at the end, at the start and before; the
//! derivatives by each are a [`Changes`].

use super::fields::{add_nodes, along_nodes};
use crate::solve::{Changes, FrictionSlope};
use crate::time::state::State;
use ipcsim_math::Vec2;

/// Slip of an anchor at the end, to first order.
///
/// An anchor is a memory of the slip of a contact that sticks, which the next step continues from.
pub(super) struct AnchorSlope {
    /// Number of its contact in the list of friction.
    pub(super) contact: usize,
    /// Number of the anchor at the end.
    pub(super) number: usize,
    /// Component of the tangent along which it is stored; 0 where friction is fully developed.
    pub(super) across: f64,
}

impl FrictionSlope {
    /// Change of the derivative of friction on each node by a change of coordinates, without the factor of
    /// contact.
    ///
    /// The result has one vector for each node of the contact, or none if nothing depends on
    /// these coordinates.
    pub(super) fn times(&self, by: &Changes, q: &[Vec2]) -> Vec<Vec2> {
        let count = self.nodes.len();
        if by.slid.is_empty() {
            return Vec::new();
        }

        // The changes of load and slip, and then of the tangent.
        let load = along_nodes(&self.nodes, &by.load, q);
        let slid = along_nodes(&self.nodes, &by.slid, q);
        let [force, slope] = self.force;
        let size = force * load + self.load * slope * slid;
        let mut out: Vec<Vec2> = self.along.iter().map(|along| along * size).collect();
        for (row, out) in out.iter_mut().enumerate() {
            for (column, &node) in self.nodes.iter().enumerate() {
                *out += by.along[row * count + column] * q[node] * (self.load * force);
            }
        }
        out
    }

    /// Adds the transposed of [`FrictionSlope::times`] with a factor.
    pub(super) fn add_transposed(
        &self,
        by: &Changes,
        factor: f64,
        slope: &[Vec2],
        out: &mut [Vec2],
    ) {
        let count = self.nodes.len();
        if by.slid.is_empty() {
            return;
        }
        let [force, steepness] = self.force;
        let along = factor * along_nodes(&self.nodes, &self.along, slope);
        add_nodes(&self.nodes, along * force, &by.load, out);
        add_nodes(&self.nodes, along * self.load * steepness, &by.slid, out);
        for (row, &of_row) in self.nodes.iter().enumerate() {
            for (column, &node) in self.nodes.iter().enumerate() {
                let block = &by.along[row * count + column];
                out[node] += block.tr_mul(&slope[of_row]) * (factor * self.load * force);
            }
        }
    }
}

/// Anchors at the end of a step by the contacts that leave them.
///
/// Contacts and anchors are matched by their vertices. The first contact of an anchor takes it.
pub(super) fn anchor_slopes(friction: &[FrictionSlope], end: &State) -> Vec<AnchorSlope> {
    let anchors = &end.memory.options.sticking.anchors;
    let mut taken = vec![false; anchors.len()];
    let mut slopes = Vec::new();
    for (contact, slope) in friction.iter().enumerate() {
        let Some(anchored) = slope.anchored else {
            continue;
        };
        let found = anchors.binary_search_by_key(&slope.vertices, |anchor| anchor.vertices);
        let Some(number) = found.ok().filter(|&number| !taken[number]) else {
            continue;
        };
        taken[number] = true;

        // Where friction is fully developed, the anchor follows the contact: its slip stays.
        let [slid, full] = slope.slid;
        let across = if slid.abs() < full {
            anchored.across
        } else {
            0.0
        };
        slopes.push(AnchorSlope {
            contact,
            number,
            across,
        });
    }
    slopes
}

/// Number of the anchor at the start that a contact holds on to, and the derivative of its slip by it.
///
/// `None` for a contact that begins in this step.
pub(super) fn from_anchor(contact: &FrictionSlope) -> Option<(usize, f64)> {
    let anchored = contact.anchored?;
    Some((anchored.from?, anchored.across))
}
