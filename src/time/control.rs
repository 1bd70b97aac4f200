//! What a scene says of the lengths of substeps.

/// Control of the lengths of substeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Largest local error of a substep, as a displacement of a vertex (m).
    pub tolerance: f64,
    /// Length below which substeps are not divided further (s).
    pub smallest: f64,
}
