//! `mesh.json`: the topology that a trajectory belongs to.

use crate::contact::{Disk, Filter, HalfPlane, Outlines};
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
    /// Edges that collide, apart from those below.
    pub edges: Vec<[usize; 2]>,
    /// The body of each vertex.
    pub body: Vec<usize>,
    /// The bodies, obstacles last.
    pub bodies: Vec<BodyEntry>,
    /// The half-planes.
    pub planes: Vec<PlaneEntry>,
    /// The circles.
    #[serde(default)]
    pub disks: Vec<DiskEntry>,
    /// Vertices without an edge that collide, and are no centre of a circle.
    #[serde(default)]
    pub points: Vec<usize>,
    /// Bodies that pass through each other.
    #[serde(default)]
    pub filter: Filter,
}

/// A body's vertices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyEntry {
    /// Its name.
    pub name: String,
    /// What it is: `solid`, `springs`, `half_plane`, `rigid`, `affine`, `reduced` or `obstacle`.
    pub kind: String,
    /// Whether its edges, which have the inside on their left, or its circle enclose an area.
    #[serde(default = "filled")]
    pub filled: bool,
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
    /// Of a half-plane that turns, a vertex on its line, with the free side on the left of the way there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub along_vertex: Option<usize>,
}

impl PlaneEntry {
    /// The half-plane as contact knows it.
    pub fn half_plane(&self) -> HalfPlane {
        HalfPlane {
            normal: Vec2::from(self.normal),
            origin: self.origin_vertex,
            along: self.along_vertex,
        }
    }
}

/// A circle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiskEntry {
    /// The vertex at its centre.
    pub center_vertex: usize,
    /// A vertex on its rim, which turns with it.
    pub rim_vertex: usize,
    /// Radius (m).
    pub radius: f64,
}

impl DiskEntry {
    fn of(disk: &Disk) -> Self {
        Self {
            center_vertex: disk.center,
            rim_vertex: disk.rim,
            radius: disk.radius,
        }
    }
}

/// Files without the key are of runs in which every body was filled.
fn filled() -> bool {
    true
}

/// What a state of a stored run may not have is found by these.
pub struct Colliders<'a> {
    mesh: &'a MeshFile,
    edges: Vec<[usize; 2]>,
    planes: Vec<HalfPlane>,
    radius: Vec<f64>,
    filled: Vec<bool>,
}

impl Colliders<'_> {
    /// The outlines as contact knows them.
    pub fn outlines(&self) -> Outlines<'_> {
        let Self {
            mesh,
            edges,
            planes,
            radius,
            filled,
        } = self;
        Outlines {
            edges,
            planes,
            body: &mesh.body,
            radius,
            filled,
            filter: &mesh.filter,
        }
    }
}

impl MeshFile {
    /// The mesh of a world.
    pub fn of(world: &World) -> Self {
        let name = |vertex: usize| {
            world
                .owner(vertex)
                .map_or(String::new(), |(body, _)| body.name.clone())
        };
        let surface = &world.model.surface;
        let (edges, alone): (Vec<[usize; 2]>, Vec<[usize; 2]>) =
            surface.edges.iter().partition(|[a, b]| a != b);
        let is_center = |vertex: usize| surface.disks.iter().any(|disk| disk.center == vertex);
        Self {
            vertices_rest: world.rest.iter().map(|&p| p.into()).collect(),
            triangles: world.triangles.clone(),
            springs: world.springs.clone(),
            edges,
            body: surface.body.clone(),
            bodies: world
                .bodies
                .iter()
                .zip(&surface.filled)
                .map(|(body, &filled)| BodyEntry {
                    name: body.name.clone(),
                    kind: body.kind.name().to_owned(),
                    filled,
                    first_vertex: body.vertices.start,
                    vertex_count: body.vertices.len(),
                })
                .collect(),
            planes: surface
                .planes
                .iter()
                .map(|plane| PlaneEntry {
                    name: name(plane.origin),
                    normal: plane.normal.into(),
                    origin_vertex: plane.origin,
                    along_vertex: plane.along,
                })
                .collect(),
            disks: surface.disks.iter().map(DiskEntry::of).collect(),
            points: alone
                .into_iter()
                .map(|[vertex, _]| vertex)
                .filter(|&vertex| !is_center(vertex))
                .collect(),
            filter: surface.filter.clone(),
        }
    }

