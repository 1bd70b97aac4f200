//! Controls: sliders that a scene has in the live page.

use super::Parameter;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A slider of the live page, which sets a number of a parameter between steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Words beside the slider.
    pub label: String,
    /// Parameter that it sets, as in `changes`.
    pub set: Parameter,
    /// Key of the number within the parameter, such as `gravity[1]`, `load.factor` or
    /// `joint.motor.speed_deg`. It begins with the value that `set` has there.
    pub number: String,
    /// Left end of the slider.
    #[key(unit = "of the number")]
    pub min: f64,
    /// Right end of the slider.
    #[key(unit = "of the number")]
    pub max: f64,
    /// Unit that is shown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Largest change of the number in a second; without it the number changes at once. Obstacles are
    /// moved with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0, unit = "of the number a second")]
    pub rate: Option<f64>,
}

impl Control {
    /// Place of the number in the JSON of the parameter, as a pointer: `gravity[1]` is `/gravity/1`.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for key in self.number.split(['.', '[']) {
            pointer.push('/');
            pointer += key.trim_end_matches(']');
        }
        pointer
    }

    /// The number that it begins with; `None` if its key leads to none.
    pub fn value(&self) -> Option<f64> {
        let set = serde_json::to_value(&self.set).ok()?;
        set.pointer(&self.pointer())?.as_f64()
    }
}
