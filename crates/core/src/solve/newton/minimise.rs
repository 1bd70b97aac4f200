//! Projected Newton's method with a filtered line search (Li et al. 2020, algorithm 1).
//!
//! In outline, for each iteration:
//!
//! 1. **gradient** `g` at the present state, with the friction of its normal forces;
//! 2. **stop** if the last direction was short, and the forces `g` balance;
//! 3. **direction** `p = -H^-1 g` from the exact Hessian where it is positive definite, or else from
//!    the projected one (in scenes that follow the book always);
//! 4. **stop** if its residual `|J p|_inf / beta` is within the tolerance, and forces balance;
//! 5. **bound**: the largest fraction of `p` on which no element inverts and nothing touches;
//! 6. **backtracking**: halve the fraction until the potential does not grow, and take the step.
//!
//! The paper tests the length of the direction alone, at the end of its loop. Here a first
//! direction is always taken, or nothing that accelerates by less than the tolerance in a step
//! would move.
//!
//! Three things are beside the algorithm. A minimum may lack something that is not part of the
//! potential, a closed joint or a prescribed position: `incomplete.rs` changes the potential there,
//! and the loop continues. Prescribed motion is in `prescribed.rs`. Friction that follows the normal
//! forces is in `renewal.rs`, and its normal forces along a direction in `ahead.rs`.

use super::assessment::{Verdict, assess};
use super::iterate::Iterate;
use super::problem::Problem;
use super::progress::Progress;
use super::settings::{Solved, Status};
use super::solve_state::SolveState;
use super::solver::Solver;
use super::strategy::Strategy;
use crate::solve::dirichlet::Target;
use crate::solve::failure::Failure;
use crate::solve::potential::Potential;

impl Solver {
    /// Moves `iterate`, which nothing touches, to a minimiser of `potential` that has the
    /// coordinates of the `targets` and closed joints.
    ///
    /// Every state on the way is free of contact, as is every motion between two of them. The
    /// residual that is returned belongs to a direction from the minimiser, or, if the first
    /// direction was short enough, to the one that led there.
    ///
    /// # Errors
    /// [`Failure`], with the reason. Then `iterate` is the last state that was accepted.
    pub fn minimise(
        &mut self,
        potential: &mut Potential,
        targets: &[Target],
        strategy: Strategy,
        iterate: &mut Iterate,
    ) -> Result<Solved, Failure> {
        let Self {
            settings,
            newton,
            direction,
            trial,
            ..
        } = self;
        let mut problem = Problem::new(potential, targets, &iterate.at);
        let mut solve_state = SolveState::new(problem.potential.stage.tolerance, *settings);
        newton.strategy = strategy;
        newton.settle(&mut problem, direction, trial, iterate)?;

        loop {
            newton.go_on()?;

            // Friction and forces here, and a stop if the last direction was short.
            newton.find_forces(&mut problem, &mut solve_state, iterate, direction)?;
            if solve_state.has_arrived() && problem.is_complete(&iterate.at) {
                return Ok(solve_state.solved(Status::Converged, solve_state.progress.last));
            }
            let imbalance = solve_state.imbalance.counted;
            let renewals = &mut solve_state.renewals;
            newton.hold_back_friction(&mut problem, iterate, renewals, imbalance, direction)?;

            // Search direction from the exact Hessian, or the projected one.
            let search = solve_state.next(strategy.search).ok_or_else(|| {
                newton.out_of_iterations(&problem, &solve_state, iterate, direction)
            })?;
            newton.find_direction(&mut problem, search, iterate, direction)?;
            newton.look_ahead(&mut problem, &mut solve_state, iterate, direction);

            // Stop where the direction is short.
            let assessed = assess(&problem, search, &solve_state, iterate, direction)?;
            match assessed.verdict {
                Verdict::Elsewhere => {}
                Verdict::Minimum(status) => {
                    return Ok(solve_state.solved(status, assessed.residual));
                }
                Verdict::Incomplete(lack) => {
                    let progress =
                        newton.change_potential(&mut problem, lack, direction, trial, iterate)?;
                    solve_state.change(assessed.residual, progress);
                    continue;
                }
            }

            // Filtered line search: bound and backtracking.
            let outset = newton.set_out(&problem, &mut solve_state.progress, iterate, direction)?;
            problem.potential.follow(&iterate.at, &direction.p);
            match newton.line_search(&problem, outset, direction, trial, iterate) {
                Ok(searched) => {
                    let progress = &mut solve_state.progress;
                    progress.note(assessed.residual, assessed.measures, &searched);
                    problem.potential.constraints.follow(&iterate.at.x);
                    newton.approach(&mut problem, direction, trial, iterate, progress)?;
                }
                Err(failure) if assessed.ends(&problem, &failure) => {
                    solve_state.renew_friction(&mut problem, iterate, &mut newton.older);
                    return Ok(solve_state.solved(Status::RoundingReached, assessed.residual));
                }
                Err(failure) => {
                    newton.retreat(&mut problem, iterate, failure)?;
                    solve_state.progress = Progress::default();
                }
            }
        }
    }
}
