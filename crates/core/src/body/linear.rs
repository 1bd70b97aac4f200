//! Bodies whose vertices depend linearly on their coordinates: affine bodies and reduced bases.
//!
//! The Jacobian of such a body is constant, vertices move on straight lines, and curvature
//! vanishes. The defaults of [`Kinematics`] therefore do the rest.

use super::Kinematics;
use ipcsim_math::{Mat2, Vec2, perp};

/// Positions that are linear in the coordinates: `x_i = X_i + sum_k B_ik q_k`.
///
/// An affine body (Lan et al. 2022, "Affine Body Dynamics") has a centre and two columns of a
/// linear map as nodes. A reduced basis has two amplitudes in each node.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearMap {
    /// Positions `X_i` at `q = 0` (m), `[vertices]`.
    pub origin: Vec<Vec2>,
    /// Blocks `B_ik`, `[vertices x nodes]`: for each vertex the blocks of all nodes.
    pub basis: Vec<Mat2>,
    /// Value of [`Kinematics::lift`] for each node, `[nodes]`.
    pub lift: Vec<Mat2>,
    /// Mass of each vertex over the mass of each node (1), `[vertices]`, of a basis whose fields
    /// are orthonormal by mass; empty for an affine body, whose nodes turn as vectors do.
    pub shares: Vec<f64>,
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

    /// A vector turns by `perp(q_k)`; the nodes of a basis by `sum_i m_i B_ik^T perp(x_i)`, the
    /// part of the rotation that the basis can follow.
    fn spin(&self, q: &[Vec2], x: &[Vec2], out: &mut [Vec2]) {
        if self.shares.is_empty() {
            for (out, q) in out.iter_mut().zip(q) {
                *out = perp(*q);
            }
            return;
        }

        out.fill(Vec2::zeros());
        for (i, (x, share)) in x.iter().zip(&self.shares).enumerate() {
            let turned = perp(*x) * *share;
            for (out, b) in out.iter_mut().zip(self.of_vertex(i)) {
                *out += b.tr_mul(&turned);
            }
        }
    }

    fn lift(&self, node: usize) -> Mat2 {
        self.lift[node]
    }
}
