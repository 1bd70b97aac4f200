//! A symmetric matrix of 2x2 blocks, stored as the lower triangle in compressed columns.

use crate::math::{Mat2, Vec2};
use faer::sparse::{SparseColMat, SymbolicSparseColMat};

/// Node `j` has the scalar rows and columns `2j` and `2j + 1`. The blocks of a node's column are stored with their rows
/// ascending, the diagonal block first; of that block the upper right entry does not count.
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    /// First block of each node's column, `[nodes + 1]`.
    columns: Vec<usize>,
    /// Row node of each block.
    rows: Vec<usize>,
    values: Vec<Mat2>,
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
        let values = vec![Mat2::zeros(); rows.len()];
        Self {
            columns,
            rows,
            values,
        }
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
        (
            self.columns[j],
            &self.rows[self.columns[j]..self.columns[j + 1]],
        )
    }

    /// The index of block `(a, b)` or its transpose, if it is stored.
    pub fn slot(&self, a: usize, b: usize) -> Option<usize> {
        let (row, column) = (a.max(b), a.min(b));
        let (start, rows) = self.column(column);
        rows.binary_search(&row).ok().map(|k| start + k)
    }

    /// All stored blocks, column by column.
    pub fn values_mut(&mut self) -> &mut [Mat2] {
        &mut self.values
    }

    /// Adds `block` at `(a, b)`; of a block above the diagonal its transpose is added below. `false` if nothing is stored
    /// there.
    #[must_use]
    pub fn add(&mut self, a: usize, b: usize, block: &Mat2) -> bool {
        let slot = self.slot(a, b);
        if let Some(slot) = slot {
            self.values[slot] += if a >= b { *block } else { block.transpose() };
        }
        slot.is_some()
    }

    /// Adds to the diagonal block of node `j`.
    pub fn add_diagonal(&mut self, j: usize, diagonal: &Vec2) {
        let block = &mut self.values[self.columns[j]];
        block.m11 += diagonal.x;
        block.m22 += diagonal.y;
    }

    /// Rows and values of the blocks in column `j`, as `[a_11, a_21, a_12, a_22]`; the diagonal block first.
    pub(super) fn column_blocks(&self, j: usize) -> impl Iterator<Item = (usize, [f64; 4])> {
        let (start, rows) = self.column(j);
        rows.iter()
            .zip(&self.values[start..start + rows.len()])
            .map(move |(&row, block)| {
                let upper_right = if row == j { block.m21 } else { block.m12 };
                (row, [block.m11, block.m21, upper_right, block.m22])
            })
    }

    /// The diagonal block of node `j`.
    pub fn diagonal(&self, j: usize) -> Mat2 {
        let block = self.values[self.columns[j]];
        Mat2::new(block.m11, block.m21, block.m21, block.m22)
    }

    /// Uncouples the scalars that are `fixed` from all others. Their diagonal entries stay, or become 1 if not positive.
    pub fn isolate(&mut self, fixed: &[bool]) {
        for j in 0..self.nodes() {
            for k in self.columns[j]..self.columns[j + 1] {
                let (i, block) = (self.rows[k], &mut self.values[k]);
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let (row, column, value) = (2 * i + a, 2 * j + b, &mut block[(a, b)]);
                    if row != column && (fixed[row] || fixed[column]) {
                        *value = 0.0;
                    } else if row == column && fixed[row] && *value <= 0.0 {
                        *value = 1.0;
                    }
                }
            }
        }
    }

    /// Adds `shift` to every scalar on the diagonal.
    pub fn shift_diagonal(&mut self, shift: f64) {
        (0..self.nodes()).for_each(|j| self.add_diagonal(j, &Vec2::repeat(shift)));
    }

    /// The lower triangle by scalars, `[2 nodes, 2 nodes]`.
    pub fn lower(&self) -> SparseColMat<usize, f64> {
        let (mut pointers, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for j in 0..self.nodes() {
            for side in 0..2 {
                for (row, [a, b, c, d]) in self.column_blocks(j) {
                    let pair = [(2 * row, [a, c][side]), (2 * row + 1, [b, d][side])];
                    for (row, value) in pair.into_iter().filter(|(row, _)| *row >= 2 * j + side) {
                        rows.push(row);
                        values.push(value);
                    }
                }
                pointers.push(rows.len());
            }
        }
        let n = 2 * self.nodes();
        SparseColMat::new(
            SymbolicSparseColMat::new_checked(n, n, pointers, None, rows),
            values,
        )
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
                assert_eq!(
                    stored.get(i, j).copied().unwrap_or(0.0),
                    expected[(i, j)],
                    "{i} {j}"
                );
            }
        }
        assert_eq!(matrix.diagonal(3), Mat2::new(6.0, 18.0, 18.0, 24.0));
    }
}
