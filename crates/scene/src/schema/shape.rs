//! Shapes of bodies and obstacles.
//!
//! There are four classes of shapes. Shapes with triangles (square to file) are for every kind of
//! body. Curves (outline to wire) are for bodies that move as a whole. Circles and points have no
//! edges and are for rigid bodies. Half-planes are for obstacles. Obstacles can have any shape.
//!
//! A shape is made about its own origin, and the body or obstacle places that origin in the scene.
//! Every shape converts into a [`Shape`], so that constructors take it as it is.

use super::area::Area;
use super::cells::MAX_CELLS;
use super::file::ShapeFile;
use super::gear::Gear;
use super::{examples, is_default};
use ipcsim_keys::Keys;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::rotation;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A shape, centred at its origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
#[key(example = examples::shape())]
pub enum Shape {
    /// A square with triangles.
    Square(Square),
    /// A rectangle with triangles.
    Rectangle(Rectangle),
    /// A disk with triangles.
    Disk(Disk),
    /// A regular polygon with triangles, standing on a side.
    RegularPolygon(RegularPolygon),
    /// Given vertices and triangles.
    Mesh(InlineMesh),
    /// An area within closed curves of lines, arcs and splines.
    Area(Area),
    /// A shape in a file.
    File(ShapeFile),
    /// An exact circle, for rigid bodies and obstacles.
    Circle(Circle),
    /// A closed curve and its inside, for bodies without triangles.
    Outline(Outline),
    /// A ring, for bodies without triangles.
    Ring(Ring),
    /// A gear wheel, for bodies without triangles.
    Gear(Gear),
    /// A line of edges without an inside, for rods and for bodies without triangles.
    Polyline(Polyline),
    /// Given vertices and edges without an inside, for bodies without triangles. Vertices without
    /// an edge are points.
    Wire(Wire),
    /// A single point, for rigid bodies and obstacles.
    Point(Point),
    /// Everything behind a line, for obstacles.
    HalfPlane(HalfPlane),
}

impl Shape {
    /// Names in the shape, which select its vertices.
    ///
    /// A shape in a file has none before the file is read.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Area(area) => area.names(),
            Self::Mesh(mesh) => mesh.groups.keys().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

/// Lets constructors of bodies take a shape as it is: a conversion into each variant of [`Shape`].
macro_rules! shapes {
    ($($variant:ident($shape:ident)),*) => {
        $(impl From<$shape> for Shape {
            fn from(shape: $shape) -> Self {
                Self::$variant(shape)
            }
        })*
    };
}

shapes!(
    Square(Square),
    Rectangle(Rectangle),
    Disk(Disk),
    RegularPolygon(RegularPolygon),
    Mesh(InlineMesh),
    Area(Area),
    File(ShapeFile),
    Circle(Circle),
    Outline(Outline),
    Ring(Ring),
    Gear(Gear),
    Polyline(Polyline),
    Wire(Wire),
    Point(Point),
    HalfPlane(HalfPlane)
);

/// A square with triangles, centred at its origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Square {
    /// Length of a side (m).
    #[key(above = 0)]
    pub side: f64,
    /// Number of edges of a side.
    #[key(at_least = 1)]
    pub segments: usize,
}

impl Square {
    /// A square with sides of this length (m), each divided into `segments` edges.
    pub fn new(side: f64, segments: usize) -> Self {
        Self { side, segments }
    }
}

/// A rectangle with triangles, centred at its origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Rectangle {
    /// Width and height (m).
    #[key(above = 0)]
    pub size: [f64; 2],
    /// Number of edges along x and y.
    #[key(at_least = 1)]
    pub segments: [usize; 2],
}

impl Rectangle {
    /// A rectangle with this width and height (m) and numbers of edges along x and y.
    pub fn new(size: [f64; 2], segments: [usize; 2]) -> Self {
        Self { size, segments }
    }
}

/// A disk with triangles in rings around its centre.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Disk {
    /// Radius of the disk (m).
    #[key(above = 0)]
    pub radius: f64,
    /// Number of edges of the boundary, rounded up to a multiple of 6.
    #[key(at_least = 1)]
    pub segments: usize,
}

