//! Change of the size of a body, from a free one to the drawn one.

use ipcsim_energy::Size;
use ipcsim_math::Vec2;

/// Change of the size of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resizing {
    /// Size over time.
    pub size: Size,
    /// Point about which the body is scaled (m).
    pub about: Vec2,
}

impl Resizing {
    /// Moves positions as drawn (m) to those at the start.
    pub(super) fn resize(&self, x: &mut [Vec2]) {
        for x in x {
            *x = self.about + (*x - self.about) * self.size.from;
        }
    }
}
