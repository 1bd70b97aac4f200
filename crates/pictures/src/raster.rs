//! Plain triangles: every pixel whose centre is inside, and no other.
//!
//! Smoothing each triangle by itself would leave seams between neighbours. Here a pixel is painted
//! or not: a row of pixels is cut by the long edge and one of the two short edges of the triangle,
//! and the centres between the two crossings are painted.
//!
//! Neighbours that share an edge compute the same crossings bit by bit, since corners are sorted
//! before. So between them no pixel is painted twice and none is left out.

use tiny_skia::{Pixmap, PremultipliedColorU8};

use ipcsim_math::Vec2;

/// Paints the triangle with the given corners (pixels), whatever their orientation.
///
/// A triangle with a corner that is not finite is left out; parts outside the picture are cut off.
pub fn fill_triangle(pixmap: &mut Pixmap, corners: [Vec2; 3], color: PremultipliedColorU8) {
    if !corners.iter().all(|p| p.x.is_finite() && p.y.is_finite()) {
        return;
    }
    let width = pixmap.width() as usize;
    for (row, span) in spans(pixmap, corners) {
        pixmap.pixels_mut()[row * width..][span].fill(color);
    }
}

/// Paints the triangle with the given corners (pixels) in the colours of a value that is linear in
/// it: `v(p) = v_a + g . (p - a)`, where the gradient `g` follows from the values at the corners.
///
/// Pixels are those of [`fill_triangle`]. One without a colour, a triangle with a corner that is not
/// finite and one without area are left out.
pub fn shade_triangle(
    pixmap: &mut Pixmap,
    corners: [Vec2; 3],
    values: [f64; 3],
    color: impl Fn(f64) -> Option<PremultipliedColorU8>,
) {
    if !corners.iter().all(|p| p.x.is_finite() && p.y.is_finite()) {
        return;
    }

    let [u, v] = [corners[1] - corners[0], corners[2] - corners[0]];
    let area = ipcsim_math::cross(u, v);
    let [du, dv] = [values[1] - values[0], values[2] - values[0]];
    let gradient = Vec2::new(du * v.y - dv * u.y, dv * u.x - du * v.x) / area;

    // Rounding may leave the range of the corners beside a thin triangle.
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = pixmap.width() as usize;
    for (row, span) in spans(pixmap, corners) {
        let pixels = &mut pixmap.pixels_mut()[row * width..];
        for column in span {
            let center = Vec2::new(column as f64 + 0.5, row as f64 + 0.5);
            let value = values[0] + gradient.dot(&(center - corners[0]));
            if let Some(color) = color(value.max(low).min(high)) {
                pixels[column] = color;
            }
        }
    }
}

/// Rows of the picture that a triangle covers, each with its pixels whose centres are inside.
fn spans(
    pixmap: &Pixmap,
    corners: [Vec2; 3],
) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> + use<> {
    let width = pixmap.width() as usize;
    let height = pixmap.height() as usize;

    // Row by row, from the long edge a-c to one of the short edges a-b and b-c.
    let [a, b, c] = sorted_by_height(corners);
    centers(a.y, c.y, height).map(move |row| {
        let y = row as f64 + 0.5;
        let long = crossing(a, c, y);
        let short = if y < b.y {
            crossing(a, b, y)
        } else {
            crossing(b, c, y)
        };
        (row, centers(long.min(short), long.max(short), width))
    })
}

/// Corners from the top of the picture to the bottom, ties from left to right.
fn sorted_by_height(mut corners: [Vec2; 3]) -> [Vec2; 3] {
    corners.sort_by(|p, q| p.y.total_cmp(&q.y).then(p.x.total_cmp(&q.x)));
    corners
}

/// Abscissa where the edge from `p` down to `q` crosses the height `y`, `p_x + (q_x - p_x) (y -
/// p_y) / (q_y - p_y)`.
#[inline]
fn crossing(p: Vec2, q: Vec2, y: f64) -> f64 {
    p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y))
}

