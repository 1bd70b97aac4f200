//! Left-looking Cholesky factorisation by 2x2 blocks, for factors too sparse for dense kernels.
//!
//! Column `j` of the factor is column `j` of the matrix, less `L_ik L_jk^T` for all earlier columns
//! `k` with a block in row `j`, divided by the factor of its diagonal block. Which columns these
//! are, and in which order they are subtracted, depends only on the pattern (see [`Lists`]).
//!
//! Divisions take longer than everything else in a solve, and one column waits for the other where
//! elimination runs along a chain. So columns are computed and stored by their
//! [height](Lists::order) in the elimination tree, a thousand at a time: columns of one height do
//! not depend on each other, and the processor computes several at once. Sums of each entry keep
//! their order, hence the bits do not depend on this.
//!
//! Source: George and Liu 1981, "Computer Solution of Large Sparse Positive Definite Systems",
//! chapter 5.

mod lists;

use super::{BlockMatrix, NotPositiveDefinite};
use ipcsim_math::lanes::{self, Simd, WithSimd};
use lists::Lists;

/// Factor of 2x2 blocks `[l_11, l_21, l_12, l_22]`. Each column holds its diagonal block first,
/// then those below with ascending rows.
#[derive(Clone, Debug)]
pub(super) struct BlockCholesky {
    /// Pattern of the columns, the columns that each of them needs, and their order in a solve.
    lists: Lists,
    /// Blocks of the factor, column by column.
    blocks: Vec<[f64; 4]>,
    /// Column that is being computed, by row.
    work: Vec<[f64; 4]>,
    /// Solution of the triangular systems, `[nodes]`, a buffer.
    solution: Vec<[f64; 2]>,
}

impl BlockCholesky {
    /// Finds the pattern of the factor of `matrix`, and takes memory for its values. `None` if a
    /// factorisation has more than `most` block products, or more blocks than 32 bits count; a
    /// column with `n` blocks has `n (n - 1) / 2` products.
    pub(super) fn analyse(matrix: &BlockMatrix, most: usize) -> Option<Self> {
        let lists = Lists::of(matrix, most)?;
        Some(Self {
            blocks: vec![[0.0; 4]; lists.rows.len()],
            work: vec![[0.0; 4]; matrix.nodes()],
            solution: vec![[0.0; 2]; matrix.nodes()],
            lists,
        })
    }

    /// Number of scalar entries of the factor on and below its diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        4 * self.lists.rows.len() - self.lists.order.len()
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    pub(super) fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        lanes::arch().dispatch(Eliminate {
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
        for j in 0..matrix.nodes() {
            self.load(matrix, j);
            self.subtract(j);
            self.store(j)?;
        }
        Ok(())
    }

    /// Copies column `j` as it is in the matrix to the work column, with zeros where only the factor
    /// has blocks.
    #[inline(always)]
    fn load(&mut self, matrix: &BlockMatrix, j: usize) {
        let Lists { order, place, .. } = &self.lists;
        for &i in &self.lists.rows[self.lists.column(j)] {
            self.work[i as usize] = [0.0; 4];
        }
        for (i, block) in matrix.column_blocks(order[j] as usize) {
            self.work[place[i] as usize] = block;
        }
    }

    /// Subtracts `L_ik L_jk^T` from work column `j` for all earlier columns `k` that have a
    /// block in its row.
    #[inline(always)]
    fn subtract(&mut self, j: usize) {
        let work = &mut self.work[..];
        for &[start, end] in self.lists.earlier(j) {
            let below = start as usize..end as usize;
            let [a, b, c, d] = self.blocks[below.start];
            let upper = [a, a, b, b];
            let lower = [c, c, d, d];

            // Four lanes hold the four entries of a block.
            let rows = &self.lists.rows[below.clone()];
            for (l, &i) in self.blocks[below].iter().zip(rows) {
                let w = &mut work[i as usize];
                let first = [l[0], l[1], l[0], l[1]];
                let second = [l[2], l[3], l[2], l[3]];
                for r in 0..4 {
                    w[r] -= first[r] * upper[r] + second[r] * lower[r];
                }
            }
        }
    }

    /// Divides the work column by the factor of its diagonal block, and stores it as column `j`.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    #[inline(always)]
    fn store(&mut self, j: usize) -> Result<(), NotPositiveDefinite> {
        let all = self.lists.column(j);

        // Factor of the diagonal block.
        let [a, b, _, d] = self.work[j];
        let l11 = a.sqrt();
        let l21 = b / l11;
        let rest = d - l21 * l21;
        if !(a > 0.0 && rest > 0.0) {
            return Err(NotPositiveDefinite {
                row: 2 * self.lists.order[j] as usize + usize::from(a > 0.0),
            });
        }
        let l22 = rest.sqrt();
        self.blocks[all.start] = [l11, l21, 0.0, l22];

        // Blocks below it.
        let inverse11 = 1.0 / l11;
        let inverse22 = 1.0 / l22;
        let below = all.start + 1..all.end;
        let rows = &self.lists.rows[below.clone()];
        for (block, &i) in self.blocks[below].iter_mut().zip(rows) {
            let [w11, w21, w12, w22] = self.work[i as usize];
            let first = w11 * inverse11;
            let second = w21 * inverse11;
            *block = [
                first,
                second,
                (w12 - first * l21) * inverse22,
                (w22 - second * l21) * inverse22,
            ];
        }
        Ok(())
    }

    /// Solves `L L^T x = b` in place, `[2 nodes]`.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let b = b.as_chunks_mut::<2>().0;
        for j in 0..b.len() {
            self.solution[j] = self.forward(j, b[self.lists.order[j] as usize]);
        }
        for j in (0..b.len()).rev() {
            let solved = self.back(j);
            self.solution[j] = solved;
            b[self.lists.order[j] as usize] = solved;
        }
    }

    /// A step of the forward substitution: solves for the pivots of column `j` with this right
    /// side, less the products of earlier columns in its row.
    #[inline]
    fn forward(&self, j: usize, [mut x, mut y]: [f64; 2]) -> [f64; 2] {
        for &[block, k] in self.lists.row(j) {
            let l = self.blocks[block as usize];
            let [before, after] = self.solution[k as usize];
            x -= l[0] * before + l[2] * after;
            y -= l[1] * before + l[3] * after;
        }

        let [l11, l21, _, l22] = self.blocks[self.lists.column(j).start];
        x /= l11;
        [x, (y - l21 * x) / l22]
    }

    /// A step of the back substitution: solves for the pivots of column `j` with the rows below
    /// known.
    #[inline]
    fn back(&self, j: usize) -> [f64; 2] {
        let all = self.lists.column(j);
        let [l11, l21, _, l22] = self.blocks[all.start];
        let [mut x, mut y] = self.solution[j];
        let below = all.start + 1..all.end;
        let rows = &self.lists.rows[below.clone()];
        for (l, &i) in self.blocks[below].iter().zip(rows) {
            let [first, second] = self.solution[i as usize];
            x -= l[0] * first + l[1] * second;
            y -= l[2] * first + l[3] * second;
        }
        y /= l22;
        [(x - l21 * y) / l11, y]
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
