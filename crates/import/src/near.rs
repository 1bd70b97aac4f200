//! Points that are one because they are near.
//!
//! Points are sorted along a direction that is not along the rows of any grid, so that few have the same
//! place along it. Points that are near in the plane are near along the line, too, so that only
//! neighbours are compared. Chains are joined by a forest whose roots are their smallest points.

use ipcsim_math::Vec2;
use std::collections::{BTreeMap, BTreeSet};

/// Direction along which points are sorted, of length 1. Rows and columns of grids have different
/// places along it.
/// Its slope is the golden ratio, which fractions of small numbers approach worst.
const ALONG: [f64; 2] = [0.525_731_112_119_133_6, 0.850_650_808_352_039_9];

/// New number of each point that is used, where near ones have the same, and how many there are.
///
/// Points keep their order. A chain of points, each near to the next, becomes the point with the
/// smallest number in it.
///
/// `tolerance` is a distance in units of `x`, and 0 joins equal points only. The time grows with the
/// number of points in a strip of that width.
pub(crate) fn merged(
    x: &[Vec2],
    used: &BTreeSet<usize>,
    tolerance: f64,
) -> (BTreeMap<usize, usize>, usize) {
    // Near ones are neighbours along any direction.
    let mut order: Vec<(f64, usize)> = used
        .iter()
        .map(|&i| (x[i].dot(&Vec2::from(ALONG)), i))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));

    // Of each point a smaller one that it is joined to, or itself.
    let mut smaller: Vec<usize> = (0..x.len()).collect();
    for (k, &(place, i)) in order.iter().enumerate() {
        let behind = order[k + 1..].iter();
        for &(_, j) in behind.take_while(|(other, _)| other - place <= tolerance) {
            if (x[i] - x[j]).norm() <= tolerance {
                let [a, b] = [i, j].map(|n| least(&mut smaller, n));
                smaller[a.max(b)] = a.min(b);
            }
        }
    }

    // New numbers in the order of the points.
    let mut numbers = BTreeMap::new();
    let mut count = 0;
    for &i in used {
        let head = least(&mut smaller, i);
        if head == i {
            numbers.insert(i, count);
            count += 1;
        } else {
            // The head of a chain is smaller than its other points, so that it has its number.
            let number = numbers[&head];
            numbers.insert(i, number);
        }
    }
    (numbers, count)
}

/// Smallest point that a point is joined to.
fn least(smaller: &mut [usize], point: usize) -> usize {
    let mut point = point;
    while smaller[point] != point {
        // Paths become shorter as they are followed.
        smaller[point] = smaller[smaller[point]];
        point = smaller[point];
    }
    point
}
