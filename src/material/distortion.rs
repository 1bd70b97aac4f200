//! Deformations that a material has without stress: of heat, and of plastic flow.
//!
//! The deformation gradient is a product `F = F_e G` (Kroener 1960, Lee 1969; for heat Stojanovic,
//! Djuric, Vujosevic 1964). `G` is the distortion: the shape that a small piece of the material would
//! take if it were cut out. The law answers to the elastic part `F_e = F G^-1` alone.
//!
//! A distortion therefore needs no energy of its own: an element is distorted as if its shape at rest
//! were another one, `G` times the first. What is left to a law is the direction across the plane. In
//! plane strain the thickness stays, so that a material which would change it by the factor `G_33`
//! has the elastic stretch `1 / G_33` across ([`Distortable`]).

use super::Hyperelastic;
use crate::math::Mat2;

/// Distortion `G` of a material: its deformation where it has no stress.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distortion {
    /// Part in the plane (1).
    pub plane: Mat2,
    /// Stretch across the plane (1).
    pub across: f64,
}

impl Distortion {
    /// Distortion of a material that stretches by the same factor in all directions, as by heat:
    /// `G = (1 + alpha T) I`.
    pub fn even(stretch: f64) -> Self {
        Self {
            plane: Mat2::identity() * stretch,
            across: stretch,
        }
    }

    /// Ratio of volumes without stress, `det G` in space (1).
    pub fn volume(&self) -> f64 {
        self.plane.determinant() * self.across
    }
}

/// Law that takes account of a change in the thickness of its material.
pub trait Distortable: Hyperelastic {
    /// The law of the elastic part `F_e` of a deformation, where the material has a distortion: in
    /// plane strain with the elastic stretch `1 / G_33` across, in plane stress as it is, since the
    /// thickness follows.
    #[must_use]
    fn distorted(self, distortion: &Distortion) -> Self;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{LawVisitor, MassSpring, SceneLaw, solids};

    /// Compares a law of distorted materials with that of others, and with its own derivatives.
    struct Compare;

    impl LawVisitor for Compare {
        type Output = ();

        fn solid<L: SceneLaw>(self, _rank: usize, given: &L::Given) {
            let f = Mat2::new(1.1, 0.07, -0.04, 0.95);
            let thick = L::thick(given);
            let plain = L::distortable(given).distorted(&Distortion::even(1.0));
            let error = (plain.energy_density(&f) - thick.energy_density(&f)).abs();
            assert!(error < 1e-13, "{}: {error}", L::NAME);
            assert!((plain.stress(&f) - thick.stress(&f)).norm() < 1e-12);
            assert!((plain.stress_across(&f) - thick.stress_across(&f)).abs() < 1e-12);

            // The stress across is the slope of the energy in the stretch across, which is 1 / g.
            let at =
                |stretch: f64| L::distortable(given).distorted(&Distortion::even(1.0 / stretch));
            let step = 1e-6;
            for stretch in [0.9, 1.0, 1.05] {
                let rise =
                    at(stretch + step).energy_density(&f) - at(stretch - step).energy_density(&f);
                let slope = rise / (2.0 * step);
                let own = at(stretch).stress_across(&f);
                assert!((slope - own).abs() < 1e-7, "{}: {slope} {own}", L::NAME);
            }

            // A material that has grown by g in all directions is without stress at F = g I, and has
            // no thickness to keep in plane stress.
            let rest = Mat2::identity();
            assert!(at(1.0).stress(&rest).norm() < 1e-13);
            let thin = L::thin(given);
            let same = thin.distorted(&Distortion::even(1.2));
            assert!(
                (same.stress(&f) - thin.stress(&f)).norm() < 1e-15,
                "{}",
                L::NAME
            );
        }

        fn springs(self, _rank: usize, _given: &MassSpring) {}
    }

    #[test]
    fn laws_of_distorted_materials_are_those_in_space() {
        for law in solids() {
            law.visit(Compare);
        }
    }

    #[test]
    fn a_distortion_has_the_volume_of_its_product() {
        let distortion = Distortion {
            plane: Mat2::new(2.0, 1.0, 0.5, 3.0),
            across: 0.5,
        };
        assert_eq!(distortion.volume(), 2.75);
    }
}
