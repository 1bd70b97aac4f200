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

// Packing of disks.

/// Largest number of cells along x or y that find disks (1, 1e3 to 1e4). Higher: empty grids take memory.
/// Lower: each disk is compared with many.
pub(crate) const PACK_CELLS: f64 = 2048.0;

/// Largest number of cells along x or y that find walls (1, 50 to 500). Higher: long walls fill many cells.
/// Lower: each disk is compared with many walls.
pub(crate) const WALL_CELLS: f64 = 128.0;

/// Number of places within the walls that a disk tries (1, 10 to 100). Higher: starts take longer. Lower:
/// disks start with deeper overlaps, and loose packings need sweeps.
pub(crate) const PLACES_TRIED: usize = 30;

/// Number of random places after which a disk has no room within the walls (1, 1e3 to 1e5). Higher: disks
/// without room take longer. Lower: narrow regions seem full.
pub(crate) const PLACES_MOST: u64 = 3000;

/// Distance to which pairs are pushed apart over the one at which they touch (1, 1.001 to 1.01). Higher:
/// less fits. Lower: dense packings need more sweeps.
pub(crate) const PUSHED_APART: f64 = 1.003;

/// Distance over the mean radius within which pairs are listed beyond their target (1, 0.1 to 1). Higher:
/// lists are long. Lower: they are made often.
pub(crate) const LISTED_WITHIN: f64 = 0.3;

/// Share of an area that disks of any sizes can hardly fill (1, 0.85 to 0.95). Higher: hopeless packings take
/// longer. Lower: disks leave that would fit.
pub(crate) const DENSEST: f64 = 0.9;

/// Number of sweeps over all disks before the first ones leave (1, 500 to 5000). Higher: packings without
/// room take longer. Lower: dense packings are refused.
pub(crate) const SWEEPS_FIRST: usize = 1500;

/// Number of sweeps before further disks leave (1, 100 to 1000). Higher: packings without room take longer.
/// Lower: more disks leave than must.
pub(crate) const SWEEPS_NEXT: usize = 300;

/// Number of disks from which on sweeps become fewer in proportion (1, 1e3 to 1e5). Higher: large packings
/// without room take minutes. Lower: large dense packings are refused.
pub(crate) const MANY_DISKS: usize = 10_000;

/// One disk of this number leaves at a time (1, 10 to 200). Higher: packings without room take longer.
/// Lower: more disks leave than must.
pub(crate) const LEAVING: usize = 50;
