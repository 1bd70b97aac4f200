//! The parts of a world while bodies are added.
//!
//! A builder holds one growing list per kind of part. Three numberings run through them:
//!
//! - vertices, which collide and are drawn;
//! - nodes, pairs of coordinates that Newton's method solves for: a vertex of a deformable body,
//!   the centre of a rigid body, its angle (with a second component that is always 0);
//! - bodies, obstacles included.
//!
//! A body owns a range of vertices and a range of nodes. Whatever adds a body appends to all lists
//! that concern it, and pushes the body last. `finish.rs` derives the numbers that the scene
//! leaves out, which needs all bodies, and hands the lists to the world.

use super::elements::BodyElements;
use super::new_rod::NewRod;
use super::resizing::Resizing;
use crate::problem::Problem;
use ipcsim_contact::{Disk, HalfPlane, Place};
use ipcsim_core::body::{Applied, Body, Coordinates, Load, Prescribed};
use ipcsim_core::constraint::Joint;
use ipcsim_core::time::{Pneumatics, Preload};
use ipcsim_energy::{Orthogonality, Summed};
use ipcsim_math::Vec2;
use std::collections::BTreeMap;
use std::ops::Range;

/// A vertex of the world, as far as it does not change in a run.
#[derive(Clone, Copy)]
pub(crate) struct Vertex {
    /// Position at rest (m).
    pub rest: Vec2,
    /// Length of boundary that belongs to the vertex, times thickness (m^2).
    pub weight: f64,
    /// Radius of the circle whose centre the vertex is (m), or 0.
    pub radius: f64,
}

impl Vertex {
    /// A vertex that is no part of the surface, at its position at rest (m).
    pub(super) fn without_contact(rest: Vec2) -> Self {
        Self {
            rest,
            weight: 0.0,
            radius: 0.0,
        }
    }
}

/// Two coordinates of the world, with their velocities and masses.
///
/// Units depend on the body: m, m/s and kg for positions; rad, rad/s and kg m^2 for an angle.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    /// Coordinates at the start.
    pub q: Vec2,
    /// Velocities of the coordinates at the start.
    pub q_dot: Vec2,
    /// Masses of the two components; 0 for obstacles.
    pub mass: Vec2,
}

impl Node {
    /// Coordinates `q` of an obstacle, which has no mass and follows its script.
    pub(super) fn driven(q: Vec2) -> Self {
        Self {
            q,
            q_dot: Vec2::zeros(),
            mass: Vec2::zeros(),
        }
    }
}

/// An affine body whose stiffness the scene leaves out.
#[derive(Clone, Copy)]
pub(crate) struct WithoutStiffness {
    /// Number of the body.
    pub body: usize,
    /// Number of its element in [`Builder::orthogonality`].
    pub element: usize,
}

/// The parts of a world while bodies are added.
#[derive(Default)]
pub(crate) struct Builder {
    /// Bodies in the order of the scene, then obstacles, `[bodies]`.
    pub bodies: Vec<Body>,
    /// Map from coordinates to positions, body by body.
    pub coordinates: Coordinates,
    /// Rest positions, contact areas and radii, `[vertices]`.
    pub vertices: Vec<Vertex>,
    /// Coordinates at the start with their masses, `[nodes]`.
    pub nodes: Vec<Node>,
    /// Constant forces on nodes.
    pub loads: Vec<Load>,
    /// Loads on points, edges and vertices of bodies.
    pub applied: Vec<Applied>,
    /// Gas in closed chambers.
    pub gas: Pneumatics,
    /// Sections at which bodies are tightened.
    pub preloads: Vec<Preload>,
    /// Largest force (N) and torque (N m) of these loads on each body, by its number.
    pub load_peaks: BTreeMap<usize, [f64; 2]>,
    /// Joints, in the order of the scene.
    pub joints: Vec<Joint>,
    /// Edges of the surface; a point without an edge is an edge from itself to itself.
    pub edges: Vec<[usize; 2]>,
    /// Vertices that collide without an edge.
    pub isolated: Vec<usize>,
    /// Circles that collide, by ascending centre.
    pub disks: Vec<Disk>,
    /// Half-planes that collide, in the order of the obstacles.
    pub planes: Vec<HalfPlane>,
    /// True for each body whose edges enclose an area, `[bodies]`.
    pub filled: Vec<bool>,
    /// Group of each body, if it has one, `[bodies]`.
    pub groups: Vec<Option<String>>,
    /// Numbers of bodies that move as a whole and cannot touch themselves.
    pub rigid: Vec<usize>,
    /// Nodes whose motion is prescribed, or that are held.
    pub prescribed: Vec<Prescribed>,
    /// Problems that show in the built meshes, with the paths of the scene.
    pub problems: Vec<Problem>,
    /// Rods, by ascending body.
    pub rods: Vec<NewRod>,
    /// Elastic triangles, springs and segments of all bodies.
    pub elements: BodyElements,
    /// Energies that keep affine bodies close to a rotation, on pairs of nodes.
    pub orthogonality: Summed<Orthogonality, 2>,
    /// Masses of reduced bodies (kg) by number. Their nodes, which are amplitudes, do not tell
    /// them.
    pub reduced_mass: BTreeMap<usize, f64>,
    /// Sizes of bodies that start with another one than drawn, by name.
    pub sizes: BTreeMap<String, Resizing>,
    /// Place of each vertex of a scene that repeats, `[vertices]`, or none.
    pub places: Vec<Place>,
    /// Original of each image of a scene that repeats, `[vertices]`, or none.
    pub originals: Vec<Option<usize>>,
    /// Images of vertices along rods that go on across a period, by the number of the body, each with its
    /// length along the rod (m).
    pub beyond: BTreeMap<usize, Vec<(usize, f64)>>,
    /// True if rods share vertices, in a scene that repeats.
    pub frames: bool,
    /// Affine bodies whose stiffness the scene leaves out. Their energies have one of 1 Pa so far.
    pub without_stiffness: Vec<WithoutStiffness>,
}

impl Builder {
    /// Number of the body of each vertex, `[vertices]`.
    pub(super) fn owners(&self) -> Vec<usize> {
        let mut owners = vec![0; self.vertices.len()];
        for (k, body) in self.bodies.iter().enumerate() {
            owners[body.vertices.clone()].fill(k);
        }

        // Images are of the bodies of their originals.
        for (vertex, of) in self.originals.iter().enumerate() {
            if let Some(of) = of {
                owners[vertex] = owners[*of];
            }
        }
        owners
    }

    /// Adds a constant force to a node (N; N m for an angle). A force of zero adds nothing.
    pub(crate) fn add_load(&mut self, node: usize, force: Vec2) {
        if force != Vec2::zeros() {
            self.loads.push(Load::constant(node, force));
        }
    }

    /// Makes nodes resist their velocities at these rates (1/s). A rate of zero adds nothing.
    pub(crate) fn damp<const N: usize>(&mut self, nodes: Range<usize>, rates: [f64; N]) {
        for (node, rate) in nodes.zip(rates).filter(|(_, rate)| *rate > 0.0) {
            let resistance = rate * self.nodes[node].mass.x;
            self.elements.elastic.dampers.nodes.push((node, resistance));
        }
    }
}
