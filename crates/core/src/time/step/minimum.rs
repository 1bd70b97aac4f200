//! The minimum of one stage, with friction brought up to date as often as the world asks.
//!
//! The potential of a stage is made here: friction lagged where the stage begins, and joints with
//! the forces that they had at the end of the last step.

use crate::constraint::Constraints;
use crate::solve::{
    Failure, Iterate, Materials, Potential, Solved, Solver, Stage, Strategy, TangentFriction,
};
use crate::time::cell::forces_on_periods;
use crate::time::options::ledger::{Account, StageStart};
use crate::time::options::sleeping::targets;
use crate::time::state::State;
use crate::time::step::joint_memory::{outset, turned};
use crate::time::step::lagging::Lateness;
use crate::time::step::stage_end::PressedBefore;
use crate::time::world::World;
use ipcsim_contact::{Barriers, Contacts, FrictionTable, PairEnergies};
use ipcsim_energy::Conditions;
use ipcsim_energy::material::Flow;
use ipcsim_math::Vec2;

/// Minimum of one stage.
pub(in crate::time) struct Minimum {
    /// State at the minimum, and its contacts.
    pub(in crate::time) iterate: Iterate,
    /// Friction that acted in the stage.
    pub(in crate::time) friction: TangentFriction,
    /// Positions that friction is a function of (m), `[vertices]`.
    pub(in crate::time) tangents: Vec<Vec2>,
    /// Lagged friction potential (J).
    pub(in crate::time) friction_energy: f64,
    /// Difference of that friction from the friction of the minimum.
    pub(in crate::time) late: Lateness,
    /// Forces of the rows of joints (N).
    pub(in crate::time) multipliers: Vec<Vec2>,
    /// Work and impulses of the stage, if the world keeps a ledger.
    pub(in crate::time) account: Option<Account>,
    /// Angles of the bodies of joints (rad), over turns; empty if none are counted.
    pub(in crate::time) turned: Vec<Vec2>,
    /// Contacts where the stage began, if they are kept from adding energy.
    pub(in crate::time) outset: PressedBefore,
    /// Plastic flow of all points that may flow, `[points]`.
    pub(in crate::time) flowed: Vec<Flow>,
    /// Largest force that held a body back in the last round of a search for equilibrium (N).
    pub(in crate::time) held: f64,
    /// Forces on the periods of a scene that repeats (N).
    pub(in crate::time) on_periods: Option<[Vec2; 2]>,
    /// Barriers of the minimum, if the search has adapted them.
    pub(in crate::time) barriers: Option<Barriers>,
    /// The last solve, with the iterations of all solves.
    pub(in crate::time) solved: Solved,
}

/// Barriers and friction between bodies, from the memory of the steps before.
#[derive(Clone, Copy)]
pub(in crate::time) struct Surroundings<'a> {
    /// Barriers with their stiffness.
    pub(in crate::time) barriers: &'a Barriers,
    /// Coefficients, with the anchors of sticking contacts.
    pub(in crate::time) friction: &'a FrictionTable,
}

