//! Projected Newton's method with a filtered line search (Li et al. 2020, algorithm 1).
//!
//! In outline, for each iteration:
//!
//! 1. **direction**: gradient `g` and projected Hessian `H` at the present state, `p = -H^-1 g`;
//! 2. **stop** if the residual `|J p|_inf / beta` of the direction is within the tolerance;
//! 3. **bound**: the largest fraction of `p` on which no element inverts and nothing touches;
//! 4. **backtracking**: halve the fraction until the potential does not grow, and take the step.
//!
//! The paper tests the length of the direction at the end of its loop. Here the test comes before
//! the line search, so that the residual belongs to the state that passes.
//!
//! Two things are beside the algorithm. A minimum may lack something that is not part of the
//! potential, a closed joint or a prescribed position: `incomplete.rs` changes the potential there,
//! and the loop continues. Prescribed motion is in `prescribed.rs`.

use super::assessment::{Verdict, assess};
use super::iterate::Iterate;
use super::problem::Problem;
use super::progress::Progress;
use super::settings::Solved;
use super::solver::Solver;
use super::strategy::Strategy;
use crate::solve::failure::Failure;
use crate::solve::pins::Target;
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
        let mut progress = Progress::default();
        newton.strategy = strategy;
        newton.settle(&mut problem, direction, trial, iterate)?;

        for iteration in 1..=settings.max_iterations {
            // Search direction from the projected Hessian.
            let search = strategy.search.at(iteration);
            newton.find_direction(&mut problem, search, iterate, direction)?;

            // Stop where the direction is short.
            let assessed = assess(&problem, search, &progress, iterate, direction)?;
            match assessed.verdict {
                Verdict::Elsewhere => {}
                Verdict::Minimum(status) => {
                    let solved = assessed.solved(status, iteration);
                    if newton.stops(&problem, solved, direction, trial, iterate)? {
                        return Ok(solved);
                    }
                    continue;
                }
                Verdict::Incomplete(lack) => {
                    newton.change_potential(&mut problem, lack, direction, trial, iterate)?;
                    progress = Progress::default();
                    continue;
                }
            }

            // Filtered line search: bound and backtracking.
            let outset = newton.set_out(&problem, &mut progress, iterate, direction)?;
            problem.potential.follow(&iterate.at, &direction.p);
            match newton.line_search(&problem, outset, direction, trial, iterate) {
                Ok(searched) => {
                    progress.note(assessed.residual, assessed.measures, &searched);
                    newton.approach(&mut problem, direction, trial, iterate, &mut progress)?;
                }
                Err(failure) => {
                    newton.retreat(&mut problem, iterate, failure)?;
                    progress = Progress::default();
                }
            }
        }

        Err(newton.out_of_iterations(&problem, settings, iterate, direction))
    }
}
