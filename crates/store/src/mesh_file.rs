//! `mesh.json`: the topology that a trajectory belongs to.
//!
//! A trajectory holds positions only. The mesh says which vertices are triangles, springs, edges,
//! circles and half-planes, and whose they are. It is written once a run and checked by a checksum
//! in `run.json`. From it, `verify` tests stored states for intersections and `render` paints them,
//! without the scene and without the library's world.
//!
//! Files of older versions lack some keys; each of these has a default that leaves the meaning of
//! such a file as it was.

use super::joint_entry::JointEntry;
use super::place::Layout;
use super::rigid_fit::{mean, turned};
use super::rod_entry::RodEntry;
use ipcsim::contact::{Disk, Filter, HalfPlane, Outlines, RodChain, RodNeighbours};
use ipcsim::math::Vec2;
use ipcsim::mesh::{Curved, are_facets};
use ipcsim::time::World;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Name of the file.
pub const MESH: &str = "mesh.json";

/// Everything about the vertices of a run that does not change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshFile {
    /// Rest positions (m), `[vertices]`.
    pub vertices_rest: Vec<[f64; 2]>,
    /// Elastic triangles, counter-clockwise; of a quadratic one its four facets.
    pub triangles: Vec<[usize; 3]>,
    /// Quadratic triangles: nodes 0 to 2 at the corners and 3 to 5 on the sides 01, 12, 20, and the
    /// number of the first of the four facets, which are `[0, 3, 5]`, `[3, 1, 4]`, `[5, 4, 2]` and
    /// `[3, 4, 5]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quadratic: Vec<Curved>,
    /// Largest distance at rest between the curved sides of quadratic triangles and the straight edges
    /// between their nodes, which collide (m).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub curve_deviation: f64,
    /// True if bodies are bodies of revolution about the axis x = 0.
    #[serde(default, skip_serializing_if = "is_false")]
    pub axisymmetric: bool,
    /// Periods of a scene that repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periodic: Option<PeriodsEntry>,
    /// Springs, each between two vertices.
    pub springs: Vec<[usize; 2]>,
    /// Vertices of any two segments of rods that follow each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bends: Vec<[usize; 3]>,
    /// Rods, whose edges have a thickness.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rods: Vec<RodEntry>,
    /// Edges that collide; circles and single points are listed below.
    pub edges: Vec<[usize; 2]>,
    /// Number of the body of each vertex, `[vertices]`.
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
    /// Joints, in the order of the scene.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointEntry>,
    /// Images of bodies that turn, in a scene that repeats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turning_images: Vec<TurningImage>,
}

/// The image of a body that turns, across the periods of a scene that repeats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurningImage {
    /// Number of the first vertex.
    pub first_vertex: usize,
    /// Number of vertices, as many as the body has.
    pub vertex_count: usize,
    /// Centre about which the image turns, where its vertices are at rest (m).
    pub center: [f64; 2],
}

impl TurningImage {
    /// Numbers of the vertices.
    fn vertices(&self) -> Range<usize> {
        self.first_vertex..self.first_vertex + self.vertex_count
    }
}

/// Periods of a scene that repeats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeriodsEntry {
    /// Vertices whose places are the two periods as vectors (m).
    pub vertices: [usize; 2],
    /// True for each of them along which the scene repeats.
    pub repeats: [bool; 2],
}

/// Name, kind and vertices of a body, which are consecutive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyEntry {
    /// Name in the scene.
    pub name: String,
    /// One of `solid`, `springs`, `rod`, `half_plane`, `rigid`, `affine`, `reduced` and `obstacle`.
    pub kind: String,
    /// True if the body's circle, or its edges with the inside on their left, enclose an area.
    #[serde(default = "filled")]
    pub filled: bool,
    /// True if the vertices move on arcs, with one centre and one angle for the whole body.
    #[serde(default)]
    pub turns: bool,
    /// Centre about which these arcs turn, where the vertices are at rest (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub center: Option<[f64; 2]>,
    /// Number of the first vertex.
    pub first_vertex: usize,
    /// Number of vertices of the body.
    pub vertex_count: usize,
}

