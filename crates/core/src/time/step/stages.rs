//! One attempt at a step: the stages of the integrator, one after another.
//!
//! For each stage:
//!
//! 1. the integrator predicts: where bodies go without forces between them, factors of the energies,
//!    end time;
//! 2. barriers and friction come from the world, with the memory of the steps before;
//! 3. the solver minimises the incremental potential, and friction follows the normal forces as the
//!    minimum comes near (`minimum.rs`);
//! 4. velocities follow from the minimum;
//! 5. the state gets the memory for the next step, and the report describes the stage.
//!
//! Options come in at named places (`options/of_stage.rs`): equilibrium instead of a minimum,
//! velocities after impacts, contacts of sleeping bodies.
//!
//! An attempt changes nothing but the solver's memory, so a failed one can be repeated with another
//! strategy.

use super::joint_memory::{broke, broken, weakest};
use super::minimum::{Minimum, solve_stage};
use super::motion_so_far::{slip_in_turning_frames, turning_flight};
use super::stage_end::StageEnd;
use super::surroundings::Around;
use crate::constraint::stored_in;
use crate::solve::{Failure, Iterate, Solver, Stage, Strategy, Touching};
use crate::time::cell::CellRecord;
use crate::time::memory::StepMemory;
use crate::time::options::of_stage::{
    self, Completed, Velocities, complete, instead_of_minimum, velocities,
};
use crate::time::options::restitution::Struck;
use crate::time::options::stiffening::stiffened;
use crate::time::options::tunnelling::passes_nothing;
use crate::time::record::Record;
use crate::time::report::{Broke, StepReport};
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_contact::AdaptedPair;
use std::borrow::Cow;
use std::mem::take;

/// End of a span, as an attempt at a step finds it.
pub(in crate::time) struct StageResult {
    /// State at the end.
    pub(in crate::time) state: State,
    /// Account of the stages up to there.
    pub(in crate::time) report: StepReport,
}

impl StageResult {
    /// The `end` of a later stretch of the same step, with the account of both.
    pub(in crate::time) fn followed_by(self, end: Self) -> Self {
        Self {
            state: end.state,
            report: self.report.followed_by(end.report),
        }
    }
}

/// A stage whose minimum is found.
struct SolvedStage<'a> {
    /// The stage.
    stage: Stage,
    /// Barriers and friction in it.
    around: Around<'a>,
    /// Its minimum.
    minimum: Minimum,
    /// Length of the step (s) in the last stage of the step.
    ends_step: Option<f64>,
}

/// Computes the state at the end of a span that begins with `start`. The solver keeps contacts and
/// friction there.
///
/// Where several joints break at once, the most overloaded one does so at the start, and the span is
/// solved again without it: a chain parts at one link.
///
/// # Errors
/// [`Failure`] of the first stage that is not solved. Then nothing has changed but the solver's
/// memory.
pub(in crate::time) fn advance(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    strategy: Strategy,
) -> Result<StageResult, Failure> {
    let mut end = attempt(world, solver, start, span, strategy)?;
    let mut without = Cow::Borrowed(start);
    let mut parted = Vec::new();
    while end.report.broke.len() > 1 {
        let forces = &end.state.memory.multipliers;
        let Some(joint) = weakest(world, &end.report.broken_joints(), forces) else {
            break;
        };
        let broken = &mut without.to_mut().memory.broken;
        broken.resize(world.model.joints.len(), false);
        broken[joint] = true;
        parted.push(joint);

        let before = end.report.record.newton_iterations;
        end = attempt(world, solver, &without, span, strategy)?;
        end.report.record.newton_iterations += before;
    }
    if let Some(ledger) = &mut end.report.record.ledger {
        let joints = start.parameters.joints(&world.model.joints);
        ledger.work.breaks -= stored_in(&joints, &parted, &start.x, &start.memory.turned);
    }
    let from = start.time;
    let parted = parted.into_iter().map(|joint| Broke { joint, from });
    end.report.broke.extend(parted);
    end.report.broke.sort_unstable_by_key(|one| one.joint);
    Ok(end)
}

/// Computes the state at the end of a span that begins with `start`, as [`advance`], in which any number
/// of joints may break at the end.
///
/// # Errors
/// [`Failure`] of the first stage that is not solved.
fn attempt(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    strategy: Strategy,
) -> Result<StageResult, Failure> {
    let origin = start;
    let mut start = Cow::Borrowed(start);
    let mut ends: Vec<State> = Vec::new();
    let mut before: Option<StepReport> = None;
    loop {
        // Predict, with barriers and friction as the steps before have left them.
        let mut stage = predict(world, &start, &ends, span);
        // A solver may be tighter than its world, as for bolts.
        stage.tolerance *= solver.settings().tolerance / world.newton.tolerance;
        let from = ends.last().unwrap_or(&start);
        let around = Around::of(world, &start, &stage);

        // Minimise the incremental potential.
        let instead = instead_of_minimum(world, solver, &mut stage, from, &around, strategy);
        let minimum = match instead {
            Some(found) => found?,
            None => solve_stage(world, around.awake(), solver, &stage, from, strategy)?,
        };

        // Velocities, state and report.
        let is_last = ends.len() + 1 == world.integrator.stages();
        let solved = SolvedStage {
            stage,
            around,
            minimum,
            ends_step: is_last.then_some(span.h),
        };
        let depth = of_stage::depth(world);
        let memory = start.remembered(span.h, depth);
        let (end, struck) = finish(world, solver, &start, from, solved, memory)?;
        let StageResult { state, report } = end;
        let report = match before.take() {
            Some(before) => before.followed_by(report),
            None => report,
        };
        if is_last {
            passes_nothing(world, origin, &state)?;
            return Ok(StageResult { state, report });
        }

        // To the next stage a body that was struck has always moved as it does now.
        if !struck.is_nobody() {
            let start = start.to_mut();
            let h = state.time - start.time;
            struck.let_fly(world, &state, h, [&mut start.q, &mut start.q_dot]);
        }
        ends.push(state);
        before = Some(report);
    }
}

