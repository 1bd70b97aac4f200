//! Places of shapes in the world.
//!
//! Shapes are made about their own origin. A placement carries a point `a` of a shape to
//! `R(angle) a + origin`. Sine and cosine are computed once for all points of a shape.

use ipcsim_math::Vec2;
use ipcsim_math::elementary::sin_cos;

/// Place and rotation of a shape at the start.
pub(crate) struct Placement {
    /// Position of the shape's origin (m).
    pub origin: Vec2,
    /// Rotation, counter-clockwise (rad).
    pub angle: f64,
    /// Cosine of the angle (1).
    cos: f64,
    /// Sine of the angle (1).
    sin: f64,
}

impl Placement {
    /// Placement at `position` (m), turned counter-clockwise (degrees).
    pub(super) fn new(position: [f64; 2], rotation_deg: f64) -> Self {
        let angle = rotation_deg.to_radians();
        let (sin, cos) = sin_cos(angle);
        Self {
            origin: position.into(),
            angle,
            cos,
            sin,
        }
    }

    /// Position in the world of a point `a` of the shape (m).
    pub(super) fn place(&self, a: Vec2) -> Vec2 {
        let Self { cos, sin, .. } = self;
        Vec2::new(cos * a.x - sin * a.y, sin * a.x + cos * a.y) + self.origin
    }

    /// Point of the shape (m) that is at `x` in the world.
    pub(super) fn within(&self, x: Vec2) -> Vec2 {
        let Self { cos, sin, .. } = self;
        let a = x - self.origin;
        Vec2::new(cos * a.x + sin * a.y, cos * a.y - sin * a.x)
    }
}
