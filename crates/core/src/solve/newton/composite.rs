//! Composite directions: the barrier exact, its gaps linear.
//!
//! In a crowd, contact cuts directions at pairs that Newton's quadratic model does not know; gaps are then a
//! tenth of what they were, and barriers push back by a hundred times. A composite direction minimises
//!
//! `1/2 d . H d + g . d + sum_k w_k b(g_k + n_k . d) + sum_c load_c(d) f_0(slip_c(d))`
//!
//! instead, where `H` and `g` belong to all other energies, `k` are the places of all contacts within a
//! wider reach (see [`LinearGaps`]), and friction `c` has the normal forces that `d` leads to, also of pairs
//! that have not met yet. This is Gauss and Newton's model of a composition (Drusvyatskiy and Paquette 2019,
//! prox-linear methods); inner solves move no vertex, so they need neither a search for pairs nor collision
//! detection. The line search treats the direction as any other: accepted states are free of contact, and
//! each one lowers the true potential.
//!
//! Inner solves are Newton's method with secants of barriers. They go in rounds, each with the pressures of the
//! one before for the turning of normals. The first round, from a state that a cut direction has left, has no
//! turning, since pressures there mean nothing.
//!
//! # Friction
//! Coulomb friction has no potential. Inner steps have the loads that they lead to themselves, as directions have
//! (see [`friction_tangent`](super::friction::friction_tangent)). The loads of a long step may be wrong by any
//! factor; where little of it can be taken, a step with the loads so far takes its place.
//!
//! A pair that is about to meet has friction, too. Without it a direction would close the gap, the next one
//! would find that friction pushes it open again, and so on for ever.
//!
//! # Where it pays
//! An inner solve has a matrix, a factorisation and three or four substitutions. That is half of a direction
//! where bodies are rigid; where they deform it is most of a direction, which is why their steps have none. Only an
//! equilibrium has, from states without any contact: where barriers get to reach less far, all contacts are lost
//! at once, and plain directions find them again a few at a time. Joints take their forces from the factor of a
//! plain direction.
//!
//! A solve takes composite directions when one of its directions was not taken whole, but not for ever: where
//! corners pass each other the linear model may lead round in circles.
//!
//! In a slow solve of an equilibrium, one direction in [`COMPOSITE_SLOW`] is a composite one. A body that is
//! pressed on a round one too closely creeps: each direction would widen the gap by a half, but turns an edge about
//! the contact at the same time, which narrows it as much.

mod inner;
mod inner_friction;
mod loads;
mod rows;

use super::direction::Direction;
use super::iterate::Iterate;
use super::problem::Problem;
use super::solve_state::SolveState;
use super::strategy::Search;
use super::systems::add_penalties;
use super::workspace::Newton;
use crate::body::Configuration;
use crate::tuning::{
    COMPOSITE_AFTER, COMPOSITE_ALIKE, COMPOSITE_MOST, COMPOSITE_MOST_INNER, COMPOSITE_NEAR,
    COMPOSITE_REACH, COMPOSITE_ROUNDS,
};
use inner::{Inner, Solved};
use ipcsim_contact::{Contacts, LinearGaps};
use ipcsim_energy::Curvature;
use ipcsim_math::geometry::aabb::Aabb;
use ipcsim_math::geometry::path::Sweep;
use ipcsim_math::{Vec2, parallel};
use loads::Loads;

impl Newton {
    /// Gives a direction what it leads to: contact of pairs that it meets and friction, by a composite direction
    /// where the solve needs one, or else the friction of the normal forces at its end.
    pub(super) fn foresee(
        &mut self,
        problem: &mut Problem,
        search: Search,
        solve_state: &mut SolveState,
        iterate: &Iterate,
        direction: &mut Direction,
    ) {
        if self.compose(problem, search, solve_state, iterate, direction) {
            solve_state.gap_of_matrix = None;
        } else {
            self.look_ahead(problem, solve_state, iterate, direction);
        }
    }

