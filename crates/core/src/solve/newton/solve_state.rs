//! State of one solve: its directions so far, and the forces at the present state.

use super::direction::Direction;
use super::force_balance::Imbalance;
use super::friction::lagged_friction::Renewals;
use super::iterate::Iterate;
use super::overreach::test_reach;
use super::problem::Problem;
use super::progress::{Progress, Searched};
use super::saddle::Saddle;
use super::settings::{Settings, Solved, Status};
use super::stagnation::Stagnation;
use super::strategy::Search;
use super::workspace::Newton;
use crate::solve::failure::Failure;
use crate::solve::stage::Stage;
use crate::solve::timings::Phase;
use crate::tuning::{
    COMPOSITE_SLOW, GAP_OPENED, GAP_ROUNDINGS, IMBALANCE_STUCK, RENEWAL_NEAR, RENEWAL_NEARER,
    ROUNDING_SLACK, SLOW_SOLVE,
};
use ipcsim_contact::Friction;
use ipcsim_math::{Vec2, parallel};

/// State of a solve from its start to the present state.
#[derive(Debug)]
pub(super) struct SolveState {
    /// Residual below which a direction is short (m/s).
    tolerance: f64,
    /// True if the solve leads to equilibrium, which is to be a minimum.
    is_static: bool,
    /// Tolerances and limits of the method.
    pub(super) settings: Settings,
    /// Number of directions so far.
    count: usize,
    /// True if rows of joints nearly depend on each other: each direction closes them, since their forces
    /// hold bodies that nothing else does.
    pub(super) depend: bool,
    /// Progress of the directions since the last change of the potential.
    pub(super) progress: Progress,
    /// Directions without progress.
    pub(super) stagnation: Stagnation,
    /// Directions that creep away from a saddle.
    saddle: Saddle,
    /// Renewals of friction.
    pub(super) renewals: Renewals,
    /// Residual at the last renewal of the forces of joints (m/s); infinite before.
    closed: f64,
    /// Imbalance of forces at the present state.
    pub(super) imbalance: Imbalance,
    /// Smallest gap (m) where the last matrix was made; `None` if it was that of a composite direction, which has
    /// contacts that the direction has foreseen.
    pub(super) gap_of_matrix: Option<f64>,
    /// True if that is within the tolerance, or rounding, with the friction that belongs there.
    balances: bool,
}

impl SolveState {
    /// State of a solve that begins in a stage.
    pub(super) fn of(stage: &Stage, settings: Settings) -> Self {
        Self {
            is_static: stage.beta.is_none(),
            ..Self::new(stage.tolerance, settings)
        }
    }

    /// State of a solve of motion that begins, with short directions of a residual up to `tolerance` (m/s).
    pub(super) fn new(tolerance: f64, settings: Settings) -> Self {
        Self {
            tolerance,
            is_static: false,
            settings,
            count: 0,
            depend: false,
            progress: Progress::default(),
            stagnation: Stagnation::default(),
            saddle: Saddle::default(),
            renewals: Renewals::default(),
            closed: f64::INFINITY,
            imbalance: Imbalance::UNKNOWN,
            gap_of_matrix: Some(f64::INFINITY),
            balances: false,
        }
    }

    /// True if the last direction was short, and forces balance at its end.
    pub(super) fn has_arrived(&self) -> bool {
        self.balances && self.progress.is_short(self.tolerance)
    }

    /// True if a short direction from the present state is not taken any more.
    ///
    /// The first direction of a solve is always taken.
    pub(super) fn may_stop(&self) -> bool {
        self.balances && self.count > 1
    }

    /// True if a direction of this residual (m/s) is near enough to the minimum to find the forces
    /// of joints with it, and nearer than at the last time.
    pub(super) fn may_close(&self, residual: f64) -> bool {
        residual <= RENEWAL_NEAR * self.tolerance && residual <= RENEWAL_NEARER * self.closed
    }

    /// Notes that the potential has changed at a residual (m/s), and the progress since.
    pub(super) fn change(&mut self, residual: f64, progress: Progress) {
        self.closed = residual;
        self.progress = progress;
        self.stagnation.change_potential();
    }

    /// Notes the result of a line search along a direction from the potential `before` (J s^2), with its
    /// residual (m/s), whose length `measures` the distance to the minimum or does not. Returns the progress.
    pub(super) fn note(
        &mut self,
        (residual, measures): (f64, bool),
        direction: &Direction,
        before: f64,
        searched: &Searched,
    ) -> &mut Progress {
        self.progress.note(residual, measures, searched);
        self.saddle.note(direction, residual, searched);
        let imbalance = self.imbalance.counted;
        let predicted = before - 0.5 * direction.decrease();
        self.stagnation.note(imbalance, searched.value, predicted);
        &mut self.progress
    }

