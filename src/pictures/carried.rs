//! Points and directions that move with vertices of bodies.

use ipcsim::constraint::JointFrame;
use ipcsim::math::{Mat2, Vec2, cross};

/// A point or a direction that is a sum of vertices, each turned and scaled: `sum_k S_k x_k` with
/// `S_k = [[s, -t], [t, s]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Carried {
    /// Vertices, each with `s` and `t`.
    pub(crate) terms: Vec<(usize, [f64; 2])>,
}

impl Carried {
    /// A mean of vertices with shares.
    pub(crate) fn shares(shares: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let terms = shares.into_iter().map(|(vertex, s)| (vertex, [s, 0.0]));
        Self {
            terms: terms.collect(),
        }
    }

    /// The point that is at `place` (m) while vertices are at `x` (m), in the frame of two vertices:
    /// `a + along d + across perp(d)` for `d = b - a`.
    pub(crate) fn in_frame([a, b]: [usize; 2], x: &[Vec2], place: Vec2) -> Self {
        let d = x[b] - x[a];
        let arm = place - x[a];
        let square = d.norm_squared();

        // Vertices that coincide give no direction, and the point follows the first one.
        if square > 0.0 {
            let along = d.dot(&arm) / square;
            let across = cross(d, arm) / square;
            Self {
                terms: vec![(a, [1.0 - along, -across]), (b, [along, across])],
            }
        } else {
            Self::shares([(a, 1.0)])
        }
    }

    /// The point of a joint's frame.
    pub(crate) fn point_of(frame: &JointFrame) -> Self {
        Self::weighted(frame.vertices, &frame.point)
    }

    /// The arrow of a joint's frame, whose length may change.
    pub(crate) fn arrow_of(frame: &JointFrame) -> Self {
        Self::weighted(frame.vertices, &frame.arrow)
    }

    /// Vertices with matrices that turn and scale, without those that are zero.
    fn weighted(vertices: [usize; 3], weights: &[Mat2; 3]) -> Self {
        let all = vertices.into_iter().zip(weights);
        let terms = all
            .filter(|(_, weight)| **weight != Mat2::zeros())
            .map(|(vertex, weight)| (vertex, [weight.m11, weight.m21]));
        Self {
            terms: terms.collect(),
        }
    }

    /// Its value (m) where vertices are at `x` (m).
    pub(crate) fn at(&self, x: &[Vec2]) -> Vec2 {
        let parts = self.terms.iter().map(|&(vertex, [s, t])| {
            let p = x[vertex];
            Vec2::new(s * p.x - t * p.y, t * p.x + s * p.y)
        });
        parts.sum()
    }
}
