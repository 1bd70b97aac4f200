//! The circle around a shape, and its area.

use crate::schema::Shape;
use crate::shape_geometry::outline;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use std::f64::consts::PI;

/// A circle around a shape.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// Centre in the shape (m).
    pub(super) center: Vec2,
    /// Radius (m).
    pub(super) radius: f64,
}

/// Circle around a shape that is stretched along x and y by factors, about the middle of its box.
pub(super) fn around(shape: &Shape, stretch: [f64; 2]) -> Around {
    if let Shape::Circle(circle) = shape {
        return Around {
            center: Vec2::zeros(),
            radius: circle.radius,
        };
    }
    let mut vertices = outline(shape).vertices;
    for at in &mut vertices {
        *at = Vec2::new(at.x * stretch[0], at.y * stretch[1]);
    }
    let center = Aabb::around(vertices.iter().copied()).center();
    let radii = vertices.iter().map(|at| (at - center).norm());
    Around {
        center,
        radius: radii.fold(0.0, f64::max),
    }
}

/// Area of a shape (m^2); `None` if it has no inside.
pub(crate) fn area(shape: &Shape) -> Option<f64> {
    if let Shape::Circle(circle) = shape {
        return Some(PI * circle.radius * circle.radius);
    }
    let outline = outline(shape);
    outline.filled.then(|| outline.area())
}
