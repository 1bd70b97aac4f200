//! Tuning constants of ordering and factorisation: unit, usual value or range, and what other
//! values break.
//!
//! None of them decides which systems can be solved. All except the chunks of columns change the
//! order of sums, hence roundings and the recorded results of runs. Times are measured on one core;
//! only their ratios matter.

// Choice of the method.

/// Block products of a factorisation up to which single 2x2 blocks beat dense fronts (1, 1e5 to
/// 1e6). Higher: dense kernels are missed. Lower: small systems pay for the bookkeeping of fronts.
pub(super) const MOST_BLOCK_PRODUCTS: usize = 200_000;

/// Block products for each node up to which single blocks beat fronts in systems of any size (1, 10
/// to 20): a chain of rigid bodies has 12, and a mesh of triangles has more than 100. Higher: dense
/// kernels are missed, and analysis discards longer patterns. Lower: mechanisms pay for the
/// bookkeeping of fronts.
pub(super) const BLOCK_PRODUCTS_EACH: usize = 16;

/// Columns of a factor by blocks that are ordered by height among each other (1, 500 to 4000):
/// about a part of [`LEAF`] nodes. Higher: the columns leave the nearest caches. Lower: the
/// processor waits for divisions. It changes no sum.
pub(super) const WINDOW: usize = 1024;

// Dense kernels.

/// Scalars by which the columns of fronts are aligned: the widest vector register (1, 8). Higher:
/// memory is wasted. Lower: kernels of 512 bits read beyond a column.
pub(super) const ALIGN: usize = 8;

/// Columns of a register tile in the dense kernels (1, 4). Higher: 3 x 4 registers of sums and
/// their operands do not fit into sixteen registers. Lower: operands are loaded more often.
pub(super) const TILE: usize = 4;

/// Columns that are eliminated before others are updated, and products that are summed in registers
/// (1, 32 to 128). Higher: `BLOCK * ROWS` numbers leave the nearest cache. Lower: sums are loaded
/// and stored more often.
pub(super) const BLOCK: usize = 64;

/// Rows that a block of columns is multiplied with at once (1, 48 to 96, a multiple of 24, or tiles
/// of three registers leave rests). Higher: as for [`BLOCK`]. Lower: columns are loaded more often.
pub(super) const ROWS: usize = 72;

// Threads.

/// Columns of a shared front's remainder that a thread takes at a time (1, 16 to 128, even).
/// Higher: threads have nothing to do. Lower: threads wait for each other.
pub(super) const REMAINDER_CHUNK: usize = 48;

/// Columns of one block of a shared front's panel that a thread takes at a time (1, 8 to 32, even).
/// Higher: threads have nothing to do; above [`BLOCK`] the panel is not shared at all. Lower:
/// threads wait for each other.
pub(super) const PANEL_CHUNK: usize = 16;

/// Multiplications up to which a subtree of fronts is one task (1, 1e5 to 1e7). Higher: threads
/// have nothing to do. Lower: tasks cost more than their work.
pub(super) const SMALL_SUBTREE: f64 = 1e6;

/// Tasks of equal work that larger trees are cut into (1, 16 to 256). Higher: tasks cost more than
/// their work. Lower: many threads have nothing to do.
pub(super) const TASKS: f64 = 64.0;

// Memory.

/// Fraction `1/SPARE` of a factor's length that is allocated on top (1, 8 to 32). Higher: a
/// slightly denser pattern needs fresh memory, which costs up to 30 % of a run in contact. Lower:
/// memory is wasted.
pub(super) const SPARE: usize = 16;

// Merges of supernodes: estimated times.

/// Time of a front, apart from its entries (ns, 100 to 300). Higher: supernodes are merged more
/// eagerly, and their factor stores more zeros. Lower: many small fronts are handled one by one.
pub(super) const FRONT_TIME: f64 = 150.0;

/// Time of an entry of a front's panel (ns, 0.1 to 0.5). Higher: fewer merges. Lower: merges that
/// store many zeros.
pub(super) const PANEL_ENTRY_TIME: f64 = 0.2;

/// Time of an entry of a front's remainder, which is written, read and added (ns, 0.2 to 1).
/// Higher: merges that store many zeros. Lower: fewer merges.
pub(super) const REMAINDER_ENTRY_TIME: f64 = 0.35;

/// Time of a multiplication with addition (ns, 0.02 to 0.1). Higher: fewer merges. Lower: dense
/// zeros seem free.
pub(super) const FLOP_TIME: f64 = 0.03;

// Fill-reducing order.

/// Nodes up to which a part of the graph is ordered by minimum degree (1, 200 to 2000). Higher: the
/// factor has more entries. Lower: separators of small parts are poorer than minimum degree.
pub(super) const LEAF: usize = 1000;

/// Nodes below which the two sides of a part are ordered one after the other (1, 2000 to 10000).
/// Higher: threads have nothing to do. Lower: tasks cost more than their work.
pub(super) const LARGE_PART: usize = 4000;

/// Moves of nodes without progress after which a separator is left as it is (1, 10 to 100).
/// Higher: ordering takes longer. Lower: separators keep their dents.
pub(super) const PATIENCE: usize = 25;

/// The smaller side of a cut has at least `1/BALANCE` of the nodes (1, 3 to 5). Higher: the tree
/// of fronts becomes a chain, which threads cannot share. Lower: good cuts are refused.
pub(super) const BALANCE: usize = 4;

/// Neighbours of a node, relative to the root of the number of nodes, above which it is ordered
/// last (1, 10; Amestoy, Davis and Duff). Higher: a hub slows every step of the ordering. Lower:
/// nodes of usual meshes are ordered badly.
pub(super) const DENSE_ROW: f64 = 10.0;

/// Neighbours up to which a node is never ordered last for their number (1, 16). Higher: hubs of
/// small graphs slow the ordering. Lower: usual nodes of small graphs are ordered last.
pub(super) const LEAST_DENSE_ROW: usize = 16;

// Indefinite systems.

/// Largest number of refinements of a solution by `L D L^T` (1, 2 to 6). Each makes the residual
/// smaller by the growth of pivots times rounding, so that two are enough for a matrix that can be
/// solved at all. Higher: time is lost where none helps. Lower: solutions near limit points are
/// lost.
pub(super) const REFINEMENTS: usize = 4;

/// Residual relative to the right side above which `L D L^T` has lost the matrix (1, 1e-8 to 1e-4).
/// Higher: useless directions are taken. Lower: usable ones are refused.
pub(super) const LOST_RESIDUAL: f64 = 1e-6;
