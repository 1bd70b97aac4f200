//! Tuning constants of contact: unit, usual value or range, and what other values break.
//!
//! Constants of the broad phase change only its speed. Bounds of rounding errors are derived from
//! the number of operations and stand at their formulas; they must not be lowered.

// Barriers.

/// Default of `kappa` relative to the pressure of weight and motion (1, 10 to 100). Higher: the
/// Newton system is worse conditioned. Lower: gaps at rest shrink.
pub const PRESSURES: f64 = 40.0;

/// Least default of `kappa` relative to the softer material (1, 1e-4 to 1e-2). Higher: stiff bodies
/// that carry only weight cost iterations. Lower: gaps nearly close where another part of the scene
/// presses two bodies as hard as their material allows.
pub const LEAST_OF_MATERIAL: f64 = 1e-3;

/// Share of `d_hat` from which on a gap counts as closed, with an infinite barrier (1, 1e-150).
/// Higher: gaps that bodies may reach count as closed. Lower: squares of gaps leave the normal
/// numbers, and the barrier loses its digits.
pub const CLOSED_GAP: f64 = 1e-150;

/// Activation distance of a body with itself as a share of its smallest gap at rest (1, 0 to 1;
/// usually 0.5). Higher: at 1 and above a body whose edges are shorter than `d_hat` pushes itself
/// apart at rest. Lower: near 0 the barrier acts late and is stiff.
pub const SELF_GAP_SHARE: f64 = 0.5;

/// Least activation distance of a rod that touches itself at rest, relative to the distance of its
/// body (1, 1e-12 to 1e-6). Higher: the rod pushes itself apart. Lower: its barrier is so stiff
/// that rounding becomes forces.
pub(crate) const STRAND_LEAST_GAP: f64 = 1e-9;

/// Mean gap of two bodies at rest in statics, relative to the displacement `F / (E t)` of the contact
/// region (1, 3e-4 to 3e-3). Higher: gaps are a part of interference fits and of closed gaps, which
/// seem stiffer or softer. Lower: barriers are thin, and increments take more iterations.
pub const REST_GAP: f64 = 1e-3;

/// Share of [`REST_GAP`] that a smaller reach aims at (1, 0.3 to 0.9). Higher: forces that grow as
/// bodies come nearer need a further round. Lower: barriers are thinner than they need to be.
pub(crate) const REST_GAP_AIM: f64 = 0.7;

/// Ratio of the gap that is aimed at and a gap at rest from which on a reach becomes wider again (1, 2 to
/// 20). Higher: thin barriers stay as loads grow, and increments take more iterations. Lower: reaches
/// change in every increment.
pub(crate) const REST_ROOM: f64 = 4.0;

/// Least reach in statics relative to the usual one (1, 1e-9 to 1e-6). Higher: stiff bodies that
/// hardly touch rest with a visible gap. Lower: rounding of positions becomes forces.
pub(crate) const REST_LEAST_REACH: f64 = 1e-8;

/// Reach of a pair without force, at the start and later, as a share of its gap (1, 0.5 to 0.99; usually
/// 0.9). Higher: rounding of positions gives the barrier energy. Lower: contact of the pair is thin.
pub const REACH_OF_GAP: f64 = 0.9;

/// Growth of the reach of a pair without force from which on it is taken (1, 1 to 4; usually 1.25).
/// Higher: contact of the pair stays thin for longer. Lower: `run.json` lists more changes.
pub(crate) const REACH_GROWTH: f64 = 1.25;

/// Largest slope of a surface, as the sine of its angle to the tangent at a contact, along which a
/// body slides on from another one (1, 0.5 to 0.9). Higher: a wall counts as part of the floor before
/// it, and has the smaller reach of both. Lower: a body is stopped where a rising slope begins.
pub(crate) const LEVEL_SLOPE: f64 = 0.8;

/// Largest joint between two pieces of a floor that count as one, as a share of the smaller reach of
/// both (1, 1e-6 to 1e-3). Higher: pieces that are drawn with a step between them count as level, and
/// bodies rest on the upper one only by a thin barrier. Lower: rounding of drawings makes seams.
pub(crate) const FLUSH_JOINT: f64 = 1e-5;

