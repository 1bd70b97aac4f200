//! Checks of Newmark's parameter.

use super::report::Report;
use crate::schema::{Scene, Scheme};

/// Checks that a parameter that is given is from 1/2 to 1, and that the integrator has one. Below
/// 1/2 vibrations would grow, and above 1 the force of the start would act backwards.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    let Some(gamma) = scene.time.gamma else {
        return;
    };
    if !(0.5..=1.0).contains(&gamma) {
        let message = format!(
            "is {gamma}, but must be from 0.5 to 1; below 0.5 vibrations grow, and at 0.5 none is damped"
        );
        report.add("time.gamma", message);
    }
    if scene.time.integrator != Scheme::Trapezoid {
        let message = "is Newmark's parameter of the trapezoid; leave it out, or choose \
                       \"integrator\": \"trapezoid\"";
        report.add("time.gamma", message);
    }
}
