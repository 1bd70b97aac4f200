//! Scenes that go on from the state of another simulation.
//!
//! Bodies are put where they were by their names, so that others may have been added or taken out. What a
//! step remembers besides is a text: bytes in base64, which fit this scene or are refused.

use super::assemble::Setup;
use super::problem::Problem;
use super::schema::{BodyState, Start, StartState};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ipcsim_core::solve::{Solver, SolverMemory};
use ipcsim_core::time::{Parameters, SavedState, State, StepMemory, World};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::predicates::orientation;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Format of states.
const FORMAT: usize = 1;

/// What a step remembers besides places and velocities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Number of nodes of the world that it belongs to; `None` if it has no list of nodes and fits other worlds too.
    pub nodes: Option<usize>,
    /// Memory of the last steps.
    pub step: StepMemory,
    /// Parameters that were set.
    pub parameters: Parameters,
    /// Values that the solver keeps from step to step.
    pub solver: SolverMemory,
}

impl Memory {
    /// The memory as a text of a scene; `None` if it cannot be written.
    pub fn to_text(&self) -> Option<String> {
        let bytes = postcard::to_stdvec(self).ok()?;
        Some(BASE64_STANDARD.encode(bytes))
    }

    /// The memory of a text of a scene.
    fn from_text(text: &str) -> Option<Self> {
        let bytes = BASE64_STANDARD.decode(text).ok()?;
        postcard::from_bytes(&bytes).ok()
    }
}

impl StartState {
    /// The places and velocities of all bodies of a world in a state, without a memory.
    pub fn of(world: &World, state: &State) -> Self {
        let pairs = |all: &[Vec2]| all.iter().map(|&own| own.into()).collect();
        let bodies = world.bodies.iter().map(|body| {
            let own = BodyState {
                q: pairs(&state.q[body.nodes.clone()]),
                q_dot: pairs(&state.q_dot[body.nodes.clone()]),
            };
            (body.name.clone(), own)
        });
        Self {
            format: FORMAT,
            step: state.step,
            bodies: bodies.collect(),
            memory: None,
        }
    }

    /// The same state with a memory.
    #[must_use]
    pub fn with_memory(mut self, memory: &Memory) -> Self {
        self.memory = memory.to_text();
        self
    }
}

impl Setup {
    /// A solver for the first step, which remembers what the state of the start has.
    pub fn solver(&self) -> Solver {
        let mut solver = self.world.solver();
        // A memory that does not fit was a problem of the scene.
        let _ = solver.recall(&self.world.model, &self.recalled);
        solver
    }
}

/// Puts the bodies of a setup where the state of its scene has them, if the scene has one. Returns what is
/// wrong with that state.
pub(super) fn go_on(setup: &mut Setup) -> Option<Problem> {
    let Start::State(start) = &setup.scene.start else {
        return None;
    };
    let placed = check(start, setup).and_then(|()| placed(start, setup));
    let put = placed.and_then(|saved| recalled(start, setup, saved));
    match put {
        Ok((state, solver)) => {
            setup.state = state;
            setup.recalled = solver;
            inverted(setup)
        }
        Err(problem) => Some(problem),
    }
}

/// A problem of a key of the state.
fn problem(key: &str, message: impl Into<String>) -> Problem {
    Problem::error(format!("start.state{key}"), message)
}

/// Checks format and step of a state.
///
/// # Errors
/// What is wrong.
fn check(start: &StartState, setup: &Setup) -> Result<(), Problem> {
    let StartState { format, step, .. } = start;
    if *format != FORMAT {
        let message = format!(
            "is {format}, but this program reads the format {FORMAT}; write the state again by this \
             version"
        );
        return Err(problem(".format", message));
    }
    let steps = setup.scene.time.steps;
    if steps < *step {
        let message = format!(
            "is {step}, but the scene has {steps} steps, which count from the first start; raise \
             time.steps"
        );
        return Err(problem(".step", message));
    }
    Ok(())
}

