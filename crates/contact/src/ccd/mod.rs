//! Narrow phase: when does a moving point meet a moving edge?
//!
//! There is one query for points and edges, one answer, and several methods to find it. An impact
//! is a distance of 0, or of the minimum separation, at some `t` in `[0, 1]`, both ends included.
//! Touching at the start is an impact at 0.
//!
//! [`NarrowPhase::Inclusion`] asks [`exact`] where [`inclusion`] says 0 or nearly that.
//!
//! All methods are conservative: a time that is too early only costs iterations, a time that is too
//! late lets bodies pass through each other. Rounding errors are part of that promise.
//!
//! | method | a miss means | `toi` of an impact at `t*` | without a separation |
//! |---|---|---|---|
//! | [`exact`] | no impact | `[0.999, 1] t*` | an impact means impact |
//! | [`additive`] | no impact | `<= t*`; leaves a tenth of the gap | may report a near miss |
//! | [`inclusion`] | no impact | `<= t*`; leaves a little of the gap | may report a near miss |
//!
//! [`arc`] extends them to curved paths, piece by piece. [`advancement`] finds the first contact of
//! two convex bodies as a whole.

pub mod additive;
pub mod advancement;
pub mod arc;
pub mod exact;
pub mod inclusion;
mod relative;

use crate::tuning::INCLUSION_LEAST;
use ipcsim_math::Vec2;
use relative::Relative;

/// A point and an edge whose three vertices move on straight lines while `t` goes from 0 to 1.
///
/// An edge whose ends coincide is a point; the query is then one of two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Positions of the point and the edge's ends at `t = 0` (m).
    pub start: [Vec2; 3],
    /// Positions at `t = 1` (m).
    pub end: [Vec2; 3],
}

/// Method that finds the time of impact.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    ipcsim_keys::Keys,
)]
#[serde(rename_all = "snake_case")]
pub enum NarrowPhase {
    /// The root of a quadratic, decided exactly.
    #[default]
    Exact,
    /// Additive CCD (Li et al. 2021).
    Additive,
    /// Interval root finding (Wang et al. 2021).
    Inclusion,
}

impl NarrowPhase {
    /// All methods, in the order of the table.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Additive, Self::Inclusion];

    /// A time `toi` in `[0, 1]` up to which the distance stays above `min_separation >= 0` (m);
    /// `None` if it does throughout the step, the end included.
    ///
    /// The time is never later than the first one at which the distance equals `min_separation`. It
    /// is 0 if a position is not finite.
    ///
    /// ```
    /// use ipcsim_contact::ccd::{NarrowPhase, Query};
    /// use ipcsim_math::Vec2;
    /// let edge = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
    /// let falls = |to: f64| Query {
    ///     start: [Vec2::new(0.0, 3.0), edge[0], edge[1]],
    ///     end: [Vec2::new(0.5, to), edge[0], edge[1]],
    /// };
    /// let toi = NarrowPhase::Exact.time_of_impact(&falls(-1.0), 0.0).unwrap();
    /// assert!(toi <= 0.75 && toi >= 0.999 * 0.75);
    /// assert_eq!(NarrowPhase::Exact.time_of_impact(&falls(1e-300), 0.0), None);
    /// ```
    #[inline]
    pub fn time_of_impact(self, query: &Query, min_separation: f64) -> Option<f64> {
        // A NaN becomes 0 as well.
        let min_separation = min_separation.max(0.0);
        let relative = Relative::new(query);
        if relative.stays_apart(min_separation) || relative.is_out_of_reach(min_separation) {
            return None;
        }

        match self {
            Self::Exact => exact::time_of_impact(query, &relative, min_separation),
            Self::Additive => additive::time_of_impact(query, min_separation),
            // A pair with a gap may get 0 or nearly that, which would stop a search for good.
            Self::Inclusion => match inclusion::time_of_impact(query, min_separation) {
                Some(toi) if toi < INCLUSION_LEAST => {
                    exact::time_of_impact(query, &relative, min_separation)
                }
                found => found,
            },
        }
    }
}

impl Query {
    /// A query between two points: both ends of the edge are the second point.
    pub fn point_point(start: [Vec2; 2], end: [Vec2; 2]) -> Self {
        Self {
            start: [start[0], start[1], start[1]],
            end: [end[0], end[1], end[1]],
        }
    }

    /// True if the edge, as the point sees it, stays more than `separation` (m) away on one side
    /// along x or along y.
    #[inline]
    pub fn boxes_stay_apart(&self, separation: f64) -> bool {
        Relative::new(self).stays_apart(separation)
    }

    /// True if the distance stays above `separation` (m) by boxes, or because the motion is too
    /// short.
    #[inline]
    pub fn stays_apart(&self, separation: f64) -> bool {
        let relative = Relative::new(self);
        relative.stays_apart(separation) || relative.is_out_of_reach(separation)
    }
}
