//! Sums of forces of one step: per pair of bodies, per joint, per support and per load.
//!
//! The journal has these sums as long as the table of forces has room. Single contacts are listed
//! only if a scene or a caller asks for them.

use super::load::{LoadForce, loads};
use super::reaction::{Reaction, reactions};
use crate::constraint::{ConstraintRow, Rule};
use crate::solve::Touching;
use crate::time::{State, World};
use ipcsim_contact::{Surface, VertexForces};
use ipcsim_math::{Vec2, cross};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Force of one body on another by all contacts between them, at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairForce {
    /// Numbers of the two bodies, the smaller one first. Obstacles have the largest numbers.
    pub bodies: [usize; 2],
    /// Normal forces and friction on the first body (N); the second one feels the opposite.
    pub force: Vec2,
    /// Part of the force that is friction (N).
    pub friction: Vec2,
    /// Moment on the first body (N m), counter-clockwise, about [`about`](Self::about), with
    /// rolling resistance.
    pub moment: f64,
    /// Centre of mass of the first body (m); of a reduced body the mean of its vertices.
    pub about: Vec2,
}

/// Force of one joint at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointForce {
    /// Numbers of the two bodies, in the order of the scene.
    pub bodies: [usize; 2],
    /// Force on the first body (N); the second one feels the opposite.
    pub force: Vec2,
    /// Moment on the first body; `None` for hinges, rods and ropes without motor, spring or limit,
    /// whose force goes through a point.
    pub moment: Option<JointMoment>,
    /// True if the joint has broken.
    pub is_broken: bool,
}

/// Moment of a joint on its first body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointMoment {
    /// Moment (N m), counter-clockwise; the second body feels the opposite.
    pub moment: f64,
    /// Place of the joint on the first body, about which it counts (m).
    pub about: Vec2,
}

/// All sums of forces at the end of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    /// Pairs of different bodies in contact, in the order of their numbers.
    pub pairs: Vec<PairForce>,
    /// Joints, in the order of the scene.
    pub joints: Vec<JointForce>,
    /// Supports, in the order of their bodies.
    pub reactions: Vec<Reaction>,
    /// Loads, in the order of the scene.
    pub loads: Vec<LoadForce>,
}

impl Sums {
    /// Sums of a `state` at the end of a step that ended with `last`.
    pub fn of(world: &World, state: &State, last: &Touching) -> Self {
        Self {
            pairs: pairs(world, state, last),
            joints: joints(world, state),
            reactions: reactions(world, state, last),
            loads: loads(world, state, last),
        }
    }

    /// Number of pairs, joints, supports and loads.
    pub fn rows(&self) -> usize {
        self.pairs.len() + self.joints.len() + self.reactions.len() + self.loads.len()
    }

    /// True if all bodies have numbers below `count`.
    pub fn fit(&self, count: usize) -> bool {
        let pairs = self.pairs.iter().flat_map(|pair| pair.bodies);
        let joints = self.joints.iter().flat_map(|joint| joint.bodies);
        let held = self.reactions.iter().map(|reaction| reaction.body);
        let loaded = self.loads.iter().map(|load| load.body);
        let mut all = pairs.chain(joints).chain(held).chain(loaded);
        all.all(|body| body < count)
    }
}

/// Sums per pair of different bodies. Forces of a body on itself cancel and are left out.
fn pairs(world: &World, state: &State, last: &Touching) -> Vec<PairForce> {
    let surface = &world.model.surface;
    let mut pairs = BTreeMap::new();

    for normal in last.contacts.forces(surface, &state.x) {
        let force = normal.normal * normal.force;
        if let Some(pair) = pair_of(&mut pairs, world, state, normal.bodies) {
            pair.add(normal.bodies, force, false);
            pair.moment += moment_on(pair, &normal.on_vertices, surface, &state.x);
        }
    }

    for friction in last.friction.forces(surface, &last.tangents) {
        if let Some(pair) = pair_of(&mut pairs, world, state, friction.bodies) {
            pair.add(friction.bodies, friction.force, true);
            pair.moment += moment_on(pair, &friction.on_vertices, surface, &state.x);
        }
    }

    // A couple acts on both bodies with opposite signs.
    for couple in last.friction.couples(surface, &last.tangents) {
        if let Some(pair) = pair_of(&mut pairs, world, state, couple.bodies) {
            let is_first = couple.bodies == pair.bodies;
            pair.moment += if is_first {
                couple.moment
            } else {
                -couple.moment
            };
        }
    }

    pairs.into_values().collect()
}

