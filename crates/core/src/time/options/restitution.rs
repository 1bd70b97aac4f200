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
//!    `n . u' = -e n . u`, with friction in Coulomb's cone of the impulse, until none is left
//!    ([`reflect`]);
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
//! The rewritten past of a body is part of the memory of a step, which checkpoints store. Contact
//! forces and reactions do not contain the impulses of this law, so in a step with an impact they do
//! not add up to weight and inertia.

mod caught;
mod energy_bound;
mod free_motion;
mod given;
mod impact;
mod impulses;
mod joints;
mod reflect;
mod rigid_motion;
mod row;

use crate::time::memory::Past;
use crate::time::state::State;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use caught::caught;
use energy_bound::bound;
use free_motion::FreeMotion;
use given::{Given, given};
use impact::{Hit, Impact, Passage};
use impulses::impulses;
use ipcsim_contact::{PairEnergies, Press};
use ipcsim_math::Vec2;
use joints::{add_given, stops};
use reflect::{Linked, Reflected, reflect};
use rigid_motion::{Motion, Push, RigidMotion};
use row::{Row, Wholes, roots};
use std::collections::BTreeSet;

/// Nodes of bodies whose velocities jump in an impact.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::time) struct Struck {
    /// Numbers of the nodes, ascending.
    nodes: Vec<usize>,
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
    };
    if landing.stage.beta.is_none() {
        return rebound;
    }

    // Velocities of displacement where a formula that looks back would rebound.
    rebound.struck.nodes = caught(world, landing, &mut rebound.caught);
    rebound.q_dot.clone_from(&rebound.caught);
    let Some(impacts) = Impacts::of(world, landing, &rebound.caught) else {
        return rebound;
    };

    // The law of restitution where something hits.
    let mut motions = impacts.flight.ended.clone();
    let mut struck = vec![false; motions.len()];
    let mut is_hit = vec![false; motions.len()];
    if let Some(Lawful { of, reflected }) = impacts.reflected(&mut motions) {
        let mut lawful = rebound.caught.clone();
        impacts.write(&motions, landing, &mut lawful);
        rebound.lawful = Some(lawful);
        rebound.lowered = reflected.lowered;
        struck = reflected.struck;
        is_hit = of;
    }

    // No contact adds energy.
    let bounded = impacts.bounded(landing, &is_hit, &mut motions);
    if world.integrator.history() > 0 {
        let parted = impacts.parted();
        for (struck, change) in struck.iter_mut().zip(bounded.iter().zip(parted)) {
            *struck |= *change.0 || change.1;
        }
    }
    impacts.write(&motions, landing, &mut rebound.q_dot);

    // Nodes of all bodies that were struck.
    let nodes = &mut rebound.struck.nodes;
    for (whole, struck) in impacts.flight.wholes.iter().zip(struck) {
        let own = whole.as_ref().filter(|_| struck);
        nodes.extend(own.into_iter().flat_map(RigidMotion::nodes));
    }
    nodes.sort_unstable();
    nodes.dedup();
    rebound
}

/// What the law of restitution has changed.
struct Lawful {
    /// True for bodies that something has hit, or that hits have moved, `[bodies]`.
    of: Vec<bool>,
    /// The reflections.
    reflected: Reflected,
}

/// Pairs of bodies that press on each other.
fn pairs(presses: &[Press]) -> BTreeSet<[usize; 2]> {
    presses.iter().map(|press| press.bodies).collect()
}

/// Places at the start of a stage between bodies that do not press on each other at its end.
fn opened(landing: StageEnd, presses: &[Press]) -> Vec<Press> {
    let pressed = pairs(presses);
    let before = landing.outset.presses.iter();
    let opened = before.filter(|press| !pressed.contains(&press.bodies));
    opened.cloned().collect()
}

/// Bodies whose contacts are others after a stage than before.
struct Changed {
    /// True where a pair of bodies has met or parted, or a limit or a rope has closed, `[bodies]`.
    by_pairs: Vec<bool>,
    /// True where a place of contact has, `[bodies]`.
    by_places: Vec<bool>,
}

impl Changed {
    /// The changes among a number of bodies between presses `before` and `after`, with the places after.
    fn of(bodies: usize, before: &[Press], after: &[Press], places: &[Impact]) -> Self {
        let mut changed = Self {
            by_pairs: vec![false; bodies],
            by_places: vec![false; bodies],
        };
        let met = [pairs(before), pairs(after)];
        let at = [before, after].map(|presses| -> BTreeSet<[usize; 4]> {
            presses.iter().map(|press| press.vertices).collect()
        });
        for press in before.iter().chain(after) {
            let has = |set: &BTreeSet<[usize; 2]>| set.contains(&press.bodies);
            let is_at = |set: &BTreeSet<[usize; 4]>| set.contains(&press.vertices);
            for body in press.bodies {
                changed.by_pairs[body] |= !met.iter().all(has);
                changed.by_places[body] |= !at.iter().all(is_at);
            }
        }
        let stops = places.iter().filter(|place| place.normal_before.is_none());
        for place in stops.filter(|place| place.law.is_some()) {
            for body in place.normal.bodies {
                changed.by_pairs[body] = true;
            }
        }
        changed
    }
}

