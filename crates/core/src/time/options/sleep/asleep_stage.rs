//! Stages in which bodies sleep: one in which nothing is solved, and the contacts of sleeping bodies at
//! the end of others.

use crate::solve::{Failure, Iterate, Solved, Solver, Stage, TangentFriction};
use crate::time::options::ledger::StageStart;
use crate::time::options::sleeping::{Sleeping, targets};
use crate::time::state::State;
use crate::time::step::lagging::Lateness;
use crate::time::step::minimum::{Minimum, Surroundings, potential};
use crate::time::world::World;

/// The minimum of a stage in which all bodies sleep: where it begins.
///
/// # Errors
/// [`Failure::Touching`], if something touches there.
pub(in crate::time) fn unsolved(
    world: &World,
    surroundings: Surroundings,
    solver: &mut Solver,
    stage: &Stage,
    from: &State,
) -> Result<Minimum, Failure> {
    let at = from.configuration();
    let iterate = solver.iterate_at(&world.model, surroundings.barriers, at, &from.x)?;
    let potential = potential(world, surroundings, stage, from, &iterate);
    let targets = targets(world, stage, from);
    let outset = StageStart::of(world, from, &targets, &iterate.contacts);
    let late = Lateness::default();
    Ok(Minimum::of(
        outset,
        from,
        potential,
        iterate,
        late,
        Solved::NOTHING,
    ))
}

/// A `minimum` with the contacts of bodies that stay as well, and with the friction that holds them by
/// their anchors; unchanged where all contacts are there.
///
/// # Errors
/// [`Failure::Touching`], if something touches there.
pub(in crate::time) fn completed(
    minimum: Minimum,
    stays: &Sleeping,
    world: &World,
    surroundings: Surroundings,
    solver: &mut Solver,
    stage: &Stage,
) -> Result<Minimum, Failure> {
    if stays.leave_nothing_out() {
        return Ok(minimum);
    }
    let Surroundings { barriers, friction } = surroundings;
    let Iterate { at, .. } = minimum.iterate;
    let model = &world.model;
    let iterate = solver.iterate_at(model, barriers, at, &stage.predicted.x)?;
    let all = TangentFriction::lagged(model, stage, friction, &iterate);
    let mut friction = minimum.friction;
    friction.add_resting(&all, &model.surface, |a, b| stays.both([a, b]));
    let parts = friction.energies();
    Ok(Minimum {
        friction_energy: parts.iter().map(|part| part.value(&minimum.tangents)).sum(),
        iterate,
        friction,
        ..minimum
    })
}
