//! Fixed corotated elasticity: the strain is measured against the nearest rotation.
//!
//! The law follows large rotations exactly. Its own energy stays finite where a triangle collapses,
//! so that it is [`CompressionBarrier`] below a fifth of the area.

use super::collapse::CompressionBarrier;
use super::eigen::{self, Principal};
use super::isotropic::{InPlane, Isotropic, Measures, Sheet, Slab};
use super::{Elastic, Fault, Hyperelastic, Lame, Modes, SceneLaw, Split, Volumetric, cofactor};
use ipcsim_math::Mat2;
use ipcsim_math::jet::Jet;
use ipcsim_math::polar::Polar;

/// Energy density (Pa) `psi = mu |F - R|^2 + lambda/2 (J - 1)^2`, with `R` the rotation of the
/// polar decomposition `F = R S` (Stomakhin et al. 2012, "Energetically Consistent Invertible
/// Elasticity").
///
/// In plane stress the energy is that in space, with the stretch across as a third one, at the
/// thickness that leaves no stress across ([`Sheet`]).
#[derive(Clone, Copy, Debug)]
pub struct FixedCorotated(pub Lame);

impl SceneLaw for FixedCorotated {
    const NAME: &'static str = "fixed_corotated";
    const BARRIER: bool = false;

    type LawParameters = Elastic;
    type PlaneStrain = CompressionBarrier<Self>;
    type Distorted = CompressionBarrier<Slab<Self>>;
    type PlaneStress = CompressionBarrier<Sheet<Self>>;
    type Compiled = Self::PlaneStrain;

    fn plane_strain(given: &Elastic) -> CompressionBarrier<Self> {
        CompressionBarrier::of(given, Self::new(given))
    }

    fn distortable(given: &Elastic) -> CompressionBarrier<Slab<Self>> {
        CompressionBarrier::of(given, InPlane::new(Self::new(given)))
    }

    fn plane_stress(given: &Elastic) -> CompressionBarrier<Sheet<Self>> {
        CompressionBarrier::of(given, InPlane::new(Self::new(given)))
    }

    /// `lambda/2 (J - 1)^2` and the rest, with the brace of the whole law.
    fn split(given: &Elastic) -> Option<Split<Self::PlaneStrain>> {
        let Lame { mu, lambda } = Lame::plane_strain(given.young, given.poisson);
        Some(Split {
            shear: CompressionBarrier::of(given, Self(Lame { mu, lambda: 0.0 })),
            volume: Volumetric::Square(lambda),
        })
    }

    fn split_in_space(given: &Elastic) -> Option<Split<Self::Distorted>> {
        let Lame { mu, lambda } = Lame::plane_strain(given.young, given.poisson);
        let shear = InPlane::new(Self(Lame { mu, lambda: 0.0 }));
        Some(Split {
            shear: CompressionBarrier::of(given, shear),
            volume: Volumetric::Square(lambda),
        })
    }

    fn no_plane_stress(given: &Elastic) -> Option<Fault> {
        given.auxetic_sheet()
    }
}

impl FixedCorotated {
    /// Law with a Young's modulus and a Poisson's ratio.
    fn new(given: &Elastic) -> Self {
        Self(Lame::plane_strain(given.young, given.poisson))
    }
}

impl Isotropic for FixedCorotated {
    /// The sum of the stretches in the plane is `r = sqrt(|F|^2 + 2 det F)`, so that the squared
    /// distance from the rotation is `|F|^2 - 2 r + 2`.
    fn energy(&self, at: &Measures) -> Jet {
        let Lame { mu, lambda } = self.0;

        // r - 2 = 2 (sqrt(1 + y) - 1), without cancellation.
        let y = at.squares * 0.25 + at.area * 0.5;
        let sum = (y.ln_1p() * 0.5).exp_m1() * 2.0;
        let distance = at.squares - sum * 2.0 + at.across.squared();
        distance * mu + at.volume().squared() * (0.5 * lambda)
    }
}

impl Hyperelastic for FixedCorotated {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// `psi = mu ((s - 1)^2 + (t - 1)^2) + lambda/2 (J - 1)^2` with the stretches `s` and `t` (Pa).
    /// Finite for every `F`.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.0;
        let sigma = Polar::of(f).sigma;
        let volume = f.determinant() - 1.0;

        // |F - R|^2 is the sum over both stretches.
        mu * ((sigma.x - 1.0) * (sigma.x - 1.0) + (sigma.y - 1.0) * (sigma.y - 1.0))
            + 0.5 * lambda * volume * volume
    }

    /// `P = 2 mu (F - R) + lambda (J - 1) C` with `C = cof F = J F^-T` (Pa).
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.0;
        let polar = Polar::of(f);
        (f - polar.rotation()) * (2.0 * mu) + cofactor(f) * (lambda * (f.determinant() - 1.0))
    }

    /// `P_33 = lambda (J - 1) J` (Pa): the nearest rotation in space keeps the direction across.
    fn stress_across(&self, f: &Mat2) -> f64 {
        let j = f.determinant();
        self.0.lambda * (j - 1.0) * j
    }

    /// Eigenpairs of `dP = 2 mu (dF - dR) + lambda (C (C : dF) + (J - 1) cof(dF))`.
    ///
    /// With stretches `s` and `t` the twist has the eigenvalue
    /// `2 mu (1 - 2/(s + t)) + lambda (J - 1)` and the flip `2 mu - lambda (J - 1)`.
    #[inline]
    fn modes(&self, f: &Mat2) -> Modes {
        let Lame { mu, lambda } = self.0;
        let polar = Polar::of(f);
        let s = polar.sigma.x;
        let t = polar.sigma.y;
        let volume = s * t - 1.0;

        // Twist. At s + t = 0 the rotation is undefined and this eigenvalue is -infinity: any
        // negative number clamps.
        let sum = (s + t).max(f64::MIN_POSITIVE);
        let twist = (2.0 * mu * (1.0 - 2.0 / sum)).max(f64::MIN) + lambda * volume;

        let principal = Principal {
            hessian: [
                2.0 * mu + lambda * t * t,
                lambda * (s * t + volume),
                2.0 * mu + lambda * s * s,
            ],
            twist,
            flip: 2.0 * mu - lambda * volume,
        };
        eigen::modes(&polar, &principal)
    }
}
