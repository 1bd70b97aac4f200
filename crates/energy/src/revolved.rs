//! Elasticity of bodies of revolution: triangles of the half-plane that turns about the axis.
//!
//! The axis is `x = 0`; `x` is the radius `r` and `y` runs along the axis. The deformation gradient
//! in space has the gradient `F` of the half-plane and one more entry, the stretch `r / R` around the
//! axis. It depends on positions and not on their derivatives, and is linear in them, so that energy,
//! gradient and Hessian are those of a triangle with one more column.
//!
//! | question | answer of this folder |
//! |---|---|
//! | measure of a point | `2 pi R` times its area: all energies and forces are of the full turn |
//! | the law | with the elastic stretch `r / R` across the plane ([`Distortable`]) |
//! | `r / R` on the axis | no point is on the axis; stresses there take the limit `dr / dR` ([`Point::stretch_around`]) |
//! | the axis | a wall for the step and for stored states ([`wall`]); laws need not know it |
//! | volume of a patch | [`RevolvedDilatation`] |
//! | pressure on an outline | [`PressedRing`](crate::PressedRing) |
//!
//! Linear triangles have one point, at the middle. For an even stretch along the axis and another one
//! across, the forces of the middle are those of the exact integrals,
//! `2 pi int P b_i R dA = 2 pi R_m A P b_i` and `2 pi int P_33 N_i dA = 2 pi A P_33 / 3`, so that meshes
//! pass the patch test. The three points of quadratic triangles with straight sides do so, too: both
//! integrands are quadratic.
//!
//! Source: Zienkiewicz, Taylor and Zhu, "The Finite Element Method", chapter on axisymmetric stress.

mod dilatation;
mod ring;
pub(crate) mod side;
mod wall;

pub use dilatation::RevolvedDilatation;
pub(crate) use dilatation::{positive_part, scaled};

use super::distorted::inverse_transposed;
use super::quadratic::Guard;
use super::triangle::area_step;
use super::{Batched, LocalEnergy, Pointwise, Stressed};
use crate::material::{Distortable, Distortion, Flow};
use crate::tuning::JACOBIAN_KEPT;
use ipcsim_math::geometry::bernstein::{along, has_positive_coefficients};
use ipcsim_math::geometry::predicates::orientation;
use ipcsim_math::roots::first_positive_root;
use ipcsim_math::{Mat2, PlaneTensor, Vec2, cross};
use ipcsim_mesh::{CORNERS_OF_FACETS, Point};
use ring::Ring;
use std::cmp::Ordering;
use std::f64::consts::TAU;

/// Linear triangle of a body of revolution, whose energy is taken at its middle.
///
/// The volume is `2 pi R_m A`, with the mean radius `R_m` and the area `A` at rest. The stretch
/// around the axis is `r_m / R_m`, the ratio of mean radii, also where a vertex is on the axis.
#[derive(Clone, Copy, Debug)]
pub struct RevolvedTriangle<L> {
    /// The middle.
    ring: Ring<L, 3>,
    /// Radii of the vertices at rest (m).
    radii: [f64; 3],
}

impl<L: Distortable> RevolvedTriangle<L> {
    /// Triangle with vertices `rest` (m), counter-clockwise, none on the other side of the axis.
    pub fn new(law: L, rest: [Vec2; 3]) -> Self {
        let u = rest[1] - rest[0];
        let v = rest[2] - rest[0];
        let twice_area = cross(u, v);
        let first = Vec2::new(v.y, -v.x) / twice_area;
        let second = Vec2::new(-u.y, u.x) / twice_area;

        let radii = rest.map(|vertex| vertex.x);
        let radius = radii.iter().sum::<f64>() / 3.0;
        Self {
            ring: Ring {
                law,
                volume: TAU * radius * 0.5 * twice_area,
                b: [-first - second, first, second],
                h: [1.0 / (3.0 * radius); 3],
            },
            radii,
        }
    }
}

impl<L: Distortable> LocalEnergy<3> for RevolvedTriangle<L> {
    const NAME: &'static str = "elastic";

    /// Energy `2 pi R A psi` (J) of the full turn.
    fn value(&self, x: &[Vec2; 3]) -> f64 {
        self.ring.value(x)
    }

