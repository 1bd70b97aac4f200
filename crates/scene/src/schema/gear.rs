//! Gear wheels, whose teeth follow from few numbers.
//!
//! Two wheels mesh if they have the same pitch, `2 pi pitch_radius / teeth`, and their centres are
//! the sum of their pitch radii apart. The curves of the teeth are made in [`ipcsim_mesh::gear`].

use super::cells::MAX_CELLS;
use ipcsim_keys::Keys;
use ipcsim_mesh::gear::Teeth;
use serde::{Deserialize, Serialize};

/// A gear wheel with involute teeth; one of them points along x.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// Number of teeth of the wheel.
    #[key(at_least = 3, limit = MAX_CELLS)]
    pub teeth: usize,
    /// Radius of the pitch circle, on which teeth are as wide as the gaps between them (m).
    #[key(above = 0)]
    pub pitch_radius: f64,
    /// Height of teeth above the pitch circle (m); gaps are a little deeper below it.
    #[key(above = 0)]
    pub addendum: f64,
    /// Share of the pitch (1) that is play between two such gears.
    #[serde(default = "default_backlash")]
    #[key(
        at_least = 0,
        below = 1,
        must = "be a share of the pitch, from 0 to less than 1"
    )]
    pub backlash: f64,
    /// Radius of a hole in the middle (m); none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub bore: Option<f64>,
}

impl Gear {
    /// A gear wheel with this number of teeth, pitch radius (m) and addendum (m), the default
    /// backlash and no bore.
    pub fn new(teeth: usize, pitch_radius: f64, addendum: f64) -> Self {
        Self {
            teeth,
            pitch_radius,
            addendum,
            backlash: default_backlash(),
            bore: None,
        }
    }
}

impl From<&Gear> for Teeth {
    /// Teeth of the wheel, without its bore.
    fn from(gear: &Gear) -> Self {
        Self {
            count: gear.teeth,
            pitch_radius: gear.pitch_radius,
            addendum: gear.addendum,
            backlash: gear.backlash,
        }
    }
}

/// Default of the backlash (1).
fn default_backlash() -> f64 {
    0.05
}
