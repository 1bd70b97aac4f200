//! Splines of DXF drawings: curves by controls, knots and weights.
//!
//! A span between two different knots is one polynomial, or one quotient of polynomials if weights
//! differ. Its ends and its slopes there define a cubic curve: the same one if the span is a polynomial
//! of degree 3 or less, and a near one otherwise. The error falls with the fourth power of the length,
//! so that sixteen pieces of a span are near enough: 4e-7 of the radius for a quarter of a circle.
//!
//! Points and slopes follow from de Boor's algorithm (Piegl and Tiller, "The NURBS Book", chapters 2
//! and 4). A rational curve is a polynomial one in homogeneous coordinates `(w x, w y, w)`, and its
//! slope is the quotient rule.

use ipcsim_math::Vec2;

/// Pieces of a span between knots of a spline that is rational or of a degree above 3.
/// Twice as many would divide the error by 16.
const PIECES: usize = 16;

/// Largest degree.
/// Programs write 3, rarely 5; the work grows as the square of the degree.
const HIGHEST: usize = 11;

/// A spline in homogeneous coordinates.
pub(super) struct Spline {
    /// Its degree.
    /// A straight line has 1, and a span depends on one control more.
    degree: usize,
    /// Knots, not decreasing.
    knots: Vec<f64>,
    /// Controls times their weight, and the weight.
    controls: Vec<[f64; 3]>,
    /// True if not all weights are the same.
    is_rational: bool,
}

impl Spline {
    /// A spline; `None` if its numbers do not fit each other.
    ///
    /// A degree `p` with `n` controls needs `n + p + 1` knots that do not decrease, and positive
    /// weights, one for each control or none at all. Equal weights cancel, so that the curve is not
    /// rational.
    pub(super) fn new(
        degree: usize,
        knots: Vec<f64>,
        controls: &[Vec2],
        weights: &[f64],
    ) -> Option<Self> {
        let is_rational = weights
            .windows(2)
            .any(|pair| pair[0].to_bits() != pair[1].to_bits());
        let fits = (1..=HIGHEST).contains(&degree)
            && controls.len() > degree
            && knots.len() == controls.len() + degree + 1
            && knots.is_sorted()
            && (weights.is_empty() || weights.len() == controls.len())
            && weights.iter().all(|&weight| weight > 0.0);
        if !fits {
            return None;
        }
        let controls = controls.iter().enumerate().map(|(k, x)| {
            let weight = if is_rational { weights[k] } else { 1.0 };
            [x.x * weight, x.y * weight, weight]
        });

        Some(Self {
            degree,
            knots,
            controls: controls.collect(),
            is_rational,
        })
    }

    /// Cubic curves that are the spline: exact if it is not rational and of a degree up to 3. The first
    /// place is the start.
    ///
    /// Each curve is its two controls and its end. The controls are a third of the length times the
    /// slope away from the ends, which is the form of Hermite. Spans of no length are left out.
    pub(super) fn cubics(&self) -> (Vec2, Vec<([Vec2; 2], Vec2)>) {
        let count = if self.is_rational || self.degree > 3 {
            PIECES
        } else {
            1
        };
        let mut start = None;
        let mut cubics = Vec::new();
        for span in self.degree..self.controls.len() {
            let [from, to] = [self.knots[span], self.knots[span + 1]];
            if from >= to {
                continue;
            }
            for k in 0..count {
                let at = |k: usize| from + (to - from) * k as f64 / count as f64;
                let length = (to - from) / count as f64;
                let [(x, slope_x), (y, slope_y)] = [at(k), at(k + 1)].map(|t| self.point(span, t));
                start.get_or_insert(x);
                let controls = [x + slope_x * (length / 3.0), y - slope_y * (length / 3.0)];
                cubics.push((controls, y));
            }
        }
        (start.unwrap_or_default(), cubics)
    }

    /// Place and slope at a parameter of a span (de Boor).
    ///
    /// `t` lies between the knots `span` and `span + 1`. The slope is per unit of the parameter, and
    /// comes from the last two points of the scheme before the final step.
    fn point(&self, span: usize, t: f64) -> (Vec2, Vec2) {
        let degree = self.degree;
        // Controls that matter in this span.
        let mut own: Vec<[f64; 3]> = self.controls[span - degree..=span].to_vec();
        let mut slope = [0.0; 3];
        for level in 1..=degree {
            // The last two points are the tangent.
            if level == degree {
                let width = self.knots[span + 1] - self.knots[span];
                for (k, slope) in slope.iter_mut().enumerate() {
                    *slope = degree as f64 * (own[degree][k] - own[degree - 1][k]) / width;
                }
            }

            for k in (level..=degree).rev() {
                let first = self.knots[span + k - degree];
                let width = self.knots[span + k + 1 - level] - first;
                let share = if width > 0.0 {
                    (t - first) / width
                } else {
                    0.0
                };
                own[k] = std::array::from_fn(|c| own[k - 1][c] * (1.0 - share) + own[k][c] * share);
            }
        }

        // Back from homogeneous coordinates.
        let [x, y, weight] = own[degree];
        let place = Vec2::new(x, y) / weight;
        let slope = (Vec2::new(slope[0], slope[1]) - place * slope[2]) / weight;
        (place, slope)
    }
}

#[cfg(test)]
mod tests {
    use super::Spline;
    use ipcsim_math::Vec2;

    #[test]
    fn a_cubic_without_inner_knots_is_its_bezier_curve() {
        let controls = [[0.0, 0.0], [1.0, 2.0], [3.0, 2.0], [4.0, 0.0]].map(Vec2::from);
        let knots = vec![0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0];
        let (start, cubics) = Spline::new(3, knots, &controls, &[]).unwrap().cubics();
        assert_eq!(start, controls[0]);
        let [(inner, end)] = cubics[..] else {
            panic!("{cubics:?}")
        };
        assert!((inner[0] - controls[1]).norm() < 1e-14 && (inner[1] - controls[2]).norm() < 1e-14);
        assert_eq!(end, controls[3]);
    }

    #[test]
    fn a_rational_quadratic_is_a_quarter_of_a_circle() {
        let controls = [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Vec2::from);
        let weights = [1.0, 0.5_f64.sqrt(), 1.0];
        let knots = vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let (mut at, cubics) = Spline::new(2, knots, &controls, &weights).unwrap().cubics();
        for ([a, b], end) in cubics {
            for t in [0.25, 0.5, 0.75] {
                let s: f64 = 1.0 - t;
                let x = at * s.powi(3)
                    + a * (3.0 * s * s * t)
                    + b * (3.0 * s * t * t)
                    + end * (t * t * t);
                assert!((x.norm() - 1.0).abs() < 1e-6, "{x}");
            }
            at = end;
        }
        assert!((at - Vec2::new(0.0, 1.0)).norm() < 1e-15);
    }

    #[test]
    fn splines_whose_numbers_do_not_fit_are_refused() {
        let controls = [[0.0, 0.0], [1.0, 1.0]].map(Vec2::from);
        assert!(Spline::new(1, vec![0.0, 0.0, 1.0, 1.0], &controls, &[]).is_some());
        assert!(Spline::new(2, vec![0.0, 0.0, 1.0, 1.0, 1.0], &controls, &[]).is_none());
        assert!(Spline::new(1, vec![0.0, 1.0, 0.5, 1.0], &controls, &[]).is_none());
        assert!(Spline::new(1, vec![0.0, 0.0, 1.0, 1.0], &controls, &[1.0, -1.0]).is_none());
        assert!(Spline::new(0, vec![0.0, 0.0, 1.0], &controls, &[]).is_none());
    }
}
