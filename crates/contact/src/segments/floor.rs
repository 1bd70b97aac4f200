//! Contact of a piece of an edge with a half-plane that does not turn.

use super::{Growth, Moments, Piece, Push, quadrature};
use ipcsim_energy::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2, outer};

/// Barrier energy of a piece of an edge over a half-plane, for the vertices `[a_0, a_1, o]`: start
/// and end of the edge, and the origin of the half-plane.
///
/// The energy (J) is `w int b(d(xi) - s) dxi` over the range of the piece, with the distance
/// `d(xi) = n . (a_0 + xi (a_1 - a_0) - o)` from the half-plane. Symbols are explained at
/// [`Piece`]. The gradient is `w int b' n dxi` times `1 - xi`, `xi` and `-1` for the three
/// vertices.
#[derive(Clone, Copy, Debug)]
pub struct FloorContact {
    /// Range of the piece, weight and barrier.
    pub piece: Piece,
    /// Unit normal `n`.
    pub normal: Vec2,
}

impl FloorContact {
    /// Visits the places of the quadrature rule between vertices at `x` (m): place on the edge, weight, and
    /// gap (m).
    pub(crate) fn each_gap(&self, [a0, a1, o]: &[Vec2; 3], mut visit: impl FnMut(f64, f64, f64)) {
        let piece = &self.piece;
        let from = self.normal.dot(&(a0 - o));
        let rise = self.normal.dot(&(a1 - a0));
        quadrature::over_line(piece.range, piece.gaps(from, rise), |at, share| {
            let gap = from + rise * at - piece.separation;
            visit(at, piece.weight_at(at) * share, gap);
        });
    }

    /// Integrals along the piece between vertices at `x` (m).
    fn moments(&self, [a0, a1, o]: &[Vec2; 3]) -> Moments {
        let from = self.normal.dot(&(a0 - o));
        self.piece.moments(from, self.normal.dot(&(a1 - a0)))
    }

    /// Distances of the ends of the piece, where vertices are at `x` (m).
    pub(crate) fn distances(&self, [a0, a1, o]: &[Vec2; 3]) -> [f64; 2] {
        let edge = a1 - a0;
        let places = self.piece.range.map(|at| a0 + edge * at);
        places.map(|place| self.normal.dot(&(place - o)))
    }

    /// The force of this contact between the vertices `stencil` at the positions `x` (m,
    /// `[vertices]`), and its derivative.
    pub(crate) fn push(&self, stencil: [usize; 3], x: &[Vec2]) -> (Push, Growth) {
        let moments = self.moments(&stencil.map(|i| x[i]));
        let [whole, end, _] = moments.second;
        let held = [end - whole, -end, whole].map(|c| self.normal * c);
        (moments.push(), Growth::of(stencil, held))
    }
}

impl LocalEnergy<3> for FloorContact {
    const NAME: &'static str = "barrier";

    /// Energy `w int b dxi` (J).
    fn value(&self, x: &[Vec2; 3]) -> f64 {
        let [a0, a1, o] = x;
        let from = self.normal.dot(&(a0 - o));
        self.piece.value(from, self.normal.dot(&(a1 - a0)))
    }

    /// Gradient `w int b' n dxi` times the weights of the vertices (N).
    fn gradient(&self, x: &[Vec2; 3]) -> [Vec2; 3] {
        let [all, end] = self.moments(x).first;
        [all - end, end, -all].map(|c| self.normal * c)
    }

    /// Hessian `w int b'' n n^T dxi` times the weights of both vertices (N/m), positive
    /// semidefinite.
    fn hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        let [zeroth, first, second] = self.moments(x).second;
        let start = zeroth - 2.0 * first + second;
        let both = first - second;
        let weights = [
            [start, both, first - zeroth],
            [both, second, -first],
            [first - zeroth, -first, zeroth],
        ];
        let across = outer(self.normal, self.normal);
        weights.map(|row| row.map(|c| across * c))
    }
}

impl Batched<3> for FloorContact {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::test_piece;
    use ipcsim_energy::testing;

    #[test]
    fn derivatives_match_finite_differences() {
        for (range, height) in [([0.0, 1.0], 0.05), ([0.3, 0.8], 0.02), ([0.0, 0.4], 0.002)] {
            let contact = FloorContact {
                piece: test_piece(range, 0.25, 0.1, 1e-3),
                normal: Vec2::new(0.6, 0.8),
            };
            let along = Vec2::new(0.8, -0.6);
            let origin = Vec2::new(0.1, -0.2);
            let start = origin + contact.normal * height + along;
            let end = origin + contact.normal * 0.04 - along;
            testing::check(&contact, [start, end, origin], 1e-7, false);
        }
    }
}
