//! Quasi-Newton's method within bounds: directions of limited memory on the variables that no bound holds,
//! and steps that are projected onto the bounds.
//!
//! Sources: Nocedal 1980, "Updating quasi-Newton matrices with limited storage"; Bertsekas 1982,
//! "Projected Newton methods for optimization problems with simple constraints".
//!
//! Directions are `d = -H g` with the gradient `g` and an approximation `H` of the inverse
//! Hessian, which the last pairs of steps `s` and changes of the gradient `y` define. `H` is
//! never formed: two loops over the pairs apply it. A step `P(u + a d)` is projected onto the
//! bounds by `P`, and `a` shrinks until the value falls by [`ENOUGH`] of the decrease that the
//! slope promises.
//!
//! The method needs one gradient for each accepted point, which one adjoint run gives for any
//! number of variables. It is right for objectives that are not sums of squares.

use crate::search::{Ended, Found, Function, InUnits, Limits, Place, Variable, first, largest};

/// Number of steps that directions remember.
const MEMORY: usize = 10;
/// First step, in sizes of variables.
const FIRST: f64 = 0.1;
/// Decrease of the value relative to the one that the slope promises, from which on a step is accepted.
const ENOUGH: f64 = 1e-4;
/// Largest number of shorter steps.
const SHORTER: usize = 12;

/// A step with the change of the gradient along it.
///
/// Both are in the units of the search. Only pairs with `s . y > 0` keep the approximation
/// positive definite.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
}

/// Seeks a minimum of a function within the bounds of its variables.
///
/// If a direction gives no step, the memory is dropped and the steepest descent is tried; if that
/// fails too, the search ends without a step.
///
/// # Errors
/// Errors of the function.
pub fn quasi_newton<F: Function>(
    function: &mut F,
    variables: &[Variable],
    limits: Limits,
) -> Result<Found, F::Error> {
    let mut units = InUnits::new(function, variables);
    let mut place = first(&mut units)?;
    let first_value = place.derived.value;
    let mut pairs: Vec<Pair> = Vec::new();
    loop {
        let blocked = units.blocked(&place);
        if blocked.iter().all(|is| *is) {
            return Ok(units.found(place, Ended::Converged));
        }
        if units.gradients >= limits.gradients {
            return Ok(units.found(place, Ended::Limit));
        }

        // The direction, or the steepest one if it does not lead down.
        let mut direction = direction(&place.derived.gradient, &pairs, &blocked);
        if dot(&direction, &place.derived.gradient) >= 0.0 {
            pairs.clear();
            direction = self::direction(&place.derived.gradient, &pairs, &blocked);
        }
        let Some((u, _)) = stepped(&mut units, &place, &direction)? else {
            if pairs.is_empty() {
                return Ok(units.found(place, Ended::NoStep));
            }
            pairs.clear();
            continue;
        };

        let next = units.accepted(u)?;

        // The step with the change of the gradient, if it is curved upwards.
        let step: Vec<f64> = next.u.iter().zip(&place.u).map(|(a, b)| a - b).collect();
        let both = next.derived.gradient.iter().zip(&place.derived.gradient);
        let change: Vec<f64> = both.map(|(a, b)| a - b).collect();
        let short = largest(step.iter().copied()) <= limits.step;
        let curved = dot(&step, &change);
        if curved > 1e-12 * (dot(&step, &step) * dot(&change, &change)).sqrt() {
            pairs.push(Pair { step, change });
            if pairs.len() > MEMORY {
                pairs.remove(0);
            }
        }
        place = next;

        if short || place.derived.value.abs() <= limits.small * first_value.abs() {
            return Ok(units.found(place, Ended::Converged));
        }
    }
}

/// The place of a shorter and shorter step along a direction whose value is less enough, with the value.
fn stepped<F: Function>(
    units: &mut InUnits<F>,
    place: &Place,
    direction: &[f64],
) -> Result<Option<(Vec<f64>, f64)>, F::Error> {
    let mut length = 1.0;
    for _ in 0..SHORTER {
        let both = place.u.iter().zip(direction);
        let far: Vec<f64> = both.map(|(u, d)| u + length * d).collect();
        let u = units.within(&far);
        let moved: Vec<f64> = u.iter().zip(&place.u).map(|(a, b)| a - b).collect();
        let promised = dot(&moved, &place.derived.gradient);
        if promised >= 0.0 {
            return Ok(None);
        }

        let value = units.value(&u)?;
        let gained = value - place.derived.value;
        if gained <= ENOUGH * promised {
            return Ok(Some((u, value)));
        }

        // The minimum of a parabola through what is known, or a tenth to a half.
        let parabola = -0.5 * promised / (gained - promised);
        length *= if parabola.is_finite() {
            parabola.clamp(0.1, 0.5)
        } else {
            0.1
        };
    }
    Ok(None)
}