/// A half-plane, whose place is that of its vertices.
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
    /// The half-plane as contact finding takes it; vertices keep their numbers.
    pub fn half_plane(&self) -> HalfPlane {
        HalfPlane {
            normal: Vec2::from(self.normal),
            origin: self.origin_vertex,
            along: self.along_vertex,
        }
    }
}

/// A circle around a vertex.
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
    /// Entry of a circle; vertices keep their numbers.
    fn of(disk: &Disk) -> Self {
        Self {
            center_vertex: disk.center,
            rim_vertex: disk.rim,
            radius: disk.radius,
        }
    }
}

/// True for a mesh in the plane.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(axisymmetric: &bool) -> bool {
    !axisymmetric
}

/// True for the deviation of a mesh without curved sides.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(deviation: &f64) -> bool {
    *deviation == 0.0
}

/// Default of [`BodyEntry::filled`]: in files without the key every body is filled.
fn filled() -> bool {
    true
}

/// Everything that collides in a stored run, in the form that tests of a state take.
#[derive(Debug)]
pub struct Colliders<'a> {
    /// Mesh that the colliders are of.
    mesh: &'a MeshFile,
    /// Edges, and circles and single points as edges of length zero.
    edges: Vec<[usize; 2]>,
    /// Half-planes, fixed or moving.
    planes: Vec<HalfPlane>,
    /// Radius of the circle around each vertex, or of its rod (m), 0 without one, `[vertices]`.
    radius: Vec<f64>,
    /// Rods with a radius.
    strands: RodNeighbours,
    /// True for each body that encloses an area.
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
            strands: &self.strands,
            filled: &self.filled,
            filter: &self.mesh.filter,
            first_image: self.mesh.first_image(),
        }
    }
}

impl MeshFile {
    /// Mesh of a world: its rest positions, elements and colliders.
    pub fn of(world: &World) -> Self {
        let surface = &world.model.surface;

        // Edges of length zero stand for circles and points.
        let (edges, single): (Vec<[usize; 2]>, Vec<[usize; 2]>) =
            surface.edges.iter().partition(|[a, b]| a != b);
        let mut points = Vec::new();
        for [vertex, _] in single {
            if !surface.disks.iter().any(|disk| disk.center == vertex) {
                points.push(vertex);
            }
        }

        Self {
            vertices_rest: world.rest.iter().map(|&p| p.into()).collect(),
            triangles: world.triangles.clone(),
            quadratic: world.curved.clone(),
            curve_deviation: largest_sagitta(&world.curved, &world.rest),
            axisymmetric: world.model.surface.is_revolved(),
            periodic: world
                .model
                .coordinates
                .lattice()
                .map(|lattice| PeriodsEntry {
                    vertices: lattice
                        .periods()
                        .map(|node| world.model.coordinates.vertex_of(node)),
                    repeats: lattice.repeats(),
                }),
            springs: world.springs.clone(),
            bends: world.bends.clone(),
            rods: world
                .rods
                .iter()
                .map(|rod| RodEntry::of(rod, world))
                .collect(),
            edges,
            body: surface.body.clone(),
            bodies: bodies(world),
            planes: planes(world),
            disks: surface.disks.iter().map(DiskEntry::of).collect(),
            points,
            filter: surface.filter.clone(),
            joints: world.model.joints.iter().map(JointEntry::of).collect(),
            turning_images: turning_images(world),
        }
    }

