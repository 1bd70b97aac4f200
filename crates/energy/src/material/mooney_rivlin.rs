//! Mooney-Rivlin elasticity: rubber at stretches of up to about two.
//!
//! Shear and change of volume have separate energies. The energy of the volume grows without bound
//! as `J` goes to zero, so that no triangle loses its area.

use super::elastic::{STABLE, fault};
use super::isotropic::{InPlane, Isotropic, Measures, Sheet, Slab, isochoric, volumetric};
use super::{AnyLaw, Fault, LawParameters, SceneLaw, Split, Volumetric};
use ipcsim_keys::Keys;
use ipcsim_math::jet::Jet;
use serde::{Deserialize, Serialize};

/// Parameters of the Mooney-Rivlin law. The shear modulus at rest is `2 (c10 + c01)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Mooney {
    /// Factor of the first invariant (Pa), not negative.
    #[key(at_least = 0, must = STABLE)]
    pub c10: f64,
    /// Factor of the second invariant (Pa), not negative.
    #[key(at_least = 0, must = STABLE)]
    pub c01: f64,
    /// Bulk modulus at rest (Pa): 10 to 100 times the shear modulus for rubber. Beyond that linear
    /// triangles lock.
    #[key(above = 0)]
    pub bulk: f64,
}

/// Energy density (Pa) `c10 (I_1 J^(-2/3) - 3) + c01 (I_2 J^(-4/3) - 3) + K/4 (J^2 - 1 - 2 ln J)`
/// (Mooney 1940; Rivlin 1948; the volume by Simo and Taylor 1982).
#[derive(Clone, Copy, Debug)]
pub struct MooneyRivlin(pub Mooney);

impl SceneLaw for MooneyRivlin {
    const NAME: &'static str = "mooney_rivlin";
    const BARRIER: bool = true;

    type LawParameters = Mooney;
    type PlaneStrain = Slab<Self>;
    type Distorted = Slab<Self>;
    type PlaneStress = Sheet<Self>;
    type Compiled = AnyLaw;

    fn plane_strain(given: &Mooney) -> Slab<Self> {
        InPlane::new(Self(*given))
    }

    fn distortable(given: &Mooney) -> Slab<Self> {
        Self::plane_strain(given)
    }

    fn plane_stress(given: &Mooney) -> Sheet<Self> {
        InPlane::new(Self(*given))
    }

    /// The energy of the bulk modulus and the rest, which has a pole at `J = 0` in plane strain: a
    /// body of constant thickness has infinite invariants without change of volume there.
    fn split(given: &Mooney) -> Option<Split<Self::PlaneStrain>> {
        let shear = Self(Mooney {
            bulk: 0.0,
            ..*given
        });
        Some(Split {
            shear: InPlane::new(shear),
            volume: Volumetric::Convex(given.bulk),
        })
    }

    fn split_in_space(given: &Mooney) -> Option<Split<Self::Distorted>> {
        Self::split(given)
    }
}

impl Isotropic for MooneyRivlin {
    fn energy(&self, at: &Measures) -> Jet {
        let Mooney { c10, c01, bulk } = self.0;
        let volume = at.volume();
        let log = volume.ln_1p();
        isochoric(at.first(), log, -2.0 / 3.0) * c10
            + isochoric(at.second(), log, -4.0 / 3.0) * c01
            + volumetric(bulk, volume, log)
    }
}

impl LawParameters for Mooney {
    const STIFFNESS: &'static str = "c10";

    /// Young's modulus at rest, `9 K mu / (3 K + mu)` with `mu = 2 (c10 + c01)`.
    fn stiffness(&self) -> f64 {
        young(2.0 * (self.c10 + self.c01), self.bulk)
    }

    /// One of the factors must be positive: otherwise the law is unstable at some stretch.
    fn conflict(&self) -> Option<Fault> {
        let message = "and `c01` are 0 Pa, but one must be positive, or shear costs nothing";
        (self.c10 + self.c01 == 0.0).then(|| fault("c10", message))
    }
}

/// Young's modulus (Pa) of a shear and a bulk modulus (Pa), `9 K mu / (3 K + mu)`.
pub(super) fn young(shear: f64, bulk: f64) -> f64 {
    9.0 * bulk * shear / (3.0 * bulk + shear)
}
