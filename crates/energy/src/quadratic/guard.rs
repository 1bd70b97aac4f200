//! Barrier that keeps a quadratic triangle from turning over where no point of its energy is.
//!
//! The energy sees `J` at three points. Near a corner it may vanish while it is large at all of
//! them: the line search then stops at the end of the domain, and no force leads back. So each of
//! the six coefficients of `J` has a barrier with compact support.
//!
//! The barrier is one of coefficients and not of values of `J`, for two reasons. The domain of
//! positive coefficients is where the barrier is finite, so that the energy itself keeps every
//! iterate inside and none ends on a boundary that nothing pushes away from. And a coefficient is
//! bilinear in positions: its derivatives are closed formulas, and along a step it is a quadratic
//! polynomial.
//!
//! Above its support the guard is 0, and all results come from the law. `min_area_ratio` in the
//! records tells whether a run has come there.

use crate::tuning::GUARD_BEGINS;
use ipcsim_math::elementary::ln;
use ipcsim_math::geometry::bernstein::{Coefficients, PAIRS, SLOPES, determinant};
use ipcsim_math::{Mat2, Vec2, outer};

/// Barrier `sum_k w b(c_k / (GUARD_BEGINS c_k0))` of the coefficients `c_k` of `J`, with
/// `b(u) = -(u - 1)^2 ln u` below `u = 1` and 0 above (Li et al. 2020, "Incremental Potential
/// Contact", equation 5, with a coefficient in the place of the gap).
///
/// `w = GUARD_BEGINS M V / 6` with the modulus `M` of uniaxial strain (Pa) and the volume `V`
/// (m^3), so that a triangle which is compressed evenly has the pressure of
/// [`CompressionBarrier`](crate::material) laws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    /// Ends of the supports, `GUARD_BEGINS c_k0` (m^2).
    ends: Coefficients,
    /// Weight of each coefficient (J).
    weight: f64,
}

impl Guard {
    /// Guard of a triangle with nodes `rest` (m), by a modulus times the thickness (N/m).
    pub(crate) fn new(rest: &[Vec2; 6], modulus: f64) -> Self {
        let start = determinant(rest);
        let area = start.iter().sum::<f64>() / 12.0;
        Self {
            ends: start.map(|c| GUARD_BEGINS * c),
            weight: GUARD_BEGINS * modulus * area / 6.0,
        }
    }

    /// Guard of the triangle whose area at rest is `square` (1) times as large.
    pub(super) fn resized(&self, square: f64) -> Self {
        Self {
            ends: self.ends.map(|end| end * square),
            weight: self.weight * square,
        }
    }

    /// True if some coefficient is within its support.
    fn is_active(&self, c: &Coefficients) -> bool {
        c.iter().zip(&self.ends).any(|(c, end)| c < end)
    }

    /// Energy (J): infinite if a coefficient is not positive.
    pub(crate) fn value(&self, x: &[Vec2; 6]) -> f64 {
        let c = determinant(x);
        if !self.is_active(&c) {
            return 0.0;
        }
        let parts = c.iter().zip(&self.ends).map(|(c, end)| barrier(c / end));
        self.weight * parts.sum::<f64>()
    }

    /// Derivative with respect to each node (N).
    pub(crate) fn gradient(&self, x: &[Vec2; 6]) -> [Vec2; 6] {
        let mut gradient = [Vec2::zeros(); 6];
        let c = determinant(x);
        if !self.is_active(&c) {
            return gradient;
        }

        for (k, (c, end)) in c.iter().zip(&self.ends).enumerate() {
            let [first, _] = slopes(c / end);
            let factor = self.weight * first / end;
            for (sum, slope) in gradient.iter_mut().zip(slope_of(k, x)) {
                *sum += slope * factor;
            }
        }

        gradient
    }

    /// Positive semi-definite part of the Hessian (N/m), `sum_k w b'' g g^T / end^2`: the barrier
    /// is convex in its coefficient, and how coefficients bend is left out.
    pub(crate) fn hessian(&self, x: &[Vec2; 6]) -> [[Mat2; 6]; 6] {
        self.second(x, 0.0)
    }

    /// Hessian (N/m).
    pub(crate) fn exact_hessian(&self, x: &[Vec2; 6]) -> [[Mat2; 6]; 6] {
        self.second(x, 1.0)
    }

    /// `sum_k w (b'' g g^T / end^2 + share b' H / end)`, with `g` and `H` the first and second
    /// derivatives of a coefficient.
    fn second(&self, x: &[Vec2; 6], share: f64) -> [[Mat2; 6]; 6] {
        let mut hessian = [[Mat2::zeros(); 6]; 6];
        let c = determinant(x);
        if !self.is_active(&c) {
            return hessian;
        }

        let turn = Mat2::new(0.0, 1.0, -1.0, 0.0);
        for (k, (c, end)) in c.iter().zip(&self.ends).enumerate() {
            let [first, second] = slopes(c / end);
            let along = slope_of(k, x);
            for i in 0..6 {
                for j in 0..6 {
                    let bent = turn * (bend(k, i, j) * first * share / end);
                    let steep = outer(along[i], along[j]) * (second / (end * end));

                    hessian[i][j] += (steep + bent) * self.weight;
                }
            }
        }
        hessian
    }
}

/// Barrier at the ratio `u` of a coefficient to the end of its support.
fn barrier(u: f64) -> f64 {
    if u >= 1.0 {
        return 0.0;
    }
    if u <= 0.0 || u.is_nan() {
        return f64::INFINITY;
    }
    -(u - 1.0) * (u - 1.0) * ln(u)
}

/// First and second derivative of the barrier.
fn slopes(u: f64) -> [f64; 2] {
    if u >= 1.0 {
        return [0.0; 2];
    }
    let u = u.max(f64::MIN_POSITIVE);
    let (v, log) = (u - 1.0, ln(u));
    [
        -v * (2.0 * log + v / u),
        -(2.0 * log + 4.0 * v / u - v * v / (u * u)),
    ]
}

/// Derivative of coefficient `k` with respect to each node (m).
///
/// With `s = sum a_i x_i` and `t = sum b_i x_i` the derivative of `s x t` is
/// `a_i (t_y, -t_x) + b_i (-s_y, s_x)`.
fn slope_of(k: usize, x: &[Vec2; 6]) -> [Vec2; 6] {
    let [p, q] = PAIRS[k];
    let mut sums = [Vec2::zeros(); 6];

    // A mixed coefficient is the mean of both orders of its pair.
    for (first, second) in [(p, q), (q, p)] {
        let [a, b] = [SLOPES[first][0], SLOPES[second][1]];
        let [s, t] = [&a, &b].map(|slopes| -> Vec2 {
            let nodes = x.iter().map(|node| node - x[0]);
            nodes.zip(slopes).map(|(node, slope)| node * *slope).sum()
        });

        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += (Vec2::new(t.y, -t.x) * a[i] + Vec2::new(-s.y, s.x) * b[i]) * 0.5;
        }
    }
    sums
}

/// Factor (1) of `[[0, 1], [-1, 0]]` in the second derivative of coefficient `k` by nodes `i` and
/// `j`: `a_i b_j - b_i a_j`.
fn bend(k: usize, i: usize, j: usize) -> f64 {
    let [p, q] = PAIRS[k];
    let parts = [(p, q), (q, p)].map(|(first, second)| {
        let [a, b] = [SLOPES[first][0], SLOPES[second][1]];
        a[i] * b[j] - b[i] * a[j]
    });
    0.5 * (parts[0] + parts[1])
}
