//! Contact of a piece of an edge with a vertex or a circle.

use super::{Growth, Piece, Push, quadrature};
use crate::barrier::Jet;
use ipcsim_energy::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2, outer};

/// Barrier energy of a piece of an edge around a vertex, for the vertices `[a_0, a_1, v]`: start
/// and end of the edge, and the vertex, which may be the centre of a circle.
///
/// The energy (J) is `w int b(d(xi) - s) dxi` over the range of the piece, with the distance
/// `d(xi) = |a_0 + xi (a_1 - a_0) - v|`. Symbols are explained at [`Piece`]; the distance `s` at
/// which both touch is the radius of the circle. With the unit vector `n(xi)` from the vertex, the
/// gradient is `w int b' n dxi` times `1 - xi`, `xi` and `-1` for the three vertices.
///
/// The weight is negative where a vertex of an inner corner subtracts the part that two edges
/// count.
#[derive(Clone, Copy, Debug)]
pub struct CornerContact {
    /// Range of the piece, weight and barrier.
    pub piece: Piece,
}

/// A place of the piece.
struct Place {
    /// Place on the edge.
    at: f64,
    /// Vector from the vertex (m).
    offset: Vec2,
    /// Distance from the vertex (m).
    distance: f64,
    /// Weight in the integral, times the weight of the piece (m^2).
    weight: f64,
    /// Barrier there.
    jet: Jet,
}

/// The force of a corner, for friction and reports.
#[derive(Clone, Debug)]
pub(crate) struct CornerPush {
    /// Force, and where it acts on the edge.
    pub(crate) push: Push,
    /// Unit vector along the force on the edge, away from the vertex for a positive force.
    pub(crate) normal: Vec2,
    /// Derivative of the force (N/m).
    pub(crate) growth: Growth,
}

impl Place {
    /// Second derivative of its part of the energy by the vector from the vertex (N/m), with the
    /// curvatures along and across that vector raised to `least`.
    fn stiffness(&self, least: f64) -> Mat2 {
        let normal = self.offset / self.distance;
        let along = (self.weight * self.jet.second).max(least);
        let across = (self.weight * self.jet.first / self.distance).max(least);
        Mat2::identity() * across + outer(normal, normal) * (along - across)
    }
}

impl CornerContact {
    /// Calls `visit` with the places of the piece between vertices at `x` (m).
    fn over_places(&self, [a0, a1, v]: &[Vec2; 3], mut visit: impl FnMut(&Place)) {
        let edge = a1 - a0;
        let from = a0 - v;
        let length = edge.norm();
        let foot = -edge.dot(&from) / (length * length);

        // The integrand is singular where both would touch, or the distance is zero.
        let height = (from + edge * foot).norm();
        let touching = self.piece.separation;
        let open = (height - touching) * (height + touching);
        let scale = open.max(0.0).sqrt() / length;
        quadrature::around_vertex(self.piece.range, foot, scale, |at, share| {
            let offset = from + edge * at;
            let distance = offset.norm();
            visit(&Place {
                at,
                offset,
                distance,
                weight: self.piece.weight_at(at) * share,
                jet: self.piece.jet(distance),
            });
        });
    }

    /// Visits the places of the quadrature rule between vertices at `x` (m): place on the edge, weight, and
    /// offset from the vertex (m).
    pub(crate) fn each_offset(&self, x: &[Vec2; 3], mut visit: impl FnMut(f64, f64, Vec2)) {
        self.over_places(x, |place| visit(place.at, place.weight, place.offset));
    }

    /// Distances of the ends of the piece, and of its place nearest to the vertex, where vertices are at
    /// `x` (m).
    pub(crate) fn distances(&self, [a0, a1, v]: &[Vec2; 3]) -> [f64; 3] {
        let edge = a1 - a0;
        let [from, to] = self.piece.range;
        let foot = edge.dot(&(v - a0)) / edge.norm_squared();
        [from, to, foot.clamp(from, to)].map(|at| (a0 + edge * at - v).norm())
    }

