//! Derivatives of a number at one step.

use ipcsim::math::Vec2;
use ipcsim::time::linear::Variation;

/// Derivatives of a number at the end of a step.
#[derive(Clone, Debug)]
pub(crate) struct Slopes {
    /// By the state at the end.
    pub(crate) state: Variation,
    /// By the balance of forces on prescribed components.
    pub(crate) held: Vec<Vec2>,
}
