//! Loads that follow bodies and have no potential: forces at the ends of edges under pressure.
//!
//! A stage has them as they are at one configuration. In statics it is solved again with those at its
//! end, until they no longer change: equilibrium is then that of the deformed edge.

use crate::body::Configuration;
use crate::solve::Stage;
use crate::time::state::State;
use crate::time::world::World;
use crate::tuning::FOLLOWED_CLOSE;
use ipcsim_energy::Following;
use ipcsim_math::Vec2;

/// Loads of a stage as they are at its end.
pub(in crate::time) struct Renewed {
    /// Their energies.
    pub(in crate::time) following: Following,
    /// Vertex whose force changes most.
    pub(in crate::time) vertex: usize,
    /// Change of that force (N).
    pub(in crate::time) force: f64,
}

/// Loads that follow bodies as they are at the end `at` of a `stage` that began at the state `from`;
/// `None` if they are those of the stage.
pub(in crate::time) fn renewed(
    world: &World,
    from: &State,
    stage: &Stage,
    at: &Configuration,
) -> Option<Renewed> {
    if stage.following.thrusts.elements.is_empty() {
        return None;
    }
    let following = world.loading.following(from, &at.x, stage.end);
    let gradient = |of: &Following, factor: f64, out: &mut [Vec2]| {
        of.add_gradient(&at.x, factor, out);
    };

    // Forces of both, and their largest difference.
    let mut change = vec![Vec2::zeros(); at.x.len()];
    gradient(&following, 1.0, &mut change);
    let whole = change.iter().map(Vec2::norm).fold(0.0, f64::max);
    gradient(&stage.following, -1.0, &mut change);
    let norms = change.iter().map(Vec2::norm).enumerate();
    let (vertex, force) = norms.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (force > FOLLOWED_CLOSE * whole).then_some(Renewed {
        following,
        vertex,
        force,
    })
}