/// The state with places and velocities by the names of bodies.
///
/// # Errors
/// A body that the scene does not have, or has with another mesh.
fn placed(start: &StartState, setup: &Setup) -> Result<SavedState, Problem> {
    let mut saved = setup.state.save();
    saved.step = start.step;
    saved.time = start.step as f64 * setup.world.h;
    for (name, own) in &start.bodies {
        let key = format!(".bodies.{name}");
        let body = setup.world.bodies.iter().find(|body| body.name == *name);
        let Some(body) = body else {
            let message = "is the name of no body or obstacle; take it out of the state";
            return Err(problem(&key, message));
        };
        let nodes = body.nodes.clone();
        let [places, velocities] = [own.q.len(), own.q_dot.len()];
        if [places, velocities] != [nodes.len(); 2] {
            let message = format!(
                "has {places} coordinates and {velocities} velocities, but the body has {} nodes; the \
                 state is of another shape or mesh",
                nodes.len()
            );
            return Err(problem(&key, message));
        }
        for (k, node) in nodes.enumerate() {
            saved.q[node] = own.q[k].into();
            saved.q_dot[node] = own.q_dot[k].into();
        }
    }
    Ok(saved)
}

/// The whole state with what a step remembers, and the memory of the solver.
///
/// # Errors
/// A memory that does not fit, or a number that is not finite.
fn recalled(
    start: &StartState,
    setup: &Setup,
    mut saved: SavedState,
) -> Result<(State, SolverMemory), Problem> {
    let coordinates = &setup.world.model.coordinates;
    let Some(text) = &start.memory else {
        let state = saved.restore(coordinates);
        let state = state.ok_or_else(|| problem("", "has a number that is not finite"))?;
        return Ok((state, SolverMemory::default()));
    };

    let unfit = || {
        let message = "is not of this scene, or of another version of the program; leave it out, and \
                       integrators, joints and sticking contacts begin anew";
        problem(".memory", message)
    };
    let nodes = coordinates.nodes();
    let memory =
        Memory::from_text(text).filter(|memory| memory.nodes.is_none_or(|own| own == nodes));
    let memory = memory.ok_or_else(unfit)?;
    let mut solver = setup.world.solver();
    solver
        .recall(&setup.world.model, &memory.solver)
        .ok_or_else(unfit)?;
    saved.memory = memory.step;
    saved.parameters = memory.parameters;
    fit_joints(&setup.world, &mut saved.memory);
    let state = saved.restore(coordinates).ok_or_else(unfit)?;
    Ok((state, memory.solver))
}

/// Gives each joint its entry in a memory: those that were added at the end begin without a force.
fn fit_joints(world: &World, memory: &mut StepMemory) {
    let joints = &world.model.joints;
    let rows = joints.iter().map(|joint| joint.rows.len()).sum();
    for (list, count) in [
        (&mut memory.multipliers, rows),
        (&mut memory.turned, joints.len()),
    ] {
        if !list.is_empty() {
            list.resize(count, Vec2::zeros());
        }
    }
    if !memory.broken.is_empty() {
        memory.broken.resize(joints.len(), false);
    }
}

/// Problem of a triangle that is inverted in the state.
fn inverted(setup: &Setup) -> Option<Problem> {
    let x = &setup.state.x;
    let world = &setup.world;
    if !world.curved.is_empty() {
        return None;
    }
    let turned = world.triangles.iter().find(|triangle| {
        let [a, b, c] = triangle.map(|vertex| x[vertex]);
        orientation(a, b, c) != Ordering::Greater
    })?;
    let (body, _) = world.owner(turned[0])?;
    let message = format!(
        "has an inverted triangle in \"{}\"; take the state of a step of a simulation",
        body.name
    );
    Some(Problem::error("start.state", message).at(x[turned[0]]))
}
