//! Rigid bodies: a centre of mass and an angle.
//!
//! The map is nonlinear in the angle, so the Hessian of an energy has a second term (the
//! curvature), and a step of the angle moves vertices on arcs.

use super::Kinematics;
use ipcsim_math::elementary::rotation;
use ipcsim_math::geometry::path::RigidMotion;
use ipcsim_math::{Mat2, Vec2, cross, perp};

/// Positions of a rigid body, `x_i = c + R(theta) X_i`.
///
/// The first node is the centre `c` (m). The second node holds the angle `theta` (rad) and a number
/// that stays 0. With `x_i - c` turned by 90 degrees, `perp(x_i - c)`, the derivatives are
///
/// - `dx_i/dc = I` and `dx_i/dtheta = perp(x_i - c)`;
/// - `d2x_i/dtheta2 = -(x_i - c)`.
///
/// Source: Ferguson et al. 2021, "Intersection-free Rigid Body Dynamics".
#[derive(Clone, Debug, PartialEq)]
pub struct Rigid {
    /// Positions `X_i` at angle 0 relative to the centre (m), `[vertices]`.
    pub arms: Vec<Vec2>,
}

impl Kinematics for Rigid {
    fn nodes(&self) -> usize {
        2
    }

    /// Positions `x_i = c + R(theta) X_i`, with one rotation matrix for all vertices.
    fn positions(&self, q: &[Vec2], x: &mut [Vec2]) {
        let turn = rotation(q[1].x);
        for (x, arm) in x.iter_mut().zip(&self.arms) {
            *x = q[0] + turn * arm;
        }
    }

    /// The identity for the centre; for the angle the columns `perp(x - c)` and 0.
    fn jacobian(&self, q: &[Vec2], x: Vec2, _vertex: usize, node: usize) -> Mat2 {
        if node == 0 {
            Mat2::identity()
        } else {
            Mat2::from_columns(&[perp(x - q[0]), Vec2::zeros()])
        }
    }

    fn has_arms(&self) -> bool {
        true
    }

    /// `by` for the centre, and `by perp(x - c)` for the angle.
    fn chain(&self, q: &[Vec2], x: Vec2, _vertex: usize, by: &Mat2, out: &mut [Mat2]) {
        out[0] += by;
        let turned = by * perp(x - q[0]);
        out[1].m11 += turned.x;
        out[1].m21 += turned.y;
    }

    /// `J p = p_c + perp(x_i - c) p_theta`.
    fn displacements(&self, q: &[Vec2], x: &[Vec2], p: &[Vec2], out: &mut [Vec2]) {
        for (x, out) in x.iter().zip(out) {
            *out = p[0] + perp(x - q[0]) * p[1].x;
        }
    }

    /// Adds the resultant force `sum g_i`, and the torque `sum (x_i - c) x g_i` about the centre.
    fn pull_back(&self, q: &[Vec2], x: &[Vec2], gradient: &[Vec2], out: &mut [Vec2]) {
        for (x, g) in x.iter().zip(gradient) {
            out[0] += g;
            out[1].x += cross(x - q[0], *g);
        }
    }

    /// A uniform acceleration moves the centre and does not turn the body.
    fn lift(&self, node: usize) -> Mat2 {
        if node == 0 {
            Mat2::identity()
        } else {
            Mat2::zeros()
        }
    }

    /// The centre moves by `perp(c)`, and the angle grows.
    fn spin(&self, q: &[Vec2], _x: &[Vec2], out: &mut [Vec2]) {
        out[0] = perp(q[0]);
        out[1] = Vec2::x();
    }

    /// Curvature `-sum_i g_i . (x_i - c)`, as `d2x_i/dtheta2 = -(x_i - c)`.
    fn curvature(&self, q: &[Vec2], x: &[Vec2], gradient: &[Vec2]) -> Option<(usize, f64)> {
        let forces = x.iter().zip(gradient);
        let sum: f64 = forces.map(|(x, g)| g.dot(&(x - q[0]))).sum();
        Some((1, -sum))
    }

    /// Rotation by `p_theta` about the centre, which moves by `p_c`.
    fn turning(&self, q: &[Vec2], p: &[Vec2]) -> Option<RigidMotion> {
        Some(RigidMotion {
            center: q[0],
            translation: p[0],
            angle: p[1].x,
        })
    }
}
