//! J2 plasticity: metals, which flow where shear becomes too strong and keep their new shape.
//!
//! A step is a minimum of an energy, also where material flows: over the step from the flow `F_p`
//! and the hardening `a` that it had before, the material takes the flow that makes elastic energy
//! and plastic work least (Ortiz and Stainier 1999). The rest is a law of only the deformation: its
//! energy is the energy of elasticity up to the yield point and grows linearly beyond it. Stress is
//! its slope, and the flow follows when the step is done ([`Distortable::flow`]).
//!
//! Strains are logarithms of the elastic stretches along principal axes, with Hooke's law between
//! them and the stress (Hencky 1928); with these the return to the yield surface is the same as for
//! small strains (Weber and Anand 1990, Simo 1992).

use super::eigen::{self, Principal, PrincipalInSpace};
use super::elastic::{POISSON, RATIOS};
use super::{
    AnyLaw, Distortable, Distortion, Flow, Hyperelastic, Lame, LawParameters, Modes, SceneLaw,
    SpaceModes,
};
use crate::tuning::{FLOW_THICKNESS_MOST_STEPS, FLOW_THICKNESS_SOLVED};
use ipcsim_keys::Keys;
use ipcsim_math::Mat2;
use ipcsim_math::elementary::{exp, ln, ln_1p};
use ipcsim_math::polar::Polar;
use nalgebra::Matrix3;
use serde::{Deserialize, Serialize};

/// Ratio of the norm of a deviatoric stress to the von Mises stress, `sqrt(2/3)` (1).
const NORM_OF_MISES: f64 = 0.816_496_580_927_726;

/// What the hardening must be, and why.
const NO_SOFTENING: &str = "not be negative: strain would gather in a line of triangles, however fine \
                            they are";

/// Parameters of a metal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Metal {
    /// Young's modulus (Pa).
    #[key(above = 0)]
    pub young: f64,
    /// Poisson's ratio (1), above -1 and below 0.5.
    #[key(above = -1, below = 0.5, called = POISSON, must = RATIOS)]
    pub poisson: f64,
    /// Von Mises stress (Pa) at which the material first flows: the yield stress of a bar under
    /// tension.
    #[key(above = 0)]
    pub yield_stress: f64,
    /// Growth of the yield stress by equivalent plastic strain (Pa), not negative; 0, the default, for
    /// a perfectly plastic material.
    #[serde(default)]
    #[key(at_least = 0, must = NO_SOFTENING)]
    pub hardening: f64,
}

/// Energy density (Pa) of a metal over a step, at the elastic stretches that it would have without
/// flow.
///
/// With their logarithms `e`, the norm `s` of the deviator of `e` and the yield stress
/// `Y(a) = Y_0 + H a`,
///
/// `psi = K/2 (tr e)^2 + min over g >= 0 of mu (s - g)^2 + Y_0 b + H/2 ((a + b)^2 - a^2)`,
/// `b = sqrt(2/3) g`,
///
/// the last two terms being the plastic work of the step. The least is at
/// `g = (2 mu s - sqrt(2/3) Y(a)) / (2 mu + 2/3 H)` where that is positive (Simo and Hughes,
/// "Computational Inelasticity", box 3.1), otherwise at 0. In plane stress, `THIN`, the stretch across
/// is where `psi` is least.
#[derive(Clone, Copy, Debug)]
pub struct J2<const THIN: bool> {
    /// Bulk modulus `K` (Pa).
    bulk: f64,
    /// Shear modulus `mu` (Pa).
    shear: f64,
    /// Yield stress `Y(a)` at the start of the step (Pa).
    limit: f64,
    /// Growth `H` of the yield stress by equivalent plastic strain (Pa).
    hardening: f64,
    /// Logarithm of the elastic stretch across in plane strain (1).
    across: f64,
}

/// Answer of the law to logarithms of stretches.
struct Answer {
    /// Logarithms of the principal elastic stretches without flow: two in the plane, one across.
    logs: [f64; 3],
    /// Their deviator.
    deviator: [f64; 3],
    /// Norm of the deviator.
    norm: f64,
    /// Plastic part `g` of that norm.
    flowed: f64,
    /// Factor of the deviator in the stress (Pa): `2 mu (s - g) / s`.
    secant: f64,
    /// Slope of `2 mu (s - g)` in `s` (Pa).
    slope: f64,
}

impl<const THIN: bool> J2<THIN> {
    /// Law of a metal that has not flowed yet.
    fn new(given: &Metal) -> Self {
        let Lame { mu, lambda } = Lame::plane_strain(given.young, given.poisson);
        Self {
            bulk: lambda + 2.0 / 3.0 * mu,
            shear: mu,
            limit: given.yield_stress,
            hardening: given.hardening,
            across: 0.0,
        }
    }

