//! Distributions of numbers that are drawn for each copy of a body.
//!
//! | JSON | numbers |
//! |---|---|
//! | `0.01` | the same for all |
//! | `{ "uniform": [0.008, 0.012] }` | between two ends |
//! | `{ "normal": { "mean": 0.01, "deviation": 0.001 } }` | normal, cut |
//! | `{ "lognormal": { "median": 0.01, "deviation": 0.2 } }` | logarithms are normal, cut |
//! | `{ "choice": { "values": [0.008, 0.012] } }` | a list |
//!
//! In JSON a distribution is a number or an object with one key; a separate reader keeps the place of an
//! error within it. How a number is drawn is in `copies/drawn.rs`.

use ipcsim_keys::Keys;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Distribution of a number that is drawn for each copy: a number, which all copies have, or an object
/// with one key.
#[derive(Clone, Debug, PartialEq, Serialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// All numbers between two ends alike: `[0.008, 0.012]`.
    #[key(unit = "of the key")]
    Uniform([f64; 2]),
    /// Normal distribution, cut at both sides.
    Normal(Normal),
    /// Distribution of numbers whose logarithms are normal, cut at both sides.
    Lognormal(Lognormal),
    /// Some numbers, each with its weight.
    Choice(Choice),
    /// The same number for all.
    #[serde(untagged)]
    #[key(unit = "of the key")]
    Constant(f64),
}

/// Normal distribution, cut at both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Normal {
    /// Mean before the cut.
    #[key(unit = "of the key")]
    pub mean: f64,
    /// Standard deviation before the cut.
    #[key(above = 0, unit = "of the key")]
    pub deviation: f64,
    /// Smallest number; three deviations below the mean if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(unit = "of the key")]
    pub min: Option<f64>,
    /// Largest number; three deviations above the mean if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(unit = "of the key")]
    pub max: Option<f64>,
}

/// Distribution of numbers whose logarithms are normal, cut at both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Lognormal {
    /// Median before the cut: half of the numbers are smaller.
    #[key(above = 0, unit = "of the key")]
    pub median: f64,
    /// Standard deviation of the natural logarithm (1): 0.2 means sizes that differ by about 20 %.
    #[key(above = 0, at_most = 10)]
    pub deviation: f64,
    /// Smallest number; three deviations of the logarithm below if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0, unit = "of the key")]
    pub min: Option<f64>,
    /// Largest number; three deviations of the logarithm above if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0, unit = "of the key")]
    pub max: Option<f64>,
}

/// Some numbers, each with its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The numbers.
    #[key(unit = "of the key")]
    pub values: Vec<f64>,
    /// Weight of each (1), in any scale; if absent all are alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[key(at_least = 0)]
    pub weights: Vec<f64>,
}

impl From<f64> for Distribution {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

/// Key of a distribution that is an object.
#[derive(Deserialize)]
#[serde(variant_identifier, rename_all = "snake_case")]
enum Key {
    /// All numbers between two ends alike.
    Uniform,
    /// Normal distribution.
    Normal,
    /// Normal distribution of logarithms.
    Lognormal,
    /// Some numbers.
    Choice,
}

impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Tells numbers from objects.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Distribution;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or an object with one key: uniform, normal, lognormal or choice")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Distribution, E> {
        Ok(Distribution::Constant(value))
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "a number of a scene is read as the nearest double"
    )]
    fn visit_i64<E: Error>(self, value: i64) -> Result<Distribution, E> {
        Ok(Distribution::Constant(value as f64))
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "a number of a scene is read as the nearest double"
    )]
    fn visit_u64<E: Error>(self, value: u64) -> Result<Distribution, E> {
        Ok(Distribution::Constant(value as f64))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Distribution, A::Error> {
        let Some(key) = map.next_key::<Key>()? else {
            return Err(A::Error::custom(
                "missing key: a distribution has one, such as uniform or normal",
            ));
        };
        let distribution = match key {
            Key::Uniform => Distribution::Uniform(map.next_value()?),
            Key::Normal => Distribution::Normal(map.next_value()?),
            Key::Lognormal => Distribution::Lognormal(map.next_value()?),
            Key::Choice => Distribution::Choice(map.next_value()?),
        };

        if map.next_key::<IgnoredAny>()?.is_some() {
            let message = "a distribution has one key; list sizes and weights by choice";
            return Err(A::Error::custom(message));
        }
        Ok(distribution)
    }
}
