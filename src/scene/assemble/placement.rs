//! Where shapes are put.

use crate::math::Vec2;

/// Place and rotation of a shape.
pub(in crate::scene) struct Placement {
    pub origin: Vec2,
    /// Rotation, counter-clockwise (rad).
    pub angle: f64,
    cos: f64,
    sin: f64,
}

impl Placement {
    pub(super) fn new(position: [f64; 2], rotation_deg: f64) -> Self {
        let angle = rotation_deg.to_radians();
        let (sin, cos) = angle.sin_cos();
        Self {
            origin: position.into(),
            angle,
            cos,
            sin,
        }
    }

    pub(super) fn place(&self, a: Vec2) -> Vec2 {
        let Self { cos, sin, .. } = self;
        Vec2::new(cos * a.x - sin * a.y, sin * a.x + cos * a.y) + self.origin
    }
}
