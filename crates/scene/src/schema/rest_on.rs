//! Bodies that are put on something at the start.

use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// What a body lies on at the start. It is turned with the surface there, and moved along the normal
/// until it nearly touches. `position` then only says where, if `at` does not, and `rotation_deg` counts from the
/// surface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct RestOn {
    /// Name of an obstacle, or of another body, which may rest on something itself.
    pub body: String,
    /// Place in the shape of that body or obstacle, before it is moved and turned (m); on a half-plane
    /// the first number counts along its line from its origin. The nearest point of the surface counts.
    /// If absent it is the point nearest to the `position` of the body that is put there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 2]>,
    /// Gap to the surface (m), besides `contact.min_separation`; if absent `contact.d_hat`, or 0.005 of the
    /// size of the smaller of the two, at which they begin to repel each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub gap: Option<f64>,
}