/// Largest angle between two edges that count as one straight line where pieces are flush (rad, 1e-9 to
/// 1e-5). Higher: blunt corners of a floor carry bodies only by a thin barrier. Lower: rounding of
/// drawings makes corners.
pub(crate) const FLUSH_ANGLE: f64 = 1e-6;

/// Share of its weight that a vertex keeps where a floor has no corner (1, 1e-9 to 1e-4). Higher: bodies
/// are lifted where they pass. Lower: such a vertex stops a body by collision detection alone.
pub(crate) const HIDDEN_WEIGHT: f64 = 1e-6;

/// Least reach of a body on soft pieces that have a small joint, as a multiple of the dent that it makes (1,
/// 5 to 30). Higher: the joint has no effect. Lower: the body is stopped by a piece that it has not
/// dented yet.
pub(crate) const DENTS: f64 = 10.0;

/// Largest angle between two parts of outlines that face each other (rad, 1e-4 to 0.01). Higher: the
/// distance of parts depends on where it is measured. Lower: slots whose sides are drawn roughly are
/// not found, and jam.
pub(crate) const PLAY_ANGLE: f64 = 1e-3;

/// Largest sine of the angle between edges that count as one straight part (1, 1e-9 to 1e-3). Higher:
/// fine polygons of circles become few parts. Lower: sides with many vertices are many parts, which
/// takes longer.
pub(crate) const PLAY_STRAIGHT: f64 = 1e-6;

/// Number of pairs of parts that are measured when a scene is built (1, 1e6 to 1e8: a second). Higher:
/// scenes of many parallel sides take longer to build. Lower: their slots are not all found.
pub(crate) const PLAY_MOST_PAIRS: usize = 20_000_000;

/// Reach of a body in a slot into which it fits, as a share of its play (1, below 0.5; usually 0.45).
/// Higher: both sides squeeze the body at once. Lower: barriers are thinner, and steps need more
/// iterations.
pub const REACH_OF_PLAY: f64 = 0.45;

/// Share of the activation distance below which a gap makes the barrier of its pair stiffer (1, 0
/// to 1; usually 1/16). Higher: pairs become stiff, which costs iterations. Lower: gaps become so
/// small that a step to them is blind.
pub const LEAST_GAP: f64 = 1.0 / 16.0;

/// Share of a pair's contact force that may accelerate a body around it while the pair counts as
/// steady (1, 0 to 1; usually 0.25). Higher: hits make barriers stiffer and give back more energy
/// than they took. Lower: barriers of bodies that move a little stay soft.
pub const STEADY: f64 = 0.25;

/// Number of times that the stiffness of a pair may double (1, 24: a factor of 1.7e7). Higher: the
/// stiffness exceeds the digits of the Newton matrix. Lower: gaps of hard-pressed pairs nearly
/// close.
pub const MOST_DOUBLINGS: u32 = 24;

/// Share of an edge below which a piece of it counts as empty (1, 1e-13 to 1e-9). Higher: pieces
/// with a noticeable force are left out, and energies jump. Lower: rounding of empty pieces is
/// integrated.
pub(crate) const EMPTY_PIECE: f64 = 1e-12;

// Integrals along pieces of edges.

/// Ratio of the gaps at both ends of a piece up to which three points are exact to rounding (1,
/// 1.02). Higher: errors above rounding. Lower: six points where three suffice.
pub(crate) const QUADRATURE_FLAT: f64 = 1.02;

/// Ratio of the gaps at both ends of an interval (1, 1.2 to 1.5; usually 1.4). The pole of the
/// barrier is then six half lengths away from its middle, and six points are exact to 1e-13.
/// Higher: errors above rounding, so that energies depend on where pieces end. Lower: more
/// intervals.
pub(crate) const QUADRATURE_RATIO: f64 = 1.4;

/// Largest number of intervals of a piece (1, 80, which a ratio of 1e14 needs). Higher: more time
/// at gaps that are almost closed. Lower: errors above rounding there.
pub(crate) const QUADRATURE_MOST_INTERVALS: f64 = 80.0;

/// Length of an interval around a vertex, in units of `asinh` of the distance along the line over
/// the distance of the nearest singularity (1, 0.5). Higher: errors above rounding. Lower: more
/// intervals.
pub(crate) const QUADRATURE_TURN: f64 = 0.5;

