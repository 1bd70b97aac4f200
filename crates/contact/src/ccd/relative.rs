//! Motion of an edge as its point sees it.
//!
//! With `a(t) = e0(t) - p(t)` and `b(t) = e1(t) - p(t)` the query is whether the segment from
//! `a(t)` to `b(t)` reaches the origin. Both ends still move on straight lines, and a motion or a
//! place common to all three vertices cancels. A difference of two doubles has a relative error of
//! `u = 2^-53` wherever they are, so every error bound here is relative to the size of the
//! pair.

use super::Query;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::{Vec2, cross};

/// Motion of the edge's ends relative to the point, each component with a relative error of at most
/// `u`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relative {
    /// Ends `a` and `b` at `t = 0`.
    pub(super) start: [Vec2; 2],
    /// Ends `a` and `b` at `t = 1`.
    pub(super) end: [Vec2; 2],
}

impl Relative {
    /// The query in the point's frame.
    #[inline]
    pub(super) fn new(query: &Query) -> Self {
        Self {
            start: from_point(&query.start),
            end: from_point(&query.end),
        }
    }

    /// True if along x or along y both ends are more than `separation` on one side of the point, at
    /// both times and so at all times between.
    ///
    /// This is exact: rounding a difference does not move it across the double `separation`.
    #[inline]
    pub(super) fn stays_apart(&self, separation: f64) -> bool {
        let [a0, b0] = self.start;
        let [a1, b1] = self.end;
        on_one_side([a0.x, b0.x, a1.x, b1.x], separation)
            || on_one_side([a0.y, b0.y, a1.y, b1.y], separation)
    }

    /// True if the displacement of the ends is too short to bring the edge within `separation`.
    ///
    /// The distance shrinks by at most the longer of both displacements. Its error is below `32 u`
    /// of the components, and so are the errors of the displacements; squares of the components
    /// neither overflow nor vanish.
    #[inline]
    pub(super) fn is_out_of_reach(&self, separation: f64) -> bool {
        let [a, b] = self.start;
        let largest: f64 = self.sizes().into_iter().sum();
        let length = size(b - a);
        let is_safe = largest < 1e100 && (length == 0.0 || length > 1e-100);

        let way = self.motion().map(|way| way.norm());
        let error = 64.0 * f64::EPSILON * largest;
        is_safe && self.distance(0.0) > separation + way[0].max(way[1]) + error
    }

    /// The query in the point's frame and the separation, both scaled by a power of two that makes
    /// the largest component about one, so that no square overflows. The separation is in m before
    /// and in scaled lengths after.
    ///
    /// `None` if a position is not finite.
    pub(super) fn scaled(query: &Query, separation: f64) -> Option<(Self, f64)> {
        let mut relative = Self::new(query);
        let mut separation = separation;

        if !relative.largest().is_finite() {
            // Either a position is not finite or a difference of two large ones is not.
            relative = Self::new(&Query {
                start: query.start.map(|x| x * 0.5),
                end: query.end.map(|x| x * 0.5),
            });
            separation *= 0.5;
        }

        let largest = relative.largest();
        if !largest.is_finite() {
            return None;
        }

        let scale = inverse_power_of_two(largest);
        let relative = Self {
            start: relative.start.map(|x| x * scale),
            end: relative.end.map(|x| x * scale),
        };
        Some((relative, separation * scale))
    }

    /// Positions of both ends at `t` in `[0, 1]`.
    #[inline]
    pub(super) fn at(&self, t: f64) -> [Vec2; 2] {
        [0, 1].map(|i| self.start[i] * (1.0 - t) + self.end[i] * t)
    }

    /// Distance between the point and the edge at `t`, in the lengths of this query.
    pub(super) fn distance(&self, t: f64) -> f64 {
        let [a, b] = self.at(t);
        point_edge(Vec2::zeros(), a, b).distance
    }

    /// Bound of the error of a distance or a projection computed at `t` in a scaled query:
    /// `32 u ((1 - t) |start| + t |end|)`.
    ///
    /// The differences, `1 - t`, two products and a sum put the ends off by at most `5 u` of that
    /// size, and with them the distance; the square roots, products and the quotient of the
    /// distance itself add less than `20 u`. The constant covers products below the normal numbers.
    #[inline]
    pub(super) fn rounding(&self, t: f64) -> f64 {
        const SMALLEST: f64 = f64::from_bits(0x20b0_0000_0000_0000);
        let [at_start, at_end] = self.sizes();
        16.0 * f64::EPSILON * ((1.0 - t) * at_start + t * at_end) + SMALLEST
    }

    /// The larger of `|a|` and `|b|` in the 1-norm, at the start and at the end.
    pub(super) fn sizes(&self) -> [f64; 2] {
        [self.start, self.end].map(|[a, b]| size(a).max(size(b)))
    }

