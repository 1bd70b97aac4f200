//! Kinematics of one kind of body: positions and their derivatives as functions of a few nodes.
//!
//! A kind of body must give its positions, its Jacobian and its response to a uniform acceleration.
//! Products with the Jacobian have a default, which a kind may replace by a faster one. Curvature
//! and motion on arcs concern bodies with an angle only.

use ipcsim_math::geometry::path::RigidMotion;
use ipcsim_math::{Mat2, Vec2};
use std::fmt::Debug;

/// Positions of the vertices of a reduced body as a function of its coordinates, `x(q)`, with
/// derivatives. The author of a new kind of body writes this.
///
/// Vertices and nodes are numbered from 0 within the body. Below, `n` is the number of its vertices
/// and `k` the number of its nodes. Positions are in m, and so are coordinates, except angles
/// (rad).
pub trait Kinematics: Debug + Send + Sync {
    /// Number of nodes `k` of the body.
    fn nodes(&self) -> usize;

    /// Writes the position (m) of every vertex (`[n]`) at the coordinates `q` (`[k]`).
    fn positions(&self, q: &[Vec2], x: &mut [Vec2]);

    /// Jacobian block `dx_i/dq_k` of `vertex`, whose position is `x` at the coordinates `q`, for
    /// `node`.
    fn jacobian(&self, q: &[Vec2], x: Vec2, vertex: usize, node: usize) -> Mat2;

    /// True if the body has two nodes, and the Jacobian of a vertex at `x` is the identity by the first
    /// one, `c`, and the arm `perp(x - c)` (m) by the first component of the second. The default is
    /// false.
    fn has_arms(&self) -> bool {
        false
    }

    /// Adds `by dx_i/dq_k` to `out` (`[k]`), for the derivative `by` of a pair of numbers with respect
    /// to the position `x` of `vertex`, at the coordinates `q` (`[k]`).
    fn chain(&self, q: &[Vec2], x: Vec2, vertex: usize, by: &Mat2, out: &mut [Mat2]) {
        for (node, out) in out.iter_mut().enumerate() {
            *out += by * self.jacobian(q, x, vertex, node);
        }
    }

    /// Writes the displacements `J p` of all vertices (`[n]`), to first order in `p` (`[k]`). The
    /// vertices are at `x` for the coordinates `q`.
    fn displacements(&self, q: &[Vec2], x: &[Vec2], p: &[Vec2], out: &mut [Vec2]) {
        for (i, (x, out)) in x.iter().zip(out).enumerate() {
            *out = p
                .iter()
                .enumerate()
                .map(|(node, p)| self.jacobian(q, *x, i, node) * p)
                .sum();
        }
    }

    /// Adds `J^T gradient` to `out` (`[k]`), for the `gradient` (`[n]`) of an energy with respect
    /// to the positions `x`.
    fn pull_back(&self, q: &[Vec2], x: &[Vec2], gradient: &[Vec2], out: &mut [Vec2]) {
        let terms = x.iter().zip(gradient).enumerate();
        for (i, (x, g)) in terms.filter(|(_, (_, g))| **g != Vec2::zeros()) {
            for (node, out) in out.iter_mut().enumerate() {
                *out += self.jacobian(q, *x, i, node).tr_mul(g);
            }
        }
    }

    /// Matrix `L` from a uniform acceleration of the body to the acceleration of `node`: gravity
    /// `g` accelerates the node by `L g`. The body's momentum is the sum over nodes of
    /// `L^T (mass * velocity)`.
    fn lift(&self, node: usize) -> Mat2;

    /// Writes the velocities of all nodes (`[k]`; m/s, of angles rad/s) where the body turns about
    /// the origin of the scene at 1 rad/s, at the coordinates `q` with its vertices at `x`: those
    /// whose product with the momenta of the nodes is the body's angular momentum.
    fn spin(&self, q: &[Vec2], x: &[Vec2], out: &mut [Vec2]);

    /// Curvature `sum_i g_i . d2x_i/dq2` of a body whose vertices move on arcs, for the derivatives
    /// `g_i` (`[n]`) of an energy with respect to the positions `x_i`.
    ///
    /// Returns the node whose first component is the angle, and the value. `None` if the body has
    /// no angle.
    fn curvature(&self, _q: &[Vec2], _x: &[Vec2], _gradient: &[Vec2]) -> Option<(usize, f64)> {
        None
    }

    /// Motion from `q` to `q + p` if the vertices move on arcs; `None` if they move on straight
    /// lines.
    fn turning(&self, _q: &[Vec2], _p: &[Vec2]) -> Option<RigidMotion> {
        None
    }
}
