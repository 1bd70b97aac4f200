//! Convex shapes and the gap between two of them.
//!
//! A direction `n` separates the bodies A and B by `min n.b - max n.a` over their points, and no choice of `n` gives
//! more than their distance, which the best one reaches. The distance algorithm of Gilbert, Johnson and Keerthi (1988,
//! "A fast procedure for computing the distance between complex objects in three-dimensional space") looks for it among
//! the differences `b - a`, which form a convex set, too: from the point of a segment of it nearest to the origin it
//! goes to the set's farthest vertex towards the origin, and in the plane the next segment joins that vertex and one
//! of the old ends. The separation along the last direction is a lower bound of the distance whatever rounding did.

use super::distance::{Region, point_edge};
use crate::math::{Vec2, perp};
use nalgebra::Rotation2;
use thiserror::Error;

/// Segments that one search may take. Each is strictly nearer than the one before; a handful is usual.
const MAX_SEGMENTS: usize = 128;

/// A closed convex set, given around its body's centre.
#[derive(Clone, Debug, PartialEq)]
pub struct Convex(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Hull { vertices: Vec<Vec2>, radius: f64 },
    HalfPlane { outward: Vec2 },
}

/// Why numbers describe no convex shape.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum ConvexError {
    /// No vertices.
    #[error("a convex body has 0 vertices; give it at least 1")]
    Empty,
    /// A coordinate is not finite.
    #[error("vertex {index} of a convex body is ({x}, {y}); give it finite coordinates")]
    Vertex {
        /// Position in the list.
        index: usize,
        /// First coordinate.
        x: f64,
        /// Second coordinate.
        y: f64,
    },
    /// The radius is negative or not finite.
    #[error("the radius of a convex body is {0}; give it a finite one of at least 0")]
    Radius(f64),
    /// The normal has no direction.
    #[error("the normal of a half-plane is ({x}, {y}); give it a finite one that is not 0")]
    Normal {
        /// First coordinate.
        x: f64,
        /// Second coordinate.
        y: f64,
    },
}

impl Convex {
    /// The convex hull of `vertices` grown by `radius` (m): a polygon, a segment, a disk (one vertex), a capsule.
    ///
    /// # Errors
    /// [`ConvexError`] if there are no vertices, or a number is not finite, or the radius is negative.
    pub fn hull(vertices: Vec<Vec2>, radius: f64) -> Result<Self, ConvexError> {
        if vertices.is_empty() {
            return Err(ConvexError::Empty);
        }
        let finite = |x: &Vec2| x.x.is_finite() && x.y.is_finite();
        if let Some(index) = vertices.iter().position(|x| !finite(x)) {
            return Err(ConvexError::Vertex {
                index,
                x: vertices[index].x,
                y: vertices[index].y,
            });
        }
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(ConvexError::Radius(radius));
        }
        Ok(Self(Kind::Hull { vertices, radius }))
    }

    /// All points `x` with `outward . x <= 0`.
    ///
    /// # Errors
    /// [`ConvexError::Normal`] if `outward` has no direction.
    pub fn half_plane(outward: Vec2) -> Result<Self, ConvexError> {
        let length = outward.x.hypot(outward.y);
        if length > 0.0 && length.is_finite() {
            Ok(Self(Kind::HalfPlane {
                outward: outward / length,
            }))
        } else {
            Err(ConvexError::Normal {
                x: outward.x,
                y: outward.y,
            })
        }
    }

    /// How far a turn about the centre moves a point at most, per radian (m): the farthest vertex's distance, since
    /// the rounding is a disk around every point and looks the same when turned. `None` for a half-plane: no bound.
    pub fn reach(&self) -> Option<f64> {
        match &self.0 {
            Kind::Hull { vertices, .. } => Some(
                vertices
                    .iter()
                    .fold(0.0, |reach: f64, x| reach.max(x.x.hypot(x.y))),
            ),
            Kind::HalfPlane { .. } => None,
        }
    }
}

/// A convex shape somewhere.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The shape.
    pub shape: &'a Convex,
    /// Position of its centre (m).
    pub center: Vec2,
    /// How it is turned.
    pub rotation: Rotation2<f64>,
}

/// What separates two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// A lower bound of the distance (m), equal to it up to rounding if it is positive. Bodies that overlap have a gap
    /// of at most 0, and then the normal and the points mean nothing.
    pub gap: f64,
    /// Unit normal from the first body to the second.
    pub normal: Vec2,
    /// Nearest points of the first and the second body (m).
    pub points: [Vec2; 2],
}

