//! Warnings of changes that a run ends before.

use crate::problem::Problem;
use crate::schema::Scene;

/// Warnings of all changes after the last step.
pub(super) fn warnings(scene: &Scene) -> Vec<Problem> {
    let steps = scene.time.steps;
    let changes = scene.changes.iter().enumerate();
    let late = changes.filter(|(_, change)| change.after >= steps);
    let warning = |k: usize, after: usize| {
        let message = format!(
            "is {after}, but the run ends after step {steps}, so that nothing changes; lower it, or \
             raise time.steps"
        );
        Problem::warning(format!("changes[{k}].after"), message)
    };
    late.map(|(k, change)| warning(k, change.after)).collect()
}
