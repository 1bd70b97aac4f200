//! Discrete elastic rods in the plane: stretch of segments, and bending at the vertices between
//! them.
//!
//! A rod is a polyline. Its energy (J) is from Bergou et al. 2008, "Discrete Elastic Rods", section
//! 4.2, without twist, which the plane does not have:
//!
//! `sum over segments of EA/2 L (l/L - 1)^2 + sum over vertices of EI/2 (kappa - kappa_0)^2 / L'`
//!
//! - `EA` (N) and `EI` (N m^2): axial and bending stiffness;
//! - `l` and `L` (m): length of a segment, and that at rest;
//! - `kappa = 2 tan(phi/2)` (1): curvature at a vertex times length, for the angle `phi` by which
//!   the rod turns there; `kappa_0` at rest;
//! - `L'` (m): mean length at rest of the two segments at the vertex.
//!
//! Bending has a pole where a rod folds back on itself, `phi = 180` degrees. [`Stretch`] gets one
//! where a segment loses its length.
//!
//! A fold by 180 degrees and a segment without length count as inversions. Steps are bounded before
//! both along the whole motion. The proof of a motion decides them exactly: two segments fold where
//! an end of one meets the other.

mod bend;
mod stretch;

pub use bend::Bend;
pub use stretch::Stretch;
