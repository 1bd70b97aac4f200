//! Warnings of changes and press fits that a run ends before.

use crate::problem::Problem;
use crate::schema::Scene;

/// Warnings of all changes after the last step, and of fits that reach their drawn size later.
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
    let mut problems: Vec<Problem> = late.map(|(k, change)| warning(k, change.after)).collect();

    let end = scene.time.step * steps as f64;
    for (k, fit) in scene.contact.interference.iter().enumerate() {
        if fit.until.is_some_and(|until| until > end * (1.0 + 1e-9)) {
            let message = format!(
                "is after the end of the run at {end} s, so that the drawn size is not reached; lower it, or \
                 raise time.steps"
            );
            problems.push(Problem::warning(
                format!("contact.interference[{k}].until"),
                message,
            ));
        }
    }
    problems
}
