//! Checks of steps that are divided by their errors.

use super::report::Report;
use crate::schema::{Scene, Scheme};

/// Checks that a substep fits into a step, and that the integrator has an error in time.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    let Some(adaptive) = scene.time.adaptive else {
        return;
    };
    let step = scene.time.step;
    if adaptive.smallest > step {
        let message = format!(
            "is {} s, but a step is {step} s; substeps are parts of a step, so lower it or raise \
             time.step",
            adaptive.smallest
        );
        report.add("time.adaptive.smallest", message);
    }

    if scene.time.integrator == Scheme::Static {
        let message = "statics has no error in time; leave it out, or choose another \
                       time.integrator";
        report.add("time.adaptive", message);
    }
}
