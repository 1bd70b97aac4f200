//! From the lists of a [`Builder`] to the world and its first state.

use super::builder::Builder;
use super::setup::Setup;
use crate::contact::{Surface, rest_gaps};
use crate::energy::Energy;
use crate::math::Vec2;
use crate::scene::schema::Scene;
use crate::solve::{Model, Settings};
use crate::time::integrator::ImplicitEuler;
use crate::time::{Lagging, Loading, State, World};

impl Builder {
    /// The world of everything that was added, with its state at time 0.
    ///
    /// Numbers that `scene` leaves out are derived and written into it. Paths of the bodies are
    /// left to the caller, who knows the scene as written.
    pub(super) fn finish(mut self, mut scene: Scene) -> Setup {
        let q = self.nodes.iter().map(|node| node.q).collect();
        let q_dot = self.nodes.iter().map(|node| node.q_dot).collect();
        let rest: Vec<Vec2> = self.vertices.iter().map(|vertex| vertex.rest).collect();
        let state = State::new(&self.coordinates, q, q_dot);

        // Numbers that the scene leaves out, and what depends on them.
        let numbers = self.derive(&mut scene, &state.x);
        let surface = self.surface(&scene, numbers.d_hat.value);
        let self_d_hat = rest_gaps(&surface, &rest, self.bodies.len());
        let particular = self.particular(&scene, &self_d_hat, surface.d_hat);
        let tolerance = numbers.tolerance.value;
        let own = self.own_energies();
        let joints = self.joints(&scene, &state.x);

        // The lists become the world.
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
            eps_v: numbers.eps_v.value,
            lagging: lagging(&scene, tolerance),
            prescribed: self.prescribed,
            h: scene.time.step,
            newton: newton_settings(&scene, tolerance, numbers.imbalance.value),
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

    /// Energies of coordinates instead of positions: that of affine bodies, if there are any.
    pub(super) fn own_energies(&mut self) -> Vec<Box<dyn Energy>> {
        let orthogonality = std::mem::take(&mut self.orthogonality);
        if orthogonality.element_count() == 0 {
            return Vec::new();
        }
        vec![Box::new(orthogonality)]
    }
}

/// How friction follows the motion; solves of lagged friction end at the speed `tolerance` (m/s).
fn lagging(scene: &Scene, tolerance: f64) -> Lagging {
    match scene.contact.friction.lag_iterations {
        None => Lagging::Follow,
        Some(most) => Lagging::Solves { most, tolerance },
    }
}

/// Settings of Newton's method, which stops at the speed `tolerance` and this `imbalance` (m/s).
fn newton_settings(scene: &Scene, tolerance: f64, imbalance: f64) -> Settings {
    Settings {
        tolerance,
        imbalance,
        max_iterations: scene.solver.max_iterations,
        linear: scene.solver.linear,
    }
}
