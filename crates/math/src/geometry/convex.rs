//! Convex shapes and the gap between two of them.
//!
//! A direction `n` separates the bodies A and B by `min n.b - max n.a` over their points. No
//! direction gives more than their distance, which the best one reaches. The distance algorithm of
//! Gilbert, Johnson and Keerthi (1988, "A fast procedure for computing the distance between complex
//! objects in three-dimensional space") searches the differences `b - a`, which form a convex set:
//!
//! 1. Take the point of a segment of that set that is nearest to the origin.
//! 2. Go to the set's farthest vertex from there towards the origin.
//! 3. In the plane the next segment joins that vertex and one of the old ends. Take the nearer one,
//!    and repeat until none is nearer than before.
//!
//! The separation along the last direction is a lower bound of the distance despite rounding.

use super::distance::{Region, point_edge};
use crate::elementary::hypot;
use crate::tuning::CONVEX_MOST_SEGMENTS;
use crate::{Vec2, perp};
use nalgebra::Rotation2;
use thiserror::Error;

/// Closed convex set, relative to the centre of its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Convex(Kind);

/// Kind of a convex set.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Convex hull of vertices (m), grown by a radius (m).
    Hull { vertices: Vec<Vec2>, radius: f64 },
    /// Half-plane with this unit normal, which points out of it.
    HalfPlane { outward: Vec2 },
}

/// Error of a convex shape: a number is missing or invalid.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum ConvexError {
    /// List of vertices without entries.
    #[error("a convex body has 0 vertices; give it at least 1")]
    Empty,
    /// Coordinate that is not finite.
    #[error("vertex {index} of a convex body is ({x}, {y}); give it finite coordinates")]
    Vertex {
        /// Index of the vertex in the list.
        index: usize,
        /// First coordinate of the vertex (m).
        x: f64,
        /// Second coordinate of the vertex (m).
        y: f64,
    },
    /// Radius that is negative or not finite (m).
    #[error("the radius of a convex body is {0}; give it a finite one of at least 0")]
    Radius(f64),
    /// Normal without a direction.
    #[error("the normal of a half-plane is ({x}, {y}); give it a finite one that is not 0")]
    Normal {
        /// First coordinate of the normal.
        x: f64,
        /// Second coordinate of the normal.
        y: f64,
    },
}

impl Convex {
    /// Convex hull of `vertices` grown by `radius` (m): a polygon, a segment, a disk (one vertex),
    /// a capsule.
    ///
    /// # Errors
    /// Fails if the list is empty, a number is not finite, or the radius is negative.
    pub fn hull(vertices: Vec<Vec2>, radius: f64) -> Result<Self, ConvexError> {
        if vertices.is_empty() {
            return Err(ConvexError::Empty);
        }

        for (index, vertex) in vertices.iter().enumerate() {
            let [x, y] = [vertex.x, vertex.y];
            if !(x.is_finite() && y.is_finite()) {
                return Err(ConvexError::Vertex { index, x, y });
            }
        }

        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(ConvexError::Radius(radius));
        }

        Ok(Self(Kind::Hull { vertices, radius }))
    }

    /// Half-plane of all points `x` with `outward . x <= 0`.
    ///
    /// # Errors
    /// Fails if `outward` is zero or not finite.
    pub fn half_plane(outward: Vec2) -> Result<Self, ConvexError> {
        let length = hypot(outward.x, outward.y);
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

    /// Largest distance that a turn about the centre moves a point, per radian (m). `None` for a
    /// half-plane, where it has no bound.
    ///
    /// This is the distance of the farthest vertex, since the radius is a disk around every point.
    pub fn reach(&self) -> Option<f64> {
        let Kind::Hull { vertices, .. } = &self.0 else {
            return None;
        };
        let mut reach = 0.0_f64;
        for x in vertices {
            reach = reach.max(hypot(x.x, x.y));
        }
        Some(reach)
    }
}

/// Convex shape at a place and an angle.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// Shape relative to its centre.
    pub shape: &'a Convex,
    /// Position of the centre (m).
    pub center: Vec2,
    /// Orientation of the shape.
    pub rotation: Rotation2<f64>,
}

