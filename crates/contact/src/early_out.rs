//! Motions that are too short for anything to meet.
//!
//! A gap closes by no more than the displacements of its two sides, and no point of an edge moves
//! farther than the farther of its ends. So where all vertices move by less than half the smallest
//! gap, nothing meets. Directions near a minimum are mostly so short, and bodies at rest have no
//! others.

use super::Surface;
use crate::tuning::{SHORT_MOTION, SHORT_MOTION_LEAST_GAP};
use ipcsim_math::geometry::path::Sweep;
use ipcsim_math::parallel;
use std::ops::Range;

/// True if nothing can meet in a motion from a state whose gaps are `gap` (m) at least, since no vertex
/// moves far enough. Where it is true, [`super::max_step`] allows the whole motion, and
/// [`super::is_free`] holds.
///
/// Half-planes that turn have no farthest point: with them no motion is short.
pub fn is_short(surface: &Surface, motion: &Sweep, gap: f64) -> bool {
    if surface.planes.iter().any(|plane| plane.along.is_some()) {
        return false;
    }

    // Most motions are decided by their first few vertices.
    let points = &surface.points;
    let is_short = |i: usize| {
        let way = (motion.end[i] - motion.start[i]).norm() + motion.deviation(i);
        way <= SHORT_MOTION * gap
    };
    let mut origins = surface.planes.iter().map(|plane| plane.origin);
    let are_short = |range: Range<usize>| points[range].iter().all(|&i| is_short(i));
    if !(origins.all(is_short) && parallel::all_batches(points.len(), are_short)) {
        return false;
    }

    // Coordinates from which positions along the motion are computed.
    let of_points = parallel::max(points.len(), 0.0, |k| motion.start[points[k]].amax());
    let turning = motion.turns.iter().flatten();
    let of_turns = turning.map(|turn| turn.motion.center.amax() + turn.motion.translation.amax());
    gap >= SHORT_MOTION_LEAST_GAP * (of_points + of_turns.fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::{Barrier, BarrierShape};
    use crate::{Candidates, Contacts, HalfPlane};
    use ipcsim_math::Vec2;
    use ipcsim_math::geometry::distance::point_edge;
    use ipcsim_math::geometry::path::RigidMotion;
    use proptest::prelude::*;

    /// A point over an edge, at a gap of 1, both moved by an offset.
    fn surface(offset: Vec2) -> (Surface, [Vec2; 3]) {
        let surface = Surface {
            points: vec![0, 1, 2],
            edges: vec![[1, 2]],
            weight: vec![1.0; 3],
            ..Surface::new(vec![0, 1, 1], 2.0)
        };
        let x = [
            Vec2::new(0.0, 1.0),
            Vec2::new(-1.0, 0.0),
            Vec2::new(1.0, 0.0),
        ];
        (surface, x.map(|x| x + offset))
    }

    #[test]
    fn a_motion_is_short_up_to_a_quarter_of_the_gap() {
        let (surface, x) = surface(Vec2::zeros());
        for (way, expected) in [(0.0, true), (0.24, true), (0.26, false), (f64::NAN, false)] {
            let end = x.map(|x| x + Vec2::new(0.0, way));
            let motion = Sweep::straight(&x, &end);
            assert_eq!(is_short(&surface, &motion, 1.0), expected, "{way}");
        }
        assert!(!is_short(&surface, &Sweep::straight(&x, &x), 0.5e-12));
    }

    #[test]
    fn far_from_the_origin_small_gaps_are_never_wide_enough() {
        let (surface, x) = surface(Vec2::new(1e6, 0.0));
        let still = Sweep::straight(&x, &x);
        assert!(is_short(&surface, &still, 1e-5) && !is_short(&surface, &still, 1e-7));
    }

    #[test]
    fn a_whole_turn_is_not_short_though_it_ends_where_it_began() {
        let (surface, x) = surface(Vec2::zeros());
        let turns = |center: Vec2, angle: f64| {
            let translation = Vec2::zeros();
            [Some(
                RigidMotion {
                    center,
                    translation,
                    angle,
                }
                .into(),
            )]
        };
        for (center, angle, expected) in [
            (Vec2::zeros(), std::f64::consts::TAU, false),
            (Vec2::zeros(), 1e-3, true),
            // Its positions are known to 1e-4 m.
            (Vec2::new(1e13, 0.0), 1e-15, false),
        ] {
            let motion = Sweep {
                start: &x,
                end: &x,
                turn_of: &[0, 1, 1],
                turns: &turns(center, angle),
            };
            assert_eq!(is_short(&surface, &motion, 1.0), expected, "{center}");
        }
    }

    #[test]
    fn half_planes_count_and_none_that_turn() {
        let (mut surface, x) = surface(Vec2::zeros());
        let mut x = x.to_vec();
        x.extend([Vec2::new(0.0, -5.0), Vec2::new(1.0, -5.0)]);
        let mut end = x.clone();
        end[3].y += 0.3;
        let plane = |along| HalfPlane {
            origin: 3,
            normal: Vec2::y(),
            along,
        };

        assert!(is_short(&surface, &Sweep::straight(&x, &end), 1.0));
        surface.planes = vec![plane(None)];
        assert!(!is_short(&surface, &Sweep::straight(&x, &end), 1.0));
        assert!(is_short(&surface, &Sweep::straight(&x, &x), 1.0));
        surface.planes = vec![plane(Some(4))];
        assert!(!is_short(&surface, &Sweep::straight(&x, &x), 1.0));
    }

    /// The six vertices of a polyline that goes from left to right, between two heights.
    fn polyline(low: f64) -> impl Strategy<Value = Vec<Vec2>> {
        prop::collection::vec((0.0_f64..1.0, low..low + 0.5), 6..=6).prop_map(|mut vertices| {
            vertices.sort_by(|a, b| a.0.total_cmp(&b.0));
            vertices.into_iter().map(|(x, y)| Vec2::new(x, y)).collect()
        })
    }

    proptest! {
        /// What `gap` of [`is_short`] is taken from: no pair is nearer than the smallest gap of contacts
        /// and the smallest activation distance.
        #[test]
        fn no_gap_is_smaller_than_that_of_contacts_and_the_activation_distance(
            first in polyline(0.0),
            second in polyline(0.5),
            shift in -0.7_f64..0.7,
            d_hat in 0.02_f64..0.3,
            along_edges: bool,
        ) {
            // One polyline above another, of five edges each, and a half-plane below.
            let edges = (0..11).filter(|k| *k != 5);
            let surface = Surface {
                points: (0..12).collect(),
                edges: edges.map(|k| [k, k + 1]).collect(),
                weight: vec![0.1; 13],
                edge_area: vec![0.1; if along_edges { 10 } else { 0 }],
                integrated: vec![along_edges; 3],
                filled: vec![false; 3],
                planes: vec![HalfPlane { normal: Vec2::y(), origin: 12, along: None }],
                ..Surface::new((0..13).map(|i| i / 6).collect(), d_hat)
            };
            let mut x = first;
            x.extend(second.into_iter().map(|x| x + Vec2::new(shift, 0.0)));
            x.push(Vec2::new(0.0, -0.1));

            let candidates = Candidates::find(&surface, &x, |_| 0.0);
            let barrier = Barrier { shape: BarrierShape::Inverse, kappa: 1.0 };
            let found = Contacts::find(&surface, &barrier.into(), &candidates, &x);
            // States that touch have no contacts.
            prop_assume!(found.is_ok());
            let contacts = found.unwrap();
            let gap = contacts.min_gap.min(surface.least_d_hat());
            for &point in &surface.points {
                prop_assert!(x[point].y + 0.1 >= gap * (1.0 - 1e-12));
                for &edge in surface.edges.iter().filter(|edge| surface.is_pair(point, **edge)) {
                    let [p, a, b] = [point, edge[0], edge[1]].map(|i| x[i]);
                    prop_assert!(point_edge(p, a, b).distance >= gap * (1.0 - 1e-12));
                }
            }
        }
    }
}
