//! Velocities after impacts: the law of restitution, friction of impacts, and a bound on the energy.
//!
//! Without a law the barrier returns some of the speed of a hit, depending on the time step. Between
//! pairs that have a coefficient of restitution `e`, and at limits of joints, a law takes its place in
//! the velocities. It acts after the positions of a stage have been found, and changes nothing in
//! these: the gap, the certificates and all forces come from the barrier. In four moves, for the bodies
//! that a hit connects:
//!
//! 1. **flight**: bodies have the velocities `u` that only loads would give them, with joints
//!    closed ([`FreeMotion`]);
//! 2. **impact**: contacts that approach faster than a pair may without rebounding are reflected,
//!    `n . u' = -e n . u`, with friction in Coulomb's cone of the impulse, until none is left; joints stay
//!    closed, and motors and brakes keep their speed ([`reflect`]);
//! 3. **other forces**: the change of the velocities of the stage by contacts without a coefficient,
//!    elasticity and joints is added;
//! 4. **rest**: contacts that still approach are stopped, joints closed, and motors and brakes give what
//!    they can ([`impulses`]).
//!
//! The impulses of the impact replace the impulses of the barrier and of its friction in the stage,
//! so Coulomb's law holds for the whole impulse. Where nothing hits, the velocities of the stage stay
//! bit for bit. While a pair separates its barrier still moves the bodies out of its reach, but gives
//! them no velocity, so that the pair keeps its residual speed, less the effect of gravity.
//!
//! A pair closes and rebounds within one stage, so nothing about it has to be remembered.
//! Integrators that look back must not see the jump, though: to them a body that was struck has
//! always moved as it does now ([`Struck::let_fly`]). Without a coefficient, they see the jump of an
//! impact as a rebound: bodies that a contact stops then have the velocity of their displacement
//! ([`caught`]).
//!
//! In the end no contact, with or without a coefficient, has added energy ([`bound`]).
//!
//! Obstacles that move do work by the impulses of an impact ([`script_work`]).
//!
//! In a scene that repeats an impulse on an image acts on its body, at the same place. The image moves with
//! its body and with the periods between both, `v_image = v + n_1 a_1' + n_2 a_2'` ([`Row`](row::Row)). Periods
//! have motions like bodies, which no impulse changes: scenes with free periods have no law of restitution.
//!
//! The rewritten past of a body is part of the memory of a step, which checkpoints store. Contact
//! forces and reactions do not contain the impulses of this law, so in a step with an impact they do
//! not add up to weight and inertia.

mod caught;
mod changed;
mod energy_bound;
mod free_motion;
mod given;
mod impact;
mod impacts;
mod impulses;
mod joints;
mod reflect;
mod rigid_motion;
mod row;
mod script_work;

use crate::time::memory::Past;
use crate::time::state::State;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use caught::caught;
pub(in crate::time) use impacts::ByScripts;
use impacts::{Impacts, Lawful};
use ipcsim_math::{Mat2, Vec2};
use rigid_motion::RigidMotion;

/// Nodes of bodies whose velocities jump in an impact.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::time) struct Struck {
    /// Numbers of the nodes of bodies that fly on, ascending.
    nodes: Vec<usize>,
    /// Numbers of the nodes of bodies that contacts still carry, ascending.
    carried: Vec<usize>,
}

/// Velocities after impacts.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::time) struct Rebound {
    /// Velocities of the stage, or of displacement for bodies that contacts have stopped (m/s; of angles
    /// rad/s), `[nodes]`.
    pub(in crate::time) caught: Vec<Vec2>,
    /// Velocities by the law of restitution (m/s; of angles rad/s), `[nodes]`; `None` if nothing hits by it.
    pub(in crate::time) lawful: Option<Vec<Vec2>>,
    /// Velocities at the end (m/s; of angles rad/s), `[nodes]`.
    pub(in crate::time) q_dot: Vec<Vec2>,
    /// Bodies that were struck.
    pub(in crate::time) struck: Struck,
    /// Number of groups of bodies whose coefficients were lowered, since they would have raised the energy.
    pub(in crate::time) lowered: usize,
    /// Work of scripts beyond the work of their forces in the stage.
    pub(in crate::time) by_scripts: ByScripts,
}

