//! Gravity and other forces, evaluated at a time.
//!
//! Forces on components that have mass become accelerations, which inertia carries: they move the
//! predicted place of a stage. Forces on components without mass enter the potential as linear
//! terms. Forces that depend on positions, such as a pressure that follows edges, are energies of
//! the stage ([`Loading::following`]).
//!
//! Constant forces enter the predicted place and not the potential. As potentials they would grow
//! with the distance from the origin and hide other energies in rounding.

use super::chambers::Pneumatics;
use super::parameters::Parameters;
use super::state::State;
use crate::body::{Action, Applied, Grip, Load, Pressing};
use crate::solve::Model;
use ipcsim_energy::{Arm, Couple, Following, Lever, Pressed, PressedRing, Thrust};
use ipcsim_math::{Mat2, Vec2, perp};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Gravity and the forces on nodes, as functions of time.
#[derive(Debug, Default)]
pub struct Loading {
    /// Gravity (m/s^2), the same everywhere.
    pub gravity: Vec2,
    /// Forces on nodes other than gravity.
    pub loads: Vec<Load>,
    /// Loads of the scene on points, edges and vertices of bodies.
    pub applied: Vec<Applied>,
    /// Gas in closed chambers.
    pub gas: Pneumatics,
}

/// Gravity and other forces at one time, split by the part of a stage that carries them.
#[derive(Clone, Debug, PartialEq)]
pub struct Loads {
    /// Acceleration of each node by forces on components that have mass (m/s^2; of angles rad/s^2),
    /// `[nodes]`.
    pub acceleration: Vec<Vec2>,
    /// Forces on components without mass (N; on angles N m), `[nodes]`; empty if there are none.
    pub massless: Vec<Vec2>,
}

impl Loading {
    /// True if the scene has no force but gravity at any time.
    pub fn is_weight_alone(&self) -> bool {
        self.loads.is_empty() && self.applied.is_empty()
    }

    /// Generalized forces other than gravity at time `t` (N; on angles N m), `[nodes]`, with the
    /// parameters that are `set`; empty if there are none.
    pub fn forces(&self, set: &Parameters, nodes: usize, t: f64) -> Vec<Vec2> {
        if self.is_weight_alone() && set.pushes().is_empty() {
            return Vec::new();
        }

        // Several loads may act on the same node.
        let mut forces = set.pushes().to_vec();
        forces.resize(nodes, Vec2::zeros());
        for load in &self.loads {
            forces[load.node] += load.force.at(t);
        }
        for (load, applied) in self.applied.iter().enumerate() {
            applied.add_forces(t, set.factor(load), &mut forces);
        }
        forces
    }

    /// Energies of the forces that depend on positions, at the time `t` (s) after the state `from`, for a
    /// stage that begins at the positions `x` (m, `[vertices]`).
    pub fn following(&self, from: &State, x: &[Vec2], t: f64) -> Following {
        let set = &from.parameters;
        let mut following = Following {
            chambers: self.gas.gases(from, x, t),
            ..Following::default()
        };
        for hold in set.hands() {
            following.hands.push(&hold.arms, hold.spring());
        }
        for (load, applied) in self.applied.iter().enumerate() {
            let factor = set.factor(load);
            match &applied.action {
                Action::Spread(spread) => {
                    if let Some((frame, pull)) = spread.lever(t) {
                        let start = x[frame.ends[1]] - x[frame.ends[0]];
                        let pull = pull * factor;
                        let lever = Lever { pull, start, load };
                        following.levers.push(frame.ends, lever);
                    }
                }
                Action::Pressing(pressing) => {
                    if !pressing.rings.is_empty() {
                        press_rings(pressing, [t, factor], load, x, &mut following);
                        continue;
                    }
                    let halves = pressing.halves(t).map(|half| half * factor);
                    press(pressing, halves, load, x, &mut following);
                }
                Action::Turning(turning) => {
                    if let Grip::Vertices(arms) = &turning.grip {
                        let torque = turning.torque.at(Vec2::zeros(), t) * factor;
                        let arms = arms
                            .iter()
                            .map(|&(vertex, weighted)| Arm { vertex, weighted });
                        let couple = Couple::of(arms.collect(), torque, x, load);
                        following.couples.list.push(couple);
                    }
                }
            }
        }
        following
    }

