//! Places of a stage where bodies press on each other, and what impacts at them do to motions.

use super::changed::{Changed, opened};
use super::energy_bound::{self, Bounded, bound};
use super::free_motion::FreeMotion;
use super::given::{Given, given};
use super::impact::{Hit, Impact, Passage};
use super::impulses::{Impulses, impulses};
use super::joints::{add_given, have_stops, stops};
use super::reflect::{Linked, Reflected, reflect};
use super::rigid_motion::{Motion, Push};
use super::row::{Row, Wholes, roots};
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use ipcsim_contact::{PairEnergies, Press};
use ipcsim_math::Vec2;
use std::collections::BTreeMap;

/// What the law of restitution has changed.
pub(super) struct Lawful {
    /// True for bodies that something has hit, or that hits have moved, `[bodies]`.
    pub(super) of: Vec<bool>,
    /// The reflections.
    pub(super) reflected: Reflected,
}

/// Work of scripts (J) by impulses that changed velocities, beyond their forces times displacements.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::time) struct ByScripts {
    /// Impulses of the law of restitution.
    pub(in crate::time) restitution: f64,
    /// Corrections of velocities after contacts.
    pub(in crate::time) impacts: f64,
    /// Impulses that the formula of the integrator takes from forces.
    pub(in crate::time) integrator: f64,
}

/// Places of a stage where bodies that move as a whole press on each other, and their motions.
pub(super) struct Impacts<'a> {
    /// Bodies.
    world: &'a World,
    /// Motions of bodies.
    pub(super) flight: FreeMotion,
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

/// Impacts of contacts between two bodies that move as a whole, or between one and its image, which were at
/// other places `before`.
fn pressed(
    world: &World,
    landing: StageEnd,
    [before, wholes]: [Wholes; 2],
    passage: &Passage,
    presses: &[Press],
) -> Vec<Impact> {
    let restitution = &world.options.restitution;
    let time = landing.stage.friction_time();
    let repeats = world.model.coordinates.lattice().is_some();
    let between_two = presses
        .iter()
        .filter(|press| repeats || press.bodies[0] != press.bodies[1]);
    between_two
        .filter_map(|press| Impact::of_press([before, wholes], passage, restitution, press, time))
        .collect()
}

/// Gives places their numbers.
fn number_places(places: &mut [Impact]) {
    for (number, place) in places.iter_mut().enumerate() {
        place.number = number;
    }
}

impl<'a> Impacts<'a> {
    /// Impacts of a stage that ends with the velocities `q_dot`; `None` if nothing presses.
    pub(super) fn of(world: &'a World, landing: StageEnd, q_dot: &[Vec2]) -> Option<Self> {
        let is_bounded = world.bounds_impacts();
        let has_law = !world.options.restitution.is_absent();
        let StageEnd {
            from,
            at,
            table,
            outset,
            ..
        } = landing;
        let has_stops = have_stops(world);
        if !world.has_wholes() || !(is_bounded || has_law || has_stops) {
            return None;
        }

        // Where contacts are as before, only a law can act.
        let surface = &world.model.surface;
        let presses = landing.contacts.presses(surface, table, &from.x, &at.x);
        let mut changed = Changed::of(world.bodies.len(), &outset.presses, &presses);
        let has_hits = has_stops || (has_law && !presses.is_empty());
        if changed.is_nothing() && !has_hits {
            return None;
        }

        let flight = FreeMotion::of(world, landing, q_dot);
        let wholes = Wholes {
            bodies: &flight.wholes,
            coordinates: &world.model.coordinates,
            body_of: &surface.body,
            x: &at.x,
        };
        let before = Wholes {
            bodies: &flight.wholes_before,
            x: &from.x,
            ..wholes
        };
        let passage = flight.passage();
        let impacts =
            |presses: &[Press]| pressed(world, landing, [before, wholes], &passage, presses);
        let opened = impacts(&opened(&outset.presses, &presses));
        let mut places = impacts(&presses);
        let stops = stops(world, wholes, &passage, landing);
        changed.add_stops(&stops);
        places.extend(stops);
        number_places(&mut places);
        if places.is_empty() && opened.is_empty() {
            return None;
        }

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
    pub(super) fn reflected(&self, motions: &mut [Motion]) -> Option<Lawful> {
        let flight = &self.flight;
        let restitution = &self.world.options.restitution;
        let has_law = |[a, b]: [usize; 2]| restitution.between(a, b).is_some();
        let lawful = |by_joints: &[Push]| flight.others(&self.given(has_law, by_joints));

        // Islands in which something hits.
        let holding: Vec<&Impact> = self.places.iter().filter(|place| place.holds()).collect();
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
            drives: &flight.drives,
            driven: &self.driven(true),
        };
        let mut after = flight.fallen.clone();
        let mut reflected = reflect(linked, &places, &mut after);
        for (motion, other) in after.iter_mut().zip(lawful(&self.given_by_joints[1])) {
            *motion = motion.plus(other, 1.0);
        }
        let hits: Vec<Hit> = places.iter().map(|place| place.stopped()).collect();
        let drives = flight.drives.iter().zip(&reflected.given);
        let drives: Vec<Row> = drives.map(|(row, given)| row.less(*given)).collect();
        let rows: Vec<&Row> = flight.joints.iter().chain(&drives).collect();
        let Impulses {
            change, of_hits, ..
        } = impulses(&flight.wholes, &hits, &rows, &after);
        let numbers = places.iter().map(|place| place.number);
        reflected.add(numbers.zip(of_hits));
        let of: Vec<bool> = roots.iter().map(|&root| is_hit[root]).collect();
        for (body, motion) in motions.iter_mut().enumerate().filter(|(body, _)| of[*body]) {
            *motion = after[body].plus(change[body], 1.0);
        }
        Some(Lawful { of, reflected })
    }

