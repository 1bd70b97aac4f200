//! Relative pose of two joined bodies. Every joint is a function of it.
//!
//! A joint holds a point and an arrow of each body. Both move with the material: they are fixed
//! combinations of up to three vertices of their body, by two vertices of a body with an angle, by
//! the corners of a triangle elsewhere. So a joint does not depend on how a body's coordinates move
//! its vertices, and serves bodies of every kind.

use ipcsim_math::elementary::atan2;
use ipcsim_math::{Mat2, Vec2, perp};
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// Number of vertices that a joint is an equation of: three of each body.
pub const STENCIL: usize = 6;

/// A point and an arrow that move with three vertices of a body.
///
/// The weights of the point have the sum 1 (the identity), the weights of the arrow the sum 0. All
/// of them turn and scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointFrame {
    /// The vertices; one that is there twice has no weight the second time.
    pub vertices: [usize; 3],
    /// Weights of the vertices in the point.
    pub point: [Mat2; 3],
    /// Weights of the vertices in the arrow, which has length 1 at the start.
    pub arrow: [Mat2; 3],
}

impl JointFrame {
    /// The frame of a body that turns as a whole, by two of its vertices `a` and `b` with their
    /// positions (m), which must differ: a point at `at` (m) and an arrow along `axis` (1).
    ///
    /// With `S (b - a) = at - a`, where `S` is a turn and a scaling, the point is `a + S (b - a)`
    /// however the body moves. So is the arrow, without the first term.
    pub fn turning([a, b]: [usize; 2], [x_a, x_b]: [Vec2; 2], at: Vec2, axis: Vec2) -> Self {
        let to_point = similarity(x_b - x_a, at - x_a);
        let to_axis = similarity(x_b - x_a, axis);
        Self {
            vertices: [a, b, a],
            point: [Mat2::identity() - to_point, to_point, Mat2::zeros()],
            arrow: [-to_axis, to_axis, Mat2::zeros()],
        }
    }

    /// The frame of a material that deforms: a point with these shares of three vertices, of sum 1,
    /// and an arrow with these, of sum 0.
    pub fn mean(vertices: [usize; 3], point: [f64; 3], arrow: [f64; 3]) -> Self {
        Self {
            vertices,
            point: point.map(|share| Mat2::identity() * share),
            arrow: arrow.map(|share| Mat2::identity() * share),
        }
    }

    /// This arrow with a vertex of another body as its point: for gears about one axle of a carrier, whose
    /// angle two of its vertices tell. The frame must follow two vertices only.
    #[must_use]
    pub fn carried_by(self, vertex: usize) -> Self {
        let [a, b, _] = self.vertices;
        Self {
            vertices: [a, b, vertex],
            point: [Mat2::zeros(), Mat2::zeros(), Mat2::identity()],
            arrow: [self.arrow[0], self.arrow[1], Mat2::zeros()],
        }
    }

    /// True if the point of the frame is a vertex of another body.
    pub fn is_carried(&self) -> bool {
        self.point[0] == Mat2::zeros() && self.point[1] == Mat2::zeros()
    }

    /// A single vertex, which has no arrow.
    pub fn vertex(vertex: usize) -> Self {
        Self::mean([vertex; 3], [1.0, 0.0, 0.0], [0.0; 3])
    }

    /// True if the frame has only a point.
    pub fn has_no_arrow(&self) -> bool {
        self.arrow.iter().all(|weight| *weight == Mat2::zeros())
    }

    /// Place of the point where the vertices are at `x` (m, `[vertices]`).
    pub fn place(&self, x: &[Vec2]) -> Vec2 {
        let parts = self.point.iter().zip(self.vertices);
        parts.map(|(weight, vertex)| weight * x[vertex]).sum()
    }

    /// The arrow where the vertices are at `x` (m, `[vertices]`).
    pub fn arrow(&self, x: &[Vec2]) -> Vec2 {
        let parts = self.arrow.iter().zip(self.vertices);
        parts.map(|(weight, vertex)| weight * x[vertex]).sum()
    }
}

/// The turn and scaling `S` with `S from = to`, for a `from` that is not zero.
fn similarity(from: Vec2, to: Vec2) -> Mat2 {
    let to = to / from.norm_squared();
    let s = from.dot(&to);
    let t = perp(from).dot(&to);
    Mat2::new(s, -t, t, s)
}

/// Derivatives of the two components of a residual with respect to the vector (1) and to the arrows
/// of the first and second body (m).
pub type Slopes = [[Vec2; 3]; 2];

/// Second derivatives of an energy with respect to the vector and to the arrows of the two bodies.
pub type Bends = [[Mat2; 3]; 3];

