//! Motions of bodies in a stage: by flight, by contacts and by all other forces.

use super::impact::Passage;
use super::impulses::close;
use super::joints::{drives, equations};
use super::rigid_motion::{Motion, Push, RigidMotion};
use super::row::{Row, Wholes};
use crate::time::State;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use ipcsim_math::Vec2;

/// Motions of all bodies in a stage, `[bodies]`; zero for bodies that deform.
pub(super) struct FreeMotion {
    /// Bodies that move as a whole, `[bodies]`.
    pub(super) wholes: Vec<Option<RigidMotion>>,
    /// These bodies at the start, `[bodies]`.
    pub(super) wholes_before: Vec<Option<RigidMotion>>,
    /// The equations of joints.
    pub(super) joints: Vec<Row>,
    /// Motors and brakes.
    pub(super) drives: Vec<Row>,
    /// Motions at the start.
    pub(super) before: Vec<Motion>,
    /// Displacements from start to end, as motions in a second.
    pub(super) displacements: Vec<Motion>,
    /// Displacements by flight from start to end, as motions in a second.
    pub(super) flown_displacements: Vec<Motion>,
    /// Motions at the end.
    pub(super) ended: Vec<Motion>,
    /// Motions at the end as the forces of the stage make them.
    forced: Vec<Motion>,
    /// Motions at the end under loads only, with joints closed.
    pub(super) fallen: Vec<Motion>,
    /// Motions at the end under loads only.
    free: Vec<Motion>,
    /// Length of the stage (s).
    h: f64,
}

impl FreeMotion {
    /// Motions in a stage that ends with the velocities `q_dot`.
    pub(super) fn of(world: &World, landing: StageEnd, q_dot: &[Vec2]) -> Self {
        let StageEnd {
            stage, from, at, ..
        } = landing;
        let per_mass = per_mass(world, stage.end, from);
        let wholes = moving_whole(world, &at.q, &per_mass);
        let wholes_before = moving_whole(world, &from.q, &per_mass);
        let places = Wholes {
            bodies: &wholes,
            coordinates: &world.model.coordinates,
            body_of: &world.model.surface.body,
            x: &at.x,
        };
        let joints = equations(world, places, &from.memory.broken);
        let drives = drives(world, places, landing);

        // Loads only, with prescribed velocities where there are such.
        let mut falling = stage.velocity(&stage.predicted.q);
        for ((falling, q_dot), per_mass) in falling.iter_mut().zip(q_dot).zip(&per_mass) {
            for axis in (0..2).filter(|&axis| per_mass[axis] <= 0.0) {
                falling[axis] = q_dot[axis];
            }
        }
        let motions = |q: &[Vec2], q_dot: &[Vec2]| motions(world, &wholes, q, q_dot);
        let free = motions(&at.q, &falling);
        let mut fallen = free.clone();
        close(&wholes, &joints, &mut fallen);

        let displacement = difference(&at.q, &from.q);
        let flight = difference(&stage.predicted.q, &from.q);
        Self {
            before: motions(&from.q, &from.q_dot),
            displacements: motions(&at.q, &displacement),
            flown_displacements: motions(&at.q, &flight),
            ended: motions(&at.q, q_dot),
            forced: motions(&at.q, &stage.velocity(&at.q)),
            h: stage.end - from.time,
            wholes,
            wholes_before,
            joints,
            drives,
            fallen,
            free,
        }
    }

    /// The part of this that tells how fast gaps have closed.
    pub(super) fn passage(&self) -> Passage<'_> {
        Passage {
            before: &self.before,
            displacements: &self.displacements,
            fallen: &self.fallen,
            h: self.h,
        }
    }

    /// Accelerations of bodies by loads over the stage, as motions, `[bodies]`.
    pub(super) fn loads(&self, world: &World, landing: StageEnd) -> Vec<Motion> {
        let stage = landing.stage;
        let factor = stage.inertia / stage.contact;
        let pushed: Vec<Vec2> = stage.push.iter().map(|push| push * factor).collect();
        motions(world, &self.wholes, &landing.at.q, &pushed)
    }

    /// Change of motions by all forces of the stage but loads and the impulses that are `given`,
    /// `[bodies]`.
    pub(super) fn others(&self, given: &[Push]) -> Vec<Motion> {
        let both = self.forced.iter().zip(&self.free).zip(given);
        both.zip(&self.wholes)
            .map(|(((forced, free), given), whole)| {
                let by_given = whole
                    .as_ref()
                    .map_or(Motion::default(), |whole| whole.response(given, 1.0));
                forced.minus(*free).minus(by_given)
            })
            .collect()
    }

    /// True if a body that ends with a `motion` has another one than the forces of the stage give it.
    pub(super) fn jumps(&self, body: usize, motion: Motion) -> bool {
        motion != self.forced[body]
    }

    /// Motions at the end as if only loads and these `others` acted, with joints closed, `[bodies]`.
    pub(super) fn flown(&self, others: &[Motion]) -> Vec<Motion> {
        let both = self.fallen.iter().zip(others);
        let mut flown: Vec<Motion> = both
            .map(|(fallen, other)| fallen.plus(*other, 1.0))
            .collect();
        close(&self.wholes, &self.joints, &mut flown);
        flown
    }
}

/// Bodies that move as a whole at the coordinates `q` (`[nodes]`), with these inverse masses, `[bodies]`; then
/// the periods of a scene that repeats.
fn moving_whole(world: &World, q: &[Vec2], per_mass: &[Vec2]) -> Vec<Option<RigidMotion>> {
    let bodies = world.bodies.iter();
    let bodies = bodies.map(|body| RigidMotion::of(body, q, per_mass));
    let lattice = world.model.coordinates.lattice().into_iter();
    let periods = lattice.flat_map(|lattice| lattice.periods());
    bodies
        .chain(periods.map(|node| Some(RigidMotion::of_period(node, q))))
        .collect()
}

/// Differences of two lists, `[nodes]`.
fn difference(to: &[Vec2], from: &[Vec2]) -> Vec<Vec2> {
    to.iter().zip(from).map(|(to, from)| to - from).collect()
}

/// Motions of bodies with coordinates `q` and velocities `q_dot`, `[bodies]`.
fn motions(
    world: &World,
    wholes: &[Option<RigidMotion>],
    q: &[Vec2],
    q_dot: &[Vec2],
) -> Vec<Motion> {
    let mass = &world.model.mass;
    let motion = |whole: &Option<RigidMotion>| match whole {
        Some(whole) => whole.motion(q, q_dot, mass),
        None => Motion::default(),
    };
    wholes.iter().map(motion).collect()
}

/// Inverse of the mass of each node at the time `t` of the end of a stage that begins with the
/// state `from` (1/kg; of angles 1/(kg m^2)), `[nodes]`: 0 in components that are prescribed.
fn per_mass(world: &World, t: f64, from: &State) -> Vec<Vec2> {
    let inverse = |mass: f64| if mass > 0.0 { mass.recip() } else { 0.0 };
    let masses = world.model.mass.iter();
    let mut per_mass: Vec<Vec2> = masses.map(|mass| mass.map(inverse)).collect();
    for target in world.targets(&from.parameters, t, from.time, &from.q) {
        for axis in (0..2).filter(|&axis| target.axes[axis]) {
            per_mass[target.node][axis] = 0.0;
        }
    }
    per_mass
}
