//! Request for the Hessians of elements: their place, factor and kind.

use crate::energy::Curvature;
use crate::math::Vec2;

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
}
