//! Hands: springs that hold points of bodies, as a person drags a body with a pointer.

use super::is_default;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A hand that holds a point of a body by a spring, or lets go of it. Its force is the stiffness times the
/// distance of the point from the place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// Name of the hand. Another change with this name moves it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub name: String,
    /// Name of the body that it holds; without a body it lets go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Point of the body (m), where it is at rest, as of a probe.
    #[serde(default, skip_serializing_if = "is_default")]
    pub at: [f64; 2],
    /// Place (m) to which it pulls the point.
    #[serde(default, skip_serializing_if = "is_default")]
    pub to: [f64; 2],
    /// Stiffness of the spring (N/m); 0 lets go.
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0)]
    pub stiffness: f64,
    /// Largest force (N); without it any force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub force: Option<f64>,
}

/// Name of a hand, where a scene has only one.
fn one() -> String {
    "hand".to_owned()
}

/// True for the name of the only hand.
fn is_one(name: &String) -> bool {
    *name == one()
}

impl Hand {
    /// A hand of the default name that pulls the point `at` of a body (m at rest) to a place (m) with a
    /// stiffness (N/m).
    pub fn new(body: impl Into<String>, at: [f64; 2], to: [f64; 2], stiffness: f64) -> Self {
        Self {
            name: one(),
            body: Some(body.into()),
            at,
            to,
            stiffness,
            force: None,
        }
    }

    /// A hand that lets go.
    pub fn free(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            body: None,
            at: [0.0; 2],
            to: [0.0; 2],
            stiffness: 0.0,
            force: None,
        }
    }

    /// The body that it holds, if any.
    pub fn held(&self) -> Option<&str> {
        let body = self.body.as_deref();
        body.filter(|_| self.stiffness > 0.0)
    }
}
