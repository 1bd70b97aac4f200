//! All constraints that joints are made of, as one value that is stored with a run.

use super::epicyclic::Epicyclic;
use super::gear::Gear;
use super::hinge::Hinge;
use super::measure::{Along, Turned};
use super::pose::{Bends, RelativePose, Slopes};
use super::rack::Rack;
use super::residual::Constraint;
use super::rod::DistanceConstraint;
use super::slider::Slider;
use super::slot::Slot;
use super::tie::Tie;
use super::weld::Alike;
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// A constraint of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Two points in one place.
    Hinge(Hinge),
    /// Two points at a distance.
    Rod(DistanceConstraint),
    /// A point on a line.
    Slot(Slot),
    /// A body along a line.
    Slider(Slider),
    /// Two bodies that turn alike.
    Alike(Alike),
    /// Two bodies that turn at a ratio.
    Gear(Gear),
    /// Two bodies that turn at a ratio on a carrier that turns.
    Epicyclic(Epicyclic),
    /// A body that rolls along a line of another.
    Rack(Rack),
    /// How far one body has turned against the other.
    Turned(Turned),
    /// How far a point has moved along a line.
    Along(Along),
    /// A sum of displacements.
    Tie(Tie),
}

impl Rule {
    /// The constraint itself.
    fn constraint(&self) -> &dyn Constraint {
        match self {
            Self::Hinge(one) => one,
            Self::Rod(one) => one,
            Self::Slot(one) => one,
            Self::Slider(one) => one,
            Self::Alike(one) => one,
            Self::Gear(one) => one,
            Self::Epicyclic(one) => one,
            Self::Rack(one) => one,
            Self::Turned(one) => one,
            Self::Along(one) => one,
            Self::Tie(one) => one,
        }
    }

    /// For each of the two bodies, true if its arrow counts.
    pub fn needs_arrows(&self) -> [bool; 2] {
        match self {
            Self::Hinge(_) | Self::Rod(_) | Self::Tie(_) => [false, false],
            Self::Slot(_) | Self::Along(_) => [true, false],
            Self::Slider(_)
            | Self::Alike(_)
            | Self::Gear(_)
            | Self::Epicyclic(_)
            | Self::Rack(_)
            | Self::Turned(_) => [true, true],
        }
    }

    /// Length (m) by which the angle that a weld or gears keep becomes a residual, and by which the
    /// force in the residual is a moment on the first body; `None` for all others.
    pub fn arm(&self) -> Option<f64> {
        match self {
            Self::Alike(alike) => Some(alike.arm),
            Self::Gear(gear) => Some(gear.arm),
            Self::Epicyclic(gear) => Some(gear.arm),
            _ => None,
        }
    }

    /// True if the residual is a linear function of the positions of vertices.
    pub fn is_linear(&self) -> bool {
        matches!(self, Self::Hinge(_) | Self::Tie(_))
    }

    /// True if the number of turns of the two bodies counts.
    pub fn counts_turns(&self) -> bool {
        matches!(
            self,
            Self::Gear(_) | Self::Epicyclic(_) | Self::Rack(_) | Self::Turned(_)
        )
    }

    /// Angles (rad) that a count of turns goes on from: of the two bodies in the world, or on a turning
    /// carrier against the line of their centres.
    pub fn counted(&self, pose: &RelativePose) -> [f64; 2] {
        match self {
            Self::Epicyclic(_) => pose.angles_to_way(),
            _ => [pose.angle(0), pose.angle(1)],
        }
    }
}

impl Constraint for Rule {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        self.constraint().residual(pose)
    }

    fn slopes(&self, pose: &RelativePose) -> Slopes {
        self.constraint().slopes(pose)
    }

    fn curvature(&self, pose: &RelativePose, force: Vec2) -> Bends {
        self.constraint().curvature(pose, force)
    }
}
