//! Report of a step.
//!
//! A [`StepReport`] is a function of the state at the step's start and is stored with the run.
//! Times and notes of the solver differ from machine to machine; they are in the log next to it.

use super::reading::Reading;
use super::record::Record;
use crate::solve::{Log, Status};
use crate::time::options::fallback::Recovery;
use ipcsim_contact::{AdaptedPair, GapAtRest};
use serde::{Deserialize, Serialize};

/// Account of a step, as runs store it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Test that the last solve of the step passed.
    pub status: Status,
    /// Residual of the last direction, `|J p|_inf / beta` (m/s).
    pub residual: f64,
    /// Change of velocity (m/s) that friction brought up to date would make.
    pub lag_residual: f64,
    /// Number of contacts whose friction exceeds the coefficient times the normal force at the end.
    pub late_contacts: usize,
    /// Number of groups of bodies whose coefficients of restitution were lowered in an impact, which
    /// would have raised the energy.
    #[serde(default)]
    pub lowered: usize,
    /// Largest force (N) that held a body back in the last round of a search for equilibrium; 0 in
    /// dynamics.
    #[serde(default)]
    pub held: f64,
    /// The fallback that solved the step, if the usual method failed.
    pub recovery: Option<Recovery>,
    /// Substeps of the step, if their lengths follow from their errors.
    #[serde(default)]
    pub substeps: Option<Substeps>,
    /// Hash of the state at the end, see [`State::hash`](super::State::hash).
    pub hash: u64,
    /// Joints that broke in the step.
    pub broke: Vec<Broke>,
    /// Bodies that were to sleep in the step and were woken within it, because others came near:
    /// the step was solved again with them. Of an attempt, the sleepers that others came near to.
    #[serde(default)]
    pub woken: Vec<usize>,
    /// Pairs of bodies whose barrier in the step differed from the one at the start.
    pub adapted: Vec<AdaptedPair>,
    /// The widest gap between two bodies that rest on each other in motion, if one deforms.
    #[serde(default)]
    pub gap_at_rest: Option<GapAtRest>,
    /// True if the scene's condition for the end of a run holds, which the run judges.
    #[serde(default)]
    pub over: bool,
    /// Readings of the measures of the scene, in its order; `None` where one is undefined.
    #[serde(default)]
    pub measures: Vec<Option<Reading>>,
    /// Energies and sums at the end.
    pub record: Record,
}

/// A joint that broke.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Broke {
    /// Number of the joint in the scene, from 0.
    pub joint: usize,
    /// Time from which it has not held (s): the end of its step or substep. Of several joints that
    /// break in one step all but the last do so at its start.
    pub from: f64,
}

/// Numbers and lengths of the substeps of a step, or of all steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Substeps {
    /// Number of substeps that were accepted.
    pub accepted: usize,
    /// Number of attempts that were given up: their error was too large, or they were not solved.
    pub rejected: usize,
    /// Length of the shortest accepted substep (s); 0 without any.
    pub shortest: f64,
    /// Length of the longest accepted substep (s).
    pub longest: f64,
}

impl Substeps {
    /// Counts an accepted substep of length `h` (s).
    pub(super) fn add(&mut self, h: f64) {
        self.join(&Self {
            accepted: 1,
            rejected: 0,
            shortest: h,
            longest: h,
        });
    }

    /// Counts the substeps of another step as well.
    pub fn join(&mut self, other: &Self) {
        self.shortest = match self.accepted {
            0 => other.shortest,
            _ => self.shortest.min(other.shortest),
        };
        self.longest = self.longest.max(other.longest);
        self.accepted = self.accepted.saturating_add(other.accepted);
        self.rejected = self.rejected.saturating_add(other.rejected);
    }
}

/// Report of a step with the notes of the solver.
#[derive(Debug)]
pub struct StepOutput {
    /// Account of the step, as runs store it.
    pub report: StepReport,
    /// Timings, and the notes that the solver was asked to take.
    pub log: Log,
}

impl StepReport {
    /// Numbers of the joints that broke in the step.
    pub fn broken_joints(&self) -> Vec<usize> {
        self.broke.iter().map(|one| one.joint).collect()
    }

    /// Account of a state, as if nothing had been solved for it.
    pub(super) fn of(record: Record, hash: u64) -> Self {
        Self {
            status: Status::Converged,
            residual: 0.0,
            lag_residual: 0.0,
            late_contacts: 0,
            lowered: 0,
            held: 0.0,
            recovery: None,
            substeps: None,
            hash,
            broke: Vec::new(),
            woken: Vec::new(),
            adapted: Vec::new(),
            gap_at_rest: None,
            over: false,
            measures: Vec::new(),
            record,
        }
    }

    /// Account of two stretches of time as one.
    ///
    /// Residuals are the larger ones, iterations add up, the status is the worse one, and the rest
    /// comes from the end.
    pub(super) fn followed_by(self, mut end: Self) -> Self {
        end.record.newton_iterations += self.record.newton_iterations;
        if let (Some(first), Some(all)) = (&self.record.ledger, &mut end.record.ledger) {
            // The gain of barriers between both is part of the energy at the end.
            let after_first = self.record.stiffening - first.work.stiffening;
            all.work += first.work;
            all.work.stiffening += after_first;
            all.impulses += first.impulses;
        }
        end.record.stiffening += self.record.stiffening;
        end.record.imbalance = end.record.imbalance.max(self.record.imbalance);

        end.broke.splice(0..0, self.broke);
        end.woken.splice(0..0, self.woken);

        // One stretch that ended by rounding decides.
        let rounding = [self.status, end.status].contains(&Status::RoundingReached);
        Self {
            status: if rounding {
                Status::RoundingReached
            } else {
                Status::Converged
            },
            residual: self.residual.max(end.residual),
            lag_residual: self.lag_residual.max(end.lag_residual),
            late_contacts: self.late_contacts.max(end.late_contacts),
            lowered: self.lowered + end.lowered,
            held: self.held.max(end.held),
            recovery: None,
            ..end
        }
    }
}
