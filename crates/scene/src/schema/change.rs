//! Changes of parameters between the steps of a run.
//!
//! A change holds from the step after the one it names until another one sets the same parameter.
//! A program that sets parameters while it steps writes down the same entries, so that its run is a
//! scene, and a run of that scene has the same bits.

use super::{FrictionPair, Hand, JointDrive, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A parameter that changes between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Number of the step after which it changes; 0 is before the first step.
    pub after: usize,
    /// Parameter that is set, from the next step on.
    pub set: Parameter,
}

/// A parameter and its new value. Of several entries for the same parameter after the same step the
/// last one holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// Acceleration by gravity (m/s^2).
    Gravity([f64; 2]),
    /// Force on a body, in addition to the forces of the scene, in place of the one set before.
    Force(BodyForce),
    /// Factor of a load of the scene.
    Load(LoadFactor),
    /// Coefficients of friction of a pair of bodies or obstacles, in place of all that the scene says of
    /// it.
    Friction(FrictionPair),
    /// Motor, brake or spring of a joint.
    Joint(JointDrive),
    /// Displacement and rotation of everything that a script prescribes, in addition to the script.
    Target(Shift),
    /// Hand that holds a point of a body by a spring, or lets go.
    Hand(Hand),
}

/// A force on a body, as a uniform acceleration without a torque.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct BodyForce {
    /// Name of the body; the name of a body with `copies` stands for each copy. No obstacle, and no
    /// body with a reduced basis.
    pub body: String,
    /// Force (N).
    pub force: [f64; 2],
}

/// A factor of a load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct LoadFactor {
    /// Name of the load; if it has none, its kind and number, such as "traction 0".
    pub name: String,
    /// Factor of all its forces (1): 0 switches it off.
    pub factor: f64,
}

/// A displacement and rotation in addition to a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Shift {
    /// Name of the obstacle, or of the body with a script or prescribed vertices; the name of a
    /// body with `copies` stands for each copy.
    pub body: String,
    /// Displacement (m), which the next step makes as fast as it is short.
    #[serde(default, skip_serializing_if = "is_default")]
    pub by: [f64; 2],
    /// Rotation about the origin of the script, counter-clockwise (degrees). For rigid bodies and
    /// obstacles.
    #[serde(default, skip_serializing_if = "is_default")]
    pub turn_deg: f64,
}

impl Parameter {
    /// A setting for each name that it stands for, given the names of copies.
    pub(crate) fn spread<'a>(&'a self, names: impl Fn(&'a String) -> &'a [String]) -> Vec<Self> {
        let each = |body: &'a String| names(body).iter().cloned();
        match self {
            Self::Gravity(_) | Self::Load(_) | Self::Joint(_) | Self::Hand(_) => vec![self.clone()],
            Self::Force(force) => each(&force.body)
                .map(|body| Self::Force(BodyForce { body, ..*force }))
                .collect(),
            Self::Target(shift) => each(&shift.body)
                .map(|body| Self::Target(Shift { body, ..*shift }))
                .collect(),
            Self::Friction(pair) => {
                let [first, second] = &pair.between;
                let pairs = each(first).flat_map(|a| each(second).map(move |b| [a.clone(), b]));
                pairs
                    .map(|between| Self::Friction(FrictionPair { between, ..*pair }))
                    .collect()
            }
        }
    }
}

impl Change {
    /// A change from the step after the one with this number on.
    pub fn new(after: usize, set: Parameter) -> Self {
        Self { after, set }
    }
}
