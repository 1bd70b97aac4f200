use super::*;
use crate::{Mesh, generate};
use ipcsim_math::{Vec2, cross};
use nalgebra::{DMatrix, SymmetricEigen};

/// The unit square with `n` x `n` cells, whose diagonals are all parallel.
fn uniform(n: usize) -> Mesh {
    let mut mesh = generate::rectangle([1.0, 1.0], [n, n]);
    mesh.triangles.clear();
    for i in 0..n {
        for j in 0..n {
            let a = i * (n + 1) + j;
            let [b, c, d] = [a + n + 1, a + n + 2, a + 1];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

/// Smallest constant of the condition of Babuska and Brezzi for patches of a mesh that is held on its
/// boundary: `min_p max_v (p, div v) / (|p| |grad v|)` over pressures `p` of mean 0.
///
/// Its square is the second smallest eigenvalue of `M^(-1/2) B K^(-1) B^T M^(-1/2)`, with the stiffness
/// `K` of the Laplacian and the derivatives `B` of the areas `M` of patches.
fn stability(mesh: &Mesh) -> f64 {
    let outer: BTreeSet<usize> = boundary::edges(&mesh.triangles)
        .into_iter()
        .flatten()
        .collect();
    let inner: Vec<usize> = (0..mesh.vertices.len())
        .filter(|i| !outer.contains(i))
        .collect();
    let column: BTreeMap<usize, usize> = inner.iter().copied().zip(0..).collect();

    let mut k = DMatrix::<f64>::zeros(inner.len(), inner.len());
    for triangle in &mesh.triangles {
        let x = triangle.map(|i| mesh.vertices[i]);
        let area = 0.5 * cross(x[1] - x[0], x[2] - x[0]);
        let opposite = [x[2] - x[1], x[0] - x[2], x[1] - x[0]];
        for (a, row) in triangle.iter().enumerate() {
            for (b, other) in triangle.iter().enumerate() {
                if let (Some(&row), Some(&other)) = (column.get(row), column.get(other)) {
                    k[(row, other)] += opposite[a].dot(&opposite[b]) / (4.0 * area);
                }
            }
        }
    }
    let inverse = k.try_inverse().unwrap();

    let patches = patches(&mesh.triangles, 16);
    let area = |patch: &Patch| patch.triangles.iter().map(|&k| mesh.area(k)).sum::<f64>();
    let mut b = [0, 1].map(|_| DMatrix::<f64>::zeros(patches.len(), inner.len()));
    for (row, patch) in patches.iter().enumerate() {
        let n = patch.ring.len();
        for (i, vertex) in patch.ring.iter().enumerate() {
            let [next, before] = [patch.ring[(i + 1) % n], patch.ring[(i + n - 1) % n]];
            let chord: Vec2 = mesh.vertices[next] - mesh.vertices[before];
            if let Some(&column) = column.get(vertex) {
                let weight = 0.5 / area(patch).sqrt();
                b[0][(row, column)] += chord.y * weight;
                b[1][(row, column)] -= chord.x * weight;
            }
        }
    }
    let schur = &b[0] * &inverse * b[0].transpose() + &b[1] * &inverse * b[1].transpose();
    let mut values: Vec<f64> = SymmetricEigen::new(schur)
        .eigenvalues
        .iter()
        .copied()
        .collect();
    values.sort_by(f64::total_cmp);
    assert!(values[0].abs() < 1e-12, "a constant pressure does nothing");
    values[1].sqrt()
}

/// Checks that patches cover every triangle once, and that each is a disk of the same area.
fn check(mesh: &Mesh, most: usize) -> Vec<Patch> {
    let found = patches(&mesh.triangles, most);
    let mut all: Vec<usize> = found
        .iter()
        .flat_map(|patch| patch.triangles.clone())
        .collect();
    all.sort_unstable();
    assert_eq!(all, (0..mesh.triangles.len()).collect::<Vec<_>>());
    for patch in &found {
        assert!((3..=most).contains(&patch.ring.len()), "{patch:?}");
        let next = patch.ring.iter().cycle().skip(1);
        let pairs = patch.ring.iter().zip(next);
        let twice: f64 = pairs
            .map(|(&a, &b)| cross(mesh.vertices[a], mesh.vertices[b]))
            .sum();
        let area: f64 = patch.triangles.iter().map(|&k| mesh.area(k)).sum();
        assert!((0.5 * twice - area).abs() < 1e-15 && area > 0.0);
    }
    found
}

#[test]
fn a_rectangle_is_tiled_by_squares_of_four_cells_where_diagonals_alternate() {
    let mesh = generate::rectangle([1.0, 1.0], [8, 6]);
    let found = check(&mesh, 16);
    assert_eq!(found.len(), 12);
    assert!(
        found
            .iter()
            .all(|patch| patch.triangles.len() == 8 && patch.ring.len() == 8)
    );
}

#[test]
fn uniform_diagonals_are_tiled_by_hexagons_inside() {
    let found = check(&uniform(12), 16);
    let hexagons = found.iter().filter(|patch| patch.ring.len() == 6);
    assert!(2 * hexagons.count() > found.len(), "{}", found.len());
    assert!((36..64).contains(&found.len()), "{}", found.len());
}

#[test]
fn small_and_thin_meshes_are_covered_and_outlines_stay_short() {
    for (cells, most) in [
        ([1, 1], 16),
        ([9, 1], 16),
        ([5, 2], 5),
        ([4, 4], 6),
        ([3, 3], 3),
    ] {
        check(&generate::rectangle([1.0, 0.4], cells), most);
    }
    check(&generate::disk(1.0, 4), 16);
    check(&generate::regular_polygon(1.0, 5, 4), 16);
    assert!(patches(&[], 16).is_empty());
}

#[test]
fn pressures_of_patches_are_controlled_on_ever_finer_meshes() {
    for n in [6, 10, 14] {
        let own = [
            stability(&generate::rectangle([1.0, 1.0], [n, n])),
            stability(&uniform(n)),
            stability(&generate::disk(1.0, n / 2)),
        ];
        assert!(own.iter().all(|&constant| constant > 0.4), "{n}: {own:?}");
    }
}
