//! Energies and other sums of one state: a row of `energies.csv`.
//!
//! The columns of potentials depend on the world: gravity, other loads if there are any, one column
//! for each name of its energies, the barrier and friction. The lagged friction potential is listed
//! for completeness; it stores no energy, so the total leaves it out.

use super::cell::{CellRecord, own_velocities};
use super::chambers::ChamberState;
use super::state::State;
use super::world::World;
use crate::body::Body;
use crate::constraint::{have_springs, stored_energy};
use crate::solve::{Materials, Solved};
use crate::time::options::ledger::{Account, Ledger, angular_momentum};
use ipcsim_contact::Contacts;
use ipcsim_energy::{Energy, dead_load};
use ipcsim_math::{Vec2, parallel};
use serde::{Deserialize, Serialize};

/// Energies, momentum and contacts of one state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Number of the step that ends with the state.
    pub step: usize,
    /// Simulated time of the state (s).
    pub time: f64,
    /// Kinetic energy `1/2 q' . M q'` (J).
    pub kinetic: f64,
    /// Potentials (J), in the order of [`Record::columns`].
    pub potentials: Vec<f64>,
    /// Kinetic energy and all potentials but friction, which stores none (J).
    pub total: f64,
    /// Linear momentum (kg m/s).
    pub momentum: Vec2,
    /// Imbalance of forces at the end of the step (m/s): the speed that the forces left over would
    /// give a body in a step.
    pub imbalance: f64,
    /// Energy (J) that barriers gain at the end of the step, where they become stiffer for the next
    /// one. It is not part of the other energies of this row.
    pub stiffening: f64,
    /// Number of negative eigenvalues of the stiffness at the end, with arc length: 0 where the
    /// equilibrium is stable. `None` otherwise, and at the start.
    pub unstable: Option<usize>,
    /// Number of bodies that the step left asleep; `None` unless bodies may sleep.
    pub asleep: Option<usize>,
    /// Work and impulses of the step by what they come from, if the world keeps a ledger.
    pub ledger: Option<Ledger>,
    /// Mean strain and stress of a scene that repeats.
    pub cell: Option<CellRecord>,
    /// Gas in chambers, in their order; empty without any.
    pub chambers: Vec<ChamberState>,
    /// Number of Newton directions computed in the step.
    pub newton_iterations: usize,
    /// Number of contacts at the end of the step.
    pub contacts: usize,
    /// Smallest distance among the contacts (m); `None` without contacts.
    pub min_gap: Option<f64>,
    /// Smallest ratio of a triangle's area to that at rest; `None` without triangles.
    pub min_area_ratio: Option<f64>,
    /// Triangle that has that ratio.
    pub flattest: Option<usize>,
}

/// Column of the potential of gravity.
const GRAVITY: &str = "gravity";
/// Column of the potential of other loads.
const LOAD: &str = "load";
/// Column of gas in chambers, with the work against what surrounds them.
const GAS: &str = "gas";
/// Column of the springs in joints.
const JOINT: &str = "joint";
/// Column of the barrier between everything that can touch.
const BARRIER: &str = "barrier";
/// Column of the lagged friction potential, which is not a stored energy.
const FRICTION: &str = "friction";

impl Record {
    /// The record, with what forces have done in the step if it keeps a ledger.
    pub(super) fn accounted(mut self, account: Option<&Account>) -> Self {
        if let (Some(ledger), Some(account)) = (&mut self.ledger, account) {
            ledger.work = account.work;
            ledger.impulses = account.impulses;
        }
        self
    }

    /// Names of the potentials of a world, in the order of [`Record::potentials`]: gravity, other
    /// loads, gas, energies by name, springs in joints if there are any, barrier and friction.
    pub fn columns(world: &World) -> Vec<&'static str> {
        let mut columns = vec![GRAVITY];
        let is_loaded = !world.loading.is_weight_alone() || world.is_pushed();
        columns.extend(is_loaded.then_some(LOAD));
        columns.extend((!world.loading.gas.is_empty()).then_some(GAS));

