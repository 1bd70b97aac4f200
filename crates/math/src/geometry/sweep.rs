//! Pairs of boxes that overlap, by a sweep along x.
//!
//! For the checks of a scene this is enough, since it is done once. Contact has faster methods,
//! which use threads and the results of the step before.

use super::Aabb;
use crate::sort::sort_by;

/// Numbers of all pairs of boxes that overlap or touch, the smaller first, sorted.
///
/// Boxes that are empty overlap nothing. Boxes are met in the order of their left sides; each is
/// compared with all boxes that have not ended. For the outline of a body this is near to linear.
pub fn pairs(boxes: &[Aabb]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    sort_by(&mut order, |&a, &b| {
        boxes[a].min.x.total_cmp(&boxes[b].min.x)
    });

    let mut pairs = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for k in order {
        open.retain(|&other| boxes[other].max.x >= boxes[k].min.x);
        for &other in &open {
            if boxes[other].overlaps(&boxes[k]) {
                pairs.push((k.min(other), k.max(other)));
            }
        }
        open.push(k);
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec2;

    #[test]
    fn pairs_are_those_of_all_comparisons() {
        let corner = |k: usize| Vec2::new((k * 37 % 101) as f64, (k * 53 % 97) as f64);
        let boxes: Vec<Aabb> = (0..120)
            .map(|k| Aabb::around([corner(k), corner(k) + Vec2::new((k % 13) as f64, 9.0)]))
            .collect();
        let mut expected = Vec::new();
        for i in 0..boxes.len() {
            for j in i + 1..boxes.len() {
                if boxes[i].overlaps(&boxes[j]) {
                    expected.push((i, j));
                }
            }
        }
        assert_eq!(pairs(&boxes), expected);
        assert!(expected.len() > 20);
    }
}
