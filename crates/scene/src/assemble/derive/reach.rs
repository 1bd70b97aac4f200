//! Default of `d_hat`, the distance at which bodies begin to repel each other.

use super::reasoned::Reasoned;
use super::traits::Traits;
use ipcsim_contact::tuning::{REACH_OF_GAP, REACH_OF_PLAY};
use ipcsim_contact::{Play, Surface, nearest_gaps, plays};
use ipcsim_math::Vec2;
use ipcsim_math::number::short;

/// Default of `d_hat` relative to the size of a body (1).
///
/// Larger, gaps are visible, and contacts of a small body reach across it; smaller, steps need more
/// Newton iterations.
pub(crate) const D_HAT_OF_SIZE: f64 = 5e-3;

/// Largest default of `d_hat` relative to the width of a body (1).
///
/// Larger, slender bodies rest on each other several thicknesses apart.
const OF_WIDTH: f64 = 0.1;

/// Least distance of a pair relative to its usual one (1), whatever gap it starts with.
///
/// A pair that starts much nearer has energy in its barrier, and a warning.
const LEAST: f64 = 1e-6;

/// Least distance of a pair relative to the rounding of its place (1).
///
/// Below it a barrier is too thin for positions to rest in it.
const DIGITS: f64 = 1e4;

/// The pair of bodies whose distance the gaps at the start limit most.
pub(super) struct Fitted {
    /// Numbers of the two bodies.
    pub bodies: [usize; 2],
    /// Distance of the pair (m).
    pub d_hat: f64,
    /// Gap that the pair starts with (m).
    pub gap: f64,
    /// Number of pairs that start so near to each other.
    pub count: usize,
}

/// Distances of bodies (m), `[bodies]`. A pair has the smaller one.
pub(super) fn own(bodies: &[Traits]) -> Vec<Reasoned> {
    let own = bodies.iter().map(|body| {
        let of_size = D_HAT_OF_SIZE * body.hardness.size;
        let of_width = OF_WIDTH * body.width;
        let reason = if of_width < of_size {
            format!("{OF_WIDTH} of its width of {} m", short(body.width))
        } else {
            format!(
                "{D_HAT_OF_SIZE} of its size of {} m",
                short(body.hardness.size)
            )
        };
        Reasoned {
            value: of_size.min(of_width),
            reason,
        }
    });
    own.collect()
}

/// Lowers the distances of pairs of bodies that fit into each other on the `surface` at `x` (m,
/// `[vertices]`), and returns the tightest fit and their number.
///
/// `moves` and `group` are as in [`plays`].
pub(super) fn fit_slots(
    surface: &mut Surface,
    x: &[Vec2],
    moves: &[bool],
    group: &[usize],
) -> Option<(Play, usize)> {
    let found = plays(surface, x, moves, group);
    for play in &found {
        for side in play.sides {
            surface
                .reach
                .narrow(play.body, side, REACH_OF_PLAY * play.play);
        }
    }
    let least = found
        .iter()
        .min_by(|one, other| one.play.total_cmp(&other.play));
    least.map(|&least| (least, found.len()))
}

/// Lowers the distances of pairs of bodies that start nearer to each other on the `surface` at `x`
/// (m, `[vertices]`), and returns the most extreme one. Bodies that touch or overlap are left out:
/// the scene is refused.
pub(super) fn fit_gaps(surface: &mut Surface, x: &[Vec2]) -> Option<Fitted> {
    let mut count = 0;
    let mut least: Option<Fitted> = None;
    for ([a, b], gap) in nearest_gaps(surface, x) {
        let rounding = f64::EPSILON * gap.place.amax();
        let gap = gap.left();
        let usual = surface.reach.usual(a, b);
        let d_hat = (REACH_OF_GAP * gap)
            .max(LEAST * usual)
            .max(DIGITS * rounding);
        if gap <= 0.0 || d_hat >= usual {
            continue;
        }

        surface.reach.lower(a, b, d_hat);
        count += 1;
        if least.as_ref().is_none_or(|least| d_hat < least.d_hat) {
            least = Some(Fitted {
                bodies: [a, b],
                d_hat,
                gap,
                // The pairs are counted until the end.
                count: 0,
            });
        }
    }
    least.map(|least| Fitted { count, ..least })
}
