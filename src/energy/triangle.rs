//! Elasticity of linear triangles.

#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vectors"
)]

mod lanes;

use super::{Batch, LocalEnergy, side_by_side};
use crate::geometry::predicates::orientation;
use crate::material::{Hyperelastic, Tangent, twist};
use crate::math::lanes::{Arch, Real};
use crate::math::roots::first_positive_root;
use crate::math::{Mat2, Vec2, cross, outer};
use lanes::{Admit, Hessians, Steps};
use std::cmp::Ordering;

/// A triangle's elastic energy `A t psi(F)`, with `F = D_s D_m^-1` from the edge vectors now and at rest.
#[derive(Clone, Copy, Debug)]
pub struct Triangle<L> {
    law: L,
    /// Rest area times thickness (m^3).
    volume: f64,
    /// Derivative of `F` with respect to vertex 1 and 2: `F = sum_i x_i b_i^T`, `b_0 = -b_1 - b_2` (1/m).
    b: [Vec2; 2],
}

/// Share of a triangle's area that a step may not go below.
const AREA_KEPT: f64 = 0.1;

impl<L: Hyperelastic> Triangle<L> {
    /// A triangle with vertices `rest` (m), counter-clockwise, of the given thickness (m).
    pub fn new(law: L, rest: [Vec2; 3], thickness: f64) -> Self {
        let (u, v) = (rest[1] - rest[0], rest[2] - rest[0]);
        let twice_area = cross(u, v);
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

    fn deformation(&self, x: &[Vec2; 3]) -> Mat2 {
        let [b, c] = self.b;
        Mat2::from_column_slice(&deformation(&corners(x), &[b.x, b.y, c.x, c.y]))
    }

    /// The blocks of vertices 1 and 2, negative eigenvalues left out.
    fn by_modes(&self, f: &Mat2) -> [Mat2; 3] {
        let [mut h11, mut h12, mut h22] = [Mat2::zeros(); 3];
        for (value, mode) in self.law.modes(f) {
            let weight = value.max(0.0) * self.volume;
            let (first, second) = (mode * self.b[0], mode * self.b[1]);
            h11 += outer(first * weight, first);
            h12 += outer(first * weight, second);
            h22 += outer(second * weight, second);
        }
        [h11, h12, h22]
    }

    /// The same in closed form.
    #[inline]
    fn by_tangent(&self, f: &Mat2, tangent: Tangent<f64>) -> [Mat2; 3] {
        let ([b, c], v) = (self.b, self.volume);
        let Blocks { h11, h12, h22 } = blocks(
            &[f.m11, f.m21, f.m12, f.m22],
            &[b.x, b.y, c.x, c.y],
            &tangent,
            v,
        );
        [
            symmetric(h11),
            Mat2::from_column_slice(&h12),
            symmetric(h22),
        ]
    }

    fn spread(&self, m: &Mat2) -> [Vec2; 3] {
        let (first, second) = (m * self.b[0], m * self.b[1]);
        [-first - second, first, second]
    }
}

/// The positions of a triangle's vertices.
fn corners(x: &[Vec2; 3]) -> [f64; 6] {
    let [a, b, c] = x;
    [a.x, a.y, b.x, b.y, c.x, c.y]
}

/// `F` column by column, from positions and the derivatives `b`.
#[inline(always)]
fn deformation<T: Real>(x: &[T; 6], b: &[T; 4]) -> [T; 4] {
    let (u, v) = ([x[2] - x[0], x[3] - x[1]], [x[4] - x[0], x[5] - x[1]]);
    [
        u[0] * b[0] + v[0] * b[2],
        u[1] * b[0] + v[1] * b[2],
        u[0] * b[1] + v[0] * b[3],
        u[1] * b[1] + v[1] * b[3],
    ]
}

/// `m v` of a matrix column by column.
#[inline(always)]
fn times<T: Real>(m: &[T; 4], v: [T; 2]) -> [T; 2] {
    [m[0] * v[0] + m[2] * v[1], m[1] * v[0] + m[3] * v[1]]
}

/// The Hessian's blocks of vertices 1 and 2, column by column, of symmetric ones the lower triangle.
struct Blocks<T> {
    h11: [T; 3],
    h12: [T; 4],
    h22: [T; 3],
}

/// With `dF = dx b^T` the cofactors `cof(dx b_j^T) b_i = (b_i x b_j) (dx_2, -dx_1)`.
#[inline(always)]
fn blocks<T: Real>(f: &[T; 4], b: &[T; 4], tangent: &Tangent<T>, volume: T) -> Blocks<T> {
    let (mode, norm) = twist(f);
    let c = [f[3], f[2] * -1.0, f[1] * -1.0, f[0]];
    let (b1, b2) = ([b[0], b[1]], [b[2], b[3]]);
    let (g1, g2, t1, t2) = (
        times(&c, b1),
        times(&c, b2),
        times(&mode, b1),
        times(&mode, b2),
    );
    let (identity, swap) = (
        tangent.identity * volume,
        tangent.cofactor * volume * (b1[0] * b2[1] - b1[1] * b2[0]),
    );
    let (of_volume, of_twist) = (tangent.volume * volume, tangent.twist * volume / norm);
    let (first, second) = (
        [of_volume * g1[0], of_volume * g1[1]],
        [of_volume * g2[0], of_volume * g2[1]],
    );
    let (third, fourth) = (
        [of_twist * t1[0], of_twist * t1[1]],
        [of_twist * t2[0], of_twist * t2[1]],
    );
    let (e11, e12, e22) = (
        identity * dot(b1, b1),
        identity * dot(b1, b2),
        identity * dot(b2, b2),
    );
    Blocks {
        h11: [
            e11 + first[0] * g1[0] + third[0] * t1[0],
            first[1] * g1[0] + third[1] * t1[0],
            e11 + first[1] * g1[1] + third[1] * t1[1],
        ],
        h12: [
            e12 + first[0] * g2[0] + third[0] * t2[0],
            first[1] * g2[0] + third[1] * t2[0] - swap,
            first[0] * g2[1] + third[0] * t2[1] + swap,
            e12 + first[1] * g2[1] + third[1] * t2[1],
        ],
        h22: [
            e22 + second[0] * g2[0] + fourth[0] * t2[0],
            second[1] * g2[0] + fourth[1] * t2[0],
            e22 + second[1] * g2[1] + fourth[1] * t2[1],
        ],
    }
}

#[inline(always)]
fn dot<T: Real>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[0] + a[1] * b[1]
}

