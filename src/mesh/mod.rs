//! Shapes of bodies at rest: triangle meshes with their boundaries and springs, and outlines of
//! bodies without triangles.

pub mod boundary;
pub mod gear;
pub mod generate;
mod outline;

pub use outline::Outline;

use crate::math::{Vec2, cross};

/// Triangle mesh of a body at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions of the vertices at rest (m).
    pub vertices: Vec<Vec2>,
    /// Vertices of each triangle, counter-clockwise.
    pub triangles: Vec<[usize; 3]>,
    /// Diagonals that are no edge of a triangle. A mass-spring body has springs on these and on all
    /// edges.
    pub extra_springs: Vec<[usize; 2]>,
}

impl Mesh {
    /// Area of triangle `k` (m^2), negative if its vertices run clockwise.
    pub fn area(&self, k: usize) -> f64 {
        let [a, b, c] = self.triangles[k].map(|i| self.vertices[i]);
        0.5 * cross(b - a, c - a)
    }

    /// Edges of all triangles and extra springs, each once with its smaller vertex first, sorted.
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
