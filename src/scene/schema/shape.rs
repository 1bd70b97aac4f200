//! Shapes of bodies.

use super::{examples, never, positive};
use crate::mesh::gear::Teeth;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A shape, centred at its origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(example = examples::shape())]
pub enum Shape {
    /// A square.
    Square(Square),
    /// A rectangle.
    Rectangle(Rectangle),
    /// A disk.
    Disk(Disk),
    /// A regular polygon, standing on a side.
    RegularPolygon(RegularPolygon),
    /// Given vertices and triangles.
    Mesh(InlineMesh),
    /// An exact circle, for rigid bodies and obstacles.
    Circle(Circle),
    /// A closed curve and what it encloses, for bodies without triangles.
    Outline(Outline),
    /// A ring, for bodies without triangles.
    Ring(Ring),
    /// A gear wheel, for bodies without triangles.
    Gear(Gear),
    /// A line of edges that encloses nothing, for bodies without triangles.
    Polyline(Polyline),
    /// Given vertices and edges that enclose nothing, for bodies without triangles. Vertices without an edge are points.
    Wire(Wire),
    /// A single point, for rigid bodies and obstacles.
    Point(Point),
    /// Everything behind a line, for obstacles.
    HalfPlane(HalfPlane),
}

/// A square.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Square {
    /// Side (m).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub side: f64,
    /// Segments per side.
    #[schemars(range(min = 1))]
    pub segments: usize,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rectangle {
    /// Width and height (m).
    #[schemars(extend("items" = positive()))]
    pub size: [f64; 2],
    /// Segments along x and y.
    #[schemars(inner(range(min = 1)))]
    pub segments: [usize; 2],
}

/// A disk.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disk {
    /// Radius (m).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Edges of its boundary, rounded up to a multiple of 6.
    #[schemars(range(min = 1))]
    pub segments: usize,
}

/// A regular polygon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegularPolygon {
    /// Distance of its corners from the centre (m).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Number of sides.
    #[schemars(range(min = 3))]
    pub sides: usize,
    /// Segments per side.
    #[schemars(range(min = 1))]
    pub segments: usize,
}

/// Given vertices and triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = examples::mesh())]
pub struct InlineMesh {
    /// Positions (m).
    pub vertices: Vec<[f64; 2]>,
    /// Counter-clockwise triangles of vertex numbers, from 0.
    pub triangles: Vec<[usize; 3]>,
}

/// An exact circle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Circle {
    /// Radius (m).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
}

/// A closed curve and what it encloses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = examples::outline())]
pub struct Outline {
    /// Corners in order, in either direction (m); the last is joined to the first.
    pub points: Vec<[f64; 2]>,
    /// Closed curves around holes, the same way (m).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip_serializing_if = "never")]
    pub holes: Vec<Vec<[f64; 2]>>,
}

/// A ring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ring {
    /// Distance of its outer corners from the centre (m).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Distance of its inner corners from the centre (m).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub inner_radius: f64,
    /// Edges of each of its two circles.
    #[schemars(range(min = 3))]
    pub segments: usize,
}

/// A gear wheel with involute teeth; one of them points along x.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// Number of teeth.
    #[schemars(range(min = 3))]
    pub teeth: usize,
    /// Radius of the circle on which teeth are as wide as the gaps between them (m).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub pitch_radius: f64,
    /// How far teeth reach beyond that circle, and gaps a little farther below it (m).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub addendum: f64,
    /// Share of the pitch (1) that is play between two such gears.
    #[serde(default = "default_backlash")]
    #[schemars(range(min = 0), extend("exclusiveMaximum" = 1))]
    pub backlash: f64,
    /// Radius of a hole in the middle (m); none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub bore: Option<f64>,
}

impl From<&Gear> for Teeth {
    fn from(gear: &Gear) -> Self {
        let Gear {
            teeth: count,
            pitch_radius,
            addendum,
            backlash,
            ..
        } = *gear;
        Self {
            count,
            pitch_radius,
            addendum,
            backlash,
        }
    }
}

fn default_backlash() -> f64 {
    0.05
}

/// A line of edges that encloses nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Polyline {
    /// Its points in order (m).
    pub points: Vec<[f64; 2]>,
    /// Whether the last is joined to the first.
    #[serde(default)]
    pub closed: bool,
}

/// Given vertices and edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wire {
    /// Positions (m).
    pub vertices: Vec<[f64; 2]>,
    /// Pairs of vertex numbers, from 0.
    pub edges: Vec<[usize; 2]>,
}

/// A single point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Its mass (kg), instead of its material's density; obstacles need none.
    #[serde(default = "one_kilogram")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mass: f64,
}

fn one_kilogram() -> f64 {
    1.0
}

/// Everything behind a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HalfPlane {
    /// Direction towards the free side, of any length (1).
    pub normal: [f64; 2],
    /// A point of the line (m).
    pub origin: [f64; 2],
}
