//! Tuning constants of `mesh`: unit, usual value or range, and what other values break.

// Curves and gears.

/// Largest number of chords of one piece of a curve (1, 1e4 to 1e7). Higher: a slip in the
/// deviation or the size exhausts the memory. Lower: fine curves are coarser than asked for.
pub(crate) const CURVE_MOST_CHORDS: f64 = 1e6;

/// Deviation of a chord as a share of the radius below which its angle is taken from the first term of
/// its series (1, 1e-12 to 1e-6). Higher: estimates of numbers of chords are off. Lower: rounding hides
/// how many chords a deviation asks for.
pub(crate) const SMALL_DEVIATION: f64 = 1e-8;

/// Points of each flank of a tooth (1, 5 to 15). Higher: each adds two vertices to a tooth. Lower:
/// the polygon leaves the involute, and wheels turn unevenly.
pub(crate) const FLANK_POINTS: usize = 7;

/// Corners of the hole of a wheel, unless there are more teeth (1, 12 to 48). Higher: more
/// vertices. Lower: the hole is a visible polygon.
pub(crate) const BORE_CORNERS: usize = 24;

// Patches of triangles.

/// Fewest triangles around an inner vertex from which a patch grows at first (1, 5 or 6). Higher:
/// more triangles are left to the second round, whose patches are less regular. Lower: stars of
/// four meet by fours, and pressures may alternate from patch to patch.
pub(crate) const STAR_LEAST_INSIDE: usize = 5;

/// Fewest triangles around a vertex from which a patch grows in the rest of the mesh, also on the
/// boundary (1, 2 to 4). Higher: single triangles are added to neighbouring patches, whose outlines
/// become long. Lower: patches of two triangles have almost as many pressures as displacements, and
/// lock.
pub(crate) const STAR_LEAST: usize = 3;

// Refinement of triangulations.

/// Largest number of vertices of a mesh (1, 1e6 to 1e7). Higher: a slip in a size takes tens of
/// gigabytes as a body. Lower: large meshes that were meant are incomplete.
pub const MOST_VERTICES: usize = 5_000_000;

/// Cosine of the angle between two lines below which a corner is sharp (1, 0.5 for 60 degrees).
/// Higher: refinement at corners near 60 degrees need not end. Lower: triangles at blunt corners
/// keep small angles.
pub(crate) const SHARP_CORNER_COSINE: f64 = 0.5;

/// Share of the extent of an area below which no side is halved (1, 1e-12 to 1e-8). Higher: small
/// details have bad triangles. Lower: points that rounding cannot tell apart are added.
pub(crate) const SHORTEST_SIDE: f64 = 1e-10;

/// Relative difference of two distances from a corner that count as the same (1, 1e-9 to 1e-3).
/// Higher: triangles that could be improved stay sharp. Lower: rounding hides triangles that must
/// be sharp, and sides at their corner are halved again and again.
pub(crate) const SAME_DISTANCE: f64 = 1e-6;
