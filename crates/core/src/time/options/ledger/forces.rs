//! Forces on nodes at the end of a stage, by their sources.

use crate::body::Configuration;
use crate::solve::{CellInertia, Iterate, Materials, Model, Potential, Stage};
use crate::time::integrator::joints_before;
use crate::time::state::State;
use crate::time::step::joint_memory::outset;
use crate::time::world::World;
use ipcsim_energy::Energy;
use ipcsim_math::Vec2;

/// Forces on nodes by sources, as they act over a stage (N; on angles N m), `[nodes]` each; empty
/// where a source has none.
///
/// Together with the residual they are mass times the acceleration of the stage.
pub(super) struct Forces {
    /// Mass times acceleration `M A = m M (q - q_tilde + push) / s_c`.
    pub(super) inertia: Vec<Vec2>,
    /// Gravity.
    pub(super) gravity: Vec<Vec2>,
    /// Other loads, including loads that follow bodies.
    pub(super) loads: Vec<Vec2>,
    /// Hands that hold bodies.
    pub(super) hands: Vec<Vec2>,
    /// Gas in chambers, at both ends by their shares.
    pub(super) gas: Vec<Vec2>,
    /// Part of it that acts as it was at the start.
    gas_before: Vec<Vec2>,
    /// Elasticity as it is at the end, `-V'(q_1)`.
    pub(super) elastic: Vec<Vec2>,
    /// Elasticity as it was at the start, `-V'(q_0)`.
    pub(super) elastic_before: Vec<Vec2>,
    /// Damping at both ends, by their shares.
    pub(super) damping: Vec<Vec2>,
    /// Part of it that acts as it was at the start.
    pub(super) damping_before: Vec<Vec2>,
    /// Barriers at the end.
    pub(super) contact: Vec<Vec2>,
    /// Friction at the end.
    pub(super) friction: Vec<Vec2>,
    /// Joints at the end, springs and dampers by their share.
    pub(super) joints: Vec<Vec2>,
    /// Joints as they were at the start: springs and dampers, and what equations have of it.
    pub(super) joints_before: Vec<Vec2>,
    /// Imbalance `E'(q) / s_c`: forces of supports on prescribed components, and the residual of
    /// the solver on all others.
    pub(super) missing: Vec<Vec2>,
}

/// Shares with which elastic forces act in a stage (1); they add up to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    /// Share of the force at the end.
    pub(super) end: f64,
    /// Share of the force at the start.
    pub(super) start: f64,
}

impl Shares {
    /// Shares of a stage.
    pub(super) fn of(stage: &Stage) -> Self {
        Self {
            end: stage.elasticity / stage.contact,
            start: stage.explicit / stage.contact,
        }
    }
}

impl Forces {
    /// Forces at the end of the stage of a `potential` that began at a state `from`.
    pub(super) fn of(world: &World, from: &State, potential: &Potential, end: &Iterate) -> Self {
        let Potential { model, stage, .. } = potential;
        let Iterate { at, contacts } = end;
        let per_scale = stage.contact.recip();
        let nodes = at.q.len();

        let mut inertia = Vec::with_capacity(nodes);
        let mut gravity = Vec::with_capacity(nodes);
        let cell = CellInertia::of(model, stage);
        let ahead = cell.as_ref().map(|cell| cell.ahead(&at.q));
        for (i, mass) in model.mass.iter().enumerate() {
            let free = at.q[i] - stage.predicted.q[i];
            let ahead = ahead.as_ref().map_or(free, |ahead| ahead[i]) + stage.push[i];
            inertia.push(ahead.component_mul(mass) * (stage.inertia * per_scale));
            gravity.push(world.weight(&from.parameters, i));
        }

        if let Some(cell) = cell {
            add_periods(&cell, model, stage, &mut inertia);
        }

        // Only integrators with explicit parts have forces of the start.
        let elastic = negative(stage.materials.gradient(model, at));
        let elastic_before = if stage.explicit > 0.0 {
            let before = Materials::of(model, from.conditions());
            negative(before.gradient(model, &from.configuration()))
        } else {
            Vec::new()
        };

        let joined: [&dyn Energy; 1] = [potential.constraints.energy()];
        let mut forces = Self {
            inertia,
            gravity,
            loads: Vec::new(),
            hands: Vec::new(),
            gas: Vec::new(),
            gas_before: Vec::new(),
            contact: of_positions(potential, contacts.energies(), at),
            joints: of_positions(potential, joined, at),
            joints_before: of_joints_before(potential, from),
            friction: of_friction(potential, at),
            missing: potential.slope(contacts, at),
            elastic,
            elastic_before,
            damping: Vec::new(),
            damping_before: Vec::new(),
        };
        forces.add_damping(potential, from, at);
        forces.add_gas(world, potential, from, at);

        // The slope has the scale of contact in the potential.
        for missing in &mut forces.missing {
            *missing *= per_scale;
        }

        // Loads need the weight and the forces of the start; they have the part of hands that acts there.
        forces.loads = of_loads(world, from, potential, at, &forces);
        if !stage.following.hands.is_empty() {
            let end = Shares::of(stage).end;
            forces.hands = of_positions(potential, stage.following.hands.energies(), at);
            forces.hands.iter_mut().for_each(|force| *force *= end);
        }
        forces
    }
}