    /// Replaces a direction by a composite one, and returns true, if the solve needs it and it is found.
    ///
    /// The direction comes from the exact Hessian, with the friction of the state. Solves need composite ones
    /// after [`COMPOSITE_AFTER`] directions that were not taken whole, up to [`COMPOSITE_MOST`], and where a search
    /// for equilibrium is stuck.
    ///
    /// Friction has the loads that the direction leads to afterwards, and the gradient belongs to them.
    fn compose(
        &mut self,
        problem: &mut Problem,
        search: Search,
        solve_state: &mut SolveState,
        iterate: &Iterate,
        direction: &mut Direction,
    ) -> bool {
        let progress = &solve_state.progress;
        let was_cut =
            progress.shortened() >= COMPOSITE_AFTER && progress.directions() <= COMPOSITE_MOST;
        let needs_it = was_cut && meets(problem, iterate) || solve_state.is_stuck();
        let may = search == Search::Exact && !solve_state.may_stop() && suits(problem);

        if !(needs_it && may) {
            return false;
        }

        let follows = solve_state.renewals.couples_friction();
        let Some(mut inner) = self.inner_problem(problem, iterate, direction, follows) else {
            return false;
        };

        let from_afar = !progress.is_whole();
        let is_solved = self.solve_rounds(&mut inner, problem, iterate, direction, from_afar);
        inner.finish(problem, iterate, direction, is_solved);
        if is_solved {
            solve_state.progress.change_potential();
        }
        is_solved
    }

    /// The inner problem at a state; `None` if nothing is within reach, or the direction changes no gap by
    /// much. Candidates hold for the reach afterwards.
    fn inner_problem(
        &mut self,
        problem: &mut Problem,
        iterate: &Iterate,
        direction: &mut Direction,
        follows: bool,
    ) -> Option<Inner> {
        let model = problem.potential.model;
        let at = &iterate.at;
        direction.displace(&model.coordinates, at);
        let displacement = &direction.displacement;
        let longest = parallel::max(displacement.len(), 0.0, |i| displacement[i].norm());
        let reach = model.surface.reach.most();
        if !problem.may_meet(iterate, longest, reach) {
            return None;
        }

        // Contacts within twice the direction, as far as linear gaps mean something.
        let most = problem.linear_as_far_as(reach, longest);
        let beyond = most.min(2.0 * longest);
        let share = (most / longest).min(1.0);
        let (wide, gaps) = self.places_within(problem, at, displacement, (share, beyond))?;

        // Friction of the pairs that may meet.
        let stage = problem.potential.stage;
        let friction = &mut problem.potential.friction;
        let mut known: Vec<[usize; 4]> = friction.contacts().collect();
        known.sort_unstable();
        if let Some(table) = problem.potential.following.filter(|_| follows) {
            friction.add_others(model, stage, table, ((&wide, &gaps), at));
        }
        let loads = Loads::of(friction, &known, &gaps, beyond);
        friction.give_loads(loads.lagged());
        let system = self.systems.system_for(
            problem.potential,
            iterate,
            gaps.slopes(),
            &self.filter.nearby.wide,
            &mut self.log,
        );

        let index = system.ok()?;
        let system = (index, &self.systems.kept[index]);
        Some(Inner::new(
            problem,
            iterate,
            direction,
            (gaps, loads),
            system,
            follows,
        ))
    }

    /// Contacts of barriers that reach farther by `beyond` (m), and the linear gaps of their places that a
    /// displacement (m, `[vertices]`) may reach; `None` without one. Candidates hold for a share of the displacement.
    fn places_within(
        &mut self,
        problem: &Problem,
        at: &Configuration,
        displacement: &[Vec2],
        (share, beyond): (f64, f64),
    ) -> Option<(Contacts, LinearGaps)> {
        let model = problem.potential.model;
        let stage = problem.potential.stage;
        let barriers = problem.potential.barriers.reaching(beyond);
        let ends = at.x.iter().zip(displacement);
        let end: Vec<Vec2> = ends.map(|(x, d)| x + d * share).collect();
        let motion = Sweep::straight(&at.x, &end);
        let nearby = &mut self.filter.nearby;
        nearby.cover(model, &motion, &stage.predicted.x, &mut self.log);

        let mut wide = Contacts::default();
        wide.renew(&model.surface, &barriers, &nearby.near, &at.x)
            .ok()?;
        let mut gaps = wide.linear_gaps(&at.x, beyond);
        gaps.keep_reachable(displacement);
        if gaps.is_empty() {
            return None;
        }

        // What stops bodies that nothing holds apart yet.
        let body = &model.surface.body;
        let mass = |vertex: usize| match self.balance.mass[body[vertex]] {
            0.0 => f64::INFINITY,
            mass => mass,
        };
        gaps.weigh(mass, stage.contact / stage.inertia);
        Some((wide, gaps))
    }

