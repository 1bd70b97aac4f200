//! From a scene to the world it describes.

pub(super) mod builder;
mod contact;
mod deformable;
mod derive;
pub(super) mod elements;
mod joint;
mod obstacle;
mod placement;
pub(super) mod rigid;
mod setup;
mod shape;

pub use derive::Derived;
pub use setup::Setup;

use super::kind::NewBody;
use super::problem::Problem;
use super::schema::Scene;
use builder::Builder;

/// Builds the world of a scene whose values are good. Also returns the problems that building finds,
/// and for each body the entry of the scene that it comes from.
pub(super) fn assemble_sound(scene: Scene) -> (Setup, Vec<Problem>, Vec<usize>) {
    let (scene, entries) = scene.with_copies_apart();
    let mut builder = Builder::default();
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

    for obstacle in &scene.obstacles {
        builder.add_obstacle(obstacle, &scene);
    }
    let problems = std::mem::take(&mut builder.problems);
    (builder.finish(scene), problems, entries)
}
