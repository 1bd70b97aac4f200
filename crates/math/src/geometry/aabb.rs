//! Axis-aligned bounding boxes.
//!
//! Boxes are closed. A box around points and a union are exact; nothing else is asked of them in
//! searches for pairs. Comparisons with a NaN are false, so a box with a NaN overlaps nothing.

use crate::Vec2;

/// Closed box `[min, max]` along both axes; empty if `min > max` along one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lower left corner (m).
    pub min: Vec2,
    /// Upper right corner (m).
    pub max: Vec2,
}

impl Aabb {
    /// Box without points: the neutral element of unions, which overlaps nothing.
    pub const EMPTY: Self = Self {
        min: Vec2::new(f64::INFINITY, f64::INFINITY),
        max: Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// Smallest box around `points` (m); [`Aabb::EMPTY`] without points.
    #[inline]
    pub fn around(points: impl IntoIterator<Item = Vec2>) -> Self {
        let mut all = Self::EMPTY;
        for point in points {
            all.min = all.min.inf(&point);
            all.max = all.max.sup(&point);
        }
        all
    }

    /// Smallest box around both boxes.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.inf(&other.min),
            max: self.max.sup(&other.max),
        }
    }

    /// Box that is larger by `margin` (m) on every side.
    #[must_use]
    #[inline]
    pub fn grown(&self, margin: f64) -> Self {
        Self {
            min: self.min.add_scalar(-margin),
            max: self.max.add_scalar(margin),
        }
    }

    /// True if the closed boxes share a point, be it on their borders. False if a number is NaN.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// True if the point `p` (m) is in the closed box.
    #[inline]
    pub fn contains(&self, p: Vec2) -> bool {
        self.min.x <= p.x && p.x <= self.max.x && self.min.y <= p.y && p.y <= self.max.y
    }

    /// Width and height of the box (m); negative infinity for an empty one.
    #[inline]
    pub fn extent(&self) -> Vec2 {
        self.max - self.min
    }

    /// Centre of the box (m); NaN for an empty one.
    #[inline]
    pub fn center(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }
}
