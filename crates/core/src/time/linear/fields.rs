//! Sums over fields of nodes.
//!
//! Fields are lists of vectors, one for each node; parts name few nodes with a vector for each.
//! All sums go in the order of the list, so that results do not depend on threads.

use ipcsim_math::Vec2;

/// Keeps the fixed components, or all others.
///
/// `keep` is true to keep the fixed ones. The others become 0.
pub(super) fn mask(vector: &mut Vec2, fixed: [bool; 2], keep: bool) {
    if fixed[0] != keep {
        vector.x = 0.0;
    }
    if fixed[1] != keep {
        vector.y = 0.0;
    }
}

/// Sum of products with parts by nodes.
///
/// A node may occur several times.
pub(super) fn along(by: &[(usize, Vec2)], q: &[Vec2]) -> f64 {
    by.iter().map(|(node, by)| by.dot(&q[*node])).sum()
}

/// Sum of products with parts for these nodes; 0 without parts.
pub(super) fn along_nodes(nodes: &[usize], by: &[Vec2], q: &[Vec2]) -> f64 {
    nodes
        .iter()
        .zip(by)
        .map(|(&node, by)| by.dot(&q[node]))
        .sum()
}

/// Adds a multiple of parts for these nodes.
pub(super) fn add_nodes(nodes: &[usize], factor: f64, by: &[Vec2], out: &mut [Vec2]) {
    for (&node, by) in nodes.iter().zip(by) {
        out[node] += by * factor;
    }
}

/// Adds a multiple of a field.
pub(super) fn add(out: &mut [Vec2], factor: f64, other: &[Vec2]) {
    for (out, other) in out.iter_mut().zip(other) {
        *out += other * factor;
    }
}

/// Numbers of a field, then others.
pub(super) fn flat(field: &[Vec2], others: &[f64]) -> Vec<f64> {
    let mut numbers = Vec::with_capacity(2 * field.len() + others.len());
    for v in field {
        numbers.extend_from_slice(&[v.x, v.y]);
    }
    numbers.extend_from_slice(others);
    numbers
}

/// Field of these numbers.
pub(super) fn unflat(numbers: &[f64]) -> Vec<Vec2> {
    numbers
        .chunks_exact(2)
        .map(|v| Vec2::new(v[0], v[1]))
        .collect()
}
