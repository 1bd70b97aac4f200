//! Integrals along a piece of an edge.
//!
//! The barrier of a piece is integrated by Gauss rules on intervals that are so short, compared
//! with the gap, that errors are within rounding. Integrals therefore follow the smooth formula:
//! where one piece ends and the next begins has no influence on energies and forces.

use crate::tuning::{
    QUADRATURE_FLAT, QUADRATURE_MOST_INTERVALS, QUADRATURE_RATIO, QUADRATURE_SHORT_TURN,
    QUADRATURE_TURN,
};
use ipcsim_math::elementary::{asinh, ln, powf, sinh};

/// Places in `[0, 1]` and weights of Gauss' rule with three points.
const THREE: [[f64; 2]; 3] = [
    [0.112_701_665_379_258_3, 0.277_777_777_777_777_8],
    [0.5, 0.444_444_444_444_444_4],
    [0.887_298_334_620_741_7, 0.277_777_777_777_777_8],
];

/// Places in `[0, 1]` and weights of Gauss' rule with six points.
const SIX: [[f64; 2]; 6] = [
    [0.033_765_242_898_423_99, 0.085_662_246_189_585_17],
    [0.169_395_306_766_867_75, 0.180_380_786_524_069_3],
    [0.380_690_406_958_401_55, 0.233_956_967_286_345_5],
    [0.619_309_593_041_598_4, 0.233_956_967_286_345_5],
    [0.830_604_693_233_132_3, 0.180_380_786_524_069_3],
    [0.966_234_757_101_576_1, 0.085_662_246_189_585_17],
];

/// Calls `visit` with places and weights of a rule for `range`, along which the gap (m) changes
/// linearly between `gaps`.
pub(super) fn over_line(range: [f64; 2], gaps: [f64; 2], mut visit: impl FnMut(f64, f64)) {
    let growth = gaps[1] / gaps[0];
    let ratio = growth.max(growth.recip());
    if ratio < QUADRATURE_FLAT {
        apply(&THREE, range, &mut visit);
        return;
    }

    if ratio < QUADRATURE_RATIO {
        apply(&SIX, range, &mut visit);
        return;
    }

    // Ends of intervals at gaps in geometric progression.
    let count = (ln(ratio) / ln(QUADRATURE_RATIO))
        .ceil()
        .min(QUADRATURE_MOST_INTERVALS);
    let factor = powf(growth, 1.0 / count);
    let per_gap = (range[1] - range[0]) / (gaps[1] - gaps[0]);
    let mut gap = gaps[0];
    let end = |_| {
        gap *= factor;
        range[0] + (gap - gaps[0]) * per_gap
    };
    apply_between(range, count, end, &mut visit);
}

/// True if the gap (m) changes so much between the ends of a piece that a rule needs several
/// intervals.
pub(super) fn is_steep(gaps: [f64; 2]) -> bool {
    let growth = gaps[1] / gaps[0];
    growth.max(growth.recip()) >= QUADRATURE_RATIO
}

/// Calls `visit` with places and weights of a rule for `range` on a line that passes a vertex.
///
/// The vertex' nearest point on the line is at the place `foot`, and `scale` is the distance of the
/// nearest singularity from there, as a difference of places.
pub(super) fn around_vertex(
    range: [f64; 2],
    foot: f64,
    scale: f64,
    mut visit: impl FnMut(f64, f64),
) {
    let [from, to] = range.map(|place| asinh((place - foot) / scale));
    if to - from < QUADRATURE_SHORT_TURN {
        apply(&THREE, range, &mut visit);
        return;
    }

    let count = ((to - from) / QUADRATURE_TURN)
        .ceil()
        .clamp(1.0, QUADRATURE_MOST_INTERVALS);
    let end = |share: f64| foot + scale * sinh(from + (to - from) * share);
    apply_between(range, count, end, &mut visit);
}

/// Calls `visit` with places and weights of the rule with six points on each of `count` intervals
/// of `range`, which end at the places `end(k / count)`.
fn apply_between(
    range: [f64; 2],
    count: f64,
    mut end: impl FnMut(f64) -> f64,
    visit: &mut impl FnMut(f64, f64),
) {
    let mut start = range[0];
    let mut k = 1.0;
    while k < count {
        let next = end(k / count);
        apply(&SIX, [start, next], visit);
        start = next;
        k += 1.0;
    }
    apply(&SIX, [start, range[1]], visit);
}

/// Calls `visit` with places and weights of a rule on `[0, 1]`, moved to `range`.
fn apply<const N: usize>(rule: &[[f64; 2]; N], range: [f64; 2], visit: &mut impl FnMut(f64, f64)) {
    let length = range[1] - range[0];
    for [place, weight] in rule {
        visit(range[0] + length * place, length * weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_square_is_integrated_along_a_line() {
        // The integral of 1/g^2 over [0, 1] is 1/(g_0 g_1).
        for gaps in [[1.0, 1.0], [1.0, 1.01], [1.0, 1.4], [2.0, 0.03], [1.0, 1e5]] {
            let mut sum = 0.0;
            over_line([0.0, 1.0], gaps, |place, weight| {
                let gap = gaps[0] + (gaps[1] - gaps[0]) * place;
                sum += weight / (gap * gap);
            });
            let error = sum * gaps[0] * gaps[1] - 1.0;
            assert!(error.abs() < 1e-11, "{gaps:?}: {error}");
        }
    }

    #[test]
    fn an_inverse_distance_is_integrated_around_a_vertex() {
        // The integral of 1/sqrt(h^2 + x^2) is asinh(x/h).
        let h = 0.02;
        for range in [[0.3, 0.3001], [0.29, 0.33], [0.0, 1.0], [0.5, 0.9]] {
            let mut sum = 0.0;
            around_vertex(range, 0.3, h, |place, weight| {
                sum += weight / h.hypot(place - 0.3);
            });
            let [from, to] = range.map(|place| ((place - 0.3) / h).asinh());
            let error = sum / (to - from) - 1.0;
            assert!(error.abs() < 1e-10, "{range:?}: {error}");
        }
    }
}
