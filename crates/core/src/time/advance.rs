//! One attempt at a step: the stages of the integrator, one after another.
//!
//! For each stage:
//!
//! 1. the integrator describes the stage: predicted place, factors of the energies, end time;
//! 2. contacts are found at the start, and friction is lagged there (Li et al. 2020, section 5);
//! 3. the solver minimises the potential, and friction follows the normal forces as the minimum
//!    comes near;
//! 4. if the scene asks for lagged friction instead, it stays while the potential is minimised. It
//!    is lagged anew at the minimum, and the potential minimised again, until friction no longer
//!    changes velocities or the number of solves is used up;
//!
//! In statics, points 3 and 4 are the search for [`equilibrium`](super::equilibrium).
//!
//! 5. velocities follow from the minimum, and from impacts where pairs have a coefficient of
//!    restitution; where the scene keeps its energy they are given back what the integrator has
//!    taken; then memory and the report.
//!
//! An attempt changes nothing but the solver's memory, so a failed one can be repeated with another
//! strategy.

use super::energy_correction::{Restored, restore};
use super::integrator::Departure;
use super::joint_memory::{broke, broken};
use super::ledger::Account;
use super::memory::StepMemory;
use super::predictor::{PAST, expected};
use super::record::Record;
use super::report::StepReport;
use super::restitution::{Rebound, StageEnd, Struck, rebound};
use super::setting::Setting;
use super::span::Span;
use super::state::State;
use super::tunnelling::passes_nothing;
use super::world::World;
use crate::body::Body;
use crate::solve::{Failure, Iterate, Model, Solver, Stage, Strategy, Touching};
use ipcsim_contact::{Anchor, Barriers, Friction, Motion, Stiffened, stiffen};
use ipcsim_math::Vec2;
use std::borrow::Cow;
use std::mem::take;

/// End of a span, as an attempt at a step finds it.
pub(super) struct StageResult {
    /// State at the end.
    pub(super) state: State,
    /// Account of the stages on the way there.
    pub(super) report: StepReport,
}

/// End of a stage, and the bodies that were struck in it.
struct Reached {
    /// State and account.
    arrival: StageResult,
    /// Bodies whose velocities jumped.
    struck: Struck,
}

/// Computes the state at the end of a span that begins with `start`. The solver keeps contacts and
/// friction there.
///
/// # Errors
/// [`Failure`] of the first stage that is not solved. Then nothing has changed but the solver's
/// memory.
pub(super) fn advance(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    strategy: Strategy,
) -> Result<StageResult, Failure> {
    let stages = world.integrator.stages();
    let origin = start;
    let mut start = Cow::Borrowed(start);
    let mut ends = Vec::new();
    let mut reached = end_of_stage(world, solver, &start, &ends, span, strategy)?;

    while ends.len() + 1 < stages {
        let Reached { arrival, struck } = reached;
        let StageResult { state, report } = arrival;

        // To the next stage a body that was struck has always moved as it does now.
        if !struck.is_nobody() {
            let start = start.to_mut();
            let h = state.time - start.time;
            struck.let_fly(world, &state, h, [&mut start.q, &mut start.q_dot]);
        }
        ends.push(state);
        let next = end_of_stage(world, solver, &start, &ends, span, strategy)?;
        reached = Reached {
            arrival: StageResult {
                state: next.arrival.state,
                report: report.followed_by(next.arrival.report),
            },
            struck: next.struck,
        };
    }
    passes_nothing(world, origin, &reached.arrival.state)?;
    Ok(reached.arrival)
}

/// The stage of a step from `start` that comes after the `ends` of others.
fn stage_after(world: &World, start: &State, ends: &[State], span: Span) -> Stage {
    let mut stage = world.integrator.stage(Departure {
        model: &world.model,
        loading: &world.loading,
        prescribed: &world.prescribed,
        tolerance: world.newton.tolerance,
        clock: world.clock,
        start,
        ends,
        span,
    });
    if world.adaptive.is_some() {
        stage.expected = expected(start, &stage, span.h);
    }
    stage
}

