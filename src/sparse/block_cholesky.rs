//! Left-looking Cholesky factorisation by 2x2 blocks, for factors too sparse for dense kernels.
//!
//! Column `j` of the factor is column `j` of the matrix, less `L_ik L_jk^T` for all earlier columns
//! `k` with a block in row `j`, divided by the factor of its diagonal block. Each row keeps a list
//! of the columns whose next unused block is in it. A column moves from list to list as its blocks
//! are used, so the columns that matter are found without a search.
//!
//! Source: George and Liu 1981, "Computer Solution of Large Sparse Positive Definite Systems",
//! chapter 5.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vectors"
)]

use super::tree::NONE;
use super::{BlockMatrix, NotPositiveDefinite};
use pulp::{Arch, Simd, WithSimd};

/// Factor of 2x2 blocks `[l_11, l_21, l_12, l_22]`. Each column holds its diagonal block first,
/// then those below with ascending rows.
#[derive(Clone, Debug)]
pub(super) struct BlockCholesky {
    /// First block of each column, `[nodes + 1]`.
    columns: Vec<usize>,
    /// Row of each block.
    rows: Vec<usize>,
    /// Blocks of the factor, in the order of `rows`.
    blocks: Vec<[f64; 4]>,
    /// Column that is being computed, by row.
    work: Vec<[f64; 4]>,
    /// Lists of the columns whose next block is in a row: the first column of each row's list.
    head: Vec<usize>,
    /// Next column in the list that a column is in.
    next: Vec<usize>,
    /// Next block of each column that has not been used yet.
    cursor: Vec<usize>,
}

impl BlockCholesky {
    /// Finds the pattern of the factor of `matrix`, and takes memory for its values. `None` if a
    /// factorisation has more than `most` block products; a column with `n` blocks has
    /// `n (n - 1) / 2`.
    pub(super) fn analyse(matrix: &BlockMatrix, most: usize) -> Option<Self> {
        let n = matrix.nodes();
        let mut columns = Vec::with_capacity(n + 1);
        columns.push(0);
        let mut rows = Vec::new();
        let mut products = 0;

        // The rows of a column are those of the matrix, and those of the column's children in the
        // elimination tree. The parent of a column is its first row below the diagonal.
        let mut of_children: Vec<Vec<usize>> = vec![Vec::new(); n];
        for j in 0..n {
            let mut pattern = std::mem::take(&mut of_children[j]);
            pattern.extend(matrix.column(j).1);
            pattern.sort_unstable();
            pattern.dedup();

            products += pattern.len() * (pattern.len() - 1) / 2;
            if products > most {
                return None;
            }
            if let Some(&parent) = pattern.get(1) {
                of_children[parent].extend(&pattern[1..]);
            }
            rows.extend(pattern);
            columns.push(rows.len());
        }

        Some(Self {
            columns,
            blocks: vec![[0.0; 4]; rows.len()],
            rows,
            work: vec![[0.0; 4]; n],
            head: vec![NONE; n],
            next: vec![NONE; n],
            cursor: vec![NONE; n],
        })
    }