/// Length of a whole piece around a vertex up to which three points are exact to rounding, in the
/// unit of [`QUADRATURE_TURN`] (1, 0.02). Higher: errors above rounding. Lower: six points where
/// three suffice.
pub(crate) const QUADRATURE_SHORT_TURN: f64 = 0.02;

// Friction.

/// Elastic slip at which friction is fully developed, as a share of the pair's activation distance
/// (1, 1e-4 to 1e-2). Higher: a push visibly moves bodies at rest. Lower: sticking contacts are so
/// stiff that the Newton system loses digits.
pub const ELASTIC_SLIP: f64 = 2e-3;

/// Default of the speed from which on friction is kinetic, as a multiple of `eps_v` (1, 5 to 100).
/// Higher: bodies slide with static friction over a wide range of speeds. Lower: friction falls
/// steeply with the speed, and sliding is unstable.
pub(crate) const KINETIC_SPEED: f64 = 10.0;

/// Least speed from which on friction is kinetic, as a multiple of `eps_v` (1, 2). Higher: a speed
/// that a user chose is replaced without need. Lower: at 1 and below friction falls before it is
/// fully developed.
pub(crate) const LEAST_KINETIC_SPEED: f64 = 2.0;

/// Default of the angular speed from which on rolling resistance acts in full (rad/s, 1e-4 to 1e-2;
/// usually 0.1 degrees/s). A body that rolls at it moves by about a thousandth of its size per
/// second, as at the default of `eps_v`. Higher: bodies on slopes creep. Lower: the Newton system
/// is worse conditioned.
pub const ROLLING_SPEED: f64 = 0.1 / 180.0 * std::f64::consts::PI;

/// Anchors after the one that was found last among which the next one is searched first, before all
/// are (1, 2 to 16). Contacts of one kind come in the order of anchors, and other kinds are between
/// them. Higher: more comparisons before the search of all. Lower: all are searched more often.
pub(crate) const ANCHORS_AHEAD: usize = 4;

/// Places before and after the expected one at which a contact is searched in older friction (1, 8
/// to 64). Contacts come in the same order in both, so that few places lie between two common ones.
/// Higher: searches take longer. Lower: a contact that is not found counts as new.
pub(crate) const LAGGED_NEARBY: usize = 16;

// Broad phase. These change only the speed.

/// Tests of boxes that cost less than building a structure (1, 1e3 to 1e4). Higher: brute force
/// where a structure pays. Lower: structures for few boxes.
pub(crate) const BRUTE_MOST_TESTS: usize = 1 << 12;

/// Points that one search serves (1, 4 to 32). Higher: boxes around groups are large. Lower: more
/// searches.
pub(crate) const GATHER_GROUP: usize = 8;

/// Share of the boxes that are at most as large as a cell of the grid (1, 0.8 to 0.95). Higher:
/// cells hold many small boxes. Lower: many boxes are on coarser levels.
pub(crate) const GRID_COMMON: f64 = 0.9;

/// Largest number of boxes in a sample (1, 500 to 5000). Higher: sampling takes time. Lower:
/// quantiles are uncertain.
pub(crate) const SAMPLE_SIZE: usize = 1024;

/// Length up to which lists are swept at once (1, 64 to 512). Higher: sweeps test pairs that differ
/// along y. Lower: lists are halved more often than it pays.
pub(crate) const SWEEP_SHORT: usize = 128;

/// Length from which on lists are halved in parallel (1, 2000 to 20,000). Higher: threads have
/// nothing to do. Lower: tasks cost more than their work.
pub(crate) const SWEEP_LONG: usize = 8192;

/// Turn of a body in a motion from which on its time is cut into slices (rad, 0.5 to 3). Higher:
/// more pairs that do not meet. Lower: more searches.
pub(crate) const SLICED_FROM_TURN: f64 = 1.0;

/// Largest turn in a slice (rad, 0.05 to 0.5). Higher: larger boxes, with more pairs that do not
/// meet. Lower: more slices.
pub(crate) const SLICE_MOST_TURN: f64 = 0.1;