    /// The force of this contact between the vertices `stencil` at the positions `x` (m,
    /// `[vertices]`).
    pub(crate) fn push(&self, stencil: [usize; 3], x: &[Vec2]) -> CornerPush {
        let mut sum = Vec2::zeros();
        let mut all = 0.0;
        let mut centre = 0.0;
        let mut stiffness = [Mat2::zeros(); 2];
        self.over_places(&stencil.map(|i| x[i]), |place| {
            let force = -place.weight * place.jet.first;
            sum += place.offset * (force / place.distance);
            all += force;
            centre += force * place.at;

            let own = place.stiffness(f64::NEG_INFINITY);
            stiffness[0] += own;
            stiffness[1] += own * place.at;
        });
        let sign = 1.0_f64.copysign(all);
        let normal = sum.normalize() * sign;

        // The size of the force grows by the change of the force along it.
        let [a, b, v] = stencil;
        let [whole, end] = stiffness.map(|stiffness| stiffness * -normal);
        let mut growth = Growth::of(stencil, [whole - end, end, -whole]);
        growth.add_ends(&self.piece, [a, b], x, |at| {
            let offset = x[a] + (x[b] - x[a]) * at - x[v];
            let distance = offset.norm();
            let force = -self.piece.weight_at(at) * self.piece.jet(distance).first;
            force * normal.dot(&offset) / distance
        });
        CornerPush {
            push: Push {
                force: sum.norm() * sign,
                at: centre / all,
            },
            normal,
            growth,
        }
    }

    /// Hessian (N/m), with the curvatures along and across the connection raised to `least`.
    fn second_derivative(&self, x: &[Vec2; 3], least: f64) -> [[Mat2; 3]; 3] {
        // Integrals of the 2x2 matrices times powers of the place.
        let mut powers = [Mat2::zeros(); 3];
        self.over_places(x, |place| {
            let own = place.stiffness(least);
            powers[0] += own;
            powers[1] += own * place.at;
            powers[2] += own * (place.at * place.at);
        });

        let [zeroth, first, second] = powers;
        let both = first - second;
        let start = first - zeroth;
        [
            [both * -1.0 - start, both, start],
            [both, second, -first],
            [start, -first, zeroth],
        ]
    }
}

impl LocalEnergy<3> for CornerContact {
    const NAME: &'static str = "barrier";

    /// Energy `w int b dxi` (J).
    fn value(&self, x: &[Vec2; 3]) -> f64 {
        let mut sum = 0.0;
        self.over_places(x, |place| sum += place.weight * place.jet.value);
        sum
    }

    /// Gradient `w int b' n dxi` times the weights of the vertices (N).
    fn gradient(&self, x: &[Vec2; 3]) -> [Vec2; 3] {
        let mut all = Vec2::zeros();
        let mut end = Vec2::zeros();
        self.over_places(x, |place| {
            let own = place.offset * (place.weight * place.jet.first / place.distance);
            all += own;
            end += own * place.at;
        });
        [all - end, end, -all]
    }

    /// Hessian (N/m), with negative curvatures of each place left out.
    fn hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        self.second_derivative(x, 0.0)
    }

    /// Hessian (N/m), without a projection.
    fn exact_hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        self.second_derivative(x, f64::NEG_INFINITY)
    }
}

impl Batched<3> for CornerContact {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::test_piece;
    use ipcsim_energy::testing;

    #[test]
    fn derivatives_match_finite_differences() {
        for (range, separation, weight) in [
            ([0.3, 0.5], 0.0, 0.25),
            ([0.39, 0.395], 0.0, 0.25),
            ([0.3, 0.5], 0.0, -0.25),
            ([0.3, 0.5], 0.03, 0.25),
        ] {
            let contact = CornerContact {
                piece: test_piece(range, weight, 0.2, separation),
            };
            let x = [
                Vec2::new(-0.4, 0.05),
                Vec2::new(0.6, 0.06),
                Vec2::new(0.01, 0.01),
            ];
            testing::check(&contact, x, 1e-7, true);
            assert!(testing::torque(&contact, x).abs() < 1e-11);
        }
    }
}