    /// Answer to these logarithms of stretches.
    fn answer(&self, logs: [f64; 3]) -> Answer {
        let mean = (logs[0] + logs[1] + logs[2]) / 3.0;
        let deviator = logs.map(|log| log - mean);
        let norm = deviator.iter().map(|e| e * e).sum::<f64>().sqrt();

        let stiff = 2.0 * self.shear;
        let resistance = stiff + 2.0 / 3.0 * self.hardening;
        let excess = stiff * norm - NORM_OF_MISES * self.limit;
        let flows = excess > 0.0;
        let flowed = if flows { excess / resistance } else { 0.0 };
        Answer {
            logs,
            deviator,
            norm,
            flowed,
            secant: if flows {
                stiff * (1.0 - flowed / norm)
            } else {
                stiff
            },
            slope: if flows {
                stiff * (1.0 - stiff / resistance)
            } else {
                stiff
            },
        }
    }

    /// Answer to the stretches `[s, t]` in the plane: with the given stretch across, or in plane
    /// stress with that where no stress acts across. `None` unless both stretches are positive.
    ///
    /// The stress across grows with the logarithm of the stretch, so that Newton's method is kept
    /// between bounds on which it has different signs.
    fn at(&self, [s, t]: [f64; 2]) -> Option<Answer> {
        if !(s > 0.0 && t > 0.0) {
            return None;
        }
        let [a, b] = [ln(s), ln(t)];
        if !THIN {
            return Some(self.answer([a, b, self.across]));
        }

        // The elastic stretch is a good start, and the answer where nothing flows.
        let lambda = self.bulk - 2.0 / 3.0 * self.shear;
        let mut across = -lambda / (lambda + 2.0 * self.shear) * (a + b);
        let [mut low, mut high] = [f64::NEG_INFINITY, f64::INFINITY];
        let mut answer = self.answer([a, b, across]);
        for _ in 0..FLOW_THICKNESS_MOST_STEPS {
            let stress = self.stress_of(&answer, 2);
            if stress > 0.0 {
                high = across;
            } else {
                low = across;
            }
            let newton = across - stress / self.curve(&answer, 2, 2);
            let next = if newton >= low && newton <= high {
                newton
            } else {
                0.5 * (low + high)
            };
            let way = (next - across).abs();
            across = next;
            answer = self.answer([a, b, across]);
            if way.is_nan() || way <= FLOW_THICKNESS_SOLVED * (a.abs() + b.abs() + across.abs()) {
                break;
            }
        }
        Some(answer)
    }

    /// Slope of the energy by the logarithm `i`: the Kirchhoff stress (Pa).
    fn stress_of(&self, answer: &Answer, i: usize) -> f64 {
        let volume: f64 = answer.logs.iter().sum();
        self.bulk * volume + answer.secant * answer.deviator[i]
    }

    /// Second derivative of the energy by the logarithms `i` and `k` (Pa).
    fn curve(&self, answer: &Answer, i: usize, k: usize) -> f64 {
        let Answer {
            deviator,
            norm,
            secant,
            slope,
            ..
        } = answer;

        let own = if i == k { 2.0 / 3.0 } else { -1.0 / 3.0 };
        let along = if *norm > 0.0 {
            (slope - secant) * (deviator[i] / norm) * (deviator[k] / norm)
        } else {
            0.0
        };

        self.bulk + secant * own + along
    }

    /// Eigenvalues of twist and flip (Pa) at the stretches `s` and `t` in the plane. The flip is
    /// `(q (s + t) l - tau_a - tau_b) / (2 s t)` with the factor `q` of the deviator and
    /// `l = (a - b) / (s - t)`, which does not cancel where both meet.
    fn turns(&self, answer: &Answer, [s, t]: [f64; 2]) -> [f64; 2] {
        let [a, b] = [0, 1].map(|i| self.stress_of(answer, i));

        // The logarithm of the ratio does not cancel where both stretches meet.
        let apart = (s - t) / t;
        let log = if apart > 0.0 {
            ln_1p(apart) / (s - t)
        } else {
            t.recip()
        };
        [
            (a / s + b / t) / (s + t),
            (answer.secant * (s + t) * log - a - b) / (2.0 * s * t),
        ]
    }

    /// Second derivatives `[aa, ab, bb]` by the logarithms in the plane (Pa), across which the stretch
    /// follows in plane stress.
    fn curves(&self, answer: &Answer) -> [f64; 3] {
        let own = [[0, 0], [0, 1], [1, 1]];
        own.map(|[i, k]| {
            let held = self.curve(answer, i, k);
            if THIN {
                let [one, other] = [i, k].map(|axis| self.curve(answer, axis, 2));
                held - one * other / self.curve(answer, 2, 2)
            } else {
                held
            }
        })
    }
}

impl<const THIN: bool> Distortable for J2<THIN> {
    fn flows(&self) -> bool {
        true
    }

    fn distorted(self, distortion: &Distortion) -> Self {
        Self {
            across: -ln(distortion.across),
            limit: self.limit + self.hardening * distortion.hardened,
            ..self
        }
    }

    fn stretched_across(self, growth: f64) -> Self {
        Self {
            across: ln_1p(growth),
            ..self
        }
    }

