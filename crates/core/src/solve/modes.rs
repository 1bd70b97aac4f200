//! Softest modes of vibration, `K phi = omega^2 M phi`, by subspace iteration.
//!
//! `K` is the stiffness of some energies at given positions, `M` the mass of the vertices. A block
//! of fields is multiplied by `(K + s M)^-1 M` again and again, which favours the softest modes;
//! after each product the best approximations within the block are found (Rayleigh and Ritz). The
//! shift `s` makes the matrix positive definite although rigid motions have no stiffness, and
//! leaves the modes as they are. A few more fields than wanted modes are iterated, since the last
//! ones converge slowly.
//!
//! Reduced bodies take their basis from these modes, once, before a simulation starts.

use crate::body::basis::Fields;
use crate::tuning::{MODES_CONVERGED, MODES_GUARDS, MODES_MOST_ITERATIONS, MODES_SHIFT};
use ipcsim_energy::{Curvature, Energy};
use ipcsim_math::sort::sort_by;
use ipcsim_math::{Mat2, Vec2};
use ipcsim_sparse::{BlockMatrix, Cholesky, LinearSolver, fill_reducing};
use nalgebra::{DMatrix, DVector};

/// The `count` softest modes of `energies` at positions `x` (m), `K phi = omega^2 M phi`, softest
/// first. `mass` is the mass of each vertex (kg).
///
/// Fields are orthogonal in the metric of the mass. `None` if `count` exceeds the number of
/// unknowns, or if memory does not suffice.
pub fn softest_modes(
    energies: &[Box<dyn Energy>],
    x: &[Vec2],
    mass: &[f64],
    count: usize,
) -> Option<Fields> {
    let n = 2 * x.len();
    if count > n {
        return None;
    }
    let mut system = Stiffness::new(energies, x, mass)?;
    let block = (count + MODES_GUARDS).min(n);
    let roots = DVector::from_fn(n, |i, _| mass[i / 2].sqrt());

    // Any start with a share of every mode will do; this one is the same on every machine.
    let mut fields = DMatrix::from_fn(n, block, |i, j| {
        ((i * block + j) as f64 * 0.754_877).fract() - 0.5
    });

    let mut before = vec![f64::INFINITY; count];
    for _ in 0..MODES_MOST_ITERATIONS {
        // Inverse iteration: (K + s M)^-1 M of each field.
        let mut next = DMatrix::from_fn(n, block, |i, j| mass[i / 2] * fields[(i, j)]);
        for mut column in next.column_iter_mut() {
            let mut permuted = system.permuted(column.as_slice());
            system.cholesky.solve(&mut permuted);
            column.copy_from_slice(&system.restored(&permuted));
        }

        // Modes within the block, until their frequencies stay.
        let found = rayleigh_ritz(&next, &roots, &system);
        fields = found.fields;
        let scale = found.values[count - 1].abs().max(f64::MIN_POSITIVE);
        let pairs = before.iter().zip(&found.values);
        let change = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        before = found.values;
        before.truncate(count);
        if change <= MODES_CONVERGED * scale {
            break;
        }
    }

    let columns = fields.column_iter().take(count);
    let modes = columns.map(|mode| {
        let vertices = (0..x.len()).map(|i| Vec2::new(mode[2 * i], mode[2 * i + 1]));
        vertices.collect()
    });
    Some(modes.collect())
}

/// Approximations of modes, softest first.
struct Modes {
    /// Squared frequencies, ascending (1/s^2).
    values: Vec<f64>,
    /// Displacements, a column for each mode, `[2 vertices, modes]`.
    fields: DMatrix<f64>,
}

/// Best approximations of modes among the sums of `fields` (Rayleigh and Ritz).
///
/// `roots` are the square roots of the masses, `[2 vertices]`. In a basis `B` with `B^T M B = I`
/// the modes are eigenvectors of the small matrix `B^T K B`.
fn rayleigh_ritz(fields: &DMatrix<f64>, roots: &DVector<f64>, k: &Stiffness) -> Modes {
    // Orthogonal columns first: rigid motions outgrow all others and make them nearly parallel.
    let mut weighted = fields.clone();
    for mut column in weighted.column_iter_mut() {
        column.component_mul_assign(roots);
    }
    let mut basis = weighted.qr().q();
    for mut column in basis.column_iter_mut() {
        column.component_div_assign(roots);
    }

    // Eigenvectors of the stiffness within the basis, softest first.
    let reduced = times(&basis.transpose(), &k.times(&basis));
    let eigen = (0.5 * (&reduced + reduced.transpose())).symmetric_eigen();
    let mut order: Vec<usize> = (0..fields.ncols()).collect();
    sort_by(&mut order, |&a, &b| {
        eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b])
    });
    let vectors: Vec<_> = order
        .iter()
        .map(|&j| eigen.eigenvectors.column(j))
        .collect();
    Modes {
        values: order.iter().map(|&j| eigen.eigenvalues[j]).collect(),
        fields: times(&basis, &DMatrix::from_columns(&vectors)),
    }
}

