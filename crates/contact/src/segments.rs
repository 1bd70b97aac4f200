//! Contact along pieces of edges, integrated exactly.
//!
//! The energy of two outlines in contact is an integral along both,
//!
//! `E = 1/2 int_A b(d(x, B)) ds + 1/2 int_B b(d(x, A)) ds`,
//!
//! with the barrier `b` of the distance `d` from each point of one outline to the other. Lengths
//! are measured at rest. Energies and forces then belong to two curves, whatever vertices describe
//! them: on flat sides the pressure is uniform, however the meshes of both sides meet, and only the
//! common side is in contact. Sums over vertices miss this by the length of an edge.
//!
//! The distance to an outline is that to the inside of one of its edges or to one of its vertices.
//! An edge of one side is therefore cut into pieces:
//!
//! - [`StripContact`]: over the inside of an edge of the other side;
//! - [`CornerContact`]: near a vertex of the other side, or a circle, which has no outline of edges
//!   and counts in full on this side;
//! - [`FloorContact`]: over a half-plane, which has no outline either.
//!
//! Where pieces overlap, at the inner side of a vertex, the part that both count is taken off once
//! (Li et al. 2023, "Convergent Incremental Potential Contact", section 5, for points instead of
//! pieces). Ends of pieces move with the bodies. Since the barrier and its first derivative are the
//! same on both sides of an end, this has no part in the derivatives of the sum.
//!
//! A flat face that tips about its corner pushes over the piece that is within the reach of the
//! barrier, not at the corner itself: pivots are as soft as faces. Faces next to a corner are
//! within reach, too, and bear about `d_hat` over the width times the force of the face in contact.
//!
//! The barrier must be one whose integral is infinite where a vertex touches the inside of an edge:
//! [`BarrierShape::Inverse`](super::barrier::BarrierShape::Inverse).

mod corner;
mod floor;
mod growth;
mod quadrature;
mod round;
mod strip;

pub use corner::CornerContact;
pub(super) use corner::CornerPush;
pub use floor::FloorContact;
pub use strip::StripContact;

pub(super) use growth::{Cut, Growth};
pub(super) use round::round;

#[cfg(test)]
use super::barrier::BarrierShape;
use super::barrier::{Barrier, Jet};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::{ln, powi};

/// A piece of an edge, and the barrier along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Ends of the piece on its edge, from 0 at the start of the edge to 1.
    pub range: [f64; 2],
    /// Cuts that move the two ends along the edge; `None` at an end of the edge, and where the
    /// barrier ends.
    pub cuts: [Option<Cut>; 2],
    /// Length of the whole edge at rest times thickness, or times `2 pi R` at its middle, times the share that this side counts
    /// (m^2). Negative where the piece subtracts the part that two others count.
    pub weight: f64,
    /// Change of the weight along the whole edge, relative to the weight at its middle (1): of the
    /// radius in a body of revolution, 0 in the plane.
    pub widening: f64,
    /// Barrier `b` as a function of the gap.
    pub barrier: Barrier,
    /// Activation distance of the barrier (m).
    pub d_hat: f64,
    /// Distance at which both sides touch (m).
    pub separation: f64,
}

/// Integrals along a piece, with the weight: of the barrier, and of its derivatives by the gap
/// times powers of the place on the edge.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    /// Of `b` (J).
    value: f64,
    /// Of `b'`, and of `b'` times the place (N).
    first: [f64; 2],
    /// Of `b''` times the powers 0, 1 and 2 of the place (N/m).
    second: [f64; 3],
}

impl Piece {
    /// Weight at a place of the edge (m^2).
    #[inline]
    fn weight_at(&self, at: f64) -> f64 {
        self.weight * (1.0 + self.widening * (at - 0.5))
    }

    /// This piece of the edge from vertex `a` to `b`, with the ends that cuts give it at other
    /// positions `x` (m, `[vertices]`).
    pub(super) fn moved(self, [a, b]: [usize; 2], x: &[Vec2]) -> Self {
        let mut range = self.range;
        for (end, cut) in range.iter_mut().zip(self.cuts) {
            let Some(Cut { vertex, far }) = cut else {
                continue;
            };
            let across = x[far] - x[vertex];
            let place = across.dot(&(x[vertex] - x[a])) / across.dot(&(x[b] - x[a]));
            if place.is_finite() {
                *end = place;
            }
        }
        Self { range, ..self }
    }

