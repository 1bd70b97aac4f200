//! Yeoh elasticity: filled rubber, which is soft at first and stiff at large stretches.
//!
//! A polynomial of the first invariant, with an energy of the volume that grows without bound as `J`
//! goes to zero, so that no triangle loses its area.

use super::elastic::{STABLE, fault};
use super::isotropic::{InPlane, Isotropic, Measures, Sheet, Slab, isochoric, volumetric};
use super::mooney_rivlin::young;
use super::{AnyLaw, Fault, LawParameters, SceneLaw, Split, Volumetric};
use ipcsim_keys::Keys;
use ipcsim_math::jet::Jet;
use serde::{Deserialize, Serialize};

/// Parameters of the Yeoh law. The shear modulus at rest is `2 c1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Powers {
    /// Factor of the first power (Pa).
    #[key(above = 0)]
    pub c1: f64,
    /// Factor of the square (Pa). It may be negative as long as its square is below `3 c1 c3`, so
    /// that the stress never falls.
    #[serde(default)]
    pub c2: f64,
    /// Factor of the cube (Pa), not negative.
    #[serde(default)]
    #[key(at_least = 0, must = STABLE)]
    pub c3: f64,
    /// Bulk modulus at rest (Pa): 10 to 100 times the shear modulus for rubber. Beyond that linear
    /// triangles lock.
    #[key(above = 0)]
    pub bulk: f64,
}

/// Energy density (Pa) `c1 a + c2 a^2 + c3 a^3 + K/4 (J^2 - 1 - 2 ln J)` with
/// `a = I_1 J^(-2/3) - 3` (Yeoh 1993; the volume by Simo and Taylor 1982).
#[derive(Clone, Copy, Debug)]
pub struct Yeoh(pub Powers);

impl SceneLaw for Yeoh {
    const NAME: &'static str = "yeoh";
    const BARRIER: bool = true;

    type LawParameters = Powers;
    type PlaneStrain = Slab<Self>;
    type Distorted = Slab<Self>;
    type PlaneStress = Sheet<Self>;
    type Compiled = AnyLaw;

    fn plane_strain(given: &Powers) -> Slab<Self> {
        InPlane::new(Self(*given))
    }

    fn distortable(given: &Powers) -> Slab<Self> {
        Self::plane_strain(given)
    }

    fn plane_stress(given: &Powers) -> Sheet<Self> {
        InPlane::new(Self(*given))
    }

    /// The energy of the bulk modulus and the rest, which has a pole at `J = 0` in plane strain: a
    /// body of constant thickness has infinite invariants without change of volume there.
    fn split(given: &Powers) -> Option<Split<Self::PlaneStrain>> {
        let shear = Self(Powers {
            bulk: 0.0,
            ..*given
        });
        Some(Split {
            shear: InPlane::new(shear),
            volume: Volumetric::Convex(given.bulk),
        })
    }

    fn split_in_space(given: &Powers) -> Option<Split<Self::Distorted>> {
        Self::split(given)
    }
}

impl Isotropic for Yeoh {
    fn energy(&self, at: &Measures) -> Jet {
        let Powers { c1, c2, c3, bulk } = self.0;
        let volume = at.volume();
        let log = volume.ln_1p();
        let stretched = isochoric(at.first(), log, -2.0 / 3.0);
        stretched * ((stretched * c3 + c2) * stretched + c1) + volumetric(bulk, volume, log)
    }
}

impl LawParameters for Powers {
    const STIFFNESS: &'static str = "c1";

    /// Young's modulus at rest, `9 K mu / (3 K + mu)` with `mu = 2 c1`.
    fn stiffness(&self) -> f64 {
        young(2.0 * self.c1, self.bulk)
    }

    /// The slope `c1 + 2 c2 a + 3 c3 a^2` must be positive for all `a >= 0`.
    fn conflict(&self) -> Option<Fault> {
        let Self { c1, c2, c3, .. } = *self;
        let falls = c2 < 0.0 && c2 * c2 >= 3.0 * c1 * c3;
        let least = -(3.0 * c1 * c3).sqrt();
        let message = format!(
            "is {c2} Pa, but must be above -sqrt(3 c1 c3) = {least} Pa, or the material becomes \
             unstable as it stretches"
        );
        falls.then(|| fault("c2", message))
    }
}