    /// Number of scalar entries of the factor on and below its diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        4 * self.rows.len() - (self.columns.len() - 1)
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    pub(super) fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        Arch::new().dispatch(Eliminate {
            cholesky: self,
            matrix,
        })
    }

    /// Computes the factor column by column.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    #[inline(always)]
    fn eliminate(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        self.head.fill(NONE);
        for j in 0..self.head.len() {
            self.load(matrix, j);

            // Columns whose next block is in row `j`.
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

    /// Copies column `j` of the matrix to the work column, with zeros where only the factor has
    /// blocks.
    fn load(&mut self, matrix: &BlockMatrix, j: usize) {
        for &i in &self.rows[self.columns[j]..self.columns[j + 1]] {
            self.work[i] = [0.0; 4];
        }
        for (i, block) in matrix.column_blocks(j) {
            self.work[i] = block;
        }
    }

    /// Subtracts `L_ik L_jk^T` for all blocks of column `k` from its next row `j` on, and moves `k`
    /// to the list of the row after `j`.
    #[inline(always)]
    fn subtract(&mut self, k: usize) {
        let start = self.cursor[k];
        let end = self.columns[k + 1];
        let [a, b, c, d] = self.blocks[start];
        let upper = [a, a, b, b];
        let lower = [c, c, d, d];

        // Four lanes hold the four entries of a block.
        let work = &mut self.work[..];
        for (l, &i) in self.blocks[start..end].iter().zip(&self.rows[start..end]) {
            let w = &mut work[i];
            let first = [l[0], l[1], l[0], l[1]];
            let second = [l[2], l[3], l[2], l[3]];
            for r in 0..4 {
                w[r] -= first[r] * upper[r] + second[r] * lower[r];
            }
        }
        self.advance(k, start + 1);
    }

    /// Moves column `k` to the list of the row of its block `cursor`, or to none if that is past
    /// its end.
    #[inline(always)]
    fn advance(&mut self, k: usize, cursor: usize) {
        self.cursor[k] = cursor;
        if cursor < self.columns[k + 1] {
            let row = self.rows[cursor];
            self.next[k] = self.head[row];
            self.head[row] = k;
        }
    }

    /// Divides the work column by the factor of its diagonal block, and stores it as column `j`.
    /// The column then waits in the list of its first row below the diagonal.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    #[inline(always)]
    fn store(&mut self, j: usize) -> Result<(), NotPositiveDefinite> {
        let start = self.columns[j];
        let end = self.columns[j + 1];

        // Factor of the diagonal block.
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

        // Blocks below it.
        let inverse11 = 1.0 / l11;
        let inverse22 = 1.0 / l22;
        let below = start + 1..end;
        for (block, &i) in self.blocks[below.clone()].iter_mut().zip(&self.rows[below]) {
            let [w11, w21, w12, w22] = self.work[i];
            let first = w11 * inverse11;
            let second = w21 * inverse11;
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

    /// Solves `L L^T x = b` in place, `[2 nodes]`.
    pub(super) fn solve(&self, b: &mut [f64]) {
        let n = self.columns.len() - 1;
        for j in 0..n {
            self.forward(j, b);
        }
        for j in (0..n).rev() {
            self.back(j, b);
        }
    }

    /// Blocks of column `j` below the diagonal, each with its row, ascending.
    fn below(&self, j: usize) -> impl Iterator<Item = (&[f64; 4], usize)> {
        let below = self.columns[j] + 1..self.columns[j + 1];
        let rows = self.rows[below.clone()].iter().copied();
        self.blocks[below].iter().zip(rows)
    }

    /// Step `j` of the forward substitution: solves for the pivots of column `j`, and subtracts
    /// their part from the rows below.
    fn forward(&self, j: usize, b: &mut [f64]) {
        let [l11, l21, _, l22] = self.blocks[self.columns[j]];
        let x = b[2 * j] / l11;
        let y = (b[2 * j + 1] - l21 * x) / l22;
        b[2 * j] = x;
        b[2 * j + 1] = y;
        for (l, i) in self.below(j) {
            b[2 * i] -= l[0] * x + l[2] * y;
            b[2 * i + 1] -= l[1] * x + l[3] * y;
        }
    }

    /// Step `j` of the back substitution: solves for the pivots of column `j` with the rows below
    /// known.
    fn back(&self, j: usize, b: &mut [f64]) {
        let [l11, l21, _, l22] = self.blocks[self.columns[j]];
        let mut x = b[2 * j];
        let mut y = b[2 * j + 1];
        for (l, i) in self.below(j) {
            x -= l[0] * b[2 * i] + l[1] * b[2 * i + 1];
            y -= l[2] * b[2 * i] + l[3] * b[2 * i + 1];
        }
        y /= l22;
        b[2 * j] = (x - l21 * y) / l11;
        b[2 * j + 1] = y;
    }
}

/// Arguments of [`BlockCholesky::factorise`], for the dispatch to a processor's vectors.
struct Eliminate<'a> {
    /// Pattern of the factor, and memory for its values.
    cholesky: &'a mut BlockCholesky,
    /// Matrix to factorise, with the analysed pattern.
    matrix: &'a BlockMatrix,
}

impl WithSimd for Eliminate<'_> {
    type Output = Result<(), NotPositiveDefinite>;

    /// Computes the factor, compiled for the instructions of this processor.
    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> Self::Output {
        self.cholesky.eliminate(self.matrix)
    }
}