/// The pixels `i` of `0..count` with `from <= i + 1/2 < to`; none if `to <= from`.
#[inline]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates at zero, then the minimum caps it"
)]
fn centers(from: f64, to: f64, count: usize) -> std::ops::Range<usize> {
    let first = ((from - 0.5).ceil() as usize).min(count);
    let end = ((to - 0.5).ceil() as usize).min(count);
    first..end.max(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ink() -> PremultipliedColorU8 {
        PremultipliedColorU8::from_rgba(255, 255, 255, 255).unwrap()
    }

    /// How often each pixel of 32 x 24 is painted by the triangles, each for itself.
    fn painted(triangles: &[[Vec2; 3]]) -> Vec<u32> {
        let mut sum = vec![0; 32 * 24];
        for &corners in triangles {
            let mut pixmap = Pixmap::new(32, 24).unwrap();
            fill_triangle(&mut pixmap, corners, ink());
            for (count, pixel) in sum.iter_mut().zip(pixmap.pixels()) {
                *count += u32::from(pixel.alpha() == 255);
            }
        }
        sum
    }

    fn point() -> impl Strategy<Value = Vec2> {
        (-10.0..42.0_f64, -8.0..32.0_f64).prop_map(|(x, y)| Vec2::new(x, y))
    }

    proptest! {
        #[test]
        fn exactly_the_pixel_centres_inside_are_painted(a in point(), b in point(), c in point()) {
            let inside = |p: Vec2| {
                let side = |s: Vec2, t: Vec2| ipcsim_math::cross(t - s, p - s);
                let sides = [side(a, b), side(b, c), side(c, a)];
                // Rounding may put a centre near a side on either side of it.
                let clear = sides.iter().all(|s| s.abs() > 1e-6);
                clear.then(|| sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0))
            };

            for (k, &count) in painted(&[[a, b, c]]).iter().enumerate() {
                let center = Vec2::new((k % 32) as f64 + 0.5, (k / 32) as f64 + 0.5);
                if let Some(inside) = inside(center) {
                    prop_assert_eq!(count == 1, inside);
                }
            }
        }

        #[test]
        fn a_fan_paints_every_pixel_exactly_once(x in 0.0..32.0_f64, y in 0.0..24.0_f64) {
            let apex = Vec2::new(x, y);
            let frame = [(0.0, 0.0), (32.0, 0.0), (32.0, 24.0), (0.0, 24.0)].map(|(x, y)| Vec2::new(x, y));
            let fan: Vec<[Vec2; 3]> = (0..4).map(|i| [apex, frame[i], frame[(i + 1) % 4]]).collect();
            prop_assert!(painted(&fan).iter().all(|&count| count == 1));
        }
    }

    #[test]
    fn a_shaded_triangle_has_the_value_of_every_pixel_centre() {
        // The value is 2 x + 5 y, which fits into a byte.
        let corners = [(0.0, 0.0), (30.0, 2.0), (4.0, 20.0)].map(|(x, y)| Vec2::new(x, y));
        let values = corners.map(|p| 2.0 * p.x + 5.0 * p.y);
        let mut plain = Pixmap::new(32, 24).unwrap();
        let mut shaded = plain.clone();
        fill_triangle(&mut plain, corners, ink());
        shade_triangle(&mut shaded, corners, values, |value| {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a byte"
            )]
            let byte = value.round() as u8;
            PremultipliedColorU8::from_rgba(byte, 0, 0, 255)
        });

        for (k, (plain, shaded)) in plain.pixels().iter().zip(shaded.pixels()).enumerate() {
            assert_eq!(plain.alpha(), shaded.alpha());
            let [x, y] = [(k % 32) as f64 + 0.5, (k / 32) as f64 + 0.5];
            let value = f64::from(shaded.red());
            assert!(plain.alpha() == 0 || (value - 2.0 * x - 5.0 * y).abs() <= 0.5 + 1e-9);
        }
    }

    #[test]
    fn triangles_without_area_or_bounds_paint_nothing() {
        let p = |x: f64, y: f64| Vec2::new(x, y);
        let odd = [
            [p(1.0, f64::NAN), p(5.0, 5.0), p(9.0, 1.0)],
            [p(3.0, 3.0); 3],
        ];
        assert!(painted(&odd).iter().all(|&count| count == 0));
    }

    #[test]
    fn a_triangle_far_beyond_the_picture_paints_every_pixel_or_none() {
        let p = |x: f64, y: f64| Vec2::new(x, y);
        let around = [p(-1e300, -1e300), p(1e300, -1e300), p(0.0, 1e300)];
        assert!(painted(&[around]).iter().all(|&count| count == 1));

        let beside = [p(1e299, -1e300), p(1e300, -1e300), p(1e300, 1e300)];
        assert!(painted(&[beside]).iter().all(|&count| count == 0));
    }
}
