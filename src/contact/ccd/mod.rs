//! Narrow phase: when does a moving point meet a moving edge?

pub mod additive;
pub mod advancement;
pub mod arc;

use crate::geometry::Aabb;
use crate::math::Vec2;

/// A point and an edge whose three vertices move on straight lines while `t` goes from 0 to 1.
///
/// An edge whose ends coincide is a point, so that this is the point-point query, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Positions of the point and the edge's ends at `t = 0` (m).
    pub start: [Vec2; 3],
    /// Positions at `t = 1` (m).
    pub end: [Vec2; 3],
}

/// How the time of impact is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NarrowPhase {
    /// Additive CCD (Li et al. 2021).
    #[default]
    Additive,
}

impl NarrowPhase {
    /// A time `toi` in `[0, 1]` up to which the distance stays above `min_separation`, or `None` if it does all the
    /// way, the end included. Never later than the first time at which the distance equals `min_separation`.
    pub fn time_of_impact(self, query: &Query, min_separation: f64) -> Option<f64> {
        if query.boxes_stay_apart(min_separation) {
            return None;
        }
        match self {
            Self::Additive => additive::time_of_impact(query, min_separation),
        }
    }
}

impl Query {
    /// The edge's other end twice: a query between two points.
    pub fn point_point(start: [Vec2; 2], end: [Vec2; 2]) -> Self {
        Self { start: [start[0], start[1], start[1]], end: [end[0], end[1], end[1]] }
    }

    /// Whether the box swept by the point stays more than `separation` away from the box swept by the edge.
    #[inline]
    pub fn boxes_stay_apart(&self, separation: f64) -> bool {
        let point = Aabb::around([self.start[0], self.end[0]]);
        let edge = Aabb::around([self.start[1], self.start[2], self.end[1], self.end[2]]);
        !point.overlaps(&edge.grown(separation))
    }
}
