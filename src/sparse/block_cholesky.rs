//! Cholesky factorisation by 2x2 blocks, left-looking, for systems whose factor is too sparse for dense kernels to pay.

#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vectors"
)]

use super::BlockMatrix;
use super::cholesky::NotPositiveDefinite;
use pulp::{Arch, Simd, WithSimd};

/// A factor of blocks. Column `j` holds its diagonal block first, then those below with ascending rows; a block is stored
/// as `[l_11, l_21, l_12, l_22]`.
#[derive(Clone, Debug)]
pub(super) struct BlockCholesky {
    /// First block of each column, `[nodes + 1]`.
    columns: Vec<usize>,
    /// Row of each block.
    rows: Vec<usize>,
    blocks: Vec<[f64; 4]>,
    /// The column being computed, by row.
    work: Vec<[f64; 4]>,
    /// For each row the first column of a list of those whose next block is in that row.
    head: Vec<usize>,
    /// The next column of the list that a column is in.
    next: Vec<usize>,
    /// The next block of each column that has not been used yet.
    cursor: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl BlockCholesky {
    /// Finds the factor's pattern.
    pub(super) fn analyse(matrix: &BlockMatrix) -> Self {
        let n = matrix.nodes();
        let patterns = column_patterns(matrix);
        let mut columns = vec![0];
        let mut rows = Vec::new();
        for pattern in patterns {
            rows.extend(pattern);
            columns.push(rows.len());
        }
        let blocks = vec![[0.0; 4]; rows.len()];
        let (work, lists) = (vec![[0.0; 4]; n], vec![NONE; n]);
        Self {
            columns,
            rows,
            blocks,
            work,
            head: lists.clone(),
            next: lists.clone(),
            cursor: lists,
        }
    }

    /// Entries on and below the diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        4 * self.rows.len() - (self.columns.len() - 1)
    }

    /// Number of block products that a factorisation computes.
    pub(super) fn products(&self) -> usize {
        self.columns
            .windows(2)
            .map(|ends| ends[1] - ends[0])
            .map(|count| count * (count - 1) / 2)
            .sum()
    }

