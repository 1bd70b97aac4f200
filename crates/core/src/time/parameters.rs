//! Parameters that change between steps: gravity, forces, loads, friction, places of scripts.
//!
//! A world does not change. Changes by a scene or a program between two steps are part of the
//! state, in [`Parameters`], in addition to the world's values: checkpoints and hashes hold it, and
//! a resumed run needs nothing else. A [`Change`] sets one of them, and is idempotent: a step that
//! is repeated begins with the same parameters.
//!
//! Numbers that were derived from the scene, such as the reach and stiffness of contact, stay as they
//! are: they are made for the forces of the scene.

use crate::body::{Coordinates, Pose};
use crate::constraint::{Joint, RowDrive, driven};
use ipcsim_contact::{Coefficients, FrictionTable};
use ipcsim_energy::HandSpring;
use ipcsim_math::{Mat2, Vec2};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// A parameter that is set between two steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Gravity (m/s^2).
    Gravity(Vec2),
    /// Forces on the nodes of a body (N; on angles N m), in place of those set before.
    Push {
        /// Nodes of the body.
        nodes: Range<usize>,
        /// Force on each of them.
        forces: Vec<Vec2>,
    },
    /// Factor (1) of the load with this number.
    Factor {
        /// Number of the load in the world.
        load: usize,
        /// Factor of all its forces.
        factor: f64,
    },
    /// Coefficients of friction of a pair of bodies.
    Friction {
        /// Numbers of the bodies.
        pair: [usize; 2],
        /// Its coefficients.
        coefficients: Coefficients,
    },
    /// Numbers of motors, brakes and springs in joints, in place of the scene's.
    Drive {
        /// Numbers of rows among those of all joints, with what is set of them.
        rows: Vec<(usize, RowDrive)>,
    },
    /// Pose of prescribed nodes in addition to their script.
    Shift {
        /// Numbers of the entries among the prescribed nodes of the world.
        prescribed: Vec<usize>,
        /// Displacement, and rotation about the origin of the script.
        pose: Pose,
    },
    /// A hand that holds a body from now on, or lets go of it.
    Hand {
        /// Name of the hand.
        name: String,
        /// What it holds.
        hold: Option<Grasp>,
    },
}

/// A point of a body, held by a spring to a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grasp {
    /// Vertices that the point follows, one to three, with their maps (1).
    pub arms: Vec<(usize, Mat2)>,
    /// Offset of the point from the sum of its vertices (m).
    pub offset: Vec2,
    /// Place to which the spring pulls (m).
    pub to: Vec2,
    /// Stiffness (N/m).
    pub stiffness: f64,
    /// Largest force (N); without one any force.
    pub most: Option<f64>,
}

impl Grasp {
    /// The spring.
    pub fn spring(&self) -> HandSpring {
        HandSpring {
            offset: self.offset,
            to: self.to,
            stiffness: self.stiffness,
            most: self.most.unwrap_or(f64::INFINITY),
        }
    }

    /// Position of the point (m), where the vertices are at `x` (m).
    pub fn point(&self, x: &[Vec2]) -> Vec2 {
        let arms = self.arms.iter();
        arms.fold(self.offset, |sum, &(vertex, map)| sum + map * x[vertex])
    }

    /// Force on the body (N), where the vertices are at `x` (m).
    pub fn force(&self, x: &[Vec2]) -> Vec2 {
        -self.spring().slope(self.point(x) - self.to)
    }

    /// All numbers, in a fixed order.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let maps = self.arms.iter().flat_map(|(_, map)| map.iter().copied());
        let places = [self.offset, self.to].map(|v| [v.x, v.y]);
        let places = places.into_iter().flatten();
        maps.chain(places).chain([self.stiffness]).chain(self.most)
    }
}

/// Parameters that were set, where they differ from the world's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// Gravity (m/s^2); the world's if `None`.
    gravity: Option<Vec2>,
    /// Forces on nodes in addition to the world's (N; on angles N m), `[nodes]` or fewer.
    pushes: Vec<Vec2>,
    /// Factors (1) of loads by their numbers.
    factors: BTreeMap<usize, f64>,
    /// Coefficients of friction of pairs of bodies.
    friction: BTreeMap<[usize; 2], Coefficients>,
    /// Poses in addition to scripts, by the number of the prescribed node.
    shifts: BTreeMap<usize, Pose>,
    /// Numbers of motors, brakes and springs, by the number of the row among those of all joints.
    drives: BTreeMap<usize, RowDrive>,
    /// What hands hold, by their names.
    hands: BTreeMap<String, Grasp>,
}

