//! Energies of a change of volume, and laws that are a sum of one of them and a rest.
//!
//! Where a material is nearly incompressible its elements lock: each point of the energy asks for
//! its own volume, and a mesh has more points than it can satisfy. The cure is to ask only for the
//! volume of groups of points (Nagtegaal, Parks and Rice 1974). It needs a law whose stiff part is
//! a function of `J` and of nothing else: the [`Split`] of a law.

use ipcsim_math::elementary::ln_1p;

/// Energy density of a change of volume `U(J)` (Pa), 0 at `J = 1`.
///
/// The parameter of each form is a modulus (Pa), the second derivative of `U` at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Volumetric {
    /// `lambda/2 ln^2 J`, of the neo-Hookean law.
    Logarithm(f64),
    /// `l/2 (J - 1)^2`, of laws that stay finite at `J = 0`.
    Square(f64),
    /// `K/4 (J^2 - 1 - 2 ln J)`, of Mooney-Rivlin and Yeoh (Simo and Taylor 1982).
    Convex(f64),
}

impl Volumetric {
    /// Energy density (Pa) at a ratio of volumes `j`; infinite where that is not positive.
    #[inline]
    pub fn value(&self, j: f64) -> f64 {
        if j <= 0.0 || j.is_nan() {
            return f64::INFINITY;
        }
        let grown = j - 1.0;
        match *self {
            Self::Logarithm(lambda) => {
                let log = ln_1p(grown);
                0.5 * lambda * log * log
            }
            Self::Square(l) => 0.5 * l * grown * grown,
            Self::Convex(bulk) => 0.25 * bulk * (grown * (grown + 2.0) - 2.0 * ln_1p(grown)),
        }
    }

    /// First and second derivative in `J` (Pa), for a positive `j`: the mean stress, and how it grows.
    #[inline]
    pub fn slopes(&self, j: f64) -> [f64; 2] {
        let grown = j - 1.0;
        match *self {
            Self::Logarithm(lambda) => {
                let log = ln_1p(grown);
                [lambda * log / j, lambda * (1.0 - log) / (j * j)]
            }
            Self::Square(l) => [l * grown, l],
            Self::Convex(bulk) => [
                0.5 * bulk * grown * (grown + 2.0) / j,
                0.5 * bulk * (1.0 + 1.0 / (j * j)),
            ],
        }
    }
}

/// A law in plane strain as a sum `psi(F) = psi_s(F) + U(J)`.
///
/// The first part has the stiffness of shear, in every mode. It keeps the barrier against the
/// collapse of a triangle, a pole at `J = 0` or a brace below `J = 0.2`, so that every point has
/// `J > 0` by its energy, and no barrier has to be added. At rest both parts are without stress.
#[derive(Clone, Copy, Debug)]
pub struct Split<S> {
    /// The law without `U`.
    pub shear: S,
    /// Energy `U` of the change of volume.
    pub volume: Volumetric,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{
        Hyperelastic, Law, LawVisitor, MassSpring, SPLIT_LAWS, SceneLaw, solids,
    };
    use ipcsim_math::Mat2;

    #[test]
    fn slopes_are_those_of_the_value_and_begin_with_the_modulus() {
        for volume in [
            Volumetric::Logarithm(7.0),
            Volumetric::Square(7.0),
            Volumetric::Convex(7.0),
        ] {
            for j in [0.05, 0.3, 0.9, 1.0, 1.2, 2.5] {
                let step = 1e-6 * j;
                let [slope, curvature] = volume.slopes(j);
                let rise = volume.value(j + step) - volume.value(j - step);
                let bend = volume.slopes(j + step)[0] - volume.slopes(j - step)[0];
                let scale = 1e-7 * (7.0 + slope.abs());
                assert!(
                    (rise / (2.0 * step) - slope).abs() < scale,
                    "{volume:?} {j}"
                );
                assert!((bend / (2.0 * step) - curvature).abs() < 1e-7 * curvature.abs() + scale);
            }
            assert_eq!(volume.slopes(1.0), [0.0, 7.0]);
            assert!(volume.value(1.0) == 0.0 && volume.value(0.0).is_infinite());
            assert!(volume.value(f64::NAN).is_infinite());
        }
    }

    /// Compares a law with the sum of its parts, and lists the laws that have parts.
    struct Compare;

    impl LawVisitor for Compare {
        type Output = Option<&'static str>;

        fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> Self::Output {
            let Split { shear, volume } = L::split(given)?;
            let whole = L::plane_strain(given);
            for j in [0.1_f64, 0.6, 1.0, 1.7] {
                let f = Mat2::new(1.1, 0.2, -0.1, 0.9);
                let f = f * (j / f.determinant()).sqrt();
                let sum = shear.energy_density(&f) + volume.value(j);
                let error = sum / whole.energy_density(&f) - 1.0;
                assert!(error.abs() < 1e-12, "{}: {error}", L::NAME);
                let [slope, _] = volume.slopes(j);
                let across = shear.stress_across(&f) + slope * j - whole.stress_across(&f);
                assert!(across.abs() < 1e-12, "{}: {across}", L::NAME);
            }

            // Without the volume all modes at rest have at most the stiffness of shear, 6 Pa, or for
            // factors of other laws 2 (c10 + c01) or 2 c1 twice.
            let modes = shear.modes(&Mat2::identity());
            assert!(modes.iter().all(|mode| mode.0 < 6.1), "{}", L::NAME);

            // The rest grows without bound as the area vanishes, along any path.
            for f in [
                Mat2::new(1e-5, 0.0, 0.0, 1e-5),
                Mat2::new(1.0, 0.0, 0.0, 1e-10),
            ] {
                assert!(-shear.stress(&f).m22 > 20.0, "{}", L::NAME);
            }
            Some(L::NAME)
        }

        fn springs(self, _rank: usize, _given: &MassSpring) -> Self::Output {
            None
        }
    }

    #[test]
    fn a_law_is_the_sum_of_its_parts_and_both_keep_every_point_upright() {
        let split: Vec<_> = solids()
            .iter()
            .filter_map(|law| law.visit(Compare))
            .collect();
        assert_eq!(split.join(", ").replace(", yeoh", " or yeoh"), SPLIT_LAWS);
        assert!(Law::linear(1.0, 0.3).visit(Compare).is_none());
    }
}
