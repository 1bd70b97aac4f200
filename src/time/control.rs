//! What a scene says of the lengths of substeps, and of increments along a path.

/// Control of the lengths of substeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Largest local error of a substep, as a displacement of a vertex (m).
    pub tolerance: f64,
    /// Length below which substeps are not divided further (s).
    pub smallest: f64,
}

/// Control of increments along a path of equilibria, whose load time is an unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcLength {
    /// Mean square way of all that can move (m), in an increment that changes no load.
    pub length: f64,
}
