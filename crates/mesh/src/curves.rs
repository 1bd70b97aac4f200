//! Curves that directed edges form.

/// Vertices of the curves that directed edges form, in order: open curves first, which begin where
/// no edge ends, then closed ones, which begin at their smallest vertex.
///
/// A vertex at which several curves meet may join them differently.
pub fn curves(edges: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut sorted = edges.to_vec();
    sorted.sort_unstable();
    let mut ends: Vec<usize> = edges.iter().map(|edge| edge[1]).collect();
    ends.sort_unstable();
    let mut used = vec![false; sorted.len()];
    let mut curves = Vec::new();

    // Open curves first; the rest is closed.
    for is_open in [true, false] {
        for start in 0..sorted.len() {
            if used[start] || is_open && ends.binary_search(&sorted[start][0]).is_ok() {
                continue;
            }
            let mut curve = vec![sorted[start][0]];
            let mut next = Some(start);
            while let Some(edge) = next {
                used[edge] = true;
                let to = sorted[edge][1];
                if to == curve[0] {
                    break;
                }
                curve.push(to);
                let first = sorted.partition_point(|[vertex, _]| *vertex < to);
                next = (first..sorted.len())
                    .take_while(|&k| sorted[k][0] == to)
                    .find(|&k| !used[k]);
            }
            curves.push(curve);
        }
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_followed_from_their_first_vertex() {
        let closed = [[2, 0], [0, 1], [1, 2]];
        assert_eq!(curves(&closed), [vec![0, 1, 2]]);
        let open = [[7, 3], [5, 7], [3, 4]];
        assert_eq!(curves(&open), [vec![5, 7, 3, 4]]);
        assert!(curves(&[]).is_empty());
    }

    #[test]
    fn several_closed_curves_are_kept_apart() {
        let edges = [[4, 6], [1, 2], [5, 4], [0, 1], [6, 5], [2, 0]];
        assert_eq!(curves(&edges), [vec![0, 1, 2], vec![4, 6, 5]]);

        // Two triangles that share a vertex.
        let joined = curves(&[[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2]]);
        assert_eq!(joined.concat().len(), 6);
    }
}