fn symmetric([a, b, d]: [f64; 3]) -> Mat2 {
    Mat2::new(a, b, b, d)
}

/// The blocks of all vertices: those of vertex 0 follow from the others, since a translation of the triangle changes no force.
#[inline]
fn complete([h11, h12, h22]: [Mat2; 3]) -> [[Mat2; 3]; 3] {
    let h21 = h12.transpose();
    let (h10, h20) = (-h11 - h12, -h21 - h22);
    [
        [-h10 - h20, h10.transpose(), h20.transpose()],
        [h10, h11, h12],
        [h20, h21, h22],
    ]
}

impl<L: Hyperelastic> LocalEnergy<3> for Triangle<L> {
    const NAME: &'static str = "elastic";

    #[inline]
    fn value(&self, x: &[Vec2; 3]) -> f64 {
        self.volume * self.law.energy_density(&self.deformation(x))
    }

    #[inline]
    fn gradient(&self, x: &[Vec2; 3]) -> [Vec2; 3] {
        self.spread(&(self.law.stress(&self.deformation(x)) * self.volume))
    }

    #[inline]
    fn hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        let f = self.deformation(x);
        let tangent = self.law.tangent(&f);
        complete(tangent.map_or_else(|| self.by_modes(&f), |tangent| self.by_tangent(&f, tangent)))
    }

    fn values(batch: Batch<Self, 3>, out: &mut [f64]) {
        side_by_side::values(batch, out);
    }

    fn gradients(batch: Batch<Self, 3>, out: &mut [[Vec2; 3]]) {
        side_by_side::gradients(batch, out);
    }

    fn hessians(batch: Batch<Self, 3>, scale: f64, blocks: &mut [Mat2]) {
        Arch::new().dispatch(Hessians {
            batch,
            scale,
            blocks,
        });
    }

    fn max_steps(batch: Batch<Self, 3>, p: &[Vec2], out: &mut [f64]) {
        Arch::new().dispatch(Steps { batch, p, out });
    }

    fn admit(batch: Batch<Self, 3>) -> bool {
        Arch::new().dispatch(Admit { batch })
    }

    /// `P F^T / J`.
    fn cauchy_stress(&self, x: &[Vec2; 3]) -> Option<Mat2> {
        let f = self.deformation(x);
        Some(self.law.stress(&f) * f.transpose() / f.determinant())
    }

    fn max_step(&self, x: &[Vec2; 3], p: &[Vec2; 3]) -> f64 {
        area_step(x, p)
    }

    /// Whether the triangle is not inverted, exactly.
    #[inline]
    fn admits(&self, [a, b, c]: &[Vec2; 3]) -> bool {
        orientation(*a, *b, *c) == Ordering::Greater
    }
}

