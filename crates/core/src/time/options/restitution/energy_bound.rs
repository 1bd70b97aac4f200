//! The bound on the energy after contacts: no contact adds any.
//!
//! A barrier whose normal turns, or a formula that looks back, may leave bodies with more kinetic and
//! potential energy than loads, scripts and the state before explain: a body that glances off a round
//! one gains some by implicit Euler, and the trapezoidal rule returns the energy of a barrier that it
//! has not taken. Where they do, the velocities after contacts change by impulses along contacts, each as
//! far as the energy asks, until the gain is gone:
//!
//! 1. impulses turn from the normals of the end to the normals of the start. On a round surface the
//!    mean of both does no work, while the normal of the end does some along the chord;
//! 2. contacts that have opened take back as much of their impulse as leaves them open;
//! 3. velocities go towards those after a plastic impact, in which nothing approaches or parts and
//!    friction obeys Coulomb's law;
//! 4. the rest came with positions, as a formula that looks back goes on along forces that are over.
//!    Bodies that an obstacle holds are slowed against it.
//!
//! None of these closes a contact, or makes the impulse of a contact pull. The bound acts where bodies meet
//! or part; of bodies that feel loads and contacts only, also where another place of them touches. What else
//! rolls and slides on is left to the integrator: a body that sticks to an obstacle on its arc would be
//! slowed against it by differences of second order, and one that slides over a seam would lose momentum.

use super::free_motion::FreeMotion;
use super::given::Given;
use super::impact::{Hit, Impact};
use super::impulses::impulses;
use super::rigid_motion::{Motion, RigidMotion};
use super::row::{Row, roots};
use super::script_work::Scripts;
use crate::tuning::{ENERGY_BOUND_OTHERS, ENERGY_BOUND_ROUNDING};
use std::collections::BTreeMap;

/// What the bound needs from a stage.
pub(super) struct Stage<'a> {
    /// Motions of bodies.
    pub(super) flight: &'a FreeMotion,
    /// Places where bodies press on each other.
    pub(super) impacts: &'a [Impact],
    /// Contacts that pressed at the start only.
    pub(super) opened: &'a [Impact],
    /// True for bodies that have met or parted with others, and for those with another place of contact,
    /// `[bodies]` each.
    pub(super) changed: [&'a [bool]; 2],
    /// Impulses of contacts.
    pub(super) given: &'a [Given],
    /// Change of motions by all forces but loads and contacts, `[bodies]`.
    pub(super) others: &'a [Motion],
    /// Accelerations by loads, as motions, `[bodies]`.
    pub(super) loads: &'a [Motion],
    /// Change of the energy of barriers (J) by bodies, for pairs without a coefficient.
    pub(super) barriers: &'a [([usize; 2], f64)],
    /// Energy of barriers (J) at both ends, by bodies.
    pub(super) size_of_barriers: &'a [f64],
    /// Imbalance of the forces of the stage (m/s).
    pub(super) imbalance: f64,
    /// Time in which other forces displace bodies (s), `beta`.
    pub(super) beta: f64,
    /// Length of the stage (s).
    pub(super) h: f64,
    /// True for bodies that a law of restitution has hit, `[bodies]`.
    pub(super) is_hit: &'a [bool],
    /// Impulses of that law along normals and tangents (N s), by numbers of places.
    pub(super) lawful: &'a BTreeMap<usize, [f64; 2]>,
    /// True for pairs of bodies that have a law.
    pub(super) has_law: &'a dyn Fn([usize; 2]) -> bool,
    /// True for bodies that belts bring energy to without a bound, `[bodies]`.
    pub(super) unbounded: &'a [bool],
}

/// Change of contacts in a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Meeting {
    /// None.
    #[default]
    None,
    /// A place of contact has opened or closed.
    OfPlaces,
    /// Bodies have met or parted.
    OfBodies,
}

/// Energy of bodies that contacts and joints connect (J).
#[derive(Clone, Copy, Debug, Default)]
struct Island {
    /// Energy after contacts beyond that before and all work, of bodies under loads and contacts only.
    gain: f64,
    /// The same beyond the energy of a flight.
    beyond_flight: f64,
    /// Sum of the sizes of all parts.
    size: f64,
    /// True if other forces act, so that the flight is the measure.
    has_others: bool,
    /// Work of obstacles that move (J).
    by_scripts: f64,
    /// Its change of contacts.
    meeting: Meeting,
    /// Energy that the imbalance of forces may have added.
    noise: f64,
    /// True if it has no bound.
    is_unbounded: bool,
}

