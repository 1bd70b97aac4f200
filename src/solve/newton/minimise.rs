//! Projected Newton's method with a filtered line search (Li et al. 2020, algorithm 1).

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
    /// Moves `iterate`, which nothing touches, to a minimiser of `potential` that has the coordinates of the `targets`.
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
            // Search direction from the projected Hessian (lines 5 and 6), and what it says (line 15).
            let search = strategy.search.at(iteration);
            newton.find_direction(&mut problem, search, iterate, direction)?;
            let assessed = assess(&problem, search, &progress, iterate, direction)?;
            let residual = assessed.residual;
            match assessed.verdict {
                Verdict::Minimum(status) => {
                    // Otherwise nothing that accelerates by less than the tolerance in a step would ever move.
                    if iteration == 1 && residual > 0.0 {
                        newton.last_step(&problem, direction, trial, iterate)?;
                        if newton.opens(&problem, iterate) {
                            continue;
                        }
                    }
                    let iterations = iteration;
                    return Ok(Solved {
                        status,
                        iterations,
                        residual,
                    });
                }
                Verdict::Short => {
                    newton.stiffen(&mut problem, iterate)?;
                    progress = Progress::default();
                    continue;
                }
                Verdict::Open => {
                    newton.last_step(&problem, direction, trial, iterate)?;
                    newton.close(&mut problem, iterate)?;
                    progress = Progress::default();
                    continue;
                }
                Verdict::Elsewhere => {}
            }

            // Filtered line search (lines 7 to 14).
            let outset = newton.set_out(&problem, &mut progress, iterate, direction)?;
            problem.potential.follow(&iterate.at, &direction.p);
            match newton.line_search(&problem, outset, direction, trial, iterate) {
                Ok(searched) => progress.note(residual, assessed.tells, &searched),
                Err(Failure::NoProgress { .. }) if !problem.pins.all_met() => {
                    newton.take_smaller_pieces(&mut problem, iterate)?;
                    progress = Progress::default();
                    continue;
                }
                Err(failure) => return Err(failure),
            }

            // Prescribed coordinates that are not at their targets yet.
            newton.go_on(&mut problem, direction, trial, iterate, &mut progress)?;
        }

        Err(newton.out_of_iterations(&problem, settings, iterate, direction))
    }
}
