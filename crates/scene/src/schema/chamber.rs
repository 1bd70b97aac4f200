//! Chambers: gas that walls of bodies enclose, and pipes between them.

use super::{Selection, Varying, examples};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Gas in a closed chamber, whose pressure follows its volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::chamber())]
pub struct Chamber {
    /// Name in tables and conditions.
    pub name: String,
    /// Walls: the hole of a body, a closed rod, or parts of several bodies, which are joined end to
    /// end where these are nearest to each other, by straight sides across the gaps.
    pub walls: Vec<Wall>,
    /// Pressure at the start; if absent that which `fill` holds then, or else the ambient pressure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<StartPressure>,
    /// Exponent (1) of the volume: the product of pressure and its power stays. 1 for a constant
    /// temperature, 1.4 for air that exchanges no heat.
    #[serde(default = "isothermal")]
    #[key(at_least = 1, at_most = 10)]
    pub gamma: f64,
    /// Gas that is filled in over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<Filling>,
}

/// At a constant temperature.
fn isothermal() -> f64 {
    1.0
}

/// A part of the outline of a chamber: edges of a body or an obstacle, or a rod.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Name of the body or obstacle; a copy has its number, such as "disk 3".
    pub body: String,
    /// Vertices of the wall: edges of the outline with both ends among them. If absent the whole rod, the
    /// holes of a body that has some, or else its whole outline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<Selection>,
}

/// Pressure of a gas at the start, absolute or over the ambient pressure: one of both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(
    deny_unknown_fields,
    expecting = "{ \"gauge\": .. }, over the ambient pressure, or { \"absolute\": .. }"
)]
pub struct StartPressure {
    /// Pressure over the ambient one (Pa); negative below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gauge: Option<f64>,
    /// Absolute pressure (Pa).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub absolute: Option<f64>,
}

/// Gas that is filled into a chamber, or taken out, over time: an amount, or as much as a regulator takes to
/// hold a pressure. Exactly one of `amount`, `gauge` and `absolute`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Filling {
    /// Amount of gas that has been added by a time: its volume at 101325 Pa (m^3), in the whole `thickness`.
    /// Where it falls gas is taken out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Varying>,
    /// Pressure over the ambient one (Pa) that a regulator holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gauge: Option<Varying>,
    /// Absolute pressure (Pa) that a regulator holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absolute: Option<Varying>,
    /// Time after which the regulator holds the pressure (s); if absent from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Time at which the regulator closes, and the gas stays (s); if absent never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

/// An open pipe between two chambers, which then have one pressure; with a resistance gas flows slowly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Pipe {
    /// Names of the two chambers.
    pub between: [String; 2],
    /// Time after which its valve is open (s); if absent from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Time at which its valve closes (s); if absent never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// Difference of pressure for each flow of gas (Pa s/m^3), as the volume at 101325 Pa in a second. If absent the
    /// gas flows at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub resistance: Option<f64>,
}

impl Chamber {
    /// A chamber of gas at a constant temperature and the ambient pressure, without walls.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            walls: Vec::new(),
            pressure: None,
            gamma: isothermal(),
            fill: None,
        }
    }

    /// Adds a wall: the rod, the holes or the outline of a body or obstacle.
    #[must_use]
    pub fn with_wall(mut self, body: impl Into<String>, on: Option<Selection>) -> Self {
        let body = body.into();
        self.walls.push(Wall { body, on });
        self
    }
}
