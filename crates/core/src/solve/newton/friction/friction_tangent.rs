//! Friction with the normal forces that a direction leads to.
//!
//! Coulomb friction depends on normal forces, which change along a direction, and a matrix that is
//! symmetric cannot say so. Friction with the normal forces of the present state is therefore wrong
//! by as much as these change: where bodies hit each other, each renewal of friction sends the
//! solve far away again. The remedy is the direction of the full derivative,
//!
//! `(H + N) p = -g` with `N p = sum_c (dlambda_c/dx . p) df_c/dlambda_c`
//!
//! over the friction forces `f_c` of contacts with the normal forces `lambda_c`. In other words, `p`
//! is where the friction that `p` leads to leads: with loads `lambda(p)`, to first order and at least
//! 0, it is the fixed point of
//!
//! `G(p) = -H^-1 g(lambda(p))`.
//!
//! The factor of `H` is at hand, so each `G` costs a substitution. Where bodies slide, only their
//! inertia resists friction, and `N` may exceed `H` by far: repeating `G` diverges. So the next `p`
//! mixes what was found such that `G(p) - p` is least to first order (Anderson 1965; Walker and Ni
//! 2011), which is the method of generalised minimal residuals as long as no load is held at 0.
//!
//! The Hessian changes with the loads, too. Its change times `p` counts to `g(lambda(p))` here, or
//! contacts that are pressed harder would slide past the place where they stick.
//!
//! Friction with the loads `lambda(p)` is lagged friction like any other: it has a potential, and
//! `G(p)` is a Newton direction of that. So the line search needs no other merit than this potential.

use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::Iterate;
use crate::solve::newton::problem::Problem;
use crate::solve::newton::solve_state::SolveState;
use crate::solve::newton::workspace::Newton;
use crate::solve::timings::Phase;

/// Largest number of substitutions for the friction of one direction.
///
/// Usually 8. Lower: more directions where normal forces depend on friction. Higher: more
/// substitutions for each direction.
const ROUNDS: usize = 8;

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

        // Friction of no motion leads to the present direction.
        log.timings.measure(Phase::Friction, || {
            forces.begin(potential, iterate, direction);
            anderson.begin(mass, &direction.p);
        });
        for _ in 0..ROUNDS {
            log.timings.measure(Phase::Friction, || {
                anderson.mix(mass);
                forces.extrapolate(potential, iterate, &anderson.next.from, direction);
            });
            systems.solve_again(&direction.gradient.q, &mut anderson.next.to, log);
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
