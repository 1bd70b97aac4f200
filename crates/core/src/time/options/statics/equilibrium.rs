//! Equilibrium: where all forces balance under the loads and prescribed motion of one time.
//!
//! A body may be held by nothing yet: a ball above its floor has no stiffness until it touches. So
//! each solve has a small mass `m M` that holds bodies where they are, and is followed by the next
//! one from where it ended, with a hundredth of that mass (a proximal point method, Rockafellar
//! 1976). The force `m M (q - q_before)` falls to 0 with it, and the equilibrium is free of it:
//!
//! 1. **rounds** until the force that holds a body back is within `solver.imbalance`, and again with
//!    the forces at the ends of edges under pressure as they are there, which have no potential, until
//!    these no longer change;
//! 2. a force that does not fall is a load that nothing carries: the failure names the body;
//! 3. what could still move without any force at the end, a mechanism, is a failure too (`stiffness.rs`);
//! 4. bodies that deform and **rest** on others with a gap that counts get a barrier that reaches less
//!    far, and the rounds begin again from there;
//! 5. a body that **snaps** to another equilibrium has released more energy than the forces could
//!    bring along that were missing at the start. Such an increment is cut back, and followed by
//!    damped motion if that does not help (`recovery.rs`).

use crate::body::{BodyKind, Configuration};
use crate::constraint::Constraints;
use crate::solve::{
    Failure, Iterate, Potential, Solved, Solver, Stage, Strategy, TangentFriction, Target,
};
use crate::time::options::ledger::StageStart;
use crate::time::options::statics::followed::{Renewed, renewed};
use crate::time::options::statics::pseudo_transient::PseudoTransient;
use crate::time::state::State;
use crate::time::step::lagging::Lateness;
use crate::time::step::minimum::{Minimum, Surroundings, potential, potential_with};
use crate::time::world::World;
use crate::tuning::REST_MOST_ROUNDS;
use crate::tuning::{
    DAMPED_FASTER, DAMPED_MOST_MASS, DAMPED_MOST_ROUNDS, DAMPED_SLOWER, FOLLOWED_MOST_ROUNDS,
    STATICS_BURST, STATICS_FALL, STATICS_GROWN, STATICS_MOST_LATE, STATICS_MOST_ROUNDS,
    STATICS_MOST_STALLED, STATICS_RELEASE, STATICS_SNAPPED, STATICS_STALLED,
};
use ipcsim_contact::{Barriers, FrictionTable, rest_closely};
use ipcsim_math::geometry::aabb::Aabb;
use std::mem::take;
use std::sync::Arc;

/// End of a round.
#[derive(Clone, Copy, Debug)]
struct Reached {
    /// The solve, with the iterations of the rounds before.
    solved: Solved,
    /// Force that held bodies back.
    held: PseudoTransient,
}

/// Search for an equilibrium, between two rounds.
pub(super) struct Search<'a> {
    /// World of the search.
    pub(super) world: &'a World,
    /// State where the increment begins.
    from: &'a State,
    /// Barriers so far.
    pub(super) barriers: Arc<Barriers>,
    /// Coefficients of friction, with the anchors of sticking contacts.
    table: &'a FrictionTable,
    /// Positions of prescribed nodes.
    pub(super) targets: &'a [Target],
    /// State so far.
    pub(super) iterate: Iterate,
    /// Friction so far.
    pub(super) friction: TangentFriction,
    /// Joints, with the forces that close them.
    pub(super) constraints: Constraints,
}

/// Brings a state to equilibrium under the loads and scripts of the end of `stage`, whose mass is 0
/// afterwards.
///
/// # Errors
/// - [`Failure::Unheld`] if nothing carries a load;
/// - [`Failure::Loose`] if a body could still move without any force, in a static world;
/// - [`Failure::Snaps`] if a body has left its branch of equilibria and `strategy` forbids that;
/// - [`Failure`] of a solve.
pub(in crate::time) fn equilibrium(
    world: &World,
    surroundings: Surroundings,
    solver: &mut Solver,
    stage: &mut Stage,
    from: &State,
    strategy: Strategy,
) -> Result<Minimum, Failure> {
    // Damped motion begins where bodies are, as does a search that another start has led astray.
    let expected = take(&mut stage.expected);
    if !strategy.jumps && !expected.is_empty() {
        let mut ahead = stage.clone();
        ahead.expected = expected;
        let found = search(world, surroundings, solver, &mut ahead, from, strategy);
        if matches!(found, Ok(_) | Err(Failure::Interrupted)) {
            *stage = ahead;
            return found;
        }
    }
    search(world, surroundings, solver, stage, from, strategy)
}

