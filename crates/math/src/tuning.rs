//! Tuning constants of `math`: unit, usual value or range, and what other values break.
//!
//! Bounds of rounding errors are derived from the number of operations and stand at their formulas.

// Parallel loops.

/// Elements of a chunk (1, 256 to 4096). Higher: small scenes use one thread. Lower: tasks cost
/// more than their work. Another value changes the order of sums.
pub(crate) const CHUNK: usize = 1024;

/// Largest number of elements in one call of a function that works on ranges (1, 32 to 256, a
/// divisor of `CHUNK`, so that only the last range of all may be shorter). Higher: buffers on the
/// stack leave the nearest cache. Lower: calls cost more than their work.
pub const BATCH: usize = 64;

// Small matrices and logarithms.

/// Newton steps for the negative eigenvalue of a 3x3 matrix (1, 32; usually fewer than 10 are
/// taken). Higher: no effect, since rounding ends the iteration. Lower: the projected matrix is not
/// the nearest one.
pub(crate) const EIGENVALUE_MOST_STEPS: usize = 32;

/// Largest `|j^2 - 1|` with which `ln j` is computed from `j^2 - 1` (1, 0.1 to 0.29). Higher: the
/// sum leaves the range from `1/sqrt 2` to `sqrt 2`, where ten terms suffice. Lower: digits near
/// `j = 1` are lost.
pub(crate) const LOG_NEAR_ONE: f64 = 0.25;

// Geometry.

/// Cuts of a triangle into four before its Jacobian `J` counts as not positive (1, 4 to 8). Higher:
/// a triangle that is flat somewhere takes up to four times as long for each cut. Lower: triangles
/// with small positive `J` are refused; with `n` cuts below about `4^-n` of the largest
/// coefficient.
pub(crate) const JACOBIAN_MOST_CUTS: usize = 6;

/// Halvings of an interval of time before a motion counts as not positive (1, 16 to 40). Higher: a
/// motion that becomes flat takes longer. Lower: the time from which it is not proved is too early,
/// by up to `2^-n` of the motion with `n` halvings.
pub(crate) const JACOBIAN_MOST_HALVINGS: usize = 24;

/// Segments in a search for the nearest points of two convex shapes (1, 64 to 256; usually fewer
/// than 10 are visited). Higher: no effect, since each segment is strictly nearer than the one
/// before. Lower: gaps of shapes with many vertices are too small, and these shapes count as
/// touching.
pub(crate) const CONVEX_MOST_SEGMENTS: usize = 128;

// Formulas and files.

/// Parts of a formula within each other (1, 50 to 1000). Higher: reading the formula may exhaust
/// the stack. Lower: formulas that a user may write are refused.
pub(crate) const FORMULA_MOST_DEPTH: usize = 100;

/// Operations of a formula that follow each other on one level (1, 100 to 10,000). Their tree is as
/// deep. Higher: evaluating or dropping it may exhaust the stack. Lower: long sums are refused.
pub(crate) const FORMULA_MOST_OPERATIONS: usize = 1000;

/// Memory that one byte of a file needs once it is read, for JSON and for tables (bytes, 8 to 32).
/// Higher: files that fit are refused. Lower: the system kills the program for want of memory.
pub(crate) const MEMORY_PER_BYTE: u64 = 16;