impl Island {
    /// Energy that contacts have added (J); 0 if that is rounding, or without a bound.
    fn added(&self) -> f64 {
        let (gain, noise) = if self.has_others {
            (self.beyond_flight, self.noise)
        } else {
            (self.gain, 0.0)
        };
        let is_impact = match self.meeting {
            Meeting::None => false,
            Meeting::OfPlaces => !self.has_others,
            Meeting::OfBodies => true,
        };
        let counts = is_impact && !self.is_unbounded;
        if counts && gain > ENERGY_BOUND_ROUNDING * self.size + noise {
            gain
        } else {
            0.0
        }
    }
}

/// Growth of the kinetic energy of an island along a change of motions (J).
#[derive(Clone, Copy, Debug, Default)]
struct Along {
    /// Growth per share of the change.
    slope: f64,
    /// Growth per square of that share.
    curvature: f64,
}

impl Along {
    /// Least share of a change of motions on which the energy that is `left` is gone, or as much of it
    /// as the change can take.
    fn share(&self, left: f64) -> f64 {
        if self.slope >= 0.0 || left <= 0.0 {
            return 0.0;
        }
        let root = self.slope * self.slope - 4.0 * self.curvature * left;
        let share = if root > 0.0 {
            2.0 * left / (root.sqrt() - self.slope)
        } else {
            -0.5 * self.slope / self.curvature
        };
        share.min(1.0)
    }
}

/// Result of the bound.
pub(super) struct Bounded {
    /// True for bodies whose motions have changed, `[bodies]`.
    pub(super) changed: Vec<bool>,
    /// Work of obstacles that move (J), and what the forces of the stage would do of it, where it is known,
    /// `[islands]`.
    pub(super) by_scripts: Vec<[f64; 2]>,
    /// Number of the island of each body, `[bodies]`.
    pub(super) roots: Vec<usize>,
}

/// Bounds the energy of the `motions` of bodies after contacts, `[bodies]`.
pub(super) fn bound(stage: &Stage, motions: &mut [Motion]) -> Bounded {
    let FreeMotion { wholes, joints, .. } = stage.flight;
    let places = stage.impacts.iter().chain(stage.opened);
    let rows = places.clone().map(|impact| &impact.normal).chain(joints);
    let roots = roots(wholes, rows);
    let frames = stage.frames(&roots);
    let scripts = Scripts::of(stage.flight, &roots, frames, places, stage.h);
    let by_forces = scripts.of_forces(stage.given.iter());
    let flown = stage.flight.flown(stage.others);
    let mut islands = stage.islands(&roots, motions, &flown);
    stage.add_scripts(&mut islands, &scripts, &by_forces, motions);

    let mut left: Vec<f64> = islands.iter().map(Island::added).collect();
    let mut changed = vec![false; motions.len()];
    if left.iter().any(|left| *left > 0.0) {
        let reduction = Reduction {
            flown: stage.flown(&roots, &islands, flown),
            stage,
            roots: &roots,
            scripts: &scripts,
        };
        changed = reduction.reduce(&mut islands, &mut left, motions);
    }

    // The ledger asks for both.
    let both = islands.iter().zip(by_forces);
    let by_scripts = both
        .map(|(island, by_forces)| [island.by_scripts, by_forces])
        .collect();
    Bounded {
        changed,
        by_scripts,
        roots,
    }
}

/// How motions change where islands have too much energy.
struct Reduction<'a> {
    /// The stage.
    stage: &'a Stage<'a>,
    /// Number of the island of each body, `[bodies]`.
    roots: &'a [usize],
    /// Obstacles that move.
    scripts: &'a Scripts<'a>,
    /// Motions without contacts, `[bodies]`.
    flown: Vec<Motion>,
}

