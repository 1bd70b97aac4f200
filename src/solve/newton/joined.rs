//! Joints: how they are closed between minimisations (see [`crate::constraint`]).

use super::iterate::Iterate;
use super::parts::Newton;
use super::problem::Problem;
use crate::solve::failure::Failure;

impl Newton {
    /// True if a joint is open at a state.
    pub(super) fn opens(&self, problem: &Problem, iterate: &Iterate) -> bool {
        !problem.potential.constraints.are_closed(&iterate.at.x)
    }

    /// Renews the forces of the joints at a minimum that leaves some of them open.
    ///
    /// # Errors
    /// [`Failure::Open`], if that has been done too often.
    pub(super) fn close(&self, problem: &mut Problem, iterate: &Iterate) -> Result<(), Failure> {
        let x = &iterate.at.x;
        let constraints = &mut problem.potential.constraints;
        match constraints.widest(x) {
            Some(widest) if !constraints.renew(x) => Err(Failure::Open {
                vertex: widest.vertex,
                distance: widest.distance,
            }),
            _ => Ok(()),
        }
    }
}