impl Forces {
    /// Adds the forces of damping at the end of a stage, and those at its start, which the energies
    /// of the stage have there with the other sign.
    fn add_damping(&mut self, potential: &Potential, from: &State, at: &Configuration) {
        let stage = potential.stage;
        if stage.damping.is_empty() {
            return;
        }
        let Shares { end, start } = Shares::of(stage);
        self.damping = of_positions(potential, stage.damping.energies(), at);
        let start_of = from.configuration();
        self.damping_before = of_positions(potential, stage.damping.energies(), &start_of);
        let nodes = &stage.damping.nodes;
        nodes.add_gradient(&at.q, -1.0, &mut self.damping);
        nodes.add_gradient(&start_of.q, -1.0, &mut self.damping_before);
        for (force, before) in self.damping.iter_mut().zip(&mut self.damping_before) {
            *before *= -start;
            *force = *force * end + *before;
        }
    }
}

impl Forces {
    /// Adds the forces of gas in chambers at the end of a stage, and those at its start.
    fn add_gas(&mut self, world: &World, potential: &Potential, from: &State, at: &Configuration) {
        let stage = potential.stage;
        let chambers = &stage.following.chambers;
        if chambers.is_empty() {
            return;
        }
        let Shares { end, start } = Shares::of(stage);
        self.gas = of_positions(potential, chambers.energies(), at);
        self.gas.iter_mut().for_each(|force| *force *= end);
        if start > 0.0 {
            let before = world.loading.gas.gases(from, &from.x, from.time);
            self.gas_before = of_positions(potential, before.energies(), &from.configuration());
        }
        for (force, before) in self.gas.iter_mut().zip(&mut self.gas_before) {
            *before *= start;
            *force += *before;
        }
    }
}

/// Forces of joints that act as they were at the start of a stage; none if the stage has no part of
/// them.
fn of_joints_before(potential: &Potential, from: &State) -> Vec<Vec2> {
    let Potential { model, stage, .. } = potential;
    if stage.explicit > 0.0 {
        negative(joints_before(model, from, &outset(stage, from)))
    } else {
        Vec::new()
    }
}

/// Forces of loads other than gravity: the pull towards the predicted place, less weight and the
/// forces of elasticity, damping and springs at the start, and the loads that follow bodies.
fn of_loads(
    world: &World,
    from: &State,
    potential: &Potential,
    at: &Configuration,
    forces: &Forces,
) -> Vec<Vec2> {
    let is_pushed =
        !from.parameters.pushes().is_empty() || from.parameters.hands().next().is_some();
    if world.loading.is_weight_alone() && !is_pushed {
        return Vec::new();
    }
    let Potential { model, stage, .. } = potential;
    let per_scale = stage.contact.recip();
    let Shares { end, start } = Shares::of(stage);

    let mut loads = of_positions(potential, stage.following.loads(), at);
    for (i, load) in loads.iter_mut().enumerate() {
        let pushed = model.mass[i].component_mul(&stage.push[i]) * (stage.inertia * per_scale);
        *load = *load * end + pushed - forces.gravity[i];
    }
    for (load, pull) in loads.iter_mut().zip(&stage.pull) {
        *load += pull * per_scale;
    }
    for before in [&forces.elastic_before, &forces.joints_before] {
        for (load, before) in loads.iter_mut().zip(before) {
            *load -= before * start;
        }
    }
    for before in [&forces.damping_before, &forces.gas_before] {
        for (load, before) in loads.iter_mut().zip(before) {
            *load -= before;
        }
    }
    loads
}

/// Forces of energies of positions.
fn of_positions<const N: usize>(
    potential: &Potential,
    energies: [&dyn Energy; N],
    at: &Configuration,
) -> Vec<Vec2> {
    let mut by_x = vec![Vec2::zeros(); at.x.len()];
    for energy in energies {
        energy.add_gradient(&at.x, -1.0, &mut by_x);
    }
    let mut by_q = vec![Vec2::zeros(); at.q.len()];
    potential.model.coordinates.pull_back(at, &by_x, &mut by_q);
    by_q
}

/// Forces of friction, which is a function of positions on tangents.
fn of_friction(potential: &Potential, at: &Configuration) -> Vec<Vec2> {
    if potential.friction.is_empty() {
        return Vec::new();
    }

    let tangents = potential.tangent_positions(at);
    let mut by_x = vec![Vec2::zeros(); at.x.len()];
    for part in potential.friction.energies() {
        part.add_gradient(&tangents, -1.0, &mut by_x);
    }

    // The Jacobian is the one at the reference, where the tangents are.
    let mut by_q = vec![Vec2::zeros(); at.q.len()];
    potential
        .model
        .coordinates
        .pull_back(potential.tangent_at(), &by_x, &mut by_q);
    by_q
}

/// Each vector with the other sign.
fn negative(mut vectors: Vec<Vec2>) -> Vec<Vec2> {
    for vector in &mut vectors {
        *vector = -*vector;
    }
    vectors
}

/// Adds the forces of inertia on free periods of a scene that repeats to the forces on all nodes, `[nodes]`:
/// inertia of bodies acts on periods, but their loads do not.
fn add_periods(cell: &CellInertia, model: &Model, stage: &Stage, inertia: &mut [Vec2]) {
    let per_scale = stage.contact.recip();
    let pushed = stage.push.iter().zip(&model.mass);
    let pushed = pushed.map(|(push, mass)| push.component_mul(mass) * per_scale);
    let mut held: Vec<Vec2> = inertia.iter().zip(pushed).map(|(a, b)| a - b).collect();
    let before = held.clone();

    cell.add_to_periods(&mut held);
    for ((own, held), before) in inertia.iter_mut().zip(held).zip(before) {
        *own += held - before;
    }
}