/// What separates `a` from `b`; `None` for two half-planes.
pub fn separation(a: &Placed, b: &Placed) -> Option<Separation> {
    match (&a.shape.0, &b.shape.0) {
        (Kind::Hull { radius: ra, .. }, Kind::Hull { radius: rb, .. }) => {
            let (near, normal, gap) = nearest(a, b);
            Some(Separation {
                gap: gap - ra - rb,
                normal,
                points: [near.a + normal * *ra, near.b - normal * *rb],
            })
        }
        (Kind::HalfPlane { outward }, Kind::Hull { radius, .. }) => {
            let normal = a.rotation * outward;
            let vertex = b.support(-normal);
            let height = normal.dot(&(vertex - a.center));
            let points = [vertex - normal * height, vertex - normal * *radius];
            Some(Separation {
                gap: height - radius,
                normal,
                points,
            })
        }
        (Kind::Hull { .. }, Kind::HalfPlane { .. }) => separation(b, a).map(|s| {
            let [p, q] = s.points;
            Separation {
                normal: -s.normal,
                points: [q, p],
                ..s
            }
        }),
        (Kind::HalfPlane { .. }, Kind::HalfPlane { .. }) => None,
    }
}

impl Placed<'_> {
    /// The farthest vertex along `direction`; the centre of a half-plane, which has none.
    fn support(&self, direction: Vec2) -> Vec2 {
        let Kind::Hull { vertices, .. } = &self.shape.0 else {
            return self.center;
        };
        let local = self.rotation.inverse() * direction;
        let farther = |best: Vec2, x: &Vec2| {
            if x.dot(&local) > best.dot(&local) {
                *x
            } else {
                best
            }
        };
        self.center + self.rotation * vertices.iter().fold(vertices[0], farther)
    }
}

/// A point of each body; together a point `b - a` of the set of differences.
#[derive(Clone, Copy)]
struct Pair {
    a: Vec2,
    b: Vec2,
}

impl Pair {
    fn farthest(a: &Placed, b: &Placed, direction: Vec2) -> Self {
        Self {
            a: a.support(-direction),
            b: b.support(direction),
        }
    }

    fn difference(self) -> Vec2 {
        self.b - self.a
    }

    /// The pair nearest to the origin on the segment to `end`, and the direction from the origin to it: inside the
    /// segment its normal, which is known well even when the distance is all cancellation.
    fn nearest_towards(self, end: Self) -> (Self, Vec2) {
        let (from, to) = (self.difference(), end.difference());
        let found = point_edge(Vec2::zeros(), from, to);
        let near = Self {
            a: self.a + (end.a - self.a) * found.t,
            b: self.b + (end.b - self.b) * found.t,
        };
        let direction = match found.region {
            Region::Start => from,
            Region::End => to,
            Region::Interior if perp(to - from).dot(&from) > 0.0 => perp(to - from),
            Region::Interior => -perp(to - from),
        };
        (near, direction.try_normalize(0.0).unwrap_or_else(Vec2::x))
    }

    fn distance(self) -> f64 {
        self.difference().norm()
    }
}

