//! Resistance of a triangle against the rate of its strain: Rayleigh's stiffness part, viscosity.

use super::{Before, NAME};
use crate::{Batched, LocalEnergy};
use ipcsim_math::definite::symmetric_eigen2;
use ipcsim_math::{Mat2, Vec2, cross, outer};
use ipcsim_mesh::Point;
use nalgebra::{Matrix3, Matrix3x2, Vector3};

/// A part of a body with a viscosity, the same in all steps: a triangle, or a point of a quadratic
/// one, with `N` vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dashpot<const N: usize> {
    /// Rest area times thickness (m^3).
    volume: f64,
    /// Derivatives of the deformation gradient `F` with respect to each vertex (1/m).
    b: [Vec2; N],
    /// Viscous stresses `S_xx, S_yy, S_xy` (Pa s) by rates of the strains `E_xx, E_yy, 2 E_xy`.
    viscosity: Matrix3<f64>,
}

impl Dashpot<3> {
    /// Triangle with vertices `rest` (m), counter-clockwise, a thickness (m) and a viscosity (Pa s).
    pub fn new(rest: [Vec2; 3], thickness: f64, viscosity: Matrix3<f64>) -> Self {
        let u = rest[1] - rest[0];
        let v = rest[2] - rest[0];
        let twice_area = cross(u, v);
        let first = Vec2::new(v.y, -v.x) / twice_area;
        let second = Vec2::new(-u.y, u.x) / twice_area;
        Self {
            volume: 0.5 * twice_area * thickness,
            b: [-first - second, first, second],
            viscosity,
        }
    }
}

impl Dashpot<6> {
    /// Point of a quadratic triangle, with a thickness (m) and a viscosity (Pa s).
    pub fn at(point: &Point, thickness: f64, viscosity: Matrix3<f64>) -> Self {
        Self {
            volume: point.area * thickness,
            b: point.b,
            viscosity,
        }
    }
}

impl<const N: usize> Dashpot<N> {
    /// Derivatives of the Green strains `E_xx, E_yy, 2 E_xy` at positions `x` (m) by each vertex (1/m),
    /// `[strains][vertices]`.
    pub fn strains_by(&self, x: &[Vec2; N]) -> [[Vec2; N]; 3] {
        let f = self.gradient_of(x);
        let [u, v] = [f.column(0), f.column(1)].map(|column| Vec2::new(column.x, column.y));
        [
            self.b.map(|b| u * b.x),
            self.b.map(|b| v * b.y),
            self.b.map(|b| u * b.y + v * b.x),
        ]
    }

    /// Linear map `F = sum_i x_i b_i^T` of positions (m) or of velocities (m/s).
    fn gradient_of(&self, x: &[Vec2; N]) -> Mat2 {
        let parts = x.iter().zip(&self.b);
        parts.map(|(x, b)| outer(*x, *b)).sum()
    }
}

/// Green strains `E_xx, E_yy, 2 E_xy` of a deformation gradient.
fn strain(f: &Mat2) -> Vector3<f64> {
    rate(f, f) * 0.5 - Vector3::new(0.5, 0.5, 0.0)
}

/// Change of the strains at `f` by a change of the deformation gradient, `sym(F^T dF)`.
fn rate(f: &Mat2, change: &Mat2) -> Vector3<f64> {
    let m = f.transpose() * change;
    Vector3::new(m.m11, m.m22, m.m12 + m.m21)
}

/// Energy of a triangle that resists the rate of its Green strain within a stage.
///
/// With `E` the strain at the end, `E_ref` the same sum of strains before as `x_ref` is of
/// positions, the volume `A t` and the viscosity `V`, the energy (J) is
///
/// `A t / (2 beta) (E - E_ref) : V : (E - E_ref)`.
///
/// Its derivative is the force of the viscous stress `S = V : E'` with `E' = (E - E_ref) / beta`. A
/// rotation changes no strain and is not resisted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viscous<const N: usize> {
    /// The triangle, or a point of a quadratic one.
    dashpot: Dashpot<N>,
    /// Strain `E_ref` from which its rate counts (1).
    reference: Vector3<f64>,
    /// Time `beta` of the stage (s).
    beta: f64,
}

