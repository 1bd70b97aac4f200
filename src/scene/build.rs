//! From a scene to the world it describes.

use super::check::{Problem, check};
use super::overlap::overlaps;
use super::parse::SceneError;
use super::schema::{self, Law, Plane, Scene, Selection, Shape};
use crate::body::{Body, BodyKind, Motion, Prescribed, lump};
use crate::contact::barrier::Barrier;
use crate::contact::{FrictionTable, HalfPlane, Surface, rest_gaps};
use crate::energy::{Energy, Spring, Summed, Triangle};
use crate::geometry::Aabb;
use crate::material::{FixedCorotated, Lame, Linear, NeoHookean, StVenantKirchhoff};
use crate::math::Vec2;
use crate::mesh::{Mesh, boundary, generate};
use crate::solve::Settings;
use crate::time::{LagSettings, State, World};

/// A scene ready to run.
pub struct Setup {
    /// The scene with everything filled in that was left out.
    pub scene: Scene,
    /// What does not change.
    pub world: World,
    /// The state at time 0.
    pub state: State,
}

/// Builds the world that `scene` describes.
///
/// # Errors
/// [`SceneError::Invalid`] with all problems of the scene, among them whatever overlaps at the start.
pub fn build(scene: Scene) -> Result<Setup, SceneError> {
    let problems = check(&scene);
    if !problems.is_empty() {
        return Err(SceneError::Invalid(problems));
    }
    let mut builder = Builder::default();
    for (index, body) in scene.bodies.iter().enumerate() {
        builder.add_body(index, body, &scene);
    }
    for obstacle in &scene.obstacles {
        builder.add_obstacle(obstacle);
    }
    let mut problems = std::mem::take(&mut builder.problems);
    let setup = builder.finish(scene);
    problems.extend(overlaps(&setup));
    if problems.is_empty() { Ok(setup) } else { Err(SceneError::Invalid(problems)) }
}

/// The parts of a world while bodies are added.
#[derive(Default)]
struct Builder {
    bodies: Vec<Body>,
    rest: Vec<Vec2>,
    x: Vec<Vec2>,
    v: Vec<Vec2>,
    mass: Vec<f64>,
    triangles: Vec<[usize; 3]>,
    springs: Vec<[usize; 2]>,
    edges: Vec<[usize; 2]>,
    weight: Vec<f64>,
    planes: Vec<HalfPlane>,
    prescribed: Vec<Prescribed>,
    problems: Vec<Problem>,
    neo_hookean: Summed<Triangle<NeoHookean>, 3>,
    fixed_corotated: Summed<Triangle<FixedCorotated>, 3>,
    st_venant_kirchhoff: Summed<Triangle<StVenantKirchhoff>, 3>,
    linear: Summed<Triangle<Linear>, 3>,
    spring: Summed<Spring, 2>,
}

impl Builder {
    fn add_body(&mut self, index: usize, body: &schema::Body, scene: &Scene) {
        let Some(material) = scene.materials.get(&body.material) else {
            return;
        };
        let mesh = mesh(&body.shape);
        let first = self.rest.len();
        let (sin, cos) = body.rotation_deg.to_radians().sin_cos();
        let place = |a: Vec2| Vec2::new(cos * a.x - sin * a.y, sin * a.x + cos * a.y) + Vec2::from(body.position);
        let stretch = Vec2::from(body.stretch);
        self.rest.extend(mesh.vertices.iter().map(|&a| place(a)));
        self.x.extend(mesh.vertices.iter().map(|a| place(a.component_mul(&stretch))));
        self.v.extend(mesh.vertices.iter().map(|_| Vec2::from(body.velocity)));
        self.mass.extend(lump(&mesh, material.density, scene.thickness, body.lumping));
        let edges = boundary::edges(&mesh.triangles);
        let lengths = boundary::lengths(&mesh.vertices, &edges);
        self.weight.extend(lengths.iter().map(|length| length * scene.thickness));
        self.edges.extend(edges.iter().map(|edge| edge.map(|i| first + i)));
        if let Some(law) = &material.law {
            self.add_elasticity(&mesh, first, law, scene);
        }
        self.add_prescribed(index, first, body);
        let kind = if matches!(material.law, Some(Law::MassSpring(_))) { BodyKind::Springs } else { BodyKind::Solid };
        self.bodies.push(Body { name: body.name.clone(), kind, vertices: first..self.rest.len() });
    }

