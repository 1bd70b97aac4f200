//! From a scene to the world it describes.
//!
//! A scene is a list of things with names, shapes in places and materials. A world is arrays: all
//! vertices, all nodes (the coordinates that Newton's method solves for), elements grouped by law,
//! edges that collide. Assembly goes through the bodies in the order of the scene, then through the
//! obstacles, and appends the parts of each to a [`Builder`]:
//!
//! 1. areas of bodies that deform become meshes, those of quadratic elements get nodes on their sides,
//!    and copies become separate bodies, which are put on others where they rest on them;
//! 2. the kind of a body adds its vertices, nodes, elements and loads;
//! 3. obstacles add driven nodes and the scripts that move them, and joints to the world a body that
//!    never moves;
//! 4. loads and joints find the points, edges and vertices that they act on;
//! 5. the numbers that the scene leaves out are derived from sizes, masses and materials;
//! 6. [`Builder::finish`] turns the lists into a world and a state at time 0.
//!
//! The order is part of the result: vertex and node numbers, and the order of sums, follow from it,
//! and equal scenes give equal bits. Scenes are checked before, so that assembly meets no wrong
//! values; what only shows in the built meshes is noted as a problem.

mod affine;
mod builder;
mod cell;
mod chamber;
mod change;
mod chosen;
mod contact;
mod deformable;
mod derive;
mod elements;
mod finish;
mod frame;
mod gearing;
mod grip;
mod interference;
mod joined_images;
mod joint;
mod kinds;
mod load;
mod new_body;
mod new_rod;
mod obstacle;
mod outline;
mod periodic;
mod placement;
mod preload;
mod prescribed;
mod quadratic;
mod reduced;
mod regions;
mod resizing;
mod resting;
mod revolution;
mod rigid;
mod rod;
mod select;
mod setup;
mod tie;
mod turn;
mod tying;
mod warmth;

pub(crate) use change::hand_problems;
pub use change::{numbered, refusal};
pub(super) use chosen::select;
pub(super) use derive::D_HAT_OF_SIZE;
pub use derive::Derived;
pub use setup::Setup;

use super::area;
use super::copies::Apart;
use super::kind::Freedom;
use super::problem::Problem;
use super::schema::{Body, Elements, Scene, Shape};
use builder::Builder;
use ipcsim_mesh::Quality;
use ipcsim_mesh::refine::Meshed;
use new_body::NewBody;
use placement::Placement;

/// Least angle that a refinement of curves without sharp corners is sure to reach (degrees).
const GUARANTEED: f64 = 20.7;

/// The scene with a mesh for each area whose triangles a body needs, and with six-node triangles where
/// a body has quadratic elements.
///
/// This comes before copies, so that all copies of a body share the work and have the same mesh.
/// Bodies that move as a whole keep their curves. Faults have been found by the checks with coarser
/// points; those that only the finer ones have, where curves nearly touch, become problems here.
fn with_meshes(mut scene: Scene, problems: &mut Vec<Problem>) -> Scene {
    for (k, body) in scene.bodies.iter_mut().enumerate() {
        let Shape::Area(own) = &body.shape else {
            if body.elements == Elements::Quadratic {
                let made = quadratic::with_six_nodes(&body.shape, None);
                body.shape = made.unwrap_or_else(|| body.shape.clone());
            }
            continue;
        };
        if body.kind.rules().freedom() == Freedom::Whole {
            continue;
        }

        let path = format!("bodies[{k}].shape.area");
        match area::meshed(own) {
            Ok(meshed) => {
                problems.extend(doubtful(&meshed, &path, body));
                let shape = Shape::Mesh(area::inline(&meshed));
                body.shape = match body.elements {
                    Elements::Linear => shape,
                    Elements::Quadratic => {
                        quadratic::with_six_nodes(&shape, Some(own)).unwrap_or(shape)
                    }
                };
            }
            Err(faults) => problems.extend(faults.into_iter().map(|fault| {
                let mut problem = Problem::error(format!("{path}.{}", fault.label), fault.message);
                // Faults have places in the shape, and problems have them in the world.
                let placement = Placement::new(body.position, body.rotation_deg);
                problem.places = fault.places.iter().map(|&x| placement.place(x)).collect();
                problem
            })),
        }
    }
    scene
}

/// Warnings of a mesh with triangles sharper than [`GUARANTEED`], or whose refinement did not end.
fn doubtful(meshed: &Meshed, path: &str, body: &Body) -> Option<Problem> {
    let quality = Quality::of(&meshed.mesh)?;
    let degrees = quality.least_angle.to_degrees();
    let message = if meshed.is_incomplete {
        format!(
            "its refinement stopped at {} vertices; the smallest angle is {degrees:.2} degrees; use \
             larger sizes, or a smaller least_angle_deg",
            meshed.mesh.vertices.len()
        )
    } else if degrees < GUARANTEED && !meshed.sharp.is_empty() {
        format!(
            "{} triangles have an angle below what mesh.least_angle_deg asks for, and the smallest is \
             {degrees:.2} degrees: the curves have a sharp corner there; round it if the stress there \
             matters",
            meshed.sharp.len()
        )
    } else {
        return None;
    };

    let placement = Placement::new(body.position, body.rotation_deg);
    Some(Problem::warning(path, message).at(placement.place(quality.at)))
}

/// Builds the world of a scene whose values are good.
///
/// Also returns the problems that building finds, and for each body the number of the entry in
/// the scene that it comes from, `[bodies]`. Paths of the problems are those of `scene`.
pub(super) fn assemble_sound(scene: Scene) -> (Setup, Vec<Problem>, Vec<usize>) {
    let mut builder = Builder::default();
    let scene = with_meshes(scene, &mut builder.problems);
    let Apart {
        mut scene,
        entries,
        problems,
    } = scene.with_copies_apart();
    builder.problems.extend(problems);
    resting::put_down(&mut scene, &entries, &mut builder.problems);

    // Bodies that overlap on purpose are built as drawn first, which shows how far they overlap.
    if !scene.contact.interference.is_empty() {
        let (drawn, _) = built(Builder::default(), scene.clone(), &entries);
        builder.sizes = interference::sizes(&drawn, &mut builder.problems);
    }
    let (setup, problems) = built(builder, scene, &entries);
    (setup, problems, entries)
}

/// Builds the world of a scene without copies, whose bodies come from these entries of the scene as
/// written. Returns the problems of the builder and those that building finds.
fn built(mut builder: Builder, scene: Scene, entries: &[usize]) -> (Setup, Vec<Problem>) {
    // Bodies, each added by its kind.
    for (&entry, spec) in entries.iter().zip(&scene.bodies) {
        if let Some(material) = scene.materials.get(&spec.material) {
            let body = NewBody {
                entry,
                spec,
                material,
                scene: &scene,
            };
            kinds::add(&mut builder, &body);
        }
    }

    // Obstacles come last, so that numbers of bodies are those of the scene.
    for (number, obstacle) in scene.obstacles.iter().enumerate() {
        builder.add_obstacle(obstacle, number, &scene);
    }
    if scene.joins_world() {
        builder.add_world();
    }
    builder.add_loads(&scene);
    if scene.periodic.is_none() {
        builder.add_chambers(&scene, None);
    }
    builder.add_joints(&scene);
    builder.add_ties(&scene);
    builder.repeat(&scene);
    let problems = std::mem::take(&mut builder.problems);
    let mut setup = builder.finish(scene);
    setup.world.changes = change::changes(&setup.scene, &setup.world);
    (setup, problems)
}
