//! Checks of the condition at which a run ends.

use super::names::all_names;
use super::report::Report;
use crate::schema::{Scene, Scheme};
use ipcsim_core::quantities::Until;

/// Checks that the condition of a scene can be read, and that it means something.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    const PATH: &str = "time.until";
    let Some(text) = &scene.time.until else {
        return;
    };
    let names: Vec<String> = all_names(scene).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let measures = scene.measure.iter();
    let measures: Vec<&str> = measures.map(|own| own.name.as_str()).collect();
    match Until::read(text, &names, &measures) {
        Err(error) => report.add(PATH, error.to_string()),
        Ok(until) if until.asks_for_rest() && scene.time.integrator == Scheme::Static => {
            let message = "statics has no velocities, so that everything always rests; compare \
                           quantities instead, as in \"ball.y < 1\"";
            report.add(PATH, message);
        }
        Ok(_) => {}
    }
}