/// Direction by the remembered steps, zero for blocked variables.
///
/// The scale of the first approximation is `s . y / y . y` of the last pair, or, without pairs, a
/// step of [`FIRST`] along the largest component.
fn direction(gradient: &[f64], pairs: &[Pair], blocked: &[bool]) -> Vec<f64> {
    let free = |values: &[f64]| -> Vec<f64> {
        let both = values.iter().zip(blocked);
        both.map(|(value, is)| if *is { 0.0 } else { *value })
            .collect()
    };
    let mut d = free(gradient);
    let mut weights = Vec::new();
    let pairs: Vec<Pair> = pairs
        .iter()
        .map(|pair| Pair {
            step: free(&pair.step),
            change: free(&pair.change),
        })
        .filter(|pair| dot(&pair.step, &pair.change) > 0.0)
        .collect();

    // The two loops of Nocedal, from the last step to the first and back.
    for pair in pairs.iter().rev() {
        let weight = dot(&pair.step, &d) / dot(&pair.step, &pair.change);
        add(&mut d, -weight, &pair.change);
        weights.push(weight);
    }

    let scale = match pairs.last() {
        Some(pair) => dot(&pair.step, &pair.change) / dot(&pair.change, &pair.change),
        None => FIRST / largest(d.iter().copied()),
    };
    for d in &mut d {
        *d *= scale;
    }
    for (pair, weight) in pairs.iter().zip(weights.iter().rev()) {
        let back = dot(&pair.change, &d) / dot(&pair.step, &pair.change);
        add(&mut d, weight - back, &pair.step);
    }
    d.iter().map(|d| -d).collect()
}

/// Scalar product `a . b`.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds `factor * b` to `a`.
fn add(a: &mut [f64], factor: f64, b: &[f64]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += factor * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Derived;
    use std::convert::Infallible;

    /// Rosenbrock's valley.
    #[derive(Default)]
    struct Valley {
        at: Vec<f64>,
    }

    impl Function for Valley {
        type Error = Infallible;

        fn value(&mut self, x: &[f64]) -> Result<f64, Infallible> {
            self.at = x.to_vec();
            Ok((1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2))
        }

        fn derived(&mut self) -> Result<Derived, Infallible> {
            let x = self.at.clone();
            let value = self.value(&x)?;
            let across = x[1] - x[0] * x[0];
            Ok(Derived {
                value,
                gradient: vec![-2.0 * (1.0 - x[0]) - 400.0 * x[0] * across, 200.0 * across],
                ..Derived::default()
            })
        }

        fn accept(&mut self, _x: &[f64], _derived: &Derived) -> Result<(), Infallible> {
            Ok(())
        }
    }

    const LIMITS: Limits = Limits {
        gradients: 200,
        small: 0.0,
        step: 1e-10,
    };

    fn variable(start: f64, min: f64, max: f64) -> Variable {
        Variable {
            start,
            min,
            max,
            size: 1.0,
            is_log: false,
        }
    }

    #[test]
    fn a_valley_is_followed_to_its_minimum() {
        let variables = [variable(-1.2, -5.0, 5.0), variable(1.0, -5.0, 5.0)];
        let Ok(found) = quasi_newton(&mut Valley::default(), &variables, LIMITS);
        assert!(found.gradients < 80, "{}", found.gradients);
        assert!((found.x[0] - 1.0).abs() < 1e-6 && (found.x[1] - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_bound_holds_the_minimum() {
        let variables = [variable(-1.2, -5.0, 0.5), variable(1.0, -5.0, 5.0)];
        let Ok(found) = quasi_newton(&mut Valley::default(), &variables, LIMITS);
        assert!((found.x[0] - 0.5).abs() < 1e-9 && (found.x[1] - 0.25).abs() < 1e-6);
    }
}
