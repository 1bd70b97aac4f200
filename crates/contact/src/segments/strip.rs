//! Contact of a piece of an edge with the inside of another edge.

use super::{Growth, Moments, Piece, Push, quadrature};
use crate::gap_model::{self, GapModel};
use ipcsim_energy::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2, outer, perp};

/// Barrier energy of a piece of an edge over the line through another edge, for the vertices
/// `[a_0, a_1, b_0, b_1]`: start and end of the edge with the piece, and of the other edge.
///
/// The energy (J) is `w int b(d(xi) - s) dxi` over the range of the piece, where
/// `d(xi) = |n . (a_0 + xi (a_1 - a_0) - b_0)|` is the distance from the line of the other edge
/// with the unit normal `n`. Symbols are explained at [`Piece`]. The range is a constant: where it
/// ends moves with the bodies, but has no part in the derivatives of the sum of all pieces.
///
/// With the nearest point `b_0 + c (b_1 - b_0)` of each place, the gradient is `w int b' n dxi`
/// times `1 - xi`, `xi`, `c - 1` and `-c` for the four vertices.
#[derive(Clone, Copy, Debug)]
pub struct StripContact {
    /// Range of the piece, weight and barrier.
    pub piece: Piece,
}

/// Frame of the other edge, and the distance along the edge with the piece.
struct Frame {
    /// Unit tangent of the other edge.
    tangent: Vec2,
    /// Unit normal towards the piece.
    normal: Vec2,
    /// Inverse length of the other edge (1/m).
    inverse: f64,
    /// Distance from the line (m) at the start of the edge with the piece.
    from: f64,
    /// Growth of the distance along the whole edge (m).
    rise: f64,
    /// Weights of the vertices in the displacement relative to the nearest point: at the start of
    /// the edge, and their increase along the whole edge.
    relative: [[f64; 4]; 2],
}

impl Frame {
    /// Frame of the vertices `x` (m) of a strip.
    #[inline]
    fn new(piece: &Piece, [a0, a1, b0, b1]: &[Vec2; 4]) -> Self {
        let other = b1 - b0;
        let inverse = 1.0 / other.norm();
        let tangent = other * inverse;
        let left = perp(tangent);
        let (offset, edge) = (a0 - b0, a1 - a0);

        // The normal points to the side on which the middle of the piece is.
        let middle = 0.5 * (piece.range[0] + piece.range[1]);
        let side = 1.0_f64.copysign(left.dot(&(offset + edge * middle)));
        let normal = left * side;

        let start = tangent.dot(&offset) * inverse;
        let growth = tangent.dot(&edge) * inverse;
        Self {
            tangent,
            normal,
            inverse,
            from: normal.dot(&offset),
            rise: normal.dot(&edge),
            relative: [
                [1.0, 0.0, start - 1.0, -start],
                [-1.0, 1.0, growth, -growth],
            ],
        }
    }

    /// Integrals along the piece.
    #[inline]
    fn moments(&self, piece: &Piece) -> Moments {
        piece.moments(self.from, self.rise)
    }

    /// Weights of the vertices in the integral of the relative displacement, with the integrals of
    /// a factor and of the factor times the place.
    #[inline]
    fn weighted(&self, integrals: [f64; 2]) -> [f64; 4] {
        let [start, growth] = &self.relative;
        std::array::from_fn(|i| start[i] * integrals[0] + growth[i] * integrals[1])
    }
}

/// Where a strip pushes, for friction and reports.
#[derive(Clone, Debug)]
pub(crate) struct StripPush {
    /// Force, and where it acts on the edge with the piece.
    pub(crate) push: Push,
    /// Unit normal towards the piece.
    pub(crate) normal: Vec2,
    /// Unit tangent of the other edge.
    pub(crate) tangent: Vec2,
    /// Distance there (m).
    pub(crate) distance: f64,
    /// Place of the nearest point on the other edge.
    pub(crate) place: f64,
    /// Derivative of the force (N/m).
    pub(crate) growth: Growth,
}

/// Parts of a strip's force, for readers of pressures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StripParts {
    /// Force on each vertex along the normal (N).
    pub(crate) forces: [f64; 4],
    /// Unit normal towards the piece.
    pub(crate) normal: Vec2,
    /// Places of the other edge that are opposite the ends of the piece.
    pub(crate) places: [f64; 2],
    /// Distances at the ends of the piece (m).
    pub(crate) distances: [f64; 2],
}