/// The stage of a step from `start` that comes after the `ends` of others.
pub(in crate::time) fn predict(world: &World, start: &State, ends: &[State], span: Span) -> Stage {
    let departure = world.departure(start, ends, span);
    let mut stage = world.integrator.stage(departure);
    of_stage::expect(world, start, &mut stage, span);
    slip_in_turning_frames(world, start, ends, &mut stage);
    stage.turning = turning_flight(world, start, ends, &stage);
    stage
}

/// A stage with all that its end leaves.
struct EndedStage {
    /// The stage.
    stage: Stage,
    /// Its minimum, with the contacts of sleeping bodies.
    completed: Completed,
    /// Velocities there.
    velocities: Velocities,
    /// True if the stage ends the step.
    is_last: bool,
}

/// Velocities, state and report at the end of a stage, whose memory is `remembered` apart from the
/// stage's part; and the bodies that were struck in it. The solver keeps contacts and friction.
///
/// # Errors
/// [`Failure::Touching`], if sleeping bodies touch.
fn finish(
    world: &World,
    solver: &mut Solver,
    start: &State,
    from: &State,
    solved: SolvedStage,
    remembered: StepMemory,
) -> Result<(StageResult, Struck), Failure> {
    let SolvedStage {
        stage,
        around,
        minimum,
        ends_step,
    } = solved;
    let is_last = ends_step.is_some();

    let landing = StageEnd {
        stage: &stage,
        from,
        at: &minimum.iterate.at,
        contacts: &minimum.iterate.contacts,
        outset: &minimum.outset,
        friction: &minimum.friction,
        tangents: &minimum.tangents,
        table: &around.friction,
        multipliers: &minimum.multipliers,
        imbalance: minimum.solved.imbalance,
    };

    let velocities = velocities(world, minimum.account.as_ref(), landing, is_last);
    let barriers = minimum.barriers.as_ref().unwrap_or(&around.barriers);
    let stiffened = stiffened(world, barriers, start, landing, &around.sleeping, ends_step);
    let completed = complete(world, solver, &stage, start, &around, (minimum, stiffened))?;

    let ended = EndedStage {
        stage,
        completed,
        velocities,
        is_last,
    };
    Ok(arrive(world, solver, start, from, ended, remembered))
}

/// Pairs whose barriers differ from the world's at a minimum of a step from `start`.
fn adapted(start: &State, minimum: &Minimum) -> Vec<AdaptedPair> {
    minimum.barriers.as_ref().map_or_else(
        || start.memory.options.stiffening.adapted.clone(),
        |barriers| barriers.adapted().to_vec(),
    )
}

/// State and report at the end of a stage, and the bodies that were struck in it, as [`finish`].
fn arrive(
    world: &World,
    solver: &mut Solver,
    start: &State,
    from: &State,
    ended: EndedStage,
    remembered: StepMemory,
) -> (StageResult, Struck) {
    // The state, with the memory of the steps before.
    let EndedStage {
        stage,
        mut completed,
        velocities,
        is_last,
    } = ended;
    let mut restored = velocities.restored;
    let options = of_stage::remembered(world, [start, from], &stage, &mut completed, restored.owed);
    let Completed {
        minimum,
        stiffened,
        woken,
    } = completed;
    let adapted = adapted(start, &minimum);
    let Iterate { at, contacts } = minimum.iterate;
    let mut state = State {
        step: start.step + 1,
        time: stage.end,
        parameters: start.parameters.clone(),
        memory: StepMemory {
            broken: broken(world, &start.memory.broken, &minimum.multipliers, is_last),
            multipliers: minimum.multipliers,
            turned: minimum.turned,
            options,
            ..remembered
        },
        ..State::of(&world.model.coordinates, at, take(&mut restored.q_dot))
    };
    velocities.struck.rewrite(world, &mut state);
    restored.rewrite(&mut state.memory.history);

    // Broken joints lose the energy of their springs.
    let broke = broke(&start.memory.broken, &state.memory.broken);
    let account = velocities.account;
    let account = account.map(|account| account.with_breaks(&world.model, &state, &broke));

    // The report; contacts and friction are for the next step.
    let solved = &minimum.solved;
    let mut record = Record::new(world, &state, &contacts, minimum.friction_energy, solved);
    record.stiffening = stiffened.energy;
    record.cell = CellRecord::of(&world.model, &world.rest, &state, minimum.on_periods);
    let from = state.time;
    let broke = broke.into_iter().map(|joint| Broke { joint, from });
    let report = StepReport {
        status: solved.status,
        residual: solved.residual,
        lag_residual: minimum.late.velocity,
        late_contacts: minimum.late.contacts,
        lowered: velocities.lowered,
        held: minimum.held,
        broke: broke.collect(),
        woken,
        adapted,
        gap_at_rest: stiffened.gap_at_rest,
        ..StepReport::of(record.accounted(account.as_ref()), state.hash())
    };
    solver.finish(Touching {
        contacts,
        friction: minimum.friction,
        tangents: minimum.tangents,
        stage: Some(stage),
        kept: None,
    });
    (StageResult { state, report }, velocities.struck)
}
