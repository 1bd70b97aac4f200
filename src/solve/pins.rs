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
    /// Where coordinates shall be in the end.
    goals: Vec<Target>,
    /// Where they shall be next: a share of the way there.
    targets: Vec<Target>,
    share: f64,
    met: Vec<bool>,
    /// Stiffness of each penalty (kg); 0 until it is chosen.
    stiffness: Vec<f64>,
    /// The largest stiffness of what resists so far (kg).
    resistance: f64,
    growths: usize,
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

impl Pins {
    pub(super) fn new(targets: &[Target], q: &[Vec2]) -> Self {
        Self {
            met: targets
                .iter()
                .map(|t| t.missing(q[t.node]) == Vec2::zeros())
                .collect(),
            stiffness: vec![0.0; targets.len()],
            goals: targets.to_vec(),
            targets: targets.to_vec(),
            share: 1.0,
            resistance: 0.0,
            growths: 0,
        }
    }

    pub(super) fn all_met(&self) -> bool {
        self.met.iter().all(|&met| met)
    }

    fn unmet(&self) -> impl Iterator<Item = (&Target, f64)> {
        let all = self.targets.iter().zip(&self.met).zip(&self.stiffness);
        all.filter(|((_, met), _)| !**met)
            .map(|((target, _), &stiffness)| (target, stiffness))
    }

    /// Marks the components that are at their target.
    pub(super) fn mark_met(&self, prescribed: &mut [[bool; 2]]) {
        prescribed.fill([false; 2]);
        for (target, _) in self.targets.iter().zip(&self.met).filter(|(_, met)| **met) {
            let before = prescribed[target.node];
            prescribed[target.node] = [before[0] || target.axes[0], before[1] || target.axes[1]];
        }
    }

    /// The node that is farthest from its goal, and how far.
    pub(super) fn farthest(&self, q: &[Vec2]) -> (usize, f64) {
        self.goals.iter().fold((0, 0.0), |worst, goal| {
            let distance = goal.missing(q[goal.node]).amax();
            if distance > worst.1 {
                (goal.node, distance)
            } else {
                worst
            }
        })
    }

    /// The way to all targets, and where it ends.
    pub(super) fn way(&self, q: &[Vec2]) -> (Vec<Vec2>, Vec<Vec2>) {
        let (mut p, mut end) = (vec![Vec2::zeros(); q.len()], q.to_vec());
        for (target, _) in self.unmet() {
            p[target.node] = target.missing(q[target.node]) * CLEARANCE;
            for (k, _) in target.axes.iter().enumerate().filter(|(_, axis)| **axis) {
                end[target.node][k] = target.position[k];
            }
        }
        (p, end)
    }

    /// All coordinates are at their targets now, which makes what is left of the way the next target, or a part of it.
    pub(super) fn meet(&mut self, q: &[Vec2]) {
        self.met.fill(true);
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

    fn aim(&mut self, q: &[Vec2], share: f64) {
        self.share = share.min(1.0);
        for ((target, goal), met) in self.targets.iter_mut().zip(&self.goals).zip(&mut self.met) {
            let missing = goal.missing(q[goal.node]);
            *met = missing == Vec2::zeros();
            target.position = if self.share < 1.0 {
                q[goal.node] + missing * self.share
            } else {
                goal.position
            };
        }
    }

    /// Gives penalties that have none yet a stiffness, from what resists the motion of their nodes (kg).
    pub(super) fn choose_stiffness(&mut self, of_node: impl Fn(usize) -> f64) {
        for ((target, stiffness), _) in self
            .targets
            .iter()
            .zip(&mut self.stiffness)
            .zip(&self.met)
            .filter(|((_, k), met)| !**met && **k <= 0.0)
        {
            *stiffness = FIRST_STIFFNESS * of_node(target.node);
        }
    }

    /// Whether a direction goes a good part of what a coordinate is short of its target.
    pub(super) fn approached_by(&self, p: &[Vec2], q: &[Vec2]) -> bool {
        let goes = |(target, _): (&Target, f64)| {
            let missing = target.missing(q[target.node]);
            p[target.node].dot(&missing) > APPROACH * missing.norm_squared()
        };
        self.unmet().any(goes)
    }

    /// Notes how stiff what resists is (kg).
    pub(super) fn note_resistance(&mut self, stiffness: f64) {
        self.resistance = self.resistance.max(stiffness);
    }

    /// Makes all penalties stiffer, unless that has been done too often; returns whether it did.
    pub(super) fn stiffen(&mut self) -> bool {
        self.growths += 1;
        self.stiffness.iter_mut().for_each(|k| *k *= GROWTH);
        let stiffest = self.unmet().map(|(_, k)| k).fold(0.0, f64::max);
        self.growths <= MAX_GROWTHS || stiffest <= DOMINANCE * self.resistance
    }

    pub(super) fn value(&self, q: &[Vec2]) -> f64 {
        self.unmet()
            .map(|(t, k)| 0.5 * k * t.missing(q[t.node]).norm_squared())
            .sum()
    }

    pub(super) fn add_gradient(&self, q: &[Vec2], gradient: &mut [Vec2]) {
        for (t, k) in self.unmet() {
            gradient[t.node] -= t.missing(q[t.node]) * k;
        }
    }

    /// The second derivative: nodes and the diagonal of their blocks.
    pub(super) fn diagonal(&self) -> impl Iterator<Item = (usize, Vec2)> {
        self.unmet().map(|(t, k)| {
            (
                t.node,
                Vec2::from(t.axes.map(|axis| if axis { k } else { 0.0 })),
            )
        })
    }
}
