//! Pairs of bodies that are drawn with an overlap that is meant, as press fits are.

use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Two bodies that overlap as drawn, on purpose: a shaft and a bore that is too narrow for it. One of them
/// starts smaller, or larger, so far that nothing overlaps, and then takes on its drawn size. Its shape at
/// rest at the end is the drawn one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Interference {
    /// Names of two bodies, or of a body and an obstacle. The name of a body with `copies` stands for all
    /// of them.
    pub between: [String; 2],
    /// Time at which the drawn size is reached (s); if absent the end of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub until: Option<f64>,
    /// Name of the one whose size changes, a deformable body. If absent it is the first of the two that
    /// gets free, smaller if that helps, or else larger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resize: Option<String>,
    /// Point about which the size changes (m). If absent it is the centre of mass, or for a body with held
    /// vertices a point on the line of these, so that they stay where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<[f64; 2]>,
}

impl Interference {
    /// Two bodies that overlap as drawn, by name, until the end of the run.
    pub fn new(a: impl Into<String>, b: impl Into<String>) -> Self {
        Self {
            between: [a.into(), b.into()],
            until: None,
            resize: None,
            about: None,
        }
    }
}
