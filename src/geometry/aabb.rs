//! Axis-aligned bounding boxes.

use crate::math::Vec2;

/// Closed box `[min, max]`; empty if `min > max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lower left corner (m).
    pub min: Vec2,
    /// Upper right corner (m).
    pub max: Vec2,
}

impl Aabb {
    /// Box without points, the neutral element of unions.
    pub const EMPTY: Self = Self {
        min: Vec2::new(f64::INFINITY, f64::INFINITY),
        max: Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// Smallest box around `points`.
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
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.inf(&other.min),
            max: self.max.sup(&other.max),
        }
    }

    /// Box that is larger by `margin` (m) on every side.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self {
            min: self.min.add_scalar(-margin),
            max: self.max.add_scalar(margin),
        }
    }

    /// True if the closed boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// True if `p` is in the closed box.
    pub fn contains(&self, p: Vec2) -> bool {
        self.min.x <= p.x && p.x <= self.max.x && self.min.y <= p.y && p.y <= self.max.y
    }

    /// Width and height of the box (m).
    pub fn extent(&self) -> Vec2 {
        self.max - self.min
    }

    /// Centre of the box (m).
    pub fn center(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }
}
