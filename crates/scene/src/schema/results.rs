//! Results that a run writes on request: fields for viewers, and values at points.

use super::Selection;
use super::{examples, is_default};
use ipcsim_keys::Keys;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Files with fields of the written states, for `ParaView` and other viewers: `fields.pvd` with the
/// times, and a file of each state in `fields`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::vtu())]
pub struct Vtu {
    /// Written states (`output.every`) from one file to the next; the last step always has a file.
    #[serde(default = "default_every")]
    #[key(at_least = 1)]
    pub every: usize,
    /// Names of the fields in the files; all of them if the list is empty. They are `displacement`,
    /// `velocity`, `cauchy_stress`, `von_mises`, `principal_stress`, `green_strain`,
    /// `plastic_strain`, `contact_force`, `friction_force`, `contact_pressure`, `body` and `material`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fields: Vec<String>,
}

impl Default for Vtu {
    /// All fields of all written states.
    fn default() -> Self {
        Self {
            every: default_every(),
            fields: Vec::new(),
        }
    }
}

/// A point of a body, or several vertices, whose motion and stress `probes.csv` lists for every
/// written state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::probe())]
pub struct Probe {
    /// Name of the probe in the table.
    pub name: String,
    /// Name of the body or obstacle.
    pub body: String,
    /// Place of the point in the scene (m), where the body is at rest: before it is stretched at the
    /// start. The point then moves with the material. Either this or `vertices` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 2]>,
    /// Vertices of the body, with a row for each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Selection>,
}

/// A line through a body at rest, at whose points `sections.csv` lists motion and stress for every
/// written state. The points move with the material; points outside of the body are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::section())]
pub struct Section {
    /// Name of the section in the table.
    pub name: String,
    /// Name of the body or obstacle.
    pub body: String,
    /// First point of the line (m).
    pub from: [f64; 2],
    /// Last point of the line (m).
    pub to: [f64; 2],
    /// Number of points, at equal distances from the first to the last.
    #[serde(default = "default_points")]
    #[key(at_least = 2, limit = 1_000_000)]
    pub points: usize,
}

impl Section {
    /// Default of the number of points.
    pub const POINTS: usize = 50;
}

/// Default of the number of points of a section.
fn default_points() -> usize {
    Section::POINTS
}

/// Default of the written states from one file to the next.
fn default_every() -> usize {
    1
}

/// Reads `true`, `false` or the keys of [`Vtu`].
///
/// # Errors
/// The error of the format, for any other value.
pub(super) fn vtu<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vtu>, D::Error> {
    deserializer.deserialize_any(TrueOrKeys)
}

/// Reader of `true`, `false` or the keys of [`Vtu`].
struct TrueOrKeys;

impl<'de> Visitor<'de> for TrueOrKeys {
    type Value = Option<Vtu>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("true, false or an object, { ... }")
    }

    fn visit_bool<E>(self, is_wanted: bool) -> Result<Self::Value, E> {
        Ok(is_wanted.then(Vtu::default))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Self::Value, M::Error> {
        Vtu::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }
}