impl Disk {
    /// A disk with this radius (m) and number of edges of the boundary.
    pub fn new(radius: f64, segments: usize) -> Self {
        Self { radius, segments }
    }
}

/// A regular polygon with triangles, standing on a side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct RegularPolygon {
    /// Distance of corners from the centre (m).
    #[key(above = 0)]
    pub radius: f64,
    /// Number of sides of the polygon.
    #[key(at_least = 3)]
    pub sides: usize,
    /// Number of edges of a side.
    #[key(at_least = 1)]
    pub segments: usize,
}

impl RegularPolygon {
    /// A polygon with corners at distance `radius` (m), this number of sides, and edges of a side.
    pub fn new(radius: f64, sides: usize, segments: usize) -> Self {
        Self {
            radius,
            sides,
            segments,
        }
    }
}

/// A mesh of given vertices and triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::mesh())]
pub struct InlineMesh {
    /// Positions of vertices (m).
    pub vertices: Vec<[f64; 2]>,
    /// Counter-clockwise triangles of vertex numbers, from 0.
    pub triangles: Vec<[usize; 3]>,
    /// True if triangles come in fours, each four between the nodes 0 to 5 of a six-node triangle:
    /// `[0, 3, 5]`, `[3, 1, 4]`, `[5, 4, 2]`, `[3, 4, 5]`, with nodes 3, 4, 5 on the sides 01, 12, 20.
    /// A body with quadratic elements then has these. Files of six-node triangles are read so.
    #[serde(default, skip_serializing_if = "is_default")]
    pub quadratic: bool,
    /// Groups of vertices and triangles by name, for selections and regions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, Group>,
}

/// A part of a mesh. Its name selects its vertices, and the vertices of its triangles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Numbers of vertices, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vertices: Vec<usize>,
    /// Numbers of triangles, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triangles: Vec<usize>,
}

impl InlineMesh {
    /// A mesh of vertices (m) and counter-clockwise triangles of vertex numbers.
    pub fn new(vertices: Vec<[f64; 2]>, triangles: Vec<[usize; 3]>) -> Self {
        Self {
            vertices,
            triangles,
            quadratic: false,
            groups: BTreeMap::new(),
        }
    }

    /// Vertices of a group and of its triangles, ascending; none without such a group.
    pub fn vertices_of(&self, group: &str) -> Vec<usize> {
        let Some(group) = self.groups.get(group) else {
            return Vec::new();
        };
        let corners = group.triangles.iter().flat_map(|&k| self.triangles[k]);
        let mut all: Vec<usize> = group.vertices.iter().copied().chain(corners).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// An exact circle around its origin, without edges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Circle {
    /// Radius of the circle (m).
    #[key(above = 0)]
    pub radius: f64,
}

impl Circle {
    /// A circle with this radius (m).
    pub fn new(radius: f64) -> Self {
        Self { radius }
    }
}

/// A closed curve and its inside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::outline())]
pub struct Outline {
    /// Corners in order, in either direction (m); an edge joins the last to the first.
    pub points: Vec<[f64; 2]>,
    /// Closed curves around holes, each a list of corners (m).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Vec<[f64; 2]>>,
}

impl Outline {
    /// A closed curve through these corners (m), without holes.
    pub fn new(points: Vec<[f64; 2]>) -> Self {
        Self {
            points,
            holes: Vec::new(),
        }
    }

    /// Adds a hole with these corners (m).
    #[must_use]
    pub fn with_hole(mut self, points: Vec<[f64; 2]>) -> Self {
        self.holes.push(points);
        self
    }
}

/// A ring between two regular polygons of many sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Ring {
    /// Distance of outer corners from the centre (m).
    #[key(above = 0)]
    pub radius: f64,
    /// Distance of inner corners from the centre (m).
    #[key(above = 0)]
    pub inner_radius: f64,
    /// Number of edges of each of the two circles.
    #[key(at_least = 3, limit = MAX_CELLS)]
    pub segments: usize,
}

