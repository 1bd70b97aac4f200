//! Numbers of a scene that vary: constant, a table in time, or a formula.
//!
//! In JSON they are a number, an object or a string. A separate reader tells them apart, so that an
//! error within a table keeps its place.

use ipcsim_keys::Keys;
use ipcsim_math::formula::{Formula, FormulaError};
use ipcsim_math::varying;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// A number that may vary: a number, a table in time, or a formula of x, y and t as text, such as
/// "100*sin(2*pi*t)".
#[derive(Clone, Debug, PartialEq, Serialize, Keys)]
#[serde(untagged)]
pub enum Varying {
    /// The same at all times.
    #[key(unit = "of the key")]
    Constant(f64),
    /// A formula with the variables t (time, s), x and y (place at the start, m), the constants pi
    /// and e, the operations + - * / ^, and the functions sin, cos, tan, asin, acos, atan, sinh,
    /// cosh, tanh, exp, ln, log10, sqrt, abs, sign, step (0 below 0, else 1), floor, ceil, min, max
    /// and atan2.
    Formula(String),
    /// Values at times.
    Table(Table),
}

/// Values at times: linear between them, constant before the first and after the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(name = "TimeTable")]
pub struct Table {
    /// Times (s), each later than the one before.
    pub times: Vec<f64>,
    /// Values, one for each time.
    #[key(unit = "of the key")]
    pub values: Vec<f64>,
}

impl Varying {
    /// The number as a function of place and time.
    ///
    /// # Errors
    /// [`FormulaError`] of a text that is not a formula.
    pub fn read(&self) -> Result<varying::Varying, FormulaError> {
        Ok(match self {
            Self::Constant(value) => varying::Varying::Constant(*value),
            Self::Formula(text) => varying::Varying::Formula(Formula::read(text)?),
            Self::Table(Table { times, values }) => varying::Varying::Table(varying::Table {
                times: times.clone(),
                values: values.clone(),
            }),
        })
    }
}

impl From<&varying::Varying> for Varying {
    fn from(number: &varying::Varying) -> Self {
        match number {
            varying::Varying::Constant(value) => Self::Constant(*value),
            varying::Varying::Formula(formula) => Self::Formula(formula.text().to_owned()),
            varying::Varying::Table(table) => Self::Table(Table {
                times: table.times.clone(),
                values: table.values.clone(),
            }),
        }
    }
}

impl From<f64> for Varying {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl From<&str> for Varying {
    /// A formula.
    fn from(text: &str) -> Self {
        Self::Formula(text.to_owned())
    }
}

impl<'de> Deserialize<'de> for Varying {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Tells the three forms of a varying number apart.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Varying;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a formula as text, or a table with times and values")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Varying, E> {
        Ok(Varying::Constant(value))
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "a number of a scene is read as the nearest double"
    )]
    fn visit_i64<E: Error>(self, value: i64) -> Result<Varying, E> {
        Ok(Varying::Constant(value as f64))
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "a number of a scene is read as the nearest double"
    )]
    fn visit_u64<E: Error>(self, value: u64) -> Result<Varying, E> {
        Ok(Varying::Constant(value as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Varying, E> {
        Ok(Varying::from(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Varying, A::Error> {
        Table::deserialize(MapAccessDeserializer::new(map)).map(Varying::Table)
    }
}