    /// Takes energy that contacts have added from the `motions` of bodies, `[bodies]`. Returns which of
    /// them have changed, and the work of scripts by impulses beyond the forces of the stage.
    ///
    /// Bodies that are hit have theirs by the law of restitution. The barriers between them only hold them
    /// apart, and their energy counts as none.
    pub(super) fn bounded(
        &self,
        landing: StageEnd,
        lawful: Option<&Lawful>,
        motions: &mut [Motion],
    ) -> (Vec<bool>, ByScripts) {
        let Some(beta) = landing.stage.beta.filter(|_| self.is_bounded) else {
            return (vec![false; motions.len()], ByScripts::default());
        };
        let flight = &self.flight;
        let surface = &self.world.model.surface;
        let restitution = &self.world.options.restitution;
        let (nobody, nowhere) = (vec![false; motions.len()], BTreeMap::new());
        let is_hit = lawful.map_or(&nobody, |lawful| &lawful.of);
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
            unbounded: &self.driven(false),
            lawful: lawful.map_or(&nowhere, |lawful| &lawful.reflected.at_places),
            has_law: &|[a, b]| restitution.between(a, b).is_some(),
            is_hit,
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
        let bounded = bound(&stage, motions);
        let longer = stage.h / landing.stage.friction_time();
        let by_scripts = self.by_scripts(&bounded, longer, is_hit, motions);
        (bounded.changed, by_scripts)
    }

    /// Work of scripts (J) that their forces times displacements do not have, where the stage is `longer` than
    /// the time in which forces change velocities (1), bodies move with `motions` at its end, and some are hit,
    /// `[bodies]` each.
    fn by_scripts(
        &self,
        bounded: &Bounded,
        longer: f64,
        is_hit: &[bool],
        motions: &[Motion],
    ) -> ByScripts {
        let mut by = ByScripts::default();
        let flight = &self.flight;

        // Islands that are hit, and islands whose velocities are others.
        let mut jumps = vec![[false; 2]; motions.len()];
        for (body, root) in bounded.roots.iter().enumerate() {
            jumps[*root][0] |= is_hit[body];
            jumps[*root][1] |= flight.wholes[body].is_some() && flight.jumps(body, motions[body]);
        }
        for (&[work, by_forces], [is_hit, is_changed]) in bounded.by_scripts.iter().zip(jumps) {
            let more = work - by_forces;
            // Forces act longer on what scripts move than they change velocities.
            by.integrator += by_forces * (1.0 - longer);
            match [is_hit, is_changed] {
                [true, _] => by.restitution += more,
                [false, true] => by.impacts += more,
                _ => by.integrator += more,
            }
        }
        by
    }

    /// True for bodies that have parted from others, `[bodies]`.
    pub(super) fn parted(&self) -> Vec<bool> {
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
    pub(super) fn write(&self, motions: &[Motion], landing: StageEnd, q_dot: &mut [Vec2]) {
        let flight = &self.flight;
        for (body, whole) in flight.wholes.iter().enumerate() {
            let change = motions[body].minus(flight.ended[body]);
            if let Some(whole) = whole.as_ref().filter(|_| change != Motion::default()) {
                whole.add(change, &landing.at.q, q_dot);
            }
        }
    }
}
