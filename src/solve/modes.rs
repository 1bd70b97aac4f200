//! Modes of vibration.

use crate::body::basis::Fields;
use crate::energy::{Curvature, Energy};
use crate::math::{Mat2, Vec2};
use crate::sparse::{BlockMatrix, Cholesky, LinearSolver, fill_reducing};
use nalgebra::{DMatrix, DVector};

/// Fields that are iterated beyond those that are wanted.
const GUARDS: usize = 8;
/// Most iterations.
const ITERATIONS: usize = 200;
/// Relative change of the squared frequencies at which they have converged.
const CONVERGED: f64 = 1e-12;
/// Shift of the stiffness, which makes it positive definite, relative to the mean stiffness over mass.
const SHIFT: f64 = 1e-6;

/// The `count` softest modes of `energies` at `x`, `K phi = omega^2 M phi`, softest first, by subspace iteration with
/// `(K + s M)^-1 M`. `None` if `count` is more than there are, or if memory does not suffice.
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
    let block = (count + GUARDS).min(n);
    let roots = DVector::from_fn(n, |i, _| mass[i / 2].sqrt());
    // Any start will do that has a share of every mode; this one is the same on every machine.
    let mut fields = DMatrix::from_fn(n, block, |i, j| {
        ((i * block + j) as f64 * 0.754_877).fract() - 0.5
    });
    let mut before = vec![f64::INFINITY; count];
    for _ in 0..ITERATIONS {
        let mut next = DMatrix::from_fn(n, block, |i, j| mass[i / 2] * fields[(i, j)]);
        for mut column in next.column_iter_mut() {
            let mut permuted = system.permuted(column.as_slice());
            system.cholesky.solve(&mut permuted);
            column.copy_from_slice(&system.restored(&permuted));
        }
        let (values, rotated) = rayleigh_ritz(&next, &roots, &system);
        fields = rotated;
        let scale = values[count - 1].abs().max(f64::MIN_POSITIVE);
        let change = before
            .iter()
            .zip(&values)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        before = values;
        before.truncate(count);
        if change <= CONVERGED * scale {
            break;
        }
    }
    let field = |j: usize| {
        (0..x.len())
            .map(|i| Vec2::new(fields[(2 * i, j)], fields[(2 * i + 1, j)]))
            .collect()
    };
    Some((0..count).map(field).collect())
}

/// The best approximations of modes among the sums of `fields`: squared frequencies, ascending, and the modes.
fn rayleigh_ritz(
    fields: &DMatrix<f64>,
    roots: &DVector<f64>,
    k: &Stiffness,
) -> (Vec<f64>, DMatrix<f64>) {
    let scaled = |fields: DMatrix<f64>, by: &dyn Fn(f64, f64) -> f64| {
        DMatrix::from_fn(fields.nrows(), fields.ncols(), |i, j| {
            by(fields[(i, j)], roots[i])
        })
    };
    // Orthogonal columns from columns that are nearly parallel: rigid motions outgrow all others by far.
    let basis = scaled(
        scaled(fields.clone(), &|f, root| f * root).qr().q(),
        &|f, root| f / root,
    );
    let reduced = basis.transpose() * k.times(&basis);
    let eigen = (0.5 * (&reduced + reduced.transpose())).symmetric_eigen();
    let mut order: Vec<usize> = (0..fields.ncols()).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
    let rotation = DMatrix::from_columns(
        &order
            .iter()
            .map(|&j| eigen.eigenvectors.column(j))
            .collect::<Vec<_>>(),
    );
    (
        order.iter().map(|&j| eigen.eigenvalues[j]).collect(),
        basis * rotation,
    )
}

/// The stiffness `K` by blocks, and a factorisation of `K + s M`.
struct Stiffness {
    blocks: Vec<([usize; 2], Mat2)>,
    position: Vec<usize>,
    cholesky: Cholesky,
}

impl Stiffness {
    fn new(energies: &[Box<dyn Energy>], x: &[Vec2], mass: &[f64]) -> Option<Self> {
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
            // The pattern was made of these pairs.
            let _stored = matrix.add(position[*a], position[*b], block);
        }
        let trace: f64 = (0..x.len()).map(|i| matrix.diagonal(i).trace()).sum();
        let shift = SHIFT * 0.5 * trace / mass.iter().sum::<f64>();
        for (i, m) in mass.iter().enumerate() {
            let _stored = matrix.add(
                position[i],
                position[i],
                &Mat2::from_diagonal_element(shift * m),
            );
        }
        let mut cholesky = Cholesky::analyse(&matrix, LinearSolver::default())?;
        cholesky.factorise(&matrix).ok()?;
        Some(Self {
            blocks,
            position,
            cholesky,
        })
    }

    fn permuted(&self, field: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; field.len()];
        for (i, &row) in self.position.iter().enumerate() {
            out[2 * row..2 * row + 2].copy_from_slice(&field[2 * i..2 * i + 2]);
        }
        out
    }

    fn restored(&self, field: &[f64]) -> Vec<f64> {
        self.position
            .iter()
            .flat_map(|&row| [field[2 * row], field[2 * row + 1]])
            .collect()
    }

    /// `K` times each field.
    fn times(&self, fields: &DMatrix<f64>) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(fields.nrows(), fields.ncols());
        for &([a, b], block) in &self.blocks {
            for j in 0..fields.ncols() {
                let at = |i: usize| Vec2::new(fields[(2 * i, j)], fields[(2 * i + 1, j)]);
                let (of_a, of_b) = (block * at(b), block.transpose() * at(a));
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
    use crate::energy::{Spring, Summed};

    #[test]
    fn a_chain_vibrates_at_the_frequencies_of_its_closed_form() {
        // Longitudinal modes of n equal masses on a free line of springs: omega_j = 2 sqrt(k/m) sin(j pi / 2n). Across the
        // line springs at rest have no stiffness: n modes at 0, and one more along it.
        let n = 40;
        let x: Vec<Vec2> = (0..n).map(|i| Vec2::new(i as f64, 0.0)).collect();
        let mut springs = Summed::default();
        (1..n).for_each(|i| {
            springs.push(
                [i - 1, i],
                Spring {
                    stiffness: 3.0,
                    rest_squared: 1.0,
                },
            );
        });
        // The spring's second derivative along its axis at rest is 4 k.
        let (stiffness, mass) = (12.0, 0.5);
        let energies: Vec<Box<dyn Energy>> = vec![Box::new(springs)];
        let modes = softest_modes(&energies, &x, &vec![mass; n], n + 6).unwrap();
        for (j, mode) in modes.iter().enumerate().skip(n) {
            let energy = |i: usize| {
                0.5 * stiffness * (mode[i + 1].x - mode[i].x) * (mode[i + 1].x - mode[i].x)
            };
            let found = 2.0 * (0..n - 1).map(energy).sum::<f64>();
            let sine = ((j - n) as f64 * std::f64::consts::PI / (2 * n) as f64).sin();
            let expected = 4.0 * stiffness / mass * sine * sine;
            assert!(
                (found - expected).abs() < 1e-6 * expected + 1e-9,
                "{j}: {found} {expected}"
            );
        }
        assert!(softest_modes(&energies, &x, &vec![mass; n], 2 * n + 1).is_none());
    }
}
