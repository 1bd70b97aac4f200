//! Rigid bodies: a centre of mass and an angle.
//!
//! A rigid body has two nodes. The first is its centre of mass `c` with mass `m`; the second is its
//! angle `theta` with the moment of inertia `I`, beside a component that stays 0. Vertices follow
//! as `x_i = c + R(theta) X_i` (Ferguson et al. 2021, "Intersection-free Rigid Body Dynamics").
//!
//! A script prescribes both nodes. Without one, the coordinates that the scene fixes are held, and
//! forces and torque act on the others.

use super::rules::{Freedom, Rules, ShapeClass};
use crate::schema::Law;

/// The kind of rigid bodies, which has no parameters.
///
/// A rigid body takes every shape but a half-plane, and needs no law: only the density of its
/// material counts.
pub(super) struct Rigid;

impl Rules for Rigid {
    fn name(&self) -> &'static str {
        "rigid"
    }

    fn keys(&self) -> &'static [&'static str] {
        &[
            "torque",
            "fixed",
            "script",
            "mass_from",
            "mass",
            "centre",
            "moment",
            "damping",
        ]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Round
    }

    fn freedom(&self) -> Freedom {
        Freedom::Whole
    }

    fn stiffness(&self, _law: Option<&Law>) -> Option<f64> {
        None
    }
}