/// Largest number of slices (1, 64 to 1024); a motion that needs more is not cut. Higher: searches
/// take longer than they save. Lower: bodies that spin fast have pairs that do not meet.
pub(crate) const MOST_SLICES: f64 = 256.0;

/// Pairs for each point and edge from which on a search in slices costs less than it saves (1, 8 to
/// 32). Higher: lists with many pairs that do not meet. Lower: searches that save little.
pub(crate) const SLICED_FROM_PAIRS: usize = 16;

// Step bounds.

/// Largest displacement of a vertex, relative to the smallest gap, with which a motion counts as
/// short (1, 0 to 0.5; usually 0.25, which leaves half the gap). Higher: gaps to half-planes may
/// end below the share that the step bound keeps; at 0.5 bodies may meet. Lower: fewer motions are
/// short.
pub(crate) const SHORT_MOTION: f64 = 0.25;

/// Smallest gap, relative to coordinates, at which rounding of positions does not matter to short
/// motions (1, 1e-14 to 1e-10; well above the unit of rounding, 1.1e-16). Higher: fewer motions are
/// short. Lower: rounding may close a gap that counts as open.
pub(crate) const SHORT_MOTION_LEAST_GAP: f64 = 1e-12;

/// Share of the displacement to an impact with an edge or vertex that a step may take (1, 0 to 1;
/// usually 0.9). Higher: at 1 steps end in contact, where the barrier is infinite. Lower:
/// iterations before impacts.
pub const IMPACT_SHARE: f64 = 0.9;

/// Smallest share of a gap to an edge that a step leaves, for gaps up to `d_hat` (1, 0 to
/// `1 - IMPACT_SHARE`; usually 0.05). Higher: above `1 - IMPACT_SHARE` most steps are refused.
/// Lower: below 1e-12 a step may end within rounding of contact, where the barrier is so stiff that
/// the point sticks.
pub const EDGE_GAP_KEPT: f64 = 0.05;

/// Share of the gap to a half-plane that a step leaves (1, 0 to 1; usually 0.1). It is a share of
/// the gap, while [`IMPACT_SHARE`] is one of the displacement. Higher: iterations before impacts.
/// Lower: steps end near contact, where the barrier is stiff.
pub const PLANE_GAP_KEPT: f64 = 0.1;

/// Excess of the gap over [`PLANE_GAP_KEPT`] at which the search on a curved path ends, as a share
/// of the initial gap (1, 1e-4 to 1e-2). Higher: steps are shorter by that share. Lower: more
/// pieces.
pub const PLANE_GAP_EXCESS: f64 = 1e-3;

/// Share of the available gap that the envelope of a piece of a curved path to a half-plane may
/// take (1, 0 to 1; usually 0.25). Higher: near 1 each piece makes little progress. Lower: near 0
/// pieces are short and many.
pub const PLANE_ENVELOPE: f64 = 0.25;

/// Pieces after which the search on a curved path to a half-plane ends, short of the largest step
/// (1, 10,000). Higher: paths of thousands of turns take longer. Lower: steps on such paths are
/// shorter.
pub const PLANE_MAX_PIECES: usize = 10_000;

// Continuous collision detection on straight paths.

/// Share of the time of impact that the exact method returns (1, `1 - 1/2048`). It must cover the
/// error [`EXACT_ACCURACY`]. Higher: times may be later than the impact. Lower: steps are shorter.
pub const EXACT_TIME_KEPT: f64 = 1.0 - 1.0 / 2048.0;

/// Largest relative error of a root that the exact method accepts from floating point (1, 1/4096:
/// half of the margin of [`EXACT_TIME_KEPT`]). Higher: times may be later than the impact. Lower:
/// more queries are answered by exact integers.
pub const EXACT_ACCURACY: f64 = 1.0 / 4096.0;

/// Factor of the time by which a separation is certainly reached if an impact is confirmed there
/// (1, above 1; usually `1 + 1/2048`). Higher: times are earlier. Lower: more advances.
pub const CONFIRMED_TIME: f64 = 1.0 + 1.0 / 2048.0;

/// Advances towards a separation that one exact query may take (1, 128; head-on impacts need fewer
/// than ten). Higher: grazes take longer. Lower: queries end early, with a safe time.
pub const SEPARATED_MAX_ADVANCES: usize = 128;