/// Velocities at the end of a stage after all impacts in it; those of the stage if there are none.
pub(in crate::time) fn rebound(world: &World, landing: StageEnd) -> Rebound {
    let q_dot = landing.stage.velocity(&landing.at.q);
    let mut rebound = Rebound {
        caught: q_dot.clone(),
        lawful: None,
        q_dot,
        struck: Struck::default(),
        lowered: 0,
        by_scripts: ByScripts::default(),
    };
    if landing.stage.beta.is_none() {
        return rebound;
    }

    // Velocities of displacement where a formula that looks back would rebound.
    rebound.struck.carried = caught(world, landing, &mut rebound.caught);
    rebound.q_dot.clone_from(&rebound.caught);
    let Some(impacts) = Impacts::of(world, landing, &rebound.caught) else {
        return rebound;
    };

    // The law of restitution where something hits.
    let mut motions = impacts.flight.ended.clone();
    let mut struck = vec![false; motions.len()];
    let reflected = impacts.reflected(&mut motions);
    if let Some(Lawful { of, reflected }) = &reflected {
        let mut lawful = rebound.caught.clone();
        impacts.write(&motions, landing, &mut lawful);
        rebound.lawful = Some(lawful);
        rebound.lowered = reflected.lowered;
        // Rounding of joints elsewhere is no hit.
        let both = reflected.struck.iter().zip(of);
        struck = both.map(|(struck, of)| *struck && *of).collect();
    }

    // No contact adds energy.
    let (mut bounded, by_scripts) = impacts.bounded(landing, reflected.as_ref(), &mut motions);
    rebound.by_scripts = by_scripts;
    if world.integrator.mixes_velocities() {
        for (struck, parted) in struck.iter_mut().zip(impacts.parted()) {
            *struck |= parted;
        }
    } else {
        bounded.fill(false);
    }
    impacts.write(&motions, landing, &mut rebound.q_dot);
    rebound
        .struck
        .add(&impacts.flight.wholes, &struck, &bounded);
    rebound
}

impl Struck {
    /// Adds the nodes of bodies that were `struck`, and of others that contacts have `changed`, `[bodies]`.
    fn add(&mut self, wholes: &[Option<RigidMotion>], struck: &[bool], changed: &[bool]) {
        // Bodies that fly on come first.
        for (whole, (struck, changed)) in wholes.iter().zip(struck.iter().zip(changed)) {
            let nodes = match (struck, changed) {
                (true, _) => &mut self.nodes,
                (false, true) => &mut self.carried,
                _ => continue,
            };
            nodes.extend(whole.iter().flat_map(RigidMotion::nodes));
        }
        self.nodes.sort_unstable();
        self.nodes.dedup();
        let nodes = &self.nodes;
        self.carried
            .retain(|node| nodes.binary_search(node).is_err());
    }

    /// True if no body was struck.
    pub(in crate::time) fn is_nobody(&self) -> bool {
        self.nodes.is_empty() && self.carried.is_empty()
    }

