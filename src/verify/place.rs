//! Places in messages.

use ipcsim::math::Vec2;

/// Point in parentheses, for messages.
pub(super) fn at(p: Vec2) -> String {
    format!("({}, {})", p.x, p.y)
}