/// The nearest points of two hulls without their rounding, the normal from `a` to `b`, and the separation along it.
fn nearest(a: &Placed, b: &Placed) -> (Pair, Vec2, f64) {
    let first = Pair::farthest(a, b, a.center - b.center);
    let mut segment = [first, first];
    let (mut near, mut normal) = first.nearest_towards(first);
    for _ in 0..MAX_SEGMENTS {
        let farthest = Pair::farthest(a, b, -normal);
        let candidates = segment.map(|end| end.nearest_towards(farthest));
        let best = usize::from(candidates[1].0.distance() < candidates[0].0.distance());
        if candidates[best].0.distance() >= near.distance() {
            break;
        }
        segment = [segment[best], farthest];
        (near, normal) = candidates[best];
    }
    (
        near,
        normal,
        normal.dot(&Pair::farthest(a, b, -normal).difference()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::predicates::{orientation, segments_touch};
    use proptest::prelude::*;
    use std::cmp::Ordering;

    fn vec2(size: f64) -> impl Strategy<Value = Vec2> {
        (-size..size, -size..size).prop_map(|(x, y)| Vec2::new(x, y))
    }

    fn placed(shape: &Convex, center: Vec2, angle: f64) -> Placed<'_> {
        Placed {
            shape,
            center,
            rotation: Rotation2::new(angle),
        }
    }

    /// The distance of two hulls by all pairs of vertices: every segment between two vertices of one body against
    /// every one of the other; 0 if two cross or a vertex of one body is inside a triangle of the other.
    fn brute_distance(a: &[Vec2], b: &[Vec2]) -> f64 {
        let segments = |x: &[Vec2]| {
            x.iter()
                .flat_map(|p| x.iter().map(move |q| (*p, *q)))
                .collect::<Vec<_>>()
        };
        let inside = |x: &[Vec2], p: Vec2| {
            x.iter().any(|i| {
                x.iter().any(|j| {
                    x.iter().any(|k| {
                        let sides = [
                            orientation(*i, *j, p),
                            orientation(*j, *k, p),
                            orientation(*k, *i, p),
                        ];
                        sides.iter().all(|side| *side == Ordering::Greater)
                    })
                })
            })
        };
        if b.iter().any(|p| inside(a, *p)) || a.iter().any(|p| inside(b, *p)) {
            return 0.0;
        }
        let mut nearest = f64::INFINITY;
        for (p, q) in segments(a) {
            for (r, s) in segments(b) {
                if segments_touch(p, q, r, s) {
                    return 0.0;
                }
                nearest = nearest
                    .min(point_edge(p, r, s).distance)
                    .min(point_edge(r, p, q).distance);
            }
        }
        nearest
    }

    proptest! {
        #[test]
        fn the_gap_is_the_distance_of_the_hulls_or_not_positive(
            a in prop::collection::vec(vec2(1.0), 1..6), b in prop::collection::vec(vec2(1.0), 1..6),
            center in vec2(3.0), angle in -7.0..7.0,
        ) {
            let (first, second) = (Convex::hull(a.clone(), 0.0).unwrap(), Convex::hull(b.clone(), 0.0).unwrap());
            let found = separation(&placed(&first, Vec2::zeros(), 0.0), &placed(&second, center, angle)).unwrap();
            let moved: Vec<Vec2> = b.iter().map(|x| center + Rotation2::new(angle) * x).collect();
            let truth = brute_distance(&a, &moved);
            prop_assert!((found.gap.max(0.0) - truth).abs() < 1e-14, "{} against {}", found.gap, truth);
            if truth > 0.0 {
                let [p, q] = found.points;
                prop_assert!((q - p - found.normal * truth).norm() < 1e-13);
            }
        }

        #[test]
        fn a_radius_takes_its_share_of_the_gap_and_moves_the_points(
            b in prop::collection::vec(vec2(0.5), 1..6), height in 2.0..4.0, radius in 0.0..1.0, angle in -7.0..7.0,
        ) {
            let (sharp, round) = (Convex::hull(b.clone(), 0.0).unwrap(), Convex::hull(b.clone(), radius).unwrap());
            let floor = Convex::half_plane(Vec2::new(0.0, 3.0)).unwrap();
            let below = placed(&floor, Vec2::new(7.0, 0.5), 0.0);
            let center = Vec2::new(0.0, height);
            let lowest = b.iter().map(|x| (Rotation2::new(angle) * x).y).fold(f64::INFINITY, f64::min);
            for (shape, radius) in [(&sharp, 0.0), (&round, radius)] {
                let found = separation(&below, &placed(shape, center, angle)).unwrap();
                prop_assert!((found.gap - (height + lowest - radius - 0.5)).abs() < 1e-14);
                prop_assert!((found.points[0].y - 0.5).abs() < 1e-15 && (found.normal - Vec2::y()).norm() < 1e-15);
                prop_assert!((found.points[1] - found.points[0] - Vec2::y() * found.gap).norm() < 1e-14);
                let turned = separation(&placed(shape, center, angle), &below).unwrap();
                prop_assert_eq!(turned.points, [found.points[1], found.points[0]]);
                prop_assert_eq!(turned.normal, -found.normal);
            }
        }
    }

    #[test]
    fn the_gap_between_parallel_edges_keeps_its_digits_however_small() {
        let square = Convex::hull(
            vec![
                Vec2::new(-1.0, -1.0),
                Vec2::new(1.0, -1.0),
                Vec2::new(1.0, 1.0),
                Vec2::new(-1.0, 1.0),
            ],
            0.0,
        )
        .unwrap();
        for k in 4..40 {
            let gap = 0.5_f64.powi(k);
            let found = separation(
                &placed(&square, Vec2::zeros(), 0.0),
                &placed(&square, Vec2::new(0.3, 2.0 + gap), 0.0),
            )
            .unwrap();
            assert!(
                (found.gap - gap).abs() < 1e-15 && (found.normal - Vec2::y()).norm() < 1e-15,
                "{gap} {found:?}"
            );
        }
    }

    #[test]
    fn what_is_no_shape_is_refused_with_its_number() {
        assert_eq!(Convex::hull(vec![], 0.0), Err(ConvexError::Empty));
        assert_eq!(
            Convex::hull(vec![Vec2::zeros()], -1.0),
            Err(ConvexError::Radius(-1.0))
        );
        assert!(Convex::hull(vec![Vec2::zeros()], f64::NAN).is_err());
        let bad =
            Convex::hull(vec![Vec2::zeros(), Vec2::new(1.0, f64::INFINITY)], 0.0).unwrap_err();
        assert_eq!(
            bad.to_string(),
            "vertex 1 of a convex body is (1, inf); give it finite coordinates"
        );
        assert_eq!(
            Convex::half_plane(Vec2::zeros()),
            Err(ConvexError::Normal { x: 0.0, y: 0.0 })
        );
        assert!(Convex::half_plane(Vec2::new(f64::NAN, 1.0)).is_err());
    }
}
