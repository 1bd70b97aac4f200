//! Bodies whose displacements are sums of the softest modes of vibration.
//!
//! Modes are the displacement fields `phi` with `K phi = omega^2 M phi` and the smallest `omega`,
//! for the stiffness `K` of the body at rest. The first three are the rigid motions. Energy is that
//! of the full mesh, evaluated at the displaced vertices, so that only the number of unknowns
//! shrinks (the free physics-based simulation book, chapter on reduced-order models).

use super::rules::{Freedom, Rules, ShapeClass};
use crate::schema::Modal;

impl Rules for Modal {
    fn name(&self) -> &'static str {
        "modal"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["regions", "temperature"]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Meshed
    }

    fn freedom(&self) -> Freedom {
        Freedom::Fields(self.modes as f64)
    }

    fn allows_springs(&self) -> bool {
        false
    }
}
