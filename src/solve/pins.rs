//! Prescribed positions: coordinates that a step must bring to a target.
//!
//! A coordinate that is at its target is eliminated from the Newton system. Where the way to the targets is free they are
//! taken at once; where contact or elements are in the way a penalty pulls, its stiffness grows whenever Newton's method
//! has converged without meeting the targets, and starts anew with the next step. Where contact cuts directions short again and
//! again the way is gone in smaller pieces: vertices that turn leave the tangent of a contact by the square of a direction's
//! length, and a gap shrinks with every step that is cut short.

use crate::contact::ContactPair;
use crate::math::Vec2;
use thiserror::Error;

/// What a node shall be at the end of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The node.
    pub node: usize,
    /// What it shall be (m; of an angle rad).
    pub position: Vec2,
    /// Which of its two components that holds for.
    pub axes: [bool; 2],
}

/// The penalty reached its largest stiffness without meeting the targets.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error(
    "vertex {vertex} is {distance:.3e} (m or rad) short of its prescribed position, which {} blocks; prescribe a motion that \
     leaves room", blocking(.pair.as_ref())
)]
pub struct Blocked {
    /// A vertex of the coordinate farthest from its target.
    pub vertex: usize,
    /// How far (m; of an angle rad).
    pub distance: f64,
    /// The nearest pair of those that touch the same body.
    pub pair: Option<ContactPair>,
}

fn blocking(pair: Option<&ContactPair>) -> String {
    pair.map_or_else(
        || "something".to_owned(),
        |pair| format!("contact of {pair}"),
    )
}

/// The targets of a step and the penalty `1/2 k_i |q_i - target_i|^2` (J s^2) of those not met yet.
#[derive(Clone, Debug)]
pub(super) struct Pins {
    pins: Vec<Pin>,
    /// Share of the way to the goals that is aimed at.
    share: f64,
    /// The largest stiffness of what resists so far (kg).
    resistance: f64,
    growths: usize,
}

/// One prescribed node.
#[derive(Clone, Copy, Debug)]
struct Pin {
    /// What the node shall be in the end.
    goal: Target,
    /// What it shall be next: a share of the way there.
    target: Target,
    /// True if it is at its target.
    is_met: bool,
    /// Stiffness of the penalty (kg); 0 until it is chosen.
    stiffness: f64,
}

/// Stiffness of a new penalty relative to the mass that it has to move.
const FIRST_STIFFNESS: f64 = 1e3;
/// Factor by which the stiffness grows.
const GROWTH: f64 = 10.0;
/// How often it may grow in any case; it may go on until it is this much stiffer than what resists.
const MAX_GROWTHS: usize = 8;
const DOMINANCE: f64 = 1e3;
/// Share of the way to the goals that is aimed at where all of it leads into contact too fast, again and again.
const SHORTENING: f64 = 0.25;
/// Share below which it is not shortened any more.
const LEAST_SHARE: f64 = 1e-6;
/// Share of what is missing that a direction must go to be worth going, however slow it is.
const APPROACH: f64 = 0.5;
/// A way counts as free if there is still room when it is this much longer.
const CLEARANCE: f64 = 1.25;

impl Target {
    /// What `q`, the node's coordinates, is short of the target.
    fn missing(&self, q: Vec2) -> Vec2 {
        let d = self.position - q;
        Vec2::new(
            if self.axes[0] { d.x } else { 0.0 },
            if self.axes[1] { d.y } else { 0.0 },
        )
    }
}

impl Pin {
    /// The prescribed node.
    fn node(&self) -> usize {
        self.goal.node
    }

    /// What the node is short of its target.
    fn missing(&self, q: &[Vec2]) -> Vec2 {
        self.target.missing(q[self.node()])
    }
}

impl Pins {
    /// The pins of coordinates `q` to `targets`.
    pub(super) fn new(targets: &[Target], q: &[Vec2]) -> Self {
        let pin = |target: &Target| Pin {
            goal: *target,
            target: *target,
            is_met: target.missing(q[target.node]) == Vec2::zeros(),
            stiffness: 0.0,
        };
        Self {
            pins: targets.iter().map(pin).collect(),
            share: 1.0,
            resistance: 0.0,
            growths: 0,
        }
    }

    /// True if every prescribed coordinate is at its target.
    pub(super) fn all_met(&self) -> bool {
        self.pins.iter().all(|pin| pin.is_met)
    }

