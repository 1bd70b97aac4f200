//! Shapes of bodies at rest.
//!
//! Deformable bodies are triangle meshes ([`Mesh`]); [`generate`] makes those of simple shapes,
//! [`refine`] those of areas within closed curves ([`Domain`]), and `ipcsim-import` takes them from files.
//! Rigid and affine bodies and obstacles only need their surface ([`Outline`]): polygons with
//! holes, rings, lines, points and gear wheels ([`gear`]). [`boundary`] finds the surface of a
//! mesh, which is all that contact sees of it. [`pack`] finds places for disks in an area. Shapes are centred at the origin; a scene turns and
//! moves them.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod boundary;
pub mod curve;
mod curves;
mod domain;
pub mod gear;
pub mod generate;
mod outline;
pub mod pack;
mod patches;
mod quadratic;
mod quality;
pub mod refine;
mod size;
mod tuning;

pub use curves::curves;
pub use domain::{Domain, Fault, Loop};
pub use outline::Outline;
pub use patches::{Patch, patches};
pub use quadratic::{CORNERS_OF_FACETS, Curved, MASS, Point, are_facets};
pub use quality::{Quality, least_angle};
pub use size::{SizeField, Source};

use ipcsim_math::{Vec2, cross};

/// Triangle mesh of a body at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions of the vertices at rest (m), `[vertices]`.
    pub vertices: Vec<Vec2>,
    /// Vertices of each triangle, counter-clockwise, `[triangles]`.
    pub triangles: Vec<[usize; 3]>,
    /// Diagonals that are not edges of a triangle. A mass-spring body has springs on these and on
    /// all edges.
    pub extra_springs: Vec<[usize; 2]>,
    /// True if triangles come in fours, the facets of quadratic triangles with six nodes each (see
    /// [`Curved`]). False if they are elements themselves.
    pub is_quadratic: bool,
}

impl Mesh {
    /// Area of triangle `k` (m^2), `(b - a) x (c - a) / 2`: negative if its vertices run clockwise.
    pub fn area(&self, k: usize) -> f64 {
        let [a, b, c] = self.triangles[k].map(|i| self.vertices[i]);
        0.5 * cross(b - a, c - a)
    }

    /// Edges of all triangles, each once with its smaller vertex first, sorted.
    pub fn edges(&self) -> Vec<[usize; 2]> {
        each_once(self.sides())
    }

    /// Edges of all triangles and extra springs, each once with its smaller vertex first, sorted.
    pub fn springs(&self) -> Vec<[usize; 2]> {
        each_once(self.sides().chain(self.extra_springs.iter().copied()))
    }

    /// Sides of all triangles; those within the mesh twice.
    fn sides(&self) -> impl Iterator<Item = [usize; 2]> {
        let triangles = self.triangles.iter();
        triangles.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
    }
}

/// Pairs without repetition, each with its smaller number first, sorted.
fn each_once(pairs: impl Iterator<Item = [usize; 2]>) -> Vec<[usize; 2]> {
    let mut pairs: Vec<[usize; 2]> = pairs.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
