//! How the force of a contact grows where vertices move.
//!
//! Friction follows the normal forces, so Newton's method needs their derivatives. The derivative
//! of the sum of all pieces has no part from their ends, since both sides of an end have the same
//! forces there. The derivative of a single piece has such a part: one piece loses what the next
//! one gains, and each has friction along its tangent.

use super::Piece;
use ipcsim_math::Vec2;
use smallvec::SmallVec;

/// Derivative of a force by the positions of vertices (N/m): each vertex with its part; vertices
/// may repeat. A piece has at most 12 parts: of its vertices, and of both its ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growth(SmallVec<[(usize, Vec2); 12]>);

/// End of a piece where the region of an edge ends: the places on the line through the `vertex`
/// across the edge to the vertex `far`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// End of the edge.
    pub vertex: usize,
    /// Other end of the edge.
    pub far: usize,
}

impl Growth {
    /// The derivative with these parts.
    pub(crate) fn of<const N: usize>(vertices: [usize; N], parts: [Vec2; N]) -> Self {
        let terms: [(usize, Vec2); N] = std::array::from_fn(|k| (vertices[k], parts[k]));
        Self(SmallVec::from_slice(&terms))
    }

    /// Each vertex with its part (N/m); vertices may repeat.
    pub(crate) fn terms(&self) -> &[(usize, Vec2)] {
        &self.0
    }

    /// Adds a multiple of another derivative.
    pub(crate) fn add(&mut self, other: &Self, factor: f64) {
        self.0.extend(other.0.iter().map(|(i, g)| (*i, g * factor)));
    }

    /// Adds the contribution of the moving ends of a piece. The piece is on the edge from vertex
    /// `edge[0]` to `edge[1]`, at the positions `x` (m, `[vertices]`); `density` is the part of the
    /// force at a place, per length of the edge (N).
    ///
    /// The end at the place `xi` is where `(z - v) . t = 0`, with `z = a_0 + xi (a_1 - a_0)`, the
    /// vertex `v` and the vector `t` from it to the far vertex. So it moves by
    /// `d xi = -d((z - v) . t) / ((a_1 - a_0) . t)`, where the place is held in the numerator.
    pub(super) fn add_ends(
        &mut self,
        piece: &Piece,
        edge: [usize; 2],
        x: &[Vec2],
        density: impl Fn(f64) -> f64,
    ) {
        let [a, b] = edge;
        for (end, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(Cut { vertex, far }) = piece.cuts[end] else {
                continue;
            };

            let at = piece.range[end];
            let way = x[b] - x[a];
            let across = x[far] - x[vertex];
            let from = x[a] + way * at - x[vertex];

            let factor = sign * density(at) / way.dot(&across);

            // An edge at right angles to the cut has no definite end.
            if factor.is_finite() {
                self.0.extend([
                    (a, across * (factor * (at - 1.0))),
                    (b, across * (-factor * at)),
                    (vertex, (across + from) * factor),
                    (far, from * -factor),
                ]);
            }
        }
    }
}
