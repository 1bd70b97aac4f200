//! Lengths and places of bodies of revolution.
//!
//! The axis is x = 0, and x is the radius (m). Lengths and areas of the half-plane count with the
//! circumference `2 pi x` at their place, as they count with the thickness in a plane.

use super::placement::Placement;
use crate::schema::{Plane, Scene};
use ipcsim_math::Vec2;
use ipcsim_mesh::Mesh;
use std::f64::consts::TAU;

/// Radius up to which a vertex is on the axis, relative to the size of its body (1).
const ON_AXIS: f64 = 1e-9;

/// True for a scene of bodies of revolution.
pub(super) fn is_revolved(scene: &Scene) -> bool {
    scene.plane == Plane::Axisymmetric
}

/// Width across the plane (m) by which a length or area at `place` (m) counts: the thickness of the
/// scene, or the length of the turn.
///
/// A place on the axis has the width 0.
pub(super) fn breadth(scene: &Scene, place: Vec2) -> f64 {
    if is_revolved(scene) {
        TAU * place.x
    } else {
        scene.thickness
    }
}

/// A mesh where it is at rest in the world, with vertices near the axis on it.
///
/// Triangles keep their vertices.
pub(super) fn placed(mesh: &Mesh, placement: &Placement) -> Mesh {
    let mut vertices: Vec<Vec2> = mesh.vertices.iter().map(|&x| placement.place(x)).collect();
    put_on_axis(&mut vertices);
    Mesh {
        vertices,
        ..mesh.clone()
    }
}

/// Puts vertices (m) onto the axis that are next to it by rounding.
///
/// A radius that is exactly 0 marks a vertex on the axis elsewhere, so that rounding of a
/// rotation must not leave a small one.
pub(super) fn put_on_axis(vertices: &mut [Vec2]) {
    let largest = vertices.iter().map(|x| x.x.abs()).fold(0.0, f64::max);
    for x in vertices {
        if x.x.abs() <= ON_AXIS * largest {
            x.x = 0.0;
        }
    }
}
