//! A quantity: its names, its unit, and the function that gives its value.

use super::Moment;
use crate::body::Body;
use crate::fields::Field;
use crate::time::Record;

/// A number of a state, or a field of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Name in tables and conditions.
    pub name: &'static str,
    /// A second name in conditions, if there is one.
    pub short: Option<&'static str>,
    /// Unit; 1 for a plain number.
    pub unit: &'static str,
    /// Meaning in a sentence.
    pub meaning: &'static str,
    /// Number that comparisons take where the quantity is undefined.
    pub undefined: f64,
    /// True if it counts things.
    pub is_count: bool,
    /// Owner of the quantity, with the function that gives its value.
    pub of: Of,
}

/// Owner of a quantity, with the function that gives its value; `None` where it is undefined.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// The whole scene, by the record of a state.
    Record(fn(&Record) -> Option<f64>),
    /// The whole scene, by the states before and after a step.
    Step(fn(&Moment) -> Option<f64>),
    /// A body or obstacle.
    Body(fn(&Moment, &Body) -> Option<f64>),
    /// Points of bodies: a field.
    Points(&'static Field),
}

impl Quantity {
    /// A quantity that is undefined nowhere, or is NaN in comparisons there.
    pub(super) const fn new(
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        of: Of,
    ) -> Self {
        Self {
            name,
            short: None,
            unit,
            meaning,
            undefined: f64::NAN,
            is_count: false,
            of,
        }
    }

    /// A number of things, of the whole scene.
    pub(super) const fn count(
        name: &'static str,
        meaning: &'static str,
        at: fn(&Record) -> Option<f64>,
    ) -> Self {
        Self {
            is_count: true,
            ..Self::new(name, "1", meaning, Of::Record(at))
        }
    }

    /// A field as a quantity.
    pub(super) const fn of_points(field: &'static Field) -> Self {
        Self::new(field.key, field.unit, field.meaning, Of::Points(field))
    }

    /// The same, with a second name.
    pub(super) const fn or(self, short: &'static str) -> Self {
        Self {
            short: Some(short),
            ..self
        }
    }

    /// The same, which counts as `undefined` in comparisons where it is undefined.
    pub(super) const fn else_as(self, undefined: f64) -> Self {
        Self { undefined, ..self }
    }

    /// Its names, the shorter one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.short.into_iter().chain([self.name])
    }

    /// True if the quantity has this name.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }

    /// Value for the whole scene; `None` if it is undefined, or no quantity of the scene.
    pub fn at(&self, moment: &Moment) -> Option<f64> {
        match self.of {
            Of::Step(at) => at(moment),
            Of::Record(at) => at(moment.record?),
            Of::Body(_) | Of::Points(_) => None,
        }
    }

    /// Value by a record; `None` if it is undefined, or follows from more than the record.
    pub fn in_record(&self, record: &Record) -> Option<f64> {
        match self.of {
            Of::Record(at) => at(record),
            Of::Step(_) | Of::Body(_) | Of::Points(_) => None,
        }
    }

    /// Value for a body; `None` if it is undefined, or no quantity of bodies.
    pub fn at_body(&self, moment: &Moment, body: &Body) -> Option<f64> {
        match self.of {
            Of::Body(at) => at(moment, body),
            Of::Record(_) | Of::Step(_) | Of::Points(_) => None,
        }
    }
}