impl<const N: usize> Viscous<N> {
    /// Energy of a triangle with the vertices of `stencil` in a stage with a time `beta` (s), after
    /// the history `before`.
    pub(super) fn new(
        dashpot: Dashpot<N>,
        stencil: [usize; N],
        before: &Before,
        beta: f64,
    ) -> Self {
        let mut reference = Vector3::zeros();
        for (weight, x) in before.states {
            let f = dashpot.gradient_of(&stencil.map(|i| x[i]));
            reference += strain(&f) * *weight;
        }

        // Strains move on at the rate that they have at the first state.
        if let (Some((v, time)), Some((_, x))) = (before.moving, before.states.first()) {
            let f = dashpot.gradient_of(&stencil.map(|i| x[i]));
            let change = dashpot.gradient_of(&stencil.map(|i| v[i]));
            reference += rate(&f, &change) * time;
        }
        Self {
            dashpot,
            reference,
            beta,
        }
    }

    /// Deformation gradient, and the viscous stress `S` (Pa) as a matrix.
    fn at(&self, x: &[Vec2; N]) -> (Mat2, Mat2) {
        let f = self.dashpot.gradient_of(x);
        let rate = (strain(&f) - self.reference) / self.beta;
        let s = self.dashpot.viscosity * rate;
        (f, Mat2::new(s.x, s.z, s.z, s.y))
    }

    /// The triangle, or a point of a quadratic one, with its viscosity.
    pub fn dashpot(&self) -> &Dashpot<N> {
        &self.dashpot
    }

    /// Derivatives of the forces at the end `x` (m) by each of the strains from which rates count (N),
    /// `[strains][vertices]`: `-A t / beta B_i^T V`.
    pub fn forces_by_reference(&self, x: &[Vec2; N]) -> [[Vec2; N]; 3] {
        let by = self.dashpot.strains_by(x);
        let scale = -self.dashpot.volume / self.beta;
        std::array::from_fn(|strain| {
            std::array::from_fn(|vertex| {
                let parts = by.iter().enumerate();
                let viscosity = &self.dashpot.viscosity;
                let sum: Vec2 = parts
                    .map(|(k, by)| by[vertex] * viscosity[(k, strain)])
                    .sum();
                sum * scale
            })
        })
    }

    /// Blocks `A t ((b_i . S b_j) I + B_i^T V B_j / beta)` (N/m), where `B_i` gives the change of the
    /// strains by a motion of vertex `i`.
    fn second_derivative(&self, f: &Mat2, stress: &Mat2) -> [[Mat2; N]; N] {
        let Dashpot {
            volume,
            b,
            viscosity,
        } = self.dashpot;

        let [u, v] = [f.column(0), f.column(1)].map(|column| column.transpose());
        let strained = b.map(|b| Matrix3x2::from_rows(&[u * b.x, v * b.y, u * b.y + v * b.x]));
        let scaled = viscosity / self.beta;

        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let geometric = Mat2::identity() * b[i].dot(&(stress * b[j]));
                (geometric + strained[i].transpose() * scaled * strained[j]) * volume
            })
        })
    }
}

impl<const N: usize> LocalEnergy<N> for Viscous<N> {
    const NAME: &'static str = NAME;

    /// `A t beta / 2 E' : V : E'` (J), never negative.
    fn value(&self, x: &[Vec2; N]) -> f64 {
        let change = strain(&self.dashpot.gradient_of(x)) - self.reference;
        let stress = self.dashpot.viscosity * change;
        0.5 * self.dashpot.volume / self.beta * change.dot(&stress)
    }

    /// `A t F S b_i` for each vertex (N).
    fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N] {
        let (f, stress) = self.at(x);
        let nominal = f * stress * self.dashpot.volume;
        self.dashpot.b.map(|b| nominal * b)
    }

    /// Hessian (N/m) in which negative eigenvalues of the viscous stress count as 0, which makes it
    /// positive semi-definite.
    fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        let (f, stress) = self.at(x);
        let pairs = symmetric_eigen2(stress.m11, stress.m12, stress.m22);
        let tension: Mat2 = pairs
            .iter()
            .map(|&(value, axis)| outer(axis, axis) * value.max(0.0))
            .sum();
        self.second_derivative(&f, &tension)
    }

    /// Hessian (N/m) without projection.
    fn exact_hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        let (f, stress) = self.at(x);
        self.second_derivative(&f, &stress)
    }
}

