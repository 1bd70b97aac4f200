//! `mesh.json`: the topology that a trajectory belongs to.

use super::place::Layout;
use crate::contact::{Disk, Filter, HalfPlane, Outlines};
use crate::math::Vec2;
use crate::time::World;
use serde::{Deserialize, Serialize};

/// Name of the file.
pub const MESH: &str = "mesh.json";

/// Everything about the vertices that does not change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshFile {
    /// Rest positions (m).
    pub vertices_rest: Vec<[f64; 2]>,
    /// Elastic triangles, counter-clockwise.
    pub triangles: Vec<[usize; 3]>,
    /// Springs between two vertices.
    pub springs: Vec<[usize; 2]>,
    /// Edges that collide; circles and single points are listed below.
    pub edges: Vec<[usize; 2]>,
    /// Body of each vertex.
    pub body: Vec<usize>,
    /// All bodies, obstacles last.
    pub bodies: Vec<BodyEntry>,
    /// Half-planes, fixed or moving.
    pub planes: Vec<PlaneEntry>,
    /// Circles around a vertex.
    #[serde(default)]
    pub disks: Vec<DiskEntry>,
    /// Vertices without an edge that collide and are no centre of a circle.
    #[serde(default)]
    pub points: Vec<usize>,
    /// Pairs of bodies that pass through each other.
    #[serde(default)]
    pub filter: Filter,
}

/// Name, kind and vertices of a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyEntry {
    /// Name in the scene.
    pub name: String,
    /// One of `solid`, `springs`, `half_plane`, `rigid`, `affine`, `reduced` and `obstacle`.
    pub kind: String,
    /// True if the body's circle, or its edges with the inside on their left, enclose an area.
    #[serde(default = "filled")]
    pub filled: bool,
    /// True if the vertices move on arcs, with one centre and one angle for the whole body.
    #[serde(default)]
    pub turns: bool,
    /// Number of the first vertex.
    pub first_vertex: usize,
    /// Number of vertices of the body.
    pub vertex_count: usize,
}

/// A half-plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneEntry {
    /// Name in the scene.
    pub name: String,
    /// Unit normal towards the free side.
    pub normal: [f64; 2],
    /// Vertex at the origin of the half-plane.
    pub origin_vertex: usize,
    /// For a half-plane that turns, a vertex on its line; the free side is on the left of the way
    /// from the origin to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub along_vertex: Option<usize>,
}

impl PlaneEntry {
    /// The half-plane as contact finding takes it.
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
    /// Vertex at the centre.
    pub center_vertex: usize,
    /// Vertex on the rim, which turns with the circle.
    pub rim_vertex: usize,
    /// Radius of the circle (m).
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

/// Default of [`BodyEntry::filled`]: in files without the key every body is filled.
fn filled() -> bool {
    true
}

/// What collides in a stored run; intersections of a state are found by it.
pub struct Colliders<'a> {
    mesh: &'a MeshFile,
    edges: Vec<[usize; 2]>,
    planes: Vec<HalfPlane>,
    radius: Vec<f64>,
    filled: Vec<bool>,
}

impl Colliders<'_> {
    /// Outlines of all bodies, for tests of a state.
    pub fn outlines(&self) -> Outlines<'_> {
        Outlines {
            edges: &self.edges,
            planes: &self.planes,
            body: &self.mesh.body,
            radius: &self.radius,
            filled: &self.filled,
            filter: &self.mesh.filter,
        }
    }
}

impl MeshFile {
    /// Mesh of a world.
    pub fn of(world: &World) -> Self {
        let surface = &world.model.surface;
        // Edges of length zero stand for circles and points.
        let (edges, single): (Vec<[usize; 2]>, Vec<[usize; 2]>) =
            surface.edges.iter().partition(|[a, b]| a != b);
        let is_center = |vertex: usize| surface.disks.iter().any(|disk| disk.center == vertex);
        let points = single.into_iter().map(|[vertex, _]| vertex);

        Self {
            vertices_rest: world.rest.iter().map(|&p| p.into()).collect(),
            triangles: world.triangles.clone(),
            springs: world.springs.clone(),
            edges,
            body: surface.body.clone(),
            bodies: bodies(world),
            planes: planes(world),
            disks: surface.disks.iter().map(DiskEntry::of).collect(),
            points: points.filter(|&vertex| !is_center(vertex)).collect(),
            filter: surface.filter.clone(),
        }
    }

    /// What collides. The mesh must be consistent.
    pub fn colliders(&self) -> Colliders<'_> {
        let mut radius = vec![0.0; self.vertices_rest.len()];
        for disk in &self.disks {
            radius[disk.center_vertex] = disk.radius;
        }

