//! Affine maps of the plane: transforms of pictures, and blocks of drawings that are inserted.
//!
//! A map of a circle is an ellipse, so that ellipses are kept as two vectors until their map is known,
//! and become arcs or cubic curves then.

use super::drawing::Ellipse;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::{cos, sin};

/// The map of `x` to `u x_1 + v x_2 + shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    /// Image of the first axis.
    pub(crate) u: Vec2,
    /// Image of the second axis.
    pub(crate) v: Vec2,
    /// Image of the origin.
    pub(crate) shift: Vec2,
}

impl Affine {
    /// The map of each point to itself.
    pub(crate) fn identity() -> Self {
        Self::scale(1.0, 1.0)
    }

    /// A displacement.
    pub(crate) fn translation(shift: Vec2) -> Self {
        Self {
            shift,
            ..Self::identity()
        }
    }

    /// Factors along the axes.
    pub(crate) fn scale(x: f64, y: f64) -> Self {
        Self {
            u: Vec2::new(x, 0.0),
            v: Vec2::new(0.0, y),
            shift: Vec2::zeros(),
        }
    }

    /// A rotation (rad) about the origin.
    pub(crate) fn rotation(angle: f64) -> Self {
        let [c, s] = [cos(angle), sin(angle)];
        Self {
            u: Vec2::new(c, s),
            v: Vec2::new(-s, c),
            shift: Vec2::zeros(),
        }
    }

    /// Image of a vector.
    /// A displacement does not change it.
    pub(crate) fn vector(&self, x: Vec2) -> Vec2 {
        self.u * x.x + self.v * x.y
    }

    /// Image of a point.
    pub(crate) fn point(&self, x: Vec2) -> Vec2 {
        self.vector(x) + self.shift
    }

    /// The map that comes first is the other one.
    /// Maps are combined from the outside to the inside, as groups are entered.
    pub(crate) fn after(&self, first: &Self) -> Self {
        Self {
            u: self.vector(first.u),
            v: self.vector(first.v),
            shift: self.point(first.shift),
        }
    }

    /// Image of an ellipse.
    /// It is an ellipse again, whose two vectors need not be at a right angle.
    pub(crate) fn ellipse(&self, ellipse: &Ellipse) -> Ellipse {
        Ellipse {
            center: self.point(ellipse.center),
            u: self.vector(ellipse.u),
            v: self.vector(ellipse.v),
        }
    }

    /// True if all numbers are finite, and areas stay areas.
    pub(crate) fn is_regular(&self) -> bool {
        let area = self.u.x * self.v.y - self.u.y * self.v.x;
        area != 0.0 && area.is_finite() && self.shift.iter().all(|x| x.is_finite())
    }
}
