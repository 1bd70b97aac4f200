//! Units of the numbers of a scene.

use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Units in which a scene gives its plain numbers, each as text: `{ "length": "mm", "force": "N" }`. All
/// others follow from length, time, and mass or force: stresses are then in N/mm^2. Numbers with a unit,
/// such as "20 mm", have their own. Formulas and conditions are in SI.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Units {
    /// Unit of lengths; if absent the metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<String>,
    /// Unit of masses; if absent the kilogram, or what `force` makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<String>,
    /// Unit of forces, from which the unit of masses follows; it or `mass` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<String>,
    /// Unit of times; if absent the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Unit of pressures and moduli, if another one than force per square of length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<String>,
    /// Unit of densities, if another one than mass per cube of length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<String>,
}