    /// Vertices whose motion moves its ends along the edge.
    pub(super) fn movers(&self) -> impl Iterator<Item = usize> {
        let cuts = self.cuts.into_iter().flatten();
        cuts.flat_map(|cut| [cut.vertex, cut.far])
    }

    /// Value and derivatives of the barrier at the distance `d` (m).
    #[inline]
    fn jet(&self, d: f64) -> Jet {
        self.barrier.plane(d - self.separation, self.d_hat)
    }

    /// Part of the edge (1) that would have a `force` (N) at the pressure of the smallest of these
    /// distances (m).
    pub(crate) fn effective(&self, force: f64, distances: &[f64]) -> f64 {
        let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = -self.weight * self.jet(nearest).first;
        if highest == 0.0 { 0.0 } else { force / highest }
    }

    /// Gaps (m) at both ends, where the distance is `from` at the start of the edge and grows by
    /// `rise` to its end.
    fn gaps(&self, from: f64, rise: f64) -> [f64; 2] {
        self.range.map(|at| from + rise * at - self.separation)
    }

    /// Integral of the barrier along the piece (J), with the arguments of [`Self::moments`].
    ///
    /// Where the gap changes much it is the closed integral of
    /// `(1 - s)^3 / s = 1/s - 3 + 3 s - s^2`; elsewhere the difference of two values of
    /// `ln s - 3 s + 3/2 s^2 - s^3/3` would lose digits.
    fn value(&self, from: f64, rise: f64) -> f64 {
        let gaps = self.gaps(from, rise);
        let scale = self.weight * self.barrier.kappa * self.d_hat;
        if quadrature::is_steep(gaps) && self.widening == 0.0 {
            let [start, end] = gaps.map(|gap| gap / self.d_hat);
            let rest = |s: f64| s * (s * (1.5 - s / 3.0) - 3.0);
            let whole = ln(end / start) + (rest(end) - rest(start));
            return scale * (self.range[1] - self.range[0]) * whole / (end - start);
        }

        let mut sum = 0.0;
        quadrature::over_line(self.range, gaps, |at, share| {
            let s = (from + rise * at - self.separation) / self.d_hat;
            let share = share * (1.0 + self.widening * (at - 0.5));
            sum += share * powi(1.0 - s, 3) / s;
        });
        scale * sum
    }

    /// Integrals along the piece, where the distance (m) is `from` at the start of the edge and
    /// grows by `rise` to its end.
    fn moments(&self, from: f64, rise: f64) -> Moments {
        let gaps = self.gaps(from, rise);

        let mut moments = Moments::default();
        quadrature::over_line(self.range, gaps, |at, share| {
            let jet = self.jet(from + rise * at);
            let [value, first, second] =
                [jet.value, jet.first, jet.second].map(|part| part * (self.weight_at(at) * share));

            moments.value += value;
            moments.first[0] += first;
            moments.first[1] += first * at;
            moments.second[0] += second;
            moments.second[1] += second * at;
            moments.second[2] += second * at * at;
        });
        moments
    }
}

/// Normal force of a piece, as its friction and its reports see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push {
    /// Size of the force (N); negative where the piece subtracts the part that others count.
    pub(crate) force: f64,
    /// Place on the edge where it acts.
    pub(crate) at: f64,
}

impl Moments {
    /// The force of these integrals, at the centre of its parts.
    fn push(&self) -> Push {
        Push {
            force: -self.first[0],
            at: self.first[1] / self.first[0],
        }
    }
}

/// A piece with an inverse barrier, for tests.
#[cfg(test)]
fn test_piece(range: [f64; 2], weight: f64, d_hat: f64, separation: f64) -> Piece {
    let shape = BarrierShape::Inverse;
    Piece {
        range,
        cuts: [None; 2],
        weight,
        widening: 0.3,
        barrier: Barrier { shape, kappa: 1e3 },
        d_hat,
        separation,
    }
}
