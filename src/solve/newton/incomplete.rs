//! Minima that are not the end of a solve: what they lack, and how the potential is changed.
//!
//! Newton's method minimises the potential with the forces of the joints and the penalties on
//! prescribed coordinates as they are at the moment. At its minimum a joint may be open, or a
//! coordinate short of its target. Then forces are renewed or penalties become stiffer, and the
//! minimisation continues from there with the changed potential.

use super::assessment::Lack;
use super::closing::closing_forces;
use super::direction::Direction;
use super::iterate::{Iterate, Trial};
use super::parts::Newton;
use super::problem::Problem;
use crate::math::Vec2;
use crate::solve::failure::Failure;

impl Newton {
    /// Changes the potential at a minimum so that the next one has less of what this one lacks.
    ///
    /// # Errors
    /// [`Failure::Blocked`] if penalties have become too stiff, [`Failure::Open`] if the forces of
    /// the joints have been renewed too often; failures of the last step to the minimum.
    pub(super) fn change_potential(
        &mut self,
        problem: &mut Problem,
        lack: Lack,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<(), Failure> {
        match lack {
            Lack::Target => self.stiffen(problem, iterate),
            Lack::Joint => {
                self.last_step(problem, direction, trial, iterate)?;
                problem.potential.constraints.follow(&iterate.at.x);
                let changes = if self.strategy.search.measures_distance() {
                    closing_forces(&mut self.systems, problem, iterate, direction)
                } else {
                    None
                };
                renew_joints(problem, iterate, changes.as_deref())
            }
        }
    }
}

/// Renews the forces of the joints at a minimum that leaves some of them open, by `changes` (N) if they
/// are known; see [`crate::constraint`].
///
/// # Errors
/// [`Failure::Open`], if that has been done too often.
fn renew_joints(
    problem: &mut Problem,
    iterate: &Iterate,
    changes: Option<&[Vec2]>,
) -> Result<(), Failure> {
    let constraints = &mut problem.potential.constraints;
    let renewed = constraints.renew(&iterate.at.x, changes);
    renewed.map_err(|widest| Failure::Open {
        vertex: widest.vertex,
        joint: widest.joint,
        distance: widest.distance,
    })
}
