//! The parts of a world while bodies are added.

use super::elements::Elements;
use super::setup::Setup;
use crate::body::{Body, Coordinates, Load, Prescribed};
use crate::contact::{Disk, HalfPlane, Surface, rest_gaps};
use crate::energy::{Energy, Orthogonality, Summed};
use crate::math::Vec2;
use crate::scene::problem::Problem;
use crate::scene::schema::Scene;
use crate::solve::{Model, Settings};
use crate::time::integrator::ImplicitEuler;
use crate::time::{LagSettings, Loading, State, World};

/// A vertex of the world.
#[derive(Clone, Copy)]
pub(in crate::scene) struct Vertex {
    /// Position at rest (m).
    pub rest: Vec2,
    /// Length of boundary that belongs to the vertex, times thickness (m^2).
    pub weight: f64,
    /// Radius of the circle whose centre the vertex is (m), or 0.
    pub radius: f64,
}

impl Vertex {
    /// A vertex that is no part of the surface.
    pub(super) fn without_contact(rest: Vec2) -> Self {
        Self {
            rest,
            weight: 0.0,
            radius: 0.0,
        }
    }
}

/// Two coordinates of the world.
#[derive(Clone, Copy)]
pub(in crate::scene) struct Node {
    /// Coordinates at the start.
    pub q: Vec2,
    /// Velocities at the start.
    pub q_dot: Vec2,
    /// Masses; 0 for obstacles.
    pub mass: Vec2,
}

impl Node {
    /// Coordinates of an obstacle.
    pub(super) fn driven(q: Vec2) -> Self {
        Self {
            q,
            q_dot: Vec2::zeros(),
            mass: Vec2::zeros(),
        }
    }
}

/// The parts of a world while bodies are added.
#[derive(Default)]
pub(in crate::scene) struct Builder {
    /// Bodies and obstacles.
    pub bodies: Vec<Body>,
    pub coordinates: Coordinates,
    pub vertices: Vec<Vertex>,
    pub nodes: Vec<Node>,
    /// Constant forces on nodes.
    pub loads: Vec<Load>,
    /// Edges of the surface; a point without an edge is an edge from itself to itself.
    pub edges: Vec<[usize; 2]>,
    /// Vertices that collide without an edge.
    pub isolated: Vec<usize>,
    pub disks: Vec<Disk>,
    pub planes: Vec<HalfPlane>,
    /// For each body, true if its edges enclose an area.
    pub filled: Vec<bool>,
    /// For each body its group.
    pub groups: Vec<Option<String>>,
    /// Bodies that cannot touch themselves.
    pub rigid: Vec<usize>,
    pub prescribed: Vec<Prescribed>,
    pub problems: Vec<Problem>,
    pub elements: Elements,
    pub orthogonality: Summed<Orthogonality, 2>,
}

impl Builder {
    /// Adds a constant force to a node.
    pub(in crate::scene) fn add_load(&mut self, node: usize, force: Vec2) {
        if force != Vec2::zeros() {
            self.loads.push(Load::constant(node, force));
        }
    }

    /// The world of everything that was added.
    pub(super) fn finish(mut self, mut scene: Scene) -> Setup {
        let q = self.nodes.iter().map(|node| node.q).collect();
        let q_dot = self.nodes.iter().map(|node| node.q_dot).collect();
        let rest: Vec<Vec2> = self.vertices.iter().map(|vertex| vertex.rest).collect();
        let state = State::new(&self.coordinates, q, q_dot);

        let numbers = self.derive(&mut scene, &state.x);
        let surface = self.surface(&scene, numbers.d_hat.value);
        let self_d_hat = rest_gaps(&surface, &rest, self.bodies.len());
        let particular = self.particular(&scene, &self_d_hat, surface.d_hat);
        let (eps_v, tolerance) = (numbers.eps_v.value, numbers.tolerance.value);
        let own = self.own_energies();
        let joints = self.joints(&scene, &state.x);

        let world = World {
            barrier: numbers.barrier(&scene),
            friction: self.friction(&scene),
            model: Model {
                energies: self.elements.sums.into_energies(),
                own,
                joints,
                surface: Surface {
                    self_d_hat,
                    ..surface
                },
                mass: self.nodes.iter().map(|node| node.mass).collect(),
                coordinates: self.coordinates,
            },
            bodies: self.bodies,
            rest,
            triangles: self.elements.triangles,
            springs: self.elements.springs,
            loading: Loading {
                gravity: scene.gravity.into(),
                loads: self.loads,
            },
            integrator: Box::new(ImplicitEuler),
            eps_v,
            lag: LagSettings {
                iterations: scene.contact.friction.lag_iterations,
                tolerance,
            },
            prescribed: self.prescribed,
            h: scene.time.step,
            newton: Settings {
                tolerance,
                max_iterations: scene.solver.max_iterations,
                linear: scene.solver.linear,
            },
        };
        let derived = numbers.list().into_iter().chain(particular).collect();
        Setup {
            scene,
            world,
            state,
            derived,
            paths: Vec::new(),
        }
    }

    /// Energies of coordinates, in place of positions.
    pub(super) fn own_energies(&mut self) -> Vec<Box<dyn Energy>> {
        let orthogonality: Box<dyn Energy> = Box::new(std::mem::take(&mut self.orthogonality));
        std::iter::once(orthogonality)
            .filter(|energy| energy.element_count() > 0)
            .collect()
    }
}