/// Product of two matrices, column by column. That of nalgebra looks for fused products when it runs,
/// and has other bits on other processors.
fn times(left: &DMatrix<f64>, right: &DMatrix<f64>) -> DMatrix<f64> {
    let mut product = DMatrix::zeros(left.nrows(), right.ncols());
    for (mut column, by) in product.column_iter_mut().zip(right.column_iter()) {
        column.gemv(1.0, left, &by, 0.0);
    }
    product
}

/// Stiffness `K` by blocks, and a factorisation of `K + s M`.
struct Stiffness {
    /// Pairs of vertices and their blocks; of two transposed blocks only one.
    blocks: Vec<([usize; 2], Mat2)>,
    /// Row of each vertex in the factorised matrix.
    position: Vec<usize>,
    /// Factorisation of `K + s M` in the order of `position`.
    cholesky: Cholesky,
}

impl Stiffness {
    /// Stiffness of `energies` at positions `x` (m), for vertices with these masses (kg). `None` if
    /// memory does not suffice.
    fn new(energies: &[Box<dyn Energy>], x: &[Vec2], mass: &[f64]) -> Option<Self> {
        // Blocks of all energies.
        let mut blocks = Vec::new();
        for energy in energies {
            let mut values = vec![Mat2::zeros(); energy.block_count()];
            energy.hessian(
                0..energy.element_count(),
                x,
                1.0,
                Curvature::Projected,
                &mut values,
            );
            blocks.extend(energy.blocks().into_iter().zip(values));
        }

        // Matrix in a fill-reducing order; its pattern is made of the same pairs.
        let mut pairs: Vec<[usize; 2]> = blocks
            .iter()
            .map(|(pair, _)| *pair)
            .filter(|[a, b]| a != b)
            .collect();
        let position = fill_reducing(x.len(), &pairs);
        for pair in &mut pairs {
            *pair = pair.map(|i| position[i]);
        }
        let mut matrix = BlockMatrix::new(x.len(), &mut pairs);
        for ([a, b], block) in &blocks {
            let _stored = matrix.add(position[*a], position[*b], block);
        }

        // Shift by a multiple of the mass.
        let trace: f64 = (0..x.len()).map(|i| matrix.diagonal(i).trace()).sum();
        let shift = MODES_SHIFT * 0.5 * trace / mass.iter().sum::<f64>();
        for (i, m) in mass.iter().enumerate() {
            matrix.add_diagonal(position[i], &Vec2::repeat(shift * m));
        }

        let mut cholesky = Cholesky::analyse(&matrix, LinearSolver::default())?;
        cholesky.factorise(&matrix).ok()?;
        Some(Self {
            blocks,
            position,
            cholesky,
        })
    }

