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
//! The paper tests only the length of the direction, at the end of its loop. Here a first direction
//! is always taken, or nothing that accelerates by less than the tolerance in a step would move.
//!
//! Three things are not part of the algorithm. A minimum may lack something that is not part of the
//! potential, a closed joint or a prescribed position: `incomplete.rs` changes the potential there,
//! and the loop continues. Prescribed motion is in `prescribed.rs`. Friction that follows the
//! normal forces is in `lagged_friction.rs`, and its normal forces along a direction in
//! `friction_tangent.rs`.

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
    /// Every accepted state is free of contact, as is every motion between two of them. The
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
        let mut solve_state = SolveState::of(problem.potential.stage, *settings);
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
            let search = strategy.search;
            let search = newton.go_on_by(search, &problem, &mut solve_state, iterate, direction)?;
            newton.find_direction(&mut problem, search, iterate, direction)?;
            newton.sense_dependence(&problem, &mut solve_state, iterate, direction);
            newton.foresee(&mut problem, search, &mut solve_state, iterate, direction);

            // Stop where the direction is short.
            let assessed = assess(&problem, search, &solve_state, iterate, direction)?;
            match assessed.verdict {
                Verdict::Elsewhere => {}
                Verdict::Minimum(status) => {
                    newton.balanced(status, &problem, &solve_state, iterate, direction)?;
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
                    let length = (assessed.residual, assessed.measures);
                    let progress = solve_state.note(length, direction, outset.value, &searched);
                    problem.potential.constraints.follow(&iterate.at.x);
                    newton.approach(&mut problem, direction, trial, iterate, progress)?;
                }
                Err(failure)
                    if newton.ends(&assessed, &failure, &problem, &solve_state, iterate) =>
                {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Interrupt;
    use crate::solve::test_problems::{
        Curve, Small, barriers, from_rest, held, on_a_curve, potential, started, statics,
    };
    use ipcsim_math::Vec2;

    #[test]
    fn a_free_body_falls_as_far_as_implicit_euler_says_in_one_direction() {
        let mut small = Small::default();
        small.rigid(
            [[1.0, 2.0], [0.0; 2]],
            &[[1.0, 0.0], [-1.0, 0.0]],
            [3.0, 1.0],
        );
        let (model, at) = small.model();
        let stage = from_rest(&model, &at, 0.1, [0.0, -10.0]);
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let (mut solver, mut iterate) = started(&model, &at);
        let solved = solver
            .minimise(&mut potential, &[], Strategy::USUAL, &mut iterate)
            .unwrap();

        // The second direction tells that nothing is left.
        assert_eq!((solved.status, solved.iterations), (Status::Converged, 2));
        assert!((iterate.at.q[0] - Vec2::new(1.0, 1.9)).norm() < 1e-15);
        assert_eq!(iterate.at.q[1], Vec2::zeros());
    }

    #[test]
    fn a_chain_of_springs_under_its_weight_has_the_forces_of_the_weights_below() {
        let mut small = Small::default();
        let nodes: Vec<[f64; 2]> = (0..6).map(|k| [0.0, -f64::from(k)]).collect();
        let first = small.soft(&nodes, 2.0);
        for k in 1..6 {
            small.spring([first + k - 1, first + k], 300.0);
        }
        let (model, at) = small.model();
        let forces = vec![Vec2::new(0.0, -2.0 * 9.81); 6];
        let stage = statics(&at, &forces);
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let (mut solver, mut iterate) = started(&model, &at);
        // The chain hangs along a line: across it nothing resists at first.
        let mut targets: Vec<Target> = (1..6)
            .map(|node| Target {
                axes: [true, false],
                ..held(&at, node)
            })
            .collect();
        targets.push(held(&at, 0));
        solver
            .minimise(&mut potential, &targets, Strategy::USUAL, &mut iterate)
            .unwrap();

        // A spring of length l has the force `2 k (l^2 - 1) l`.
        for k in 1..6 {
            let length = (iterate.at.q[k] - iterate.at.q[k - 1]).norm();
            let force = 600.0 * (length * length - 1.0) * length;
            let weight = (6 - k) as f64 * 2.0 * 9.81;
            assert!((force - weight).abs() < 1e-6, "{k}: {force} {weight}");
        }
    }

    #[test]
    fn a_solve_that_is_interrupted_or_out_of_directions_leaves_its_last_state() {
        let (model, at) = on_a_curve(
            2.0,
            Curve::of(|u| [u.powi(4), 4.0 * u.powi(3), 12.0 * u * u]),
        );
        let stage = statics(&at, &[]);
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let (mut solver, mut iterate) = started(&model, &at);
        solver.interrupt_by(Some(Interrupt::new(|| true)));
        let found = solver.minimise(&mut potential, &[], Strategy::USUAL, &mut iterate);
        assert_eq!(found.unwrap_err(), Failure::Interrupted);
        assert_eq!(iterate.at, at);

        // Each direction of `u^4` covers a third of the distance to the minimum.
        solver.interrupt_by(None);
        solver.settings.max_iterations = 3;
        let found = solver.minimise(&mut potential, &[], Strategy::USUAL, &mut iterate);
        assert!(matches!(
            found,
            Err(Failure::Iterations {
                count: 3,
                vertex: 0,
                ..
            })
        ));
        let expected = 2.0 * (2.0_f64 / 3.0).powi(3);
        assert!(
            (iterate.at.q[0].x - expected).abs() < 1e-14,
            "{}",
            iterate.at.q[0]
        );
    }

    #[test]
    fn a_state_that_is_nearly_the_minimum_takes_its_first_direction_and_no_second_one() {
        // A force of 10 N and a spring of 2 N/m; a distance of 1e-10 m is 1e-9 m/s in this step,
        // and so is the motion by the spring.
        let (model, mut at) = on_a_curve(5.0, Curve::of(|u| [u * u, 2.0 * u, 2.0]));
        let stage = from_rest(&model, &at, 0.1, [10.0, 0.0]);
        at.q[0].x -= 1e-10;
        at.x[0].x -= 1e-10;
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let (mut solver, mut iterate) = started(&model, &at);
        let solved = solver
            .minimise(&mut potential, &[], Strategy::USUAL, &mut iterate)
            .unwrap();
        assert_eq!(solved.iterations, 1);
        assert!(
            (iterate.at.q[0].x - 5.0).abs() < 1e-14,
            "{}",
            iterate.at.q[0]
        );
        assert!(
            (solved.residual - 1e-9).abs() < 1e-12,
            "{}",
            solved.residual
        );
    }
}
