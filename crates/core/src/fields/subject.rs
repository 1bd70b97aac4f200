//! Data that all states of a run share: the world, and more for fields.

use super::Spot;
use crate::time::World;
use ipcsim_energy::material::Plane;
use ipcsim_math::cross;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Data that all states of a run share.
#[derive(Debug)]
pub struct Subject<'a> {
    /// Bodies, elements and surfaces.
    pub world: &'a World,
    /// Plane strain or plane stress.
    pub plane: Plane,
    /// Thickness of all bodies across the plane (m).
    pub thickness: f64,
    /// Number of the material of each body, `[bodies]`; `None` for obstacles without one.
    pub materials: Vec<Option<usize>>,
    /// Number of the material of each triangle, `[triangles]`; empty if all triangles have the
    /// material of their body.
    pub of_triangles: Vec<Option<usize>>,
    /// Points besides the vertices at which fields have values.
    pub spots: Vec<Spot>,
    /// What fields know of triangles.
    pub(super) triangles: Cow<'a, Triangles>,
}

/// What fields know of the triangles of a world.
#[derive(Clone, Debug)]
pub struct Triangles {
    /// Area of each triangle at rest (m^2), `[triangles]`.
    pub areas: Vec<f64>,
    /// Number of the triangle of each stress, in the order in which energies list them.
    pub(super) order: Vec<usize>,
}

impl Triangles {
    /// Triangles of a world.
    pub fn of(world: &World) -> Self {
        let rest = &world.rest;
        let area = |&[a, b, c]: &[usize; 3]| 0.5 * cross(rest[b] - rest[a], rest[c] - rest[a]);
        let numbers: BTreeMap<&[usize; 3], usize> = world.triangles.iter().zip(0..).collect();

        // Energies list triangles law by law, the world lists them body by body.
        let listed = world
            .model
            .energies
            .iter()
            .flat_map(|energy| energy.stresses(rest));
        let order = listed.filter_map(|found| numbers.get(&found.triangle).copied());
        Self {
            areas: world.triangles.iter().map(area).collect(),
            order: order.collect(),
        }
    }
}

impl<'a> Subject<'a> {
    /// Subject of a world whose bodies have these `materials` (`[bodies]`), without spots.
    pub fn new(
        world: &'a World,
        plane: Plane,
        thickness: f64,
        materials: Vec<Option<usize>>,
    ) -> Self {
        Self {
            world,
            plane,
            thickness,
            materials,
            of_triangles: Vec::new(),
            spots: Vec::new(),
            triangles: Cow::Owned(Triangles::of(world)),
        }
    }

    /// Subject of a world whose `triangles` are known, without materials and spots.
    pub fn again(world: &'a World, plane: Plane, thickness: f64, triangles: &'a Triangles) -> Self {
        Self {
            world,
            plane,
            thickness,
            materials: Vec::new(),
            of_triangles: Vec::new(),
            spots: Vec::new(),
            triangles: Cow::Borrowed(triangles),
        }
    }

    /// Number of the body of each vertex, `[vertices]`.
    pub fn body_of_vertices(&self) -> &[usize] {
        &self.world.model.surface.body
    }

    /// Number of points: vertices and spots.
    pub fn points(&self) -> usize {
        self.world.rest.len() + self.spots.len()
    }
}
