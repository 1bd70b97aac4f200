//! Motions of bodies in a stage: by flight, by barriers and by all other forces.

use super::impact::{Impact, Passage};
use super::inelastic::halt;
use super::rigid_motion::{Motion, RigidMotion};
use super::row::Row;
use crate::time::State;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use ipcsim_contact::NormalForce;
use ipcsim_math::Vec2;

/// Motions of all bodies in a stage, `[bodies]`; zero for bodies that deform.
pub(super) struct FreeMotion {
    /// Bodies that move as a whole, `[bodies]`.
    pub(super) wholes: Vec<Option<RigidMotion>>,
    /// The equations of joints.
    pub(super) joints: Vec<Row>,
    /// Motions at the start.
    before: Vec<Motion>,
    /// Displacements from start to end, as motions in a second.
    ways: Vec<Motion>,
    /// Motions at the end, where all forces have acted.
    pub(super) ended: Vec<Motion>,
    /// Motions at the end under loads only, with joints closed.
    pub(super) fallen: Vec<Motion>,
    /// Change of motions by other forces than loads and the barriers of pairs with a coefficient.
    pub(super) others: Vec<Motion>,
}

impl FreeMotion {
    /// Motions in a stage that ends with the velocities `q_dot`, where these `contacts` have a
    /// coefficient of restitution.
    pub(super) fn of(
        world: &World,
        landing: StageEnd,
        contacts: &[NormalForce],
        q_dot: &[Vec2],
    ) -> Self {
        let StageEnd {
            stage, from, at, ..
        } = landing;
        let per_mass = per_mass(world, stage.end, from);
        let bodies = world.bodies.iter();
        let wholes: Vec<_> = bodies
            .map(|body| RigidMotion::of(body, &at.q, &per_mass))
            .collect();
        let joints = world.model.joints.iter();
        let joints: Vec<Row> = joints
            .flat_map(|joint| Row::of_joint(&wholes, joint, &at.x))
            .collect();

        // Loads only, with prescribed velocities where there are such.
        let mut falling = stage.velocity(&stage.predicted.q);
        for ((falling, q_dot), per_mass) in falling.iter_mut().zip(q_dot).zip(&per_mass) {
            for axis in (0..2).filter(|&axis| per_mass[axis] <= 0.0) {
                falling[axis] = q_dot[axis];
            }
        }
        let mut fallen = motions(world, &wholes, &at.q, &falling);

        // All that is neither load nor barrier.
        let ended = motions(world, &wholes, &at.q, q_dot);
        let mut others: Vec<Motion> = ended
            .iter()
            .zip(&fallen)
            .map(|(a, b)| a.minus(*b))
            .collect();
        for contact in contacts {
            if let Some(row) = Row::of_contact(&wholes, contact) {
                row.push(&wholes, -contact.force * stage.friction_time(), &mut others);
            }
        }
        halt(&wholes, &joints.iter().collect::<Vec<_>>(), &mut fallen);

        let way: Vec<Vec2> = at.q.iter().zip(&from.q).map(|(q, from)| q - from).collect();
        Self {
            before: motions(world, &wholes, &from.q, &from.q_dot),
            ways: motions(world, &wholes, &at.q, &way),
            wholes,
            joints,
            ended,
            fallen,
            others,
        }
    }

    /// Impacts at the `contacts` of a landing.
    ///
    /// Contacts with negative forces correct others, and are not separate contacts.
    pub(super) fn impacts(
        &self,
        world: &World,
        landing: StageEnd,
        contacts: &[NormalForce],
    ) -> Vec<Impact> {
        let StageEnd { stage, from, .. } = landing;

        let passage = Passage {
            wholes: &self.wholes,
            before: &self.before,
            ways: &self.ways,
            fallen: &self.fallen,
            h: stage.end - from.time,
        };

        let pushing = contacts.iter().filter(|contact| contact.force > 0.0);
        pushing
            .filter_map(|contact| {
                passage.impact(&world.options.restitution, contact, stage.friction_time())
            })
            .collect()
    }

    /// Motions at the end as if there were no barriers of pairs with a coefficient, with joints
    /// closed.
    pub(super) fn flown(&self) -> Vec<Motion> {
        let both = self.fallen.iter().zip(&self.others);
        let mut flown: Vec<Motion> = both
            .map(|(fallen, other)| fallen.plus(*other, 1.0))
            .collect();
        halt(
            &self.wholes,
            &self.joints.iter().collect::<Vec<_>>(),
            &mut flown,
        );
        flown
    }
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