/// Places of a stage where bodies that move as a whole press on each other, and their motions.
struct Impacts<'a> {
    /// Bodies.
    world: &'a World,
    /// Motions of bodies.
    flight: FreeMotion,
    /// Contacts, limits and ropes.
    places: Vec<Impact>,
    /// Contacts between bodies that pressed on each other at the start, and do no longer.
    opened: Vec<Impact>,
    /// Bodies whose contacts have changed.
    changed: Changed,
    /// Impulses of contacts in the stage.
    given: Vec<Given>,
    /// Impulses of limits and ropes in the stage, without and with motors and brakes, `[bodies]`.
    given_by_joints: [Vec<Push>; 2],
    /// True if no contact may add energy: not in the model of the book.
    is_bounded: bool,
}

impl<'a> Impacts<'a> {
    /// Impacts of a stage that ends with the velocities `q_dot`; `None` if nothing presses.
    fn of(world: &'a World, landing: StageEnd, q_dot: &[Vec2]) -> Option<Self> {
        let is_bounded = world.bounds_impacts();
        let has_law = !world.options.restitution.is_absent();
        let may_touch = !landing.contacts.is_empty() || !landing.outset.presses.is_empty();
        let touches = may_touch && (is_bounded || has_law);
        let has_joints = !world.model.joints.is_empty();
        if !(touches || has_joints) || !world.has_wholes() {
            return None;
        }

        let flight = FreeMotion::of(world, landing, q_dot);
        let wholes = Wholes {
            bodies: &flight.wholes,
            body_of: &world.model.surface.body,
            x: &landing.at.x,
        };
        let before = Wholes {
            bodies: &flight.wholes_before,
            x: &landing.from.x,
            ..wholes
        };
        let passage = flight.passage();
        let surface = &world.model.surface;
        let StageEnd {
            from, at, table, ..
        } = landing;
        let presses = landing.contacts.presses(surface, table, &from.x, &at.x);
        let restitution = &world.options.restitution;
        let time = landing.stage.friction_time();
        let impacts = |presses: &[Press], passage: &Passage| -> Vec<Impact> {
            presses
                .iter()
                .filter(|press| press.bodies[0] != press.bodies[1])
                .filter_map(|press| {
                    Impact::of_press([before, wholes], passage, restitution, press, time)
                })
                .collect()
        };
        let mut places = impacts(&presses, &passage);
        places.extend(stops(world, wholes, &passage, landing));

        let opened = impacts(&opened(landing, &presses), &passage);
        if places.is_empty() && opened.is_empty() {
            return None;
        }
        let count = flight.wholes.len();
        let changed = Changed::of(count, &landing.outset.presses, &presses, &places);

        let given = given(world, wholes, landing);
        let given_by_joints = [false, true].map(|drives| {
            let mut given = vec![Push::default(); flight.wholes.len()];
            add_given(world, wholes, landing, drives, &mut given);
            given
        });
        Some(Self {
            world,
            flight,
            places,
            opened,
            changed,
            given,
            given_by_joints,
            is_bounded,
        })
    }

    /// Impulses in the stage of contacts whose bodies are `counted`, and of joints, `[bodies]`.
    fn given(&self, counted: impl Fn([usize; 2]) -> bool, by_joints: &[Push]) -> Vec<Push> {
        let mut given = by_joints.to_vec();
        for Given { bodies, push } in self.given.iter().filter(|given| counted(given.bodies)) {
            given[bodies[0]] = given[bodies[0]].and(*push);
        }
        given
    }

    /// True for bodies that touch one that a belt, or if `scripts` count a script, drives, `[bodies]`.
    fn driven(&self, scripts: bool) -> Vec<bool> {
        let belts = &self.world.friction.belts;
        let wholes = self.flight.wholes.iter().zip(&self.flight.ended);
        let sources: Vec<bool> = wholes
            .enumerate()
            .map(|(body, (whole, ended))| {
                let whole = whole.as_ref();
                let is_scripted = whole.is_some_and(|whole| whole.is_driven(*ended));
                (scripts && is_scripted) || belts.get(body).is_some_and(|speed| *speed != 0.0)
            })
            .collect();
        let mut touched = sources.clone();
        for place in &self.places {
            let [a, b] = place.normal.bodies;
            touched[a] |= sources[b];
            touched[b] |= sources[a];
        }
        touched
    }

