//! From a scene to the world it describes.
//!
//! A scene is a list of things with names, shapes in places and materials. A world is arrays: all
//! vertices, all nodes (the coordinates that Newton's method solves for), elements grouped by law,
//! edges that collide. Assembly goes through the bodies in the order of the scene, then through the
//! obstacles, and appends the parts of each to a [`Builder`]:
//!
//! 1. copies are expanded, so that each copy is a body;
//! 2. the kind of a body adds its vertices, nodes, elements and loads;
//! 3. obstacles add driven nodes and the scripts that move them;
//! 4. loads find the points, edges and vertices that they act on;
//! 5. the numbers that the scene leaves out are derived from sizes, masses and materials;
//! 6. [`Builder::finish`] turns the lists into a world and a state at time 0.
//!
//! The order is part of the result: vertex and node numbers, and the order of sums, follow from it,
//! and equal scenes give equal bits. Scenes are checked before, so that assembly meets no wrong
//! values; what only shows in the built meshes is noted as a problem.

pub(super) mod builder;
mod chosen;
mod contact;
mod deformable;
mod derive;
pub(super) mod elements;
mod finish;
mod grip;
mod joint;
mod load;
mod obstacle;
mod placement;
mod prescribed;
pub(super) mod rigid;
mod select;
mod setup;
mod shape;

pub(super) use chosen::select;
pub use derive::Derived;
pub use setup::Setup;

use super::kind::NewBody;
use super::problem::Problem;
use super::schema::Scene;
use builder::Builder;

/// Builds the world of a scene whose values are good.
///
/// Also returns the problems that building finds, and for each body the number of the entry in
/// the scene that it comes from, `[bodies]`. Paths of the problems are those of `scene`.
pub(super) fn assemble_sound(scene: Scene) -> (Setup, Vec<Problem>, Vec<usize>) {
    let (scene, entries) = scene.with_copies_apart();
    let mut builder = Builder::default();

    // Bodies, each added by its kind.
    for (&entry, spec) in entries.iter().zip(&scene.bodies) {
        if let Some(material) = scene.materials.get(&spec.material) {
            let body = NewBody {
                entry,
                spec,
                material,
                scene: &scene,
            };
            spec.kind.rules().add(&mut builder, &body);
        }
    }

    // Obstacles come last, so that numbers of bodies are those of the scene.
    for obstacle in &scene.obstacles {
        builder.add_obstacle(obstacle, &scene);
    }
    builder.add_loads(&scene);
    let problems = std::mem::take(&mut builder.problems);
    (builder.finish(scene), problems, entries)
}