    fn add_elasticity(&mut self, mesh: &Mesh, first: usize, law: &Law, scene: &Scene) {
        if let Law::MassSpring(spring) = law {
            for [a, b] in mesh.springs() {
                let rest_squared = (mesh.vertices[a] - mesh.vertices[b]).norm_squared();
                let stencil = [first + a, first + b];
                self.springs.push(stencil);
                self.spring.push(stencil, Spring { stiffness: spring.stiffness * scene.thickness, rest_squared });
            }
            return;
        }
        let lame = |elastic: &schema::Elastic| match scene.plane {
            Plane::Strain => Lame::plane_strain(elastic.young, elastic.poisson),
            Plane::Stress => Lame::plane_stress(elastic.young, elastic.poisson),
        };
        for triangle in &mesh.triangles {
            let stencil = triangle.map(|i| first + i);
            let rest = triangle.map(|i| mesh.vertices[i]);
            let t = scene.thickness;
            self.triangles.push(stencil);
            match law {
                Law::NeoHookean(e) => self.neo_hookean.push(stencil, Triangle::new(NeoHookean(lame(e)), rest, t)),
                Law::FixedCorotated(e) => {
                    self.fixed_corotated.push(stencil, Triangle::new(FixedCorotated(lame(e)), rest, t));
                }
                Law::StVenantKirchhoff(e) => {
                    self.st_venant_kirchhoff.push(stencil, Triangle::new(StVenantKirchhoff(lame(e)), rest, t));
                }
                Law::Linear(e) => self.linear.push(stencil, Triangle::new(Linear(lame(e)), rest, t)),
                Law::MassSpring(_) => {}
            }
        }
    }

    fn add_prescribed(&mut self, index: usize, first: usize, body: &schema::Body) {
        let count = self.rest.len() - first;
        for (k, prescribed) in body.prescribed.iter().enumerate() {
            let path = format!("bodies[{index}].prescribed[{k}].vertices");
            let chosen: Vec<usize> = match &prescribed.vertices {
                Selection::All => (0..count).collect(),
                Selection::Indices(indices) => {
                    if let Some(too_large) = indices.iter().find(|&&i| i >= count) {
                        let message = format!("names vertex {too_large}, but there are only {count}, numbered from 0");
                        self.problems.push(Problem { path: path.clone(), message });
                    }
                    indices.iter().copied().filter(|&i| i < count).collect()
                }
                Selection::Box(bounds) => {
                    let bounds = Aabb { min: bounds.min.into(), max: bounds.max.into() };
                    (0..count).filter(|i| bounds.contains(self.x[first + i])).collect()
                }
            };
            let named = matches!(&prescribed.vertices, Selection::Indices(indices) if !indices.is_empty());
            if chosen.is_empty() && !named {
                let message = format!("selects none of the {count} vertices of \"{}\"", body.name);
                self.problems.push(Problem { path: path.clone(), message });
            }
            let motion = motion(prescribed.velocity, prescribed.travel);
            for vertex in chosen.into_iter().map(|i| first + i) {
                if self.prescribed.iter().any(|other| other.vertex >= first && other.vertex == vertex) {
                    let message = format!("vertex {} is prescribed twice", vertex - first);
                    self.problems.push(Problem { path: path.clone(), message });
                    break;
                }
                self.prescribed.push(Prescribed { vertex, start: self.x[vertex], motion });
            }
        }
    }

    fn add_obstacle(&mut self, obstacle: &schema::Obstacle) {
        let Shape::HalfPlane(plane) = obstacle.shape else { return };
        let vertex = self.rest.len();
        let origin = Vec2::from(plane.origin);
        self.rest.push(origin);
        self.x.push(origin);
        self.v.push(Vec2::zeros());
        self.mass.push(0.0);
        self.weight.push(0.0);
        self.planes.push(HalfPlane { normal: Vec2::from(plane.normal).normalize(), origin: vertex });
        self.prescribed.push(Prescribed { vertex, start: origin, motion: motion(obstacle.velocity, obstacle.travel) });
        let body = Body { name: obstacle.name.clone(), kind: BodyKind::HalfPlane, vertices: vertex..vertex + 1 };
        self.bodies.push(body);
    }