        // Energies with one name share a column.
        for energy in world.model.energies.iter().chain(&world.model.own) {
            if !columns.contains(&energy.name()) {
                columns.push(energy.name());
            }
        }

        columns.extend(have_springs(&world.model.joints).then_some(JOINT));
        columns.extend([BARRIER, FRICTION]);
        columns
    }

    /// Record of a state that nothing was solved for, with its contacts.
    pub(super) fn of_start(world: &World, state: &State, contacts: &Contacts) -> Self {
        Self::new(world, state, contacts, 0.0, &Solved::NOTHING)
    }

    /// Record of a state with its contacts, the `friction` potential (J) and the solve that led to
    /// it.
    pub(super) fn new(
        world: &World,
        state: &State,
        contacts: &Contacts,
        friction: f64,
        solved: &Solved,
    ) -> Self {
        let columns = Self::columns(world);
        let potentials = potentials(world, state, contacts, friction, &columns);
        let stored = columns
            .iter()
            .zip(&potentials)
            .filter(|(name, _)| **name != FRICTION);

        // Work of loads and gas counts apart from the energy that bodies have.
        let own = stored
            .clone()
            .filter(|(name, _)| ![LOAD, GAS].contains(*name))
            .map(|(_, value)| value)
            .sum::<f64>();

        let kinetic = kinetic(world, state);
        let flattest = world.flattest(&state.x);
        let options = &world.options;
        let asleep = options
            .sleep
            .is_some()
            .then(|| state.memory.options.sleep.sleeping_count());
        Self {
            step: state.step,
            time: state.time,
            kinetic,
            total: kinetic + stored.map(|(_, value)| value).sum::<f64>(),
            potentials,
            momentum: momentum(world, state),
            imbalance: solved.imbalance,
            stiffening: 0.0,
            unstable: solved.unstable,
            asleep,
            ledger: options.ledger.then(|| Ledger {
                mechanical: kinetic + own,
                angular_momentum: angular_momentum(&world.model, state),
                ..Ledger::default()
            }),
            cell: CellRecord::of(&world.model, &world.rest, state, None),
            chambers: world.loading.gas.states(state),
            newton_iterations: solved.iterations,
            contacts: contacts.len(),
            min_gap: (!contacts.is_empty()).then_some(contacts.min_gap),
            min_area_ratio: flattest.map(|flattest| flattest.ratio),
            flattest: flattest.map(|flattest| flattest.triangle),
        }
    }
}

/// Potentials (J) of the `columns` at a state with its contacts and the `friction` potential (J).
fn potentials(
    world: &World,
    state: &State,
    contacts: &Contacts,
    friction: f64,
    columns: &[&'static str],
) -> Vec<f64> {
    let forces = world
        .loading
        .forces(&state.parameters, state.q.len(), state.time);
    let materials = Materials::of(&world.model, state.conditions());

    let potential = |&name: &&'static str| match name {
        GRAVITY => dead_load(|i| world.weight(&state.parameters, i), &state.q),
        LOAD => {
            dead_load(|i| forces.get(i).copied().unwrap_or_default(), &state.q)
                + of_following(world, state)
        }
        GAS => world.loading.gas.energy(state),
        BARRIER => {
            let parts = contacts.energies();
            parts.iter().map(|part| part.value(&state.x)).sum()
        }
        FRICTION => friction,
        JOINT => {
            let memory = &state.memory;
            let joints = state.parameters.joints(&world.model.joints);
            stored_energy(&joints, &state.x, &memory.turned, &memory.broken)
        }
        _ => named(world, &materials, name, state),
    };

    columns.iter().map(potential).collect()
}

/// Potential (J) of loads that follow bodies, from the positions at rest. A pressure that has none
/// counts without the forces at its ends, and a torque on vertices not at all: after a turn it has
/// another value in the same state. Hands count by the stretch of their springs.
fn of_following(world: &World, state: &State) -> f64 {
    let following = world.loading.following(state, &world.rest, state.time);
    let rings = following.rings.value(&state.x) + following.curved_rings.value(&state.x);
    let loads = following.pressed.value(&state.x) + following.levers.value(&state.x) + rings;
    loads + following.hands.value(&state.x)
}