impl<const N: usize> Batched<N> for Viscous<N> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    const REST: [Vec2; 3] = [
        Vec2::new(0.1, 0.0),
        Vec2::new(0.4, 0.1),
        Vec2::new(0.2, 0.35),
    ];

    /// A viscosity of 2 and 1 Pa s against shear and volume in plane strain.
    fn dashpot() -> Dashpot<3> {
        let l = 1.0 - 4.0 / 3.0;
        let viscosity = Matrix3::new(l + 4.0, l, 0.0, l, l + 4.0, 0.0, 0.0, 0.0, 2.0);
        Dashpot::new(REST, 0.5, viscosity)
    }

    /// Energy in a stage of implicit Euler that began at `x`.
    fn after(x: &[Vec2], beta: f64) -> Viscous<3> {
        let before = Before {
            states: &[(1.0, x)],
            moving: None,
        };
        Viscous::new(dashpot(), [0, 1, 2], &before, beta)
    }

    /// Positions moved by a list of numbers (m).
    fn moved(e: [f64; 6]) -> [Vec2; 3] {
        std::array::from_fn(|i| REST[i] + Vec2::new(e[2 * i], e[2 * i + 1]))
    }

    proptest! {
        #[test]
        fn derivatives_match_finite_differences(
            e in prop::array::uniform6(-0.1_f64..0.1), d in prop::array::uniform6(-0.1_f64..0.1)
        ) {
            let viscous = after(&moved(d), 0.1);
            let x = moved(e);
            let (_, stress) = viscous.at(&x);
            let clamped = symmetric_eigen2(stress.m11, stress.m12, stress.m22)[1].0 < 0.0;
            testing::check(&viscous, x, 1e-6, clamped);
            prop_assert!(testing::torque(&viscous, x).abs() < 1e-10);
        }
    }

    #[test]
    fn a_rotation_is_not_resisted_and_a_stretch_has_the_stress_of_its_rate() {
        // A turn by 1 rad within one step.
        let turn = nalgebra::Rotation2::new(1.0);
        let viscous = after(&REST, 0.1);
        let turned = REST.map(|x| turn * x);
        assert!(viscous.value(&turned) < 1e-28);

        // Stretches 1 and s along x, at E' = ((s^2 - 1)/2) / beta: P_xx = s (l + 2 n) E'.
        let s = 1.2;
        let stretched = REST.map(|x| Vec2::new(s * x.x, x.y));
        let rate = 0.5 * (s * s - 1.0) / 0.1;
        let expected = s * (1.0 - 4.0 / 3.0 + 4.0) * rate;
        let force = viscous.gradient(&stretched)[1].x;
        let volume = 0.25 * cross(REST[1] - REST[0], REST[2] - REST[0]);
        let b = viscous.dashpot.b[1].x;
        assert!((force / (expected * volume * b) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn a_quadratic_triangle_that_strains_evenly_is_resisted_as_a_linear_one() {
        let [a, b, c] = REST;
        let rest = [a, b, c, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0];
        let x = rest.map(|x| Vec2::new(1.1 * x.x + 0.05 * x.y, 0.9 * x.y));
        let before = |states| Before {
            states,
            moving: None,
        };
        let start = [(1.0, &rest[..])];
        let stencil = [0, 1, 2, 3, 4, 5];
        let mut energy = 0.0;
        for point in Point::of_gauss(&rest) {
            let own = Dashpot::at(&point, 0.5, dashpot().viscosity);
            let viscous = Viscous::new(own, stencil, &before(&start), 0.1);
            energy += viscous.value(&x);
            testing::check(&viscous, x, 1e-6, true);
        }
        let [a, b, c, ..] = x;
        let whole = after(&REST, 0.1).value(&[a, b, c]);
        assert!((energy / whole - 1.0).abs() < 1e-12);
    }

    #[test]
    fn at_the_start_of_a_trapezoid_the_force_is_that_of_its_rate_reversed() {
        let velocity = [
            Vec2::new(0.3, -0.1),
            Vec2::new(0.2, 0.4),
            Vec2::new(-0.5, 0.1),
        ];
        let x = moved([0.02, -0.03, 0.01, 0.04, -0.02, 0.01]);
        let before = Before {
            states: &[(1.0, &x)],
            moving: Some((&velocity, 0.05)),
        };
        let stage = Viscous::new(dashpot(), [0, 1, 2], &before, 0.05);

        // The force by the rate sym(F^T F') itself.
        let f = dashpot().gradient_of(&x);
        let s = dashpot().viscosity * rate(&f, &dashpot().gradient_of(&velocity));
        let nominal = f * Mat2::new(s.x, s.z, s.z, s.y) * dashpot().volume;
        for (found, b) in stage.gradient(&x).iter().zip(dashpot().b) {
            assert!((found + nominal * b).norm() < 1e-12);
        }
    }
}
