//! Tuning constants of energies: unit, usual value or range, and what other values break.
//!
//! The bound of a determinant's rounding is derived from the number of operations and stands at its
//! formula.

// Bounds of steps.

/// Smallest share of a triangle's area that a step leaves (1, 0 to 1; usually 0.1). Higher: large
/// steps are cut without need. Lower: triangles become slivers within one step, and stiff laws then
/// need many more iterations; at 0 a step may end in a triangle without area.
pub(crate) const AREA_KEPT: f64 = 0.1;

/// Smallest share of each coefficient of `J` of a quadratic triangle that a step leaves (1, 0 to 1;
/// usually 0.1, as [`AREA_KEPT`]). Higher: large steps are cut without need. Lower: a triangle
/// becomes thin within one step.
pub(crate) const JACOBIAN_KEPT: f64 = 0.1;

/// Share of the displacement to a map without area that a step may take (1, 0 to 1; usually 0.9).
/// Higher: a step may end near such a map, and at 1 in it, where the energy is infinite. Lower:
/// bodies that are hit hard cost iterations.
pub(crate) const FLATTENING_SHARE: f64 = 0.9;

/// Share of the displacement to a fold of a rod that a step may take (1, 0 to 1; usually 0.9).
/// Higher: a step may end near a fold, and at 1 in it, where the energy of bending is infinite.
/// Lower: rods that bend sharply cost iterations.
pub(crate) const FOLD_SHARE: f64 = 0.9;

/// Smallest share of its length that a segment of a rod keeps in a step (1, 0 to 1; usually 0.1).
/// Higher: large steps are cut without need. Lower: a segment shrinks to almost nothing within one
/// step, where its resistance is so stiff that it needs many more iterations.
pub(crate) const LENGTH_KEPT: f64 = 0.1;

// Resistance to collapse.

/// Ratio of areas `J` below which a triangle resists its collapse (1, 0.1 to 0.3). Higher: the law
/// itself is changed at compressions for which it is still used. Lower: a triangle that has yielded
/// is compressed farther, and elements become thinner before the barrier holds them.
pub(crate) const COLLAPSE_BEGINS: f64 = 0.2;

/// Ratio of a coefficient of `J` to its value at rest below which it is resisted (1, 0.05 to 0.2).
/// Higher: the law is changed where materials are strongly compressed. Lower: triangles become
/// thinner before the guard holds them.
pub(crate) const GUARD_BEGINS: f64 = 0.1;

/// Stretch below which a segment of a rod resists more than linearly (1, 0.2 to 0.7;
/// usually 0.5). Higher: the axial force is not linear in strains that rods reach. Lower:
/// segments of rods that are pressed hard become shorter.
pub(crate) const CRUSHED_STRETCH: f64 = 0.5;

// Thickness in plane stress.

/// Step of the thickness, as a share of it, after which its equation counts as solved (1, 1e-9).
/// Newton's method converges quadratically: such a step leaves an error below rounding. Higher: the
/// stress differs from the derivative of the energy. Lower: rounding may keep steps above it, and
/// all steps are taken.
pub(crate) const THICKNESS_SOLVED: f64 = 1e-9;

/// Largest number of steps for the thickness (1, 100). Newton's method takes 3 to 8, and bisections
/// of an interval take up to 60. Higher: no effect. Lower: bisections end before the equation is
/// solved.
pub(crate) const THICKNESS_MOST_STEPS: usize = 100;

/// Step of the logarithm of the thickness of a material that flows, relative to the logarithms of
/// its stretches, after which its equation counts as solved (1, 1e-9): Newton's method then leaves
/// an error of rounding. Higher: a stress across remains. Lower: rounding may keep steps above it.
pub(crate) const FLOW_THICKNESS_SOLVED: f64 = 1e-9;

/// Largest number of steps for the thickness of a material that flows (1, 60). The stress across is
/// piecewise close to linear in its logarithm: 2 to 5 are taken. Higher: no effect. Lower:
/// bisections end before the equation is solved.
pub(crate) const FLOW_THICKNESS_MOST_STEPS: usize = 60;

/// Smallest share of the volume of a chamber that a step leaves (1, 0 to 1; usually 0.1). Higher: large
/// steps are cut without need. Lower: gas is compressed so far in one direction that its pressure is
/// meaningless for the next.
pub(crate) const LEAST_CHAMBER: f64 = 0.1;
