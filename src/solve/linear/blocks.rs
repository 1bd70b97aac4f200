//! A symmetric matrix of 2x2 blocks, stored as the lower triangle in compressed columns of scalars.

use crate::math::Mat2;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};

/// Node `j` has the scalar rows and columns `2j` and `2j + 1`. The blocks of a node's column are stored with their rows
/// ascending, the diagonal block first; of that block the upper right entry is not stored.
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    /// First block of each node's column, `[nodes + 1]`.
    columns: Vec<usize>,
    /// Row node of each block.
    rows: Vec<usize>,
    /// The same pattern in scalars.
    pattern: SymbolicSparseColMat<usize>,
    values: Vec<f64>,
}

impl BlockMatrix {
    /// A zero matrix with diagonal blocks and the given off-diagonal ones; `pairs` may repeat, in either order, and are
    /// sorted by the call.
    pub fn new(nodes: usize, pairs: &mut Vec<[usize; 2]>) -> Self {
        for [a, b] in pairs.iter_mut() {
            (*a, *b) = ((*a).min(*b), (*a).max(*b));
        }
        pairs.extend((0..nodes).map(|j| [j, j]));
        pairs.sort_unstable();
        pairs.dedup();
        let rows: Vec<usize> = pairs.iter().map(|pair| pair[1]).collect();
        let mut columns = vec![0; nodes + 1];
        for &[column, _] in pairs.iter() {
            columns[column + 1] += 1;
        }
        for j in 0..nodes {
            columns[j + 1] += columns[j];
        }
        let pattern = scalar_pattern(&columns, &rows);
        let values = vec![0.0; pattern.row_idx().len()];
        Self { columns, rows, pattern, values }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.columns.len() - 1
    }

    /// Number of stored blocks.
    pub fn block_count(&self) -> usize {
        self.rows.len()
    }

    /// Row nodes of the blocks in column `j`, ascending from `j`, and the index of the first of them.
    pub fn column(&self, j: usize) -> (usize, &[usize]) {
        (self.columns[j], &self.rows[self.columns[j]..self.columns[j + 1]])
    }

    /// The index of the first block of column `j`; of one past the last block for `j = nodes`.
    pub fn first_block(&self, j: usize) -> usize {
        self.columns[j]
    }

    /// The index of block `(a, b)` or its transpose, if it is stored.
    pub fn slot(&self, a: usize, b: usize) -> Option<usize> {
        let (row, column) = (a.max(b), a.min(b));
        let (start, rows) = self.column(column);
        rows.binary_search(&row).ok().map(|k| start + k)
    }

    /// Where the values of each node's column end.
    pub fn value_ends(&self) -> Vec<usize> {
        (1..=self.nodes()).map(|j| self.pattern.col_ptr()[2 * j]).collect()
    }

    /// All stored values, column by column.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Adds `block` at `(a, b)`; of a block above the diagonal its transpose is added below. `false` if nothing is stored
    /// there.
    #[must_use]
    pub fn add(&mut self, a: usize, b: usize, block: &Mat2) -> bool {
        let (row, column) = (a.max(b), a.min(b));
        let (start, end) = (self.columns[column], self.columns[column + 1]);
        let Ok(k) = self.rows[start..end].binary_search(&row) else {
            return false;
        };
        let piece = &mut self.values[self.pattern.col_ptr()[2 * column]..];
        if a >= b {
            add_block(piece, end - start, k, block);
        } else {
            add_block(piece, end - start, k, &block.transpose());
        }
        true
    }

    /// Rows and values of the blocks in column `j`, as `[a_11, a_21, a_12, a_22]`; the diagonal block first.
    pub(super) fn column_blocks(&self, j: usize) -> impl Iterator<Item = (usize, [f64; 4])> {
        let (_, rows) = self.column(j);
        let pointers = self.pattern.col_ptr();
        let first = &self.values[pointers[2 * j]..pointers[2 * j + 1]];
        let second = &self.values[pointers[2 * j + 1]..pointers[2 * j + 2]];
        rows.iter().enumerate().map(move |(k, &row)| {
            let upper_right = if k == 0 { first[1] } else { second[2 * k - 1] };
            (row, [first[2 * k], first[2 * k + 1], upper_right, second[2 * k]])
        })
    }

    /// The diagonal block of node `j`.
    pub fn diagonal(&self, j: usize) -> Mat2 {
        let pointers = self.pattern.col_ptr();
        let (first, second) = (pointers[2 * j], pointers[2 * j + 1]);
        let [a, b, d] = [self.values[first], self.values[first + 1], self.values[second]];
        Mat2::new(a, b, b, d)
    }

    /// Uncouples the scalars that are `fixed` from all others. Their diagonal entries stay, or become 1 if not positive.
    pub fn isolate(&mut self, fixed: &[bool]) {
        for (column, ends) in self.pattern.col_ptr().windows(2).enumerate() {
            let (rows, values) = (&self.pattern.row_idx()[ends[0]..ends[1]], &mut self.values[ends[0]..ends[1]]);
            for (&row, value) in rows.iter().zip(values) {
                if row != column && (fixed[row] || fixed[column]) {
                    *value = 0.0;
                } else if row == column && fixed[row] && *value <= 0.0 {
                    *value = 1.0;
                }
            }
        }
    }

    /// Adds `shift` to every scalar on the diagonal.
    pub fn shift_diagonal(&mut self, shift: f64) {
        for j in 0..self.nodes() {
            let pointers = self.pattern.col_ptr();
            let (first, second) = (pointers[2 * j], pointers[2 * j + 1]);
            self.values[first] += shift;
            self.values[second] += shift;
        }
    }

    /// The lower triangle as faer sees it, `[2 nodes, 2 nodes]`.
    pub fn lower(&self) -> SparseColMatRef<'_, usize, f64> {
        SparseColMatRef::new(self.pattern.as_ref(), &self.values)
    }
}

/// Adds a block as number `k` of the `count` blocks of a column, whose values are `piece`.
#[inline]
pub(super) fn add_block(piece: &mut [f64], count: usize, k: usize, block: &Mat2) {
    let second = 2 * count;
    if k == 0 {
        piece[0] += block.m11;
        piece[1] += block.m21;
        piece[second] += block.m22;
    } else {
        piece[2 * k] += block.m11;
        piece[2 * k + 1] += block.m21;
        piece[second + 2 * k - 1] += block.m12;
        piece[second + 2 * k] += block.m22;
    }
}

fn scalar_pattern(columns: &[usize], rows: &[usize]) -> SymbolicSparseColMat<usize> {
    let n = 2 * (columns.len() - 1);
    let mut pointers = Vec::with_capacity(n + 1);
    let mut indices = Vec::with_capacity(4 * rows.len());
    pointers.push(0);
    for (j, ends) in columns.windows(2).enumerate() {
        let below = &rows[ends[0] + 1..ends[1]];
        for first in [2 * j, 2 * j + 1] {
            indices.extend(first..2 * j + 2);
            indices.extend(below.iter().flat_map(|&row| [2 * row, 2 * row + 1]));
            pointers.push(indices.len());
        }
    }
    SymbolicSparseColMat::new_checked(n, n, pointers, None, indices)
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
        let stored = matrix.lower();
        for j in 0..8 {
            for i in j..8 {
                assert_eq!(stored.get(i, j).copied().unwrap_or(0.0), expected[(i, j)], "{i} {j}");
            }
        }
        assert_eq!(matrix.diagonal(3), Mat2::new(6.0, 18.0, 18.0, 24.0));
    }
}
