//! From a scene to the world it describes.

mod contact;
mod deformable;
mod derive;
mod rigid;
mod shape;

use super::parse::SceneError;
use super::preflight::{Assembled, assemble};
use super::problem::Problem;
use super::schema::{self, Kind, Scene};
use crate::body::{Body, Coordinates, Prescribed};
use crate::contact::{Disk, HalfPlane, Surface, rest_gaps};
use crate::energy::{Energy, Orthogonality, Spring, Summed, Triangle};
use crate::material::{FixedCorotated, Linear, NeoHookean, StVenantKirchhoff};
use crate::math::Vec2;
use crate::solve::{Model, Settings};
use crate::time::{LagSettings, State, World};

pub use derive::Derived;

/// A scene ready to run.
pub struct Setup {
    /// The scene with everything filled in that was left out, and a body for each copy.
    pub scene: Scene,
    /// What does not change.
    pub world: World,
    /// The state at time 0.
    pub state: State,
    /// What was left out and what it was derived from.
    pub derived: Vec<Derived>,
    /// JSON paths in the scene as written of the world's bodies.
    pub paths: Vec<String>,
}

/// Builds the world that `scene` describes.
///
/// # Errors
/// [`SceneError::Invalid`] with all problems of the scene, among them whatever overlaps at the start.
pub fn build(scene: Scene) -> Result<Setup, SceneError> {
    let Assembled {
        setup, problems, ..
    } = assemble(scene);
    let runs = !problems.iter().any(Problem::is_error);
    setup.filter(|_| runs).ok_or(SceneError::Invalid(problems))
}

/// The world of a scene whose values are good, and the problems of its bodies by themselves.
pub(super) fn assemble_sound(scene: Scene) -> (Setup, Vec<Problem>, Vec<usize>) {
    let (scene, entries) = scene.with_copies_apart();
    let mut builder = Builder::default();
    for (&index, body) in entries.iter().zip(&scene.bodies) {
        builder.add_body(index, body, &scene);
    }
    for obstacle in &scene.obstacles {
        builder.add_obstacle(obstacle, &scene);
    }
    let problems = std::mem::take(&mut builder.problems);
    (builder.finish(scene), problems, entries)
}

/// The parts of a world while bodies are added.
#[derive(Default)]
struct Builder {
    bodies: Vec<Body>,
    coordinates: Coordinates,
    /// Of every vertex: its position at rest, its contact length times thickness, its circle's radius.
    rest: Vec<Vec2>,
    weight: Vec<f64>,
    radius: Vec<f64>,
    /// Of every node: coordinates, velocities, mass.
    q: Vec<Vec2>,
    q_dot: Vec<Vec2>,
    mass: Vec<Vec2>,
    /// Constant forces on nodes.
    load: Vec<(usize, Vec2)>,
    triangles: Vec<[usize; 3]>,
    springs: Vec<[usize; 2]>,
    edges: Vec<[usize; 2]>,
    lone: Vec<usize>,
    disks: Vec<Disk>,
    planes: Vec<HalfPlane>,
    /// Of every body: whether its edges enclose an area, and its group.
    filled: Vec<bool>,
    groups: Vec<Option<String>>,
    /// Bodies that cannot touch themselves.
    rigid: Vec<usize>,
    prescribed: Vec<Prescribed>,
    problems: Vec<Problem>,
    neo_hookean: Summed<Triangle<NeoHookean>, 3>,
    fixed_corotated: Summed<Triangle<FixedCorotated>, 3>,
    st_venant_kirchhoff: Summed<Triangle<StVenantKirchhoff>, 3>,
    linear: Summed<Triangle<Linear>, 3>,
    spring: Summed<Spring, 2>,
    orthogonality: Summed<Orthogonality, 2>,
}

/// Where a shape is put.
struct Placement {
    origin: Vec2,
    /// Turn (rad).
    angle: f64,
    cos: f64,
    sin: f64,
}

impl Placement {
    fn new(position: [f64; 2], rotation_deg: f64) -> Self {
        let angle = rotation_deg.to_radians();
        let (sin, cos) = angle.sin_cos();
        Self {
            origin: position.into(),
            angle,
            cos,
            sin,
        }
    }