    /// Everything that collides. The mesh must be consistent, see [`MeshFile::is_consistent`].
    pub fn colliders(&self) -> Colliders<'_> {
        let mut radius = vec![0.0; self.vertices_rest.len()];
        for disk in &self.disks {
            radius[disk.center_vertex] = disk.radius;
        }
        for rod in self.rods.iter().filter(|rod| rod.radius > 0.0) {
            // So also its images.
            let all = radius.iter_mut().zip(&self.body);
            let own = all.filter(|(_, body)| **body == rod.body);
            own.for_each(|(radius, _)| *radius = rod.radius);
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
            strands: self.strands(),
            filled: self.bodies.iter().map(|body| body.filled).collect(),
        }
    }

    /// Triangles that are elements themselves, without the facets of quadratic ones.
    pub fn linear_triangles(&self) -> Vec<[usize; 3]> {
        let is_facet = are_facets(&self.quadratic, self.triangles.len());
        let all = self.triangles.iter().zip(is_facet);
        all.filter(|(_, is_facet)| !is_facet)
            .map(|(triangle, _)| *triangle)
            .collect()
    }

    /// Numbers of the vertices of a rod.
    fn vertices_of(&self, rod: &RodEntry) -> Range<usize> {
        let body = &self.bodies[rod.body];
        body.first_vertex..body.first_vertex + body.vertex_count
    }

    /// Rods with a radius, whose lengths are those of their vertices at rest.
    fn strands(&self) -> RodNeighbours {
        let thick = self.rods.iter().filter(|rod| rod.radius > 0.0);
        let strands = thick.map(|rod| {
            let own = self.vertices_of(rod);
            let rest = &self.vertices_rest[own.clone()];
            let rest: Vec<Vec2> = rest.iter().map(|&x| x.into()).collect();
            let chain = RodChain::new([rod.body, own.start], &rest, rod.closed, rod.exempt_length);
            chain.beyond(rod.images.clone())
        });
        RodNeighbours::new(strands.collect())
    }

    /// Number of the first vertex of images in a scene that repeats; `usize::MAX` in others.
    pub fn first_image(&self) -> usize {
        let periodic = self.periodic.as_ref();
        periodic.map_or(usize::MAX, |own| own.vertices[0])
    }

    /// Layout of the places of stored segments. The mesh must be consistent.
    pub fn layout(&self) -> Layout {
        let mut turning: Vec<_> = self
            .bodies
            .iter()
            .filter(|body| body.turns)
            .map(|body| body.first_vertex..body.first_vertex + body.vertex_count)
            .collect();
        turning.extend(self.turning_images.iter().map(TurningImage::vertices));
        turning.sort_unstable_by_key(|vertices| vertices.start);
        Layout {
            vertices: self.vertices_rest.len(),
            turning,
        }
    }

    /// True if the mesh equals `other`, apart from [`BodyEntry::turns`] and [`BodyEntry::center`],
    /// which files of older versions lack.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.without_turns() == other.without_turns()
    }

    /// The mesh as if no body turned.
    fn without_turns(&self) -> Self {
        let mut mesh = self.clone();
        for body in &mut mesh.bodies {
            body.turns = false;
            body.center = None;
        }
        mesh.turning_images.clear();
        mesh
    }

    /// True if every index is that of a vertex or a body, and every triangle is of one body.
    ///
    /// All other methods may index without checks if it is.
    pub fn is_consistent(&self) -> bool {
        let count = self.vertices_rest.len();
        let bodies_exist = self.body.len() == count
            && self.body.iter().enumerate().all(|(vertex, &body)| {
                let body = self.bodies.get(body);
                body.is_some_and(|body| body.first_vertex <= vertex)
            });

        let rods_exist = self.rods.iter().all(|rod| {
            let body = self.bodies.get(rod.body);
            let end = body.and_then(|body| body.first_vertex.checked_add(body.vertex_count));
            end.is_some_and(|end| end <= count)
        });

        let turning_exist = self.bodies.iter().all(|body| {
            let end = body.first_vertex.checked_add(body.vertex_count);
            !body.turns || end.is_some_and(|end| end <= count)
        });
        let images_exist = self.turning_images.iter().all(|image| {
            let end = image.first_vertex.checked_add(image.vertex_count);
            end.is_some_and(|end| end <= count)
        });

        // Elements after the vertices' bodies: triangles ask for these.
        bodies_exist
            && turning_exist
            && images_exist
            && rods_exist
            && self.named_vertices().all(|vertex| vertex < count)
            && self
                .triangles
                .iter()
                .all(|&[a, b, c]| [b, c].iter().all(|&other| self.body[other] == self.body[a]))
            && self.quadratic.iter().all(|curved| self.has_facets(curved))
    }

    /// True if the facets of a quadratic triangle are where it says, and so are its nodes.
    fn has_facets(&self, curved: &Curved) -> bool {
        let end = curved.first.checked_add(4);
        let own = end.and_then(|end| self.triangles.get(curved.first..end));
        own.is_some_and(|own| own == curved.facets())
    }

    /// All vertices that elements, half-planes, circles and points name.
    fn named_vertices(&self) -> impl Iterator<Item = usize> {
        // Elements, then half-planes and circles.
        let elements = self
            .triangles
            .iter()
            .flatten()
            .chain(self.edges.iter().flatten())
            .chain(self.springs.iter().flatten())
            .chain(self.bends.iter().flatten())
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

        let joints = self.joints.iter().flat_map(JointEntry::vertices);
        let periods = self.periodic.iter().flat_map(|own| own.vertices);
        let elements = elements.chain(periods);
        elements.chain(planes).chain(disks).chain(joints)
    }

    /// Body and number of a vertex for messages: `vertex 3 of "upper"`; of a half-plane its name.
    pub fn describe(&self, vertex: usize) -> String {
        let body = &self.bodies[self.body[vertex]];
        if self.planes.iter().any(|plane| plane.name == body.name) {
            return format!("\"{}\"", body.name);
        }
        format!("vertex {} of \"{}\"", vertex - body.first_vertex, body.name)
    }
}

