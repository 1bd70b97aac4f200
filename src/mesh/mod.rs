//! Triangle meshes: vertices at rest, triangles, springs, and the boundary that collides; outlines of bodies that have no
//! triangles.

pub mod boundary;
pub mod gear;
pub mod generate;
mod outline;

pub use outline::Outline;

use crate::math::{Vec2, cross};

/// A body's shape at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Rest positions (m).
    pub vertices: Vec<Vec2>,
    /// Vertices of each triangle, counter-clockwise.
    pub triangles: Vec<[usize; 3]>,
    /// Diagonals that no triangle has as an edge: with the triangles' edges, the springs of a mass-spring body.
    pub extra_springs: Vec<[usize; 2]>,
}

impl Mesh {
    /// Area of triangle `k` (m^2), negative if it is clockwise.
    pub fn area(&self, k: usize) -> f64 {
        let [a, b, c] = self.triangles[k].map(|i| self.vertices[i]);
        0.5 * cross(b - a, c - a)
    }

    /// Every edge of a triangle once, then the extra springs; each pair with its smaller vertex first, sorted.
    pub fn springs(&self) -> Vec<[usize; 2]> {
        let sides = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut springs: Vec<[usize; 2]> = sides
            .chain(self.extra_springs.iter().copied())
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        springs.sort_unstable();
        springs.dedup();
        springs
    }
}
