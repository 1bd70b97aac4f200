//! The map from metres to pixels.
//!
//! A point `p` (m) is shown at `m + s (p - c)` with the ordinate turned over: `c` is the centre of
//! the shown rectangle, `m` the middle of the picture, and `s` one scale for both axes.

use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;

/// Map from the world, `y` up, to a picture, `y` down. Both axes have one scale, and the shown
/// rectangle is in the middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Point of the world in the middle of the picture (m).
    center: Vec2,
    /// Middle of the picture (pixels).
    middle: Vec2,
    /// Scale (pixels/m).
    scale: f64,
}

impl View {
    /// View of `width` x `height` pixels that shows all of `world` as large as possible.
    ///
    /// Sides of zero or infinite length are ignored; with none left, the shorter side of the
    /// picture shows one metre.
    pub fn fit(world: &Aabb, width: u32, height: u32) -> Self {
        let size = Vec2::new(f64::from(width), f64::from(height));
        let scale = world
            .extent()
            .iter()
            .zip(size.iter())
            .filter(|(extent, _)| **extent > 0.0 && extent.is_finite())
            .map(|(extent, pixels)| pixels / extent)
            .fold(f64::INFINITY, f64::min);

        // No side has a length: one metre, around the origin where the centre is unknown too.
        let scale = if scale.is_finite() { scale } else { size.min() };
        let center = world.center().map(|c| if c.is_finite() { c } else { 0.0 });
        Self {
            center,
            middle: size * 0.5,
            scale,
        }
    }

    /// Scale of both axes (pixels/m); positive and finite.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Place of the point `p` (m) in the picture, in pixels from its upper left corner.
    #[inline]
    pub fn pixel(&self, p: Vec2) -> Vec2 {
        let d = (p - self.center) * self.scale;
        Vec2::new(self.middle.x + d.x, self.middle.y - d.y)
    }

    /// A direction as the picture shows it: of the same length, `y` down.
    pub fn direction(d: Vec2) -> Vec2 {
        Vec2::new(d.x, -d.y)
    }

    /// Width and height of the picture (pixels).
    pub fn size(&self) -> Vec2 {
        self.middle * 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_fitted_rectangle_is_inside_touches_two_sides_and_keeps_its_shape(
            x in -1e3..1e3_f64, y in -1e3..1e3_f64, w in 1e-3..1e3_f64, h in 1e-3..1e3_f64
        ) {
            let min = Vec2::new(x, y);
            let world = Aabb { min, max: min + Vec2::new(w, h) };
            let view = View::fit(&world, 640, 360);
            let a = view.pixel(world.min);
            let b = view.pixel(world.max);
            let near = 1e-6;
            prop_assert!(a.x > -near && b.x < 640.0 + near && b.y > -near && a.y < 360.0 + near);
            prop_assert!(((b.x - a.x) - 640.0).abs() < near || ((a.y - b.y) - 360.0).abs() < near);
            prop_assert!(((b.x - a.x) * h - (a.y - b.y) * w).abs() < 1e-6 * (w + h) * 640.0);
        }
    }

    #[test]
    fn rectangles_without_area_or_bounds_still_give_a_view() {
        let at = |x| Vec2::new(x, x);
        let boxes = [
            (1.0, 1.0),
            (f64::INFINITY, f64::NEG_INFINITY),
            (f64::NAN, 1.0),
            (-1e308, 1e308),
            (0.0, 1e-320),
        ];

        for (min, max) in boxes {
            let view = View::fit(
                &Aabb {
                    min: at(min),
                    max: at(max),
                },
                100,
                50,
            );
            assert!(
                view.scale() > 0.0
                    && view.scale().is_finite()
                    && view.pixel(Vec2::zeros()).x.is_finite()
            );
        }
    }
}
