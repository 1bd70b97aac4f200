//! Stable neo-Hookean elasticity: rubber whose energy stays finite, for strong compression.
//!
//! The law keeps its volume as the neo-Hookean law does, but without a logarithm of `J`. By itself a
//! bounded pressure presses a triangle flat, so that it is [`CompressionBarrier`] below a fifth of the area.

use super::collapse::CompressionBarrier;
use super::isotropic::{InPlane, Isotropic, Measures, Sheet, Slab};
use super::{AnyLaw, Elastic, Lame, SceneLaw, Split, Volumetric};
use ipcsim_math::jet::Jet;

/// Energy density (Pa) of Smith, de Goes, Kim 2018, "Stable Neo-Hookean Flesh Simulation",
/// equation 14:
///
/// `psi = m/2 (I_1 - 3) + l/2 (J - 1 - 3 m / (4 l))^2 - m/2 ln(I_1 + 1)`, less its value at rest,
///
/// with `m = 4/3 mu` and `l = lambda + 5/6 mu` (section 3.4 there), so that small strains follow
/// Hooke's law.
#[derive(Clone, Copy, Debug)]
pub struct StableNeoHookean {
    /// Factor `m` of the shear (Pa).
    shear: f64,
    /// Factor `l` of the change of volume (Pa).
    volume: f64,
}

impl SceneLaw for StableNeoHookean {
    const NAME: &'static str = "stable_neo_hookean";
    const BARRIER: bool = false;

    type LawParameters = Elastic;
    type PlaneStrain = CompressionBarrier<Slab<Self>>;
    type Distorted = CompressionBarrier<Slab<Self>>;
    type PlaneStress = CompressionBarrier<Sheet<Self>>;
    type Compiled = AnyLaw;

    fn plane_strain(given: &Elastic) -> CompressionBarrier<Slab<Self>> {
        CompressionBarrier::of(given, InPlane::new(Self::new(given)))
    }

    fn distortable(given: &Elastic) -> CompressionBarrier<Slab<Self>> {
        Self::plane_strain(given)
    }

    fn plane_stress(given: &Elastic) -> CompressionBarrier<Sheet<Self>> {
        CompressionBarrier::of(given, InPlane::new(Self::new(given)))
    }

    /// `l/2 (J - 1)^2` and the rest, with the brace of the whole law.
    fn split(given: &Elastic) -> Option<Split<Self::PlaneStrain>> {
        let whole = Self::new(given);
        let shear = Self {
            volume: 0.0,
            ..whole
        };
        Some(Split {
            shear: CompressionBarrier::of(given, InPlane::new(shear)),
            volume: Volumetric::Square(whole.volume),
        })
    }

    fn split_in_space(given: &Elastic) -> Option<Split<Self::Distorted>> {
        Self::split(given)
    }
}

impl StableNeoHookean {
    /// Law with a Young's modulus and a Poisson's ratio.
    fn new(given: &Elastic) -> Self {
        let Lame { mu, lambda } = Lame::plane_strain(given.young, given.poisson);
        Self {
            shear: 4.0 / 3.0 * mu,
            volume: lambda + 5.0 / 6.0 * mu,
        }
    }
}

impl Isotropic for StableNeoHookean {
    /// With `a = I_1 - 3` and `v = J - 1`: `m/2 (a - ln(1 + a/4)) - 3/4 m v + l/2 v^2`.
    fn energy(&self, at: &Measures) -> Jet {
        let stretched = at.first();
        let volume = at.volume();
        let shear = (stretched - (stretched * 0.25).ln_1p()) * 0.5 - volume * 0.75;
        shear * self.shear + volume.squared() * (0.5 * self.volume)
    }
}
