//! Conversion of block matrices to and from compressed columns of scalars.
//!
//! The scalar form has both triangles and is a matrix of `nalgebra_sparse`, so that its algorithms
//! and file formats can be used. A round trip gives the same blocks with the same bits.

use super::BlockMatrix;
use ipcsim_math::Mat2;
use nalgebra_sparse::{CooMatrix, CscMatrix, SparseEntry};

/// Error of a conversion to a [`BlockMatrix`]: the matrix has another shape or is not symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConversionError {
    /// The matrix does not consist of 2x2 blocks about a diagonal.
    #[error(
        "the matrix is {rows} x {columns}: 2x2 blocks need a square matrix with an even number of \
         rows"
    )]
    Shape {
        /// Number of scalar rows.
        rows: usize,
        /// Number of scalar columns.
        columns: usize,
    },
    /// An entry differs from its mirror image.
    #[error("entries ({row}, {column}) and ({column}, {row}) differ: the matrix must be symmetric")]
    NotSymmetric {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
    },
}

/// Both triangles by scalars, `[2 nodes, 2 nodes]`. Zeros in stored blocks are stored as well.
impl From<&BlockMatrix> for CscMatrix<f64> {
    /// Pushes each entry and its mirror image, column by column.
    fn from(matrix: &BlockMatrix) -> Self {
        let n = 2 * matrix.nodes();
        let mut entries = CooMatrix::new(n, n);
        for column in 0..n {
            for (row, value) in matrix.scalar_column(column) {
                entries.push(row, column, value);
                if row != column {
                    entries.push(column, row, value);
                }
            }
        }
        CscMatrix::from(&entries)
    }
}

/// Scalars `2 j` and `2 j + 1` become node `j`. A block is stored where one of its entries is.
impl TryFrom<&CscMatrix<f64>> for BlockMatrix {
    type Error = ConversionError;

    /// Checks the shape and the symmetry, and then copies the lower triangle.
    ///
    /// # Errors
    /// If the matrix is not square, has an odd number of rows, or is not symmetric to the last bit.
    fn try_from(matrix: &CscMatrix<f64>) -> Result<Self, ConversionError> {
        let rows = matrix.nrows();
        let columns = matrix.ncols();
        if rows != columns || !rows.is_multiple_of(2) {
            return Err(ConversionError::Shape { rows, columns });
        }

        // Symmetric to the last bit, where an entry that is not stored is zero.
        for (row, column, value) in matrix.triplet_iter() {
            let mirrored = matrix.get_entry(column, row);
            #[allow(clippy::float_cmp, reason = "symmetric to the last bit")]
            if mirrored.map_or(0.0, SparseEntry::into_value) != *value {
                return Err(ConversionError::NotSymmetric { row, column });
            }
        }

        // Blocks with a stored entry.
        let mut pairs = matrix
            .triplet_iter()
            .map(|(row, column, _)| [row / 2, column / 2])
            .collect();
        let mut blocks = Self::new(rows / 2, &mut pairs);

        // Values of the lower triangle, one scalar at a time.
        for (row, column, value) in matrix.triplet_iter() {
            let node_row = row / 2;
            let node_column = column / 2;
            if node_row >= node_column {
                let mut block = Mat2::zeros();
                block[(row % 2, column % 2)] = *value;
                // The pattern was made of these pairs.
                let _stored = blocks.add(node_row, node_column, &block);
            }
        }
        Ok(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_matrices::{grid, springs};
    use nalgebra::DMatrix;

    #[test]
    fn a_matrix_is_itself_after_both_conversions() {
        let matrix = springs(49, &grid(7));
        let scalars = CscMatrix::from(&matrix);
        let back = BlockMatrix::try_from(&scalars).unwrap();
        assert_eq!(CscMatrix::from(&back), scalars);
        assert_eq!(back.block_count(), matrix.block_count());
        let dense = DMatrix::from(&scalars);
        assert_eq!(dense, dense.transpose());
    }

    #[test]
    fn blocks_are_filled_up_with_zeros() {
        let mut entries = CooMatrix::new(4, 4);
        for (row, column) in [(0, 3), (3, 0)] {
            entries.push(row, column, 5.0);
        }
        let scalars = CscMatrix::from(&entries);
        let blocks = BlockMatrix::try_from(&scalars).unwrap();
        assert_eq!(blocks.block_count(), 3);
        let back = CscMatrix::from(&blocks);
        assert_eq!(DMatrix::from(&back), DMatrix::from(&scalars));
    }

    #[test]
    fn a_matrix_without_a_mirror_image_or_of_odd_size_is_refused() {
        let mut entries = CooMatrix::new(4, 4);
        entries.push(2, 1, 1.0);
        let refused = BlockMatrix::try_from(&CscMatrix::from(&entries)).unwrap_err();
        assert_eq!(refused, ConversionError::NotSymmetric { row: 2, column: 1 });
        let refused = BlockMatrix::try_from(&CscMatrix::<f64>::zeros(3, 3)).unwrap_err();
        assert_eq!(
            refused,
            ConversionError::Shape {
                rows: 3,
                columns: 3
            }
        );
    }
}
