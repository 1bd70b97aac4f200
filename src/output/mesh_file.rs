//! `mesh.json`: the topology that a trajectory belongs to.

use crate::contact::{Filter, HalfPlane, Outlines};
use crate::math::Vec2;
use crate::time::World;
use serde::{Deserialize, Serialize};

/// Everything about the vertices that does not change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshFile {
    /// Rest positions (m).
    pub vertices_rest: Vec<[f64; 2]>,
    /// Elastic triangles, counter-clockwise.
    pub triangles: Vec<[usize; 3]>,
    /// Springs.
    pub springs: Vec<[usize; 2]>,
    /// Edges that collide.
    pub edges: Vec<[usize; 2]>,
    /// The body of each vertex.
    pub body: Vec<usize>,
    /// The bodies, obstacles last.
    pub bodies: Vec<BodyEntry>,
    /// The half-planes.
    pub planes: Vec<PlaneEntry>,
    /// Radius of the circle around each vertex (m).
    pub radius: Vec<f64>,
    /// Whether the edges of each body enclose an area.
    pub filled: Vec<bool>,
    /// Bodies that pass through each other.
    pub filter: Filter,
}

/// A body's vertices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyEntry {
    /// Its name.
    pub name: String,
    /// What it is: `solid`, `springs` or `half_plane`.
    pub kind: String,
    /// Its first vertex.
    pub first_vertex: usize,
    /// How many it has.
    pub vertex_count: usize,
}

/// A half-plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneEntry {
    /// Its name.
    pub name: String,
    /// Unit normal towards the free side.
    pub normal: [f64; 2],
    /// The vertex that is its origin.
    pub origin_vertex: usize,
}

impl MeshFile {
    /// The mesh of a world.
    pub fn of(world: &World) -> Self {
        let name = |vertex: usize| world.owner(vertex).map_or(String::new(), |(body, _)| body.name.clone());
        Self {
            vertices_rest: world.rest.iter().map(|&p| p.into()).collect(),
            triangles: world.triangles.clone(),
            springs: world.springs.clone(),
            edges: world.surface.edges.clone(),
            body: world.surface.body.clone(),
            bodies: world
                .bodies
                .iter()
                .map(|body| BodyEntry {
                    name: body.name.clone(),
                    kind: body.kind.name().to_owned(),
                    first_vertex: body.vertices.start,
                    vertex_count: body.vertices.len(),
                })
                .collect(),
            planes: world
                .surface
                .planes
                .iter()
                .map(|plane| PlaneEntry {
                    name: name(plane.origin),
                    normal: plane.normal.into(),
                    origin_vertex: plane.origin,
                })
                .collect(),
            radius: world.surface.radius.clone(),
            filled: world.surface.filled.clone(),
            filter: world.surface.filter.clone(),
        }
    }

    /// The half-planes as contact knows them.
    pub fn half_planes(&self) -> Vec<HalfPlane> {
        let plane = |p: &PlaneEntry| HalfPlane { normal: Vec2::from(p.normal), origin: p.origin_vertex };
        self.planes.iter().map(plane).collect()
    }

    /// What a state may not have.
    pub fn outlines<'a>(&'a self, planes: &'a [HalfPlane]) -> Outlines<'a> {
        Outlines {
            edges: &self.edges,
            planes,
            body: &self.body,
            radius: &self.radius,
            filled: &self.filled,
            filter: &self.filter,
        }
    }

    /// Whether every index is that of a vertex or a body.
    pub fn is_consistent(&self) -> bool {
        let n = self.vertices_rest.len();
        let vertices =
            self.triangles.iter().flatten().chain(self.edges.iter().flatten()).chain(self.springs.iter().flatten());
        let origins = self.planes.iter().map(|plane| &plane.origin_vertex);
        self.body.len() == n
            && self.radius.len() == n
            && self.filled.len() == self.bodies.len()
            && self.body.iter().enumerate().all(|(i, &body)| self.bodies.get(body).is_some_and(|b| b.first_vertex <= i))
            && vertices.chain(origins).all(|&vertex| vertex < n)
    }

    /// "vertex 3 of "upper"", for messages.
    pub fn describe(&self, vertex: usize) -> String {
        let body = &self.bodies[self.body[vertex]];
        format!("vertex {} of \"{}\"", vertex - body.first_vertex, body.name)
    }
}