    /// Displacements of both ends over the step.
    pub(super) fn motion(&self) -> [Vec2; 2] {
        [0, 1].map(|i| self.end[i] - self.start[i])
    }

    /// The polynomial `cross(a(t), b(t)) = c[0] (1 - t)^2 + c[1] t (1 - t) + c[2] t^2`: its
    /// coefficients, and bounds of their errors.
    ///
    /// Two differences, a product and at most two sums make a relative error of `5 u` of each
    /// product; `8 u` leaves room for the rounding of the bound itself, and the smallest normal
    /// number covers products that vanish.
    #[inline]
    pub(super) fn area(&self) -> ([f64; 3], [f64; 3]) {
        let [a0, b0] = self.start;
        let [a1, b1] = self.end;
        let value = [cross(a0, b0), cross(a0, b1) + cross(a1, b0), cross(a1, b1)];
        let products = [
            product_sizes(a0, b0),
            product_sizes(a0, b1) + product_sizes(a1, b0),
            product_sizes(a1, b1),
        ];
        let errors = products.map(|s| 4.0 * f64::EPSILON * s + f64::MIN_POSITIVE);
        (value, errors)
    }

    /// Largest magnitude of a component; infinite if any component is not finite.
    fn largest(&self) -> f64 {
        let [a0, b0] = self.start;
        let [a1, b1] = self.end;
        let components = [a0.x, a0.y, b0.x, b0.y, a1.x, a1.y, b1.x, b1.y];

        // The sum is not finite if a component is not, and else only for huge ones.
        let sum: f64 = components.iter().map(|x| x.abs()).sum();
        if sum.is_nan() {
            return f64::INFINITY;
        }
        components.iter().fold(0.0, |most, x| x.abs().max(most))
    }
}

/// Ends of an edge (`x[1]` and `x[2]`) as the point `x[0]` sees them.
#[inline]
fn from_point(x: &[Vec2; 3]) -> [Vec2; 2] {
    [x[1] - x[0], x[2] - x[0]]
}

/// True if all coordinates are more than `separation`, or all less than minus that. False if one is
/// NaN: comparisons see it, minima would drop it.
#[inline]
fn on_one_side(x: [f64; 4], separation: f64) -> bool {
    x.map(|x| x > separation) == [true; 4] || x.map(|x| x < -separation) == [true; 4]
}

/// Sum of the magnitudes of both products in `cross(a, b)`.
#[inline]
fn product_sizes(a: Vec2, b: Vec2) -> f64 {
    (a.x * b.y).abs() + (a.y * b.x).abs()
}

/// Norm `|x| + |y|`.
#[inline]
pub(super) fn size(a: Vec2) -> f64 {
    a.x.abs() + a.y.abs()
}

/// `2^-k` for `value` in `[2^k, 2^(k+1))`, with `k` kept within -1000 and 1000.
fn inverse_power_of_two(value: f64) -> f64 {
    let exponent = (value.to_bits() >> 52).clamp(23, 2023);
    f64::from_bits((2046 - exponent) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ccd::exact;
    use proptest::prelude::*;

    fn vec2() -> impl Strategy<Value = Vec2> {
        (-1.0_f64..1.0, -1.0_f64..1.0).prop_map(|(x, y)| Vec2::new(x, y))
    }

    proptest! {
        #[test]
        fn what_is_out_of_reach_does_not_meet(
            start in prop::array::uniform3(vec2()),
            way in prop::array::uniform3(vec2()),
            short in 0.0..1.0,
            separation in 0.0..0.3,
        ) {
            let end = std::array::from_fn(|i| start[i] + way[i] * short);
            let query = Query { start, end };
            let relative = Relative::new(&query);
            if relative.is_out_of_reach(separation) {
                prop_assert!(exact::time_of_impact(&query, &relative, separation).is_none());
            }
        }
    }

    #[test]
    fn reach_is_the_way_of_the_faster_end() {
        // A point 1 above an edge, whose right end comes up by 0.75.
        let edge = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
        let start = [Vec2::y(), edge[0], edge[1]];
        let end = [Vec2::y(), edge[0], edge[1] + Vec2::new(0.0, 0.75)];
        let relative = Relative::new(&Query { start, end });
        assert!(relative.is_out_of_reach(0.2499));
        assert!(!relative.is_out_of_reach(0.2501));

        // Numbers whose squares vanish or overflow are left to the exact methods.
        for scale in [1e-160, 1e160, f64::NAN] {
            let scaled = Query {
                start: start.map(|x| x * scale),
                end: end.map(|x| x * scale),
            };
            assert!(!Relative::new(&scaled).is_out_of_reach(0.0));
        }
    }
}
