//! Request for the Hessians of elements: their place, factor and kind.

use ipcsim_energy::{Curvature, Energy};
use ipcsim_math::{Mat2, Vec2};
use std::ops::Range;

/// Place, factor and kind of the Hessians of elements.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    /// Positions (m), or coordinates for energies of coordinates.
    pub x: &'a [Vec2],
    /// Factor of the energy in the potential (s^2).
    pub scale: f64,
    /// Exact, or projected to positive semi-definite.
    pub curvature: Curvature,
}

impl<'a> Evaluation<'a> {
    /// Projected Hessians at `x`, times `scale`.
    pub fn projected(x: &'a [Vec2], scale: f64) -> Self {
        let curvature = Curvature::Projected;
        Self {
            x,
            scale,
            curvature,
        }
    }

    /// Writes the blocks of the Hessians of some elements of an energy, in the order of elements.
    pub(super) fn fill(&self, energy: &dyn Energy, elements: Range<usize>, blocks: &mut Vec<Mat2>) {
        let Self {
            x,
            scale,
            curvature,
        } = *self;
        blocks.resize(elements.len() * energy.blocks_each(), Mat2::zeros());
        energy.hessian(elements, x, scale, curvature, blocks);
    }
}
