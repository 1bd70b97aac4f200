//! Potentials of vertex positions.
//!
//! A new energy is an implementation of [`LocalEnergy`], for the few vertices of one element.
//! [`Summed`] makes a potential of all vertices of it, an [`Energy`], which is all that the solver
//! knows.

mod batched;
mod dead_load;
mod local;
mod orthogonality;
pub mod simd;
mod spring;
mod summed;
#[cfg(test)]
pub(crate) mod testing;
mod triangle;

pub use batched::{Batch, Batched};
pub use dead_load::dead_load;
pub use local::LocalEnergy;
pub use orthogonality::Orthogonality;
pub use spring::Spring;
pub use summed::Summed;
pub use triangle::Triangle;

use crate::math::{Mat2, Vec2, parallel};
use std::fmt;
use std::ops::Range;

/// Largest fraction of a step that a potential allows, and the element that limits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepBound {
    /// Fraction of the step in `[0, 1]`.
    pub fraction: f64,
    /// Index of the limiting element; `None` where `fraction` is 1.
    pub element: Option<usize>,
}

impl StepBound {
    /// Bound of a potential that allows the whole step.
    pub const FULL: Self = Self {
        fraction: 1.0,
        element: None,
    };

    /// Smallest of `f(0), .., f(count - 1)`, each a fraction, and its index.
    pub fn smallest(count: usize, f: impl Fn(usize) -> f64 + Sync) -> Self {
        let (fraction, element) = parallel::first_min(count, 1.0, f);
        Self { fraction, element }
    }
}

/// Kind of second derivatives that a Hessian is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curvature {
    /// Each element is projected onto the positive semi-definite matrices, so that the sum is
    /// positive semi-definite.
    Projected,
    /// Elements are not projected, see [`LocalEnergy::exact_hessian`].
    Exact,
}

/// Potential of all vertex positions, a sum over elements.
pub trait Energy: Send + Sync {
    /// Name of the potential's column in `energies.csv`.
    fn name(&self) -> &'static str;

    /// Energy at the positions `x` (J).
    fn value(&self, x: &[Vec2]) -> f64;

    /// Adds `scale` times the derivative with respect to the positions to `gradient`, one vector
    /// per vertex (N).
    fn add_gradient(&self, x: &[Vec2], scale: f64, gradient: &mut [Vec2]);

    /// Number of elements.
    fn element_count(&self) -> usize;

    /// Vertices of element `k`.
    fn stencil(&self, k: usize) -> &[usize];

    /// Number of 2x2 blocks of one element: those of the lower triangle of its Hessian, row by row.
    fn blocks_each(&self) -> usize;

    /// Number of 2x2 blocks of all elements.
    fn block_count(&self) -> usize {
        self.element_count() * self.blocks_each()
    }

    /// Vertex pairs `(row, column)` of all blocks, element by element.
    fn blocks(&self) -> Vec<[usize; 2]> {
        let mut pairs = Vec::with_capacity(self.block_count());
        for stencil in (0..self.element_count()).map(|k| self.stencil(k)) {
            for (row, &i) in stencil.iter().enumerate() {
                pairs.extend(stencil[..=row].iter().map(|&j| [i, j]));
            }
        }
        pairs
    }

    /// Writes `scale` times the blocks of the Hessians (N/m) of some elements.
    fn hessian(
        &self,
        elements: Range<usize>,
        x: &[Vec2],
        scale: f64,
        curvature: Curvature,
        blocks: &mut [Mat2],
    );

    /// Largest fraction of the motion `p` (m) from `x` on which the potential stays in its domain.
    fn max_step(&self, x: &[Vec2], p: &[Vec2]) -> StepBound;

    /// True if the stored positions `x` are in the domain of all elements.
    fn admits(&self, x: &[Vec2]) -> bool;

    /// Cauchy stress (Pa) of each triangle among the elements, with its vertices.
    fn stresses(&self, x: &[Vec2]) -> Vec<([usize; 3], Mat2)>;
}

impl fmt::Debug for dyn Energy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} elements", self.name(), self.element_count())
    }
}