/// Largest distance between the curved sides of quadratic triangles and the edges between their nodes,
/// where vertices are at `x` (m).
pub fn largest_sagitta(curved: &[Curved], x: &[Vec2]) -> f64 {
    let all = curved.iter().map(|curved| curved.sagitta(x));
    all.fold(0.0, f64::max)
}

/// Entries of all bodies of a world, obstacles last. A body turns if its vertices move on arcs with
/// one centre and one angle.
fn bodies(world: &World) -> Vec<BodyEntry> {
    let (layout, centers) = turning(world);

    let mut entries = Vec::with_capacity(world.bodies.len());
    for (body, &filled) in world.bodies.iter().zip(&world.model.surface.filled) {
        let own = body.vertices.clone();
        let turns = layout.turning.contains(&own);
        entries.push(BodyEntry {
            name: body.name.clone(),
            kind: body.kind.name().to_owned(),
            filled,
            turns,
            center: turns.then(|| centers(own)),
            first_vertex: body.vertices.start,
            vertex_count: body.vertices.len(),
        });
    }
    entries
}

/// Layout of a world, and the centre at rest (m) of a body that turns, by its vertices.
fn turning(world: &World) -> (Layout, impl Fn(Range<usize>) -> [f64; 2]) {
    // Which bodies turn does not depend on the coordinates.
    let coordinates = &world.model.coordinates;
    let origin = vec![Vec2::zeros(); coordinates.nodes()];
    let layout = Layout::of(coordinates, &origin);
    let mut arms = vec![Vec2::zeros(); coordinates.vertices()];
    coordinates.positions(&origin, &mut arms);
    let center = move |own: Range<usize>| {
        let arms = &arms[own.clone()];
        turned(arms, &world.rest[own], -mean(arms)).into()
    };
    (layout, center)
}

/// Entries of the images of bodies that turn.
fn turning_images(world: &World) -> Vec<TurningImage> {
    if world.model.coordinates.lattice().is_none() {
        return Vec::new();
    }
    let (layout, centers) = turning(world);
    let is_image = |own: &&Range<usize>| world.model.coordinates.is_image(own.start);
    let images = layout.turning.iter().filter(is_image);
    let entries = images.map(|own| TurningImage {
        first_vertex: own.start,
        vertex_count: own.len(),
        center: centers(own.clone()),
    });
    entries.collect()
}

/// Entries of all half-planes of a world, each with the name of its body.
fn planes(world: &World) -> Vec<PlaneEntry> {
    let mut entries = Vec::new();
    for plane in &world.model.surface.planes {
        let owner = world.owner(plane.origin);
        entries.push(PlaneEntry {
            name: owner.map_or(String::new(), |(body, _)| body.name.clone()),
            normal: plane.normal.into(),
            origin_vertex: plane.origin,
            along_vertex: plane.along,
        });
    }
    entries
}

#[cfg(test)]
mod tests;