    /// Solves the inner problem in rounds, and returns true if at least one round ended.
    ///
    /// A matrix that is not positive definite loses first the turning of normals, then the negative curvature
    /// of the other energies. Without either it is positive definite.
    fn solve_rounds(
        &mut self,
        inner: &mut Inner,
        problem: &mut Problem,
        iterate: &Iterate,
        direction: &Direction,
        from_afar: bool,
    ) -> bool {
        let mut curvature = if direction.is_projected {
            Curvature::Projected
        } else {
            Curvature::Exact
        };
        let mut turns = true;
        let mut is_solved = false;
        let mut left = COMPOSITE_MOST_INNER;
        inner.forget_forces();

        for round in 0..COMPOSITE_ROUNDS {
            let knows_pressures = round > 0 || !from_afar;
            inner.gaps.turn(turns && knows_pressures);
            self.assemble_rest(inner, problem, iterate, curvature);
            match self.solve_round(inner, problem, &mut left) {
                Solved::Round => is_solved = true,
                // Normals that turn, then energies, make it indefinite.
                Solved::Indefinite if turns => {
                    turns = false;
                    continue;
                }
                Solved::Indefinite if curvature == Curvature::Exact => {
                    curvature = Curvature::Projected;
                    continue;
                }
                Solved::Indefinite | Solved::OutOfSolves => return is_solved,
            }
            if inner.renew_loads() <= COMPOSITE_ALIKE {
                break;
            }
        }
        is_solved
    }

    /// Assembles the Hessian of all energies but contacts and friction, with the curvature of arcs by the
    /// present pressures, and keeps a copy.
    fn assemble_rest(
        &mut self,
        inner: &mut Inner,
        problem: &mut Problem,
        iterate: &Iterate,
        curvature: Curvature,
    ) {
        let potential = &mut *problem.potential;
        let mut by_x = inner.rest.clone();

        // Places press as they did where normals began to turn.
        let places = inner.gaps.slopes().iter().zip(inner.gaps.held());
        for (place, force) in places.filter(|(_, force)| *force != 0.0) {
            for (&i, by) in place.vertices.iter().zip(&place.opening) {
                by_x[i] += by * (potential.stage.contact * force);
            }
        }

        let friction = std::mem::take(&mut potential.friction);
        let system = &mut self.systems.kept[inner.system];
        let none = Contacts::default();
        system.assemble(potential, &none, &iterate.at, curvature, &by_x);
        add_penalties(system, &problem.pins);
        problem.potential.friction = friction;
        inner.hessian = system.matrix().clone();
    }
}

impl Problem<'_, '_> {
    /// True if a direction that moves no vertex farther than `longest` (m) may change a gap by much, for barriers of
    /// a reach (m). Where no equilibrium holds a body, it may be sent out of all bounds instead.
    fn may_meet(&self, iterate: &Iterate, longest: f64, reach: f64) -> bool {
        let stage = self.potential.stage;
        let start = stage.reference.x.iter().copied();
        let is_lost = stage.beta.is_none() && longest > Aabb::around(start).extent().max();
        !is_lost && longest >= COMPOSITE_NEAR * iterate.contacts.min_gap.min(reach)
    }

    /// Length (m) up to which linear gaps mean something, for barriers of a reach (m) and a direction that moves no
    /// vertex farther than `longest` (m). Bodies of an equilibrium are to be where the direction leads.
    fn linear_as_far_as(&self, reach: f64, longest: f64) -> f64 {
        match self.potential.stage.beta {
            Some(_) => COMPOSITE_REACH * reach,
            None => longest,
        }
    }
}

/// True if composite directions pay at a state: bodies do not deform, so that inner solves cost little next to
/// searches for pairs, or all contacts of an equilibrium are to be found.
fn meets(problem: &Problem, iterate: &Iterate) -> bool {
    match problem.potential.stage.beta {
        Some(_) => problem.potential.is_loose(),
        None => iterate.contacts.is_empty(),
    }
}