/// Share of a gap that an advance of additive CCD leaves, and of the initial gap at which advancing
/// ends (1, 0 to 1; usually 0.1). Higher: earlier times. Lower: more advances.
pub const ADDITIVE_GAP_KEPT: f64 = 0.1;

/// Advances of additive CCD that one query may take (1, 512). A slide of length `L` at the gap `g`
/// needs about `L / (0.9 g)` of them. Higher: slides take longer. Lower: queries end early, with a
/// safe time.
pub const ADDITIVE_MAX_ADVANCES: usize = 512;

/// Time of impact of interval root finding below which the exact method decides (1, 0 to 0.1). Higher:
/// the exact method answers more often. Lower: a pair that stays apart may stop a search.
pub(crate) const INCLUSION_LEAST: f64 = 0.01;

/// Width of a box that interval root finding does not divide further, as a share of the initial gap
/// (1, 1/256 to 1/16). Higher: earlier times. Lower: more cells.
pub const INCLUSION_WIDTH: f64 = 1.0 / 64.0;

/// Cells of interval root finding that one query may visit (1, 2048). Higher: grazes take longer.
/// Lower: queries end early, with a safe time.
pub const INCLUSION_MAX_CELLS: usize = 2048;

// Continuous collision detection on curved paths.

/// Turns of a body in one motion beyond which the motion is not searched for collisions (1, 1000;
/// rolling and spinning bodies need less than 0.1). Higher: the search takes longer, since it
/// divides every turn into pieces. Lower: motions that could be searched fail.
pub const MOST_TURNS: f64 = 1000.0;

/// Share of the initial gap at which a pair on curved paths is in contact (1, 1e-9 to 1e-3).
/// Higher: steps are shorter. Lower: more pieces.
pub const ARC_CONTACT: f64 = 1e-6;

/// Share of the gap that the envelope of a linear piece may take (1, below 0.5; usually 0.25).
/// Higher: from 0.5 on a pair that passes closely counts as an impact. Lower: more pieces.
pub const ARC_ENVELOPE: f64 = 0.25;

/// Linear pieces of a curved path that one query may take (1, 65,536). Higher: long slides take
/// longer. Lower: queries end early, with a safe time.
pub const ARC_MAX_PIECES: usize = 1 << 16;

/// Share of the gap above which a linear method that reports an impact made too little progress (1,
/// 0.6: a tenth of the gap without the envelope, and the envelope twice). Higher: stalls are not
/// noticed. Lower: progress counts as a stall, and queries end early.
pub const ARC_STALLED: f64 = 0.6;

/// Pieces in a row on which the linear method may stall before the query ends (1, 32). Additive CCD
/// stalls on long slides along an edge. Higher: such slides take longer. Lower: earlier times on
/// them.
pub const ARC_MAX_STALLS: usize = 32;

/// Share of the initial gap at which two advancing rigid bodies are in contact (1, 1e-12 to 1e-6).
/// Higher: earlier times. Lower: more advances; below the rounding of positions it has no effect.
pub const ADVANCEMENT_CONTACT: f64 = 1e-9;

/// Advances of two rigid bodies that one query may take (1, 65,536). Higher: grazes take longer.
/// Lower: queries end early, with a safe time.
pub const ADVANCEMENT_MAX_ADVANCES: usize = 1 << 16;

// Proofs and overlaps.

/// Pieces into which a proof may divide a path before a half-plane (1, 65,536). Higher: proofs of
/// motions that graze take longer. Lower: more motions are reported as not proved.
pub const PROOF_MAX_PIECES: usize = 1 << 16;

/// Largest number of directions along which a translation out of an overlap is searched (1, 32 to
/// 256). Higher: the search takes longer. Lower: translations are longer than necessary.
pub const TRANSLATION_DIRECTIONS: usize = 64;

/// Directions among these that are spread evenly, while the others are normals of edges (1, 8 to
/// 32). Higher: fewer normals of edges, which are the best directions of polygons. Lower: bodies
/// whose edges have few directions are moved farther.
pub const TRANSLATION_EVEN_DIRECTIONS: usize = 16;

