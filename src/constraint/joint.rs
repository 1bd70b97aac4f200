//! Joints between two bodies: an equation of four positions, and the sizes that it is judged by.
//!
//! A constraint knows two vertices of each body and nothing else, so it does not depend on how a
//! body's coordinates move its vertices.

use crate::math::{Mat2, Vec2, perp};
use std::fmt::Debug;
use std::sync::Arc;

/// An equation `c(x) = 0` between two rigid bodies, each known by the positions of two of its
/// vertices, `x = [a_1, b_1, a_2, b_2]` (m).
///
/// The author of a new kind of joint writes this.
pub trait Constraint: Debug + Send + Sync {
    /// Opening `c(x)` (m), zero where the constraint holds.
    fn opening(&self, x: &[Vec2; 4]) -> Vec2;

    /// Derivative `dc/dx_k` for each of the four vertices.
    fn jacobian(&self, x: &[Vec2; 4]) -> [Mat2; 4];
}

/// A constraint between two bodies of a world, and the sizes that it is judged by.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Equation between the positions of the vertices.
    pub constraint: Arc<dyn Constraint>,
    /// Vertices that it is an equation of: two of the first body, then two of the second.
    pub vertices: [usize; 4],
    /// The two bodies, numbered as those of the world.
    pub bodies: [usize; 2],
    /// Mass (kg) of the lighter body that is free to move.
    pub mass: f64,
    /// Diameter (m) of the larger body: the opening counts relative to it.
    pub size: f64,
}

/// Way `p_1 - p_2` from a point of the second body to one of the first, linear in the positions of
/// the vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Derivatives with respect to the vertices `a_1, b_1, a_2, b_2`.
    pub(super) weights: [Mat2; 4],
}

impl Way {
    /// Way between the points `ends` (m), one of each body, where two different vertices of each
    /// body have these positions (m).
    pub(super) fn between(first: [Vec2; 2], second: [Vec2; 2], ends: [Vec2; 2]) -> Self {
        let [a_1, b_1] = shares_of_point(first, ends[0]);
        let [a_2, b_2] = shares_of_point(second, ends[1]);
        Self {
            weights: [a_1, b_1, -a_2, -b_2],
        }
    }

    /// Way at the positions `x` (m).
    pub(super) fn at(&self, x: &[Vec2; 4]) -> Vec2 {
        self.weights.iter().zip(x).map(|(w, x)| w * x).sum()
    }
}

/// Weights `I - S` and `S` of two vertices `a` and `b` in the position of a point that is at `at`
/// (m).
///
/// `S` is the turn and scaling with `S (b - a) = at - a`.
fn shares_of_point([a, b]: [Vec2; 2], at: Vec2) -> [Mat2; 2] {
    let edge = b - a;
    let offset = (at - a) / edge.norm_squared();
    let s = edge.dot(&offset);
    let t = perp(edge).dot(&offset);

    let turn = Mat2::new(s, -t, t, s);
    [Mat2::identity() - turn, turn]
}
