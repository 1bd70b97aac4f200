//! Forces on nodes, as functions of time.
//!
//! A load gives its force at any time, so nothing of it is frozen when the world is built. Gravity
//! is not a load: it is an acceleration, and acts on nodes through [`super::Kinematics::lift`].
//!
//! A new force on nodes implements [`TimeFunction`]. Its key and its check are in `schema/body.rs`
//! and `check/body.rs` of the crate `ipcsim-scene`, its nodes in `assemble/mod.rs`, and its part of
//! the default stiffness of contact in `assemble/derive/traits.rs`.

use ipcsim_math::Vec2;
use std::fmt::Debug;

/// Course of a force in time. A [`Vec2`] is a constant force.
pub trait TimeFunction: Debug + Send + Sync {
    /// Force at time `t` in s (N). On the angle of a rigid body it is the torque in N m, and 0.
    fn at(&self, t: f64) -> Vec2;
}

impl TimeFunction for Vec2 {
    fn at(&self, _t: f64) -> Vec2 {
        *self
    }
}

/// A force on one node, constant or a function of time.
#[derive(Debug)]
pub struct Load {
    /// Number of the node that the force acts on.
    pub node: usize,
    /// Force as a function of time.
    pub force: Box<dyn TimeFunction>,
}

impl Load {
    /// A constant force on `node` (N). On the angle of a rigid body it is the torque in N m, and 0.
    pub fn constant(node: usize, force: Vec2) -> Self {
        let force = Box::new(force);
        Self { node, force }
    }
}
