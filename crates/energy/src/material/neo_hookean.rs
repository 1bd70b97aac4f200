//! Neo-Hookean elasticity, whose energy keeps triangles from collapse.
//!
//! The energy grows without bound as `J` goes to zero, and is infinite for inverted triangles. This
//! is the only law here with [`Hyperelastic::response`]: energy, stress and projected tangent at
//! once, in lanes.

use super::eigen::{self, Principal};
use super::isotropic::{InPlane, Isotropic, Measures, Sheet, Slab};
use super::{
    Elastic, Fault, Hyperelastic, Lame, Modes, Response, SceneLaw, Split, Tangent, Volumetric,
};
use ipcsim_math::Mat2;
use ipcsim_math::elementary::ln;
use ipcsim_math::jet::Jet;
use ipcsim_math::lanes::Real;
use ipcsim_math::log;
use ipcsim_math::polar::Polar;

/// Energy density (Pa) `psi = mu/2 (tr F^T F - 2) - mu ln J + lambda/2 ln^2 J`, infinite for
/// `J <= 0` (the free physics-based simulation book, chapter on inversion-free elasticity).
///
/// In plane stress the energy is that in space, `mu/2 (I_1 - 3) - mu ln J + lambda/2 ln^2 J`, at
/// the thickness that leaves no stress across ([`Sheet`]).
#[derive(Clone, Copy, Debug)]
pub struct NeoHookean(pub Lame);

impl SceneLaw for NeoHookean {
    const NAME: &'static str = "neo_hookean";
    const BARRIER: bool = true;

    type LawParameters = Elastic;
    type PlaneStrain = Self;
    type Distorted = Slab<Self>;
    type PlaneStress = Sheet<Self>;
    type Compiled = Self;

    fn plane_strain(given: &Elastic) -> Self {
        Self(Lame::plane_strain(given.young, given.poisson))
    }

    fn distortable(given: &Elastic) -> Slab<Self> {
        InPlane::new(Self::plane_strain(given))
    }

    fn plane_stress(given: &Elastic) -> Sheet<Self> {
        InPlane::new(Self::plane_strain(given))
    }

    /// `lambda/2 ln^2 J` and the rest, whose `-mu ln J` keeps its pole.
    fn split(given: &Elastic) -> Option<Split<Self::PlaneStrain>> {
        let Lame { mu, lambda } = Lame::plane_strain(given.young, given.poisson);
        Some(Split {
            shear: Self(Lame { mu, lambda: 0.0 }),
            volume: Volumetric::Logarithm(lambda),
        })
    }

    fn split_in_space(given: &Elastic) -> Option<Split<Slab<Self>>> {
        Self::split(given).map(|split| Split {
            shear: InPlane::new(split.shear),
            volume: split.volume,
        })
    }

    fn no_plane_stress(given: &Elastic) -> Option<Fault> {
        given.auxetic_sheet()
    }
}

impl Isotropic for NeoHookean {
    fn energy(&self, at: &Measures) -> Jet {
        let Lame { mu, lambda } = self.0;
        let log = at.volume().ln_1p();
        (at.first() * 0.5 - log) * mu + log.squared() * (0.5 * lambda)
    }
}

impl Hyperelastic for NeoHookean {
    type Parameters = [f64; 2];

    fn parameters(&self) -> [f64; 2] {
        [self.0.mu, self.0.lambda]
    }

    /// Energy density of [`Hyperelastic::response`] (Pa), infinite for `J <= 0`.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        self.respond(f)
            .map_or(f64::INFINITY, |response| response.density)
    }

    /// Stress of [`Hyperelastic::response`] (Pa), NaN for `J <= 0`.
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        self.respond(f).map_or(Mat2::repeat(f64::NAN), |response| {
            Mat2::from_column_slice(&response.stress)
        })
    }

    /// `P_33 = lambda ln J` (Pa), NaN for `J <= 0`.
    fn stress_across(&self, f: &Mat2) -> f64 {
        self.0.lambda * ln(f.determinant())
    }

    /// Eigenpairs as stated for [`Hyperelastic::response`], for eigenvalues of any sign.
    #[inline]
    fn modes(&self, f: &Mat2) -> Modes {
        let Lame { mu, lambda } = self.0;
        let polar = Polar::of(f);
        let s = polar.sigma.x;
        let t = polar.sigma.y;
        let j = s * t;
        let p = lambda * log::ln(j) - mu;

        // The Hessian in the stretches has one form for both diagonal entries.
        let diagonal = |s: f64| mu + (lambda - p) / (s * s);
        let principal = Principal {
            hessian: [diagonal(s), lambda / j, diagonal(t)],
            twist: mu + p / j,
            flip: mu - p / j,
        };
        eigen::modes(&polar, &principal)
    }

    /// Energy density, stress and projected tangent.
    ///
    /// With `C = cof F = J F^-T` and `p = lambda ln J - mu`:
    ///
    /// - `P = mu F + p C / J`,
    /// - `dP = mu dF + p/J cof(dF) + (lambda - p)/J^2 C (C : dF)`.
    ///
    /// Twist and flip have the eigenvalues `mu +- p/J`. The other two are eigenvalues of
    /// `[[mu + c/s^2, lambda/J], [lambda/J, mu + c/t^2]]` with `c = lambda - p` and the stretches
    /// `s` and `t`. Their sum and product follow from `s^2 + t^2 = |F|^2` and `s t = J`.
    #[inline(always)]
    fn response<T: Real>([mu, lambda]: [T; 2], &[a, b, c, d]: &[T; 4]) -> Option<Response<T>> {
        // F^T F - I: functions of it do not cancel near rest, where functions of F lose digits to
        // rounding of `mu`.
        let j = a * d - b * c;
        let xx = a * a + b * b - 1.0;
        let yy = c * c + d * d - 1.0;
        let xy = a * c + b * d;
        let trace = xx + yy;
        let ln_j = log::ln_of_root(j, trace + (xx * yy - xy * xy));

        // Factors of dP.
        let inverse_j = j.inverse();
        let p = lambda * ln_j - mu;
        let cofactor = p * inverse_j;
        let lambda_less_p = lambda - p;
        let volume = lambda_less_p * inverse_j * inverse_j;
        let zero = mu.constant(0.0);
        let lift = zero - mu - cofactor;

        // Signs of the eigenvalues. Where the flip has a negative one, another may be negative.
        let stretches = volume * (trace + 2.0);
        let mixed = lambda * inverse_j;
        let product = mu * (mu + stretches) + lambda_less_p * volume - mixed * mixed;
        let flip = mu - cofactor;
        let slack = flip.if_below(0.0, flip, product);
        let slack = (mu * 2.0 + stretches).if_below(0.0, mu * -1.0, slack);

        Some(Response {
            j,
            density: mu * (trace * 0.5 - ln_j) + lambda * ln_j * ln_j * 0.5,
            stress: [
                mu * a + cofactor * d,
                mu * b - cofactor * c,
                mu * c - cofactor * b,
                mu * d + cofactor * a,
            ],
            tangent: Tangent {
                identity: mu,
                cofactor,
                volume,
                twist: lift.if_below(0.0, zero, lift),
            },
            slack,
        })
    }
}
