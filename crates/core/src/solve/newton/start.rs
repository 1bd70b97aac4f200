//! The state at which Newton's method begins.
//!
//! Newton's method needs the fewest iterations if it begins near the minimum. Three guesses cost no
//! solve: the present state, the flight under velocity and loads, and the flight under velocity
//! without loads. Each flight is cut where something would touch. The guess of the lowest potential
//! is taken, so that bodies in flight begin at their end, bodies that keep their velocity begin
//! near it, and bodies at rest stay. Where everything rests, and something touches, no flight is
//! tried. Bodies that turn together with others go on along arcs (`carried_start.rs`). Increments of statics may begin elsewhere
//! (`extrapolated_start.rs`).
//!
//! Where kinetic friction is weaker than static friction the potential may have one minimum where a
//! contact sticks and one where it slides. The motion so far decides: Newton's method begins at the
//! flight under velocity without loads, where sliding contacts slide and sticking contacts stick.
//!
//! The guess changes the number of iterations and, within the tolerance, the minimum that they
//! find.

use super::direction::Direction;
use super::iterate::{Iterate, Trial};
use super::problem::Problem;
use super::settings::Settings;
use super::workspace::Newton;
use crate::body::Configuration;
use crate::solve::failure::Failure;
use crate::solve::model::Model;
use crate::solve::timings::Phase;
use ipcsim_contact::tuning::MOST_TURNS;
use ipcsim_math::Vec2;

/// Forces that act on bodies in flight, where no contact or elasticity does.
#[derive(Clone, Copy)]
pub(super) enum Flight {
    /// Velocity, gravity and other loads.
    Loaded,
    /// Velocity without loads.
    Coasting,
    /// Velocity, and the expected further displacement by forces.
    Expected,
    /// Motion of the last step, which turns along with rigid bodies.
    Turning,
}

impl Newton {
    /// Moves the state at the start of a stage to the one with the lowest potential of three: the
    /// present one, the flight under velocity and loads, and the flight without loads, as far as
    /// the path is free.
    ///
    /// A flight is not tried if the lower bound of the potential along it is not lower. Where
    /// kinetic friction is weaker than static friction the flight without loads is taken, whatever
    /// its potential is. In statics nothing flies. `trial` and `best` are buffers.
    ///
    /// # Errors
    /// [`Failure::Spinning`] if a body turns so often on that path that it cannot be searched for
    /// collisions; [`Failure::Touching`] if things touch at the targets.
    pub(super) fn start(
        &mut self,
        problem: &mut Problem,
        settings: Settings,
        direction: &mut Direction,
        [trial, best]: [&mut Trial; 2],
        iterate: &mut Iterate,
    ) -> Result<(), Failure> {
        // Friction of the start, which has been left out so far where it follows.
        self.knows_forces = false;
        let is_static = problem.potential.stage.beta.is_none();
        if !is_static {
            let Self { older, log, .. } = self;
            log.timings.measure(Phase::Friction, || {
                let Iterate { at, contacts } = &*iterate;
                problem.potential.renew_friction(contacts, at, older)
            });
        }

        // The state as it is, with prescribed coordinates at their targets where they can be, alone or
        // together with bodies that turn.
        let on_arcs = !is_static && Self::flies_on_arcs(problem, iterate);
        let mut moved = self.settle(problem, direction, trial, iterate)?;
        problem.pins.mark_met(&mut self.systems.fixed);
        let is_carried = on_arcs && !problem.pins.all_met();
        if is_carried {
            moved = self.carry(problem, direction, trial, iterate)?;
            problem.pins.mark_met(&mut self.systems.fixed);
        }
        if is_static {
            return Ok(());
        }

        self.knows_forces = !moved && self.rests(problem, settings, direction, iterate)?;
        if self.knows_forces {
            return Ok(());
        }
        let turns = on_arcs && !is_carried;
        self.take_off(problem, turns, direction, [trial, best], iterate)
    }

