//! Friction: coefficients of pairs of bodies and of materials, and the speeds at which they act.
//!
//! Friction is smooth. Its force grows with the displacement by which a contact that sticks yields,
//! or over sliding speeds up to `eps_v`, and is then the coefficient times the normal force (Li et
//! al. 2020, "Incremental Potential Contact"). With a coefficient of kinetic friction it falls over
//! sliding speeds up to `kinetic_speed`. Rolling resistance grows likewise over angular speeds.
//!
//! The entry of a pair of bodies comes before the entry of their materials, and this before the
//! default. An entry holds for all of its pair: keys that it leaves out do not come from the
//! default.

use super::is_default;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Coulomb friction between surfaces in contact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Friction {
    /// Coefficient (1) of all pairs that neither `pairs` nor `materials` names. It is the
    /// coefficient of static friction if `kinetic` is given.
    #[serde(default)]
    #[key(at_least = 0, between_steps = "friction")]
    pub default: f64,
    /// Coefficient of kinetic friction (1) of these pairs, which acts from `kinetic_speed` on; at most
    /// `default`, and equal to it if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub kinetic: Option<f64>,
    /// Rolling resistance of these pairs (m): the largest torque against rolling, over the normal
    /// force. For rigid and affine bodies and obstacles.
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0)]
    pub rolling: f64,
    /// Coefficients of single pairs of bodies or obstacles, which come before coefficients of
    /// materials.
    #[serde(default)]
    #[key(between_steps = "friction")]
    pub pairs: Vec<FrictionPair>,
    /// Coefficients of pairs of materials, by name. An obstacle has the material of its key
    /// `material`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[key(between_steps = "friction")]
    pub materials: Vec<FrictionPair>,
    /// Sliding speed above which friction has its full force, `eps_v` (m/s), for all pairs of bodies;
    /// if absent 1e-3 of the size of the pair's smaller body per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub eps_v: Option<f64>,
    /// Sliding speed from which on friction is kinetic (m/s), for all pairs of bodies; if absent 10
    /// times `eps_v`, and at least twice `eps_v`. From `eps_v` to there the coefficient falls by
    /// the cubic `3 z^2 - 2 z^3` of the share `z` of this range. A fall that a step does not
    /// resolve is decided by the motion before: a contact that slides slides on, and a contact that
    /// sticks sticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub kinetic_speed: Option<f64>,
    /// Relative angular speed above which rolling resistance acts in full (degrees/s), for all pairs
    /// of bodies; 0.1 degrees per second if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub rolling_spin_deg: Option<f64>,
    /// How contacts hold that stick, `anchors` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stick: Option<Stick>,
    /// Largest number of solves in a step with lagged friction, each with the normal forces at the
    /// end of the one before, as in the book and in Li et al. 2020. A step stops earlier once new
    /// friction changes velocities by less than the solver's tolerance. If absent friction is not
    /// lagged: it follows the normal forces within the solve, and obeys Coulomb's law at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 1)]
    pub lag_iterations: Option<usize>,
}

/// How contacts hold that stick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Stick {
    /// By a force that grows with the sliding speed up to `eps_v`, as in the book and in Li et al.
    /// 2020: a body that is pushed creeps, at less than `eps_v`.
    Creep,
    /// By a spring to where the contact began to stick: nothing creeps. A body that is pushed and
    /// let go springs back by at most 0.002 of `d_hat`.
    #[default]
    Anchors,
}

/// Coefficients of friction of one pair, of bodies or of materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct FrictionPair {
    /// Names of two bodies or obstacles; in the list `materials` of two materials. A name may come
    /// twice. The name of a body with `copies` stands for all of them, unless a pair names a copy.
    pub between: [String; 2],
    /// Coefficient of friction (1); of static friction if `kinetic` is given.
    #[key(at_least = 0)]
    pub coefficient: f64,
    /// Coefficient of kinetic friction (1), at most `coefficient`, and equal to it if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub kinetic: Option<f64>,
    /// Rolling resistance (m): the largest torque against the rotation of one side against the other,
    /// over the normal force. It is the length by which the normal force is ahead of the contact, for
    /// a railway wheel about 3e-4 m. For rigid and affine bodies and obstacles.
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0)]
    pub rolling: f64,
}

impl FrictionPair {
    /// The coefficient (1) between the bodies, obstacles or materials of these names, in either
    /// order.
    pub fn new(a: impl Into<String>, b: impl Into<String>, coefficient: f64) -> Self {
        Self {
            between: [a.into(), b.into()],
            coefficient,
            kinetic: None,
            rolling: 0.0,
        }
    }

    /// Sets the coefficient of kinetic friction (1).
    #[must_use]
    pub fn with_kinetic(mut self, coefficient: f64) -> Self {
        self.kinetic = Some(coefficient);
        self
    }

    /// Sets the rolling resistance (m).
    #[must_use]
    pub fn with_rolling(mut self, length: f64) -> Self {
        self.rolling = length;
        self
    }
}
