//! What searches for a minimum within bounds have in common.

use serde::{Deserialize, Serialize};

/// A variable of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variable {
    /// First value.
    pub start: f64,
    /// Least value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Change that counts as large; of a logarithmic variable a change of its logarithm.
    pub size: f64,
    /// True if the search goes by logarithms.
    pub is_log: bool,
}

impl Variable {
    /// Value in the units of the search.
    pub(crate) fn scaled(&self, value: f64) -> f64 {
        if self.is_log {
            ipcsim::math::elementary::ln(value) / self.size
        } else {
            value / self.size
        }
    }

    /// Value from the units of the search, within the bounds.
    pub(crate) fn value(&self, scaled: f64) -> f64 {
        let value = if self.is_log {
            ipcsim::math::elementary::exp(scaled * self.size)
        } else {
            scaled * self.size
        };
        value.clamp(self.min, self.max)
    }

    /// Derivative of the value by the units of the search.
    pub(crate) fn slope(&self, value: f64) -> f64 {
        if self.is_log {
            value * self.size
        } else {
            self.size
        }
    }

    /// A place in the units of the search, within the bounds.
    pub(crate) fn within(&self, scaled: f64) -> f64 {
        let [low, high] = [self.min, self.max].map(|bound| self.scaled(bound));
        scaled.max(low).min(high)
    }
}

/// Value and derivatives of a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Derived {
    /// Value.
    pub value: f64,
    /// Derivatives by the variables.
    pub gradient: Vec<f64>,
    /// Terms whose squares have the value as their sum, for Gauss and Newton's method.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub residuals: Vec<f64>,
    /// Derivatives of these by the variables, `[residuals, variables]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slopes: Vec<Vec<f64>>,
}

/// A function whose minimum is sought.
pub trait Function {
    /// Error that ends a search.
    type Error;

    /// Value at a point; infinite where there is none.
    ///
    /// # Errors
    /// Whatever makes further values useless.
    fn value(&mut self, x: &[f64]) -> Result<f64, Self::Error>;

    /// Value and derivatives at the point whose value was asked for last.
    ///
    /// # Errors
    /// If there is no derivative.
    fn derived(&mut self) -> Result<Derived, Self::Error>;

    /// Sees a point that a search has accepted.
    ///
    /// # Errors
    /// If the search should end.
    fn accept(&mut self, x: &[f64], derived: &Derived) -> Result<(), Self::Error>;
}

/// When a search ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Largest number of gradients.
    pub gradients: usize,
    /// Value relative to the first one below which nothing is left to gain, for sums of squares.
    pub small: f64,
    /// Change of all variables, in their sizes, below which a search has converged.
    pub step: f64,
}

/// Reason for which a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Steps have become small, or nothing pushes within the bounds.
    Converged,
    /// The number of gradients was reached.
    Limit,
    /// No shorter step is better: rounding or a kink is reached.
    NoStep,
}

/// The point at which a search has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The point.
    pub x: Vec<f64>,
    /// Value and derivatives there.
    pub derived: Derived,
    /// Number of gradients that were computed.
    pub gradients: usize,
    /// Number of values, those with a gradient included.
    pub values: usize,
    /// Why it ended.
    pub ended: Ended,
}

/// A point of a search in its own units.
pub(crate) struct Place {
    pub(crate) u: Vec<f64>,
    pub(crate) derived: Derived,
}

/// A function in the units of a search.
pub(crate) struct InUnits<'a, F> {
    pub(crate) function: &'a mut F,
    pub(crate) variables: &'a [Variable],
    pub(crate) values: usize,
    pub(crate) gradients: usize,
}

impl<'a, F: Function> InUnits<'a, F> {
    /// A function that was not asked for anything yet.
    pub(crate) fn new(function: &'a mut F, variables: &'a [Variable]) -> Self {
        Self {
            function,
            variables,
            values: 0,
            gradients: 0,
        }
    }

    /// The point in the units of the variables.
    pub(crate) fn point(&self, u: &[f64]) -> Vec<f64> {
        let both = self.variables.iter().zip(u);
        both.map(|(variable, u)| variable.value(*u)).collect()
    }

    /// The nearest place within the bounds.
    pub(crate) fn within(&self, u: &[f64]) -> Vec<f64> {
        let both = self.variables.iter().zip(u);
        both.map(|(variable, u)| variable.within(*u)).collect()
    }

    /// Value at a place.
    pub(crate) fn value(&mut self, u: &[f64]) -> Result<f64, F::Error> {
        self.values += 1;
        let value = self.function.value(&self.point(u))?;
        Ok(if value.is_nan() { f64::INFINITY } else { value })
    }

    /// Derivatives at the place whose value was asked for last, which the search accepts.
    pub(crate) fn accepted(&mut self, u: Vec<f64>) -> Result<Place, F::Error> {
        self.gradients += 1;
        let mut derived = self.function.derived()?;
        let x = self.point(&u);
        self.function.accept(&x, &derived)?;
        for (k, variable) in self.variables.iter().enumerate() {
            let slope = variable.slope(x[k]);
            derived.gradient[k] *= slope;
            for of_residual in &mut derived.slopes {
                of_residual[k] *= slope;
            }
        }
        Ok(Place { u, derived })
    }

    /// True for variables at a bound against which a gradient pushes.
    pub(crate) fn blocked(&self, place: &Place) -> Vec<bool> {
        let all = self.variables.iter().zip(&place.u);
        let pushed = all.zip(&place.derived.gradient);
        pushed
            .map(|((variable, u), by)| {
                let step = 1e-3 * by.signum();
                variable.within(u - step).to_bits() == u.to_bits() || *by == 0.0
            })
            .collect()
    }

    /// The end of a search at a place.
    pub(crate) fn found(self, place: Place, ended: Ended) -> Found {
        let x = self.point(&place.u);
        let mut derived = place.derived;
        for (k, variable) in self.variables.iter().enumerate() {
            derived.gradient[k] /= variable.slope(x[k]);
        }
        Found {
            x,
            derived,
            gradients: self.gradients,
            values: self.values,
            ended,
        }
    }
}

/// The first place of a search.
pub(crate) fn first<F: Function>(units: &mut InUnits<F>) -> Result<Place, F::Error> {
    let starts = units.variables.iter();
    let u: Vec<f64> = starts
        .map(|variable| variable.within(variable.scaled(variable.start)))
        .collect();
    units.value(&u)?;
    units.accepted(u)
}

/// Largest of the sizes.
pub(crate) fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most, value| most.max(value.abs()))
}
