//! Interface of a kind of joint: a residual, as a function of the relative pose of two bodies.

use super::pose::{Bends, RelativePose, Slopes};
use ipcsim_math::{Mat2, Vec2};
use std::fmt::Debug;

/// A function `c(pose)` of one or two components of how two bodies lie to each other, which a joint
/// keeps at zero, or which limits, motors and springs act on.
///
/// The author of a new kind of joint writes this. One of one component leaves the second one 0.
pub trait Constraint: Debug + Send + Sync {
    /// Residual `c` (m; rad for an angle).
    fn residual(&self, pose: &RelativePose) -> Vec2;

    /// Derivative of each component with respect to the vector (1) and to the two arrows (m).
    fn slopes(&self, pose: &RelativePose) -> Slopes;

    /// Second derivative of `force . c` with respect to vector and arrows, for a constant force
    /// (N). The default is zero, for a residual that is linear in them.
    fn curvature(&self, _pose: &RelativePose, _force: Vec2) -> Bends {
        [[Mat2::zeros(); 3]; 3]
    }
}
