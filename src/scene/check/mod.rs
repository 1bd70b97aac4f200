//! Checks that a scene must pass beyond its syntax. All problems are found, not just the first.
//!
//! The parser has read every key with the right type. Here values are checked against their ranges
//! and against each other: numbers that must be positive, shapes that enclose an area, names that
//! exist, keys that fit the kind of body. Each room checks one part of the scene and writes into
//! one [`Report`], in the order of the scene's keys, so that messages come in a fixed order.
//!
//! A check only looks at the scene and builds nothing. What shows in the built world, such as
//! overlaps, is found by [`preflight`](crate::scene::preflight()).

mod body;
mod contact;
mod copies;
mod curve;
mod friction;
mod joint;
mod load;
mod material;
mod motion;
mod output;
mod pairs;
mod prescribed;
pub(super) mod report;
mod selection;
mod shape;

use super::problem::Problem;
use super::schema::{Scene, Solver};
use report::Report;

/// Finds all errors that show without building the scene. An empty list means that the scene can be
/// built.
pub fn check(scene: &Scene) -> Vec<Problem> {
    let mut report = Report::default();

    // The whole scene.
    report.positive("time.step", scene.time.step, " s");
    report.positive("thickness", scene.thickness, " m");
    report.vector("gravity", scene.gravity);
    if scene.bodies.is_empty() {
        report.add("bodies", "there is no body; add at least one");
    }

    // Materials, bodies and obstacles.
    for (name, material) in &scene.materials {
        material::check(&mut report, &format!("materials.{name}"), material);
    }
    for (k, body) in scene.bodies.iter().enumerate() {
        body::check(&mut report, &format!("bodies[{k}]"), body, scene);
    }
    for (k, obstacle) in scene.obstacles.iter().enumerate() {
        motion::check_obstacle(&mut report, &format!("obstacles[{k}]"), obstacle);
    }

    // Pairs and settings.
    contact::check_names(&mut report, scene);
    contact::check(&mut report, &scene.contact);
    joint::check(&mut report, scene);
    load::check(&mut report, scene);
    check_solver(&mut report, &scene.solver);
    output::check(&mut report, scene);
    report.problems
}

/// Checks the settings of Newton's method.
fn check_solver(report: &mut Report, solver: &Solver) {
    if let Some(imbalance) = solver.imbalance {
        report.positive("solver.imbalance", imbalance, " m/s");
    }
    if let Some(tolerance) = solver.tolerance {
        report.positive("solver.tolerance", tolerance, " m/s");
    }
    report.at_least_one("solver.max_iterations", solver.max_iterations);
}

#[cfg(test)]
mod tests;
