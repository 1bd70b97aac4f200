//! Symmetric matrix of 2x2 blocks: lower triangle in compressed columns.
//!
//! Every node of a plane problem has two unknowns, and energies couple nodes as a whole. Blocks of
//! 2x2 therefore need a fourth of the indices that scalars need, and an assembly adds whole blocks.

#[cfg(feature = "faer")]
use faer::sparse::{SparseColMat, SymbolicSparseColMat};
use ipcsim_math::{Mat2, Vec2};

/// Symmetric matrix of 2x2 blocks. The lower triangle stands for the whole matrix.
///
/// Node `j` has the scalar rows and columns `2 j` and `2 j + 1`. Blocks of a column are stored with
/// ascending rows, the diagonal block first. The upper right entry of a diagonal block is ignored.
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    /// First block of each node's column, `[nodes + 1]`.
    columns: Vec<usize>,
    /// Row node of each block.
    rows: Vec<usize>,
    /// Values of the blocks, in the order of `rows`.
    values: Vec<Mat2>,
}

impl BlockMatrix {
    /// Zero matrix with all diagonal blocks and the off-diagonal ones of `pairs`, which may repeat,
    /// in either order. The call sorts `pairs` and adds the diagonal, so that the caller keeps the
    /// memory.
    pub fn new(nodes: usize, pairs: &mut Vec<[usize; 2]>) -> Self {
        // Lower triangle, column by column.
        for [a, b] in pairs.iter_mut() {
            (*a, *b) = ((*a).min(*b), (*a).max(*b));
        }
        pairs.extend((0..nodes).map(|j| [j, j]));
        pairs.sort_unstable();
        pairs.dedup();

        // Counts of each column, summed to starts.
        let rows: Vec<usize> = pairs.iter().map(|pair| pair[1]).collect();
        let mut columns = vec![0; nodes + 1];
        for &[column, _] in pairs.iter() {
            columns[column + 1] += 1;
        }
        for j in 0..nodes {
            columns[j + 1] += columns[j];
        }

        let values = vec![Mat2::zeros(); rows.len()];
        Self {
            columns,
            rows,
            values,
        }
    }

    /// Number of nodes, half the number of rows.
    pub fn nodes(&self) -> usize {
        self.columns.len() - 1
    }

    /// Number of stored blocks, those on the diagonal included.
    pub fn block_count(&self) -> usize {
        self.rows.len()
    }

    /// Index of the first block of column `j`, and the row nodes of its blocks, ascending from `j`.
    pub fn column(&self, j: usize) -> (usize, &[usize]) {
        let start = self.columns[j];
        (start, &self.rows[start..self.columns[j + 1]])
    }

    /// Row nodes of the blocks in column `j` below the diagonal, ascending.
    pub fn rows_below(&self, j: usize) -> &[usize] {
        &self.rows[self.columns[j] + 1..self.columns[j + 1]]
    }

    /// Index of block `(a, b)` or its transpose among [`BlockMatrix::values_mut`]; `None` if the
    /// pattern has no such block.
    pub fn slot(&self, a: usize, b: usize) -> Option<usize> {
        let row = a.max(b);
        let (start, rows) = self.column(a.min(b));
        rows.binary_search(&row).ok().map(|k| start + k)
    }

    /// All stored blocks, column by column, in the order of [`BlockMatrix::slot`].
    pub fn values_mut(&mut self) -> &mut [Mat2] {
        &mut self.values
    }

    /// Takes the values of a matrix with the same pattern.
    pub fn copy_values(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
    }

    /// Adds `block` at `(a, b)`; a block above the diagonal is added transposed, below it. Returns
    /// false, and adds nothing, if the pattern has no such block.
    #[must_use]
    pub fn add(&mut self, a: usize, b: usize, block: &Mat2) -> bool {
        let slot = self.slot(a, b);
        if let Some(slot) = slot {
            self.values[slot] += if a >= b { *block } else { block.transpose() };
        }
        slot.is_some()
    }

    /// Adds to the two diagonal entries of node `j`.
    pub fn add_diagonal(&mut self, j: usize, diagonal: &Vec2) {
        let block = &mut self.values[self.columns[j]];
        block.m11 += diagonal.x;
        block.m22 += diagonal.y;
    }

    /// Rows and entries `[a_11, a_21, a_12, a_22]` of the blocks in column `j`, the diagonal first.
    /// The diagonal block is made symmetric from its lower triangle.
    pub(super) fn column_blocks(&self, j: usize) -> impl Iterator<Item = (usize, [f64; 4])> {
        let (start, rows) = self.column(j);
        rows.iter()
            .zip(&self.values[start..start + rows.len()])
            .map(move |(&row, block)| {
                let upper_right = if row == j { block.m21 } else { block.m12 };
                (row, [block.m11, block.m21, upper_right, block.m22])
            })
    }

    /// Diagonal block of node `j`, both triangles.
    pub fn diagonal(&self, j: usize) -> Mat2 {
        let block = self.values[self.columns[j]];
        Mat2::new(block.m11, block.m21, block.m21, block.m22)
    }