    /// Gives friction the normal forces of a state, where it follows them.
    /// Friction so far is in `older` then.
    pub(super) fn renew_friction(
        &mut self,
        problem: &mut Problem,
        iterate: &Iterate,
        older: &mut Friction,
    ) {
        let progress = &mut self.progress;
        self.renewals.renew(problem, iterate, progress, older);
    }

    /// True for one in [`COMPOSITE_SLOW`] directions of a slow solve of an equilibrium.
    pub(super) fn is_stuck(&self) -> bool {
        self.is_static && self.count > SLOW_SOLVE && self.count.is_multiple_of(COMPOSITE_SLOW)
    }

    /// True if the present direction is the first.
    pub(super) fn is_first(&self) -> bool {
        self.count == 1
    }

    /// Counts the next direction, and returns its source; `None` if there were enough.
    pub(super) fn next(&mut self, search: Search) -> Option<Search> {
        if self.count >= self.settings.max_iterations {
            return None;
        }
        self.count += 1;
        let search = search.at(self.count, self.settings.weighs_forces());

        // Fast solves of motion may end at a saddle, such as a stack in unstable balance.
        let may_escape = self.is_static || self.count > SLOW_SOLVE;
        let escapes = search == Search::Exact && may_escape && self.saddle.is_near();
        Some(if escapes { Search::Escaping } else { search })
    }

    /// Solve that ends at the present state, after a direction with this residual (m/s).
    pub(super) fn solved(&self, status: Status, residual: f64) -> Solved {
        Solved {
            status,
            residual,
            iterations: self.count,
            imbalance: self.imbalance.speed,
            follows: self.renewals.follow,
            unstable: None,
        }
    }
}

impl Newton {
    /// Finds friction, gradient and imbalance at a state.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] or [`Failure::Touching`], if the gradient is not finite.
    pub(super) fn find_forces(
        &mut self,
        problem: &mut Problem,
        solve_state: &mut SolveState,
        iterate: &Iterate,
        direction: &mut Direction,
    ) -> Result<(), Failure> {
        test_reach(problem.potential.model, &iterate.at)?;
        if std::mem::take(&mut self.knows_forces) {
            solve_state.renewals.begin_known(problem);
        } else {
            let Self { older, log, .. } = self;
            log.timings.measure(Phase::Friction, || {
                solve_state.renew_friction(problem, iterate, older);
            });
            self.find_gradient(problem, iterate, direction)?;
        }

        let found = self.imbalance(problem, direction);
        let before = std::mem::replace(&mut solve_state.imbalance, found).counted;
        let imbalance = found.counted;
        let follows = problem.potential.following.is_none() || solve_state.renewals.are_done();

        // Rounding counts only where another direction has not helped.
        let is_within = imbalance <= solve_state.settings.imbalance;
        let is_stuck = imbalance > IMBALANCE_STUCK * before;

        // The last matrix may have the stiffness of contacts that have opened since. Motion has inertia without
        // them; an equilibrium must not count on them.
        let gap = iterate.contacts.min_gap;
        let gap_of_matrix = solve_state.gap_of_matrix.replace(gap);
        let is_static = solve_state.is_static;
        let is_of_here =
            gap_of_matrix.is_some_and(|before| !is_static || gap <= GAP_OPENED * before);
        let may_be_rounding = is_stuck && is_of_here;
        solve_state.balances = follows
            && (is_within || may_be_rounding && imbalance <= self.resolution(problem, iterate));
        Ok(())
    }

    /// True if a solve may end by rounding at a state. Where gaps are far above their rounding it may; in
    /// smaller ones the forces left over must be no more than rounding of positions makes.
    pub(super) fn is_balanced(
        &mut self,
        problem: &Problem,
        solve_state: &SolveState,
        iterate: &Iterate,
    ) -> bool {
        let imbalance = solve_state.imbalance.counted;
        let least = GAP_ROUNDINGS * f64::EPSILON * largest(&iterate.at.x);
        iterate.contacts.min_gap > least
            || imbalance <= solve_state.settings.imbalance
            || !solve_state.settings.weighs_forces()
            || imbalance <= ROUNDING_SLACK * self.resolution(problem, iterate)
    }