/// Minimises the potential of a stage from a state, with friction brought up to date as often as
/// the world asks.
///
/// # Errors
/// [`Failure`] of the first solve that does not reach its minimum.
pub(in crate::time) fn solve_stage(
    world: &World,
    surroundings: Surroundings,
    solver: &mut Solver,
    stage: &Stage,
    from: &State,
    strategy: Strategy,
) -> Result<Minimum, Failure> {
    let targets = targets(world, stage, from);

    // Contacts at the start, and friction lagged there, unless it follows: then each direction
    // begins with the friction of its state.
    let at = from.configuration();
    let Surroundings { barriers, friction } = surroundings;
    let mut iterate = solver.iterate_at(&world.model, barriers, at, &stage.predicted.x)?;
    let mut potential = if world.follows(friction) {
        let joints = from.parameters.joints(&world.model.joints);
        let constraints = Constraints::new(&joints, &outset(stage, from));
        potential_with(
            world,
            surroundings,
            stage,
            TangentFriction::default(),
            constraints,
        )
    } else {
        potential(world, surroundings, stage, from, &iterate)
    };
    let ledger = StageStart::of(world, from, &targets, &iterate.contacts);
    let outset = pressed(world, friction, from, &iterate.contacts);

    // The minimum with this friction; then friction there, until it no longer changes.
    solver.start(&mut potential, &targets, &mut iterate)?;
    let mut iterations = 0;
    let mut solves = 0;
    loop {
        let solved = solver.minimise(&mut potential, &targets, strategy, &mut iterate)?;
        iterations += solved.iterations;
        solves += 1;
        let all = Solved {
            iterations,
            ..solved
        };
        if solved.follows {
            let late = Lateness::default();
            let minimum = Minimum::of(ledger, from, potential, iterate, late, all);
            return Ok(Minimum { outset, ..minimum });
        }

        let renewed = TangentFriction::lagged(&world.model, stage, friction, &iterate);
        let late = Lateness::of(&potential, &renewed, solver, &iterate);
        if world.lagging.is_enough(solves, late.velocity) {
            let minimum = Minimum::of(ledger, from, potential, iterate, late, all);
            return Ok(Minimum { outset, ..minimum });
        }
        potential.friction = renewed;
    }
}

/// Contacts where a stage begins at a state, if contacts are kept from adding energy.
pub(in crate::time) fn pressed(
    world: &World,
    table: &FrictionTable,
    from: &State,
    contacts: &Contacts,
) -> PressedBefore {
    if !world.bounds_impacts() {
        return PressedBefore::default();
    }
    let surface = &world.model.surface;
    PressedBefore {
        energies: PairEnergies::of(contacts, surface, &from.x),
        presses: contacts.presses(surface, table, &from.x, &from.x),
    }
}

impl Minimum {
    /// Minimum of a potential at a state, after all solves of its stage, which began at `from`.
    pub(in crate::time) fn of(
        ledger: Option<StageStart>,
        from: &State,
        potential: Potential,
        iterate: Iterate,
        late: Lateness,
        solved: Solved,
    ) -> Self {
        // The materials of the stage had the flow of its start and the temperature of its end.
        let conditions = Conditions {
            time: potential.stage.end,
            ..from.conditions()
        };
        let flowed = Materials::flow(potential.model, conditions, &iterate.at.x);
        Self {
            account: ledger.map(|ledger| ledger.account(&potential, &iterate, &flowed)),
            friction_energy: potential.friction_energy(&iterate.at),
            tangents: potential.tangent_positions(&iterate.at).into_owned(),
            multipliers: potential.constraints.forces(&iterate.at.x),
            on_periods: forces_on_periods(&potential, &iterate.contacts, &iterate.at),
            turned: turned(potential.model, &potential.constraints),
            friction: potential.friction,
            flowed,
            outset: PressedBefore::default(),
            held: 0.0,
            barriers: None,
            late,
            solved,
            iterate,
        }
    }
}

/// Potential of a stage from a state, with friction lagged where the stage begins, and with the
/// forces that joints had at the end of the last step.
pub(in crate::time) fn potential<'a>(
    world: &'a World,
    surroundings: Surroundings<'a>,
    stage: &'a Stage,
    from: &State,
    iterate: &Iterate,
) -> Potential<'a> {
    let friction = TangentFriction::lagged(&world.model, stage, surroundings.friction, iterate);
    let joints = from.parameters.joints(&world.model.joints);
    let constraints = Constraints::new(&joints, &outset(stage, from));
    potential_with(world, surroundings, stage, friction, constraints)
}

/// Potential of a stage with this friction and these joints.
pub(in crate::time) fn potential_with<'a>(
    world: &'a World,
    surroundings: Surroundings<'a>,
    stage: &'a Stage,
    friction: TangentFriction,
    constraints: Constraints,
) -> Potential<'a> {
    let Surroundings {
        barriers,
        friction: table,
    } = surroundings;
    Potential {
        model: &world.model,
        stage,
        barriers,
        friction,
        following: world.follows(table).then_some(table),
        constraints,
    }
}
