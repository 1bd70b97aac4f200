//! Barrier of a circle on something round or flat, integrated along the circle.

use crate::barrier::{Barrier, Jet};
use ipcsim_math::elementary::atan;

/// Value and derivatives (J/m, N/m, N/m^2) by the gap `g` (m) of the barrier of a circle, for a
/// thickness of 1.
///
/// Near the point of contact the gap is `g + curvature x^2 / 2` at the arc length `x` along the
/// circle, where `curvature` (1/m) is the sum of the curvatures of both sides. The integral of
/// [`BarrierShape::Inverse`](crate::barrier::BarrierShape::Inverse) over all `x` with a gap below
/// `d_hat` is, with `s = g / d_hat`, `Y = sqrt(1 - s)` and `A = atan(Y / sqrt s) / sqrt s`,
///
/// `kappa d_hat sqrt(8 d_hat / curvature) (A - (3 - 3 s + s^2) Y + (1 - 2 s / 3) Y^3 - Y^5 / 5)`.
///
/// It is the limit of a polygon with many sides, up to terms of the size of `d_hat` over the
/// radius.
pub(crate) fn round(barrier: Barrier, g: f64, d_hat: f64, curvature: f64) -> Jet {
    let s = (g / d_hat).max(f64::MIN_POSITIVE);
    let y = (1.0 - s).max(0.0).sqrt();
    let cube = y * y * y;
    let arc = atan(y / s.sqrt()) / s.sqrt();
    let scale = barrier.kappa * d_hat * (8.0 * d_hat / curvature).sqrt();

    let value =
        arc - (3.0 - 3.0 * s + s * s) * y + (1.0 - 2.0 / 3.0 * s) * cube - 0.2 * cube * y * y;
    let first = -0.5 * (y + arc) / s + (3.0 - 2.0 * s) * y - 2.0 / 3.0 * cube;
    let second = 0.5 * y / s + 0.75 * (y + arc) / (s * s) - 2.0 * y;
    Jet {
        value: scale * value,
        first: scale / d_hat * first,
        second: scale / (d_hat * d_hat) * second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::BarrierShape;

    #[test]
    fn it_is_the_integral_of_the_barrier_along_a_parabola() {
        let barrier = Barrier {
            shape: BarrierShape::Inverse,
            kappa: 3.0,
        };
        let (d_hat, curvature) = (0.01, 4.0);
        for g in [1e-4, 1e-3, 5e-3, 9e-3, 9.99e-3] {
            // A sum of many rectangles, over x = half sin(t) so that both ends are smooth.
            let half = f64::sqrt(2.0 * (d_hat - g) / curvature);
            let count = 20_000;
            let mut expected = [0.0; 3];
            for k in 0..count {
                let t = std::f64::consts::PI * ((f64::from(k) + 0.5) / f64::from(count) - 0.5);
                let x = half * t.sin();
                let dx = half * t.cos() * std::f64::consts::PI / f64::from(count);
                let jet = barrier.plane(g + 0.5 * curvature * x * x, d_hat);
                expected[0] += jet.value * dx;
                expected[1] += jet.first * dx;
                expected[2] += jet.second * dx;
            }

            let found = round(barrier, g, d_hat, curvature);
            for (found, expected) in [found.value, found.first, found.second]
                .into_iter()
                .zip(expected)
            {
                assert!(
                    (found / expected - 1.0).abs() < 1e-6,
                    "{g}: {found} {expected}"
                );
            }
        }
    }
}