    fn unmet(&self) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(|pin| !pin.is_met)
    }

    /// Marks the components that are at their target.
    pub(super) fn mark_met(&self, prescribed: &mut [[bool; 2]]) {
        prescribed.fill([false; 2]);
        for pin in self.pins.iter().filter(|pin| pin.is_met) {
            for (marked, axis) in prescribed[pin.node()].iter_mut().zip(pin.target.axes) {
                *marked |= axis;
            }
        }
    }

    /// The node that is farthest from its goal, and how far.
    pub(super) fn farthest(&self, q: &[Vec2]) -> (usize, f64) {
        self.pins.iter().fold((0, 0.0), |worst, pin| {
            let distance = pin.goal.missing(q[pin.node()]).amax();
            if distance > worst.1 {
                (pin.node(), distance)
            } else {
                worst
            }
        })
    }

    /// Writes the way `p` to all targets, a little longer than it is, and the coordinates `end` where it ends.
    pub(super) fn way(&self, q: &[Vec2], p: &mut [Vec2], end: &mut [Vec2]) {
        p.fill(Vec2::zeros());
        end.copy_from_slice(q);
        for pin in self.unmet() {
            let node = pin.node();
            p[node] = pin.missing(q) * CLEARANCE;
            for axis in (0..2).filter(|&axis| pin.target.axes[axis]) {
                end[node][axis] = pin.target.position[axis];
            }
        }
    }

    /// All coordinates are at their targets now, which makes what is left of the way the next target, or a part of it.
    pub(super) fn meet(&mut self, q: &[Vec2]) {
        self.pins.iter_mut().for_each(|pin| pin.is_met = true);
        if self.share < 1.0 {
            self.aim(q, SHORTENING.recip() * self.share);
        }
    }

    /// Aims at a smaller share of the way to the goals, unless that has become too small; returns whether it did.
    pub(super) fn shorten(&mut self, q: &[Vec2]) -> bool {
        let share = SHORTENING * self.share;
        if share >= LEAST_SHARE {
            self.aim(q, share);
        }
        share >= LEAST_SHARE
    }

    /// Aims at a share of the way to the goals.
    fn aim(&mut self, q: &[Vec2], share: f64) {
        self.share = share.min(1.0);
        for pin in &mut self.pins {
            let start = q[pin.node()];
            let missing = pin.goal.missing(start);
            pin.is_met = missing == Vec2::zeros();
            pin.target.position = if self.share < 1.0 {
                start + missing * self.share
            } else {
                pin.goal.position
            };
        }
    }

    /// Gives penalties that have none yet a stiffness, from what resists the motion of their nodes (kg).
    pub(super) fn choose_stiffness(&mut self, of_node: impl Fn(usize) -> f64) {
        let is_soft = |pin: &&mut Pin| !pin.is_met && pin.stiffness <= 0.0;
        for pin in self.pins.iter_mut().filter(is_soft) {
            pin.stiffness = FIRST_STIFFNESS * of_node(pin.node());
        }
    }

    /// Whether a direction goes a good part of what a coordinate is short of its target.
    pub(super) fn approached_by(&self, p: &[Vec2], q: &[Vec2]) -> bool {
        self.unmet().any(|pin| {
            let missing = pin.missing(q);
            p[pin.node()].dot(&missing) > APPROACH * missing.norm_squared()
        })
    }

    /// Notes how stiff what resists is (kg).
    pub(super) fn note_resistance(&mut self, stiffness: f64) {
        self.resistance = self.resistance.max(stiffness);
    }

    /// Makes all penalties stiffer, unless that has been done too often; returns whether it did.
    pub(super) fn stiffen(&mut self) -> bool {
        self.growths += 1;
        self.pins.iter_mut().for_each(|pin| pin.stiffness *= GROWTH);
        let stiffest = self.unmet().map(|pin| pin.stiffness).fold(0.0, f64::max);
        self.growths <= MAX_GROWTHS || stiffest <= DOMINANCE * self.resistance
    }

    /// Sum of the penalties (J s^2).
    pub(super) fn value(&self, q: &[Vec2]) -> f64 {
        let penalty = |pin: &Pin| 0.5 * pin.stiffness * pin.missing(q).norm_squared();
        self.unmet().map(penalty).sum()
    }

    /// Adds the derivatives of the penalties.
    pub(super) fn add_gradient(&self, q: &[Vec2], gradient: &mut [Vec2]) {
        for pin in self.unmet() {
            gradient[pin.node()] -= pin.missing(q) * pin.stiffness;
        }
    }

    /// The second derivative: nodes and the diagonal of their blocks.
    pub(super) fn diagonal(&self) -> impl Iterator<Item = (usize, Vec2)> {
        self.unmet().map(|pin| {
            let along = |axis| if axis { pin.stiffness } else { 0.0 };
            (pin.node(), Vec2::from(pin.target.axes.map(along)))
        })
    }
}