    /// Accelerations and massless forces of a model at time `t` (s), with the parameters that are
    /// `set`.
    pub fn at(&self, set: &Parameters, model: &Model, t: f64) -> Loads {
        let nodes = model.mass.len();
        let forces = self.forces(set, nodes, t);
        let gravity = set.gravity(self.gravity);
        let mut massless = Vec::new();
        let mut acceleration = vec![Vec2::zeros(); nodes];

        for (node, a) in acceleration.iter_mut().enumerate() {
            let mass = model.mass[node];
            if mass.min() > 0.0 {
                *a = model.coordinates.lift(node) * gravity;
            }

            // Inertia carries a force on a component that has mass.
            let Some(force) = forces.get(node) else {
                continue;
            };
            for axis in 0..2 {
                if mass[axis] > 0.0 {
                    a[axis] += force[axis] / mass[axis];
                } else if force[axis] != 0.0 {
                    massless.resize(nodes, Vec2::zeros());
                    massless[node][axis] = force[axis];
                }
            }
        }

        Loads {
            acceleration,
            massless,
        }
    }
}

/// Adds the energies of a pressure that follows edges, given half of the force per length on each
/// (N/m).
///
/// Both halves of an edge feel the same force. The energies of edges give that where the pressure
/// is the same on both sides of a vertex. Where it changes, as at the end of the edges, a vertex at
/// `x` lacks `(p_in - p_out) w/2 perp(x - o)`, which is taken at the positions that are given.
fn press(
    pressing: &Pressing,
    halves: impl Iterator<Item = f64>,
    load: usize,
    x: &[Vec2],
    following: &mut Following,
) {
    let Some(first) = pressing.edges.first() else {
        return;
    };
    let origin = x[first.ends[0]];

    // Edges, and at each vertex the pressure before it less that after it.
    let mut changes: BTreeMap<usize, f64> = BTreeMap::new();
    for (edge, half) in pressing.edges.iter().zip(halves) {
        let [a, b] = edge.ends;
        let start = [x[a], x[b]];
        *changes.entry(a).or_default() -= half;
        *changes.entry(b).or_default() += half;
        let pressed = Pressed {
            half,
            origin,
            start,
            load,
        };
        following.pressed.push(edge.ends, pressed);
    }

    add_thrusts(&changes, load, x, following, |start, change| {
        let slope = Mat2::new(0.0, -change, change, 0.0);
        (perp(start - origin) * change, slope)
    });
}

/// Adds the energies of a pressure on sides of a body of revolution, at the time `t` (s) and times a
/// `factor`.
///
/// Where the pressure changes from side to side, a vertex at the radius `r` lacks the force
/// `(p_before - p_after) pi r^2` along the axis, which is taken at the positions that are given; on the
/// axis it lacks none.
fn press_rings(
    pressing: &Pressing,
    [t, factor]: [f64; 2],
    load: usize,
    x: &[Vec2],
    following: &mut Following,
) {
    let mut changes: BTreeMap<usize, f64> = BTreeMap::new();
    for (nodes, middle) in &pressing.rings {
        let pressure = pressing.pressure.at(*middle, t) * factor;
        if let [a, b] = nodes[..] {
            let start = [x[a], x[b]];
            let ring = PressedRing {
                pressure,
                start,
                load,
            };
            following.rings.push([a, b], ring);
        } else if let [a, middle, b] = nodes[..] {
            let start = [x[a], x[middle], x[b]];
            let ring = PressedRing {
                pressure,
                start,
                load,
            };
            following.curved_rings.push([a, middle, b], ring);
        }
        if let (Some(&first), Some(&last)) = (nodes.first(), nodes.last()) {
            *changes.entry(first).or_default() -= pressure;
            *changes.entry(last).or_default() += pressure;
        }
    }

    add_thrusts(&changes, load, x, following, |start, change| {
        let slope = Mat2::new(0.0, 0.0, change * 2.0 * PI * start.x, 0.0);
        (Vec2::new(0.0, change * PI * start.x * start.x), slope)
    });
}

/// Adds the forces that vertices at `x` (m) lack where a pressure changes. `of` makes the force (N) and its derivative
/// by the place (N/m) of a place (m) and a change.
fn add_thrusts(
    changes: &BTreeMap<usize, f64>,
    load: usize,
    x: &[Vec2],
    following: &mut Following,
    of: impl Fn(Vec2, f64) -> (Vec2, Mat2),
) {
    let changed = changes.iter().filter(|(_, change)| **change != 0.0);
    for (&vertex, &change) in changed {
        let start = x[vertex];
        let (force, slope) = of(start, change);
        let thrust = Thrust {
            force,
            start,
            slope,
            load,
        };
        following.thrusts.push([vertex], thrust);
    }
}
