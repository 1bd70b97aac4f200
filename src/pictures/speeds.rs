//! Speeds of the vertices of a stored run, computed again from positions.
//!
//! A run stores positions only. The mean speed between two stored states is the way between them
//! over the time between them; where steps are left out, or a vertex turns back, it is below the
//! speed of the vertex at the end.

use ipcsim::math::Vec2;
use ipcsim::time::World;

/// Stored state, by which speeds are computed.
pub(crate) struct Placed {
    /// Time of the state (s).
    pub(crate) time: f64,
    /// Positions of all vertices (m).
    pub(crate) x: Vec<Vec2>,
}

/// Speed (m/s) of each vertex since the state before. For the first state it is that of the scene,
/// from the velocities `v` (m/s).
pub(crate) fn speeds(state: &Placed, before: Option<&Placed>, v: &[Vec2]) -> Vec<f64> {
    match before {
        Some(before) if state.time > before.time => {
            let duration = state.time - before.time;
            let pairs = state.x.iter().zip(&before.x);
            pairs.map(|(x, y)| (x - y).norm() / duration).collect()
        }
        _ => v.iter().map(Vec2::norm).collect(),
    }
}

/// Means of `values`, one per vertex, over the vertices of each rigid or affine body. Soft bodies
/// and obstacles have no value of their own: NaN.
pub(crate) fn body_means(world: &World, values: &[f64]) -> Vec<f64> {
    let mut means = Vec::with_capacity(world.bodies.len());
    for body in &world.bodies {
        means.push(if body.kind.is_soft() || body.kind.is_obstacle() {
            f64::NAN
        } else {
            values[body.vertices.clone()].iter().sum::<f64>() / body.vertices.len() as f64
        });
    }
    means
}