    /// Largest imbalance of a body at a state with the gradient of `direction`.
    pub(super) fn imbalance(&mut self, problem: &Problem, direction: &Direction) -> Imbalance {
        let Self {
            balance, systems, ..
        } = self;
        problem.pins.mark_met(&mut systems.fixed);
        balance.imbalance(problem, &systems.fixed, &direction.gradient.q)
    }

    /// Imbalance (m/s) that rounding of positions makes at a state.
    pub(super) fn resolution(&mut self, problem: &Problem, iterate: &Iterate) -> f64 {
        let reach = largest(&iterate.at.x);
        let Self {
            balance, systems, ..
        } = self;
        balance.resolution(problem, reach, |node| systems.stiffness_of(node))
    }
}

/// Largest component of some positions (m).
fn largest(x: &[Vec2]) -> f64 {
    parallel::max(x.len(), 0.0, |i| x[i].amax())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Coordinates;
    use crate::solve::newton::progress::Searched;
    use crate::solve::newton::solver::Solver;
    use crate::solve::test_problems::{
        Curve, barriers, from_rest, on_a_curve, potential, settings, started,
    };

    #[test]
    fn directions_are_counted_up_to_the_limit_and_come_from_the_exact_matrix_on_demand() {
        let limited = Settings {
            max_iterations: 3,
            ..settings()
        };
        let mut state = SolveState::new(1.0, limited);
        let sources: Vec<_> = (0..4)
            .map(|_| state.next(Search::ScaledGradient(2)))
            .collect();
        let scaled = Some(Search::ScaledGradient(2));
        assert_eq!(sources, [scaled, scaled, Some(Search::Newton), None]);
        assert_eq!(state.solved(Status::Converged, 0.5).iterations, 3);

        let mut state = SolveState::new(1.0, limited);
        assert_eq!(state.next(Search::Newton), Some(Search::Exact));
    }

    #[test]
    fn an_equilibrium_leaves_a_saddle_as_soon_as_directions_creep() {
        let creeping = Direction {
            is_projected: true,
            ..Direction::zero(&Coordinates::default())
        };
        let whole = Searched {
            value: 0.0,
            lost: false,
            fraction: 1.0,
            was_whole: true,
        };
        let sources = [true, false].map(|is_static| {
            let mut state = SolveState {
                is_static,
                ..SolveState::new(1e-3, settings())
            };
            (0..5).for_each(|_| {
                state.note((1.0, true), &creeping, 0.0, &whole);
            });
            state.next(Search::Exact)
        });
        assert_eq!(sources, [Some(Search::Escaping), Some(Search::Exact)]);
    }

    #[test]
    fn joints_are_closed_near_the_minimum_and_again_at_half_the_distance() {
        let mut state = SolveState::new(1e-3, settings());
        assert!(state.may_close(0.1) && !state.may_close(0.11));
        state.change(0.1, Progress::default());
        assert!(state.may_close(0.05) && !state.may_close(0.051));
    }

    #[test]
    fn a_solve_arrives_where_forces_balance_after_a_short_direction_and_not_before_the_second_one()
    {
        // Weight of 10 N, and a spring that balances it at u = 5 m.
        let (model, at) = on_a_curve(5.0, Curve::of(|u| [u * u, 2.0 * u, 2.0]));
        let stage = from_rest(&model, &at, 0.1, [10.0, 0.0]);
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let mut problem = Problem::new(&mut potential, &[], &at);
        let (mut solver, mut iterate) = started(&model, &at);
        let Solver {
            newton, direction, ..
        } = &mut solver;

        let mut state = SolveState::new(stage.tolerance, settings());
        newton
            .find_forces(&mut problem, &mut state, &iterate, direction)
            .unwrap();
        assert!(state.imbalance.speed < 1e-12 && !state.has_arrived());
        state.next(Search::Exact);
        assert!(!state.may_stop(), "the first direction is always taken");
        let searched = Searched {
            value: 0.0,
            lost: false,
            fraction: 1.0,
            was_whole: true,
        };
        state.progress.note(0.5 * stage.tolerance, true, &searched);
        assert!(state.has_arrived());
        state.next(Search::Exact);
        assert!(state.may_stop());

        // A millimetre off, the spring is stronger by 0.002 N, which gives 1 kg 0.2 mm/s in a step; and
        // the displacement itself counts as 10 mm/s.
        iterate.at.q[0].x += 1e-3;
        iterate.at.x[0].x += 1e-3;
        newton
            .find_forces(&mut problem, &mut state, &iterate, direction)
            .unwrap();
        assert!(!state.has_arrived() && !state.may_stop());
        assert!(
            (state.imbalance.speed - 0.0102).abs() < 1e-12,
            "{:?}",
            state.imbalance
        );
    }
}
