//! Isotropic laws as one formula in space, in plane strain and in plane stress.
//!
//! The energy of an isotropic body without shear across the plane depends on three numbers: the
//! squares of the stretches in the plane, the ratio of areas, and the stretch across. A law states
//! it as a formula of [`Jet`]s ([`Isotropic`]), and everything else follows here: stress,
//! eigenpairs, and the thickness of a sheet on which no stress acts across the plane.

use super::eigen::{self, Principal, PrincipalInSpace};
use super::{Distortable, Distortion, Hyperelastic, Modes, SpaceModes, cofactor};
use crate::tuning::{THICKNESS_MOST_STEPS, THICKNESS_SOLVED};
use ipcsim_math::Mat2;
use ipcsim_math::jet::Jet;
use ipcsim_math::polar::Polar;
use nalgebra::Matrix3;

/// Measures of a deformation that vanish at rest, so that small strains keep their digits.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// `|F|^2 - 2`, the sum of the squared stretches in the plane less that at rest.
    pub squares: Jet,
    /// `det F - 1`, the growth of the area.
    pub area: Jet,
    /// `F_33 - 1`, the growth of the thickness.
    pub across: Jet,
}

impl Measures {
    /// First invariant in space less that at rest, `I_1 - 3 = |F|^2 + F_33^2 - 3`.
    pub fn first(&self) -> Jet {
        self.squares + grown_square(self.across)
    }

    /// Second invariant in space less that at rest, `I_2 - 3 = (det F)^2 + |F|^2 F_33^2 - 3`.
    pub fn second(&self) -> Jet {
        let across = grown_square(self.across);
        grown_square(self.area) + self.squares + across * 2.0 + self.squares * across
    }

    /// Growth of the volume, `J - 1 = det F F_33 - 1`.
    pub fn volume(&self) -> Jet {
        self.area + self.across + self.area * self.across
    }
}

/// `(1 + x)^2 - 1`, without cancellation.
fn grown_square(x: Jet) -> Jet {
    x * (x + 2.0)
}

/// `c J^p - 3` for an invariant `c` with `c - 3 = excess`: the invariant of the deformation without
/// its change of volume, less that at rest. `log` is `ln J`.
///
/// The power is `p = -2/3` for the first invariant and `-4/3` for the second (Flory 1961).
pub(super) fn isochoric(excess: Jet, log: Jet, power: f64) -> Jet {
    let scaled = (log * power).exp_m1();
    excess + excess * scaled + scaled * 3.0
}

/// Energy density of a change of volume, `K/4 (J^2 - 1 - 2 ln J)` (Pa), with the bulk modulus `K`
/// (Pa); `volume` is `J - 1` and `log` is `ln J`.
///
/// It grows without bound as `J` goes to 0 and to infinity, and is convex (Simo and Taylor 1982).
pub(super) fn volumetric(bulk: f64, volume: Jet, log: Jet) -> Jet {
    (grown_square(volume) - log * 2.0) * (0.25 * bulk)
}

/// Isotropic law in space, as a formula of the measures of a deformation.
pub trait Isotropic: Copy + Send + Sync {
    /// Energy density (Pa), 0 at rest; NaN or infinite outside the law's domain.
    fn energy(&self, at: &Measures) -> Jet;
}

/// Isotropic law in the plane: in plane strain, or with `THIN` in plane stress.
///
/// With `psi(i, j, t)` the energy of the law, `i = |F|^2`, `j = det F` and the stretch across `t`,
///
/// - in plane strain `t` is given: 1, unless heat or plastic flow has changed the thickness that the
///   material has without stress ([`Distortable`]);
/// - in plane stress `t` is where `psi` is least, `dpsi/dt = 0`: then the stress across is 0. The
///   least energy has the second derivatives `psi_ab - psi_at psi_bt / psi_tt`.
#[derive(Clone, Copy, Debug)]
pub struct InPlane<L, const THIN: bool> {
    /// Law in space.
    law: L,
    /// Growth of the thickness `t - 1` in plane strain (1).
    across: f64,
}

/// Isotropic law in plane strain.
pub type Slab<L> = InPlane<L, false>;

/// Isotropic law in plane stress, with the thickness that leaves no stress across.
pub type Sheet<L> = InPlane<L, true>;

/// Measures `|F|^2 - 2` and `det F - 1` of a deformation gradient, from `F^T F - I`, which does not
/// cancel near rest. The result is NaN where `det F` is not positive.
fn in_plane(f: &Mat2) -> [f64; 2] {
    let xx = f.m11 * f.m11 + f.m21 * f.m21 - 1.0;
    let yy = f.m12 * f.m12 + f.m22 * f.m22 - 1.0;
    let xy = f.m11 * f.m12 + f.m21 * f.m22;
    let j = f.determinant();
    let squares = xx + yy;
    let area = (squares + (xx * yy - xy * xy)) / (1.0 + j);
    [squares, if j > 0.0 { area } else { f64::NAN }]
}

impl<L, const THIN: bool> InPlane<L, THIN> {
    /// A law in the plane, whose thickness at rest is without stress.
    pub fn new(law: L) -> Self {
        Self { law, across: 0.0 }
    }
}

impl<L: Isotropic, const THIN: bool> InPlane<L, THIN> {
    /// Energy of the law at given measures, with derivatives in all three.
    fn at(&self, [squares, area]: [f64; 2], across: f64) -> Jet {
        self.law.energy(&Measures {
            squares: Jet::variable(0, squares),
            area: Jet::variable(1, area),
            across: Jet::variable(2, across),
        })
    }

