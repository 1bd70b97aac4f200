//! Forces on nodes, as functions of time.

use crate::math::Vec2;
use std::fmt::Debug;

/// A force as a function of time. A [`Vec2`] is a constant force.
pub trait Course: Debug + Send + Sync {
    /// Force at time `t` in s (N; on the angle of a rigid body the torque in N m, and 0).
    fn at(&self, t: f64) -> Vec2;
}

impl Course for Vec2 {
    fn at(&self, _t: f64) -> Vec2 {
        *self
    }
}

/// A force on one node.
#[derive(Debug)]
pub struct Load {
    /// Node that the force acts on.
    pub node: usize,
    /// Force as a function of time.
    pub force: Box<dyn Course>,
}

impl Load {
    /// A constant force (N; on the angle of a rigid body the torque in N m, and 0).
    pub fn constant(node: usize, force: Vec2) -> Self {
        let force = Box::new(force);
        Self { node, force }
    }
}
