//! Minima that are not the end of a solve: open joints or missed targets, and the change of the
//! potential.
//!
//! Newton's method minimises the potential with the forces of the joints and the penalties on
//! prescribed coordinates as they are at the moment. Near its minimum a joint may be open, or at it
//! a coordinate short of its target. Then forces are renewed or penalties become stiffer, and the
//! minimisation continues with the changed potential.
//!
//! Forces are renewed together with a step: the direction at hand leads to the minimum with the old
//! forces, and its change by the new ones is known together with them.

use super::assessment::{Lack, residual};
use super::constraints::multiplier_update::{closing_forces, sense_dependence};
use super::direction::Direction;
use super::iterate::{Iterate, Trial};
use super::problem::Problem;
use super::progress::Progress;
use super::solve_state::SolveState;
use super::workspace::Newton;
use crate::solve::failure::Failure;
use crate::solve::timings::Phase;
use ipcsim_math::Vec2;

impl Newton {
    /// Changes the potential at a state near its minimum so that the next one lacks less, and
    /// returns the progress of the solve from there.
    ///
    /// # Errors
    /// [`Failure::Blocked`] if penalties have become too stiff, [`Failure::Open`] if the forces of
    /// the joints have been renewed too often; failures of the step that is taken.
    pub(super) fn change_potential(
        &mut self,
        problem: &mut Problem,
        lack: Lack,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<Progress, Failure> {
        match lack {
            Lack::Target => {
                self.stiffen(problem, iterate)?;
                Ok(Progress::default())
            }
            Lack::Joint { at_minimum } => {
                let (is_slow, progress) = self.close(problem, direction, trial, iterate)?;

                // Stiffer joints are the last resort: they make the matrix worse.
                if !(is_slow && at_minimum) {
                    return Ok(progress);
                }
                problem.potential.constraints.stiffen();
                Ok(Progress::default())
            }
        }
    }

    /// Notes at the first direction of a solve whether rows of joints nearly depend on each other.
    pub(super) fn sense_dependence(
        &mut self,
        problem: &Problem,
        solve_state: &mut SolveState,
        iterate: &Iterate,
        direction: &Direction,
    ) {
        if solve_state.is_first() {
            let Self {
                systems, closing, ..
            } = self;
            sense_dependence(systems, closing, problem, iterate, direction);
            solve_state.depend = closing.depend;
        }
    }

    /// Renews the forces of the joints, and takes the direction to the minimum that they have then:
    /// the one that closes all joints to first order. True if the renewal before has closed joints
    /// by little, and the progress of the solve.
    ///
    /// # Errors
    /// [`Failure::Open`] if that has been done too often; failures of the line search.
    fn close(
        &mut self,
        problem: &mut Problem,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<(bool, Progress), Failure> {
        let Self {
            systems,
            closing,
            log,
            ..
        } = self;
        let changes = log.timings.measure(Phase::Closing, || {
            closing_forces(systems, closing, problem, iterate, direction)
        });

        // Without changes the forces are renewed by `k c`, which holds at the minimum: go there
        // first.
        if changes.is_none() {
            self.last_step(problem, direction, trial, iterate)?;
            problem.potential.constraints.follow(&iterate.at.x);
        }
        let is_slow = renew_joints(problem, iterate, changes.as_deref())?;

        // The direction with the new forces is already known, and is taken at once.
        let mut progress = Progress::default();
        if changes.is_some() {
            let residual = residual(problem, iterate, direction)?;
            problem.potential.follow(&iterate.at, &direction.p);
            if let Some(searched) = self.last_step(problem, direction, trial, iterate)? {
                progress.note(residual, true, &searched);
            }
            problem.potential.constraints.follow(&iterate.at.x);
        }
        Ok((is_slow, progress))
    }
}

/// Renews the forces of the joints at a state that leaves some of them open, by `changes` (N) if
/// they are known; see [`crate::constraint`]. True if joints close slowly.
///
/// # Errors
/// [`Failure::Open`], if that has been done too often.
fn renew_joints(
    problem: &mut Problem,
    iterate: &Iterate,
    changes: Option<&[Vec2]>,
) -> Result<bool, Failure> {
    let constraints = &mut problem.potential.constraints;
    let renewed = constraints.renew(&iterate.at.x, changes);
    renewed.map_err(|widest| Failure::Open {
        vertex: widest.vertex,
        joint: widest.joint,
        distance: widest.distance,
    })
}