    /// Moves a state to where the flight with the lowest potential leads, if that is lower than where it
    /// is. `trial` and `best` are buffers.
    ///
    /// # Errors
    /// [`Failure::Spinning`], as in [`Newton::start`].
    fn take_off(
        &mut self,
        problem: &mut Problem,
        turns: bool,
        direction: &mut Direction,
        [trial, best]: [&mut Trial; 2],
        iterate: &mut Iterate,
    ) -> Result<(), Failure> {
        let model = problem.potential.model;
        let mut least = self
            .log
            .timings
            .measure(Phase::LineSearch, || problem.value(iterate));

        // All flights, each as far as it is free.
        let mut found = false;
        let mut flights = &[
            Flight::Loaded,
            Flight::Coasting,
            Flight::Expected,
            Flight::Turning,
        ][..];
        if problem.potential.friction.weakens() {
            flights = &[Flight::Coasting];
            least = f64::INFINITY;
        }
        for &flight in flights {
            let has_sense = match flight {
                Flight::Loaded | Flight::Coasting => true,
                Flight::Expected => !problem.potential.stage.expected.is_empty(),
                Flight::Turning => turns,
            };
            if !has_sense {
                continue;
            }
            self.fly(problem, flight, &iterate.at, &mut direction.p);
            spins_slowly(model, &iterate.at, direction)?;
            if problem.potential.lower_bound(&iterate.at.q, &direction.p) >= least {
                continue;
            }

            let bound = self.shorten(problem, iterate, direction);
            let fraction = bound.contact.fraction;
            self.try_at(problem, &iterate.at, direction, fraction, trial);
            let lower = trial.moved && trial.value < least;
            let proved = bound.proves(model, fraction);
            if lower && self.is_safe(problem, &iterate.at, trial, proved) {
                least = trial.value;
                std::mem::swap(trial, best);
                found = true;
            }
        }

        if found {
            self.accept(best, iterate);
            problem.potential.constraints.follow(&iterate.at.x);
        }
        Ok(())
    }

    /// True if something touches, velocities are below the imbalance that a solve may leave, and
    /// forces balance: a flight would end where it begins, or in a contact. The gradient of
    /// `direction` then belongs to the state.
    ///
    /// Only where forces must balance: elsewhere slow bodies may creep.
    ///
    /// # Errors
    /// [`Failure`], if the gradient is not finite.
    fn rests(
        &mut self,
        problem: &Problem,
        settings: Settings,
        direction: &mut Direction,
        iterate: &Iterate,
    ) -> Result<bool, Failure> {
        let potential = &*problem.potential;
        let may_rest = settings.weighs_forces() && problem.pins.all_met();
        if iterate.contacts.is_empty() || !may_rest {
            return Ok(false);
        }
        self.fly(problem, Flight::Coasting, &iterate.at, &mut direction.p);
        direction.displace(&potential.model.coordinates, &iterate.at);
        let speed = potential
            .stage
            .residual(potential.model, &direction.displacement);
        if speed > settings.imbalance {
            return Ok(false);
        }

        self.find_gradient(problem, iterate, direction)?;
        let found = self.imbalance(problem, direction);
        Ok(found.counted <= settings.imbalance)
    }

    /// Writes how far free coordinates fly in a stage from `at` (m; of angles rad), `[nodes]`.
    ///
    /// Coordinates that are fixed or have no mass stay.
    pub(super) fn fly(
        &self,
        problem: &Problem,
        flight: Flight,
        at: &Configuration,
        p: &mut [Vec2],
    ) {
        let stage = problem.potential.stage;
        let mass = &problem.potential.model.mass;
        for (i, p) in p.iter_mut().enumerate() {
            *p = stage.predicted.q[i] - at.q[i];
            if !matches!(flight, Flight::Loaded) {
                *p -= stage.push[i];
            }
            if let (Flight::Expected, Some(way)) = (flight, stage.expected.get(i)) {
                *p += way;
            }
        }
        if let (Flight::Turning, Some(flight)) = (flight, &stage.turning) {
            let coordinates = &problem.potential.model.coordinates;
            coordinates.turn_along(&flight.way, [0.0, 1.0], flight.behind, p);
        }

        for (i, p) in p.iter_mut().enumerate() {
            for axis in 0..2 {
                if self.systems.fixed[i][axis] || mass[i][axis] == 0.0 {
                    p[axis] = 0.0;
                }
            }
        }
        problem.potential.model.coordinates.follow(p);
    }
}

