//! Solutions of unsymmetric systems by generalised minimal residuals, with a preconditioner (Saad and
//! Schultz 1986, "GMRES: a generalized minimal residual algorithm for solving nonsymmetric linear
//! systems").
//!
//! All sums run in a fixed order, so a solution has the same bits on any number of threads.

/// Largest number of directions before a restart.
const DIRECTIONS: usize = 60;
/// Largest number of restarts. Each one begins with the residual as it is, so that rounding of the
/// directions does not bound the accuracy.
const RESTARTS: usize = 6;

/// A linear system with an approximate inverse.
pub trait LinearSystem {
    /// Product of the matrix with a vector.
    fn times(&mut self, x: &[f64]) -> Vec<f64>;

    /// Product of the approximate inverse with a vector.
    fn solve(&mut self, b: &[f64]) -> Vec<f64>;
}

/// Solution of a system, and how well it solves it.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The solution.
    pub x: Vec<f64>,
    /// Length of what the approximate inverse makes of the residual, relative to what it makes of the
    /// right side.
    pub residual: f64,
    /// Number of products with the matrix.
    pub products: usize,
}

/// Solves `A x = b` to a residual, relative to the right side, in the metric of the approximate inverse. It
/// starts with the solution by this inverse, which is exact where the inverse is.
pub fn gmres(system: &mut impl LinearSystem, b: &[f64], tolerance: f64) -> Solution {
    let mut solution = Solution {
        x: vec![0.0; b.len()],
        residual: 0.0,
        products: 0,
    };
    let mut way = system.solve(b);
    let whole = norm(&way);
    if whole == 0.0 {
        return solution;
    }
    solution.residual = 1.0;
    for _ in 0..RESTARTS {
        let mut next = solution.x.clone();
        add(&mut next, 1.0, &way);
        let product = system.times(&next);
        solution.products += 1;
        let missing: Vec<f64> = b.iter().zip(&product).map(|(b, p)| b - p).collect();
        let rest = system.solve(&missing);
        let residual = norm(&rest) / whole;

        // Rounding is reached where nothing is gained. An inverse that is far off helps in cycles only.
        if residual.is_nan() || residual >= solution.residual {
            if solution.products > 1 {
                break;
            }
            way = cycle(
                system,
                &way,
                0.5 * tolerance * whole,
                &mut solution.products,
            );
            continue;
        }
        solution.x = next;
        solution.residual = residual;
        if residual <= tolerance {
            break;
        }
        way = cycle(
            system,
            &rest,
            0.5 * tolerance * whole,
            &mut solution.products,
        );
    }
    solution
}

/// Displacement from a preconditioned residual that reduces it to a length.
fn cycle(
    system: &mut impl LinearSystem,
    rest: &[f64],
    length: f64,
    products: &mut usize,
) -> Vec<f64> {
    let first = norm(rest);
    let mut basis = vec![scaled(rest, 1.0 / first)];
    // Columns of the triangular factor, rotations, and the rotated right side.
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut rotations: Vec<[f64; 2]> = Vec::new();
    let mut right = vec![first];
    for k in 0..DIRECTIONS {
        let product = system.times(&basis[k]);
        *products += 1;
        let mut next = system.solve(&product);
        let mut column = vec![0.0; k + 1];
        for _ in 0..2 {
            for (entry, base) in column.iter_mut().zip(&basis) {
                let part = dot(base, &next);
                *entry += part;
                add(&mut next, -part, base);
            }
        }
        let last = norm(&next);
        for (j, [c, s]) in rotations.iter().enumerate() {
            let (upper, lower) = (column[j], column[j + 1]);
            column[j] = c * upper + s * lower;
            column[j + 1] = c * lower - s * upper;
        }
        let length_of_column = (column[k] * column[k] + last * last).sqrt();
        if length_of_column == 0.0 || !length_of_column.is_finite() {
            break;
        }
        let [c, s] = [column[k] / length_of_column, last / length_of_column];
        column[k] = length_of_column;
        rotations.push([c, s]);
        columns.push(column);
        right.push(-s * right[k]);
        right[k] *= c;
        if right[k + 1].abs() <= length || last <= 1e-15 * length_of_column {
            break;
        }
        basis.push(scaled(&next, 1.0 / last));
    }

    // Back substitution.
    let mut x = vec![0.0; rest.len()];
    let mut weights = right;
    for k in (0..columns.len()).rev() {
        weights[k] /= columns[k][k];
        let weight = weights[k];
        for j in 0..k {
            weights[j] -= columns[k][j] * weight;
        }
        add(&mut x, weight, &basis[k]);
    }
    x
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Product of two vectors, in eight sums next to each other: one sum would wait for each addition.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let [mut parts, mut left] = [[0.0; 8]; 2];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    for ((left, a), b) in left.iter_mut().zip(a.remainder()).zip(b.remainder()) {
        *left = a * b;
    }
    for (a, b) in a.zip(b) {
        for ((part, a), b) in parts.iter_mut().zip(a).zip(b) {
            *part += a * b;
        }
    }
    parts.iter().zip(left).map(|(part, left)| part + left).sum()
}

fn scaled(a: &[f64], factor: f64) -> Vec<f64> {
    a.iter().map(|a| a * factor).collect()
}

fn add(a: &mut [f64], factor: f64, b: &[f64]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += factor * b;
    }
}