/// Sum of all energies with this name, of positions and of coordinates (J).
fn named(world: &World, materials: &Materials, name: &str, state: &State) -> f64 {
    let own = world.model.own.iter().map(AsRef::as_ref);
    let of_positions = sum_of(materials.energies(&world.model), name, &state.x);
    let of_coordinates = sum_of(own, name, &state.q);
    of_positions + of_coordinates
}

/// Sum of the energies with this name at the same variables (J).
fn sum_of<'a>(energies: impl Iterator<Item = &'a dyn Energy>, name: &str, at: &[Vec2]) -> f64 {
    energies
        .filter(|energy| energy.name() == name)
        .map(|energy| energy.value(at))
        .sum()
}

/// Momentum `M q'` of node `i`.
fn impulse(world: &World, state: &State, i: usize) -> Vec2 {
    world.model.mass[i].component_mul(&state.q_dot[i])
}

/// Kinetic energy `1/2 q' . M q'` (J); relative to the mean motion of a scene that repeats.
fn kinetic(world: &World, state: &State) -> f64 {
    let q_dot = own_velocities(&world.model, &state.q, &state.q_dot);
    let twice = parallel::sum(state.q.len(), |i| {
        world.model.mass[i].component_mul(&q_dot[i]).dot(&q_dot[i])
    });
    0.5 * twice
}

impl World {
    /// Kinetic energy of a body (J); `None` for obstacles, which have no mass.
    pub fn kinetic_of(&self, body: &Body, state: &State) -> Option<f64> {
        let nodes = (!body.kind.is_obstacle()).then(|| body.nodes.clone())?;
        let q_dot = own_velocities(&self.model, &state.q, &state.q_dot);
        let mass = &self.model.mass;
        let twice: f64 = nodes
            .map(|i| mass[i].component_mul(&q_dot[i]).dot(&q_dot[i]))
            .sum();
        Some(0.5 * twice)
    }

    /// Energies (J) that all bodies store by deforming, `[bodies]`: those of elements whose vertices, or
    /// coordinates, belong to one body.
    pub fn elastic_by_body(&self, state: &State) -> Vec<f64> {
        let mut stored = vec![0.0; self.bodies.len()];
        let materials = Materials::of(&self.model, state.conditions());

        let of_vertices = &self.model.surface.body;
        for energy in materials.energies(&self.model) {
            share(energy, &state.x, |vertex| of_vertices[vertex], &mut stored);
        }
        let of_node = |node: usize| self.bodies.partition_point(|body| body.nodes.end <= node);
        for energy in &self.model.own {
            share(energy.as_ref(), &state.q, of_node, &mut stored);
        }
        stored
    }

    /// Potential of the weight of a body (J); the column `gravity` is the sum of all. `None` for
    /// obstacles.
    pub fn potential_of(&self, body: &Body, state: &State) -> Option<f64> {
        let nodes = (!body.kind.is_obstacle()).then(|| body.nodes.clone())?;
        let parts = nodes.map(|i| -self.weight(&state.parameters, i).dot(&state.q[i]));
        Some(parts.sum())
    }
}

/// Adds the energy of each element (J) at some variables to that of its body, unless it ties two bodies.
fn share(energy: &dyn Energy, at: &[Vec2], body_of: impl Fn(usize) -> usize, stored: &mut [f64]) {
    for (k, value) in energy.values(at).into_iter().enumerate() {
        let mut bodies = energy.stencil(k).iter().map(|&place| body_of(place));
        let Some(first) = bodies.next() else { continue };
        if bodies.all(|body| body == first) && first < stored.len() {
            stored[first] += value;
        }
    }
}

/// Linear momentum (kg m/s), axis by axis.
fn momentum(world: &World, state: &State) -> Vec2 {
    let [x, y] = [0, 1].map(|axis: usize| {
        parallel::sum(state.q.len(), |i| {
            let lift = world.model.coordinates.lift(i);
            lift.tr_mul(&impulse(world, state, i))[axis]
        })
    });
    Vec2::new(x, y)
}