    /// Factorises `matrix`.
    pub(super) fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        Arch::new().dispatch(Eliminate {
            cholesky: self,
            matrix,
        })
    }

    #[inline(always)]
    fn eliminate(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        self.head.fill(NONE);
        for j in 0..self.head.len() {
            self.load(matrix, j);
            let mut k = self.head[j];
            while k != NONE {
                let following = self.next[k];
                self.subtract(k);
                k = following;
            }
            self.store(j)?;
        }
        Ok(())
    }

    /// Puts column `j` of the matrix into the work column, and zeros where only the factor has blocks.
    fn load(&mut self, matrix: &BlockMatrix, j: usize) {
        for &i in &self.rows[self.columns[j]..self.columns[j + 1]] {
            self.work[i] = [0.0; 4];
        }
        for (i, block) in matrix.column_blocks(j) {
            self.work[i] = block;
        }
    }

    /// Subtracts `L_ik L_jk^T` for all blocks of column `k` from its next row `j` on, and puts `k` into the list of the row
    /// after that.
    #[inline(always)]
    fn subtract(&mut self, k: usize) {
        let (start, end) = (self.cursor[k], self.columns[k + 1]);
        let [a, b, c, d] = self.blocks[start];
        let (upper, lower) = ([a, a, b, b], [c, c, d, d]);
        let work = &mut self.work[..];
        for (l, &i) in self.blocks[start..end].iter().zip(&self.rows[start..end]) {
            let w = &mut work[i];
            let (first, second) = ([l[0], l[1], l[0], l[1]], [l[2], l[3], l[2], l[3]]);
            for r in 0..4 {
                w[r] -= first[r] * upper[r] + second[r] * lower[r];
            }
        }
        self.advance(k, start + 1);
    }

    #[inline(always)]
    fn advance(&mut self, k: usize, cursor: usize) {
        self.cursor[k] = cursor;
        if cursor < self.columns[k + 1] {
            let row = self.rows[cursor];
            self.next[k] = self.head[row];
            self.head[row] = k;
        }
    }

    /// Divides the work column by its diagonal block's factor and stores it as column `j`.
    #[inline(always)]
    fn store(&mut self, j: usize) -> Result<(), NotPositiveDefinite> {
        let (start, end) = (self.columns[j], self.columns[j + 1]);
        let [a, b, _, d] = self.work[j];
        let l11 = a.sqrt();
        let l21 = b / l11;
        let rest = d - l21 * l21;
        if !(a > 0.0 && rest > 0.0) {
            return Err(NotPositiveDefinite {
                row: 2 * j + usize::from(a > 0.0),
            });
        }
        let l22 = rest.sqrt();
        self.blocks[start] = [l11, l21, 0.0, l22];
        let (inverse11, inverse22) = (1.0 / l11, 1.0 / l22);
        for (block, &i) in self.blocks[start + 1..end]
            .iter_mut()
            .zip(&self.rows[start + 1..end])
        {
            let [w11, w21, w12, w22] = self.work[i];
            let (first, second) = (w11 * inverse11, w21 * inverse11);
            *block = [
                first,
                second,
                (w12 - first * l21) * inverse22,
                (w22 - second * l21) * inverse22,
            ];
        }
        self.advance(j, start + 1);
        Ok(())
    }

    /// Solves `L L^T x = b` in place.
    pub(super) fn solve(&self, b: &mut [f64]) {
        let n = self.columns.len() - 1;
        for j in 0..n {
            let column = self.columns[j]..self.columns[j + 1];
            let [l11, l21, _, l22] = self.blocks[column.start];
            let x = b[2 * j] / l11;
            let y = (b[2 * j + 1] - l21 * x) / l22;
            (b[2 * j], b[2 * j + 1]) = (x, y);
            for (l, &i) in self.blocks[column.clone()]
                .iter()
                .zip(&self.rows[column])
                .skip(1)
            {
                b[2 * i] -= l[0] * x + l[2] * y;
                b[2 * i + 1] -= l[1] * x + l[3] * y;
            }
        }
        for j in (0..n).rev() {
            let column = self.columns[j]..self.columns[j + 1];
            let [l11, l21, _, l22] = self.blocks[column.start];
            let (mut x, mut y) = (b[2 * j], b[2 * j + 1]);
            for (l, &i) in self.blocks[column.clone()]
                .iter()
                .zip(&self.rows[column])
                .skip(1)
            {
                x -= l[0] * b[2 * i] + l[1] * b[2 * i + 1];
                y -= l[2] * b[2 * i] + l[3] * b[2 * i + 1];
            }
            y /= l22;
            (b[2 * j], b[2 * j + 1]) = ((x - l21 * y) / l11, y);
        }
    }
}

struct Eliminate<'a> {
    cholesky: &'a mut BlockCholesky,
    matrix: &'a BlockMatrix,
}

impl WithSimd for Eliminate<'_> {
    type Output = Result<(), NotPositiveDefinite>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> Self::Output {
        self.cholesky.eliminate(self.matrix)
    }
}

/// The rows of each column of the factor: those of the matrix, and those of every column that has its first row below the
/// diagonal here (its child in the elimination tree).
fn column_patterns(matrix: &BlockMatrix) -> Vec<Vec<usize>> {
    let n = matrix.nodes();
    let mut patterns: Vec<Vec<usize>> = (0..n).map(|j| matrix.column(j).1.to_vec()).collect();
    for j in 0..n {
        let mut pattern = std::mem::take(&mut patterns[j]);
        pattern.sort_unstable();
        pattern.dedup();
        if let Some(&parent) = pattern.get(1) {
            patterns[parent].extend(&pattern[1..]);
        }
        patterns[j] = pattern;
    }
    patterns
}
