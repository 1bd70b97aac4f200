//! Rows of a matrix, one after the other: an orthonormal basis of their span, and the sum of earlier
//! rows that equals a row.
//!
//! Gram and Schmidt's method, with each row orthogonalised twice (Golub and Van Loan, "Matrix
//! Computations", section 5.2). Rows have the length 1, so that the rest of a row is the sine of
//! its angle to the span of the others.

use crate::tuning::{REPEATED_PART, REPEATED_SINE};

/// Independent rows, with an orthonormal basis of their span.
#[derive(Default)]
pub(super) struct RowBasis {
    /// The basis.
    axes: Vec<Vec<f64>>,
    /// Components of each independent row along the axes up to its own, a lower triangular matrix.
    lower: Vec<Vec<f64>>,
    /// Numbers of the independent rows.
    pub(super) rows: Vec<usize>,
}

impl RowBasis {
    /// Adds a row of the length 1 with a number. If it depends on the rows before, returns the numbers of
    /// its summands.
    pub(super) fn add(&mut self, number: usize, row: &[f64]) -> Option<Vec<usize>> {
        let mut left = row.to_vec();
        let along = self.take_out(&mut left);
        let length = product(&left, &left).sqrt();
        if length < REPEATED_SINE {
            return Some(self.parts(along));
        }

        for value in &mut left {
            *value /= length;
        }
        let mut own = along;
        own.push(length);
        self.axes.push(left);
        self.lower.push(own);
        self.rows.push(number);
        None
    }

    /// Takes the part in the span out of a vector, and returns its components along the axes.
    pub(super) fn take_out(&self, vector: &mut [f64]) -> Vec<f64> {
        let mut along = vec![0.0; self.axes.len()];
        for _ in 0..2 {
            for (sum, axis) in along.iter_mut().zip(&self.axes) {
                let part = product(axis, vector);
                *sum += part;
                subtract(vector, part, axis);
            }
        }
        along
    }

    /// Shortest vector whose products with the independent rows have these `values`, one for each of
    /// them.
    pub(super) fn shortest(&self, values: &[f64], columns: usize) -> Vec<f64> {
        let mut along: Vec<f64> = Vec::with_capacity(values.len());
        let mut vector = vec![0.0; columns];
        for ((value, own), axis) in values.iter().zip(&self.lower).zip(&self.axes) {
            let (earlier, diagonal) = own.split_at(along.len());
            let rest = value - product(earlier, &along);
            let part = rest / diagonal[0];
            subtract(&mut vector, -part, axis);
            along.push(part);
        }
        vector
    }

    /// Numbers of the rows that a vector with these components `along` the axes is a sum of.
    fn parts(&self, along: Vec<f64>) -> Vec<usize> {
        let mut factors = along;
        for k in (0..factors.len()).rev() {
            let own = &self.lower[k];
            factors[k] /= own[k];
            let factor = factors[k];
            for (other, component) in factors[..k].iter_mut().zip(own) {
                *other -= factor * component;
            }
        }
        let most = factors.iter().fold(0.0_f64, |most, by| most.max(by.abs()));
        let pairs = self.rows.iter().zip(&factors);
        let large = pairs.filter(|(_, by)| by.abs() > REPEATED_PART * most);
        large.map(|(row, _)| *row).collect()
    }
}

/// Sum of the products of two lists.
fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Subtracts `factor` times a list from another one.
fn subtract(from: &mut [f64], factor: f64, other: &[f64]) {
    for (from, other) in from.iter_mut().zip(other) {
        *from -= factor * other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sums_of_earlier_ones_and_shortest_vectors_have_their_products() {
        let unit = |row: [f64; 3]| {
            let length = product(&row, &row).sqrt();
            row.map(|value| value / length)
        };
        let rows = [
            [1.0, 2.0, 0.0],
            [0.0, 1.0, 1.0],
            [2.0, 5.0, 1.0],
            [0.0, 1e3, 1e3],
        ];
        let rows = rows.map(unit);
        let mut basis = RowBasis::default();
        assert_eq!(basis.add(4, &rows[0]), None);
        assert_eq!(basis.add(5, &rows[1]), None);
        assert_eq!(basis.add(6, &rows[2]), Some(vec![4, 5]));
        assert_eq!(basis.add(7, &rows[3]), Some(vec![5]));

        let found = basis.shortest(&[0.3, -2.0], 3);
        assert!((product(&found, &rows[0]) - 0.3).abs() < 1e-14);
        assert!((product(&found, &rows[1]) + 2.0).abs() < 1e-14);

        // The shortest vector is in the span.
        let mut left = found;
        basis.take_out(&mut left);
        assert!(product(&left, &left) < 1e-28);
    }
}
