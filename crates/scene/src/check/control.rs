//! Checks of controls: that a parameter can be set, and that its number is one.

use super::change::check_parameter;
use super::report::Report;
use crate::schema::Scene;

/// Checks all controls of a scene.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    for (k, control) in scene.controls.iter().enumerate() {
        let path = format!("controls[{k}]");
        report.ranges(&path);
        check_parameter(report, &format!("{path}.set"), &control.set, scene);
        if control.value().is_none() {
            let message = format!(
                "\"{}\" leads to no number of `set`; name its keys, as in gravity[1] or load.factor",
                control.number
            );
            report.add(&format!("{path}.number"), &message);
        }
        if control.min >= control.max {
            let message = format!("is {}, but must be above min, {}", control.max, control.min);
            report.add(&format!("{path}.max"), &message);
        }
    }
}
