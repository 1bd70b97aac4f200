//! Restitution: which velocities bodies have after an impact.
//!
//! Without a law the barrier returns between 0.01 and 0.97 of the speed of a hit, depending on the
//! time step. Between pairs that have a coefficient of restitution `e` a law takes its place in the
//! velocities. It acts after the positions of a stage have been found, and changes nothing in
//! these: the gap, the certificates and all forces come from the barrier. In five moves:
//!
//! 1. **flight**: bodies have the velocities `u` that only loads would give them, with joints
//!    closed ([`FreeMotion`](free_motion::FreeMotion));
//! 2. **impact**: contacts that approach faster than a pair may without rebounding are reflected,
//!    `n . u' = -e n . u`, until none is left ([`reflect`](reflect::reflect));
//! 3. **other forces**: the change of the velocities of the stage by friction, contacts without a
//!    coefficient and elasticity is added;
//! 4. **rest**: contacts that still approach are stopped, and joints closed
//!    ([`stop`](inelastic::stop));
//! 5. **bound**: the kinetic energy of bodies that hit each other is reduced to the energy of their
//!    flight, where other forces have raised it ([`bound`](bound::bound)).
//!
//! So no impact raises the kinetic energy above the energy of the flight or the energy that
//! barriers would leave, for any coefficients in `[0, 1]`, masses and number of contacts, unless a
//! scripted body drives the others. Where all contacts rest, the barrier's own velocities stay.
//! While a pair separates its barrier still moves the bodies out of its reach, but gives them no
//! velocity, so that the pair keeps its residual speed, less the effect of gravity.
//!
//! A pair closes and rebounds within one stage, so nothing about it has to be remembered.
//! Integrators that look back must not see the jump, though: to them a body that was struck has
//! always moved as it does now ([`Struck::let_fly`]). Friction follows the barrier's forces.
//!
//! Without a coefficient, integrators that look back see the jump of an impact as a rebound: bodies that
//! a contact stops then have the velocity of their displacement ([`caught`](caught::caught)).
//!
//! Joints take part as rows that also pull; ropes, limits and motors are left out. The rewritten
//! past of a body is part of the memory of a step, which checkpoints store. Contact forces and
//! reactions do not contain the impulses of this law, so in a step with an impact they do not add
//! up to weight and inertia.

mod bound;
mod caught;
mod free_motion;
mod impact;
mod inelastic;
mod reflect;
mod rigid_motion;
mod row;

use crate::time::memory::Past;
use crate::time::state::State;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use bound::bound;
use caught::caught;
use free_motion::FreeMotion;
use impact::Impact;
use inelastic::stop;
use ipcsim_contact::NormalForce;
use ipcsim_math::Vec2;
use reflect::reflect;
use rigid_motion::Motion;
use row::Row;

/// Nodes of bodies whose velocities jump in an impact.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::time) struct Struck {
    /// Numbers of the nodes, ascending.
    nodes: Vec<usize>,
}

/// Velocities after impacts.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::time) struct Rebound {
    /// Velocities of the coordinates (m/s; of angles rad/s), `[nodes]`.
    pub(in crate::time) q_dot: Vec<Vec2>,
    /// Bodies that were struck.
    pub(in crate::time) struck: Struck,
}

/// Velocities at the end of a stage after all impacts in it; those of the stage if there are none.
pub(in crate::time) fn rebound(world: &World, landing: StageEnd) -> Rebound {
    let q_dot = landing.stage.velocity(&landing.at.q);

    // Without coefficients or contacts the velocities of the stage stay bit for bit.
    let impacts = if world.options.restitution.is_absent() {
        Vec::new()
    } else {
        normal_forces(world, landing)
    };

    let rebound = if impacts.is_empty() {
        Rebound {
            q_dot,
            struck: Struck::default(),
        }
    } else {
        after(world, landing, &impacts, q_dot)
    };
    let Rebound { mut q_dot, struck } = rebound;
    let mut nodes = struck.nodes;
    nodes.extend(caught(world, landing, &mut q_dot));
    nodes.sort_unstable();
    nodes.dedup();
    Rebound {
        q_dot,
        struck: Struck { nodes },
    }
}

