//! Gaps at the start that are too small for the barrier.
//!
//! The barrier is infinite at a gap of 0 and very stiff just above it. A scene whose bodies start
//! almost in contact can be built, but its first step throws the bodies apart. This room measures
//! the smallest gap `g = d - s` of every two bodies, where `d` is the distance of a point from an
//! edge or a half-plane, and `s` are the radii of circles plus `contact.min_separation`:
//!
//! - `g <= 0` is an error, as the barrier has no finite value there;
//! - `0 < g < 1e-4 d_hat` is a warning;
//! - so is a gap for which the `d_hat` of the pair had to be a thousandth of its usual one;
//! - overlaps are left to [`crate::overlap`], which reports each of them once.
//!
//! Candidates for contact give the pairs, so that bodies farther apart than `d_hat` cost nothing.
//! The command that repairs scenes asks for the directions in which such bodies move apart.

use crate::assemble::Setup;
use crate::overlap::Overlap;
use crate::problem::Problem;
use ipcsim_contact::{Gap, Surface, nearest_gaps};
use ipcsim_math::Vec2;
use ipcsim_math::number::short;

/// Share of `d_hat` (1) below which a gap at the start is reported.
///
/// At this gap the barrier pushes with `kappa / 2` divided by the share, 1e4 times its usual
/// pressure, and bodies fly apart in the first step.
const HARD: f64 = 1e-4;

/// Share of the usual `d_hat` of a pair (1) below which it is reported.
///
/// A barrier so thin costs many Newton iterations wherever the pair touches.
const THIN: f64 = 1e-3;

/// Largest number of pairs of bodies that are reported. More would hide other problems.
const LISTED: usize = 20;

/// Pairs of bodies whose gap at the start is a warning, each with the smaller number first.
pub(super) fn hard(setup: &Setup) -> Vec<[usize; 2]> {
    let surface = &setup.world.model.surface;
    let gaps = nearest_gaps(surface, &setup.state.x).into_iter();
    gaps.filter(|(pair, gap)| is_hard(surface, *pair, gap))
        .map(|(pair, _)| pair)
        .collect()
}

/// True if the barrier of a pair with this gap explodes.
fn is_hard(surface: &Surface, [a, b]: [usize; 2], gap: &Gap) -> bool {
    gap.left() < HARD * surface.reach.between(a, b)
}

/// True if the barrier of a pair is thin because the two start so near to each other.
fn is_thin(surface: &Surface, [a, b]: [usize; 2]) -> bool {
    surface.reach.between(a, b) < THIN * surface.reach.usual(a, b)
}

/// Pairs of bodies that start too near to each other without overlapping: those with a tiny gap,
/// and the `pushed` ones.
///
/// Each comes with the unit vector along which the first body moves away from the second. Pairs
/// are sorted by the numbers of their bodies, the smaller one first.
pub(super) fn ways_away(
    overlaps: &[Overlap],
    pushed: &[[usize; 2]],
    setup: &Setup,
) -> Vec<([usize; 2], Vec2)> {
    let surface = &setup.world.model.surface;
    let mut gaps = nearest_gaps(surface, &setup.state.x);
    gaps.retain(|pair, gap| {
        let is_near =
            is_hard(surface, *pair, gap) || is_thin(surface, *pair) || pushed.contains(pair);
        // An overlap gives its pair another translation.
        is_near && overlaps.iter().all(|overlap| overlap.bodies != *pair)
    });

    gaps.into_iter()
        .map(|(pair, gap)| (pair, gap.away))
        .collect()
}

/// Errors for bodies within `min_separation`, and warnings for gaps at which the barrier explodes.
///
/// At most [`LISTED`] problems are returned. Pairs in `overlaps` are left out: they are reported
/// already.
pub(super) fn problems(overlaps: &[Overlap], setup: &Setup) -> Vec<Problem> {
    let mut gaps = nearest_gaps(&setup.world.model.surface, &setup.state.x);
    for overlap in overlaps {
        gaps.remove(&overlap.bodies);
    }

    let found = gaps
        .into_iter()
        .filter_map(|(pair, gap)| problem(pair, gap, setup));
    found.take(LISTED).collect()
}

/// Error or warning of a pair of bodies; `None` if the gap between them is wide enough.
fn problem([one, other]: [usize; 2], gap: Gap, setup: &Setup) -> Option<Problem> {
    let surface = &setup.world.model.surface;
    let d_hat = surface.reach.between(one, other);
    let least = surface.min_separation;
    let kappa = setup.world.barriers.kappa(one, other);
    let [a, b] = [one, other].map(|body| &setup.world.bodies[body].name);
    let left = gap.left();

    // Nothing is left for the barrier.
    if left <= 0.0 {
        let message = format!(
            "\"{a}\" starts {} m from \"{b}\", not farther than contact.min_separation, {} m; \
             move it away, or lower min_separation",
            short(left + least),
            short(least)
        );
        return Some(Problem::error(&setup.paths[one], message).at(gap.place));
    }

    // Little is left, and the barrier is stiff.
    if is_hard(surface, [one, other], &gap) {
        let message = format!(
            "\"{a}\" starts {} m from \"{b}\", a {:.0}th of d_hat, {} m; the barrier will push \
             them apart with {:.0e} Pa; move it away by d_hat",
            short(left),
            d_hat / left,
            short(d_hat),
            0.5 * kappa * d_hat / left
        );
        return Some(Problem::warning(&setup.paths[one], message).at(gap.place));
    }

    is_thin(surface, [one, other]).then(|| {
        let message = format!(
            "\"{a}\" starts {} m from \"{b}\", so that contact of the two reaches no farther than \
             {} m, and steps will need many Newton iterations; move it away by {} m",
            short(left),
            short(d_hat),
            short(surface.reach.usual(one, other))
        );
        Problem::warning(&setup.paths[one], message).at(gap.place)
    })
}