/// Computes the end of the stage that comes after the `ends` of others.
///
/// # Errors
/// [`Failure`], if the stage is not solved.
fn end_of_stage(
    world: &World,
    solver: &mut Solver,
    start: &State,
    ends: &[State],
    span: Span,
    strategy: Strategy,
) -> Result<Reached, Failure> {
    // The stage, and its minimum.
    let mut stage = stage_after(world, start, ends, span);
    let from = ends.last().unwrap_or(start);
    let setting = Setting::of(world, start, &stage);
    let minimum = setting.minimum(world, solver, &mut stage, from, strategy)?;

    // Velocities there, and those after impacts.
    let landing = StageEnd {
        stage: &stage,
        from,
        at: &minimum.iterate.at,
        contacts: &minimum.iterate.contacts,
    };
    let is_last = ends.len() + 1 == world.integrator.stages();
    let (mut restored, struck, account) = leave(world, minimum.account.as_ref(), landing, is_last);

    let h = is_last.then_some(span.h);
    let stiffened = stiffened(world, &setting.barriers, start, landing, h);
    let end = setting.completed(world, solver, &stage, start, minimum, stiffened)?;

    // The state, which remembers what led to it.
    let minimum = end.minimum;
    let Iterate { at, contacts } = minimum.iterate;
    let mut state = State {
        step: start.step + 1,
        time: stage.end,
        parameters: start.parameters.clone(),
        memory: StepMemory {
            broken: broken(world, &start.memory.broken, &minimum.multipliers, is_last),
            multipliers: minimum.multipliers,
            turned: minimum.turned,
            doubled: end.stiffened.doubled,
            anchors: anchors(world, &minimum.friction, &minimum.tangents),
            gained: world.arc_length.map(|_| stage.end - from.time),
            owed: world.keeps_energy.then_some(restored.owed),
            flowed: minimum.flowed,
            rest: start.memory.rest.clone(),
            ..start.remembered(span.h, depth(world))
        },
        ..State::of(&world.model.coordinates, at, take(&mut restored.q_dot))
    };
    struck.rewrite(world, &mut state);
    restored.rewrite(&mut state.memory.history);

    // The report; contacts and friction are for the next step.
    let solved = minimum.solved;
    let mut record = Record::new(world, &state, &contacts, minimum.friction_energy, &solved);
    record.stiffening = end.stiffened.energy;
    let report = StepReport {
        status: solved.status,
        residual: solved.residual,
        lag_residual: minimum.late.velocity,
        late_contacts: minimum.late.contacts,
        held: minimum.held,
        broke: broke(&start.memory.broken, &state.memory.broken),
        woken: end.woken,
        doubled: start.memory.doubled.clone(),
        ..StepReport::of(record.accounted(account.as_ref()), state.hash())
    };
    solver.finish(Touching {
        contacts,
        friction: minimum.friction,
        tangents: minimum.tangents,
        stage: Some(stage),
        kept: None,
    });
    let arrival = StageResult { state, report };
    Ok(Reached { arrival, struck })
}

/// Number of past states that a step remembers, for its integrator, for the control of substeps,
/// and for the direction of a path.
fn depth(world: &World) -> usize {
    let own = world.integrator.history();
    match (world.adaptive, world.arc_length) {
        (Some(_), _) => own.max(PAST),
        (None, Some(_)) => own.max(1),
        (None, None) => own,
    }
}

/// Velocities at a landing after impacts, with the energy that the integrator has taken if the
/// world keeps it; bodies that were struck; and the account of the stage with both. Where impacts
/// act they decide alone.
fn leave(
    world: &World,
    account: Option<&Account>,
    landing: StageEnd,
    is_last: bool,
) -> (Restored, Struck, Option<Account>) {
    let model = &world.model;
    let StageEnd {
        stage, from, at, ..
    } = landing;
    let Rebound { q_dot, struck } = rebound(world, landing);
    let mut account = account.copied();
    if let Some(account) = &mut account {
        account.add_rebound(model, at, &stage.velocity(&at.q), &q_dot);
    }

    let owed = from.memory.owed.unwrap_or(0.0);
    let keeps = world.keeps_energy && struck.is_nobody();
    let restored = match account.as_mut().filter(|_| keeps) {
        None => Restored::nothing(q_dot, owed),
        Some(account) => {
            let restored = restore(world, landing, account, owed, q_dot.clone(), is_last);
            account.add_restored(model, at, &q_dot, &restored.q_dot);
            restored
        }
    };
    (restored, struck, account)
}

/// Anchors of contacts at the end of a step, with its friction at the positions `y` on tangents
/// (m); none where sticking contacts creep.
pub(super) fn anchors(world: &World, friction: &Friction, y: &[Vec2]) -> Vec<Anchor> {
    if world.friction.sticks {
        friction.anchors(&world.model.surface, y)
    } else {
        Vec::new()
    }
}

/// Stiffness of barriers for the step after one of length `h` (s) from `start` to a landing. What
/// restitution makes of velocities is no motion under forces, and does not count. Nothing stiffens
/// within a step, without `h`, and in statics, whose forces are the same functions at all times.
fn stiffened(
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
