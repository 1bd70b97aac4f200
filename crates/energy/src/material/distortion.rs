//! Deformations that a material has without stress: of heat, and of plastic flow.
//!
//! The deformation gradient is a product `F = F_e G` (Kroener 1960, Lee 1969; for heat Stojanovic,
//! Djuric, Vujosevic 1964). `G` is the distortion: the shape that a small piece of the material
//! would take if it were cut out. The law sees only the elastic part `F_e = F G^-1`.
//!
//! A distortion therefore needs no further energy: an element is distorted as if its shape at rest
//! were another one, `G` times the first. A law must only treat the direction across the plane. In
//! plane strain the thickness stays, so that a material which would change it by the factor `G_33`
//! has the elastic stretch `1 / G_33` across ([`Distortable`]).

use super::{Hyperelastic, SpaceModes};
use ipcsim_math::Mat2;
use serde::{Deserialize, Serialize};

/// Distortion `G` of a material: its deformation where it has no stress.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distortion {
    /// Part in the plane (1).
    pub plane: Mat2,
    /// Stretch across the plane (1).
    pub across: f64,
    /// Equivalent plastic strain by which the material has hardened (1).
    pub hardened: f64,
}

impl Distortion {
    /// Distortion of a material that stretches by the same factor in all directions, as by heat:
    /// `G = (1 + alpha T) I`.
    pub fn even(stretch: f64) -> Self {
        Self {
            plane: Mat2::identity() * stretch,
            across: stretch,
            hardened: 0.0,
        }
    }

    /// The distortion of a material that also stretches by the same factor in all directions.
    #[must_use]
    pub fn grown(self, stretch: f64) -> Self {
        Self {
            plane: self.plane * stretch,
            across: self.across * stretch,
            ..self
        }
    }

    /// Ratio of volumes without stress, `det G` in space (1).
    pub fn volume(&self) -> f64 {
        self.plane.determinant() * self.across
    }
}

/// Plastic flow of a point of a material: its shape without stress, which it keeps.
///
/// Flow changes no volume, so that the stretch across the plane is `1 / det F_p`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// Plastic deformation `F_p` in the plane (1).
    pub plane: Mat2,
    /// Equivalent plastic strain (1): the sum of `sqrt(2/3) |d e_p|` over all steps.
    pub hardened: f64,
}

impl Default for Flow {
    /// No flow.
    fn default() -> Self {
        Self {
            plane: Mat2::identity(),
            hardened: 0.0,
        }
    }
}

impl Flow {
    /// Numbers of a flow: `F_p` column by column, and the equivalent plastic strain.
    pub const NUMBERS: usize = 5;

    /// Distortion of a material that has flowed.
    pub fn distortion(&self) -> Distortion {
        Distortion {
            plane: self.plane,
            across: self.plane.determinant().recip(),
            hardened: self.hardened,
        }
    }

    /// This flow and then the flow of a step.
    #[must_use]
    pub fn followed_by(&self, step: &Self) -> Self {
        Self {
            plane: step.plane * self.plane,
            hardened: self.hardened + step.hardened,
        }
    }

    /// The numbers, in a fixed order.
    pub fn numbers(&self) -> [f64; Self::NUMBERS] {
        let p = &self.plane;
        [p.m11, p.m21, p.m12, p.m22, self.hardened]
    }

    /// Adds to one of the numbers.
    pub(crate) fn shift(&mut self, number: usize, by: f64) {
        let mut numbers = self.numbers();
        numbers[number] += by;
        let [a, b, c, d, hardened] = numbers;
        *self = Self {
            plane: Mat2::new(a, c, b, d),
            hardened,
        };
    }

    /// The flow of these numbers; `None` unless they can be of one: finite, with a positive volume and
    /// no negative strain.
    pub fn of_numbers([a, b, c, d, hardened]: [f64; Self::NUMBERS]) -> Option<Self> {
        let plane = Mat2::new(a, c, b, d);
        let volume = plane.determinant();
        let is_possible = volume > 0.0 && volume.is_finite() && hardened >= 0.0;
        let flow = Self { plane, hardened };
        (is_possible && flow.numbers().iter().all(|x| x.is_finite())).then_some(flow)
    }
}

/// Law that takes account of a change in the thickness of its material, and of its plastic flow.
pub trait Distortable: Hyperelastic {
    /// True if the material may flow, so that a state has a [`Flow`] of each of its points; false by default.
    fn flows(&self) -> bool {
        false
    }

    /// The law of the elastic part `F_e` of a deformation, where the material has a distortion: in
    /// plane strain with the elastic stretch `1 / G_33` across, in plane stress as it is, since the
    /// thickness follows.
    #[must_use]
    fn distorted(self, distortion: &Distortion) -> Self;

    /// The law of a material whose elastic stretch across the plane is `1 + growth`, as in a body of
    /// revolution, where it is the stretch around the axis.
    #[must_use]
    fn stretched_across(self, growth: f64) -> Self;

    /// Eigenpairs of the second derivative of the energy by `F` and the stretch across, in any order.
    fn space_modes(&self, f: &Mat2) -> SpaceModes;

    /// Flow of a step that ends with the elastic part `F_e` of the deformation, as it would be without
    /// flow; `None` if the material does not flow there, the default.
    fn flow(&self, _f: &Mat2) -> Option<Flow> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{LawVisitor, MassSpring, SceneLaw, solids};

    /// Compares a law of distorted materials with the law of others, and with its derivatives.
    struct Compare;

    impl LawVisitor for Compare {
        type Output = ();

        fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
            let f = Mat2::new(1.1, 0.07, -0.04, 0.95);
            let thick = L::plane_strain(given);
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

                // Stress is force per area, which has the present thickness as a side.
                let thickness = at(stretch).thickness(&f);
                assert!((thickness - stretch).abs() < 1e-15, "{}", L::NAME);
            }

            // A material that has grown by g in all directions is without stress at F = g I, and has
            // no thickness to keep in plane stress.
            let rest = Mat2::identity();
            assert!(at(1.0).stress(&rest).norm() < 1e-13);
            let thin = L::plane_stress(given);
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
            hardened: 0.0,
        };
        assert_eq!(distortion.volume(), 2.75);
    }

    #[test]
    fn flows_follow_each_other_without_a_change_of_volume_and_are_their_numbers() {
        let stretch = Flow {
            plane: Mat2::new(1.25, 0.0, 0.0, 0.8),
            hardened: 0.2,
        };
        let shear = Flow {
            plane: Mat2::new(1.0, 0.5, 0.0, 1.0),
            hardened: 0.3,
        };
        let both = stretch.followed_by(&shear);
        assert_eq!(both.plane, Mat2::new(1.25, 0.4, 0.0, 0.8));
        assert_eq!(both.hardened, 0.5);
        assert!((both.distortion().volume() - 1.0).abs() < 1e-15);
        assert_eq!(Flow::of_numbers(both.numbers()), Some(both));

        // Numbers that are not a flow.
        for wrong in [
            [1.0, 0.0, 0.0, -1.0, 0.0],
            [1.0, 0.0, 0.0, 1.0, -0.1],
            [f64::NAN, 0.0, 0.0, 1.0, 0.0],
            [1.0, 0.0, 0.0, 1.0, f64::INFINITY],
        ] {
            assert_eq!(Flow::of_numbers(wrong), None);
        }
    }
}
