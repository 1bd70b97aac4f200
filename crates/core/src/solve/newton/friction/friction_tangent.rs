//! Friction with the normal forces that a direction leads to.
//!
//! Coulomb friction depends on normal forces, which change along a direction, and a matrix that is
//! symmetric cannot say so. Friction with the normal forces of the present state is therefore wrong
//! by as much as these change: where bodies hit each other, each renewal of friction sends the
//! solve far away again. The remedy is the direction of the full derivative,
//!
//! `(H + N) p = -g` with `N p = sum_c (dlambda_c/dx . p) df_c/dlambda_c`
//!
//! over the friction forces `f_c` of contacts with the normal forces `lambda_c`. In other words,
//! friction evaluated with the normal forces after `p` gives `p` again: with loads `lambda(p)`, to
//! first order and at least 0, `p` is the fixed point of
//!
//! `G(p) = -H^-1 g(lambda(p))`.
//!
//! The factor of `H` is at hand, so each `G` costs a substitution. Where bodies slide, only their
//! inertia resists friction, and `N` may exceed `H` by far: repeating `G` diverges. So the next `p`
//! mixes earlier ones such that `G(p) - p` is least to first order (Anderson 1965; Walker and Ni
//! 2011), which is the method of generalised minimal residuals as long as no load is held at 0.
//!
//! The Hessian changes with the loads, too. Its change times `p` counts to `g(lambda(p))` here, or
//! contacts that are pressed harder would slide past the place where they stick.
//!
//! Friction with the loads `lambda(p)` is lagged friction like any other: it has a potential, and
//! `G(p)` is a Newton direction of that. So the line search needs no other merit than this potential.

use crate::solve::counts::Count;
use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::Iterate;
use crate::solve::newton::problem::Problem;
use crate::solve::newton::solve_state::SolveState;
use crate::solve::newton::workspace::Newton;
use crate::solve::timings::Phase;
use crate::tuning::FRICTION_MOST_SUBSTITUTIONS;

