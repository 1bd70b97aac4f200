//! Sections at which bodies are tightened to a force, as bolts are.

use super::Varying;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A section of a deformable body at which it is tightened, as a bolt by its nut: a piece of its shank gets
/// shorter until the force across the section is the one that is given. From the time `lock` on it keeps
/// its length, and other loads change the force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Preload {
    /// Ends of a line across the shank, in the shape (m). It must part the body in two.
    pub section: [[f64; 2]; 2],
    /// Force across the section (N), positive as tension, at the end of each step; of bodies of revolution over
    /// the full turn. A number, a table in time, or a formula of t. Nothing happens while it is 0 at first.
    pub force: Varying,
    /// Time (s) from which on the section keeps its length; if absent it follows the force for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub lock: Option<f64>,
    /// Length of the piece that gets shorter (m), on the left of the line from its first to its second end;
    /// if absent the width of the body there. Nothing else should pull at the piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub length: Option<f64>,
}

impl Preload {
    /// A section between two points of the shape (m) that is tightened to a force (N).
    pub fn new(section: [[f64; 2]; 2], force: impl Into<Varying>) -> Self {
        Self {
            section,
            force: force.into(),
            lock: None,
            length: None,
        }
    }

    /// Lets the section keep its length from a time on (s).
    #[must_use]
    pub fn locked_at(mut self, time: f64) -> Self {
        self.lock = Some(time);
        self
    }
}
