//! The largest mesh that a shape may ask for.

/// Largest number of cells of a generated mesh, and of edges.
///
/// Twenty million cells take 90 GB as an elastic body; a larger number is a slip.
pub(crate) const MAX_CELLS: usize = 20_000_000;
