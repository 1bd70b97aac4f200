//! Options within a stage, as the plain stage of a step needs them.
//!
//! Each function describes a part of a stage without options, and with them.

use super::arc_length::continuation::next_on_path;
use super::energy_correction::{Restored, restore};
use super::ledger::Account;
use super::predictor::{PAST, expected};
use super::restitution::{Rebound, StageEnd, Struck, rebound};
use super::statics::equilibrium::equilibrium;
use crate::body::Body;
use crate::solve::{Failure, Model, Solver, Stage, Strategy};
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::minimum::{Minimum, unsolved};
use crate::time::step::surroundings::Around;
use crate::time::world::World;
use ipcsim_contact::{Barriers, Motion, Stiffened, stiffen};
use ipcsim_math::Vec2;

/// Where forces are expected to lead bodies in a stage of a step from `start`, if steps are adaptive.
pub(in crate::time) fn expect(world: &World, start: &State, stage: &mut Stage, span: Span) {
    if world.options.adaptive.is_some() {
        stage.expected = expected(start, stage, span.h);
    }
}

/// End of a stage that is not the minimum of its potential: where the stage begins if all bodies
/// sleep, equilibrium in statics, and with arc length the next one on the path. `None` for a plain
/// stage.
pub(in crate::time) fn instead_of_minimum(
    world: &World,
    solver: &mut Solver,
    stage: &mut Stage,
    from: &State,
    around: &Around,
    strategy: Strategy,
) -> Option<Result<Minimum, Failure>> {
    let surroundings = around.awake();

    if around.sleeping.are_all() {
        Some(unsolved(world, surroundings, solver, stage, from))
    } else if let Some(control) = world.options.arc_length {
        let how = (control, strategy);
        Some(next_on_path(world, surroundings, solver, stage, from, how))
    } else if world.integrator.is_static() {
        Some(equilibrium(
            world,
            surroundings,
            solver,
            stage,
            from,
            strategy,
        ))
    } else {
        None
    }
}

/// Velocities at the end of a stage.
pub(in crate::time) struct Velocities {
    /// Velocities of coordinates (m/s; of angles rad/s), `[nodes]`, and the energy deficit.
    pub(in crate::time) restored: Restored,
    /// Bodies whose velocities jumped.
    pub(in crate::time) struck: Struck,
    /// Account of the stage, if the world keeps a ledger.
    pub(in crate::time) account: Option<Account>,
}

/// Velocities at the end of a stage: its own, or those after impacts, and otherwise with the energy
/// that the integrator has taken if the world keeps it. The account of the stage has both.
pub(in crate::time) fn velocities(
    world: &World,
    account: Option<&Account>,
    landing: StageEnd,
    is_last: bool,
) -> Velocities {
    let model = &world.model;
    let StageEnd {
        stage, from, at, ..
    } = landing;
    let Rebound { q_dot, struck } = rebound(world, landing);

    // The account has the change by impacts first, then by the correction.
    let mut account = account.copied();
    if let Some(account) = &mut account {
        account.add_rebound(model, at, &stage.velocity(&at.q), &q_dot);
    }

    // Restitution says itself what an impact takes: no correction in stages with impacts.
    let owed = from.memory.owed.unwrap_or(0.0);
    let keeps = world.options.keeps_energy && struck.is_nobody();
    let restored = match account.as_mut().filter(|_| keeps) {
        None => Restored::nothing(q_dot, owed),
        Some(account) => {
            let restored = restore(world, landing, account, owed, q_dot.clone(), is_last);
            account.add_restored(model, at, &q_dot, &restored.q_dot);
            restored
        }
    };
    Velocities {
        restored,
        struck,
        account,
    }
}

/// Number of past states that a step remembers, for its integrator, for the control of substeps,
/// and for the direction of a path.
pub(in crate::time) fn depth(world: &World) -> usize {
    let own = world.integrator.history();
    match (world.options.adaptive, world.options.arc_length) {
        (Some(_), _) => own.max(PAST),
        (None, Some(_)) => own.max(1),
        (None, None) => own,
    }
}

/// Stiffness of barriers for the step after one of length `h` (s) from `start` to a landing.
/// Changes of velocities by restitution are not motion under forces, and do not count. Nothing
/// stiffens within a step, without `h`, and in statics, whose forces are the same functions at all
/// times.
pub(in crate::time) fn stiffened(
    world: &World,
    barriers: &Barriers,
    start: &State,
    landing: StageEnd,
    h: Option<f64>,
) -> Stiffened {
    let Some(h) = h.filter(|_| !world.integrator.is_static()) else {
        return Stiffened::default();
    };

    let StageEnd {
        stage,
        at,
        contacts,
        ..
    } = landing;

    let surface = &world.model.surface;
    stiffen(barriers, surface, contacts, &at.x, || {
        motion(world, start, &stage.velocity(&at.q), h)
    })
}

/// Motion of all bodies from the velocities of `start` to `q_dot` within `h` (s), by the momentum
/// of their nodes.
fn motion(world: &World, start: &State, q_dot: &[Vec2], h: f64) -> Motion {
    let Model {
        coordinates,
        mass,
        joints,
        ..
    } = &world.model;

    // Obstacles are not accelerated by contacts.
    let force = |body: &Body| {
        let nodes = body.nodes.clone();
        let gained = nodes.map(|node| {
            let impulse = mass[node].component_mul(&(q_dot[node] - start.q_dot[node]));
            coordinates.lift(node).tr_mul(&impulse)
        });
        (!body.kind.is_obstacle()).then(|| gained.sum::<Vec2>().norm() / h)
    };

    Motion {
        accelerating: world.bodies.iter().map(force).collect(),
        joined: joints.iter().map(|joint| joint.bodies).collect(),
    }
}

/// A stage with the contacts of sleeping bodies.
pub(in crate::time) struct Completed {
    /// The minimum.
    pub(in crate::time) minimum: Minimum,
    /// Barriers of the next step.
    pub(in crate::time) stiffened: Stiffened,
    /// Sleeping bodies that others came near to.
    pub(in crate::time) woken: Vec<usize>,
}

/// Completes the `found` end of a stage of a step that begins with `start`: sleeping bodies keep the
/// stiffness and the joint forces that they had, and their contacts are found.
///
/// # Errors
/// [`Failure::Touching`], if something touches there.
pub(in crate::time) fn complete(
    world: &World,
    solver: &mut Solver,
    stage: &Stage,
    start: &State,
    around: &Around,
    found: (Minimum, Stiffened),
) -> Result<Completed, Failure> {
    let (mut minimum, mut stiffened) = found;
    let sleeping = &around.sleeping;
    let before = &start.memory;
    let woken = sleeping.met(world, &minimum.iterate.contacts);
    sleeping.keep(&mut stiffened, &before.doubled);
    sleeping.keep_forces(world, &mut minimum.multipliers, &before.multipliers);
    let minimum = minimum.completed(sleeping, world, around.everywhere(), solver, stage)?;
    Ok(Completed {
        minimum,
        stiffened,
        woken,
    })
}
