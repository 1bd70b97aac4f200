//! Constants of contact that decide results: unit, usual value, and what breaks if it changes.
//!
//! Sizes of the broad phase's data structures only change its speed and stay beside their
//! algorithms. Bounds of rounding errors are derived from the number of operations and stay beside
//! their formulas; they must not be lowered.

// Barriers.

/// Share of `d_hat` from which on a gap counts as closed, with an infinite barrier.
///
/// Unit 1; usually 1e-150. Squares of smaller gaps leave the normal numbers, and the barrier loses
/// its digits.
pub const CLOSED_GAP: f64 = 1e-150;

/// Activation distance of a body with itself as a share of its smallest gap at rest.
///
/// Unit 1, between 0 and 1; usually 0.5. At 1 and above a body whose edges are shorter than `d_hat`
/// pushes itself apart at rest; near 0 the barrier acts late and is stiff.
pub const SELF_GAP_SHARE: f64 = 0.5;

/// Share of the activation distance below which a gap makes the barrier of its pair stiffer.
///
/// Unit 1, between 0 and 1; usually 1/16. Higher: stiff pairs, which cost iterations. Lower: gaps
/// so small that a step to them is blind.
pub const LEAST_GAP: f64 = 1.0 / 16.0;

/// Share of a pair's contact force that may accelerate a body around it where the pair is steady.
///
/// Unit 1, between 0 and 1; usually 1/4. Higher: hits make barriers stiffer and give back more than
/// they got. Lower: barriers of what moves a little stay soft.
pub const STEADY: f64 = 0.25;

/// Number of times that the stiffness of a pair may double.
///
/// Usually 24, a factor of 1.7e7. Higher: stiffness beyond the digits of the Newton matrix.
pub const MOST_DOUBLINGS: u32 = 24;

// Step bounds.

/// Share of the way to an impact with an edge or vertex that a step may take.
///
/// Unit 1, between 0 and 1; usually 0.9. Smaller shares cost iterations before impacts; at 1 steps
/// end in contact, where the barrier is infinite.
pub const IMPACT_SHARE: f64 = 0.9;

/// Smallest share of a gap to an edge that a step leaves, for gaps up to `d_hat`.
///
/// Unit 1, between 0 and `1 - IMPACT_SHARE`; usually 0.05. Below 1e-12 a step may end within
/// rounding of contact, where the barrier is so stiff that the point sticks; above
/// `1 - IMPACT_SHARE` most steps are refused.
pub const EDGE_GAP_KEPT: f64 = 0.05;

/// Share of the gap to a half-plane that a step leaves.
///
/// Unit 1, between 0 and 1; usually 0.1. The same trade as [`IMPACT_SHARE`], which is a share of
/// the way, not of the gap.
pub const PLANE_GAP_KEPT: f64 = 0.1;

/// Excess of the gap over [`PLANE_GAP_KEPT`] at which the search on a curved path ends, as a share
/// of the initial gap.
///
/// Unit 1; usually 1e-3. Larger values shorten steps by that share; smaller ones cost pieces.
pub const PLANE_GAP_EXCESS: f64 = 1e-3;

/// Share of the gap to be used up that the envelope of a piece of a curved path to a half-plane may
/// take.
///
/// Unit 1, between 0 and 1; usually 0.25. Near 0 pieces are short and many; near 1 each makes
/// little progress.
pub const PLANE_ENVELOPE: f64 = 0.25;

/// Pieces after which the search on a curved path to a half-plane ends, short of the largest step.
///
/// Usually 10,000; only paths of thousands of turns need more.
pub const PLANE_MAX_PIECES: usize = 10_000;

// Continuous collision detection on straight paths.

/// Share of the time of impact that the exact method returns.
///
/// Unit 1; usually 1 - 1/2048. It must cover the error [`EXACT_ACCURACY`], or times may be later
/// than the impact.
pub const EXACT_TIME_KEPT: f64 = 1.0 - 1.0 / 2048.0;

/// Largest relative error of a root that the exact method accepts from floating point.
///
/// Unit 1; usually 1/4096, half of what [`EXACT_TIME_KEPT`] takes off. Smaller values send more
/// queries to exact integers.
pub const EXACT_ACCURACY: f64 = 1.0 / 4096.0;