    /// Writes into coordinates `q` and velocities `q_dot`, `[nodes]`, where the struck bodies would
    /// have been for the time `h` (s) before the state `now`, had they flown there under the loads
    /// of the world: `q_1 - h v_1 + h^2/2 a` with the velocity `v_1 - h a`. Bodies that contacts carry
    /// have been at `q_1 - h v_1`, since friction takes displacements for slip.
    pub(in crate::time) fn let_fly(
        &self,
        world: &World,
        now: &State,
        h: f64,
        past: [&mut [Vec2]; 2],
    ) {
        let [q, q_dot] = past;
        let loads = world.loading.at(&now.parameters, &world.model, now.time);
        let [beyond, faster] = beyond_even_motion(world, now, h, [q, q_dot]);
        for &node in &self.nodes {
            let a = loads.acceleration[node];
            q[node] = now.q[node] - now.q_dot[node] * h + a * (0.5 * h * h);
            q_dot[node] = now.q_dot[node] - a * h;
        }
        for &node in &self.carried {
            q[node] = now.q[node] - now.q_dot[node] * h;
            q_dot[node] = now.q_dot[node] - loads.acceleration[node] * h;
        }

        // The same for all images.
        if world.model.coordinates.lattice().is_some() {
            let both = self.nodes.iter().chain(&self.carried);
            for &node in both.filter(|&&node| world.model.coordinates.is_place(node)) {
                q[node] += beyond * now.q[node];
                q_dot[node] += faster * now.q[node];
            }
        }
    }

    /// Rewrites the past states that `state` remembers, for the struck bodies, unless only slip looks back.
    pub(in crate::time) fn rewrite(&self, world: &World, state: &mut State) {
        if self.is_nobody() || !world.integrator.mixes_velocities() {
            return;
        }

        let mut history = std::mem::take(&mut state.memory.history);
        let mut ago = 0.0;
        for Past { q, q_dot, h } in &mut history {
            ago += *h;
            self.let_fly(world, state, ago, [q, q_dot]);
        }
        state.memory.history = history;
    }
}

/// Gradients of what the periods of a scene that repeats have moved beyond an even motion, for a time `h` (s)
/// before the state `now`, when nodes had the `past` coordinates and velocities, `[nodes]`: in place (1) and in
/// velocity (1/s). Bodies fly along with it, so that it does not matter which image is drawn.
fn beyond_even_motion(world: &World, now: &State, h: f64, past: [&[Vec2]; 2]) -> [Mat2; 2] {
    let Some(lattice) = world.model.coordinates.lattice() else {
        return [Mat2::zeros(); 2];
    };
    let mut beyond = vec![Vec2::zeros(); now.q.len()];
    let mut faster = beyond.clone();
    for node in lattice.periods() {
        beyond[node] = past[0][node] - (now.q[node] - now.q_dot[node] * h);
        faster[node] = past[1][node] - now.q_dot[node];
    }
    [beyond, faster].map(|own| lattice.mean_motion(&now.q, &own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::integrator::Bdf2;
    use crate::time::testing::{GRAVITY, circles};

    #[test]
    fn what_was_struck_has_always_flown_on_the_parabola_that_it_is_on() {
        let (mut world, mut state) = circles(&[[0.5, 2.0], [9.0, 9.0]], false, 0.0);
        world.integrator = Box::new(Bdf2);
        state.q_dot[0] = Vec2::new(3.0, 4.0);
        state.q_dot[1] = Vec2::new(5.0, 0.0);
        let past = |h| Past {
            q: vec![Vec2::repeat(7.0); 4],
            q_dot: vec![Vec2::repeat(8.0); 4],
            h,
        };
        state.memory.history = vec![past(0.1), past(0.3)];
        let struck = Struck {
            nodes: vec![0, 1],
            carried: Vec::new(),
        };
        struck.rewrite(&world, &mut state);

        for (k, ago) in [(0, 0.1), (1, 0.4)] {
            let Past { q, q_dot, .. } = &state.memory.history[k];
            let place = Vec2::new(0.5 - 3.0 * ago, 2.0 - 4.0 * ago - 0.5 * GRAVITY * ago * ago);
            assert!((q[0] - place).norm() < 1e-14);
            assert!((q_dot[0] - Vec2::new(3.0, 4.0 + GRAVITY * ago)).norm() < 1e-14);
            assert!((q[1].x + 5.0 * ago).abs() < 1e-14 && (q_dot[1].x - 5.0).abs() < 1e-14);

            // The other one keeps its past.
            assert_eq!([q[2], q_dot[2]], [Vec2::repeat(7.0), Vec2::repeat(8.0)]);
        }
    }
}
