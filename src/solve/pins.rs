//! Prescribed positions: vertices that a step must bring to a target.
//!
//! A vertex that is at its target is eliminated from the Newton system. Where the way to the targets is free they are
//! taken at once; where contact or elements are in the way a penalty pulls, its stiffness grows whenever Newton's method
//! has converged without meeting the targets, and starts anew with the next step.

use crate::math::Vec2;
use thiserror::Error;

/// A position that a vertex shall have at the end of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The vertex.
    pub vertex: usize,
    /// Where it shall be (m).
    pub position: Vec2,
}

/// The penalty reached its largest stiffness without meeting the targets.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("vertex {vertex} is {distance:.3e} m short of its prescribed position, which something blocks")]
pub struct Blocked {
    /// The vertex farthest from its target.
    pub vertex: usize,
    /// How far (m).
    pub distance: f64,
}

/// The targets of a step and the penalty `1/2 k_i |x_i - target_i|^2` (J s^2) of those not met yet.
#[derive(Clone, Debug)]
pub(super) struct Pins {
    targets: Vec<Target>,
    met: Vec<bool>,
    /// Stiffness of each penalty (kg); 0 until it is chosen.
    stiffness: Vec<f64>,
    growths: usize,
}

/// Stiffness of a new penalty relative to that of the vertex it pulls.
const FIRST_STIFFNESS: f64 = 1e3;
/// Factor by which the stiffness grows.
const GROWTH: f64 = 10.0;
/// How often it may grow.
const MAX_GROWTHS: usize = 8;
/// A way counts as free if there is still room when it is this much longer.
const CLEARANCE: f64 = 1.25;

impl Pins {
    pub(super) fn new(targets: &[Target], x: &[Vec2]) -> Self {
        Self {
            met: targets.iter().map(|t| x[t.vertex] == t.position).collect(),
            stiffness: vec![0.0; targets.len()],
            targets: targets.to_vec(),
            growths: 0,
        }
    }

    pub(super) fn all_met(&self) -> bool {
        self.met.iter().all(|&met| met)
    }

    fn unmet(&self) -> impl Iterator<Item = (&Target, f64)> {
        let all = self.targets.iter().zip(&self.met).zip(&self.stiffness);
        all.filter(|((_, met), _)| !**met).map(|((target, _), &stiffness)| (target, stiffness))
    }

    /// Marks the vertices that are at their target.
    pub(super) fn mark_met(&self, prescribed: &mut [bool]) {
        for (target, &met) in self.targets.iter().zip(&self.met) {
            prescribed[target.vertex] = met;
        }
    }

    /// The farthest vertex from its target and how far it is (m).
    pub(super) fn farthest(&self, x: &[Vec2]) -> Blocked {
        let none = Blocked { vertex: 0, distance: 0.0 };
        self.unmet().fold(none, |worst, (target, _)| {
            let distance = (x[target.vertex] - target.position).amax();
            if distance > worst.distance { Blocked { vertex: target.vertex, distance } } else { worst }
        })
    }

    /// Moves all vertices to their targets, which makes `y` of `x`, if `free(x, p, y)` says that the way `p`, somewhat longer
    /// than to `y`, is free.
    /// Returns whether it did.
    pub(super) fn settle(
        &mut self,
        x: &mut [Vec2],
        p: &mut [Vec2],
        free: impl FnOnce(&[Vec2], &[Vec2], &[Vec2]) -> bool,
    ) -> bool {
        p.fill(Vec2::zeros());
        let mut y = x.to_vec();
        for (target, _) in self.unmet() {
            p[target.vertex] = (target.position - x[target.vertex]) * CLEARANCE;
            y[target.vertex] = target.position;
        }
        if !free(x, p, &y) {
            return false;
        }
        x.copy_from_slice(&y);
        self.met.fill(true);
        true
    }

    /// Gives penalties that have none yet a stiffness, from that of their vertices.
    pub(super) fn choose_stiffness(&mut self, of_vertex: impl Fn(usize) -> f64) {
        for ((target, stiffness), _) in
            self.targets.iter().zip(&mut self.stiffness).zip(&self.met).filter(|((_, k), met)| !**met && **k <= 0.0)
        {
            *stiffness = FIRST_STIFFNESS * of_vertex(target.vertex);
        }
    }

    /// Makes all penalties stiffer.
    ///
    /// # Errors
    /// The farthest vertex when that has been done too often.
    pub(super) fn stiffen(&mut self, x: &[Vec2]) -> Result<(), Blocked> {
        if self.growths == MAX_GROWTHS {
            return Err(self.farthest(x));
        }
        self.growths += 1;
        self.stiffness.iter_mut().for_each(|k| *k *= GROWTH);
        Ok(())
    }

    pub(super) fn value(&self, x: &[Vec2]) -> f64 {
        self.unmet().map(|(t, k)| 0.5 * k * (x[t.vertex] - t.position).norm_squared()).sum()
    }

    pub(super) fn add_gradient(&self, x: &[Vec2], gradient: &mut [Vec2]) {
        for (t, k) in self.unmet() {
            gradient[t.vertex] += (x[t.vertex] - t.position) * k;
        }
    }

    /// The vertices that are pulled, with the stiffness of the pull.
    pub(super) fn diagonal(&self) -> impl Iterator<Item = (usize, f64)> {
        self.unmet().map(|(t, k)| (t.vertex, k))
    }
}
