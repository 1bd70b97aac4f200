//! Stretch of one segment of a rod.

use crate::tuning::{CRUSHED_STRETCH, LENGTH_KEPT};
use crate::{Batched, LocalEnergy};
use ipcsim_math::roots::first_positive_root;
use ipcsim_math::{Mat2, Vec2, outer};

/// Energy of the stretch of a segment of a rod between two vertices.
///
/// The energy (J) is `EA L psi(l / L)` with the stretch `s = l / L` and
///
/// `psi(s) = (s - 1)^2 / 2 + max(0, 1/2 - s)^3 / s`
///
/// - `EA`: [`stiffness`](Self::stiffness) (N);
/// - `L`: [`length`](Self::length) at rest (m);
/// - `l`: distance of the vertices (m).
///
/// The axial force is `EA (s - 1)` exactly while `s` is above 1/2. The second term, of the form of
/// the barrier of contact, has a pole at `s = 0`: without it a rod that is pressed harder than `EA`
/// would turn its segments inside out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Axial stiffness `EA` (N), positive.
    pub stiffness: f64,
    /// Length at rest `L` (m), positive.
    pub length: f64,
}

impl Stretch {
    /// `psi` and its first two derivatives at the stretch `s` (1).
    fn law(s: f64) -> [f64; 3] {
        let linear = [0.5 * (s - 1.0) * (s - 1.0), s - 1.0, 1.0];
        let u = CRUSHED_STRETCH - s;
        if u <= 0.0 {
            return linear;
        }
        let w = u / s;
        [
            linear[0] + u * u * w,
            linear[1] - w * w * (3.0 * s + u),
            linear[2] + 6.0 * w + 6.0 * w * w + 2.0 * w * w * w,
        ]
    }

    /// Unit tangent from the first vertex to the second, and the length (m).
    fn frame(x: &[Vec2; 2]) -> (Vec2, f64) {
        let way = x[1] - x[0];
        let length = way.norm();
        (way / length, length)
    }

    /// Axial force at the positions `x` (N), positive in tension.
    pub fn tension(&self, x: &[Vec2; 2]) -> f64 {
        let (_, length) = Self::frame(x);
        self.stiffness * Self::law(length / self.length)[1]
    }

    /// Hessian (N/m) whose eigenvalue across the segment, `N / l`, is raised to `least`.
    fn second_derivative(&self, x: &[Vec2; 2], least: f64) -> [[Mat2; 2]; 2] {
        let (tangent, length) = Self::frame(x);
        let [_, first, second] = Self::law(length / self.length);
        let along = self.stiffness * second / self.length;
        let across = (self.stiffness * first / length).max(least);
        let h = Mat2::identity() * across + outer(tangent, tangent) * (along - across);
        [[h, -h], [-h, h]]
    }
}

impl LocalEnergy<2> for Stretch {
    const NAME: &'static str = "stretch";

    /// Energy `EA L psi` (J), infinite for a segment without length.
    fn value(&self, x: &[Vec2; 2]) -> f64 {
        let stretch = (x[1] - x[0]).norm() / self.length;
        if stretch > 0.0 {
            self.stiffness * self.length * Self::law(stretch)[0]
        } else {
            f64::INFINITY
        }
    }

    /// `-N t` and `N t`, for the axial force `N` (N) and the unit tangent `t`.
    fn gradient(&self, x: &[Vec2; 2]) -> [Vec2; 2] {
        let (tangent, _) = Self::frame(x);
        let force = tangent * self.tension(x);
        [-force, force]
    }

    /// Projected Hessian (N/m): a segment in compression does not resist turns.
    fn hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        self.second_derivative(x, 0.0)
    }

    /// Hessian (N/m) without projection.
    fn exact_hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        self.second_derivative(x, f64::NEG_INFINITY)
    }

    /// Fraction of the motion on which the segment keeps the share `LENGTH_KEPT` of its length:
    /// up to the first root of `|d + t p|^2 - (0.1 |d|)^2`.
    fn max_step(&self, x: &[Vec2; 2], p: &[Vec2; 2]) -> f64 {
        let way = x[1] - x[0];
        let motion = p[1] - p[0];
        let kept = (1.0 - LENGTH_KEPT * LENGTH_KEPT) * way.norm_squared();
        let closing = 2.0 * way.dot(&motion);
        first_positive_root(motion.norm_squared(), closing, kept, 1.0).unwrap_or(1.0)
    }

    /// True if the segment has a length.
    fn admits(&self, x: &[Vec2; 2]) -> bool {
        let square = (x[1] - x[0]).norm_squared();
        square > 0.0 && square.is_finite()
    }
}

impl Batched<2> for Stretch {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    const ROD: Stretch = Stretch {
        stiffness: 70.0,
        length: 0.4,
    };

    proptest! {
        #[test]
        fn derivatives_match_finite_differences(
            turn in 0.0..6.3_f64, stretch in 0.2..2.0_f64, at in -1.0..1.0_f64,
        ) {
            let tangent = Vec2::new(turn.cos(), turn.sin());
            let x = [Vec2::new(at, 0.3), Vec2::new(at, 0.3) + tangent * (ROD.length * stretch)];
            testing::check(&ROD, x, 1e-6, stretch < 1.0);
            prop_assert!(testing::torque(&ROD, x).abs() < 1e-9);
        }
    }

    #[test]
    fn the_force_is_linear_above_half_the_length_and_has_a_pole_at_none() {
        for stretch in [0.51, 0.9, 1.0, 1.3, 4.0] {
            let x = [Vec2::zeros(), Vec2::new(0.0, 0.4 * stretch)];
            let expected = 70.0 * (stretch - 1.0);
            assert!((ROD.tension(&x) - expected).abs() < 1e-12);
        }
        let crushed = ROD.tension(&[Vec2::zeros(), Vec2::new(0.4e-6, 0.0)]);
        assert!(crushed < -70.0 * 1e11, "{crushed}");
        assert_eq!(ROD.value(&[Vec2::zeros(); 2]), f64::INFINITY);
    }

    #[test]
    fn a_step_keeps_a_tenth_of_the_length() {
        let x = [Vec2::zeros(), Vec2::new(0.4, 0.0)];
        let bound = ROD.max_step(&x, &[Vec2::zeros(), Vec2::new(-0.8, 0.0)]);
        assert!((bound - 0.45).abs() < 1e-14, "{bound}");
        assert_eq!(
            ROD.max_step(&x, &[Vec2::zeros(), Vec2::new(0.0, -9.0)]),
            1.0
        );
        assert!(ROD.admits(&x) && !ROD.admits(&[x[0]; 2]));
    }
}
