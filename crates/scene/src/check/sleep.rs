//! Checks of sleep: what bodies may sleep by is sound for steps of implicit Euler alone.

use super::report::Report;
use crate::schema::{Scene, Scheme, Varying};

/// Checks that steps are steps of implicit Euler and have one length, and that no temperature changes
/// with time.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if scene.solver.sleep.is_none() {
        return;
    }
    let path = "solver.sleep";
    if scene.time.integrator != Scheme::default() {
        let message = "is for \"integrator\": \"implicit_euler\", whose steps depend on nothing but \
                       the place and velocity of a body; leave it out, or choose that integrator";
        report.add(path, message);
    }

    if scene.time.adaptive.is_some() {
        let message = "counts steps of one length, and time.adaptive changes lengths; leave one of \
                       both out";
        report.add(path, message);
    }

    let message = "changes with time, which moves bodies that sleep; give a number, or leave \
                   solver.sleep out";
    for (k, body) in scene.bodies.iter().enumerate() {
        if varies(body.temperature.as_ref()) {
            report.add(&format!("bodies[{k}].temperature"), message);
        }
        for (n, region) in body.regions.iter().enumerate() {
            if varies(region.temperature.as_ref()) {
                report.add(&format!("bodies[{k}].regions[{n}].temperature"), message);
            }
        }
    }
}

/// True if a temperature changes with time, or cannot be read.
fn varies(temperature: Option<&Varying>) -> bool {
    let read = temperature.map(Varying::read);
    read.is_some_and(|read| read.map_or(true, |number| number.has_time()))
}
