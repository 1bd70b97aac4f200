//! Elasticity of linear triangles.
//!
//! On a triangle with three vertices the deformation gradient is constant, so the energy depends on
//! one `F`. [`formulas`] has the arithmetic for one number or for the lanes of a register, and
//! [`lanes`] evaluates several triangles at once. This file has the triangle and its evaluation one
//! by one.

mod formulas;
mod lanes;

use super::distorted::inverse_transposed;
use super::{Batch, Batched, LocalEnergy, Pointwise, Stressed, simd};
use crate::material::{Distortable, Distortion, Flow, Hyperelastic, Tangent};
use crate::tuning::AREA_KEPT;
use formulas::{Blocks, blocks, corners, deformation};
use ipcsim_math::geometry::predicates::orientation;
use ipcsim_math::lanes::arch;
use ipcsim_math::roots::first_positive_root;
use ipcsim_math::{Mat2, Vec2, cross, outer};
use lanes::{Admit, Hessians, Steps};
use std::cmp::Ordering;

/// Elastic energy of a triangle whose deformation gradient is constant.
///
/// The free physics-based simulation book, chapter on hyperelasticity. The energy (J) is
///
/// `A t psi(F)` with `F = D_s D_m^-1 = sum_i x_i b_i^T`,
///
/// - `A t`: rest area times thickness (m^3);
/// - `psi`: energy density of the law (Pa);
/// - `D_s`, `D_m`: matrices of the edge vectors from vertex 0 to 1 and to 2, deformed and at rest
///   (m);
/// - `b_i`: derivative of `F` with respect to vertex `i`, with `b_0 = -b_1 - b_2` (1/m).
///
/// With the first Piola-Kirchhoff stress `P = dpsi/dF` the gradient is `A t P b_i`.
#[derive(Clone, Copy, Debug)]
pub struct Triangle<L> {
    /// Law of the material.
    law: L,
    /// Rest area times thickness, `A t` (m^3).
    volume: f64,
    /// Derivatives of `F` with respect to vertices 1 and 2, `b_1` and `b_2` (1/m).
    b: [Vec2; 2],
}

impl<L: Hyperelastic> Triangle<L> {
    /// Triangle with vertices `rest` (m), counter-clockwise, and a thickness (m).
    pub fn new(law: L, rest: [Vec2; 3], thickness: f64) -> Self {
        let u = rest[1] - rest[0];
        let v = rest[2] - rest[0];
        let twice_area = cross(u, v);

        // Rows of the inverse of D_m, whose columns are u and v.
        let b = [
            Vec2::new(v.y, -v.x) / twice_area,
            Vec2::new(-u.y, u.x) / twice_area,
        ];
        Self {
            law,
            volume: 0.5 * twice_area * thickness,
            b,
        }
    }

    /// Deformation gradient `F` at the positions `x` (m).
    fn deformation(&self, x: &[Vec2; 3]) -> Mat2 {
        let [b, c] = self.b;
        Mat2::from_column_slice(&deformation(&corners(x), &[b.x, b.y, c.x, c.y]))
    }

    /// Products `m b_i` for all three vertices, with `b_0 = -b_1 - b_2`.
    fn spread(&self, m: &Mat2) -> [Vec2; 3] {
        let first = m * self.b[0];
        let second = m * self.b[1];
        [-first - second, first, second]
    }

    /// Blocks 11, 12 and 22 of the Hessian (N/m) from the eigenmodes of `dP/dF`.
    ///
    /// A mode `Q` with the eigenvalue `l` adds `l A t (Q b_i)(Q b_j)^T` to block `ij`. Eigenvalues
    /// below `least` (Pa) count as `least`.
    fn by_modes(&self, f: &Mat2, least: f64) -> [Mat2; 3] {
        let [mut h11, mut h12, mut h22] = [Mat2::zeros(); 3];
        for (value, mode) in self.law.modes(f) {
            let weight = value.max(least) * self.volume;
            let first = mode * self.b[0];
            let second = mode * self.b[1];
            h11 += outer(first * weight, first);
            h12 += outer(first * weight, second);
            h22 += outer(second * weight, second);
        }
        [h11, h12, h22]
    }

    /// Blocks 11, 12 and 22 of the Hessian (N/m) from the projected `dP/dF` in closed form.
    #[inline]
    fn by_tangent(&self, f: &Mat2, tangent: Tangent<f64>) -> [Mat2; 3] {
        let [b, c] = self.b;
        let f = [f.m11, f.m21, f.m12, f.m22];
        let Blocks { h11, h12, h22 } = blocks(&f, &[b.x, b.y, c.x, c.y], &tangent, self.volume);
        [
            symmetric(h11),
            Mat2::from_column_slice(&h12),
            symmetric(h22),
        ]
    }
}

