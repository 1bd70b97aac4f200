//! Stable sorts of lists that are short or sorted seldom, compiled once for all types.
//!
//! The standard library's sort is compiled for each type and each order, at several kilobytes.
//! Here only numbers of places are sorted, by an order behind a pointer, and the entries of the list
//! follow them.

use std::cmp::Ordering;

/// Sorts a list by an order. Equal entries keep theirs.
///
/// ```
/// use ipcsim_math::sort::sort_by;
///
/// let mut lengths = [2.0, 0.5, 1.0];
/// sort_by(&mut lengths, |one, other| f64::total_cmp(one, other));
/// assert_eq!(lengths, [0.5, 1.0, 2.0]);
/// ```
pub fn sort_by<T>(list: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let mut goals = goals(list.len(), &|a, b| order(&list[a], &list[b]));

    // Each swap brings one entry to its goal.
    for place in 0..list.len() {
        while goals[place] != place {
            let goal = goals[place];
            list.swap(place, goal);
            goals.swap(place, goal);
        }
    }
}

/// Sorts a list by keys. Entries of equal keys keep their order.
///
/// Keys are computed for each comparison.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Place of each of `count` entries in the sorted list, by the order of two numbers of entries.
fn goals(count: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..count).collect();
    sorted.sort_by(|&a, &b| order(a, b));

    let mut goals = vec![0; count];
    for (goal, entry) in sorted.into_iter().enumerate() {
        goals[entry] = goal;
    }
    goals
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_are_sorted_as_by_the_standard_library(keys in prop::collection::vec(0_u8..9, 0..60)) {
            // Numbers tell which of two equal entries came first.
            let list: Vec<(u8, usize)> = keys.into_iter().zip(0..).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|entry| entry.0);
            let mut sorted = list;
            sort_by_key(&mut sorted, |entry| entry.0);
            prop_assert_eq!(sorted, expected);
        }
    }
}
