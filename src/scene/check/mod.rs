//! Checks that a scene must pass beyond its syntax. All problems are found, not just the first.

mod body;
mod contact;
mod copies;
mod curve;
mod joint;
mod material;
mod motion;
pub(super) mod report;
mod shape;

use super::problem::Problem;
use super::schema::{Bounds, Scene};
use report::Report;

/// Largest width and height of frames (pixels). Larger pictures take more than 4 GB.
const LARGEST: u32 = 16_384;

/// Finds all errors that show without building the scene.
pub fn check(scene: &Scene) -> Vec<Problem> {
    let mut report = Report::default();
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
    if let Some(tolerance) = scene.solver.tolerance {
        report.positive("solver.tolerance", tolerance, " m/s");
    }
    report.at_least_one("solver.max_iterations", scene.solver.max_iterations);
    check_output(&mut report, scene);
    report.problems
}

/// Checks the size of frames and the area that they show.
fn check_output(report: &mut Report, scene: &Scene) {
    let output = &scene.output;
    report.at_least_one("output.every", output.every);
    for (path, pixels) in [
        ("output.width", output.width),
        ("output.height", output.height),
    ] {
        if !(16..=LARGEST).contains(&pixels) {
            report.add(
                path,
                format!("is {pixels} pixels, but must be from 16 to {LARGEST}"),
            );
        }
    }

    if let Some(view) = output.view {
        let Bounds { min, max } = view;
        if !(min[0] < max[0] && min[1] < max[1]) {
            report.add(
                "output.view",
                format!("its min {min:?} must be to the left of and below its max {max:?}"),
            );
        }
    }
}

#[cfg(test)]
mod tests;