/// True if a scene may have composite directions: no joints take forces from the factor.
fn suits(problem: &Problem) -> bool {
    let potential = &*problem.potential;
    let model = potential.model;
    let stage = potential.stage;
    potential.constraints.is_empty()
        && stage.following.chambers.is_empty()
        && model.coordinates.lattice().is_none()
        && model.surface.images.is_empty()
        && !model.surface.points.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::newton::direction::Direction;
    use crate::solve::newton::progress::Searched;
    use crate::solve::newton::solver::Solver;
    use crate::solve::test_problems::{
        D_HAT, Small, barriers, euler, held, rubbing, settings, slid, started,
    };
    use ipcsim_contact::{Friction, FrictionTable};

    /// A block at a height (m) over level ground that moves by a vector (m) in a step of 0.1 s where nothing stops
    /// it: after directions that contact cut, whether a composite one is found, and its motion (m).
    fn composed(height: f64, way: Vec2, coefficient: f64) -> (bool, Vec2) {
        let mut small = Small::default();
        let point = small.point([0.0, height], 2.0);
        small.touch(point);
        small.plane([0.0, 1.0], [0.0, 0.0]);
        let (model, at) = small.model();
        let stage = euler(&model, &at, 0.1, &[way / 0.1, Vec2::zeros()], [0.0; 2]);
        let barriers = barriers();
        let table = FrictionTable::uniform(coefficient, 1e-3);
        let mut potential = rubbing(&model, &stage, &barriers, &table);
        let (mut solver, iterate) = started(&model, &at);
        potential.renew_friction(&iterate.contacts, &at, &mut Friction::default());
        let mut problem = Problem::new(&mut potential, &[held(&at, 1)], &at);
        let mut state = SolveState::new(stage.tolerance, settings());
        let Solver {
            newton, direction, ..
        } = &mut solver;
        let exact = Search::Exact;
        let mut find = |newton: &mut Newton, direction: &mut Direction| {
            newton.find_gradient(&problem, &iterate, direction).unwrap();
            newton
                .find_direction(&mut problem, exact, &iterate, direction)
                .unwrap();
        };
        find(newton, direction);
        let mut compose = |state: &mut SolveState, direction: &mut Direction| {
            newton.compose(&mut problem, exact, state, &iterate, direction)
        };
        assert!(!compose(&mut state, direction), "no direction was cut yet");
        let cut = Searched {
            value: 0.0,
            lost: false,
            fraction: 0.1,
            was_whole: false,
        };
        (0..COMPOSITE_AFTER).for_each(|_| state.progress.note(1.0, true, &cut));
        let is_found = compose(&mut state, direction);
        (is_found, direction.p[0])
    }

    #[test]
    fn a_block_that_would_pass_the_ground_is_stopped_above_it_by_one_direction() {
        for height in [2.0, 5.0, 9.0] {
            let (is_found, p) = composed(height * D_HAT, Vec2::new(0.0, -30.0 * D_HAT), 0.0);
            assert!(is_found);
            let gap = height * D_HAT + p.y;
            assert!(gap > 0.0 && gap < D_HAT, "{gap}");
        }
    }

    #[test]
    fn friction_of_ground_that_is_not_reached_yet_slows_a_block_as_much_as_it_will_press() {
        let way = Vec2::new(30.0, -20.0) * D_HAT;
        let (is_found, p) = composed(3.0 * D_HAT, way, 0.5);
        let stopped = p - way;
        assert!(is_found);
        let error = stopped.x + 0.5 * stopped.y;
        assert!(error.abs() < 0.05 * stopped.y, "{stopped}");
    }

    #[test]
    fn a_solve_with_composite_directions_ends_where_forces_balance() {
        let mut small = Small::default();
        let point = small.point([0.0, 6.0 * D_HAT], 2.0);
        small.touch(point);
        small.plane([0.0, 1.0], [0.0, 0.0]);
        let (model, at) = small.model();
        let start = Vec2::new(300.0, -200.0) * D_HAT;
        let stage = euler(&model, &at, 0.1, &[start, Vec2::zeros()], [0.0; 2]);
        let table = FrictionTable::uniform(0.3, 1e-3);
        let (end, solved) = slid(&model, &at, &stage, &table);
        let change = stage.velocity(&end.q)[0] - start;
        assert!(
            solved.follows && solved.iterations <= 6,
            "{}",
            solved.iterations
        );
        assert!(
            (change.x + 0.3 * change.y).abs() < 1e-7 * change.y,
            "{change}"
        );
    }
}