/// Entry of two bodies, in any order, which is made if it is missing; `None` for a body with
/// itself.
fn pair_of<'a>(
    pairs: &'a mut BTreeMap<[usize; 2], PairForce>,
    world: &World,
    state: &State,
    [a, b]: [usize; 2],
) -> Option<&'a mut PairForce> {
    let bodies = [a.min(b), a.max(b)];
    let entry = (a != b).then(|| pairs.entry(bodies))?;
    Some(entry.or_insert_with(|| PairForce {
        bodies,
        force: Vec2::zeros(),
        friction: Vec2::zeros(),
        moment: 0.0,
        about: world.at_centre(&world.bodies[bodies[0]], &state.q, &state.x),
    }))
}

impl PairForce {
    /// Adds a force (N) on the first of two bodies, which may be the second one here.
    fn add(&mut self, bodies: [usize; 2], force: Vec2, is_friction: bool) {
        let own = if bodies == self.bodies { force } else { -force };
        self.force += own;
        if is_friction {
            self.friction += own;
        }
    }
}

/// Moment (N m) of those forces on vertices that act on the first body of a pair.
fn moment_on(pair: &PairForce, forces: &VertexForces, surface: &Surface, x: &[Vec2]) -> f64 {
    let own = forces
        .iter()
        .filter(|(vertex, _)| surface.body[*vertex] == pair.bodies[0]);
    own.map(|(vertex, force)| cross(x[*vertex] - pair.about, *force))
        .sum()
}

