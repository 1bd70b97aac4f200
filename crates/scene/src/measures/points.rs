//! Points of bodies at which a measure takes a field.

use crate::assemble::Setup;
use ipcsim_core::fields::Field;
use ipcsim_core::measures::{Component, Points, What};
use ipcsim_math::cross;

/// Weights of points in means: a third of the area of each triangle around a vertex; 1 where no point has
/// one.
fn weights(points: &[usize], setup: Option<&Setup>) -> Vec<f64> {
    let even = vec![1.0; points.len()];
    let Some(Setup { world, .. }) = setup else {
        return even;
    };

    // Areas at rest.
    let mut areas = vec![0.0; world.rest.len()];
    for triangle in &world.triangles {
        let [a, b, c] = triangle.map(|vertex| world.rest[vertex]);
        for &vertex in triangle {
            areas[vertex] += cross(b - a, c - a) / 6.0;
        }
    }
    let own: Vec<f64> = points
        .iter()
        .map(|&point| areas.get(point).copied().unwrap_or(1.0))
        .collect();
    if own.iter().all(|area| *area == 0.0) {
        return even;
    }
    own
}

/// A field at points.
pub(super) fn at(
    field: &'static Field,
    component: Component,
    points: Vec<usize>,
    setup: Option<&Setup>,
) -> What {
    What::Points(Points {
        field,
        component,
        weights: weights(&points, setup),
        points,
    })
}