    /// Eigenpairs by the derivatives in the logarithms of all three stretches.
    fn space_modes(&self, f: &Mat2) -> SpaceModes {
        let polar = Polar::of(f);
        let [s, t]: [f64; 2] = polar.sigma.into();
        let Some(answer) = self.at([s, t]) else {
            return [(f64::NAN, Mat2::zeros(), 0.0); 5];
        };

        let stretches = [s, t, exp(answer.logs[2])];
        let hessian = Matrix3::from_fn(|i, k| {
            let own = if i == k {
                self.stress_of(&answer, i)
            } else {
                0.0
            };
            (self.curve(&answer, i, k) - own) / (stretches[i] * stretches[k])
        });
        let [twist, flip] = self.turns(&answer, [s, t]);
        let principal = PrincipalInSpace {
            hessian,
            twist,
            flip,
        };
        eigen::space_modes(&polar, &principal)
    }

    /// Flow by `exp(g n)` along the principal axes, with the direction `n` of the deviator, and
    /// equivalent plastic strain `sqrt(2/3) g`.
    fn flow(&self, f: &Mat2) -> Option<Flow> {
        let polar = Polar::of(f);
        let answer = self.at(polar.sigma.into())?;
        if answer.flowed <= 0.0 {
            return None;
        }
        let share = answer.flowed / answer.norm;
        let [a, b] = [0, 1].map(|i: usize| exp(share * answer.deviator[i]));
        Some(Flow {
            plane: polar.rotation().transpose() * polar.diagonal(a, b),
            hardened: NORM_OF_MISES * answer.flowed,
        })
    }
}

impl<const THIN: bool> Hyperelastic for J2<THIN> {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// Energy density (Pa), infinite for `J <= 0`.
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Some(answer) = self.at(Polar::of(f).sigma.into()) else {
            return f64::INFINITY;
        };
        let volume: f64 = answer.logs.iter().sum();
        let elastic = answer.norm - answer.flowed;
        let plastic = NORM_OF_MISES * answer.flowed;
        0.5 * self.bulk * volume * volume
            + self.shear * elastic * elastic
            + plastic * (self.limit + 0.5 * self.hardening * plastic)
    }

    /// `P = U diag(tau_a / s, tau_b / t) V^T` (Pa) with the Kirchhoff stresses `tau`, NaN for
    /// `J <= 0`.
    fn stress(&self, f: &Mat2) -> Mat2 {
        let polar = Polar::of(f);
        let Some(answer) = self.at(polar.sigma.into()) else {
            return Mat2::repeat(f64::NAN);
        };
        let [a, b] = [0, 1].map(|i| self.stress_of(&answer, i) / polar.sigma[i]);
        polar.diagonal(a, b)
    }

    /// `P_33 = tau_c / t` (Pa) with the elastic stretch `t` across: 0 in plane stress.
    fn stress_across(&self, f: &Mat2) -> f64 {
        if THIN {
            return 0.0;
        }
        let answer = self.at(Polar::of(f).sigma.into());
        answer.map_or(f64::NAN, |answer| {
            self.stress_of(&answer, 2) / exp(self.across)
        })
    }

    fn thickness(&self, f: &Mat2) -> f64 {
        if !THIN {
            return exp(self.across);
        }
        let answer = self.at(Polar::of(f).sigma.into());
        answer.map_or(f64::NAN, |answer| exp(answer.logs[2]))
    }

    /// Eigenpairs by the derivatives in the logarithms `a` and `b` of the stretches `s` and `t`.
    fn modes(&self, f: &Mat2) -> Modes {
        let polar = Polar::of(f);
        let [s, t]: [f64; 2] = polar.sigma.into();
        let Some(answer) = self.at([s, t]) else {
            return [(f64::NAN, Mat2::zeros()); 4];
        };

        let [aa, ab, bb] = self.curves(&answer);
        let [a, b] = [0, 1].map(|i| self.stress_of(&answer, i));
        let [twist, flip] = self.turns(&answer, [s, t]);
        let principal = Principal {
            hessian: [(aa - a) / (s * s), ab / (s * t), (bb - b) / (t * t)],
            twist,
            flip,
        };
        eigen::modes(&polar, &principal)
    }
}

impl SceneLaw for J2<false> {
    const NAME: &'static str = "j2";
    const BARRIER: bool = true;

    type LawParameters = Metal;
    type PlaneStrain = Self;
    type Distorted = Self;
    type PlaneStress = J2<true>;
    type Compiled = AnyLaw;

    fn plane_strain(given: &Metal) -> Self {
        Self::new(given)
    }

    fn distortable(given: &Metal) -> Self {
        Self::new(given)
    }

    fn plane_stress(given: &Metal) -> J2<true> {
        J2::new(given)
    }
}

impl LawParameters for Metal {
    const STIFFNESS: &'static str = "young";

    fn stiffness(&self) -> f64 {
        self.young
    }
}
