//! Bodies that stay where they are in a stage: their targets in the solver, and their memory.
//!
//! The solver knows nothing of sleep. It sees targets at which sleepers are already, and barriers that
//! have no contacts between two bodies that stay. At the end of the stage these contacts are found
//! again, since anchors and readers need them, and doublings of barriers and forces of joints between
//! two such bodies are put back as they were.

use crate::solve::{Stage, Target};
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_contact::{AdaptedPair, Barriers, Contacts, Stiffened};
use ipcsim_math::Vec2;

/// Bodies that stay where they are in a stage.
#[derive(Clone, Debug, Default)]
pub(in crate::time) struct Sleeping {
    /// True for sleepers, and for obstacles at rest, `[bodies]`; empty if no body sleeps.
    still: Vec<bool>,
    /// True if all bodies sleep.
    all_sleep: bool,
}

impl Sleeping {
    /// Bodies that stay in a stage of a step that begins with `start`: sleepers, and obstacles that are
    /// at their targets for the end of the stage.
    pub(in crate::time) fn of(world: &World, start: &State, stage: &Stage) -> Self {
        if start.memory.options.sleep.sleeping_count() == 0 {
            return Self::default();
        }

        let bodies = world.bodies.iter().enumerate();
        let mut still: Vec<bool> = bodies
            .map(|(number, body)| {
                body.kind.is_obstacle() || start.memory.options.sleep.is_asleep(number)
            })
            .collect();
        let targets = world.targets(&start.parameters, stage.end, start.time, &start.q);
        for target in targets.iter().filter(|target| !target.is_met(&start.q)) {
            still[world.model.body_of(target.node)] = false;
        }
        Self {
            all_sleep: !still.contains(&false),
            still,
        }
    }

    /// True if all bodies sleep.
    pub(in crate::time) fn are_all(&self) -> bool {
        self.all_sleep
    }

    /// True if the solve needs every contact: all bodies awake, or all asleep.
    pub(in crate::time) fn leave_nothing_out(&self) -> bool {
        self.all_sleep || self.none_sleep()
    }

    /// True if no body sleeps.
    fn none_sleep(&self) -> bool {
        self.still.is_empty()
    }

    /// True if neither of two bodies moves.
    pub(in crate::time) fn both(&self, [a, b]: [usize; 2]) -> bool {
        !self.still.is_empty() && self.still[a] && self.still[b]
    }

    /// Barriers without contacts between bodies that stay; with all of them if all bodies sleep, since
    /// nothing is solved then.
    pub(in crate::time) fn part(&self, barriers: &Barriers) -> Barriers {
        if self.leave_nothing_out() {
            return barriers.clone();
        }
        barriers.clone().between_moving(self.still.clone())
    }

    /// Sleepers that have contacts with bodies that move, ascending.
    pub(in crate::time) fn met(&self, world: &World, contacts: &Contacts) -> Vec<usize> {
        if self.none_sleep() {
            return Vec::new();
        }
        let surface = &world.model.surface;
        let pairs = contacts.pairs(surface).map(|pair| pair.bodies(surface));
        let bodies = pairs.filter(|&pair| !self.both(pair)).flatten();
        let mut met: Vec<usize> = bodies
            .filter(|&body| self.still[body] && !world.bodies[body].kind.is_obstacle())
            .collect();
        met.sort_unstable();
        met.dedup();
        met
    }

    /// Gives pairs of bodies that stay the barriers that they had `before`, and no others.
    pub(in crate::time) fn keep(&self, stiffened: &mut Stiffened, before: &[AdaptedPair]) {
        let own = before.iter().filter(|pair| self.both(pair.bodies));
        if self.all_sleep {
            *stiffened = Stiffened::default();
        }
        stiffened.adapted.retain(|pair| !self.both(pair.bodies));
        stiffened.adapted.extend(own);
        stiffened.adapted.sort_unstable_by_key(|pair| pair.bodies);
    }

    /// Gives rows between bodies that stay the forces (N) that they had `before`, in the order of the
    /// model's: residuals that are within the tolerance would add up to forces otherwise.
    pub(in crate::time) fn keep_forces(&self, world: &World, forces: &mut [Vec2], before: &[Vec2]) {
        if before.len() != forces.len() || self.none_sleep() {
            return;
        }
        let joints = world.model.joints.iter();
        let of_ties = joints.flat_map(|joint| joint.rows.iter().map(|_| joint.bodies));
        for (k, bodies) in of_ties.enumerate() {
            if self.both(bodies) {
                forces[k] = before[k];
            }
        }
    }
}

/// Prescribed positions of a stage from a state: the world's, and sleepers where they are.
pub(in crate::time) fn targets(world: &World, stage: &Stage, from: &State) -> Vec<Target> {
    let mut targets = world.targets(&from.parameters, stage.end, from.time, &from.q);
    let memory = &from.memory.options.sleep;
    if memory.sleeping_count() == 0 {
        return targets;
    }

    targets.retain(|target| !memory.is_asleep(world.model.body_of(target.node)));
    for (number, body) in world.bodies.iter().enumerate() {
        if memory.is_asleep(number) {
            targets.extend(body.nodes.clone().map(|node| Target {
                node,
                position: from.q[node],
                axes: [true; 2],
            }));
        }
    }
    targets
}