impl Reduction<'_> {
    /// Changes the `motions` of bodies, `[bodies]`, until no energy is `left` that contacts have added (J),
    /// `[islands]`. Returns which have changed.
    fn reduce(
        &self,
        islands: &mut [Island],
        left: &mut [f64],
        motions: &mut [Motion],
    ) -> Vec<bool> {
        // Each kind of change in turn, for islands with a gain.
        let wholes = &self.stage.flight.wholes;
        let gains: Vec<bool> = left.iter().map(|left| *left > 0.0).collect();
        let mut changed = vec![false; motions.len()];
        for kind in Change::ALL {
            // The whole change, and the energy along it.
            let change = self.change(kind, &gains, islands, motions);
            let worked = self.scripts.of_change(&change);
            let along = self.along(motions, &change, &worked);

            // As far as the energy asks.
            let shares = along.iter().zip(&*left);
            let shares: Vec<f64> = shares.map(|(along, left)| along.share(*left)).collect();
            for (island, share) in shares.iter().enumerate() {
                let along = along[island];
                left[island] += share * (along.slope + share * along.curvature);
                islands[island].by_scripts += share * worked[island];
            }

            // Bodies of an island change by one share.
            for (body, motion) in motions.iter_mut().enumerate() {
                let share = shares[self.roots[body]];
                if share > 0.0 {
                    *motion = motion.plus(change[body], share);
                    changed[body] |= wholes[body].as_ref().is_some_and(RigidMotion::is_free);
                }
            }
        }
        changed
    }

    /// The growth of energy along a change of motions, `[islands]`, beyond what scripts have `worked` for all
    /// of it (J).
    fn along(&self, motions: &[Motion], change: &[Motion], worked: &[f64]) -> Vec<Along> {
        let mut along = vec![Along::default(); motions.len()];
        for (body, whole) in self.stage.flight.wholes.iter().enumerate() {
            if let Some(whole) = whole {
                let island = &mut along[self.roots[body]];
                island.slope += whole.work(motions[body], change[body]);
                island.curvature += 0.5 * whole.work(change[body], change[body]);
            }
        }
        for (along, worked) in along.iter_mut().zip(worked) {
            along.slope -= worked;
        }
        along
    }

    /// The whole change of a kind of the `motions` of bodies in islands that gain, `[bodies]`.
    fn change(
        &self,
        kind: Change,
        gains: &[bool],
        islands: &[Island],
        motions: &[Motion],
    ) -> Vec<Motion> {
        let FreeMotion {
            wholes,
            wholes_before,
            joints,
            ..
        } = self.stage.flight;
        let gains = |impact: &&Impact| gains[self.roots[impact.mover]];
        let mut change = vec![Motion::default(); motions.len()];
        match kind {
            Change::Turned => {
                for impact in self.stage.impacts.iter().filter(gains) {
                    if let Some(before) = &impact.normal_before {
                        before.push(wholes_before, impact.impulse, &mut change);
                        impact.normal.push(wholes, -impact.impulse, &mut change);
                    }
                }
            }
            Change::Parted => {
                for impact in self.stage.opened.iter().filter(gains) {
                    let apart = impact.normal.velocity(motions).max(0.0);
                    let most = apart / impact.normal.softness.max(f64::MIN_POSITIVE);
                    impact
                        .normal
                        .push(wholes, -impact.impulse.min(most), &mut change);
                }
            }
            Change::Plastic => {
                let pressed = self.stage.impacts.iter();
                let hits: Vec<Hit> = pressed.filter(gains).map(Impact::stopped).collect();
                let joints: Vec<&Row> = joints.iter().collect();
                let flown = &self.flown;
                let stopped = impulses(wholes, &hits, &joints, flown).change;
                for (body, change) in change.iter_mut().enumerate() {
                    *change = flown[body].plus(stopped[body], 1.0).minus(motions[body]);
                }
            }
            Change::Slowed => {
                for (body, change) in change.iter_mut().enumerate() {
                    let root = self.roots[body];
                    let frame = self
                        .scripts
                        .frame(body)
                        .filter(|_| !islands[root].has_others);
                    if let (Some(whole), Some(frame)) = (&wholes[body], frame) {
                        *change = whole.changeable(frame.minus(motions[body]));
                    }
                }
            }
        }
        change
    }
}

/// A change of motions that may take energy.
#[derive(Clone, Copy)]
enum Change {
    /// Impulses along the normals of the start instead of the end.
    Turned,
    /// Less impulse of contacts that have opened.
    Parted,
    /// A plastic impact.
    Plastic,
    /// No motion against obstacles.
    Slowed,
}

impl Change {
    /// All kinds, in the order in which they take energy.
    const ALL: [Self; 4] = [Self::Turned, Self::Parted, Self::Plastic, Self::Slowed];
}