/// Searches for the equilibrium of a stage from where its bodies are, or are expected; see [`equilibrium`].
///
/// # Errors
/// Those of [`equilibrium`].
fn search(
    world: &World,
    surroundings: Surroundings,
    solver: &mut Solver,
    stage: &mut Stage,
    from: &State,
    strategy: Strategy,
) -> Result<Minimum, Failure> {
    let targets = world.targets(&from.parameters, stage.end, from.time, &from.q);
    let at = from.configuration();
    let ahead = &stage.predicted.x;
    let mut iterate = solver.iterate_at(&world.model, surroundings.barriers, at, ahead)?;
    let inertia = take(&mut stage.inertia);
    let mut first = potential(world, surroundings, stage, from, &iterate);
    let outset = StageStart::of(world, from, &targets, &iterate.contacts);

    // Prescribed coordinates at their targets, if the path is free; then all others as in the last increment.
    // Nothing holds bodies back yet.
    solver.start(&mut first, &targets, &mut iterate)?;
    let mut departure = iterate.clone();
    solver.go_on_as_before(&mut first, &targets, &mut iterate)?;
    let mut search = Search {
        world,
        from,
        barriers: Arc::new(surroundings.barriers.clone()),
        table: surroundings.friction,
        targets: &targets,
        friction: first.friction,
        constraints: first.constraints,
        iterate,
    };

    // Rounds, and their residual; again where bodies rest with a gap that counts.
    stage.inertia = inertia;
    let reached = search.find_at_rest(solver, stage, strategy, &mut departure)?;
    // A body that is smaller than drawn may touch nothing yet.
    let is_resized = stage.end < world.options.resized_until;
    if world.integrator.is_static() && !is_resized {
        search.test_stiffness(solver, stage)?;
    }
    stage.inertia = 0.0;
    if !strategy.jumps {
        search.test_release(stage, &departure)?;
    }

    let is_late = search.is_late(&reached);
    let Reached { solved, held } = reached;
    let solved = Solved {
        imbalance: solved.imbalance + held.speed,
        ..solved
    };
    let Search {
        friction,
        constraints,
        iterate,
        barriers,
        ..
    } = search;
    let found = Surroundings {
        barriers: &barriers,
        ..surroundings
    };
    let potential = potential_with(world, found, stage, friction, constraints);
    let late = if is_late {
        let table = surroundings.friction;
        let renewed = TangentFriction::lagged(&world.model, stage, table, &iterate);
        Lateness::of(&potential, &renewed, solver, &iterate)
    } else {
        Lateness::default()
    };
    let mut minimum = Minimum::of(outset, from, potential, iterate, late, solved);
    minimum.held = held.force;
    let is_changed = barriers.adapted() != surroundings.barriers.adapted();
    minimum.barriers = is_changed.then(|| Arc::unwrap_or_clone(barriers));
    Ok(minimum)
}

