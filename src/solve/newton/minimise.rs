//! Projected Newton's method with a filtered line search (Li et al. 2020, algorithm 1).

use super::direction::Direction;
use super::iterate::Iterate;
use super::line_search::Outset;
use super::parts::Newton;
use super::problem::Problem;
use super::progress::Progress;
use super::settings::{Solved, Status};
use super::solver::Solver;
use super::strategy::Strategy;
use crate::solve::failure::Failure;
use crate::solve::pins::Target;
use crate::solve::potential::Potential;

/// Conclusion from a search direction about the state that it begins at.
enum Verdict {
    /// The minimum is here.
    Minimum(Status),
    /// The minimum is here, but a penalty keeps prescribed coordinates short of their targets.
    Short,
    /// The minimum is elsewhere.
    Elsewhere,
}

/// Judges a state by a direction whose residual `is_small`, or whose solve `is_stalled` by rounding.
fn verdict(
    is_small: bool,
    is_stalled: bool,
    problem: &Problem,
    iterate: &Iterate,
    direction: &Direction,
) -> Verdict {
    let pins = &problem.pins;
    if pins.all_met() {
        return match (is_small, is_stalled) {
            (true, _) => Verdict::Minimum(Status::Converged),
            (false, true) => Verdict::Minimum(Status::RoundingReached),
            (false, false) => Verdict::Elsewhere,
        };
    }
    // A tolerance may be large beside the way that is missing: as long as a direction goes a good part of it, it is taken.
    let arrived = is_small && !pins.approached_by(&direction.p, &iterate.at.q);
    if is_stalled || arrived {
        Verdict::Short
    } else {
        Verdict::Elsewhere
    }
}

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
            // Search direction from the projected Hessian (lines 5 and 6).
            let search = strategy.search.at(iteration);
            newton.find_direction(&mut problem, search, iterate, direction)?;
            let residual = Newton::residual(&problem, iterate, direction)?;

            // The stopping rule (line 15).
            let tells = search.measures_distance();
            let is_small = residual <= problem.potential.stage.tolerance;
            let verdict = if tells {
                verdict(
                    is_small,
                    progress.is_stalled(),
                    &problem,
                    iterate,
                    direction,
                )
            } else {
                Verdict::Elsewhere
            };
            match verdict {
                Verdict::Minimum(status) => {
                    // Otherwise nothing that accelerates by less than the tolerance in a step would ever move.
                    if iteration == 1 && residual > 0.0 {
                        newton.last_step(&problem, direction, trial, iterate)?;
                    }
                    return Ok(Solved {
                        status,
                        iterations: iteration,
                        residual,
                    });
                }
                Verdict::Short => {
                    if !problem.pins.stiffen() {
                        return Err(newton.blocked(&problem, iterate));
                    }
                    progress = Progress::default();
                    continue;
                }
                Verdict::Elsewhere => {}
            }

            // Filtered line search (lines 7 to 14).
            let value = progress.value.unwrap_or_else(|| problem.value(iterate));
            if !value.is_finite() {
                return Err(newton.value_not_finite(&problem, iterate, direction));
            }
            let slow = progress.count();
            problem.potential.follow(&iterate.at, &direction.p);
            let outset = Outset { value, slow };
            match newton.line_search(&problem, outset, direction, trial, iterate) {
                Ok(searched) => progress.note(residual, tells, &searched),
                Err(Failure::NoProgress { .. }) if !problem.pins.all_met() => {
                    if !problem.pins.shorten(&iterate.at.q) {
                        return Err(newton.blocked(&problem, iterate));
                    }
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
