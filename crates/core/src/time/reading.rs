//! Reading of a measure at the end of a step.

use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// Value of a measure at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Value, in the unit of the measure.
    pub value: f64,
    /// Where it was found (m), if it is the largest or smallest of several places.
    pub place: Option<Vec2>,
}

impl Reading {
    /// A value without a place.
    pub fn of(value: f64) -> Self {
        Self { value, place: None }
    }
}