/// What is left of the area that a step may use up, twice that, if all of it were lost that the motion may cost.
#[inline(always)]
fn spare_area<T: Real>(x: &[T; 6], p: &[T; 6]) -> T {
    let ([u, v], [du, dv]) = (sides(x), sides(p));
    (cross_of(u, v)) * (1.0 - AREA_KEPT)
        - size(cross_of(u, dv) + cross_of(du, v))
        - size(cross_of(du, dv))
}

#[inline(always)]
fn sides<T: Real>(x: &[T; 6]) -> [[T; 2]; 2] {
    [[x[2] - x[0], x[3] - x[1]], [x[4] - x[0], x[5] - x[1]]]
}

#[inline(always)]
fn cross_of<T: Real>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[1] - a[1] * b[0]
}

#[inline(always)]
fn size<T: Real>(a: T) -> T {
    a.if_below(0.0, a * -1.0, a)
}

/// The largest fraction of the motion `p` after which a triangle at `x` still has [`AREA_KEPT`] of its signed area, and
/// has had it all the way.
fn area_step(x: &[Vec2; 3], p: &[Vec2; 3]) -> f64 {
    let (u, v) = (x[1] - x[0], x[2] - x[0]);
    let (du, dv) = (p[1] - p[0], p[2] - p[0]);
    let area = cross(u, v);
    let slope = cross(u, dv) + cross(du, v);
    let curve = cross(du, dv);
    let spare = (1.0 - AREA_KEPT) * area;
    first_positive_root(curve, slope, spare, 1.0).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::testing;
    use crate::material::{Lame, LawVisitor, MassSpring, NeoHookean, Plane, SceneLaw, solids};
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

    fn positions() -> impl Strategy<Value = [Vec2; 3]> {
        prop::array::uniform6(-0.2_f64..0.2)
            .prop_map(|e| std::array::from_fn(|i| REST[i] + Vec2::new(e[2 * i], e[2 * i + 1])))
            .prop_filter("not collapsed", |x: &[Vec2; 3]| {
                cross(x[1] - x[0], x[2] - x[0]) > 0.02
            })
    }

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

    struct Check([Vec2; 3]);

    impl LawVisitor for Check {
        type Output = ();

        fn solid<L: SceneLaw>(self, _rank: usize, given: &L::Given) {
            check(L::new(given, Plane::Strain), self.0, L::NAME == "linear");
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
