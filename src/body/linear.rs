//! Bodies whose vertices depend linearly on their coordinates: affine bodies and reduced bases.

use super::Kinematics;
use crate::math::{Mat2, Vec2};

/// `x_i = X_i + sum_k B_ik q_k`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearMap {
    /// Positions `X_i` at `q = 0` (m).
    pub origin: Vec<Vec2>,
    /// `B_ik`, for each vertex all nodes.
    pub basis: Vec<Mat2>,
    /// What [`Kinematics::lift`] returns for each node.
    pub lift: Vec<Mat2>,
}

impl LinearMap {
    fn of_vertex(&self, vertex: usize) -> &[Mat2] {
        let k = self.lift.len();
        &self.basis[vertex * k..(vertex + 1) * k]
    }
}

impl Kinematics for LinearMap {
    fn nodes(&self) -> usize {
        self.lift.len()
    }

    fn positions(&self, q: &[Vec2], x: &mut [Vec2]) {
        for (i, (x, origin)) in x.iter_mut().zip(&self.origin).enumerate() {
            *x = self
                .of_vertex(i)
                .iter()
                .zip(q)
                .fold(*origin, |sum, (b, q)| sum + b * q);
        }
    }

    fn jacobian(&self, _q: &[Vec2], _x: Vec2, vertex: usize, node: usize) -> Mat2 {
        self.of_vertex(vertex)[node]
    }

    fn lift(&self, node: usize) -> Mat2 {
        self.lift[node]
    }
}