    /// Changes the `motions` of bodies that something hits, `[bodies]`, by the law of restitution; `None`
    /// if nothing does.
    fn reflected(&self, motions: &mut [Motion]) -> Option<Lawful> {
        let flight = &self.flight;
        let restitution = &self.world.options.restitution;
        let has_law = |[a, b]: [usize; 2]| restitution.between(a, b).is_some();
        let lawful = |by_joints: &[Push]| flight.others(&self.given(has_law, by_joints));

        // Islands in which something hits.
        let holding: Vec<&Impact> = self.places.iter().filter(|place| place.holds).collect();
        if holding.is_empty() {
            return None;
        }
        let flown = flight.flown(&lawful(&self.given_by_joints[0]));
        let normals = holding.iter().map(|place| &place.normal);
        let roots = roots(
            &flight.wholes,
            normals.chain(&flight.joints).chain(&flight.drives),
        );
        let mut is_hit = vec![false; motions.len()];
        for place in &holding {
            is_hit[roots[place.mover]] |= !place.rests(&flown, &flight.ended);
        }
        if !is_hit.contains(&true) {
            return None;
        }

        // Impact, then all other forces, then rest.
        let places: Vec<&Impact> = holding
            .into_iter()
            .filter(|place| is_hit[roots[place.mover]])
            .collect();
        let linked = Linked {
            wholes: &flight.wholes,
            joints: &flight.joints,
            driven: &self.driven(true),
        };
        let mut after = flight.fallen.clone();
        let reflected = reflect(linked, &places, &mut after);
        for (motion, other) in after.iter_mut().zip(lawful(&self.given_by_joints[1])) {
            *motion = motion.plus(other, 1.0);
        }
        let hits: Vec<Hit> = places.iter().map(|place| place.stopped()).collect();
        let rows: Vec<&Row> = flight.joints.iter().chain(&flight.drives).collect();
        let change = impulses(&flight.wholes, &hits, &rows, &after).change;
        let of: Vec<bool> = roots.iter().map(|&root| is_hit[root]).collect();
        for (body, motion) in motions.iter_mut().enumerate().filter(|(body, _)| of[*body]) {
            *motion = after[body].plus(change[body], 1.0);
        }
        Some(Lawful { of, reflected })
    }

    /// Takes energy that contacts have added from the `motions` of bodies, `[bodies]`. Returns which of
    /// them have changed.
    ///
    /// Those that are hit have theirs by the law of restitution. The barriers between them only hold them
    /// apart, and their energy counts as none.
    fn bounded(&self, landing: StageEnd, is_hit: &[bool], motions: &mut [Motion]) -> Vec<bool> {
        let Some(beta) = landing.stage.beta.filter(|_| self.is_bounded) else {
            return vec![false; motions.len()];
        };
        let flight = &self.flight;
        let surface = &self.world.model.surface;
        let after = PairEnergies::of(landing.contacts, surface, &landing.at.x);
        let barriers: Vec<([usize; 2], f64)> = landing
            .outset
            .energies
            .changes(&after)
            .into_iter()
            .filter(|([a, b], _)| !(is_hit[*a] || is_hit[*b]))
            .collect();
        let stage = energy_bound::Stage {
            others: &flight.others(&self.given(|_| true, &self.given_by_joints[0])),
            loads: &flight.loads(self.world, landing),
            size_of_barriers: &landing.outset.energies.sizes(motions.len()),
            unbounded: &self.driven(is_hit.contains(&true)),
            barriers: &barriers,
            h: landing.stage.end - landing.from.time,
            impacts: &self.places,
            opened: &self.opened,
            changed: [&self.changed.by_pairs, &self.changed.by_places],
            given: &self.given,
            imbalance: landing.imbalance,
            flight,
            beta,
        };
        bound(&stage, motions)
    }

    /// True for bodies that have parted from others, `[bodies]`.
    fn parted(&self) -> Vec<bool> {
        let mut parted = vec![false; self.flight.wholes.len()];
        for impact in &self.opened {
            for body in impact.normal.bodies {
                parted[body] = true;
            }
        }
        parted
    }

    /// Writes the `motions` of bodies, `[bodies]`, into velocities `q_dot`, `[nodes]`, that are those at the
    /// end of the stage.
    fn write(&self, motions: &[Motion], landing: StageEnd, q_dot: &mut [Vec2]) {
        let flight = &self.flight;
        for (body, whole) in flight.wholes.iter().enumerate() {
            let change = motions[body].minus(flight.ended[body]);
            if let Some(whole) = whole.as_ref().filter(|_| change != Motion::default()) {
                whole.add(change, &landing.at.q, q_dot);
            }
        }
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