    fn gradient(&self, x: &[Vec2; 3]) -> [Vec2; 3] {
        let mut gradient = [Vec2::zeros(); 3];
        self.ring.add_gradient(x, &mut gradient);
        gradient
    }

    fn hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        let mut hessian = [[Mat2::zeros(); 3]; 3];
        self.ring.add_hessian(x, 0.0, &mut hessian);
        hessian
    }

    fn exact_hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        let mut hessian = [[Mat2::zeros(); 3]; 3];
        self.ring.add_hessian(x, f64::NEG_INFINITY, &mut hessian);
        hessian
    }

    /// Largest fraction of the motion that leaves a tenth of the area and of each radius.
    fn max_step(&self, x: &[Vec2; 3], p: &[Vec2; 3]) -> f64 {
        area_step(x, p).min(wall::step(x, p))
    }

    /// True if the triangle is not inverted, decided exactly, and is on its side of the axis.
    fn admits(&self, x: &[Vec2; 3]) -> bool {
        let [a, b, c] = *x;
        orientation(a, b, c) == Ordering::Greater && wall::admits(&self.radii, x)
    }

    fn stresses(&self, stencil: &[usize; 3], x: &[Vec2; 3], out: &mut Vec<Stressed>) {
        let middle = self.ring.cauchy(x);
        out.push(Stressed {
            triangle: *stencil,
            middle,
            corners: [middle; 3],
        });
    }
}

impl<L: Distortable> Pointwise<3> for RevolvedTriangle<L> {
    const POINTS: usize = 1;

    fn flows(&self) -> bool {
        self.ring.law.flows()
    }

    fn distorted(&self, distortions: &[Distortion]) -> Self {
        let [distortion] = distortions else {
            return *self;
        };
        Self {
            ring: self.ring.distorted(distortion),
            ..*self
        }
    }

    fn flow(&self, x: &[Vec2; 3]) -> Vec<Option<Flow>> {
        vec![self.ring.flow(x)]
    }

    fn in_triangles(values: &[f64]) -> Vec<f64> {
        values.to_vec()
    }
}

impl<L: Distortable> Batched<3> for RevolvedTriangle<L> {}

/// Quadratic triangle of a body of revolution, whose energy is taken at three points.
///
/// The strength of the guard is a modulus of the law times the mean length of the turn, as a
/// thickness in the plane.
///
/// Its guard against turning over is one of areas, as in the plane
/// ([`QuadraticTriangle`](super::QuadraticTriangle)).
#[derive(Clone, Copy, Debug)]
pub struct RevolvedQuadratic<L> {
    /// Law of the material without distortion.
    law: L,
    /// Points of the energy.
    rings: [Ring<L, 6>; 3],
    /// Nodes at rest (m).
    rest: [Vec2; 6],
    /// Barrier against turning over.
    guard: Guard,
    /// True if the points have distortions.
    is_distorted: bool,
}

impl<L: Distortable> RevolvedQuadratic<L> {
    /// Triangle with nodes `rest` (m), counter-clockwise corners first, none on the other side of the
    /// axis.
    pub fn new(law: L, rest: [Vec2; 6]) -> Self {
        let rings = Point::of_gauss(&rest).map(|point| Ring::of_point(law, &point, &rest));

        // Modulus of uniaxial strain times the mean length of the turn.
        let modes = law.modes(&Mat2::identity());
        let modulus = modes.iter().map(|mode| mode.0).fold(0.0, f64::max);
        let volume: f64 = rings.iter().map(|ring| ring.volume).sum();
        let area: f64 = Point::of_gauss(&rest).iter().map(|point| point.area).sum();
        Self {
            law,
            rings,
            rest,
            guard: Guard::new(&rest, modulus * volume / area),
            is_distorted: false,
        }
    }

    /// Radii of the nodes at rest (m).
    fn radii(&self) -> [f64; 6] {
        self.rest.map(|node| node.x)
    }

    /// Stress of the points, continued linearly to a place with the shares `l` of the corners (1), as in
    /// [`QuadraticTriangle`](super::QuadraticTriangle).
    ///
    /// The weights `2 l_i - 1/3` give the stress of a point at that point, since the points have
    /// the shares 2/3, 1/6 and 1/6.
    fn continued(&self, x: &[Vec2; 6], l: [f64; 3]) -> PlaneTensor {
        let mut sum = PlaneTensor::default();
        for (ring, share) in self.rings.iter().zip(l) {
            sum += ring.cauchy(x) * (2.0 * share - 1.0 / 3.0);
        }
        sum
    }

