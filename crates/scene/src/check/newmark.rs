//! Checks of Newmark's parameter.

use super::report::Report;
use crate::schema::{Scene, Scheme};

/// Checks that the integrator has the parameter if it is given.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if scene.time.gamma.is_some() && scene.time.integrator != Scheme::Trapezoid {
        let message = "is Newmark's parameter of the trapezoid; leave it out, or choose \
                       \"integrator\": \"trapezoid\"";
        report.add("time.gamma", message);
    }
}
