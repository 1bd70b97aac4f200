//! Constants of constraints that decide results: unit, usual value, and what breaks if it changes.

/// First stiffness of a constraint relative to the inertia that it moves in a step.
///
/// Unit 1; usually 10,000. Openings shrink by about this factor whenever the forces are renewed.
/// Larger values make the valley of the potential narrow, so that line searches take short steps
/// where bodies turn fast; smaller ones cost renewals.
pub(super) const FIRST_STIFFNESS: f64 = 1e4;

/// Share of a residual that may remain after its force was renewed; if more remains the stiffness
/// grows.
///
/// Unit 1, between 0 and 1; usually 0.5. No finite force holds a straight row of bars between two
/// supports: there each renewal leaves about 0.4 of a residual, however stiff the constraint is. At
/// 0.1 the stiffness grows with each of them, to 1e14 times the first one, and rounding becomes
/// forces.
pub(super) const SLOW: f64 = 0.5;

/// Factor by which the stiffness of constraints grows where residuals shrink slowly.
///
/// Unit 1, above 1; usually 10.
pub(super) const GROWTH: f64 = 10.0;

/// Residual at which a constraint counts as closed, relative to the size of the larger body.
///
/// Unit 1; usually 1e-11, so that joints of bodies up to 10 m are closed to 1e-10 m. Below 1e-14
/// rounding of positions keeps joints open.
pub(super) const CLOSED: f64 = 1e-11;

/// Error of a residual by rounding, in units of the largest coordinate's last bit.
///
/// Usually 32. Smaller values ask for residuals that positions cannot represent.
pub(super) const ROUNDINGS: f64 = 32.0;

/// Renewals of the forces in one stage after which joints count as torn.
///
/// Usually 60; a stage of a mechanism that moves needs one to five, and joints that
/// contradict each other or a prescribed motion never close.
pub(super) const MOST_RENEWALS: usize = 60;

/// Stiffness of the barrier of a limit relative to the inertia that it stops in a step.
///
/// Unit 1; usually 1. Larger values make the barrier bend sharply where it begins; with smaller
/// ones joints come closer to their limits under the same load, and none passes them.
pub(super) const LIMIT_STIFFNESS: f64 = 1.0;

/// Share of its distance from a limit, or of the reach of the barrier, that a joint keeps in one
/// iteration.
///
/// Unit 1, between 0 and 1; usually 0.05, as for gaps of contact. Larger values cost iterations,
/// smaller ones let a joint come so near that its barrier is stiffer than all else.
pub(super) const LIMIT_GAP_KEPT: f64 = 0.05;

/// Largest angle by which a body turns in one iteration if its turns are counted (rad).
///
/// Below pi, or a turn backwards could be meant; usually 2.
pub(super) const MOST_TURN: f64 = 2.0;