impl Ring {
    /// A ring with outer and inner radius (m) and number of edges of each circle.
    pub fn new(radius: f64, inner_radius: f64, segments: usize) -> Self {
        Self {
            radius,
            inner_radius,
            segments,
        }
    }
}

/// A line of edges without an inside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Polyline {
    /// Points in order (m); `vertices` is another name of this key.
    #[serde(alias = "vertices")]
    pub points: Vec<[f64; 2]>,
    /// True if an edge joins the last point to the first.
    #[serde(default)]
    pub closed: bool,
    /// Number of equal edges from each point to the next.
    #[serde(default = "one_edge")]
    #[key(at_least = 1)]
    pub segments: usize,
}

/// Default of the number of edges between two points of a polyline (1).
fn one_edge() -> usize {
    1
}

impl Polyline {
    /// An open line through these points (m).
    pub fn open(points: Vec<[f64; 2]>) -> Self {
        Self {
            points,
            closed: false,
            segments: 1,
        }
    }

    /// A line through these points (m) and back to the first.
    pub fn closed(points: Vec<[f64; 2]>) -> Self {
        Self {
            points,
            closed: true,
            segments: 1,
        }
    }

    /// Divides the line from each point to the next into this number of edges.
    #[must_use]
    pub fn divided(mut self, segments: usize) -> Self {
        self.segments = segments;
        self
    }
}

/// Points and edges between them, without an inside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Wire {
    /// Positions of vertices (m); `points` is another name of this key.
    #[serde(alias = "points")]
    pub vertices: Vec<[f64; 2]>,
    /// Pairs of vertex numbers, from 0. If absent an edge leads from each vertex to the next, as in a
    /// `polyline`; vertices without an edge are points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<[usize; 2]>>,
}

impl Wire {
    /// Pairs of vertex numbers: as given, or from each vertex to the next.
    pub fn pairs(&self) -> Cow<'_, [[usize; 2]]> {
        match &self.edges {
            Some(edges) => edges.into(),
            None => (1..self.vertices.len()).map(|k| [k - 1, k]).collect(),
        }
    }

    /// Vertices (m) and edges between them, as pairs of vertex numbers.
    pub fn new(vertices: Vec<[f64; 2]>, edges: Vec<[usize; 2]>) -> Self {
        Self {
            vertices,
            edges: Some(edges),
        }
    }
}

/// A single point with a mass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Mass (kg), instead of the material's density; an obstacle's has no effect.
    #[serde(default = "one_kilogram")]
    #[key(above = 0)]
    pub mass: f64,
}

impl Point {
    /// A point of this mass (kg).
    pub fn new(mass: f64) -> Self {
        Self { mass }
    }
}

impl Default for Point {
    /// A point of 1 kg.
    fn default() -> Self {
        Self::new(one_kilogram())
    }
}

/// Default of the mass of a point (kg).
fn one_kilogram() -> f64 {
    1.0
}

/// Everything behind a line, whose direction is given by `normal` or by `angle_deg`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct HalfPlane {
    /// Direction towards the free side, of any length (1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<[f64; 2]>,
    /// Angle by which the line rises along x (degrees), with the free side above it; of 180 below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_deg: Option<f64>,
    /// A point of the line (m).
    pub origin: [f64; 2],
}

impl HalfPlane {
    /// The half-plane behind the line through `origin` (m), whose `normal` points to the free side.
    pub fn new(normal: [f64; 2], origin: [f64; 2]) -> Self {
        Self {
            normal: Some(normal),
            angle_deg: None,
            origin,
        }
    }

    /// The half-plane below a line through `origin` (m) that rises by an angle (degrees).
    pub fn rising(angle_deg: f64, origin: [f64; 2]) -> Self {
        Self {
            normal: None,
            angle_deg: Some(angle_deg),
            origin,
        }
    }

    /// Unit vector towards the free side (1).
    pub fn direction(&self) -> Vec2 {
        let angle = self.angle_deg.unwrap_or_default().to_radians();
        let normal = self.normal.map(Vec2::from);
        normal.map_or_else(|| rotation(angle) * Vec2::y(), |normal| normal.normalize())
    }
}