/// Pairs of edges that a search for a translation visits for all directions together (1, 2e7, about
/// a second). Higher: the search takes longer. Lower: more bodies count as their convex hulls,
/// whose translations are longer.
pub const TRANSLATION_MAX_PAIRS: usize = 20_000_000;

// Swept penetration: direct motions through bodies.

/// Share of the width of the thinner body that a direct motion may cut (1, 0.1 to 1; usually 0.5).
/// Higher: steps lead round the ends of thin bodies unnoticed. Lower: steps that pass a corner are
/// divided without need.
pub(crate) const CUT_SHARE: f64 = 0.5;

/// Largest number of chords of one arc (1, 1000 to 10,000). Higher: motions of many turns take
/// longer. Lower: chords deviate from arcs by more than [`CHORD_DEVIATION`].
pub(crate) const CUT_MOST_CHORDS: f64 = 4096.0;

/// Share of the allowed depth by which chords may deviate from arcs (1, 0.02 to 0.3). Higher:
/// depths of cuts are wrong by that share. Lower: more chords.
pub(crate) const CHORD_DEVIATION: f64 = 0.1;

/// Share of an edge beyond its ends that still counts as the edge (1, 1e-12 to 1e-6). Higher:
/// vertices that pass an end cross the edge. Lower: rounding lets a vertex slip between two edges.
pub(crate) const CROSSING_MARGIN: f64 = 1e-9;

/// Share of the depth of a cut that two bodies may move in a step that would lead one through the
/// other (1, 0.05 to 0.5; usually 0.125). Higher: the body that is hit turns far within the step.
/// Lower: more steps are divided.
pub(crate) const OVERSHOOT_SHARE: f64 = 0.125;

/// Share of the width of a body by which a small one may move into it within a step (1, 1/64 to
/// 1/4). Higher: a bullet slides round the body while it is stopped. Lower: more steps are divided.
pub(crate) const IMPACT_DEPTH: f64 = 1.0 / 16.0;

/// Multiple of its size by which a small body may move into a large one, if that is more than
/// [`IMPACT_DEPTH`] (1, 1 to 10). Higher: steps of bullets are too long for their impact. Lower:
/// common impacts divide steps.
pub(crate) const BULLET_DEPTH: f64 = 4.0;

/// The multiple of [`BULLET_DEPTH`] for a step that is divided already (1, 0.1 to 1). Higher: a
/// bullet slides round the other body while it is stopped. Lower: steps are divided further.
pub(crate) const BULLET_DEPTH_DIVIDED: f64 = 0.25;

/// Share of the width of a body below which no corner lets a vertex cut too deep (1, 0.125). A
/// corner of the angle `2 b` is cut by a chord `c` with the depth `c / (2 tan b)`, which is half
/// the width at this share for `2 b` of 14 degrees. Higher: cuts of sharp corners are missed.
/// Lower: more motions are examined.
pub(crate) const NARROW_OF_WIDTH: f64 = 0.125;

/// Share of a chord at rest that remains when a body is deformed (1, 0.3 to 0.8). Higher: cuts of
/// bodies that are compressed are missed. Lower: more motions are examined.
pub(crate) const NARROW_OF_CHORD: f64 = 0.5;

/// Pieces of an edge as long as the width of its body (1, 2 to 8). Higher: more pairs of pieces.
/// Lower: chords between places near each other are missed.
pub(crate) const NARROW_PIECES: f64 = 4.0;

/// Largest number of pieces of an edge (1, 32 to 256). Higher: long edges take longer. Lower:
/// pieces of long edges are coarse.
pub(crate) const NARROW_MOST_PIECES: f64 = 64.0;

// Composite directions.

/// Part of a linear gap that every step of an inner solve leaves (1, 0.01 to 0.2). Higher: more inner solves.
/// Lower: barriers grow by the square of its inverse, and secants span many orders.
pub(crate) const LINEAR_GAP_KEPT: f64 = 0.05;

/// Largest number of steps in which the gap with a pressure is searched (1, 10 to 50; 5 are usual).
/// Higher: nothing. Lower: secants of gaps that change by orders are tangents.
pub(crate) const INVERSE_MOST_STEPS: usize = 30;
