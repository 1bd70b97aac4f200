//! Sleep: groups of bodies at rest stay where they are, and a step solves nothing for them.
//!
//! Bodies that may come near each other in a step make a [group](plan), as do those that a joint
//! connects. A group sleeps in a step if each of its bodies has been quiet at the end of some steps in
//! a row: no vertex faster than a speed `s`, and forces in balance within what the solver leaves over.
//! For the step
//!
//! - velocities of its bodies are 0, and their coordinates fixed: they are eliminated, as prescribed
//!   ones are;
//! - contacts between bodies that stay are not computed ([`Barriers::between_moving`]). They are found
//!   once at the end, for reports and for anchors of friction;
//! - collision detection goes on, so that certificates hold for sleepers as for all others;
//! - where nobody is awake nothing is solved at all, and the next such step repeats the [report](night).
//!
//! A group wakes *before* a step in which something that acts on it [changes](changes), or in which a
//! body that is awake may come near: any place within its velocity and the fall under gravity counts.
//! If a body that is awake ends a step within `d_hat` of a sleeper all the same, the step is solved
//! again from its start, with that group awake. So no accepted step has a force between sleepers and
//! others that was left out: what is solved is exactly the step of the bodies that are awake.
//!
//! **What is lost.** Motion slower than `s`. In the time `T` that a body sleeps, it would have moved by
//! `s T` at most while it stayed as slow as it was. Its kinetic energy, at most `1/2 m s^2` each time
//! it falls asleep, is a term of the ledger. The force that it leaves over is at most `m (2 s + r) / h`
//! with the imbalance `r` of the solver: that is what could change a velocity by `2 s` within a step.
//!
//! All of it follows from numbers of the state, of no clock and no thread, and the counts of quiet
//! steps are part of the memory of a step: a resumed run falls asleep and wakes at the same steps.

mod changes;
mod night;
mod plan;

use super::advance::Arrival;
use super::lagging::lagged;
use super::ledger::jump;
use super::memory::Rest;
use super::minimum::{Minimum, Surroundings};
use super::recovery::whole;
use super::report::StepReport;
use super::span::Span;
use super::state::State;
use super::world::World;
use crate::body::Body;
use crate::contact::{Barriers, Contacts, Doubled, Stiffened};
use crate::energy::Energy;
use crate::math::Vec2;
use crate::solve::{Failure, Iterate, Solver, Stage, Target};
use changes::changing;
use plan::Plan;

pub(super) use night::sleep_on;

/// When groups of bodies sleep.
#[derive(Clone, Debug, PartialEq)]
pub struct Sleep {
    /// Speed of a vertex (m/s) up to which each body is quiet, `[bodies]`.
    pub speeds: Vec<f64>,
    /// Number of quiet steps in a row after which a body may sleep.
    pub steps: u32,
    /// Pairs of bodies that joints or energies connect: they sleep together or not at all.
    pub links: Vec<[usize; 2]>,
}

/// Bodies that stay where they are in a stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Stays {
    /// True for sleepers, and for obstacles at rest, `[bodies]`; empty if nobody sleeps.
    still: Vec<bool>,
    /// True if nobody is awake.
    everybody: bool,
}

/// Computes the end of a span as one step, in which groups of bodies at rest sleep if the world lets
/// them.
///
/// # Errors
/// [`Failure`] of the usual method with everybody awake, if no fallback solves the span either.
pub(super) fn with_sleepers(
    world: &World,
    solver: &mut Solver,
    state: &State,
    span: Span,
) -> Result<Arrival, Failure> {
    let Some(sleep) = &world.sleep else {
        return whole(world, solver, state, span);
    };
    let changing = changing(world, state, span);
    let mut plan = Plan::of(world, sleep, state, span, &changing);
    let mut woken = Vec::new();
    let mut wasted = 0;
    loop {
        let start = laid_down(world, state, &plan.asleep);
        let mut arrival = match whole(world, solver, &start, span) {
            Err(failure) if !plan.has_sleepers() || failure == Failure::Interrupted => {
                return Err(failure);
            }
            Err(_) => {
                woken.extend(plan.wake_all());
                continue;
            }
            Ok(arrival) => arrival,
        };
        if !arrival.report.woken.is_empty() {
            wasted += arrival.report.record.newton_iterations;
            woken.extend(plan.wake(world, sleep, state, &arrival.report.woken));
            continue;
        }

        arrival.report.record.newton_iterations += wasted;
        woken.sort_unstable();
        arrival.report.woken = woken;
        enter(world, &mut arrival.report, state, &start);
        arrival.state.memory.rest = rested(world, sleep, &start, &arrival, &changing);
        arrival.report.hash = arrival.state.hash();
        if plan.is_night() {
            night::keep(world, solver, &arrival.state, &arrival.report);
        }
        return Ok(arrival);
    }
}

