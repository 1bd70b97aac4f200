//! Search directions: changes of all coordinates with the gradient that they come from.
//!
//! One direction lives as long as its solver and is written anew in each iteration; only the rescue
//! of slow solves makes copies.

use crate::body::{Configuration, Coordinates};
use crate::solve::potential::Gradient;
use ipcsim_math::{Vec2, parallel};

/// A search direction `p`, with the gradient `g` that it comes from.
#[derive(Debug)]
pub(super) struct Direction {
    /// Change `p` of the coordinates (m; of angles rad), `[nodes]`.
    pub(super) p: Vec<Vec2>,
    /// Displacement `J p` of the vertices (m), to first order, `[vertices]`.
    pub(super) displacement: Vec<Vec2>,
    /// Derivatives `g` of the potential where the direction begins.
    pub(super) gradient: Gradient,
    /// Multiple of the mass that was added to the Newton matrix; 0 for a plain Newton direction.
    pub(super) damping: f64,
    /// True if it comes from a projected Hessian.
    pub(super) is_projected: bool,
}

impl Direction {
    /// A direction of length zero, with room for all nodes and vertices.
    pub(super) fn zero(coordinates: &Coordinates) -> Self {
        let nodes = vec![Vec2::zeros(); coordinates.nodes()];
        let vertices = vec![Vec2::zeros(); coordinates.vertices()];
        Self {
            p: nodes.clone(),
            displacement: vertices.clone(),
            gradient: Gradient {
                x: vertices,
                q: nodes,
            },
            damping: 0.0,
            is_projected: false,
        }
    }

    /// Multiplies the direction by a factor; gradient and displacement stay.
    pub(super) fn scale(&mut self, factor: f64) {
        self.p.iter_mut().for_each(|p| *p *= factor);
    }

    /// A multiple of the direction, without its gradient; its displacement is not computed.
    pub(super) fn times(&self, factor: f64) -> Self {
        Self {
            p: self.p.iter().map(|p| p * factor).collect(),
            displacement: self.displacement.clone(),
            gradient: Gradient::default(),
            damping: self.damping,
            is_projected: self.is_projected,
        }
    }

    /// Computes the displacement `J p` of the vertices (m) from the Jacobian `J = dx/dq` at a
    /// configuration.
    pub(super) fn displace(&mut self, coordinates: &Coordinates, at: &Configuration) {
        coordinates.displacements(at, &self.p, &mut self.displacement);
    }

    /// Decrease of the potential along the direction to first order, `-g . p` (J s^2); positive if
    /// the direction descends.
    pub(super) fn decrease(&self) -> f64 {
        let gradient = &self.gradient.q;
        -parallel::sum(gradient.len(), |i| gradient[i].dot(&self.p[i]))
    }

    /// Node with the largest component of the gradient, the first one that is not finite if there
    /// is one; 0 without nodes.
    pub(super) fn steepest(&self) -> usize {
        let gradient = &self.gradient.q;
        let not_finite = gradient.iter().position(|g| !(g.x + g.y).is_finite());
        not_finite.unwrap_or_else(|| largest(gradient))
    }

    /// Node that moves farthest; 0 without nodes.
    pub(super) fn farthest_node(&self) -> usize {
        largest(&self.p)
    }

    /// Vertex with the largest component of the displacement times its `pace`; 0 without vertices.
    pub(super) fn farthest(&self, pace: impl Fn(usize) -> f64) -> usize {
        let way = |i: usize| self.displacement[i].amax() * pace(i);
        (0..self.displacement.len())
            .max_by(|&a, &b| way(a).total_cmp(&way(b)))
            .unwrap_or(0)
    }
}

/// Index of the largest component of a vector field; 0 if the field is empty.
fn largest(field: &[Vec2]) -> usize {
    (0..field.len())
        .max_by(|&a, &b| field[a].amax().total_cmp(&field[b].amax()))
        .unwrap_or(0)
}
