//! The file of a plan: a scene, and the values that its keys take.
//!
//! Entries of `vary` are independent of each other: their numbers of values multiply, and the last
//! one changes fastest. An entry with several keys changes them together.

use ipcsim::math::elementary::powf;
use ipcsim::scene::{SceneError, typed};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Contents of the file that `ipcsim sweep` reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Scene file (JSON), relative to the plan.
    pub scene: PathBuf,
    /// Values that replace those of the scene in all runs, by key: `"time.steps": 100`.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
    /// Keys whose values differ from run to run.
    #[serde(default)]
    pub vary: Vec<Axis>,
    /// Bodies whose centre, velocity and turn at the end are columns of the table.
    #[serde(default)]
    pub bodies: Vec<String>,
}

/// Keys that vary together, with their values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Axis {
    /// Values of a key, one after the other.
    List {
        /// Path of the value in the scene, as of `ipcsim run --set`.
        key: String,
        /// Further keys that get the same value.
        #[serde(default)]
        also: Vec<String>,
        /// Name of the column in the table, instead of the key.
        #[serde(default)]
        name: Option<String>,
        /// Values of any type that the key takes.
        values: Vec<Value>,
    },
    /// Numbers at equal distances, or with equal ratios, both ends included.
    Range(Range),
    /// Independent random numbers.
    Random(RandomPoints),
    /// Random numbers: each key has exactly one in each of as many equal parts of its interval as
    /// there are runs (`McKay`, Beckman and Conover 1979).
    LatinHypercube(RandomPoints),
    /// Points from a CSV file, relative to the plan: a line of keys, then a line for each point.
    Table(PathBuf),
    /// Points in the plan itself.
    Points {
        /// Path of each value in the scene.
        keys: Vec<String>,
        /// Values of each point, `[points][keys]`.
        values: Vec<Vec<Value>>,
    },
}

/// Numbers at equal distances, or with equal ratios.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// Path of the value in the scene, as of `ipcsim run --set`.
    pub key: String,
    /// Further keys that get the same value.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name of the column in the table, instead of the key.
    #[serde(default)]
    pub name: Option<String>,
    /// First value.
    pub from: f64,
    /// Last value.
    pub to: f64,
    /// Number of values.
    pub count: u64,
    /// Equal differences, or equal ratios.
    #[serde(default)]
    pub scale: Scale,
}

/// Random points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomPoints {
    /// Number of points.
    pub runs: u64,
    /// Seed. The numbers of a key follow from the seed, the key and the number of the point.
    #[serde(default)]
    pub seed: u64,
    /// Keys with their intervals.
    pub over: Vec<Interval>,
}

/// A key and the interval of its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// Path of the value in the scene, as of `ipcsim run --set`.
    pub key: String,
    /// Further keys that get the same value.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name of the column in the table, instead of the key.
    #[serde(default)]
    pub name: Option<String>,
    /// First end of the interval.
    pub from: f64,
    /// Other end of the interval.
    pub to: f64,
    /// Linear, or by equal ratios.
    #[serde(default)]
    pub scale: Scale,
}

/// Way in which an interval is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Equal differences.
    #[default]
    Linear,
    /// Equal ratios; both ends are above 0.
    Log,
}

impl Plan {
    /// Reads the text of a plan.
    ///
    /// # Errors
    /// [`SceneError::Parse`] with line, column and path of the first wrong value.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        typed(text)
    }
}

impl Range {
    /// Key and interval, without the number of values.
    pub(super) fn interval(&self) -> Interval {
        Interval {
            key: self.key.clone(),
            also: self.also.clone(),
            name: self.name.clone(),
            from: self.from,
            to: self.to,
            scale: self.scale,
        }
    }
}

impl Interval {
    /// Value at the fraction `share` (1) of the interval; whole numbers as such, so that they can
    /// count.
    pub(super) fn value(&self, share: f64) -> Value {
        let Self { from, to, .. } = *self;
        let number = match self.scale {
            // Both ends are met exactly.
            _ if share <= 0.0 => from,
            _ if share >= 1.0 => to,
            Scale::Linear => from + (to - from) * share,
            Scale::Log => from * powf(to / from, share),
        };
        whole(number).map_or_else(|| Value::from(number), Value::from)
    }
}

/// The number as an integer, if it is one that a float holds exactly.
fn whole(number: f64) -> Option<i64> {
    let is_whole = number.fract() == 0.0 && number.abs() < 9e15 && number.to_bits() != 1 << 63;
    #[allow(
        clippy::cast_possible_truncation,
        reason = "whole and below the limit of exact integers"
    )]
    is_whole.then_some(number as i64)
}
