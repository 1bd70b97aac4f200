//! Anchors: elastic slip by which sticking contacts hold without creep.
//!
//! Smoothed friction holds a body by a force that grows with the sliding *speed*, so a body on a
//! slope creeps. With anchors the force grows with the sliding *distance* since the contact began
//! to stick: `u = s_n + sum_i c_i . (y_i - x_i^n)` with the elastic slip `s_n` that the steps
//! before have left. At the end of a step the slip is taken back to where friction is fully
//! developed (return map),
//!
//! `s_{n+1} = max(-eps, min(u, eps))`,
//!
//! and a body that slides drags its anchors along. The stiffness of a contact at rest is
//! `2 mu lambda / eps`: a body that is pushed and let go springs back by at most `eps`, and the
//! friction potential is the energy that anchors hold.
//!
//! The law describes a spring and a slider in series (Prandtl 1928), as penalty methods of contact
//! have it for friction (Wriggers 2006, "Computational Contact Mechanics", section 6.5), with the
//! smooth start of Li et al. 2020.

use super::{Against, Friction, Group};
use crate::Surface;
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// Elastic slip of a contact at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Vertices of both sides: both ends of an edge, or twice a vertex, of each.
    pub vertices: [usize; 4],
    /// Body of the second side.
    pub other: usize,
    /// Distance by which the first side has slid along `perp n` since it stuck (m), with the normal
    /// `n` towards it.
    pub slip: f64,
}

impl Friction {
    /// Anchors of all contacts at the end of a step with the positions `y` (see
    /// [`super::FrictionContact`]), sorted by vertices; none unless contacts hold on to anchors.
    pub fn anchors(&self, surface: &Surface, y: &[Vec2]) -> Vec<Anchor> {
        let mut anchors = Vec::new();
        self.pairs.add_anchors(surface, y, &mut anchors);
        self.triples.add_anchors(surface, y, &mut anchors);
        self.quadruples.add_anchors(surface, y, &mut anchors);
        anchors.sort_unstable_by_key(|anchor| anchor.vertices);
        anchors.dedup_by_key(|anchor| anchor.vertices);
        anchors
    }
}

impl<const N: usize> Group<N> {
    /// Adds the anchors of this group at the positions `y` (m).
    fn add_anchors(&self, surface: &Surface, y: &[Vec2], anchors: &mut Vec<Anchor>) {
        for ((stencil, contact), place) in self.sum.iter().zip(&self.places) {
            let (Against::Sliding(_), Some(hold)) = (place.against, place.hold) else {
                continue;
            };
            let full = contact.law.full;
            let slid = contact.slide(&stencil.map(|i| y[i]));
            anchors.push(Anchor {
                vertices: place.vertices,
                other: surface.body[place.vertices[2]],
                slip: slid.clamp(-full, full) * hold.across,
            });
        }
    }
}

/// How a contact holds on to its anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// Elastic slip along the tangent at the start of the step (m).
    pub(super) slip: f64,
    /// Component of the tangent along `perp n`, 1 or -1.
    pub(super) across: f64,
}