impl StripContact {
    /// Visits the places of the quadrature rule between vertices at `x` (m), with their weights.
    pub(crate) fn over_places(&self, x: &[Vec2; 4], mut visit: impl FnMut(f64, GapModel)) {
        let piece = &self.piece;
        let Frame {
            tangent,
            normal,
            inverse,
            from,
            rise,
            relative: [start, growth],
        } = Frame::new(piece, x);
        quadrature::over_line(piece.range, piece.gaps(from, rise), |at, share| {
            let relative = std::array::from_fn(|i| start[i] + growth[i] * at);
            let place = gap_model::over_line(
                [normal, tangent],
                inverse,
                [from + rise * at, piece.separation],
                relative,
                [0.0, 0.0, -1.0, 1.0],
            );
            visit(piece.weight_at(at) * share, place);
        });
    }

    /// Parts of the force between vertices at `x` (m).
    pub(crate) fn parts(&self, x: &[Vec2; 4]) -> StripParts {
        let frame = Frame::new(&self.piece, x);
        let first = frame.moments(&self.piece).first;
        let [start, growth] = &frame.relative;
        StripParts {
            forces: frame.weighted(first).map(|c| -c),
            normal: frame.normal,
            places: self.piece.range.map(|at| -(start[3] + growth[3] * at)),
            distances: self.piece.range.map(|at| frame.from + frame.rise * at),
        }
    }

    /// The force of this contact between the vertices `stencil` at the positions `x` (m,
    /// `[vertices]`).
    pub(crate) fn push(&self, stencil: [usize; 4], x: &[Vec2]) -> StripPush {
        let piece = &self.piece;
        let frame = Frame::new(piece, &stencil.map(|i| x[i]));
        let moments = frame.moments(piece);
        let push = moments.push();

        let [zeroth, first, _] = moments.second;
        let held = frame.weighted([-zeroth, -first]);
        let mut growth = Growth::of(stencil, held.map(|c| frame.normal * c));
        let [p, q, _, _] = stencil;
        growth.add_ends(piece, [p, q], x, |at| {
            -piece.weight_at(at) * piece.jet(frame.from + frame.rise * at).first
        });

        StripPush {
            push,
            normal: frame.normal,
            tangent: frame.tangent,
            distance: frame.from + frame.rise * push.at,
            place: -frame.relative[0][3] - frame.relative[1][3] * push.at,
            growth,
        }
    }
}

impl LocalEnergy<4> for StripContact {
    const NAME: &'static str = "barrier";

    /// Energy `w int b dxi` (J).
    fn value(&self, x: &[Vec2; 4]) -> f64 {
        let frame = Frame::new(&self.piece, x);
        self.piece.value(frame.from, frame.rise)
    }

    /// Gradient `w int b' n dxi` times the weights of the vertices (N).
    fn gradient(&self, x: &[Vec2; 4]) -> [Vec2; 4] {
        let frame = Frame::new(&self.piece, x);
        let moments = frame.moments(&self.piece);
        frame.weighted(moments.first).map(|c| frame.normal * c)
    }

    /// Hessian (N/m), raised to a positive semidefinite matrix.
    ///
    /// In place of the mixed term `omega T^T + T omega^T` of
    /// [`exact_hessian`](LocalEnergy::exact_hessian) stands `1/2 z z^T` with
    /// `z = sqrt(a) omega + T / sqrt(a)`, where `a` is the force times the length of the other
    /// edge. Both differ by a square, so the matrix is never below the exact one.
    fn hessian(&self, x: &[Vec2; 4]) -> [[Mat2; 4]; 4] {
        let bend = Bend::new(&self.piece, x);
        let balance = (bend.force / bend.frame.inverse).sqrt();
        let inverse = if balance > 0.0 { 1.0 / balance } else { 0.0 };
        let both: [Vec2; 4] = std::array::from_fn(|i| {
            bend.frame.normal * (bend.turning[i] * balance)
                + bend.frame.tangent * (bend.sliding[i] * inverse)
        });
        bend.blocks(|i, j| outer(both[i], both[j]) * 0.5)
    }

    /// Hessian (N/m), without a projection.
    ///
    /// Along a displacement let `nu` and `tau` be the normal and tangential motion of a place
    /// relative to its nearest point, and `omega` the turning of the other edge. Then the Hessian
    /// is
    ///
    /// `w int (b'' nu nu^T - b' (omega tau^T + tau omega^T + d omega omega^T)) dxi`,
    ///
    /// as for a point over an edge. Since `nu` and `tau` change linearly along the piece it follows
    /// from five integrals, with `T = -w int b' tau dxi` in the mixed term `omega T^T + T omega^T`.
    fn exact_hessian(&self, x: &[Vec2; 4]) -> [[Mat2; 4]; 4] {
        let bend = Bend::new(&self.piece, x);
        let Frame {
            normal, tangent, ..
        } = bend.frame;
        let turn_and_slide = outer(normal, tangent);
        let slide_and_turn = turn_and_slide.transpose();
        bend.blocks(|i, j| {
            turn_and_slide * (bend.turning[i] * bend.sliding[j])
                + slide_and_turn * (bend.sliding[i] * bend.turning[j])
        })
    }
}