impl Stage<'_> {
    /// Motions without contacts, from which a plastic impact stops bodies, `[bodies]`: by the loads of the
    /// stage from the motions at its start where only these act, as a formula that looks back would bring
    /// along forces of contacts that are over; else the motions `flown` in the flight.
    fn flown(&self, roots: &[usize], islands: &[Island], mut flown: Vec<Motion>) -> Vec<Motion> {
        for (body, flown) in flown.iter_mut().enumerate() {
            if !islands[roots[body]].has_others {
                *flown = self.flight.before[body].plus(self.loads[body], self.h);
            }
        }
        flown
    }

    /// An obstacle that bodies of each island touch, `[islands]`; `None` if there is none, or several with
    /// different motions.
    fn frames(&self, roots: &[usize]) -> Vec<Option<usize>> {
        let FreeMotion {
            wholes,
            displacements,
            ..
        } = self.flight;
        let free = |body: usize| wholes[body].as_ref().is_some_and(RigidMotion::is_free);
        // The first obstacle of an island, and any other one that moves otherwise.
        let mut frames = vec![None; roots.len()];
        let mut differ = vec![false; roots.len()];
        for place in self.impacts.iter().chain(self.opened) {
            let [a, b] = place.normal.bodies;
            for [own, other] in [[a, b], [b, a]] {
                if !free(own) && free(other) {
                    let root = roots[other];
                    let first = *frames[root].get_or_insert(own);
                    let motion = displacements[own];
                    differ[root] |= displacements[first] != motion;
                    differ[root] |= first != own && motion.spin != 0.0;
                }
            }
        }

        // Several that move differently have no common frame.
        let frames = frames.into_iter().zip(differ);
        frames
            .map(|(frame, differ)| frame.filter(|_| !differ))
            .collect()
    }

    /// Adds the work of obstacles that move to islands: by their forces in the stage or the law of
    /// restitution, and of bodies that feel loads and contacts only also by what changed their `motions`
    /// beyond these, `[bodies]`.
    fn add_scripts(
        &self,
        islands: &mut [Island],
        scripts: &Scripts,
        by_forces: &[f64],
        motions: &[Motion],
    ) {
        if !scripts.touch.contains(&true) {
            return;
        }

        // The law replaces forces of the pairs that it has hit.
        let is_replaced = |given: &&Given| {
            let [own, other] = given.bodies;
            (self.is_hit[own] || self.is_hit[other]) && (self.has_law)(given.bodies)
        };
        let replaced = scripts.of_forces(self.given.iter().filter(is_replaced));
        let mut lawful = vec![0.0; islands.len()];
        for (&place, &impulses) in self.lawful {
            scripts.add_impulses(&self.impacts[place], impulses, &mut lawful);
        }

        // Formulas that look back, and corrections.
        let beyond = scripts.beyond(motions, self.loads, self.given, self.is_hit);
        let beyond = scripts.of_change(&beyond);

        // With other forces nothing tells these from contacts.
        for (root, island) in islands.iter_mut().enumerate() {
            let more = if island.has_others { 0.0 } else { beyond[root] };
            island.by_scripts = by_forces[root] - replaced[root] + lawful[root] + more;
            island.gain -= island.by_scripts;
            island.beyond_flight -= island.by_scripts;
            island.size += island.by_scripts.abs();
        }
    }

    /// Energies of all islands for `motions` after contacts, `[islands]`; `flown` are those of the flight.
    fn islands(&self, roots: &[usize], motions: &[Motion], flown: &[Motion]) -> Vec<Island> {
        let FreeMotion {
            wholes,
            joints,
            before,
            displacements,
            flown_displacements,
            ..
        } = self.flight;
        let mut islands = vec![Island::default(); roots.len()];
        for (body, whole) in wholes.iter().enumerate() {
            let Some(whole) = whole else {
                continue;
            };
            let island = &mut islands[roots[body]];
            let kinetic = |motion| 0.5 * whole.work(motion, motion);
            let [now, then, flying] = [motions[body], before[body], flown[body]].map(kinetic);
            let load = self.loads[body];
            let worked = whole.work(load, displacements[body]);
            let by_others = flown_displacements[body].plus(self.others[body], self.beta);
            island.gain += now - then - worked;
            island.beyond_flight += now - flying - worked + whole.work(load, by_others);
            island.size += now + then + worked.abs() + self.size_of_barriers[body];

            let other = whole.work(self.others[body], self.others[body]);
            let most = ENERGY_BOUND_OTHERS * self.imbalance;
            island.has_others |= other > whole.mass() * most * most;
            island.is_unbounded |= self.unbounded[body];
            let speed = motions[body].velocity.norm();
            island.noise += most * whole.mass() * (speed + most);
            if whole.is_free() {
                let meeting = match [self.changed[0][body], self.changed[1][body]] {
                    [true, _] => Meeting::OfBodies,
                    [false, true] => Meeting::OfPlaces,
                    _ => Meeting::None,
                };
                island.meeting = island.meeting.max(meeting);
            }
        }

        let free = |body: usize| wholes[body].as_ref().is_some_and(RigidMotion::is_free);
        for joint in joints {
            for body in joint.bodies.into_iter().filter(|&body| free(body)) {
                islands[roots[body]].has_others = true;
            }
        }

        // Barriers store energy; each pair counts once.
        for &([a, b], change) in self.barriers {
            let island = &mut islands[roots[if free(a) { a } else { b }]];
            island.gain += change;
            island.beyond_flight += change;
        }
        islands
    }
}