/// How two bodies lie to each other at a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativePose {
    /// Vector from the point of the second body to the point of the first (m).
    pub way: Vec2,
    /// Arrows of the two bodies (1), which have length 1 where a body is as at the start.
    pub arrows: [Vec2; 2],
    /// Angles (rad) within half a turn of the angles of the arrows, which tell the number of turns.
    near: [f64; 2],
}

impl RelativePose {
    /// A pose with this vector (m) and these arrows (1), whose angles are near these (rad).
    pub fn new(way: Vec2, arrows: [Vec2; 2], near: [f64; 2]) -> Self {
        Self { way, arrows, near }
    }

    /// Angle of the arrow of a body (rad), counted over turns.
    pub fn angle(&self, side: usize) -> f64 {
        let arrow = self.arrows[side];
        let near = self.near[side];
        near + within_half_a_turn(atan2(arrow.y, arrow.x) - near)
    }

    /// Angle by which the second body has turned against the first (rad), over turns.
    pub fn turn(&self) -> f64 {
        self.angle(1) - self.angle(0)
    }

    /// Unit vector along the arrow of a body; along x where it has no length.
    pub fn axis(&self, side: usize) -> Vec2 {
        self.arrows[side].try_normalize(0.0).unwrap_or_else(Vec2::x)
    }

    /// Derivative of the angle of a body's arrow with respect to the arrow (rad).
    pub fn angle_slope(&self, side: usize) -> Vec2 {
        slope_of(self.arrows[side])
    }

    /// Second derivative of the angle of a body's arrow with respect to the arrow (rad).
    pub fn angle_bend(&self, side: usize) -> Mat2 {
        bend_of(self.arrows[side])
    }

    /// Angles of both arrows against the vector (rad), counted over turns.
    pub fn angles_to_way(&self) -> [f64; 2] {
        let of_way = atan2(self.way.y, self.way.x);
        [0, 1].map(|side| {
            let arrow = self.arrows[side];
            let near = self.near[side];
            near + within_half_a_turn(atan2(arrow.y, arrow.x) - of_way - near)
        })
    }

    /// Derivative of the angle of the vector with respect to the vector (rad/m).
    pub fn way_slope(&self) -> Vec2 {
        slope_of(self.way)
    }

    /// Second derivative of the angle of the vector with respect to the vector (rad/m^2).
    pub fn way_bend(&self) -> Mat2 {
        bend_of(self.way)
    }
}

/// Derivative of the angle of a vector with respect to the vector.
fn slope_of(v: Vec2) -> Vec2 {
    perp(v) / v.norm_squared()
}

/// Second derivative of the angle of a vector with respect to the vector.
fn bend_of(v: Vec2) -> Mat2 {
    let [x, y] = [v.x, v.y];
    let [twice, across] = [2.0 * x * y, y * y - x * x];
    let squared = v.norm_squared();
    Mat2::new(twice, across, across, -twice) / (squared * squared)
}

/// The angle in `(-pi, pi]` that differs from one (rad) by whole turns.
pub(crate) fn within_half_a_turn(angle: f64) -> f64 {
    if angle.abs() <= PI {
        return angle;
    }
    angle - TAU * (angle / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation2;

    #[test]
    fn a_frame_follows_its_body_however_it_turns() {
        let at = Vec2::new(0.7, -0.2);
        let axis = Vec2::new(0.6, 0.8);
        let x = [Vec2::new(0.1, 0.3), Vec2::new(0.5, 0.1)];
        let frame = JointFrame::turning([0, 1], x, at, axis);
        assert!((frame.place(&x) - at).norm() < 1e-15);

        for angle in [0.3, -2.0, 3.1] {
            let turn = Rotation2::new(angle);
            let moved = x.map(|x| turn * x + Vec2::new(4.0, -1.0));
            assert!((frame.place(&moved) - (turn * at + Vec2::new(4.0, -1.0))).norm() < 1e-14);
            assert!((frame.arrow(&moved) - turn * axis).norm() < 1e-14);
        }
    }

    #[test]
    fn angles_are_counted_near_those_that_are_known() {
        for turns in [-3.0, 0.0, 2.0] {
            let near = turns * TAU + 3.0;
            let pose = RelativePose {
                way: Vec2::zeros(),
                arrows: [Vec2::x(), Vec2::new(-1.0, -0.1)],
                near: [0.0, near],
            };
            let expected = turns * TAU + PI + 0.1_f64.atan();
            assert!((pose.turn() - expected).abs() < 1e-14 * (1.0 + near.abs()));
        }
    }
}