    /// Field by rows of the factorised matrix, `[2 vertices]`.
    fn permuted(&self, field: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; field.len()];
        for (i, &row) in self.position.iter().enumerate() {
            out[2 * row..2 * row + 2].copy_from_slice(&field[2 * i..2 * i + 2]);
        }
        out
    }

    /// Field by vertices, `[2 vertices]`, from one by rows.
    fn restored(&self, field: &[f64]) -> Vec<f64> {
        self.position
            .iter()
            .flat_map(|&row| [field[2 * row], field[2 * row + 1]])
            .collect()
    }

    /// Product of `K` and each field, a column for each.
    fn times(&self, fields: &DMatrix<f64>) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(fields.nrows(), fields.ncols());
        for &([a, b], block) in &self.blocks {
            for (j, field) in fields.column_iter().enumerate() {
                let of_a = block * Vec2::new(field[2 * b], field[2 * b + 1]);
                let of_b = block.transpose() * Vec2::new(field[2 * a], field[2 * a + 1]);

                // A block off the diagonal stands for its transpose, too.
                for axis in 0..2 {
                    out[(2 * a + axis, j)] += of_a[axis];
                    if a != b {
                        out[(2 * b + axis, j)] += of_b[axis];
                    }
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_energy::{Spring, Summed};

    #[test]
    fn a_chain_vibrates_at_the_frequencies_of_its_closed_form() {
        // Longitudinal modes of n equal masses on a free line of springs have
        // omega_j = 2 sqrt(k/m) sin(j pi / 2n). Across the line springs at rest have no stiffness:
        // n modes at 0, and one more along it.
        let n = 40;
        let x: Vec<Vec2> = (0..n).map(|i| Vec2::new(i as f64, 0.0)).collect();
        let mut springs = Summed::default();
        for i in 1..n {
            let spring = Spring {
                stiffness: 3.0,
                rest_squared: 1.0,
            };
            springs.push([i - 1, i], spring);
        }

        // Modes. The spring's second derivative along its axis at rest is 4 k.
        let stiffness = 12.0;
        let mass = 0.5;
        let energies: Vec<Box<dyn Energy>> = vec![Box::new(springs)];
        let modes = softest_modes(&energies, &x, &vec![mass; n], n + 6).unwrap();
        for (j, mode) in modes.iter().enumerate().skip(n) {
            let mut energy = 0.0;
            for i in 0..n - 1 {
                let stretch = mode[i + 1].x - mode[i].x;
                energy += 0.5 * stiffness * stretch * stretch;
            }
            let found = 2.0 * energy;
            let sine = ((j - n) as f64 * std::f64::consts::PI / (2 * n) as f64).sin();
            let expected = 4.0 * stiffness / mass * sine * sine;
            assert!(
                (found - expected).abs() < 1e-6 * expected + 1e-9,
                "{j}: {found} {expected}"
            );
        }
        assert!(softest_modes(&energies, &x, &vec![mass; n], 2 * n + 1).is_none());
    }

    #[test]
    fn two_masses_on_a_spring_vibrate_at_the_frequency_of_their_reduced_mass() {
        // Unequal masses at an angle to the axes; `omega^2 = 4 k (1/m + 1/n)`, and three motions at 0.
        let (stiffness, mass) = (3.0, [0.5, 2.0]);
        let x = [Vec2::zeros(), Vec2::new(0.6, 0.8)];
        let mut springs = Summed::default();
        let spring = Spring {
            stiffness,
            rest_squared: 1.0,
        };
        springs.push([0, 1], spring);
        let energies: Vec<Box<dyn Energy>> = vec![Box::new(springs)];
        let modes = softest_modes(&energies, &x, &mass, 4).unwrap();

        let squared: Vec<f64> = modes
            .iter()
            .map(|mode| {
                let stretch = (mode[1] - mode[0]).dot(&x[1]);
                4.0 * stiffness * stretch * stretch
            })
            .collect();
        let expected = 4.0 * stiffness * (1.0 / mass[0] + 1.0 / mass[1]);
        assert!(
            squared[..3].iter().all(|value| *value < 1e-9),
            "{squared:?}"
        );
        assert!(
            (squared[3] - expected).abs() < 1e-9 * expected,
            "{squared:?} {expected}"
        );

        // Modes are orthogonal in the metric of the mass, and the last one keeps the centre.
        for (i, a) in modes.iter().enumerate() {
            for (j, b) in modes.iter().enumerate() {
                let product: f64 = (0..2).map(|k| mass[k] * a[k].dot(&b[k])).sum();
                assert!(
                    (product - f64::from(u8::from(i == j))).abs() < 1e-9,
                    "{i} {j}"
                );
            }
        }
        assert!((modes[3][0] * mass[0] + modes[3][1] * mass[1]).norm() < 1e-9);
    }

    #[test]
    fn modes_of_a_truss_with_unequal_masses_are_those_of_its_dense_matrix() {
        // A strip of two rows of vertices, which zigzag; masses differ by a factor of up to 40.
        let count = 20;
        let x: Vec<Vec2> = (0..count)
            .map(|i| Vec2::new(0.5 * i as f64, (i % 2) as f64))
            .collect();
        let mass: Vec<f64> = (0..count)
            .map(|i| 0.1 + 2.0 * (1.0 + (i as f64 * 1.7).sin()))
            .collect();
        let mut springs = Summed::default();
        let mut dense = DMatrix::<f64>::zeros(2 * count, 2 * count);
        for (a, b) in (1..count).flat_map(|b| [(b - 1, b), (b.saturating_sub(2), b)]) {
            let d = x[b] - x[a];
            let spring = Spring {
                stiffness: 3.0,
                rest_squared: d.norm_squared(),
            };
            springs.push([a, b], spring);

            // At rest a spring resists along its axis by `4 k`.
            let block = d * d.transpose() * (12.0 / d.norm_squared());
            for (i, j, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                let mut place = dense.fixed_view_mut::<2, 2>(2 * i, 2 * j);
                place += block * sign;
            }
        }
        let weighted = DMatrix::from_fn(2 * count, 2 * count, |i, j| {
            dense[(i, j)] / (mass[i / 2] * mass[j / 2]).sqrt()
        });
        let mut expected: Vec<f64> = weighted.symmetric_eigenvalues().iter().copied().collect();
        expected.sort_by(f64::total_cmp);

        let energies: Vec<Box<dyn Energy>> = vec![Box::new(springs)];
        let modes = softest_modes(&energies, &x, &mass, 8).unwrap();
        for (mode, expected) in modes.iter().zip(expected) {
            let field = DVector::from_iterator(2 * count, mode.iter().flat_map(|v| [v.x, v.y]));
            let found = field.dot(&(&dense * &field));
            assert!(
                (found - expected).abs() < 1e-7 * (0.01 + expected),
                "{found} {expected}"
            );
        }
    }
}