impl Batched<4> for StripContact {}

/// Parts of the second derivative of a strip.
struct Bend {
    frame: Frame,
    moments: Moments,
    /// Force `-w int b' dxi` (N).
    force: f64,
    /// Weights of the vertices in the turning `omega` along the normal (1/m).
    turning: [f64; 4],
    /// Weights of the vertices in the sliding `T` along the tangent (N).
    sliding: [f64; 4],
}

impl Bend {
    /// Parts of the second derivative of a `piece` between vertices at `x` (m).
    fn new(piece: &Piece, x: &[Vec2; 4]) -> Self {
        let frame = Frame::new(piece, x);
        let moments = frame.moments(piece);
        Self {
            force: -moments.first[0],
            turning: [0.0, 0.0, -frame.inverse, frame.inverse],
            sliding: frame.weighted(moments.first).map(|c| -c),
            frame,
            moments,
        }
    }

    /// Blocks of the Hessian (N/m) with this `mixed` term.
    #[inline]
    fn blocks(&self, mixed: impl Fn(usize, usize) -> Mat2) -> [[Mat2; 4]; 4] {
        let Frame {
            normal,
            from,
            rise,
            relative: [start, growth],
            ..
        } = &self.frame;
        let [zeroth, first, second] = self.moments.second;
        let arm = -(from * self.moments.first[0] + rise * self.moments.first[1]);
        let across = outer(*normal, *normal);

        let block = |i: usize, j: usize| {
            let stretch = start[i] * (zeroth * start[j] + first * growth[j])
                + growth[i] * (first * start[j] + second * growth[j]);
            let turn = arm * self.turning[i] * self.turning[j];
            across * (stretch + turn) + mixed(i, j)
        };
        std::array::from_fn(|i| std::array::from_fn(|j| block(i, j)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::test_piece;
    use ipcsim_energy::testing;

    /// A contact of a whole edge, or of a part of one.
    fn strip(range: [f64; 2], separation: f64) -> StripContact {
        StripContact {
            piece: test_piece(range, 0.25, 0.1, separation),
        }
    }

    /// Positions of an edge above and below another one.
    fn positions(side: f64, tilt: f64) -> [Vec2; 4] {
        [
            Vec2::new(0.4, side * 0.04),
            Vec2::new(-0.3, side * (0.04 + tilt)),
            Vec2::new(-0.6, 0.01),
            Vec2::new(0.7, -0.01),
        ]
    }

    #[test]
    fn derivatives_match_finite_differences() {
        for side in [1.0, -1.0] {
            for (range, tilt) in [([0.0, 1.0], 0.03), ([0.2, 0.7], 0.0), ([0.1, 0.2], -0.03)] {
                let contact = strip(range, 0.0);
                testing::check(&contact, positions(side, tilt), 1e-6, true);
                assert!(testing::torque(&contact, positions(side, tilt)).abs() < 1e-11);
                exact(&contact, positions(side, tilt));
            }
        }
        testing::check(&strip([0.0, 1.0], 0.02), positions(1.0, 0.01), 1e-6, true);
    }

    /// Compares the exact Hessian with differences of the gradient, and the projected one, which
    /// may only be larger.
    fn exact(contact: &StripContact, x: [Vec2; 4]) {
        let exact = contact.exact_hessian(&x);
        let raised = contact.hessian(&x);
        let mut added = nalgebra::DMatrix::zeros(8, 8);
        let scale = exact.iter().flatten().map(Mat2::norm).fold(0.0, f64::max);
        for column in 0..8 {
            let (mut plus, mut minus) = (x, x);
            plus[column / 2][column % 2] += 1e-6;
            minus[column / 2][column % 2] -= 1e-6;
            let (after, before) = (contact.gradient(&plus), contact.gradient(&minus));
            for row in 0..8 {
                let change = (after[row / 2] - before[row / 2])[row % 2] / 2e-6;
                let entry = exact[row / 2][column / 2][(row % 2, column % 2)];
                assert!(
                    (change - entry).abs() < 1e-6 * scale,
                    "{row} {column}: {change} {entry}"
                );
                added[(row, column)] = raised[row / 2][column / 2][(row % 2, column % 2)] - entry;
            }
        }
        assert!(added.symmetric_eigenvalues().min() > -1e-10 * scale);
    }
}
