//! Checks that a scene must pass beyond its syntax. All problems are found, not just the first.
//!
//! The parser has read every key with the right type. Here numbers are compared with the ranges in the
//! table of keys, and values with each other: shapes that enclose an area, names that exist, keys that
//! fit the kind of body. Each room checks one part of the scene and writes into
//! one [`Report`], in the order of the scene's keys, so that messages come in a fixed order.
//!
//! A check only looks at the scene and builds nothing. What shows in the built world, such as
//! overlaps, is found by [`preflight`](crate::preflight()).

mod adaptive;
mod arc_length;
mod area;
mod axisymmetric;
mod body;
mod chamber;
mod change;
mod contact;
mod control;
mod copies;
mod curve;
mod dilatation;
mod drive;
mod elastic_rod;
mod friction;
mod interference;
mod joint;
mod joint_drive;
mod kept_energy;
mod kinds;
mod load;
mod material;
mod measure;
mod motion;
mod names;
mod newmark;
mod output;
mod pairs;
mod periodic;
mod preload;
mod prescribed;
mod quadratic;
mod region;
mod relative_stiffness;
mod report;
mod resting;
mod selection;
mod shape;
mod sleep;
mod statics;
pub(crate) mod temperature;
mod text;
mod tie;
mod until;

use super::problem::Problem;
use super::schema::Area;
use super::schema::{Parameter, Scene, Solver};
use ipcsim_sparse::{HAS_FAER, LinearSolver};
use report::Report;

/// Finds all errors that show without building the scene. An empty list means that the scene can be
/// built.
pub fn check(scene: &Scene) -> Vec<Problem> {
    let mut report = Report::of(scene, "");
    report.time = Some(scene.time.clone());

    // The whole scene.
    text::check(&mut report, scene);
    for key in ["time", "gravity", "thickness"] {
        report.ranges(key);
    }
    if scene.bodies.is_empty() {
        report.add("bodies", "there is no body; add at least one");
    }

    axisymmetric::check(&mut report, scene);
    periodic::check(&mut report, scene);

    // Materials, bodies and obstacles.
    for (name, material) in &scene.materials {
        material::check(
            &mut report,
            &format!("materials.{name}"),
            material,
            scene.plane,
        );
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
    tie::check(&mut report, scene);
    load::check(&mut report, scene);
    chamber::check(&mut report, scene);
    change::check(&mut report, scene);
    control::check(&mut report, scene);
    check_solver(&mut report, &scene.solver);
    statics::check(&mut report, scene);
    newmark::check(&mut report, scene);
    adaptive::check(&mut report, scene);
    kept_energy::check(&mut report, scene);
    arc_length::check(&mut report, scene);
    sleep::check(&mut report, scene);
    measure::check(&mut report, scene);
    until::check(&mut report, scene);
    output::check(&mut report, scene);
    report.ranges("");
    report.problems
}

/// Finds errors of a parameter that a program sets between steps of a scene.
pub fn check_parameter(parameter: &Parameter, scene: &Scene) -> Vec<Problem> {
    let mut report = Report::of(parameter, "set");
    change::check_parameter(&mut report, "set", parameter, scene);
    report.problems
}

/// Finds errors of the numbers and names of an area, beside faults of its curves.
pub fn check_meshing(area: &Area) -> Vec<Problem> {
    let mut report = Report::of(area, "area");
    area::check_numbers(&mut report, "area", area);
    report.problems
}

/// Checks the settings of Newton's method.
fn check_solver(report: &mut Report, solver: &Solver) {
    report.ranges("solver");
    if solver.linear == LinearSolver::Faer && solver.fused {
        report.add(
            "solver.fused",
            "has no meaning with \"linear\": \"faer\", which fuses products where the processor can",
        );
    }
    if solver.linear == LinearSolver::Faer && !HAS_FAER {
        report.add(
            "solver.linear",
            "\"faer\" is not built into this program; use \"multifrontal\", or build with the feature faer",
        );
    }
}

#[cfg(test)]
mod tests;