/// Normal forces of the contacts whose pairs have a coefficient of restitution.
fn normal_forces(world: &World, landing: StageEnd) -> Vec<NormalForce> {
    let all = landing.contacts.forces(&world.model.surface, &landing.at.x);
    all.filter(|contact| {
        let [a, b] = contact.bodies;
        let deforms = contact.bodies.map(|body| world.bodies[body].kind.is_soft());
        world.options.restitution.between(a, b).is_some() && deforms == [false; 2]
    })
    .collect()
}

/// Velocities after the impacts at these contacts.
fn after(
    world: &World,
    landing: StageEnd,
    contacts: &[NormalForce],
    mut q_dot: Vec<Vec2>,
) -> Rebound {
    let flight = FreeMotion::of(world, landing, contacts, &q_dot);
    let impacts = flight.impacts(world, landing, contacts);
    let flown = flight.flown();
    if impacts
        .iter()
        .all(|impact| impact.rests(&flown, &flight.ended))
    {
        return Rebound {
            q_dot,
            struck: Struck::default(),
        };
    }

    // Impact, then all other forces, then rest.
    let mut motions = flight.fallen.clone();
    let struck = reflect(&flight.wholes, &impacts, &flight.joints, &mut motions);
    for (motion, other) in motions.iter_mut().zip(&flight.others) {
        *motion = motion.plus(*other, 1.0);
    }
    settle(&flight, &impacts, &struck, &mut motions);
    bound(&flight, &impacts, &mut motions);

    let mut nodes = Vec::new();
    for (body, whole) in flight.wholes.iter().enumerate() {
        let Some(whole) = whole else {
            continue;
        };
        let change = motions[body].minus(flight.ended[body]);
        whole.add(change, &landing.at.q, &mut q_dot);
        if struck[body] {
            nodes.extend(whole.nodes());
        }
    }
    Rebound {
        q_dot,
        struck: Struck { nodes },
    }
}

/// Stops contacts that still approach in the `motions` of bodies, `[bodies]`.
///
/// Where no body was struck the barrier's own impulses are a good guess, and at rest the solution.
fn settle(flight: &FreeMotion, impacts: &[Impact], struck: &[bool], motions: &mut [Motion]) {
    let contacts = impacts.iter().map(|impact| &impact.row);
    let rows: Vec<&Row> = contacts.chain(&flight.joints).collect();
    let mut impulses: Vec<f64> = impacts.iter().map(|impact| impact.impulse).collect();
    impulses.resize(rows.len(), 0.0);
    if struck.contains(&true) {
        impulses.fill(0.0);
    }

    let change = stop(&flight.wholes, &rows, motions, &mut impulses);
    for (motion, change) in motions.iter_mut().zip(change) {
        *motion = motion.plus(change, 1.0);
    }
}

impl Struck {
    /// True if no body was struck.
    pub(in crate::time) fn is_nobody(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Writes into coordinates `q` and velocities `q_dot`, `[nodes]`, where the struck bodies would
    /// have been for the time `h` (s) before the state `now`, had they flown there under the loads
    /// of the world: `q_1 - h v_1 + h^2/2 a` with the velocity `v_1 - h a`.
    pub(in crate::time) fn let_fly(
        &self,
        world: &World,
        now: &State,
        h: f64,
        past: [&mut [Vec2]; 2],
    ) {
        let [q, q_dot] = past;
        let loads = world.loading.at(&now.parameters, &world.model, now.time);
        for &node in &self.nodes {
            let a = loads.acceleration[node];
            q[node] = now.q[node] - now.q_dot[node] * h + a * (0.5 * h * h);
            q_dot[node] = now.q_dot[node] - a * h;
        }
    }

    /// Rewrites the past states that `state` remembers, for the struck bodies.
    pub(in crate::time) fn rewrite(&self, world: &World, state: &mut State) {
        if self.is_nobody() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{GRAVITY, circles};

    #[test]
    fn what_was_struck_has_always_flown_on_the_parabola_that_it_is_on() {
        let (world, mut state) = circles(&[[0.5, 2.0], [9.0, 9.0]], false, 0.0);
        state.q_dot[0] = Vec2::new(3.0, 4.0);
        state.q_dot[1] = Vec2::new(5.0, 0.0);
        let past = |h| Past {
            q: vec![Vec2::repeat(7.0); 4],
            q_dot: vec![Vec2::repeat(8.0); 4],
            h,
        };
        state.memory.history = vec![past(0.1), past(0.3)];
        let struck = Struck { nodes: vec![0, 1] };
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
