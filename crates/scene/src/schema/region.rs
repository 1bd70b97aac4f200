//! Regions of a body that are of another material.
//!
//! Regions share the vertices between them, so that they are bonded without any contact or joint. A
//! seam follows the edges of the mesh: exactly where these are the edges of a part or a group, else
//! along the edges nearest to the curve or formula.

use super::Varying;
use super::curve::Curve;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Triangles of a body that are of another material than the body, and bonded to the others at their
/// common edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Name of the material.
    pub material: String,
    /// Triangles that the region has. A triangle in several regions is in the last of them.
    #[serde(rename = "where")]
    pub place: Where,
    /// Change of temperature of the region (K); if absent the change of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Varying>,
}

/// Triangles of a body, by a name or by where their middles are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Where {
    /// Triangles of a part of an area, or of a group of a mesh or file, with this name.
    Group(String),
    /// Triangles whose middle is inside of this curve, in the shape before it is placed.
    Inside(Curve),
    /// Triangles at whose middle this formula of x and y (m) is positive, in the shape before it is
    /// placed, such as "0.01 - y".
    Positive(String),
}

impl Region {
    /// A region of the material of this name.
    pub fn new(material: impl Into<String>, place: Where) -> Self {
        Self {
            material: material.into(),
            place,
            temperature: None,
        }
    }

    /// Sets the change of temperature (K) by which the region expands.
    #[must_use]
    pub fn heated(mut self, temperature: impl Into<Varying>) -> Self {
        self.temperature = Some(temperature.into());
        self
    }
}
