//! Distance between a point and a segment.
//!
//! The point is nearest to the first end, to the second end or to the inside of the segment; the
//! projection `(p - e0) . (e1 - e0)` decides. Only differences of positions enter, so a pair
//! far from the origin is measured as accurately as its coordinates are stored.

use crate::{Vec2, cross};

/// Part of a segment that contains the nearest point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// First end of the segment.
    Start,
    /// Second end of the segment.
    End,
    /// Open segment between the ends.
    Interior,
}

/// Distance of a point to a segment, and the nearest point of the segment.
#[derive(Clone, Copy, Debug)]
pub struct PointEdge {
    /// Distance between the point and the segment (m).
    pub distance: f64,
    /// Position of the nearest point along the segment, in `[0, 1]` from the first end.
    pub t: f64,
    /// Part of the segment that contains the nearest point.
    pub region: Region,
}

/// Distance from the point `p` to the segment from `e0` to `e1` (m). A segment of length zero is a
/// point, whose region is the start.
#[inline]
pub fn point_edge(p: Vec2, e0: Vec2, e1: Vec2) -> PointEdge {
    let edge = e1 - e0;
    let r0 = p - e0;
    let along = r0.dot(&edge);
    let length_squared = edge.norm_squared();

    if along <= 0.0 || length_squared == 0.0 {
        PointEdge {
            distance: r0.norm(),
            t: 0.0,
            region: Region::Start,
        }
    } else if along >= length_squared {
        PointEdge {
            distance: (p - e1).norm(),
            t: 1.0,
            region: Region::End,
        }
    } else {
        // Twice the area of the triangle over its base.
        let distance = cross(edge, r0).abs() / length_squared.sqrt();
        PointEdge {
            distance,
            t: along / length_squared,
            region: Region::Interior,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Points in a square of side 4.
    fn vec2() -> impl Strategy<Value = Vec2> {
        (-2.0_f64..2.0, -2.0_f64..2.0).prop_map(|(x, y)| Vec2::new(x, y))
    }

    proptest! {
        #[test]
        fn no_sampled_point_of_the_edge_is_nearer(p in vec2(), a in vec2(), b in vec2()) {
            let found = point_edge(p, a, b);
            prop_assert!((found.distance - (p - (a + (b - a) * found.t)).norm()).abs() < 1e-14);
            for k in 0..=100 {
                let sample = a + (b - a) * (f64::from(k) / 100.0);
                prop_assert!(found.distance <= (p - sample).norm() + 1e-14);
            }
        }

        #[test]
        fn a_far_offset_changes_nothing_but_the_rounding_of_the_positions(
            p in vec2(), a in vec2(), b in vec2()
        ) {
            // Multiples of 2^-20 stay exact when 2^20 is added.
            let far = Vec2::new(1_048_576.0, -1_048_576.0);
            let [p, a, b] = [p, a, b].map(|v| v.map(|c| (c * 1_048_576.0).round() / 1_048_576.0));
            let near = point_edge(p, a, b);
            let away = point_edge(p + far, a + far, b + far);
            prop_assert_eq!(near.distance.to_bits(), away.distance.to_bits());
        }
    }

    #[test]
    fn a_segment_of_length_zero_is_a_point() {
        let at = Vec2::new(1.0, 1.0);
        let found = point_edge(Vec2::new(4.0, 5.0), at, at);
        assert!((found.distance - 5.0).abs() < 1e-15 && found.region == Region::Start);
    }
}
