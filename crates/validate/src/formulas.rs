//! Formulas and small numerical methods of several cases, written apart from the simulator's own.

use ipcsim::contact::barrier::BarrierShape;

/// Share of `kappa` that the pressure of a half-plane's barrier is at the gap `s d_hat`, `-db/dg`.
///
/// - log: `b = kappa d_hat/2 (s - 1) ln s`, so that `p/kappa = -(ln s + (s - 1)/s)/2`;
/// - clamped log: `b = -kappa d_hat (s - 1)^2 ln s`, so that
///   `p/kappa = 2 (s - 1) ln s + (s - 1)^2/s`;
/// - inverse: `b = kappa d_hat (1 - s)^3/s`, so that `p/kappa = (1 - s)^2 (1 + 2 s)/s^2`.
pub(super) fn pressure(shape: BarrierShape, s: f64) -> f64 {
    match shape {
        BarrierShape::Log => -0.5 * (s.ln() + (s - 1.0) / s),
        BarrierShape::ClampedLog => 2.0 * (s - 1.0) * s.ln() + (s - 1.0).powi(2) / s,
        BarrierShape::Inverse => (1.0 - s).powi(2) * (1.0 + 2.0 * s) / (s * s),
    }
}

/// Share of `kappa` that the pressure of a pair's barrier is at the gap `s d_hat`, found from one
/// side.
///
/// - log: `b = kappa d_hat/16 (q - 1) ln q` with `q = s^2`, so that
///   `p/kappa = -s/8 (ln q + (q - 1)/q)`;
/// - clamped log: half of that of a half-plane.
pub(super) fn pair_pressure(shape: BarrierShape, s: f64) -> f64 {
    let q = s * s;
    match shape {
        BarrierShape::Log => -0.125 * s * (q.ln() + (q - 1.0) / q),
        BarrierShape::ClampedLog | BarrierShape::Inverse => 0.5 * pressure(shape, s),
    }
}

/// Gap at rest as a share of `d_hat`, where the barrier of a half-plane has this share of `kappa`
/// as its pressure.
pub(super) fn rest_gap(shape: BarrierShape, share: f64) -> f64 {
    root([1e-9, 1.0], |s| pressure(shape, s) - share)
}

/// Root of a continuous function between `a` and `b`, where its signs differ, by 200 bisections.
pub(super) fn root([mut a, mut b]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    let is_positive = f(a) > 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (a + b);
        if (f(middle) > 0.0) == is_positive {
            a = middle;
        } else {
            b = middle;
        }
    }
    0.5 * (a + b)
}

/// Integral of `f` from `a` to `b` by Simpson's rule on `2 n` intervals.
pub(super) fn integral([a, b]: [f64; 2], n: u32, f: impl Fn(f64) -> f64) -> f64 {
    let h = (b - a) / f64::from(2 * n);
    let inner: f64 = (1..2 * n)
        .map(|k| f64::from(2 + 2 * (k % 2)) * f(a + h * f64::from(k)))
        .sum();
    (f(a) + inner + f(b)) * h / 3.0
}

/// One step of length `h` of the classical Runge-Kutta method for `y' = f(y)`.
pub(super) fn runge_kutta<const N: usize>(
    y: [f64; N],
    h: f64,
    f: impl Fn([f64; N]) -> [f64; N],
) -> [f64; N] {
    let ahead = |k: [f64; N], share: f64| std::array::from_fn(|i| y[i] + share * h * k[i]);
    let k1 = f(y);
    let k2 = f(ahead(k1, 0.5));
    let k3 = f(ahead(k2, 0.5));
    let k4 = f(ahead(k3, 1.0));
    std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// Distance that implicit Euler travels in `steps` steps of `h` (s) at a constant acceleration
/// (m/s^2) from rest: `a h^2 n (n + 1)/2`.
pub(super) fn implicit_travel(acceleration: f64, h: f64, steps: usize) -> f64 {
    let n = steps as f64;
    acceleration * h * h * n * (n + 1.0) * 0.5
}

/// Lame parameters in plane strain.
#[derive(Clone, Copy)]
pub(super) struct Lame {
    /// Shear modulus (Pa).
    pub(super) mu: f64,
    /// First parameter (Pa).
    pub(super) lambda: f64,
}

impl Lame {
    /// Parameters of Young's modulus (Pa) and Poisson's ratio (1).
    pub(super) fn new(young: f64, poisson: f64) -> Self {
        Self {
            mu: 0.5 * young / (1.0 + poisson),
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
        }
    }
}

/// Deflection (m) at the end of a cantilever of length and height (m) under a load per length
/// (N/m), in plane strain, by Timoshenko's theory:
///
/// `w = q L^4 / 8 E' I + q L^2 / 2 k G H` with `E' = E/(1 - nu^2)`, `I = H^3/12`.
pub(super) fn timoshenko(load: f64, [length, height]: [f64; 2], [young, poisson]: [f64; 2]) -> f64 {
    let bending = young / (1.0 - poisson * poisson) * height.powi(3) / 12.0;
    let shear = shear_stiffness(height, [young, poisson]);
    load * length.powi(4) / (8.0 * bending) + load * length * length / (2.0 * shear)
}

/// Stiffness of a beam of this height (m) against shear in plane strain, `k G H` (N/m), with
/// Cowper's coefficient `k = 10 (1 + n) / (12 + 11 n)` for `n = nu/(1 - nu)`.
pub(super) fn shear_stiffness(height: f64, [young, poisson]: [f64; 2]) -> f64 {
    let n = poisson / (1.0 - poisson);
    0.5 * young / (1.0 + poisson) * height * 10.0 * (1.0 + n) / (12.0 + 11.0 * n)
}