/// Checks that no body turns more often along a direction than its motion can be searched for
/// collisions.
///
/// # Errors
/// [`Failure::Spinning`], with a vertex of the body and its number of turns.
pub(super) fn spins_slowly(
    model: &Model,
    at: &Configuration,
    direction: &Direction,
) -> Result<(), Failure> {
    match model.coordinates.most_turns(&at.q, &direction.p) {
        Some((vertex, turns)) if turns > MOST_TURNS => Err(Failure::Spinning { vertex, turns }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Target;
    use crate::solve::stage::Stage;
    use crate::solve::test_problems::{
        Curve, D_HAT, Small, barriers, euler, from_rest, gap_under, held, on_a_curve, potential,
        settings, solver,
    };

    /// Length of a step (s).
    const H: f64 = 0.01;

    /// Starts a stage, and returns the state, and true if it counts as at rest.
    fn started(
        model: &Model,
        at: &Configuration,
        stage: &Stage,
        targets: &[Target],
    ) -> Result<(Configuration, bool), Failure> {
        let barriers = barriers();
        let mut potential = potential(model, stage, &barriers);
        let mut solver = solver(model);
        let ahead = &stage.predicted.x;
        let mut iterate = solver.iterate_at(model, &barriers, at.clone(), ahead)?;
        solver.start(&mut potential, targets, &mut iterate)?;
        assert_eq!(solver.settings(), settings());
        Ok((iterate.at, solver.newton.knows_forces))
    }

    #[test]
    fn a_body_in_flight_begins_where_velocity_and_weight_take_it() {
        let mut small = Small::default();
        small.point([1.0, 2.0], 3.0);
        small.point([5.0, 2.0], 3.0);
        let (model, at) = small.model();
        let velocities = [[2.0, 4.0], [2.0, 4.0]].map(Vec2::from);
        let stage = euler(&model, &at, H, &velocities, [0.0, -10.0]);

        // The second body is held.
        let (end, rests) = started(&model, &at, &stage, &[held(&at, 1)]).unwrap();
        let expected = Vec2::new(1.0 + 0.02, 2.0 + 0.04 - 0.001);
        assert!((end.q[0] - expected).norm() < 1e-15, "{}", end.q[0]);
        assert_eq!(end.q[1], at.q[1]);
        assert!(!rests);
    }

    #[test]
    fn a_flight_against_a_spring_is_taken_only_if_its_potential_is_lower() {
        // With mass m, the end of the flight is lower where `k h^2 < m`.
        let soft = Curve::of(|u| [0.5 * 0.9 * u * u / (H * H), 0.0, 0.0]);
        let stiff = Curve::of(|u| [0.5 * 1.1 * u * u / (H * H), 0.0, 0.0]);
        for (curve, flies) in [(soft, true), (stiff, false)] {
            let (model, at) = on_a_curve(0.0, curve);
            let stage = from_rest(&model, &at, H, [100.0, 0.0]);
            let (end, _) = started(&model, &at, &stage, &[]).unwrap();
            let expected = if flies { 100.0 * H * H } else { 0.0 };
            assert!((end.q[0].x - expected).abs() < 1e-15, "{}", end.q[0]);
        }
    }

    /// A point of 1 kg over level ground.
    fn over_ground(gap: f64) -> (Model, Configuration) {
        let mut small = Small::default();
        let point = small.point([0.0, gap], 1.0);
        small.touch(point);
        small.plane([0.0, 1.0], [0.0, 0.0]);
        small.model()
    }

    #[test]
    fn a_flight_into_the_ground_ends_where_a_tenth_of_the_gap_is_left() {
        let gap = 2.0 * D_HAT;
        let (model, at) = over_ground(gap);
        let stage = from_rest(&model, &at, H, [0.0, -2.0 * gap / (H * H)]);
        let (end, _) = started(&model, &at, &stage, &[held(&at, 1)]).unwrap();
        assert!((end.q[0].y - 0.1 * gap).abs() < 1e-15, "{}", end.q[0]);
    }

    #[test]
    fn a_body_that_rests_in_balance_stays_where_it_is_and_one_out_of_balance_does_not_count() {
        for (factor, expected) in [(1.0, true), (1.01, false)] {
            let (model, at) = over_ground(factor * gap_under(9.81));
            let stage = from_rest(&model, &at, H, [0.0, -9.81]);
            let (end, rests) = started(&model, &at, &stage, &[held(&at, 1)]).unwrap();
            assert_eq!(rests, expected);
            assert!(!expected || end == at);
        }
    }

    #[test]
    fn a_body_that_spins_too_fast_is_reported_with_its_turns() {
        let mut small = Small::default();
        small.rigid([[0.0; 2], [0.0; 2]], &[[1.0, 0.0], [-1.0, 0.0]], [1.0, 1.0]);
        let (model, at) = small.model();
        let turns = 2.0 * MOST_TURNS;
        let speed = Vec2::new(turns * std::f64::consts::TAU / H, 0.0);
        let stage = euler(&model, &at, H, &[Vec2::zeros(), speed], [0.0; 2]);
        match started(&model, &at, &stage, &[]) {
            Err(Failure::Spinning {
                vertex: 0,
                turns: found,
            }) => {
                assert!((found - turns).abs() < 1e-9 * turns);
            }
            other => panic!("{other:?}"),
        }
    }
}
