//! Gauss and Newton's method for sums of squares within bounds, damped as Levenberg and Marquardt do.
//!
//! Source: Marquardt 1963, "An algorithm for least-squares estimation of nonlinear parameters".
//!
//! The function is `J = sum_i r_i^2` with residuals `r_i` and slopes `A_ik = dr_i/du_k`. In the
//! units `u` of the search each step solves
//!
//! `(A^T A + d diag(A^T A)) s = -A^T r`
//!
//! for the variables that no bound holds. The damping `d` shrinks tenfold after a step that
//! lowers the sum, and grows tenfold where the sum does not become less. The damped diagonal
//! makes steps independent of the scale of each variable.
//!
//! The method needs no second derivatives, and near a small sum it converges fast. It is
//! right for fits with a few tens of variables: the dense system costs their number cubed.

use crate::search::{Ended, Found, Function, InUnits, Limits, Place, Variable, first, largest};

/// First damping relative to the curvature, and factors by which it shrinks and grows.
const DAMPING: f64 = 1e-4;
const LESS: f64 = 0.1;
const MORE: f64 = 10.0;
/// Largest damping.
const MOST: f64 = 1e8;
/// Largest step, in sizes of variables.
const FAR: f64 = 1.0;

/// Seeks a minimum of a sum of squares within the bounds of its variables.
///
/// The search ends as converged if the sum falls below `limits.small` of its first value, if all
/// variables are held by bounds, or if a step is shorter than `limits.step`. It ends without a
/// step if even the largest damping finds no smaller sum.
///
/// # Errors
/// Errors of the function.
pub fn gauss_newton<F: Function>(
    function: &mut F,
    variables: &[Variable],
    limits: Limits,
) -> Result<Found, F::Error> {
    let mut units = InUnits::new(function, variables);
    let mut place = first(&mut units)?;
    let first_value = place.derived.value;
    let mut damping = DAMPING;
    loop {
        // A variable at a bound counts as held while the gradient presses it there.
        let blocked = units.blocked(&place);
        let is_small = place.derived.value <= limits.small * first_value;
        if is_small || blocked.iter().all(|is| *is) {
            return Ok(units.found(place, Ended::Converged));
        }
        if units.gradients >= limits.gradients {
            return Ok(units.found(place, Ended::Limit));
        }

        // More damping until the sum is less.
        let u = loop {
            let far = far(&place, &blocked, damping);
            let u = units.within(&far);
            let moved = u.iter().zip(&place.u).map(|(a, b)| a - b);
            if largest(moved) <= limits.step {
                return Ok(units.found(place, Ended::Converged));
            }
            if units.value(&u)? < place.derived.value {
                break u;
            }
            damping *= MORE;
            if damping > MOST {
                return Ok(units.found(place, Ended::NoStep));
            }
        };
        damping *= LESS;
        place = units.accepted(u)?;
    }
}

/// The place to which the linearised residuals lead, with a damping relative to the curvature.
///
/// The longest component of the step is at most [`FAR`] sizes of its variable: the linearised
/// residuals say little farther off.
fn far(place: &Place, blocked: &[bool], damping: f64) -> Vec<f64> {
    let free: Vec<usize> = (0..blocked.len()).filter(|&k| !blocked[k]).collect();
    let slopes = &place.derived.slopes;

    // Products of slopes, with a larger diagonal.
    let mut matrix: Vec<Vec<f64>> = Vec::new();
    for &a in &free {
        let row = free.iter().map(|&b| {
            let products = slopes.iter().map(|by| by[a] * by[b]);
            products.sum::<f64>()
        });
        matrix.push(row.collect());
    }
    for (k, row) in matrix.iter_mut().enumerate() {
        row[k] = row[k] * (1.0 + damping) + f64::MIN_POSITIVE;
    }
    let right: Vec<f64> = free
        .iter()
        .map(|&k| -0.5 * place.derived.gradient[k])
        .collect();

    // A displacement that is not too long.
    let way = solved(matrix, right);
    let longest = largest(way.iter().copied()).max(FAR) / FAR;
    let mut u = place.u.clone();
    for (&k, way) in free.iter().zip(&way) {
        u[k] += way / longest;
    }
    u
}

/// Solution of a symmetric, positive definite system, by elimination.
///
/// No pivots are exchanged: the damped diagonal keeps each of them positive.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for k in 0..count {
        let pivot = matrix[k].clone();
        let known = right[k];
        let below = matrix.iter_mut().zip(&mut right).skip(k + 1);
        for (row, right) in below {
            let factor = row[k] / pivot[k];
            for (entry, above) in row.iter_mut().zip(&pivot).skip(k) {
                *entry -= factor * above;
            }
            *right -= factor * known;
        }
    }

    // Back substitution from the last unknown.
    for k in (0..count).rev() {
        let known: f64 = (k + 1..count).map(|j| matrix[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[k][k];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Derived;
    use std::convert::Infallible;

    /// Values `a exp(-b t)` at five times, against those of known numbers.
    struct Decay {
        at: Vec<f64>,
        accepted: usize,
    }

    impl Decay {
        fn residuals(x: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
            let times = [0.0_f64, 0.5, 1.0, 1.5, 2.0];
            let rows = times.iter().map(|t| {
                let e = (-x[1] * t).exp();
                (x[0] * e - 3.0 * (-0.7 * t).exp(), vec![e, -t * x[0] * e])
            });
            rows.unzip()
        }
    }

    impl Function for Decay {
        type Error = Infallible;

        fn value(&mut self, x: &[f64]) -> Result<f64, Infallible> {
            self.at = x.to_vec();
            Ok(Self::residuals(x).0.iter().map(|r| r * r).sum())
        }

        fn derived(&mut self) -> Result<Derived, Infallible> {
            let (residuals, slopes) = Self::residuals(&self.at);
            let gradient = (0..2).map(|k| {
                let both = residuals.iter().zip(&slopes);
                2.0 * both.map(|(r, by)| r * by[k]).sum::<f64>()
            });
            Ok(Derived {
                value: residuals.iter().map(|r| r * r).sum(),
                gradient: gradient.collect(),
                residuals,
                slopes,
            })
        }

        fn accept(&mut self, _x: &[f64], _derived: &Derived) -> Result<(), Infallible> {
            self.accepted += 1;
            Ok(())
        }
    }

    #[test]
    fn a_decay_is_identified_in_few_steps() {
        let variable = |start: f64, is_log: bool| Variable {
            start,
            min: 1e-3,
            max: 100.0,
            size: 1.0,
            is_log,
        };
        let limits = Limits {
            gradients: 50,
            small: 1e-24,
            step: 1e-12,
        };
        let variables = [variable(1.0, true), variable(2.0, false)];
        let mut decay = Decay {
            at: Vec::new(),
            accepted: 0,
        };
        let Ok(found) = gauss_newton(&mut decay, &variables, limits);
        assert!((found.x[0] - 3.0).abs() < 1e-8 && (found.x[1] - 0.7).abs() < 1e-8);
        assert!(found.gradients <= 10 && decay.accepted == found.gradients);
    }
}
