//! Rigid bodies: a centre of mass and an angle.

use super::Kinematics;
use crate::geometry::path::RigidMotion;
use crate::math::{Mat2, Vec2, cross, perp};
use nalgebra::Rotation2;

/// Positions of a rigid body, `x_i = c + R(theta) X_i` (Ferguson et al. 2021, "Intersection-free Rigid
/// Body Dynamics").
///
/// The first node is the centre `c` (m). The second holds the angle `theta` (rad) and a number that
/// stays 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Rigid {
    /// Positions `X_i` at angle 0 relative to the centre (m).
    pub arms: Vec<Vec2>,
}

impl Kinematics for Rigid {
    fn nodes(&self) -> usize {
        2
    }

    fn positions(&self, q: &[Vec2], x: &mut [Vec2]) {
        let turn = Rotation2::new(q[1].x);
        for (x, arm) in x.iter_mut().zip(&self.arms) {
            *x = q[0] + turn * arm;
        }
    }

    fn jacobian(&self, q: &[Vec2], x: Vec2, _vertex: usize, node: usize) -> Mat2 {
        if node == 0 {
            Mat2::identity()
        } else {
            Mat2::from_columns(&[perp(x - q[0]), Vec2::zeros()])
        }
    }

    fn displacements(&self, q: &[Vec2], x: &[Vec2], p: &[Vec2], out: &mut [Vec2]) {
        for (x, out) in x.iter().zip(out) {
            *out = p[0] + perp(x - q[0]) * p[1].x;
        }
    }

    fn pull_back(&self, q: &[Vec2], x: &[Vec2], gradient: &[Vec2], out: &mut [Vec2]) {
        for (x, g) in x.iter().zip(gradient) {
            out[0] += g;
            out[1].x += cross(x - q[0], *g);
        }
    }

    fn lift(&self, node: usize) -> Mat2 {
        if node == 0 {
            Mat2::identity()
        } else {
            Mat2::zeros()
        }
    }

    /// `d2x/dtheta2 = -(x - c)`.
    fn curvature(&self, q: &[Vec2], x: &[Vec2], gradient: &[Vec2]) -> Option<(usize, f64)> {
        let forces = x.iter().zip(gradient);
        let sum: f64 = forces.map(|(x, g)| g.dot(&(x - q[0]))).sum();
        Some((1, -sum))
    }

    fn turning(&self, q: &[Vec2], p: &[Vec2]) -> Option<RigidMotion> {
        Some(RigidMotion {
            center: q[0],
            translation: p[0],
            angle: p[1].x,
        })
    }
}