impl<L: Hyperelastic> LocalEnergy<3> for Triangle<L> {
    const NAME: &'static str = "elastic";

    /// Energy `A t psi(F)` (J), infinite where `psi` is.
    #[inline]
    fn value(&self, x: &[Vec2; 3]) -> f64 {
        self.volume * self.law.energy_density(&self.deformation(x))
    }

    /// Gradient `A t P b_i` for each vertex (N).
    #[inline]
    fn gradient(&self, x: &[Vec2; 3]) -> [Vec2; 3] {
        self.spread(&(self.law.stress(&self.deformation(x)) * self.volume))
    }

    /// Projected Hessian (N/m): from the closed form of the law where it has one, otherwise from
    /// its eigenmodes.
    #[inline]
    fn hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        let f = self.deformation(x);
        let tangent = self.law.tangent(&f);
        complete(tangent.map_or_else(
            || self.by_modes(&f, 0.0),
            |tangent| self.by_tangent(&f, tangent),
        ))
    }

    /// Hessian (N/m) without projection: from the closed form of the law where it has one, which
    /// holds without the lift of the twist everywhere, otherwise from its eigenmodes.
    #[inline]
    fn exact_hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        let f = self.deformation(x);
        let exact = self.law.respond(&f).map(|response| Tangent {
            twist: 0.0,
            ..response.tangent
        });
        complete(exact.map_or_else(
            || self.by_modes(&f, f64::NEG_INFINITY),
            |tangent| self.by_tangent(&f, tangent),
        ))
    }

    /// Largest fraction of the motion that leaves a tenth of the area.
    fn max_step(&self, x: &[Vec2; 3], p: &[Vec2; 3]) -> f64 {
        area_step(x, p)
    }

    /// True if the triangle is not inverted, decided exactly.
    #[inline]
    fn admits(&self, [a, b, c]: &[Vec2; 3]) -> bool {
        orientation(*a, *b, *c) == Ordering::Greater
    }

    /// The volume grows by the square of the factor, and `b_i` shrinks by the factor.
    fn resized(&self, factor: f64) -> Option<Self> {
        Some(Self {
            volume: self.volume * (factor * factor),
            b: self.b.map(|b| b / factor),
            ..*self
        })
    }

    /// Cauchy stress of the law, the same in the whole triangle.
    fn stresses(&self, stencil: &[usize; 3], x: &[Vec2; 3], out: &mut Vec<Stressed>) {
        let middle = self.law.cauchy(&self.deformation(x));
        out.push(Stressed {
            triangle: *stencil,
            middle,
            corners: [middle; 3],
        });
    }
}

impl<L: Distortable> Pointwise<3> for Triangle<L> {
    const POINTS: usize = 1;

    fn flows(&self) -> bool {
        self.law.flows()
    }

    /// The triangle with the shape at rest that the distortion gives it: the volume grows by `det G`,
    /// and `b_i` becomes `G^-T b_i`, so that `F_e = F G^-1 = sum_i x_i b_i^T`.
    fn distorted(&self, distortions: &[Distortion]) -> Self {
        let [distortion] = distortions else {
            return *self;
        };
        let inverse = inverse_transposed(&distortion.plane);
        Self {
            law: self.law.distorted(distortion),
            volume: self.volume * distortion.volume(),
            b: self.b.map(|b| inverse * b),
        }
    }

    fn flow(&self, x: &[Vec2; 3]) -> Vec<Option<Flow>> {
        vec![self.law.flow(&self.deformation(x))]
    }

    fn in_triangles(values: &[f64]) -> Vec<f64> {
        values.to_vec()
    }
}

impl<L: Hyperelastic> Batched<3> for Triangle<L> {
    fn values(batch: Batch<Self, 3>, out: &mut [f64]) {
        simd::values(batch, out);
    }

    fn gradients(batch: Batch<Self, 3>, out: &mut [[Vec2; 3]]) {
        simd::gradients(batch, out);
    }

    fn hessians(batch: Batch<Self, 3>, scale: f64, blocks: &mut [Mat2]) {
        arch().dispatch(Hessians {
            batch,
            scale,
            blocks,
        });
    }

    fn max_steps(batch: Batch<Self, 3>, p: &[Vec2], out: &mut [f64]) {
        arch().dispatch(Steps { batch, p, out });
    }

    fn admit(batch: Batch<Self, 3>) -> bool {
        arch().dispatch(Admit { batch })
    }
}

/// Symmetric matrix from its lower triangle, column by column.
fn symmetric([a, b, d]: [f64; 3]) -> Mat2 {
    Mat2::new(a, b, b, d)
}