/// Gap, normal and nearest points of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Lower bound of the distance (m), equal to it up to rounding if positive. Bodies that overlap
    /// have a gap of at most 0, and their normal and points are meaningless.
    pub gap: f64,
    /// Unit normal from the first body to the second.
    pub normal: Vec2,
    /// Nearest points of the first and the second body (m).
    pub points: [Vec2; 2],
}

/// Separation of `a` from `b`; `None` for two half-planes, whose distance has no meaning here.
pub fn separation(a: &Placed, b: &Placed) -> Option<Separation> {
    match (&a.shape.0, &b.shape.0) {
        // The nearest points of both hulls, moved to the rims of their radii.
        (Kind::Hull { radius: ra, .. }, Kind::Hull { radius: rb, .. }) => {
            let Nearest { pair, normal } = nearest(a, b);
            let gap = normal.dot(&Pair::farthest(a, b, -normal).difference());
            Some(Separation {
                gap: gap - ra - rb,
                normal,
                points: [pair.a + normal * *ra, pair.b - normal * *rb],
            })
        }

        // The vertex deepest in the half-plane.
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

        // The same from the other side.
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
    /// Farthest vertex along `direction` (m); the centre of a half-plane, which has no vertices.
    fn support(&self, direction: Vec2) -> Vec2 {
        let Kind::Hull { vertices, .. } = &self.shape.0 else {
            return self.center;
        };

        // Directions are compared in the frame of the shape.
        let local = self.rotation.inverse() * direction;
        let mut farthest = vertices[0];
        for vertex in vertices {
            if vertex.dot(&local) > farthest.dot(&local) {
                farthest = *vertex;
            }
        }
        self.center + self.rotation * farthest
    }
}

/// Point of each body; together the point `b - a` of the set of differences.
#[derive(Clone, Copy)]
struct Pair {
    /// Point of the first body (m).
    a: Vec2,
    /// Point of the second body (m).
    b: Vec2,
}

/// Pair nearest to the origin on a segment of the set of differences.
#[derive(Clone, Copy)]
struct Nearest {
    /// The pair.
    pair: Pair,
    /// Unit direction from the origin to its difference.
    normal: Vec2,
}

impl Pair {
    /// Pair whose difference is farthest along `direction`.
    fn farthest(a: &Placed, b: &Placed, direction: Vec2) -> Self {
        Self {
            a: a.support(-direction),
            b: b.support(direction),
        }
    }

    /// Point `b - a` of the set of differences (m).
    fn difference(self) -> Vec2 {
        self.b - self.a
    }

    /// Pair nearest to the origin on the segment to `end`.
    ///
    /// Inside the segment the direction is its normal, which is accurate even if the distance is
    /// all rounding.
    fn nearest_towards(self, end: Self) -> Nearest {
        let from = self.difference();
        let to = end.difference();
        let found = point_edge(Vec2::zeros(), from, to);
        let pair = Self {
            a: self.a + (end.a - self.a) * found.t,
            b: self.b + (end.b - self.b) * found.t,
        };

        let direction = match found.region {
            Region::Start => from,
            Region::End => to,
            Region::Interior if perp(to - from).dot(&from) > 0.0 => perp(to - from),
            Region::Interior => -perp(to - from),
        };
        Nearest {
            pair,
            normal: direction.try_normalize(0.0).unwrap_or_else(Vec2::x),
        }
    }

    /// Distance between both points (m).
    fn distance(self) -> f64 {
        self.difference().norm()
    }
}

impl Nearest {
    /// Distance of the pair from the origin (m).
    fn distance(&self) -> f64 {
        self.pair.distance()
    }
}

/// Nearest points of two hulls without their radii, and the normal from `a` to `b`.
fn nearest(a: &Placed, b: &Placed) -> Nearest {
    let first = Pair::farthest(a, b, a.center - b.center);
    let mut segment = [first, first];
    let mut near = first.nearest_towards(first);

    for _ in 0..CONVEX_MOST_SEGMENTS {
        let farthest = Pair::farthest(a, b, -near.normal);
        let candidates = segment.map(|end| end.nearest_towards(farthest));

        // The nearer of the two segments to the farthest vertex, if it is nearer than before.
        let best = usize::from(candidates[1].distance() < candidates[0].distance());
        if candidates[best].distance() >= near.distance() {
            break;
        }
        segment = [segment[best], farthest];
        near = candidates[best];
    }
    near
}

#[cfg(test)]
mod tests;
