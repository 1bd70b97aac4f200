//! Stress and strain of triangles, and their means at vertices.

use super::Subject;
use crate::material::Plane;
use crate::math::{Mat2, PlaneTensor, Vec2};

/// Tensors of a state, in the triangles and at the vertices.
#[derive(Clone, Debug)]
pub struct Tensors {
    /// Value of each triangle, `[triangles]`.
    pub triangles: Vec<PlaneTensor>,
    /// Mean of the triangles around each vertex, `[vertices]`; absent for vertices without one.
    pub vertices: Vec<PlaneTensor>,
}

/// Cauchy stress (Pa) of each triangle at positions `x` (m), `[triangles]`.
pub(super) fn stress(subject: &Subject, x: &[Vec2]) -> Vec<PlaneTensor> {
    let energies = &subject.world.model.energies;
    let mut stresses = vec![PlaneTensor::ABSENT; subject.world.triangles.len()];
    let listed = energies.iter().flat_map(|energy| energy.stresses(x));
    for (&triangle, (_, stress)) in subject.order.iter().zip(listed) {
        stresses[triangle] = match subject.plane {
            Plane::Strain => stress,
            Plane::Stress => PlaneTensor { zz: 0.0, ..stress },
        };
    }
    stresses
}

/// Green-Lagrange strain `E = (F^T F - I) / 2` (1) of each triangle at positions `x` (m),
/// `[triangles]`, along the axes of the scene at rest.
pub(super) fn strain(subject: &Subject, x: &[Vec2]) -> Vec<PlaneTensor> {
    let rest = &subject.world.rest;
    let across = match subject.plane {
        Plane::Strain => 0.0,
        Plane::Stress => f64::NAN,
    };
    let triangles = subject.world.triangles.iter();
    triangles
        .map(|&[a, b, c]| {
            let now = Mat2::from_columns(&[x[b] - x[a], x[c] - x[a]]);
            let then = Mat2::from_columns(&[rest[b] - rest[a], rest[c] - rest[a]]);
            then.try_inverse().map_or(PlaneTensor::ABSENT, |inverse| {
                let f = now * inverse;
                PlaneTensor::new(&((f.transpose() * f - Mat2::identity()) * 0.5), across)
            })
        })
        .collect()
}

/// Tensors of triangles with their means at the vertices, weighted by areas at rest.
pub(super) fn averaged(subject: &Subject, triangles: Vec<PlaneTensor>) -> Tensors {
    let count = subject.world.rest.len();
    let mut vertices = vec![PlaneTensor::default(); count];
    let mut weights = vec![0.0; count];
    let all = subject.world.triangles.iter().zip(&subject.areas);
    for ((stencil, &area), &tensor) in all.zip(&triangles) {
        for &vertex in stencil {
            vertices[vertex] += tensor * area;
            weights[vertex] += area;
        }
    }

    for (mean, weight) in vertices.iter_mut().zip(weights) {
        *mean = if weight > 0.0 {
            *mean * weight.recip()
        } else {
            PlaneTensor::ABSENT
        };
    }
    Tensors {
        triangles,
        vertices,
    }
}
