//! Stress and strain of triangles, and their means at vertices.

use super::Subject;
use crate::solve::{Materials, with_own};
use ipcsim_energy::Conditions;
use ipcsim_energy::material::Plane;
use ipcsim_math::{Mat2, PlaneTensor, Vec2, outer};
use ipcsim_mesh::{CORNERS_OF_FACETS, Point};

/// Tensors of a state, in the triangles and at the vertices.
#[derive(Clone, Debug)]
pub struct Tensors {
    /// Value of each triangle, `[triangles]`.
    pub triangles: Vec<PlaneTensor>,
    /// Mean of the triangles around each vertex, `[vertices]`; absent for vertices without one.
    pub vertices: Vec<PlaneTensor>,
}

/// Tensor of a triangle: at its middle, and at its corners.
///
/// In a linear triangle these are the same. In the facets of a quadratic one they differ, and the
/// values at corners are the element's values at its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct InTriangle {
    /// Tensor at the middle.
    pub middle: PlaneTensor,
    /// Tensors at the corners.
    corners: [PlaneTensor; 3],
}

impl InTriangle {
    /// The same tensor everywhere.
    fn even(tensor: PlaneTensor) -> Self {
        Self {
            middle: tensor,
            corners: [tensor; 3],
        }
    }

    /// Adds a part.
    fn add(&mut self, part: Self) {
        self.middle += part.middle;
        for (sum, corner) in self.corners.iter_mut().zip(part.corners) {
            *sum += corner;
        }
    }
}

/// Cauchy stress (Pa) of each triangle at positions `x` (m) under these conditions, `[triangles]`.
pub(super) fn stress(subject: &Subject, x: &[Vec2], conditions: Conditions) -> Vec<InTriangle> {
    let model = &subject.world.model;
    let materials = Materials::of(model, conditions);
    let absent = InTriangle::even(PlaneTensor::ABSENT);
    let mut stresses = vec![absent; subject.world.triangles.len()];
    let in_plane = |stress: PlaneTensor| match subject.plane {
        Plane::Strain | Plane::Axisymmetric => stress,
        Plane::Stress => PlaneTensor { zz: 0.0, ..stress },
    };
    let energies = materials.energies(model);
    let listed = energies.flat_map(|energy| energy.stresses(x));
    let mut is_known = vec![false; stresses.len()];
    for (&triangle, found) in subject.triangles.order.iter().zip(listed) {
        let part = InTriangle {
            middle: in_plane(found.middle),
            corners: found.corners.map(in_plane),
        };

        // Shear and volume may have separate energies.
        if is_known[triangle] {
            stresses[triangle].add(part);
        } else {
            stresses[triangle] = part;
        }
        is_known[triangle] = true;
    }
    stresses
}

/// Equivalent plastic strain (1) of each triangle under these conditions, `[triangles]`, as even
/// tensors: their means at vertices are even, too. It is 0 where the material cannot flow.
pub(super) fn plastic_strain(subject: &Subject, conditions: Conditions) -> Vec<InTriangle> {
    let model = &subject.world.model;
    let absent = InTriangle::even(PlaneTensor::ABSENT);
    let mut strains = vec![absent; subject.world.triangles.len()];
    let mut order = subject.triangles.order.iter();

    for (energy, own) in with_own(model, conditions) {
        let hardened = energy.hardened(own.flowed);
        for k in 0..energy.stresses(&subject.world.rest).len() {
            let strain = hardened.get(k).copied().unwrap_or(0.0);

            // Elements come in the order of energies, and fields in the order of triangles.
            if let Some(&triangle) = order.next() {
                let even = PlaneTensor::new(&(Mat2::identity() * strain), strain);
                strains[triangle] = InTriangle::even(even);
            }
        }
    }
    strains
}

/// Green-Lagrange strain `E = (F^T F - I) / 2` (1) of each triangle at positions `x` (m),
/// `[triangles]`, along the axes of the scene at rest.
pub(super) fn strain(subject: &Subject, x: &[Vec2]) -> Vec<InTriangle> {
    let rest = &subject.world.rest;
    let triangles = subject.world.triangles.iter();
    let mut strains: Vec<InTriangle> = triangles
        .map(|&[a, b, c]| {
            let now = Mat2::from_columns(&[x[b] - x[a], x[c] - x[a]]);
            let then = Mat2::from_columns(&[rest[b] - rest[a], rest[c] - rest[a]]);
            let around = (x[a].x + x[b].x + x[c].x) / (rest[a].x + rest[b].x + rest[c].x);
            let inverse = then.try_inverse();
            InTriangle::even(inverse.map_or(PlaneTensor::ABSENT, |inverse| {
                green(subject, now * inverse, around)
            }))
        })
        .collect();

    // Facets have the values of their quadratic triangle at its nodes and between them.
    for curved in &subject.world.curved {
        let then = curved.at(rest);
        let (nodes, middles) = Point::of_nodes_and_facets(&then);
        let now = curved.at(x);
        let strain_at = |point: &Point| {
            let parts = now.iter().zip(&point.b);
            let f = parts.map(|(x, b)| outer(x - now[0], *b)).sum();
            green(subject, f, point.stretch_around(&then, &now, &f))
        };
        let at_nodes = nodes.map(|point| strain_at(&point));
        for (k, facet) in CORNERS_OF_FACETS.iter().enumerate() {
            strains[curved.first + k] = InTriangle {
                middle: strain_at(&middles[k]),
                corners: facet.map(|i| at_nodes[i]),
            };
        }
    }
    strains
}

/// Green-Lagrange strain of a deformation gradient, with the stretch `around` the axis of a body of
/// revolution.
fn green(subject: &Subject, f: Mat2, around: f64) -> PlaneTensor {
    let across = match subject.plane {
        Plane::Strain => 0.0,
        Plane::Stress => f64::NAN,
        Plane::Axisymmetric => 0.5 * (around - 1.0) * (around + 1.0),
    };
    PlaneTensor::new(&((f.transpose() * f - Mat2::identity()) * 0.5), across)
}

/// Tensors of triangles with their means at the vertices, weighted by areas at rest.
pub(super) fn averaged(subject: &Subject, triangles: &[InTriangle]) -> Tensors {
    let count = subject.world.rest.len();
    let mut vertices = vec![PlaneTensor::default(); count];
    let mut weights = vec![0.0; count];
    let all = subject.world.triangles.iter().zip(&subject.triangles.areas);
    for ((stencil, &area), own) in all.zip(triangles) {
        for (&vertex, &tensor) in stencil.iter().zip(&own.corners) {
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
        triangles: triangles.iter().map(|own| own.middle).collect(),
        vertices,
    }
}
