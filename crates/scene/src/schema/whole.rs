//! Keys of bodies that move as wholes.

use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Resistance of a rigid body against its motion, as by a fluid around it. Both rates are 0 if absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct WholeDamping {
    /// Force per momentum (1/s) against the velocity of the centre of mass.
    #[serde(default)]
    #[key(at_least = 0)]
    pub linear: f64,
    /// Torque per angular momentum (1/s) against the angular velocity.
    #[serde(default)]
    #[key(at_least = 0)]
    pub angular: f64,
}