    fn place(&self, a: Vec2) -> Vec2 {
        let Self { cos, sin, .. } = self;
        Vec2::new(cos * a.x - sin * a.y, sin * a.x + cos * a.y) + self.origin
    }
}

impl Builder {
    fn add_body(&mut self, index: usize, body: &schema::Body, scene: &Scene) {
        let Some(material) = scene.materials.get(&body.material) else {
            return;
        };
        match body.kind {
            Kind::Deformable | Kind::Polynomial(_) | Kind::Modal(_) => {
                self.add_deformable(index, body, material, scene);
            }
            Kind::Rigid => self.add_rigid(body, material.density, scene),
            Kind::Affine(affine) => {
                self.add_affine(body, material.density, affine.stiffness, scene)
            }
        }
    }

    fn add_load(&mut self, node: usize, force: Vec2) {
        if force != Vec2::zeros() {
            self.load.push((node, force));
        }
    }

    fn finish(mut self, mut scene: Scene) -> Setup {
        let state = State::new(&self.coordinates, 0, self.q.clone(), self.q_dot.clone());
        let numbers = self.derive(&mut scene, &state.x);
        let surface = self.surface(&scene, numbers.d_hat.value);
        let self_d_hat = rest_gaps(&surface, &self.rest, self.bodies.len());
        let particular = self.particular(&scene, &self_d_hat, surface.d_hat);
        let (eps_v, tolerance) = (numbers.eps_v.value, numbers.tolerance.value);
        let (load, acceleration) = self.forces(scene.gravity.into());
        let world = World {
            barrier: numbers.barrier(&scene),
            friction: self.friction(&scene),
            model: Model {
                energies: self.energies(),
                own: self.own_energies(),
                surface: Surface {
                    self_d_hat,
                    ..surface
                },
                mass: self.mass,
                coordinates: self.coordinates,
            },
            bodies: self.bodies,
            rest: self.rest,
            triangles: self.triangles,
            springs: self.springs,
            load,
            acceleration,
            eps_v,
            lag: LagSettings {
                iterations: scene.contact.friction.lag_iterations,
                tolerance,
            },
            gravity: scene.gravity.into(),
            prescribed: self.prescribed,
            h: scene.time.step,
            newton: Settings {
                tolerance,
                max_iterations: scene.solver.max_iterations,
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

    /// Constant forces, if there are any, and the acceleration of each node by them and by gravity.
    fn forces(&self, gravity: Vec2) -> (Vec<Vec2>, Vec<Vec2>) {
        let mut load = vec![
            Vec2::zeros();
            if self.load.is_empty() {
                0
            } else {
                self.q.len()
            }
        ];
        for &(node, force) in &self.load {
            load[node] += force;
        }
        let of = |node: usize| {
            let mass = self.mass[node];
            if mass.min() <= 0.0 {
                return Vec2::zeros();
            }
            let forced = load
                .get(node)
                .map_or(Vec2::zeros(), |force| force.component_div(&mass));
            self.coordinates.lift(node) * gravity + forced
        };
        let acceleration = (0..self.q.len()).map(of).collect();
        (load, acceleration)
    }

    fn energies(&mut self) -> Vec<Box<dyn Energy>> {
        let all: [Box<dyn Energy>; 5] = [
            Box::new(std::mem::take(&mut self.neo_hookean)),
            Box::new(std::mem::take(&mut self.fixed_corotated)),
            Box::new(std::mem::take(&mut self.st_venant_kirchhoff)),
            Box::new(std::mem::take(&mut self.linear)),
            Box::new(std::mem::take(&mut self.spring)),
        ];
        all.into_iter()
            .filter(|energy| energy.element_count() > 0)
            .collect()
    }

    fn own_energies(&mut self) -> Vec<Box<dyn Energy>> {
        let orthogonality: Box<dyn Energy> = Box::new(std::mem::take(&mut self.orthogonality));
        std::iter::once(orthogonality)
            .filter(|energy| energy.element_count() > 0)
            .collect()
    }
}