/// Forces of all joints of a `state`, in the order of the scene; zero before the first step.
///
/// A joint is closed by a force of any size, a multiplier, which the step has found and the state
/// remembers for the next one. Reading it costs nothing.
pub fn joints(world: &World, state: &State) -> Vec<JointForce> {
    let mut forces = state.memory.multipliers.iter();
    let joints = world.model.joints.iter().enumerate();
    joints
        .map(|(number, joint)| {
            // Before the first step no multiplier exists.
            let own: Vec<Vec2> = forces.by_ref().take(joint.rows.len()).copied().collect();
            let rows = || joint.rows.iter().zip(&own);
            let first = &world.bodies[joint.bodies[0]].vertices;
            let by_row = rows().map(|(row, force)| match row.rule {
                Rule::Tie(_) => {
                    let all = row.forces_by(&state.x, *force);
                    let own = all.filter(|(vertex, _)| first.contains(vertex));
                    -own.map(|(_, force)| force).sum::<Vec2>()
                }
                _ => row.force_on_first(&state.x, *force),
            });
            let has_moment = joint.rows.iter().any(ConstraintRow::has_moment);
            let turns = !joint.is_tie() && (joint.rows.len() > 1 || has_moment);
            let frame = joint
                .rows
                .first()
                .filter(|_| turns)
                .map(|row| row.frames[0]);
            JointForce {
                bodies: joint.bodies,
                force: by_row.sum(),
                moment: frame.map(|frame| {
                    let about = frame.place(&state.x);
                    let moments =
                        rows().map(|(row, force)| row.moment_on_first(&state.x, *force, about));
                    JointMoment {
                        moment: moments.sum(),
                        about,
                    }
                }),
                is_broken: state.memory.broken.get(number).copied().unwrap_or(false),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Alike, ConstraintAction, Hinge, Joint, JointFrame, Rule};
    use crate::forces::{contacts, vertex_contacts};
    use crate::time::testing::{RADIUS, circles, moved, touching};

    /// Two circles on a ground that touch each other, and both have slid and turned.
    fn pile() -> (World, State, Touching) {
        let height = RADIUS + 0.004;
        let second = 2.0 * RADIUS + 0.006;
        let (world, from) = circles(&[[0.0, height], [second, height + 0.001]], true, 0.4);
        let state = moved(&world, &from, |q| {
            q[0] += Vec2::new(3e-4, 0.0);
            q[1].x += 2e-3;
            q[2] += Vec2::new(-1e-4, 5e-5);
            q[3].x -= 1e-3;
        });
        let last = touching(&world, &from, &state);
        (world, state, last)
    }

    /// Minus the slope of all energies between bodies by a coordinate of a node, by differences: the
    /// force, with the friction that was lagged.
    fn force_by_differences(case: &(World, State, Touching), node: usize, axis: usize) -> f64 {
        let (world, state, last) = case;
        let energy = |step: f64| -> f64 {
            let moved = moved(world, state, |q| q[node][axis] += step);
            let barriers = last.contacts.energies();
            let friction = last.friction.energies();
            let all = barriers.into_iter().chain(friction);
            all.map(|energy| energy.value(&moved.x)).sum()
        };
        (energy(-1e-7) - energy(1e-7)) / 2e-7
    }

    #[test]
    fn forces_of_pairs_are_the_slopes_of_their_energies() {
        let case = pile();
        let (world, state, last) = &case;
        let sums = Sums::of(world, state, last);
        let named: Vec<[usize; 2]> = sums.pairs.iter().map(|pair| pair.bodies).collect();
        assert_eq!(named, [[0, 1], [0, 2], [1, 2]]);

        for body in 0..3 {
            let own = sums.pairs.iter().filter_map(|pair| match pair.bodies {
                [first, _] if first == body => Some(pair.force),
                [_, second] if second == body => Some(-pair.force),
                _ => None,
            });
            let sum: Vec2 = own.sum();
            let node = world.bodies[body].nodes.start;
            let slopes = [0, 1].map(|axis| force_by_differences(&case, node, axis));
            assert!(
                (sum - Vec2::from(slopes)).norm() < 1e-5 * sum.norm(),
                "{body}"
            );
        }

        // The moment on the first circle, about its centre.
        let moment = sums.pairs[0].moment + sums.pairs[1].moment;
        let slope = force_by_differences(&case, 1, 0);
        assert!(moment.abs() > 0.01 && (moment - slope).abs() < 1e-5 * moment.abs());
    }

    #[test]
    fn forces_on_vertices_and_of_contacts_add_up_to_those_of_pairs() {
        let (world, state, last) = pile();
        let pairs = Sums::of(&world, &state, &last).pairs;
        for (pair, contact) in pairs.iter().zip(contacts(&world, &state, &last)) {
            assert_eq!(pair.bodies, contact.bodies);
            assert!((pair.force - contact.force()).norm() < 1e-12 * pair.force.norm());
        }

        // Nothing acts from outside, so that all forces on vertices cancel.
        let on_vertices = vertex_contacts(&world, &state, &last);
        let all = on_vertices.iter().map(|own| own.normal + own.friction);
        let sum: Vec2 = all.sum();
        assert!(sum.norm() < 1e-12 * pairs[0].force.norm(), "{sum}");
        let on_first = on_vertices.iter().find(|own| own.vertex == 0).unwrap();
        let expected = pairs[0].force + pairs[1].force;
        let error = (on_first.normal + on_first.friction - expected).norm();
        assert!(error < 1e-12 * expected.norm(), "{error:e}");
    }

    #[test]
    fn a_joint_tells_the_force_and_the_moment_that_its_rows_carry() {
        let (mut world, mut state) = circles(&[[0.0, 0.0], [1.0, 0.0]], false, 0.0);
        let frames = [0, 2].map(|k| {
            let ends = [state.x[k], state.x[k + 1]];
            JointFrame::turning([k, k + 1], ends, Vec2::new(0.5, 0.0), Vec2::x())
        });
        let row = |rule| ConstraintRow::new(rule, ConstraintAction::Closed, &frames, 1.0, 1.0);
        world.model.joints = vec![Joint {
            label: "weld".to_owned(),
            bodies: [0, 1],
            rows: vec![
                row(Rule::Hinge(Hinge)),
                row(Rule::Alike(Alike { arm: 2.0 })),
            ],
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        }];
        assert_eq!(joints(&world, &state)[0].force, Vec2::zeros());

        // The residual leads from the second body to the first, so that a force against it
        // pulls the first one back. The angle of the second grows with the other residual.
        state.memory.multipliers = vec![Vec2::new(3.0, -4.0), Vec2::new(5.0, 0.0)];
        let [joint] = joints(&world, &state)[..] else {
            panic!("one joint")
        };
        assert!(
            (joint.force - Vec2::new(-3.0, 4.0)).norm() < 1e-12,
            "{joint:?}"
        );
        let moment = joint.moment.unwrap();
        assert!((moment.about - Vec2::new(0.5, 0.0)).norm() < 1e-12);
        assert!((moment.moment - 10.0).abs() < 1e-12, "{joint:?}");
    }
}