        // Points and circles collide as edges of length zero.
        let mut edges = self.edges.clone();
        edges.extend(self.points.iter().map(|&vertex| [vertex; 2]));
        edges.extend(self.disks.iter().map(|disk| [disk.center_vertex; 2]));
        Colliders {
            mesh: self,
            edges,
            planes: self.planes.iter().map(PlaneEntry::half_plane).collect(),
            radius,
            filled: self.bodies.iter().map(|body| body.filled).collect(),
        }
    }

    /// Layout of the places of stored segments. The mesh must be consistent.
    pub fn layout(&self) -> Layout {
        let mut turning: Vec<_> = self
            .bodies
            .iter()
            .filter(|body| body.turns)
            .map(|body| body.first_vertex..body.first_vertex + body.vertex_count)
            .collect();
        turning.sort_unstable_by_key(|vertices| vertices.start);
        Layout {
            vertices: self.vertices_rest.len(),
            turning,
        }
    }

    /// True if the mesh equals `other`, apart from what files of older versions do not tell.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let comparable = |mesh: &Self| {
            let mut mesh = mesh.clone();
            for body in &mut mesh.bodies {
                body.turns = false;
            }
            mesh
        };
        comparable(self) == comparable(other)
    }

    /// True if every index is that of a vertex or a body, and every triangle is of one body.
    pub fn is_consistent(&self) -> bool {
        let count = self.vertices_rest.len();
        let bodies_exist = self.body.len() == count
            && self.body.iter().enumerate().all(|(vertex, &body)| {
                let body = self.bodies.get(body);
                body.is_some_and(|body| body.first_vertex <= vertex)
            });
        let turning_exist = self.bodies.iter().all(|body| {
            let end = body.first_vertex.checked_add(body.vertex_count);
            !body.turns || end.is_some_and(|end| end <= count)
        });
        bodies_exist
            && turning_exist
            && self.named_vertices().all(|vertex| vertex < count)
            && self
                .triangles
                .iter()
                .all(|&[a, b, c]| [b, c].iter().all(|&other| self.body[other] == self.body[a]))
    }

    /// All vertices that elements, half-planes, circles and points name.
    fn named_vertices(&self) -> impl Iterator<Item = usize> {
        let elements = self
            .triangles
            .iter()
            .flatten()
            .chain(self.edges.iter().flatten())
            .chain(self.springs.iter().flatten())
            .chain(&self.points)
            .copied();
        let planes = self
            .planes
            .iter()
            .flat_map(|plane| [Some(plane.origin_vertex), plane.along_vertex])
            .flatten();
        let disks = self
            .disks
            .iter()
            .flat_map(|disk| [disk.center_vertex, disk.rim_vertex]);
        elements.chain(planes).chain(disks)
    }

    /// Body and number of a vertex for messages: `vertex 3 of "upper"`.
    pub fn describe(&self, vertex: usize) -> String {
        let body = &self.bodies[self.body[vertex]];
        format!("vertex {} of \"{}\"", vertex - body.first_vertex, body.name)
    }
}

fn bodies(world: &World) -> Vec<BodyEntry> {
    // Which bodies turn does not depend on the coordinates.
    let coordinates = &world.model.coordinates;
    let origin = vec![Vec2::zeros(); coordinates.nodes()];
    let layout = Layout::of(coordinates, &origin);

    let entry = |(body, &filled): (&crate::body::Body, &bool)| BodyEntry {
        name: body.name.clone(),
        kind: body.kind.name().to_owned(),
        filled,
        turns: layout.turning.contains(&body.vertices),
        first_vertex: body.vertices.start,
        vertex_count: body.vertices.len(),
    };
    let filled = &world.model.surface.filled;
    world.bodies.iter().zip(filled).map(entry).collect()
}

fn planes(world: &World) -> Vec<PlaneEntry> {
    let name = |vertex: usize| {
        world
            .owner(vertex)
            .map_or(String::new(), |(body, _)| body.name.clone())
    };
    let surface = &world.model.surface;
    surface
        .planes
        .iter()
        .map(|plane| PlaneEntry {
            name: name(plane.origin),
            normal: plane.normal.into(),
            origin_vertex: plane.origin,
            along_vertex: plane.along,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square as files held it before they had circles, points and filters.
    const OLD: &str = r#"{ "vertices_rest": [[0, 0], [1, 0], [1, 1], [0, 1]], "triangles": [[0, 1, 2], [0, 2, 3]],
        "springs": [], "edges": [[0, 1], [1, 2], [2, 3], [3, 0]], "body": [0, 0, 0, 0],
        "bodies": [{ "name": "a", "kind": "solid", "first_vertex": 0, "vertex_count": 4 }], "planes": [] }"#;

    #[test]
    fn an_old_file_is_one_of_filled_bodies() {
        let mesh: MeshFile = serde_json::from_str(OLD).unwrap();
        assert!(mesh.layout().turning.is_empty());
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

        // A triangle of two bodies, and vertices that do not exist.
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

    #[test]
    fn turning_bodies_must_have_vertices_that_exist() {
        let mut mesh: MeshFile = serde_json::from_str(OLD).unwrap();
        mesh.bodies[0].turns = true;
        assert!(mesh.is_consistent());
        assert_eq!(mesh.layout().turn_of(), [1; 4]);
        assert!(mesh.agrees_with(&serde_json::from_str(OLD).unwrap()));
        for count in [5, usize::MAX] {
            mesh.bodies[0].vertex_count = count;
            assert!(!mesh.is_consistent());
        }
    }
}
