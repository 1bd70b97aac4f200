//! Shapes of bodies.

use serde::{Deserialize, Serialize};

/// A shape, centred at its origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
}

/// A square.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Square {
    /// Side (m).
    pub side: f64,
    /// Segments per side.
    pub segments: usize,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rectangle {
    /// Width and height (m).
    pub size: [f64; 2],
    /// Segments along x and y.
    pub segments: [usize; 2],
}

/// A disk.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disk {
    /// Radius (m).
    pub radius: f64,
    /// Edges of its boundary, rounded up to a multiple of 6.
    pub segments: usize,
}

/// A regular polygon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegularPolygon {
    /// Distance of its corners from the centre (m).
    pub radius: f64,
    /// Number of sides.
    pub sides: usize,
    /// Segments per side.
    pub segments: usize,
}

/// Given vertices and triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InlineMesh {
    /// Positions (m).
    pub vertices: Vec<[f64; 2]>,
    /// Counter-clockwise triangles of vertex numbers, from 0.
    pub triangles: Vec<[usize; 3]>,
}
