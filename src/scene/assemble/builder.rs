//! The parts of a world while bodies are added.

use super::elements::Elements;
use super::setup::Setup;
use crate::body::{Body, Coordinates, Load, Prescribed};
use crate::contact::{Disk, HalfPlane, Surface, rest_gaps};
use crate::energy::{Energy, Orthogonality, Summed};
use crate::math::Vec2;
use crate::scene::problem::Problem;
use crate::scene::schema::{self, Kind, Scene};
use crate::solve::{Model, Settings};
use crate::time::integrator::ImplicitEuler;
use crate::time::{LagSettings, Loading, State, World};

/// The parts of a world while bodies are added.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) bodies: Vec<Body>,
    pub(super) coordinates: Coordinates,
    /// Of every vertex: its position at rest, its contact length times thickness, its circle's radius.
    pub(super) rest: Vec<Vec2>,
    pub(super) weight: Vec<f64>,
    pub(super) radius: Vec<f64>,
    /// Of every node: coordinates, velocities, mass.
    pub(super) q: Vec<Vec2>,
    pub(super) q_dot: Vec<Vec2>,
    pub(super) mass: Vec<Vec2>,
    /// Constant forces on nodes.
    pub(super) loads: Vec<Load>,
    pub(super) edges: Vec<[usize; 2]>,
    pub(super) isolated: Vec<usize>,
    pub(super) disks: Vec<Disk>,
    pub(super) planes: Vec<HalfPlane>,
    /// Of every body: whether its edges enclose an area, and its group.
    pub(super) filled: Vec<bool>,
    pub(super) groups: Vec<Option<String>>,
    /// Bodies that cannot touch themselves.
    pub(super) rigid: Vec<usize>,
    pub(super) prescribed: Vec<Prescribed>,
    pub(super) problems: Vec<Problem>,
    pub(super) elements: Elements,
    pub(super) orthogonality: Summed<Orthogonality, 2>,
}

impl Builder {
    pub(super) fn add_body(&mut self, index: usize, body: &schema::Body, scene: &Scene) {
        let Some(material) = scene.materials.get(&body.material) else {
            return;
        };
        match body.kind {
            Kind::Deformable | Kind::Polynomial(_) | Kind::Modal(_) => {
                self.add_deformable(index, body, material, scene);
            }
            Kind::Rigid => self.add_rigid(body, material.density, scene),
            Kind::Affine(affine) => {
                self.add_affine(body, material.density, affine.stiffness, scene);
            }
        }
    }

    pub(super) fn add_load(&mut self, node: usize, force: Vec2) {
        if force != Vec2::zeros() {
            self.loads.push(Load::constant(node, force));
        }
    }

    pub(super) fn finish(mut self, mut scene: Scene) -> Setup {
        let state = State::new(&self.coordinates, self.q.clone(), self.q_dot.clone());
        let numbers = self.derive(&mut scene, &state.x);
        let surface = self.surface(&scene, numbers.d_hat.value);
        let self_d_hat = rest_gaps(&surface, &self.rest, self.bodies.len());
        let particular = self.particular(&scene, &self_d_hat, surface.d_hat);
        let (eps_v, tolerance) = (numbers.eps_v.value, numbers.tolerance.value);
        let own = self.own_energies();
        let world = World {
            barrier: numbers.barrier(&scene),
            friction: self.friction(&scene),
            model: Model {
                energies: self.elements.sums.into_energies(),
                own,
                surface: Surface {
                    self_d_hat,
                    ..surface
                },
                mass: self.mass,
                coordinates: self.coordinates,
            },
            bodies: self.bodies,
            rest: self.rest,
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

    pub(super) fn own_energies(&mut self) -> Vec<Box<dyn Energy>> {
        let orthogonality: Box<dyn Energy> = Box::new(std::mem::take(&mut self.orthogonality));
        std::iter::once(orthogonality)
            .filter(|energy| energy.element_count() > 0)
            .collect()
    }
}
