//! How far the curved sides of quadratic triangles are from the straight edges that collide.
//!
//! Contact, intersections and the proof of motions speak of the edges between nodes. A body with
//! quadratic triangles has parabolas between them. The distance between both is computed for every
//! stored state, so that a reader knows what the proof says about the curves themselves.

use super::super::CommandError;
use ipcsim::math::number::short;
use ipcsim_store::mesh_file::largest_sagitta;
use ipcsim_store::stored_run::StoredRun;

/// Sentence about the largest distance at rest and in the stored states; `None` without quadratic
/// triangles.
///
/// # Errors
/// If the trajectory cannot be read.
pub(super) fn line(run: &StoredRun) -> Result<Option<String>, CommandError> {
    let curved = &run.mesh.quadratic;
    if curved.is_empty() {
        return Ok(None);
    }
    let mut trajectory = run.trajectory()?;
    let mut x = Vec::new();
    let mut largest: f64 = 0.0;
    for _ in &run.moments {
        trajectory.next(&mut x)?;
        largest = largest.max(largest_sagitta(curved, &x));
    }

    let [at_rest, most] = [run.mesh.curve_deviation, largest].map(short);
    Ok(Some(format!(
        "states: {} quadratic triangles keep J > 0 everywhere within, by bounds; edges between their \
         nodes collide, from which their curved sides are at most {at_rest} m away at rest, {most} m \
         in the states",
        curved.len()
    )))
}