impl Parameters {
    /// Applies a change.
    pub fn set(&mut self, change: &Change) {
        match change {
            Change::Gravity(gravity) => self.gravity = Some(*gravity),
            Change::Push { nodes, forces } => {
                let count = self.pushes.len().max(nodes.end);
                self.pushes.resize(count, Vec2::zeros());
                self.pushes[nodes.clone()].copy_from_slice(forces);
            }
            Change::Factor { load, factor } => {
                self.factors.insert(*load, *factor);
            }
            Change::Friction { pair, coefficients } => {
                self.friction.insert(*pair, *coefficients);
            }
            Change::Drive { rows } => {
                for (row, drive) in rows {
                    self.drives.entry(*row).or_default().set(drive);
                }
            }
            Change::Shift { prescribed, pose } => {
                for &entry in prescribed {
                    self.shifts.insert(entry, *pose);
                }
            }
            Change::Hand { name, hold } => {
                match hold {
                    Some(hold) => self.hands.insert(name.clone(), hold.clone()),
                    None => self.hands.remove(name),
                };
            }
        }
    }

    /// True if these can be parameters of a world with these coordinates.
    pub fn fits(&self, coordinates: &Coordinates) -> bool {
        let mut arms = self.hands.values().flat_map(|hold| &hold.arms);
        let are_held = arms.all(|&(vertex, _)| vertex < coordinates.vertices());

        // Forces on nodes, and numbers.
        let are_pushed = self.pushes.len() <= coordinates.nodes();
        are_held && are_pushed && self.numbers().all(f64::is_finite)
    }

    /// All numbers, in a fixed order.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let gravity = self.gravity.iter().chain(&self.pushes);
        let shifts = self.shifts.values().map(|pose| pose.displacement);
        let vectors = gravity.copied().chain(shifts).flat_map(|v| [v.x, v.y]);
        let angles = self.shifts.values().map(|pose| pose.angle);
        let friction = self.friction.values();
        let friction = friction.flat_map(|pair| [pair.sticking, pair.sliding, pair.rolling]);
        let drives = self.drives.values().flat_map(RowDrive::numbers);
        vectors
            .chain(angles)
            .chain(self.factors.values().copied())
            .chain(friction)
            .chain(drives.map(|(_, number)| number))
            .chain(self.hands.values().flat_map(Grasp::numbers))
    }

    /// Every bit as 64-bit words; empty if nothing was set.
    pub(super) fn words(&self) -> Vec<u64> {
        let pairs = self.friction.keys().flatten();
        let keys = self.factors.keys().chain(self.shifts.keys()).chain(pairs);
        let driven = self.drives.iter().flat_map(|(row, drive)| {
            let kinds = drive.numbers().map(|(kind, _)| kind as u64);
            std::iter::once(*row as u64).chain(kinds)
        });
        // Names by their bytes; what each has of arms and numbers follows from its own words.
        let held = self.hands.iter().flat_map(|(name, hold)| {
            let arms = hold.arms.iter().map(|&(vertex, _)| vertex as u64);
            let has = [name.len() as u64, hold.most.is_some().into()];
            let letters = name.bytes().map(u64::from);
            has.into_iter().chain(letters).chain(arms)
        });
        let keys = keys.map(|&key| key as u64).chain(driven).chain(held);
        keys.chain(self.numbers().map(f64::to_bits)).collect()
    }

    /// Gravity (m/s^2), given the gravity of the world.
    pub fn gravity(&self, of_world: Vec2) -> Vec2 {
        self.gravity.unwrap_or(of_world)
    }

    /// Forces on nodes in addition to the world's (N; on angles N m), `[nodes]` or fewer.
    pub fn pushes(&self) -> &[Vec2] {
        &self.pushes
    }

    /// Factor (1) of the load with this number.
    pub fn factor(&self, load: usize) -> f64 {
        self.factors.get(&load).copied().unwrap_or(1.0)
    }

    /// Pose in addition to its script of the prescribed node with this number.
    pub fn shift(&self, prescribed: usize) -> Pose {
        let none = Pose::default();
        self.shifts.get(&prescribed).copied().unwrap_or(none)
    }

    /// What hands hold, in the order of their names.
    pub fn hands(&self) -> impl Iterator<Item = &Grasp> {
        self.hands.values()
    }

    /// Joints with the numbers that were set, given the joints of the world.
    pub fn joints<'a>(&self, of_world: &'a [Joint]) -> Cow<'a, [Joint]> {
        driven(of_world, &self.drives)
    }

    /// Enters the coefficients that were set into a table of friction.
    pub fn rub(&self, table: &mut FrictionTable) {
        for (&[a, b], &coefficients) in &self.friction {
            table.set(a, b, coefficients);
        }
    }

    /// True if friction is as the world has it.
    pub fn keep_friction(&self) -> bool {
        self.friction.is_empty()
    }
}