impl Newton {
    /// Gives friction the normal forces that a direction leads to, and finds the direction with
    /// them.
    ///
    /// Nothing happens where friction does not follow the normal forces, or where the solve ends at
    /// this state.
    pub(crate) fn look_ahead(
        &mut self,
        problem: &mut Problem,
        solve_state: &mut SolveState,
        iterate: &Iterate,
        direction: &mut Direction,
    ) {
        let friction_is_coupled = solve_state.renewals.couples_friction()
            && problem.potential.following.is_some()
            && !problem.potential.friction.is_empty();
        let is_plain = self.strategy.search.measures_distance();
        if !(friction_is_coupled && is_plain) || solve_state.may_stop() {
            return;
        }

        let Self {
            coupled: forces,
            anderson,
            systems,
            log,
            ..
        } = self;
        let potential = &mut *problem.potential;
        let mass = &potential.model.mass;

        // Without extrapolation friction gives the present direction.
        log.timings.measure(Phase::Friction, || {
            forces.begin(potential, iterate, direction);
            anderson.begin(mass, &direction.p);
        });
        for _ in 0..FRICTION_MOST_SUBSTITUTIONS {
            log.timings.measure(Phase::Friction, || {
                anderson.mix(mass);
                forces.extrapolate(potential, iterate, &anderson.next.from, direction);
            });
            systems.solve_again(&direction.gradient.q, &mut anderson.next.to, log);
            log.counts.note(Count::Substitutions);
            if log.timings.measure(Phase::Friction, || anderson.note(mass)) {
                break;
            }
        }

        // The friction that changed least, and where it leads.
        log.timings.measure(Phase::Friction, || {
            forces.extrapolate(potential, iterate, &anderson.best.from, direction);
            forces.settle(potential, direction);
        });
        direction.p.copy_from_slice(&anderson.best.to);
        solve_state.progress.change_potential();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Configuration;
    use crate::solve::model::Model;
    use crate::solve::newton::solver::Solver;
    use crate::solve::newton::strategy::Search;
    use crate::solve::stage::Stage;
    use crate::solve::test_problems::{
        BARRIER, D_HAT, Small, WEIGHT, barriers, euler, held, rubbing, settings, slid, started,
    };
    use ipcsim_contact::{Friction, FrictionTable};
    use ipcsim_math::Vec2;

    /// Mass of the block (kg).
    const MASS: f64 = 2.0;
    /// Length of a step (s).
    const H: f64 = 0.1;

    /// A block at a height (m) over level ground, and a stage in which it has this velocity (m/s).
    fn over_ground(height: f64, velocity: Vec2) -> (Model, Configuration, Stage) {
        let mut small = Small::default();
        let point = small.point([0.0, height], MASS);
        small.touch(point);
        small.plane([0.0, 1.0], [0.0, 0.0]);
        let (model, at) = small.model();
        let stage = euler(&model, &at, H, &[velocity, Vec2::zeros()], [0.0; 2]);
        (model, at, stage)
    }

    #[test]
    fn a_block_that_hits_the_ground_loses_as_much_speed_along_it_as_coulomb_s_law_says() {
        for (coefficient, speed) in [(0.1, 5.0), (0.5, 5.0), (0.9, 2.0)] {
            let start = Vec2::new(8.0, -speed);
            let (model, at, stage) = over_ground(1.5 * D_HAT, start);
            let table = FrictionTable::uniform(coefficient, 1e-3);
            let (end, solved) = slid(&model, &at, &stage, &table);

            // The ratio of both changes of momentum is the coefficient, whatever the barrier does.
            let change = stage.velocity(&end.q)[0] - start;
            assert!(solved.follows && change.y > 0.0, "{change}");
            let error = (change.x + coefficient * change.y).abs();
            assert!(error < 1e-7 * change.y, "{coefficient}: {change}");
            assert!(solved.iterations <= 10, "{}", solved.iterations);
        }
    }

    #[test]
    fn a_direction_has_the_friction_of_the_normal_force_that_it_leads_to() {
        // The block has slid by 0.3 m at half of the activation distance, and falls or rises.
        let coefficient = 0.4;
        for vertical in [-3.0, 1.0, 20.0] {
            let (model, start, stage) = over_ground(0.5 * D_HAT, Vec2::new(5.0, vertical));
            let table = FrictionTable::uniform(coefficient, 1e-3);
            let barriers = barriers();
            let mut potential = rubbing(&model, &stage, &barriers, &table);
            let q = vec![start.q[0] + Vec2::new(0.3, 0.0), start.q[1]];
            let at = Configuration::of(&model.coordinates, q);
            let (mut solver, iterate) = started(&model, &at);
            potential.renew_friction(&iterate.contacts, &at, &mut Friction::default());
            potential.follow(&at, &[Vec2::zeros(); 2]);

            let mut problem = Problem::new(&mut potential, &[held(&at, 1)], &at);
            let mut state = SolveState::new(stage.tolerance, settings());
            let Solver {
                newton, direction, ..
            } = &mut solver;
            newton.find_gradient(&problem, &iterate, direction).unwrap();
            newton
                .find_direction(&mut problem, Search::Newton, &iterate, direction)
                .unwrap();
            newton.look_ahead(&mut problem, &mut state, &iterate, direction);

            // The barrier to first order, and its remainder for friction, never below 0.
            let jet = BARRIER.plane(0.5 * D_HAT, D_HAT);
            let [force, stiffness] = [-WEIGHT * jet.first, WEIGHT * jet.second];
            let up = (MASS * H * vertical + H * H * force) / (MASS + H * H * stiffness);
            let there = (force - stiffness * up).max(0.0);
            let along = 0.5 - 0.3 - H * H * coefficient * there / MASS;
            let error = direction.p[0] - Vec2::new(along, up);
            assert!(error.norm() < 1e-9, "{vertical}: {error} {there}");

            // Friction itself has that force, too.
            let forces = problem.potential.friction.forces(&model.surface, &at.x);
            let found: f64 = forces.map(|friction| friction.force.norm()).sum();
            assert!(
                (found - coefficient * there).abs() < 1e-9 * force,
                "{found}"
            );
        }
    }
}