/// Enters into the ledger of a step, if it has one, the energy and momentum that sleepers have in a
/// `state` and not in that with which the step began.
fn enter(world: &World, report: &mut StepReport, state: &State, start: &State) {
    if let Some(ledger) = &mut report.record.ledger {
        let at = state.configuration();
        let (work, impulse) = jump(&world.model, &at, &state.q_dot, &start.q_dot);
        ledger.work.sleep += work;
        ledger.impulses.sleep += impulse;
    }
}

/// The state at the start of a step in which some bodies are `asleep`, `[bodies]`: without their
/// velocities.
fn laid_down(world: &World, state: &State, asleep: &[bool]) -> State {
    let mut start = state.clone();
    let steps = world.sleep.as_ref().map_or(0, |sleep| sleep.steps);
    start
        .memory
        .rest
        .resize(world.bodies.len(), Rest::default());
    for (number, body) in world.bodies.iter().enumerate() {
        let rest = &mut start.memory.rest[number];
        rest.asleep = asleep[number];
        if rest.asleep {
            rest.quiet = steps;
            start.q_dot[body.nodes.clone()].fill(Vec2::zeros());
            start.v[body.vertices.clone()].fill(Vec2::zeros());
        }
    }
    start
}

/// How long each body has been quiet at the end of a step that began with `start`, `[bodies]`.
///
/// Nobody is quiet where the solver left over more than it should, and no body on which what acts is
/// `changing`.
fn rested(
    world: &World,
    sleep: &Sleep,
    start: &State,
    arrival: &Arrival,
    changing: &[bool],
) -> Vec<Rest> {
    let Arrival { state, report } = arrival;
    let is_balanced = report.record.imbalance <= world.newton.imbalance.max(sleep.slowest());
    let after = |(number, body): (usize, &Body)| {
        let before = start.memory.rest[number];
        if before.asleep || body.kind.is_obstacle() {
            return before;
        }
        let speeds = state.v[body.vertices.clone()].iter().map(|v| v.norm());
        let is_slow = speeds.fold(0.0, f64::max) <= sleep.speeds[number];
        let is_quiet = is_slow && is_balanced && !changing[number];
        Rest {
            quiet: if is_quiet {
                (before.quiet + 1).min(sleep.steps)
            } else {
                0
            },
            asleep: false,
        }
    };
    world.bodies.iter().enumerate().map(after).collect()
}

impl Sleep {
    /// Connects the bodies between which an energy acts, from the body of each vertex.
    pub fn link(&mut self, energy: &dyn Energy, body: &[usize]) {
        for k in 0..energy.element_count() {
            let bodies = energy.stencil(k).iter().map(|&vertex| body[vertex]);
            let mut bodies: Vec<usize> = bodies.collect();
            bodies.dedup();
            self.links
                .extend(bodies.windows(2).map(|pair| [pair[0], pair[1]]));
        }
    }

