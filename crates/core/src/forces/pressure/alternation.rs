//! Alternating errors of pressure.
//!
//! Stiff contact of quadratic triangles on edges that do not match has pressures at corners that are 1
//! to 3 % too high and too low in turn. Linear triangles whose diagonals alternate have 3 to 6 % in a
//! contact that changes along the outline. Neighbours exchange force where they alternate, which is where
//! second differences of pressure have different signs. A smooth pressure stays as it is.

use super::chords::End;
use crate::tuning::EXCHANGED;
use std::collections::BTreeMap;

/// Exchanges force between the corners of these sides where pressures alternate. The sum stays.
pub(super) fn even_out(sides: &[[usize; 2]], sums: &mut [End]) {
    let mut neighbours: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &[a, b] in sides {
        neighbours.entry(a).or_default().push(b);
        neighbours.entry(b).or_default().push(a);
    }

    // Second differences at corners between two others.
    let pressure = |corner: usize| sums[corner].force / sums[corner].length;
    let bend = |corner: usize| match neighbours.get(&corner)?[..] {
        [a, b] => Some(pressure(a) + pressure(b) - 2.0 * pressure(corner)),
        _ => None,
    };
    let alternates = |a: usize, b: usize| {
        let signs = bend(a).zip(bend(b));
        signs.is_some_and(|(first, second)| first * second < 0.0)
    };

    // At an end the next two corners tell.
    let next = |end: usize, corner: usize| {
        let others = neighbours.get(&corner)?.iter();
        others.copied().find(|&other| other != end)
    };
    let at_end = |end: usize, corner: usize| {
        bend(end).is_none() && next(end, corner).is_some_and(|other| alternates(corner, other))
    };
    let mut exchanged = Vec::new();
    for &[a, b] in sides {
        // An end has half of a side only.
        let ends = [at_end(a, b), at_end(b, a)];
        let [own, other] = [(a, ends[0]), (b, ends[1])].map(|(corner, is_end)| {
            let share = if is_end { 2.0 } else { 1.0 };
            share * sums[corner].length
        });
        let length = own.min(other);
        if length > 0.0 && (alternates(a, b) || ends.contains(&true)) {
            exchanged.push((a, b, EXCHANGED * length * (pressure(b) - pressure(a))));
        }
    }
    for (a, b, force) in exchanged {
        sums[a].force += force;
        sums[b].force -= force;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pressures after an exchange, of corners in a row.
    fn evened(pressures: &[f64]) -> Vec<f64> {
        let last = pressures.len() - 1;
        let length = |k: usize| if k == 0 || k == last { 0.5 } else { 1.0 };
        let end = |(k, p): (usize, &f64)| End {
            force: p * length(k),
            length: length(k),
            is_reached: true,
        };
        let mut sums: Vec<End> = pressures.iter().enumerate().map(end).collect();
        let before: f64 = sums.iter().map(|sum| sum.force).sum();
        let sides: Vec<[usize; 2]> = (0..last).map(|k| [k, k + 1]).collect();
        even_out(&sides, &mut sums);
        let after: f64 = sums.iter().map(|sum| sum.force).sum();
        assert!((after / before - 1.0).abs() < 1e-15);
        sums.iter().map(|sum| sum.force / sum.length).collect()
    }

    #[test]
    fn alternating_pressures_become_even_and_smooth_ones_stay() {
        let even = evened(&[1.02, 0.98, 1.02, 0.98, 1.02]);
        assert!(even.iter().all(|p| (p - 1.0).abs() < 1e-12), "{even:?}");
        let parabola = [0.0, 3.0, 4.0, 3.0, 0.0];
        assert_eq!(evened(&parabola), parabola);
        assert_eq!(evened(&[1.0, 2.0]), [1.0, 2.0]);
    }
}
