//! Reductions in space and in time.

use crate::time::Reading;
use ipcsim_keys::Keys;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::powf;
use serde::{Deserialize, Serialize};

/// Reduction of the values of several places or bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InSpace {
    /// The largest one.
    Max,
    /// The smallest one.
    Min,
    /// The mean, by area where places have one.
    Mean,
    /// Mean of powers: `(sum w |v|^p / sum w)^(1/p)` with this `p`.
    Norm(f64),
    /// The only one.
    Value,
}

/// Reduction of the values of all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// The value at the end.
    Last,
    /// The largest value, with its time.
    Max,
    /// The smallest value, with its time.
    Min,
    /// The mean of all steps.
    Mean,
    /// The sum over all steps.
    Sum,
    /// The change over the run by its time; of `flow` the number by the time.
    Rate,
}

/// A value at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// The value; NaN where it is undefined.
    pub(super) value: f64,
    /// Its weight in means.
    pub(super) weight: f64,
    /// The place (m).
    pub(super) place: Vec2,
}

impl InSpace {
    /// Name of the reduction, the key of the scene.
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Min => "min",
            Self::Mean => "mean",
            Self::Norm(_) => "norm",
            Self::Value => "value",
        }
    }

    /// Reduces the defined values among all; `None` if there are none.
    /// Of equal extremes the first one counts.
    pub(super) fn of(self, all: impl Iterator<Item = Placed>) -> Option<Reading> {
        let known = all.filter(|own| !own.value.is_nan());
        let placed = |own: Placed| Reading {
            value: own.value,
            place: Some(own.place),
        };
        match self {
            Self::Max => known
                .reduce(|a, b| if b.value > a.value { b } else { a })
                .map(placed),
            Self::Min => known
                .reduce(|a, b| if b.value < a.value { b } else { a })
                .map(placed),
            Self::Value => known.map(|own| Reading::of(own.value)).next(),
            Self::Mean => mean(known, |value| value).map(Reading::of),
            Self::Norm(power) => {
                // The largest one is taken out, so that no power overflows.
                let known: Vec<Placed> = known.collect();
                let most = known.iter().map(|own| own.value.abs()).fold(0.0, f64::max);
                if most == 0.0 {
                    return (!known.is_empty()).then(|| Reading::of(0.0));
                }
                let sum = mean(known.into_iter(), |value| powf(value.abs() / most, power))?;
                Some(Reading::of(most * powf(sum, power.recip())))
            }
        }
    }
}

/// Weighted mean of a function of values; `None` without any.
fn mean(all: impl Iterator<Item = Placed>, of: impl Fn(f64) -> f64) -> Option<f64> {
    let mut sum = 0.0;
    let mut weights = 0.0;
    for own in all {
        sum += own.weight * of(own.value);
        weights += own.weight;
    }
    (weights > 0.0).then_some(sum / weights)
}

impl Over {
    /// All reductions.
    pub const ALL: [Self; 6] = [
        Self::Last,
        Self::Max,
        Self::Min,
        Self::Mean,
        Self::Sum,
        Self::Rate,
    ];

    /// Name of the reduction in scenes and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Last => "last",
            Self::Max => "max",
            Self::Min => "min",
            Self::Mean => "mean",
            Self::Sum => "sum",
            Self::Rate => "rate",
        }
    }

    /// Unit of the reduced value of readings in a unit.
    pub fn unit(self, unit: &str) -> String {
        match (self, unit) {
            (Self::Rate, "1") => "1/s".to_owned(),
            (Self::Rate, unit) if unit.contains([' ', '/']) => format!("({unit})/s"),
            (Self::Rate, unit) => format!("{unit}/s"),
            _ => unit.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values with weights, each at its number.
    fn placed(all: &[[f64; 2]]) -> impl Iterator<Item = Placed> {
        let all: Vec<[f64; 2]> = all.to_vec();
        all.into_iter()
            .enumerate()
            .map(|(k, [value, weight])| Placed {
                value,
                weight,
                place: Vec2::new(k as f64, 0.0),
            })
    }

    #[test]
    fn values_are_reduced_with_their_weights_and_extremes_have_their_place() {
        let all = [[2.0, 1.0], [f64::NAN, 5.0], [-4.0, 3.0], [-4.0, 0.0]];
        let of = |reduce: InSpace| reduce.of(placed(&all)).unwrap();
        assert_eq!(of(InSpace::Max).value, 2.0);
        assert_eq!(of(InSpace::Min).place, Some(Vec2::new(2.0, 0.0)));
        assert_eq!(of(InSpace::Mean).value, -2.5);
        let expected = ((4.0 + 3.0 * 16.0) / 4.0_f64).sqrt();
        assert!((of(InSpace::Norm(2.0)).value - expected).abs() < 1e-14);
        assert_eq!(of(InSpace::Value), Reading::of(2.0));
        assert_eq!(InSpace::Max.of(placed(&[[f64::NAN, 1.0]])), None);
        assert_eq!(
            InSpace::Norm(8.0).of(placed(&[[0.0, 1.0]])),
            Some(Reading::of(0.0))
        );
    }
}