    /// Cauchy stress at a point (Pa).
    ///
    /// A distorted law is known at the points only, so that its stress is continued from there.
    fn stress_at(&self, point: &Point, x: &[Vec2; 6]) -> PlaneTensor {
        if self.is_distorted {
            return self.continued(x, point.corners());
        }
        let f = ring::deformation(x, &point.b);
        let growth = point.stretch_around(&self.rest, x, &f) - 1.0;
        self.law.stretched_across(growth).cauchy(&f)
    }
}

impl<L: Distortable> LocalEnergy<6> for RevolvedQuadratic<L> {
    const NAME: &'static str = "elastic";

    fn value(&self, x: &[Vec2; 6]) -> f64 {
        let guard = self.guard.value(x);
        if guard.is_infinite() {
            return guard;
        }
        let elastic: f64 = self.rings.iter().map(|ring| ring.value(x)).sum();
        elastic + guard
    }

    fn gradient(&self, x: &[Vec2; 6]) -> [Vec2; 6] {
        let mut gradient = self.guard.gradient(x);
        for ring in &self.rings {
            ring.add_gradient(x, &mut gradient);
        }
        gradient
    }

    fn hessian(&self, x: &[Vec2; 6]) -> [[Mat2; 6]; 6] {
        let mut hessian = self.guard.hessian(x);
        for ring in &self.rings {
            ring.add_hessian(x, 0.0, &mut hessian);
        }
        hessian
    }

    fn exact_hessian(&self, x: &[Vec2; 6]) -> [[Mat2; 6]; 6] {
        let mut hessian = self.guard.exact_hessian(x);
        for ring in &self.rings {
            ring.add_hessian(x, f64::NEG_INFINITY, &mut hessian);
        }
        hessian
    }

    /// Largest fraction of the motion that leaves a tenth of each coefficient of `J` and of each radius.
    fn max_step(&self, x: &[Vec2; 6], p: &[Vec2; 6]) -> f64 {
        let steps = along(x, p).map(|[start, slope, curve]| {
            first_positive_root(curve, slope, (1.0 - JACOBIAN_KEPT) * start, 1.0).unwrap_or(1.0)
        });
        let area = steps.into_iter().fold(1.0, f64::min);
        area.min(wall::step(x, p)).min(wall::curved_step(x, p))
    }

    fn admits(&self, x: &[Vec2; 6]) -> bool {
        let radii = self.radii();
        has_positive_coefficients(x)
            && wall::admits(&radii, x)
            && wall::admits_curved(&self.rest, x)
    }

    fn stresses(&self, nodes: &[usize; 6], x: &[Vec2; 6], out: &mut Vec<Stressed>) {
        let (at_nodes, at_middles) = Point::of_nodes_and_facets(&self.rest);
        let at_nodes = at_nodes.map(|point| self.stress_at(&point, x));
        for (facet, point) in CORNERS_OF_FACETS.iter().zip(at_middles) {
            out.push(Stressed {
                triangle: facet.map(|i| nodes[i]),
                middle: self.stress_at(&point, x),
                corners: facet.map(|i| at_nodes[i]),
            });
        }
    }
}

impl<L: Distortable> Pointwise<6> for RevolvedQuadratic<L> {
    const POINTS: usize = 3;

    fn flows(&self) -> bool {
        self.law.flows()
    }

    fn distorted(&self, distortions: &[Distortion]) -> Self {
        let mut made = *self;
        for (ring, distortion) in made.rings.iter_mut().zip(distortions) {
            *ring = ring.distorted(distortion);
            made.is_distorted = true;
        }
        made
    }

    fn flow(&self, x: &[Vec2; 6]) -> Vec<Option<Flow>> {
        self.rings.iter().map(|ring| ring.flow(x)).collect()
    }

    /// As in the plane: three facets at the corners, and the mean between them.
    fn in_triangles(values: &[f64]) -> Vec<f64> {
        let mean = values.iter().sum::<f64>() / 3.0;
        values.iter().copied().chain([mean]).collect()
    }
}

impl<L: Distortable> Batched<6> for RevolvedQuadratic<L> {}

#[cfg(test)]
mod tests;
