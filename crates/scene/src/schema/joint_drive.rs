//! Motors, brakes and springs of joints that change between steps.

use super::is_default;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Numbers of a joint, in place of those that the scene gives. Absent keys stay as they were last set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct JointDrive {
    /// Name of the joint.
    pub name: String,
    /// Its motor or servo.
    #[serde(default, skip_serializing_if = "is_default")]
    pub motor: MotorDrive,
    /// Largest torque (N m) or force (N) of its brake; 0 releases it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0, unit = "N m or N")]
    pub brake: Option<f64>,
    /// Its spring.
    #[serde(default, skip_serializing_if = "is_default")]
    pub spring: SpringDrive,
}

/// Numbers of a motor or servo, of those keys with which the scene gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct MotorDrive {
    /// Speed (degrees/s), counter-clockwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_deg: Option<f64>,
    /// Angle (degrees) from the start of the run, over turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_deg: Option<f64>,
    /// Largest torque (N m); 0 switches it off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub torque: Option<f64>,
    /// Speed (m/s) along the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Displacement (m) along the line from the start of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<f64>,
    /// Largest force (N); 0 switches it off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub force: Option<f64>,
}

/// The state without force of a spring, by the key with which the scene gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct SpringDrive {
    /// Angle without torque (degrees), of a spring about a hinge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_deg: Option<f64>,
    /// Displacement without force (m), of a spring along the line of a joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<f64>,
    /// Length without force (m), of a spring between two points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub length: Option<f64>,
}

impl MotorDrive {
    /// Its keys that are set, with their numbers.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let all = [
            ("speed_deg", self.speed_deg),
            ("angle_deg", self.angle_deg),
            ("torque", self.torque),
            ("speed", self.speed),
            ("place", self.place),
            ("force", self.force),
        ];
        all.into_iter()
            .filter_map(|(key, number)| Some((key, number?)))
    }
}

impl SpringDrive {
    /// Its keys that are set, with their numbers.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let all = [
            ("rest_deg", self.rest_deg),
            ("rest", self.rest),
            ("length", self.length),
        ];
        all.into_iter()
            .filter_map(|(key, number)| Some((key, number?)))
    }
}
