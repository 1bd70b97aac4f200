//! How many directions a solver takes, and what becomes of them.
//!
//! The counts say why a step takes long: directions of projected Hessians are too short, contact cuts
//! directions at the first pair that they did not know, and a line search halves where the potential is far
//! from its quadratic model. They end up in `timings.csv` and in `ipcsim bench`, and have no influence on
//! results.

use serde::{Deserialize, Serialize};

/// Something that a solver counts in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Search directions, also of attempts that failed.
    Directions,
    /// Directions of a projected Hessian, since the exact one is not positive definite.
    Projected,
    /// Directions that contact cuts short.
    Cut,
    /// Halvings in line searches.
    Halvings,
    /// Substitutions with a factor at hand, by which friction takes the normal forces that a direction
    /// leads to.
    Substitutions,
    /// Solves inside composite directions, which move nothing.
    Inner,
}

impl Count {
    /// All counts with the names of their columns in `timings.csv`, and what they count.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (
            Self::Directions,
            "directions",
            "Search directions, also of attempts that failed",
        ),
        (
            Self::Projected,
            "projected",
            "Directions of a projected Hessian",
        ),
        (Self::Cut, "cut", "Directions that contact cuts short"),
        (Self::Halvings, "halvings", "Halvings in line searches"),
        (
            Self::Substitutions,
            "substitutions",
            "Substitutions for friction with a factor at hand",
        ),
        (Self::Inner, "inner", "Solves inside composite directions"),
    ];
}

/// Numbers of everything that a solver counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// A number for each of [`Count::ALL`].
    numbers: [u64; Count::ALL.len()],
}

impl Counts {
    /// Counts one more.
    pub fn note(&mut self, what: Count) {
        self.numbers[what as usize] += 1;
    }

    /// The number of `what` so far.
    pub fn of(&self, what: Count) -> u64 {
        self.numbers[what as usize]
    }

    /// Adds the numbers of another stretch of work.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.numbers.iter_mut().zip(&other.numbers) {
            *mine = mine.saturating_add(*theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_has_its_own_number_and_sums_keep_them_apart() {
        let mut all = Counts::default();
        for (times, (what, _, _)) in (1..).zip(Count::ALL) {
            let mut one = Counts::default();
            (0..times).for_each(|_| one.note(what));
            all.add(&one);
        }
        for (times, (what, _, _)) in (1..).zip(Count::ALL) {
            assert_eq!(all.of(what), times);
        }
    }
}