    /// Growth of the thickness: as given, or in plane stress the root of `dpsi/dt = 0`.
    ///
    /// Newton's method, between bounds on which the slope has different signs: where a step would
    /// leave them, or the energy is not convex, the interval is halved instead.
    fn across(&self, measures: [f64; 2]) -> f64 {
        if !THIN {
            return self.across;
        }
        let mut low = -1.0;
        let mut high = f64::INFINITY;
        let mut across = 0.0;
        for _ in 0..THICKNESS_MOST_STEPS {
            let Jet { slopes, curves, .. } = self.at(measures, across);
            let slope = slopes[2];
            if slope == 0.0 || !slope.is_finite() {
                break;
            }
            if slope > 0.0 {
                high = across;
            } else {
                low = across;
            }

            // Newton's step within the bounds, otherwise their middle, or twice the thickness.
            let newton = across - slope / curves[5];
            let is_safe = curves[5] > 0.0 && newton > -1.0 && newton >= low && newton <= high;
            let next = if is_safe {
                newton
            } else if high.is_finite() {
                0.5 * (low + high)
            } else {
                2.0 * across + 1.0
            };
            let way = (next - across).abs();
            across = next;
            if way <= THICKNESS_SOLVED * (1.0 + across) && is_safe {
                break;
            }
        }
        across
    }

    /// Energy with derivatives in `|F|^2` and `det F` at the law's thickness.
    fn potential(&self, f: &Mat2) -> Jet {
        let measures = in_plane(f);
        let mut jet = self.at(measures, self.across(measures));

        // The thickness follows, which makes the energy softer.
        let [ii, ij, it, jj, jt, tt] = jet.curves;
        if THIN && tt > 0.0 {
            jet.curves[0] = ii - it * it / tt;
            jet.curves[1] = ij - it * jt / tt;
            jet.curves[3] = jj - jt * jt / tt;
        }
        jet
    }
}

impl<L: Isotropic, const THIN: bool> Distortable for InPlane<L, THIN> {
    fn distorted(self, distortion: &Distortion) -> Self {
        Self {
            across: distortion.across.recip() - 1.0,
            ..self
        }
    }

    fn stretched_across(self, growth: f64) -> Self {
        Self {
            across: growth,
            ..self
        }
    }

    /// Eigenpairs by the derivatives in `i`, `j` and the stretch across, as for
    /// [`Hyperelastic::modes`].
    fn space_modes(&self, f: &Mat2) -> SpaceModes {
        let polar = Polar::of(f);
        let [s, t]: [f64; 2] = polar.sigma.into();
        let Jet { slopes, curves, .. } = self.at(in_plane(f), self.across);
        let [by_i, by_j, _] = slopes;
        let [ii, ij, ic, jj, jc, cc] = curves;

        let diagonal =
            |s: f64, t: f64| 2.0 * by_i + 4.0 * ii * s * s + 4.0 * ij * s * t + jj * t * t;
        let mixed = by_j + (4.0 * ii + jj) * s * t + 2.0 * ij * (s * s + t * t);
        let across = |s: f64, t: f64| 2.0 * ic * s + jc * t;
        let [first, second] = [across(s, t), across(t, s)];

        let hessian = Matrix3::new(
            diagonal(s, t),
            mixed,
            first,
            mixed,
            diagonal(t, s),
            second,
            first,
            second,
            cc,
        );
        let principal = PrincipalInSpace {
            hessian,
            twist: 2.0 * by_i + by_j,
            flip: 2.0 * by_i - by_j,
        };
        eigen::space_modes(&polar, &principal)
    }
}

impl<L: Isotropic, const THIN: bool> Hyperelastic for InPlane<L, THIN> {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// Energy density of the law (Pa), infinite for `J <= 0`.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let measures = in_plane(f);
        let value = self.at(measures, self.across(measures)).value;
        if value.is_nan() { f64::INFINITY } else { value }
    }

    /// `P = 2 psi_i F + psi_j C` (Pa) with `C = cof F`, NaN for `J <= 0`.
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let measures = in_plane(f);
        let slopes = self.at(measures, self.across(measures)).slopes;
        f * (2.0 * slopes[0]) + cofactor(f) * slopes[1]
    }

    /// `P_33 = dpsi/dt` (Pa): 0 in plane stress.
    fn stress_across(&self, f: &Mat2) -> f64 {
        if THIN {
            return 0.0;
        }
        self.at(in_plane(f), self.across).slopes[2]
    }

    fn thickness(&self, f: &Mat2) -> f64 {
        1.0 + self.across(in_plane(f))
    }

    /// Eigenpairs by the derivatives in `i` and `j`: with stretches `s` and `t` twist and flip have
    /// the eigenvalues `2 psi_i +- psi_j`.
    #[inline]
    fn modes(&self, f: &Mat2) -> Modes {
        let polar = Polar::of(f);
        let s = polar.sigma.x;
        let t = polar.sigma.y;
        let Jet { slopes, curves, .. } = self.potential(f);
        let [by_i, by_j, _] = slopes;
        let [ii, ij, _, jj, ..] = curves;

        // The Hessian in the stretches has one form for both diagonal entries.
        let diagonal =
            |s: f64, t: f64| 2.0 * by_i + 4.0 * ii * s * s + 4.0 * ij * s * t + jj * t * t;
        let mixed = by_j + (4.0 * ii + jj) * s * t + 2.0 * ij * (s * s + t * t);
        let principal = Principal {
            hessian: [diagonal(s, t), mixed, diagonal(t, s)],
            twist: 2.0 * by_i + by_j,
            flip: 2.0 * by_i - by_j,
        };
        eigen::modes(&polar, &principal)
    }
}