/// Factor of the time by which a separation is certainly reached if an impact is confirmed there.
///
/// Unit 1, above 1; usually 1 + 1/2048. Nearer to 1 advances are many; larger factors give earlier
/// times.
pub const CONFIRMED_TIME: f64 = 1.0 + 1.0 / 2048.0;

/// Advances towards a separation that one exact query may take.
///
/// Usually 128; head-on impacts need fewer than ten, grazes end here with a safe time.
pub const SEPARATED_MAX_ADVANCES: usize = 128;

/// Share of a gap that an advance of additive CCD leaves, and of the initial gap at which advancing
/// ends.
///
/// Unit 1, between 0 and 1; usually 0.1. Smaller shares give later times at more advances.
pub const ADDITIVE_GAP_KEPT: f64 = 0.1;

/// Advances of additive CCD that one query may take.
///
/// Usually 512. A slide of length `L` at gap `g` needs about `L / (0.9 g)` of them; it ends here
/// with a safe time.
pub const ADDITIVE_MAX_ADVANCES: usize = 512;

/// Width of a box that interval root finding does not divide further, as a share of the initial
/// gap.
///
/// Unit 1; usually 1/64. Smaller widths give later times at more cells.
pub const INCLUSION_WIDTH: f64 = 1.0 / 64.0;

/// Cells of interval root finding that one query may visit.
///
/// Usually 2048; grazes end here with a safe time.
pub const INCLUSION_MAX_CELLS: usize = 2048;

// Continuous collision detection on curved paths.

/// Turns of a body in one motion beyond which the motion is not searched for collisions.
///
/// Unit 1; usually 1000, where rolling and spinning bodies need less than 0.1. The search divides
/// every turn into pieces, so its time grows with this number.
pub const MOST_TURNS: f64 = 1000.0;

/// Share of the initial gap at which a pair on curved paths is in contact.
///
/// Unit 1; usually 1e-6. Larger shares shorten steps, smaller ones cost pieces.
pub const ARC_CONTACT: f64 = 1e-6;

/// Share of the gap that the envelope of a linear piece may take.
///
/// Unit 1, below 0.5; usually 0.25. At 0.5 and above a pair that passes by closely is taken for an
/// impact.
pub const ARC_ENVELOPE: f64 = 0.25;

/// Linear pieces of a curved path that one query may take.
///
/// Usually 65,536; the query ends here with a safe time.
pub const ARC_MAX_PIECES: usize = 1 << 16;

/// Share of the gap above which a linear method that reports an impact made too little progress.
///
/// Unit 1; usually 0.6: a tenth of what the envelope does not take, and the envelope twice.
pub const ARC_STALLED: f64 = 0.6;

/// Pieces in a row on which the linear method may stall before the query ends.
///
/// Usually 32; additive CCD stalls on long slides along an edge.
pub const ARC_MAX_STALLS: usize = 32;

/// Share of the initial gap at which two advancing rigid bodies are in contact.
///
/// Unit 1; usually 1e-9. Larger shares give earlier times, smaller ones cost advances; below the
/// rounding of positions they change nothing.
pub const ADVANCEMENT_CONTACT: f64 = 1e-9;

/// Advances of two rigid bodies that one query may take.
///
/// Usually 65,536; the query ends here with a safe time.
pub const ADVANCEMENT_MAX_ADVANCES: usize = 1 << 16;

// Proofs and overlaps.

/// Pieces into which a proof may divide a path before a half-plane.
///
/// Usually 65,536; a motion that needs more is reported as not proved.
pub const PROOF_MAX_PIECES: usize = 1 << 16;

/// Directions along which a translation out of an overlap is searched, at most.
///
/// Usually 64. Fewer directions find longer translations.
pub const TRANSLATION_DIRECTIONS: usize = 64;

/// Directions among these that are spread evenly; the others are normals of edges.
///
/// Usually 16. They find translations of bodies whose edges have few directions.
pub const TRANSLATION_EVEN_DIRECTIONS: usize = 16;

/// Pairs of edges that a search for a translation visits for all directions together.
///
/// Usually 20 million, about a second. Bodies with more count as their convex hulls, whose
/// translations are longer.
pub const TRANSLATION_MAX_PAIRS: usize = 20_000_000;
