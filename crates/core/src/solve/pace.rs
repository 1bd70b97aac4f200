//! Speeds of bodies on one scale: a slow speed of a large body is fast for a small one.

/// Factors (1) with which the speeds of a body count where a solve decides about its end, at least
/// 1: the largest tolerance of a body over its own.
///
/// The body with the largest tolerance has 1, and so have all bodies where the scene gives one for
/// all. A far body changes the scale, and nothing in the decision about another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Pace {
    /// Factors of speeds along a Newton direction, `[bodies]`.
    pub direction: Vec<f64>,
    /// Factors of the speeds that forces left over give, `[bodies]`.
    pub imbalance: Vec<f64>,
}

impl Pace {
    /// One scale for this number of bodies.
    pub fn uniform(bodies: usize) -> Self {
        Self {
            direction: vec![1.0; bodies],
            imbalance: vec![1.0; bodies],
        }
    }

    /// Factors of bodies with these tolerances and imbalances (m/s), `[bodies]`; 0 for bodies that
    /// have none, which count with 1.
    pub fn of(tolerances: &[f64], imbalances: &[f64]) -> Self {
        Self {
            direction: factors(tolerances),
            imbalance: factors(imbalances),
        }
    }
}

/// Largest of these speeds over each one; 1 for a speed of 0.
fn factors(speeds: &[f64]) -> Vec<f64> {
    let largest = speeds.iter().copied().fold(0.0, f64::max);
    let factor = |&speed: &f64| if speed > 0.0 { largest / speed } else { 1.0 };
    speeds.iter().map(factor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_counts_by_the_largest_tolerance_over_its_own_and_one_without_counts_once() {
        let pace = Pace::of(&[2.0, 0.5, 0.0], &[1e-3, 1e-3, 4e-3]);
        assert_eq!(pace.direction, [1.0, 4.0, 1.0]);
        assert_eq!(pace.imbalance, [4.0, 4.0, 1.0]);
        assert_eq!(Pace::of(&[0.3; 3], &[7.0; 3]), Pace::uniform(3));
        assert_eq!(Pace::of(&[0.0; 2], &[0.0; 2]), Pace::uniform(2));
    }
}