/// Hessian of all vertices from blocks 11, 12 and 22. A translation of the triangle changes no
/// force, hence the blocks of each row add up to zero.
#[inline]
fn complete([h11, h12, h22]: [Mat2; 3]) -> [[Mat2; 3]; 3] {
    let h21 = h12.transpose();
    let h10 = -h11 - h12;
    let h20 = -h21 - h22;
    [
        [-h10 - h20, h10.transpose(), h20.transpose()],
        [h10, h11, h12],
        [h20, h21, h22],
    ]
}

/// Largest fraction of the motion `p` on which the triangle at `x` keeps the share [`AREA_KEPT`] of
/// its signed area.
///
/// The area is quadratic in the fraction; the bound is its first root less that share (the book,
/// chapter on inversion-free elasticity).
pub(super) fn area_step(x: &[Vec2; 3], p: &[Vec2; 3]) -> f64 {
    let u = x[1] - x[0];
    let v = x[2] - x[0];
    let du = p[1] - p[0];
    let dv = p[2] - p[0];

    // Twice the area, as a polynomial in the fraction.
    let area = cross(u, v);
    let slope = cross(u, dv) + cross(du, v);
    let curve = cross(du, dv);
    let spare = (1.0 - AREA_KEPT) * area;
    first_positive_root(curve, slope, spare, 1.0).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Lame, LawVisitor, MassSpring, NeoHookean, SceneLaw, solids};
    use crate::testing;
    use proptest::prelude::*;

    const REST: [Vec2; 3] = [
        Vec2::new(0.1, 0.0),
        Vec2::new(0.4, 0.1),
        Vec2::new(0.2, 0.35),
    ];
    const LAME: Lame = Lame {
        mu: 3.0,
        lambda: 5.0,
    };

    /// Positions of a triangle near its rest, not collapsed.
    fn positions() -> impl Strategy<Value = [Vec2; 3]> {
        prop::array::uniform6(-0.2_f64..0.2)
            .prop_map(|e| std::array::from_fn(|i| REST[i] + Vec2::new(e[2 * i], e[2 * i + 1])))
            .prop_filter("not collapsed", |x: &[Vec2; 3]| {
                cross(x[1] - x[0], x[2] - x[0]) > 0.02
            })
    }

    /// Checks derivatives, and torque unless the law `sees_rotation`.
    fn check(law: impl Hyperelastic, x: [Vec2; 3], sees_rotation: bool) {
        let triangle = Triangle::new(law, REST, 1.0);
        let clamped = law
            .modes(&triangle.deformation(&x))
            .iter()
            .any(|mode| mode.0 < 0.0);
        testing::check(&triangle, x, 1e-6, clamped);
        if !sees_rotation {
            assert!(testing::torque(&triangle, x).abs() < 1e-12);
        }
    }

    /// Checks of a triangle with every law, at these positions (m).
    struct Check([Vec2; 3]);

    impl LawVisitor for Check {
        type Output = ();

        fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
            check(L::plane_strain(given), self.0, L::NAME == "linear");
            check(L::plane_stress(given), self.0, L::NAME == "linear");
        }

        fn springs(self, _rank: usize, _given: &MassSpring) {}
    }

    proptest! {
        #[test]
        fn derivatives_match_finite_differences(x in positions()) {
            for law in solids() {
                law.visit(Check(x));
            }
        }

        #[test]
        fn the_step_bound_leaves_a_tenth_of_the_area(x in positions(), e in prop::array::uniform6(-2.0_f64..2.0)) {
            let p: [Vec2; 3] = std::array::from_fn(|i| Vec2::new(e[2 * i], e[2 * i + 1]));

            // Nowhere up to the bound is less than a tenth left.
            let area = |t: f64| {
                let y: [Vec2; 3] = std::array::from_fn(|i| x[i] + p[i] * t);
                cross(y[1] - y[0], y[2] - y[0])
            };
            let bound = area_step(&x, &p);
            for k in 0..=200 {
                prop_assert!(area(bound * f64::from(k) / 200.0) >= 0.0999 * area(0.0));
            }
            prop_assert!(bound >= 1.0 || (area(bound) / area(0.0) - 0.1).abs() < 1e-6);
        }
    }

    #[test]
    fn a_uniform_stretch_has_the_energy_of_its_closed_form() {
        // psi of diag(s, s) is mu (s^2 - 1) - 2 mu ln s + 2 lambda ln^2 s.
        let s = 1.3_f64;
        let triangle = Triangle::new(NeoHookean(LAME), REST, 0.5);
        let psi =
            LAME.mu * (s * s - 1.0) - 2.0 * LAME.mu * s.ln() + 2.0 * LAME.lambda * s.ln() * s.ln();
        let area = 0.5 * cross(REST[1] - REST[0], REST[2] - REST[0]);
        assert!((triangle.value(&REST.map(|x| x * s)) - 0.5 * area * psi).abs() < 1e-14);
    }
}