    /// What states are tested by. The mesh must be consistent.
    pub fn colliders(&self) -> Colliders<'_> {
        let mut radius = vec![0.0; self.vertices_rest.len()];
        for disk in &self.disks {
            radius[disk.center_vertex] = disk.radius;
        }
        let alone = self
            .points
            .iter()
            .copied()
            .chain(self.disks.iter().map(|disk| disk.center_vertex));
        Colliders {
            mesh: self,
            edges: self
                .edges
                .iter()
                .copied()
                .chain(alone.map(|vertex| [vertex; 2]))
                .collect(),
            planes: self.planes.iter().map(PlaneEntry::half_plane).collect(),
            radius,
            filled: self.bodies.iter().map(|body| body.filled).collect(),
        }
    }

    /// Whether every index is that of a vertex or a body, and every triangle is of one body.
    pub fn is_consistent(&self) -> bool {
        let n = self.vertices_rest.len();
        let vertices = self
            .triangles
            .iter()
            .flatten()
            .chain(self.edges.iter().flatten())
            .chain(self.springs.iter().flatten());
        let of_planes = self
            .planes
            .iter()
            .flat_map(|plane| [Some(&plane.origin_vertex), plane.along_vertex.as_ref()]);
        let alone = of_planes.flatten().chain(&self.points);
        let of_disks = self
            .disks
            .iter()
            .flat_map(|disk| [&disk.center_vertex, &disk.rim_vertex]);
        self.body.len() == n
            && self
                .body
                .iter()
                .enumerate()
                .all(|(i, &body)| self.bodies.get(body).is_some_and(|b| b.first_vertex <= i))
            && vertices
                .chain(alone)
                .chain(of_disks)
                .all(|&vertex| vertex < n)
            && self
                .triangles
                .iter()
                .all(|&[a, b, c]| [b, c].iter().all(|&other| self.body[other] == self.body[a]))
    }

    /// "vertex 3 of "upper"", for messages.
    pub fn describe(&self, vertex: usize) -> String {
        let body = &self.bodies[self.body[vertex]];
        format!("vertex {} of \"{}\"", vertex - body.first_vertex, body.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square, as it was written before there were circles, points and filters.
    const OLD: &str = r#"{ "vertices_rest": [[0, 0], [1, 0], [1, 1], [0, 1]], "triangles": [[0, 1, 2], [0, 2, 3]],
        "springs": [], "edges": [[0, 1], [1, 2], [2, 3], [3, 0]], "body": [0, 0, 0, 0],
        "bodies": [{ "name": "a", "kind": "solid", "first_vertex": 0, "vertex_count": 4 }], "planes": [] }"#;

    #[test]
    fn an_old_file_is_one_of_filled_bodies() {
        let mesh: MeshFile = serde_json::from_str(OLD).unwrap();
        assert!(mesh.is_consistent() && mesh.bodies[0].filled);
        let colliders = mesh.colliders();
        assert_eq!(
            (colliders.outlines().edges, colliders.outlines().filled),
            (&mesh.edges[..], &[true][..])
        );
    }

    #[test]
    fn circles_and_points_collide_and_must_name_vertices() {
        let mesh: MeshFile = serde_json::from_str(OLD).unwrap();
        let disk = DiskEntry {
            center_vertex: 1,
            rim_vertex: 2,
            radius: 0.5,
        };
        let with = |disk, points: &[usize]| MeshFile {
            disks: vec![disk],
            points: points.to_vec(),
            ..mesh.clone()
        };
        let good = with(disk, &[3]);
        assert!(good.is_consistent());
        assert_eq!(good.colliders().outlines().edges[4..], [[3, 3], [1, 1]]);
        assert_eq!(good.colliders().outlines().radius, [0.0, 0.5, 0.0, 0.0]);
        let mut split = mesh.clone();
        split.bodies.push(BodyEntry {
            first_vertex: 3,
            vertex_count: 1,
            ..mesh.bodies[0].clone()
        });
        split.body[3] = 1;
        let bad = [
            split,
            with(disk, &[4]),
            with(
                DiskEntry {
                    center_vertex: 4,
                    ..disk
                },
                &[],
            ),
            with(
                DiskEntry {
                    rim_vertex: 4,
                    ..disk
                },
                &[],
            ),
        ];
        assert!(bad.iter().all(|mesh| !mesh.is_consistent()));
    }
}