impl Search<'_> {
    /// Rounds until forces balance, and in statics again with barriers that reach less far, until bodies rest
    /// closely; the `departure` gets the contacts of these barriers.
    ///
    /// # Errors
    /// [`Failure::Overloaded`] where a body grows beyond measure, or those of [`Search::find`].
    fn find_at_rest(
        &mut self,
        solver: &mut Solver,
        stage: &mut Stage,
        strategy: Strategy,
        departure: &mut Iterate,
    ) -> Result<Reached, Failure> {
        let inertia = stage.inertia;
        let found = self.find(solver, stage, strategy);
        let mut reached = found.map_err(|failure| self.overloaded(failure))?;
        if let Some(failure) = self.grown_by(STATICS_BURST) {
            return Err(failure);
        }

        for _ in 0..REST_MOST_ROUNDS {
            if !self.world.integrator.is_static() || !self.rest_closely(solver, departure)? {
                break;
            }
            stage.inertia = inertia;
            reached = reached.then(self.find(solver, stage, strategy)?);
        }
        Ok(reached)
    }

    /// Rounds until forces balance, with the barriers so far.
    ///
    /// # Errors
    /// [`Failure::Unheld`], or [`Failure`] of a solve.
    fn find(
        &mut self,
        solver: &mut Solver,
        stage: &mut Stage,
        strategy: Strategy,
    ) -> Result<Reached, Failure> {
        let mut reached = if strategy.jumps {
            self.follow_motion(solver, stage, strategy)?
        } else {
            self.descend(solver, stage, strategy)?
        };

        // Once more from here, where friction has kept the forces of another state.
        for _ in 0..STATICS_MOST_LATE {
            if !self.is_late(&reached) {
                break;
            }
            reached = reached.then(self.descend(solver, stage, strategy)?);
        }

        // Loads that follow bodies, as they are at the end.
        for _ in 0..FOLLOWED_MOST_ROUNDS {
            let at = &self.iterate.at;
            let Some(renewed) = renewed(self.world, self.from, stage, at) else {
                return Ok(reached);
            };
            stage.following = renewed.following;
            reached = reached.then(self.descend(solver, stage, strategy)?);
        }
        match renewed(self.world, self.from, stage, &self.iterate.at) {
            None => Ok(reached),
            Some(Renewed { vertex, force, .. }) => Err(Failure::Unheld { vertex, force }),
        }
    }

    /// True if friction was to follow in the last round, and has kept the normal forces of another state.
    fn is_late(&self, reached: &Reached) -> bool {
        self.world.follows(self.table) && !reached.solved.follows
    }

    /// Takes barriers with which bodies rest closely, and finds the contacts with them, here and at
    /// the departure. Returns false if they already do.
    ///
    /// # Errors
    /// [`Failure::Touching`], which no accepted state does.
    fn rest_closely(
        &mut self,
        solver: &mut Solver,
        departure: &mut Iterate,
    ) -> Result<bool, Failure> {
        let model = &self.world.model;
        let Iterate { at, contacts } = &self.iterate;
        let Some(adapted) = rest_closely(&self.barriers, &model.surface, contacts, &at.x) else {
            return Ok(false);
        };
        self.barriers = Arc::new(self.barriers.with(&adapted));
        for iterate in [departure, &mut self.iterate] {
            let at = iterate.at.clone();
            let ahead = at.x.clone();
            *iterate = solver.iterate_at(model, &self.barriers, at, &ahead)?;
        }
        Ok(true)
    }

    /// Rounds with less and less mass, until the force that holds bodies back has vanished.
    ///
    /// # Errors
    /// [`Failure::Unheld`], or [`Failure`] of a solve.
    fn descend(
        &mut self,
        solver: &mut Solver,
        stage: &mut Stage,
        strategy: Strategy,
    ) -> Result<Reached, Failure> {
        let mut reached = self.round(solver, stage, strategy)?;
        let mut stalled = 0;
        let mut fall = STATICS_FALL;
        for _ in 1..STATICS_MOST_ROUNDS {
            let last = reached.held.counted;
            if last <= solver.settings().imbalance {
                return Ok(reached);
            }
            if stalled >= STATICS_MOST_STALLED {
                break;
            }

            stage.inertia *= fall;
            reached = reached.then(self.round(solver, stage, strategy)?);

            // Faster where bodies hardly move any more.
            let rests = reached.held.counted < STATICS_FALL * last;
            fall = if rests {
                STATICS_FALL * STATICS_FALL
            } else {
                STATICS_FALL
            };
            let brings_little = reached.held.counted > STATICS_STALLED * last;
            stalled = if brings_little { stalled + 1 } else { 0 };
        }
        reached.unless_held(solver)
    }

    /// Rounds that are motion without inertia in a tough liquid: with a large mass while forces
    /// grow, and with less and less while they fall.
    ///
    /// # Errors
    /// [`Failure::Unheld`], or [`Failure`] of a solve.
    fn follow_motion(
        &mut self,
        solver: &mut Solver,
        stage: &mut Stage,
        strategy: Strategy,
    ) -> Result<Reached, Failure> {
        stage.inertia = DAMPED_MOST_MASS;
        let mut reached = self.round(solver, stage, strategy)?;
        for _ in 1..DAMPED_MOST_ROUNDS {
            let last = reached.held.counted;
            if last <= solver.settings().imbalance {
                return Ok(reached);
            }
            reached = reached.then(self.round(solver, stage, strategy)?);
            if let Some(failure) = self.grown_by(STATICS_BURST) {
                return Err(failure);
            }

            // Faster where forces vanish, slower again where they grow.
            let grows = reached.held.counted > last;
            let factor = if grows { DAMPED_SLOWER } else { DAMPED_FASTER };
            stage.inertia = (stage.inertia * factor).min(DAMPED_MOST_MASS);
        }
        reached.unless_held(solver)
    }

    /// One solve, with the mass of `stage` at the state so far.
    ///
    /// # Errors
    /// [`Failure`] of the solve.
    fn round(
        &mut self,
        solver: &mut Solver,
        stage: &mut Stage,
        strategy: Strategy,
    ) -> Result<Reached, Failure> {
        stage.predicted.clone_from(&self.iterate.at);
        let table = self.table;
        if !self.world.follows(table) {
            self.friction = TangentFriction::lagged(&self.world.model, stage, table, &self.iterate);
        }

        self.constraints.begin_again();
        let barriers = Arc::clone(&self.barriers);
        let mut potential = self.take_potential(stage, &barriers);
        let iterate = &mut self.iterate;
        let solved = solver.minimise(&mut potential, self.targets, strategy, iterate);
        self.friction = potential.friction;
        self.constraints = potential.constraints;
        Ok(Reached {
            solved: solved?,
            held: PseudoTransient::of(self.world, solver, stage, self.targets, &self.iterate.at.q),
        })
    }

    /// The failure of a solve or of its rounds; [`Failure::Overloaded`] if a body has grown beyond measure.
    fn overloaded(&self, failure: Failure) -> Failure {
        let can_run_away = matches!(
            failure.kind(),
            "iterations" | "no_progress" | "unbalanced" | "not_finite" | "unheld"
        );
        if can_run_away {
            self.grown_by(STATICS_GROWN).unwrap_or(failure)
        } else {
            failure
        }
    }

    /// [`Failure::Overloaded`] if a body that deforms has grown by more than `most` within the increment,
    /// from its size at the start or the one that prescribed motion gives it.
    fn grown_by(&self, most: f64) -> Option<Failure> {
        let mut prescribed = self.from.q.clone();
        for target in self.targets {
            for axis in (0..2).filter(|&axis| target.axes[axis]) {
                prescribed[target.node][axis] = target.position[axis];
            }
        }
        let prescribed = Configuration::of(&self.world.model.coordinates, prescribed);
        let states = [&self.iterate.at.x, &self.from.x, &prescribed.x];
        let bodies = self.world.bodies.iter();
        let deforming = bodies.filter(|body| body.kind == BodyKind::Solid);
        for body in deforming {
            let [now, start, stretched] = states.map(|x| {
                let own = x[body.vertices.clone()].iter().copied();
                Aabb::around(own).extent().max()
            });
            let before = start.max(stretched);
            if now > most * before {
                return Some(Failure::Overloaded {
                    vertex: body.vertices.start,
                    ratio: now / before,
                });
            }
        }
        None
    }

    /// Potential of a stage with the friction and joints of the search, which it takes along.
    pub(super) fn take_potential<'s>(
        &mut self,
        stage: &'s Stage,
        barriers: &'s Barriers,
    ) -> Potential<'s>
    where
        Self: 's,
    {
        let friction = std::mem::take(&mut self.friction);
        let constraints = std::mem::take(&mut self.constraints);
        let surroundings = Surroundings {
            barriers,
            friction: self.table,
        };
        potential_with(self.world, surroundings, stage, friction, constraints)
    }

    /// Tests that no more energy was released since `departure` than the forces that were missing
    /// there explain.
    ///
    /// # Errors
    /// [`Failure::Snaps`], with the vertex that has moved most.
    fn test_release(&mut self, stage: &Stage, departure: &Iterate) -> Result<(), Failure> {
        // Targets that were still to be reached did work that the forces at the start do not
        // contain.
        let arrived = |target: &Target| {
            let missing = target.position - departure.at.q[target.node];
            (0..2).all(|axis| !target.axes[axis] || missing[axis] == 0.0)
        };
        if !self.targets.iter().all(arrived) {
            return Ok(());
        }

        let mut way = self.iterate.at.q.clone();
        for (way, start) in way.iter_mut().zip(&departure.at.q) {
            *way -= start;
        }
        let barriers = Arc::clone(&self.barriers);
        let potential = self.take_potential(stage, &barriers);
        let before = potential.value(&departure.contacts, &departure.at);
        let after = potential.value(&self.iterate.contacts, &self.iterate.at);
        let slope = potential.slope(&departure.contacts, &departure.at);
        self.friction = potential.friction;
        self.constraints = potential.constraints;

        // The work of the missing forces explains a fall to the next equilibrium, see
        // [`STATICS_SNAPPED`].
        let work: f64 = slope.iter().zip(&way).map(|(g, p)| -g.dot(p)).sum();
        let explained =
            0.5 * work.abs() * STATICS_SNAPPED + STATICS_RELEASE * (before.abs() + after.abs());
        if before - after <= explained {
            return Ok(());
        }

        let x = &self.iterate.at.x;
        let moved = |i: &usize| (x[*i] - departure.at.x[*i]).norm();
        let farthest = (0..x.len()).max_by(|a, b| moved(a).total_cmp(&moved(b)));
        Err(Failure::Snaps {
            vertex: farthest.unwrap_or(0),
            ratio: (before - after) / (0.5 * work.abs()),
        })
    }
}

impl Reached {
    /// The end of the `next` round, with the iterations of both.
    fn then(self, mut next: Self) -> Self {
        next.solved.iterations += self.solved.iterations;
        next
    }

    /// The end, unless a force still holds a body back.
    ///
    /// # Errors
    /// [`Failure::Unheld`].
    fn unless_held(self, solver: &Solver) -> Result<Self, Failure> {
        if self.held.counted <= solver.settings().imbalance {
            return Ok(self);
        }
        Err(Failure::Unheld {
            vertex: self.held.vertex,
            force: self.held.force,
        })
    }
}
