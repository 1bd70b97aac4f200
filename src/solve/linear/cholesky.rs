//! Sparse Cholesky factorisation, the symbolic part of which is kept while the pattern stays.

use super::BlockMatrix;
use super::block_cholesky::BlockCholesky;
use super::multifrontal::Multifrontal;
use super::supernodal::Supernodal;

/// A factorisation `A = L L^T`: by blocks where the factor is very sparse, by supernodes and dense kernels elsewhere.
pub struct Cholesky {
    factor: Factor,
}

enum Factor {
    Blocks(BlockCholesky),
    Supernodes(Supernodal),
    Fronts(Multifrontal),
}

/// The matrix is not positive definite, numerically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositiveDefinite {
    /// Scalar row at which a pivot was not positive.
    pub row: usize,
}

/// Block products of a factorisation up to which blocks are faster than supernodes.
const BLOCKS_PAY: usize = 2_000_000;

/// Nodes above which nobody need count the block products.
const LARGE: usize = 20_000;

impl Cholesky {
    /// Analyses the pattern of `matrix`, in the order its nodes are in. `None` if memory does not suffice.
    pub fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        if matrix.nodes() <= LARGE {
            let blocks = BlockCholesky::analyse(matrix);
            if blocks.products() <= BLOCKS_PAY {
                return Some(Self { factor: Factor::Blocks(blocks) });
            }
        }
        if std::env::var("FAER").is_ok() { return Some(Self { factor: Factor::Supernodes(Supernodal::analyse(matrix)?) });}
        Some(Self { factor: Factor::Fronts(Multifrontal::analyse(matrix)?) })
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values.
    ///
    /// # Errors
    /// The row at which it turned out not to be positive definite.
    pub fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        match &mut self.factor {
            Factor::Blocks(blocks) => blocks.factorise(matrix),
            Factor::Supernodes(supernodes) => supernodes.factorise(matrix),
            Factor::Fronts(fronts) => fronts.factorise(matrix),
        }
    }

    /// Solves `A x = b` in place.
    pub fn solve(&mut self, b: &mut [f64]) {
        match &mut self.factor {
            Factor::Blocks(blocks) => blocks.solve(b),
            Factor::Supernodes(supernodes) => supernodes.solve(b),
            Factor::Fronts(fronts) => fronts.solve(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat2;
    use nalgebra::{DMatrix, DVector};

    /// A chain of `nodes` with springs and a few long links, as a block matrix and as a dense one.
    fn sample(nodes: usize) -> (BlockMatrix, DMatrix<f64>) {
        let links: Vec<[usize; 2]> = (1..nodes)
            .map(|j| [j, j - 1])
            .chain((0..nodes / 7).map(|j| [j, nodes - 1 - j]))
            .filter(|[a, b]| a != b)
            .collect();
        let mut matrix = BlockMatrix::new(nodes, &mut links.clone());
        let mut dense = DMatrix::zeros(2 * nodes, 2 * nodes);
        let mut add = |a: usize, b: usize, block: Mat2| {
            assert!(matrix.add(a, b, &block));
            let mut view = dense.fixed_view_mut::<2, 2>(2 * a, 2 * b);
            view += block;
            if a != b {
                let mut mirrored = dense.fixed_view_mut::<2, 2>(2 * b, 2 * a);
                mirrored += block.transpose();
            }
        };
        for (k, &[a, b]) in links.iter().enumerate() {
            let angle = k as f64;
            let h = Mat2::identity() * 0.1
                + crate::math::outer([angle.cos(), angle.sin()].into(), [angle.cos(), angle.sin()].into());
            add(a, a, h);
            add(b, b, h);
            add(a, b, -h);
        }
        (0..nodes).for_each(|j| add(j, j, Mat2::identity() * 0.01));
        (matrix, dense)
    }

    fn either(matrix: &BlockMatrix, blocks: bool) -> Cholesky {
        let factor = if blocks {
            Factor::Blocks(BlockCholesky::analyse(matrix))
        } else {
            Factor::Fronts(Multifrontal::analyse(matrix).unwrap())
        };
        Cholesky { factor }
    }

    #[test]
    fn solutions_are_those_of_a_dense_solver() {
        for (nodes, blocks) in [1, 2, 9, 150].into_iter().flat_map(|nodes| [(nodes, true), (nodes, false)]) {
            let (matrix, dense) = sample(nodes);
            let mut cholesky = either(&matrix, blocks);
            cholesky.factorise(&matrix).unwrap();
            let expected = DVector::from_fn(2 * nodes, |i, _| (i as f64 * 0.7).sin());
            let mut b: Vec<f64> = (&dense * &expected).iter().copied().collect();
            cholesky.solve(&mut b);
            assert!((DVector::from_vec(b) - &expected).norm() < 1e-10 * expected.norm(), "{nodes}");
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let (mut matrix, _) = sample(9);
        assert!(matrix.add(4, 4, &Mat2::from_diagonal_element(-100.0)));
        for blocks in [true, false] {
            assert!(either(&matrix, blocks).factorise(&matrix).is_err());
        }
    }
}