    /// Least speed up to which a body is quiet (m/s).
    fn slowest(&self) -> f64 {
        self.speeds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

impl Stays {
    /// Bodies that stay in a stage of a step that begins with `start`: sleepers, and obstacles that are
    /// at their targets for the end of the stage.
    pub(super) fn of(world: &World, start: &State, stage: &Stage) -> Self {
        if start.memory.sleepers() == 0 {
            return Self::default();
        }

        let bodies = world.bodies.iter().enumerate();
        let mut still: Vec<bool> = bodies
            .map(|(number, body)| body.kind.is_obstacle() || start.memory.is_asleep(number))
            .collect();
        let targets = world.targets(&start.parameters, stage.end, start.time, &start.q);
        for target in targets.iter().filter(|target| !target.is_met(&start.q)) {
            still[world.model.body_of(target.node)] = false;
        }
        Self {
            everybody: !still.contains(&false),
            still,
        }
    }

    /// True if nobody is awake.
    pub(super) fn are_everybody(&self) -> bool {
        self.everybody
    }

    /// True if everybody is awake.
    pub(super) fn are_nobody(&self) -> bool {
        self.still.is_empty()
    }

    /// True if neither of two bodies moves.
    fn both(&self, [a, b]: [usize; 2]) -> bool {
        !self.still.is_empty() && self.still[a] && self.still[b]
    }

    /// Barriers without contacts between bodies that stay; all of them if nobody is awake, since
    /// nothing is solved then.
    pub(super) fn part(&self, barriers: &Barriers) -> Barriers {
        if self.everybody {
            return barriers.clone();
        }
        barriers.clone().between_moving(self.still.clone())
    }

    /// Sleepers that have contacts with bodies that move, ascending.
    pub(super) fn met(&self, world: &World, contacts: &Contacts) -> Vec<usize> {
        if self.are_nobody() {
            return Vec::new();
        }
        let surface = &world.model.surface;
        let pairs = contacts.pairs(surface).map(|pair| pair.bodies(surface));
        let bodies = pairs.filter(|&pair| !self.both(pair)).flatten();
        let is_asleep = |&body: &usize| self.still[body] && !world.bodies[body].kind.is_obstacle();
        let mut met: Vec<usize> = bodies.filter(is_asleep).collect();
        met.sort_unstable();
        met.dedup();
        met
    }

    /// The minimum of a stage with the contacts of bodies that stay as well, and with the friction that
    /// holds them by their anchors; unchanged where all contacts are there.
    ///
    /// # Errors
    /// [`Failure::Touching`], if something touches there.
    pub(super) fn completed(
        &self,
        world: &World,
        surroundings: Surroundings,
        solver: &mut Solver,
        stage: &Stage,
        minimum: Minimum,
    ) -> Result<Minimum, Failure> {
        if self.everybody || self.are_nobody() {
            return Ok(minimum);
        }
        let Surroundings { barriers, friction } = surroundings;
        let Iterate { at, .. } = minimum.iterate;
        let model = &world.model;
        let iterate = solver.iterate_at(model, barriers, at, &stage.predicted.x)?;
        let all = lagged(model, friction, stage, &iterate);
        let mut friction = minimum.friction;
        friction.add_resting(&all, &model.surface, |a, b| self.both([a, b]));
        let parts = friction.energies();
        Ok(Minimum {
            friction_energy: parts.iter().map(|part| part.value(&minimum.tangents)).sum(),
            iterate,
            friction,
            ..minimum
        })
    }

    /// Gives pairs of bodies that stay the doublings that they had `before`, and no others.
    pub(super) fn keep(&self, stiffened: &mut Stiffened, before: &[Doubled]) {
        let own = before.iter().filter(|pair| self.both(pair.bodies));
        if self.everybody {
            *stiffened = Stiffened::default();
        }
        stiffened.doubled.extend(own);
        stiffened.doubled.sort_unstable_by_key(|pair| pair.bodies);
    }

    /// Gives ties between bodies that stay the forces (N) that they had `before`, in the order of the
    /// model's: openings that are within the tolerance would add up to forces otherwise.
    pub(super) fn keep_forces(&self, world: &World, forces: &mut [Vec2], before: &[Vec2]) {
        if before.len() != forces.len() || self.are_nobody() {
            return;
        }
        let joints = world.model.joints.iter();
        let of_ties = joints.flat_map(|joint| joint.ties.iter().map(|_| joint.bodies));
        for (k, bodies) in of_ties.enumerate() {
            if self.both(bodies) {
                forces[k] = before[k];
            }
        }
    }
}

/// Prescribed positions of a stage from a state: those of the world, and sleepers where they are.
pub(super) fn targets(world: &World, stage: &Stage, from: &State) -> Vec<Target> {
    let mut targets = world.targets(&from.parameters, stage.end, from.time, &from.q);
    if from.memory.sleepers() == 0 {
        return targets;
    }

    let owner = |node| world.model.body_of(node);
    targets.retain(|target| !from.memory.is_asleep(owner(target.node)));
    for (number, body) in world.bodies.iter().enumerate() {
        if from.memory.is_asleep(number) {
            targets.extend(body.nodes.clone().map(|node| Target {
                node,
                position: from.q[node],
                axes: [true; 2],
            }));
        }
    }
    targets
}