    fn finish(mut self, mut scene: Scene) -> Setup {
        let barrier = self.resolve_contact(&mut scene);
        let mut body = vec![0; self.rest.len()];
        for (index, owner) in self.bodies.iter().enumerate() {
            body[owner.vertices.clone()].fill(index);
        }
        let mut points: Vec<usize> = self.edges.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();
        let surface = Surface {
            points,
            edges: std::mem::take(&mut self.edges),
            planes: std::mem::take(&mut self.planes),
            weight: std::mem::take(&mut self.weight),
            self_d_hat: vec![barrier.d_hat; self.bodies.len()],
            body,
            barrier,
            shared_vertices: scene.contact.shared_vertices,
            broad_phase: scene.contact.broad_phase,
            narrow_phase: scene.contact.narrow_phase,
        };
        let self_d_hat = rest_gaps(&surface, &self.rest, self.bodies.len());
        let world = World {
            energies: self.energies(),
            friction: self.friction(&scene),
            surface: Surface { self_d_hat, ..surface },
            bodies: self.bodies,
            rest: self.rest,
            triangles: self.triangles,
            springs: self.springs,
            mass: self.mass,
            eps_v: scene.contact.friction.eps_v,
            lag: LagSettings { iterations: scene.contact.friction.lag_iterations, tolerance: scene.solver.tolerance },
            gravity: scene.gravity.into(),
            prescribed: self.prescribed,
            h: scene.time.step,
            newton: Settings { tolerance: scene.solver.tolerance, max_iterations: scene.solver.max_iterations },
        };
        Setup { scene, world, state: State { step: 0, x: self.x, v: self.v } }
    }

    /// Fills in what the scene leaves open about the barrier.
    fn resolve_contact(&self, scene: &mut Scene) -> Barrier {
        const SHARE_OF_DIAGONAL: f64 = 1e-3;
        let diagonal = Aabb::around(self.x.iter().copied()).extent().norm();
        let stiffest = scene.materials.values().filter_map(|material| material.law).map(|law| match law {
            Law::MassSpring(spring) => spring.stiffness,
            Law::NeoHookean(e) | Law::FixedCorotated(e) | Law::StVenantKirchhoff(e) | Law::Linear(e) => e.young,
        });
        let kappa = *scene.contact.kappa.get_or_insert(stiffest.fold(0.0, f64::max));
        let d_hat = *scene.contact.d_hat.get_or_insert(SHARE_OF_DIAGONAL * diagonal);
        Barrier { shape: scene.contact.barrier, kappa, d_hat }
    }

    fn energies(&mut self) -> Vec<Box<dyn Energy>> {
        let all: [Box<dyn Energy>; 5] = [
            Box::new(std::mem::take(&mut self.neo_hookean)),
            Box::new(std::mem::take(&mut self.fixed_corotated)),
            Box::new(std::mem::take(&mut self.st_venant_kirchhoff)),
            Box::new(std::mem::take(&mut self.linear)),
            Box::new(std::mem::take(&mut self.spring)),
        ];
        all.into_iter().filter(|energy| energy.block_count() > 0).collect()
    }

    fn friction(&self, scene: &Scene) -> FrictionTable {
        let mut table = FrictionTable::uniform(self.bodies.len(), scene.contact.friction.default);
        let find = |name: &str| self.bodies.iter().position(|body| body.name == name);
        for pair in &scene.contact.friction.pairs {
            if let (Some(a), Some(b)) = (find(&pair.between[0]), find(&pair.between[1])) {
                table.set(a, b, pair.coefficient);
            }
        }
        table
    }
}

fn mesh(shape: &Shape) -> Mesh {
    const SECTORS: usize = 6;
    match shape {
        Shape::Square(square) => generate::rectangle([square.side; 2], [square.segments; 2]),
        Shape::Rectangle(rectangle) => generate::rectangle(rectangle.size, rectangle.segments),
        Shape::Disk(disk) => generate::disk(disk.radius, disk.segments.div_ceil(SECTORS)),
        Shape::RegularPolygon(polygon) => generate::regular_polygon(polygon.radius, polygon.sides, polygon.segments),
        Shape::Mesh(mesh) => Mesh {
            vertices: mesh.vertices.iter().map(|&position| position.into()).collect(),
            triangles: mesh.triangles.clone(),
            extra_springs: Vec::new(),
        },
        _ => Mesh { vertices: Vec::new(), triangles: Vec::new(), extra_springs: Vec::new() },
    }
}

fn motion(velocity: [f64; 2], travel: Option<f64>) -> Motion {
    Motion { velocity: velocity.into(), travel: travel.unwrap_or(f64::INFINITY) }
}
