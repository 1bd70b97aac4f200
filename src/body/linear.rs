//! Bodies whose vertices depend linearly on their coordinates: affine bodies and reduced bases.
//!
//! The Jacobian of such a body is constant, vertices move on straight lines, and there is no
//! curvature. The defaults of [`Kinematics`] therefore do the rest.

use super::Kinematics;
use crate::math::{Mat2, Vec2};

/// Positions that are linear in the coordinates: `x_i = X_i + sum_k B_ik q_k`.
///
/// An affine body (Lan et al. 2022, "Affine Body Dynamics") has a centre and two columns of a
/// linear map as nodes. A reduced basis has two amplitudes in each node.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearMap {
    /// Positions `X_i` at `q = 0` (m), `[vertices]`.
    pub origin: Vec<Vec2>,
    /// Blocks `B_ik`, `[vertices x nodes]`: for each vertex those of all nodes.
    pub basis: Vec<Mat2>,
    /// Value of [`Kinematics::lift`] for each node, `[nodes]`.
    pub lift: Vec<Mat2>,
}

impl LinearMap {
    /// Blocks `B_ik` of a vertex `i`, one for each node `k`.
    fn of_vertex(&self, vertex: usize) -> &[Mat2] {
        let k = self.lift.len();
        &self.basis[vertex * k..(vertex + 1) * k]
    }
}

impl Kinematics for LinearMap {
    fn nodes(&self) -> usize {
        self.lift.len()
    }

    /// Positions `x_i = X_i + sum_k B_ik q_k`.
    fn positions(&self, q: &[Vec2], x: &mut [Vec2]) {
        for (i, (x, origin)) in x.iter_mut().zip(&self.origin).enumerate() {
            *x = *origin;
            for (b, q) in self.of_vertex(i).iter().zip(q) {
                *x += b * q;
            }
        }
    }

    /// The block `B_ik`, whatever the coordinates are.
    fn jacobian(&self, _q: &[Vec2], _x: Vec2, vertex: usize, node: usize) -> Mat2 {
        self.of_vertex(vertex)[node]
    }

    fn lift(&self, node: usize) -> Mat2 {
        self.lift[node]
    }
}
