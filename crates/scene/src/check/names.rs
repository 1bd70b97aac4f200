//! Names that joints, loads and probes can use.

use crate::schema::{Body, Scene};

/// Names of all bodies, copies included, and obstacles.
pub(super) fn all_names(scene: &Scene) -> impl Iterator<Item = String> {
    let bodies = scene.bodies.iter().flat_map(Body::names);
    let obstacles = scene.obstacles.iter().map(|obstacle| obstacle.name.clone());
    bodies.chain(obstacles)
}