    /// Uncouples the scalars that are `fixed`, `[2 nodes]`, from all others: their rows and columns
    /// become zero off the diagonal. Their diagonal entries stay, or become 1 if they are not
    /// positive.
    pub fn isolate(&mut self, fixed: &[bool]) {
        for j in 0..self.nodes() {
            for k in self.columns[j]..self.columns[j + 1] {
                let i = self.rows[k];
                let block = &mut self.values[k];
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let row = 2 * i + a;
                    let column = 2 * j + b;

                    // A fixed scalar needs a positive pivot, of any size.
                    let value = &mut block[(a, b)];
                    if row != column && (fixed[row] || fixed[column]) {
                        *value = 0.0;
                    } else if row == column && fixed[row] && *value <= 0.0 {
                        *value = 1.0;
                    }
                }
            }
        }
    }

    /// Adds `shift` to every scalar on the diagonal: the matrix becomes `A + shift I`.
    pub fn shift_diagonal(&mut self, shift: f64) {
        for j in 0..self.nodes() {
            self.add_diagonal(j, &Vec2::repeat(shift));
        }
    }

    /// Product `A x` with a vector of scalars, `[2 nodes]`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; 2 * self.nodes()];
        for column in 0..product.len() {
            for (row, value) in self.scalar_column(column) {
                product[row] += value * x[column];
                if row != column {
                    product[column] += value * x[row];
                }
            }
        }
        product
    }

    /// Product `A x` with a vector of scalars, `[2 nodes]`, block by block: faster than
    /// [`times`](Self::times), and rounded otherwise.
    pub fn times_by_blocks(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; 2 * self.nodes()];
        for j in 0..self.nodes() {
            let own = [x[2 * j], x[2 * j + 1]];
            let mut sum = [0.0; 2];
            for (row, [a, b, c, d]) in self.column_blocks(j) {
                if row == j {
                    sum[0] += a * own[0] + b * own[1];
                    sum[1] += b * own[0] + d * own[1];
                    continue;
                }
                product[2 * row] += a * own[0] + c * own[1];
                product[2 * row + 1] += b * own[0] + d * own[1];
                let other = [x[2 * row], x[2 * row + 1]];
                sum[0] += a * other[0] + b * other[1];
                sum[1] += c * other[0] + d * other[1];
            }
            product[2 * j] += sum[0];
            product[2 * j + 1] += sum[1];
        }
        product
    }

    /// Largest sum of absolute values in a row: the norm of the matrix that belongs to the largest
    /// component of vectors.
    pub fn largest_row_sum(&self) -> f64 {
        let mut sums = vec![0.0_f64; 2 * self.nodes()];
        for column in 0..sums.len() {
            for (row, value) in self.scalar_column(column) {
                sums[row] += value.abs();
                if row != column {
                    sums[column] += value.abs();
                }
            }
        }
        sums.into_iter().fold(0.0, f64::max)
    }

    /// Entries of one scalar column on and below the diagonal, with ascending rows. Zeros in stored
    /// blocks are among them.
    pub(super) fn scalar_column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> {
        self.column_blocks(column / 2)
            .flat_map(move |(row, [a, b, c, d])| {
                let [upper, lower] = if column.is_multiple_of(2) {
                    [a, b]
                } else {
                    [c, d]
                };
                [(2 * row, upper), (2 * row + 1, lower)]
            })
            .filter(move |&(row, _)| row >= column)
    }

    /// Lower triangle by scalars, `[2 nodes, 2 nodes]`, in the form of the library faer.
    #[cfg(feature = "faer")]
    pub fn lower(&self) -> SparseColMat<usize, f64> {
        let n = 2 * self.nodes();
        let mut pointers = vec![0];
        let mut rows = Vec::new();
        let mut values = Vec::new();
        for column in 0..n {
            for (row, value) in self.scalar_column(column) {
                rows.push(row);
                values.push(value);
            }
            pointers.push(rows.len());
        }

        let pattern = SymbolicSparseColMat::new_checked(n, n, pointers, None, rows);
        SparseColMat::new(pattern, values)
    }

    /// Copies the values of [`BlockMatrix::lower`], in its order, without building the pattern
    /// again.
    #[cfg(feature = "faer")]
    pub(super) fn copy_lower(&self, values: &mut [f64]) {
        let entries = (0..2 * self.nodes()).flat_map(|column| self.scalar_column(column));
        for (to, (_, value)) in values.iter_mut().zip(entries) {
            *to = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;
    use nalgebra_sparse::{CooMatrix, CscMatrix};

    #[test]
    fn added_blocks_are_those_of_the_dense_matrix() {
        let mut pairs = vec![[0, 2], [3, 1], [2, 1], [2, 0]];
        let mut matrix = BlockMatrix::new(4, &mut pairs);
        let mut triplets = CooMatrix::new(8, 8);

        // Blocks on both sides of the diagonal, one of them twice.
        let blocks = [(0, 0), (2, 0), (0, 2), (1, 3), (2, 1), (3, 3), (2, 0)];
        for (index, (a, b)) in blocks.into_iter().enumerate() {
            let mut block = Mat2::new(1.0, 2.0, 3.0, 4.0) * (index + 1) as f64;
            if a == b {
                block.m12 = block.m21;
            }
            assert!(matrix.add(a, b, &block));
            let lower = if a >= b { block } else { block.transpose() };
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                triplets.push(2 * a.max(b) + i, 2 * a.min(b) + j, lower[(i, j)]);
            }
        }
        assert!(!matrix.add(3, 0, &Mat2::identity()));

        let expected: DMatrix<f64> = DMatrix::from(&CscMatrix::from(&triplets));
        for j in 0..8 {
            let mut column = [0.0; 8];
            for (i, value) in matrix.scalar_column(j) {
                column[i] = value;
            }
            for i in j..8 {
                assert_eq!(column[i], expected[(i, j)], "{i} {j}");
            }
        }
        assert_eq!(matrix.diagonal(3), Mat2::new(6.0, 18.0, 18.0, 24.0));
    }
}
