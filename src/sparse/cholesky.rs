//! Sparse Cholesky factorisation, the symbolic part of which is kept while the pattern stays.

use super::BlockMatrix;
use super::block_cholesky::BlockCholesky;
use super::multifrontal::{FactorMemory, Multifrontal};

/// A factorisation `A = L L^T`: by blocks where the factor is very sparse, by fronts and dense kernels elsewhere.
pub struct Cholesky {
    factor: Factor,
}

enum Factor {
    Blocks(BlockCholesky),
    Fronts(Multifrontal),
}

/// The memory of a large factor.
pub struct Memory(FactorMemory);

/// The matrix is not positive definite, numerically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositiveDefinite {
    /// Scalar row at which a pivot was not positive.
    pub row: usize,
}

/// Block products of a factorisation up to which blocks are faster than fronts.
const BLOCKS_PAY: usize = 200_000;

/// Nodes above which nobody need count the block products.
const LARGE: usize = 20_000;

impl Cholesky {
    /// Analyses the pattern of `matrix`, in the order its nodes are in. `None` if memory does not suffice.
    pub fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        if matrix.nodes() <= LARGE {
            let blocks = BlockCholesky::analyse(matrix);
            if blocks.products() <= BLOCKS_PAY {
                return Some(Self {
                    factor: Factor::Blocks(blocks),
                });
            }
        }
        Some(Self {
            factor: Factor::Fronts(Multifrontal::analyse(matrix)?),
        })
    }

    /// Entries of the factor, without the zeros above its diagonal: what a factorisation stores and a solve reads twice.
    pub fn factor_entries(&self) -> usize {
        match &self.factor {
            Factor::Blocks(blocks) => blocks.factor_entries(),
            Factor::Fronts(fronts) => fronts.factor_entries(),
        }
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values.
    ///
    /// # Errors
    /// The row at which it turned out not to be positive definite.
    pub fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        match &mut self.factor {
            Factor::Blocks(blocks) => blocks.factorise(matrix),
            Factor::Fronts(fronts) => fronts.factorise(matrix),
        }
    }

    /// Gives the memory of its factor away, and with it the factor.
    pub fn take_memory(&mut self) -> Memory {
        Memory(match &mut self.factor {
            Factor::Blocks(_) => FactorMemory::default(),
            Factor::Fronts(fronts) => fronts.take_memory(),
        })
    }

    /// Takes the memory that another one had.
    pub fn give_memory(&mut self, Memory(memory): Memory) {
        if let Factor::Fronts(fronts) = &mut self.factor {
            fronts.give_memory(memory);
        }
    }

    /// Solves `A x = b` in place.
    pub fn solve(&mut self, b: &mut [f64]) {
        match &mut self.factor {
            Factor::Blocks(blocks) => blocks.solve(b),
            Factor::Fronts(fronts) => fronts.solve(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fill_reducing;
    use super::*;
    use crate::math::{Mat2, outer, parallel::with_threads};
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    /// Stiff springs between the `links`, on soft ground.
    fn springs(nodes: usize, links: &[[usize; 2]]) -> BlockMatrix {
        let mut matrix = BlockMatrix::new(nodes, &mut links.to_vec());
        let mut add = |a: usize, b: usize, block: Mat2| assert!(matrix.add(a, b, &block));
        for (k, &[a, b]) in links.iter().enumerate().filter(|(_, [a, b])| a != b) {
            let (sin, cos) = (k as f64).sin_cos();
            // Not symmetric, so that a block and its transpose differ.
            let mut off = outer([cos, sin].into(), [cos, sin].into()) + Mat2::identity() * 0.1;
            off.m12 += 0.05;
            add(a, b, -off);
            add(a, a, Mat2::identity() * 1.5);
            add(b, b, Mat2::identity() * 1.5);
        }
        (0..nodes).for_each(|j| add(j, j, Mat2::new(0.03, 0.01, 0.01, 0.02)));
        matrix
    }

    fn dense(matrix: &BlockMatrix) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(2 * matrix.nodes(), 2 * matrix.nodes());
        for j in 0..matrix.nodes() {
            for (i, [a, b, c, d]) in matrix.column_blocks(j) {
                let block = Mat2::new(a, c, b, d);
                dense
                    .fixed_view_mut::<2, 2>(2 * j, 2 * i)
                    .copy_from(&block.transpose());
                dense.fixed_view_mut::<2, 2>(2 * i, 2 * j).copy_from(&block);
            }
        }
        dense
    }

    fn both(matrix: &BlockMatrix) -> [Cholesky; 2] {
        let blocks = Factor::Blocks(BlockCholesky::analyse(matrix));
        let fronts = Factor::Fronts(Multifrontal::analyse(matrix).unwrap());
        [blocks, fronts].map(|factor| Cholesky { factor })
    }

    fn assert_solves(matrix: &BlockMatrix) {
        let dense = dense(matrix);
        let expected = DVector::from_fn(dense.nrows(), |i, _| (i as f64 * 0.7).sin());
        for mut cholesky in both(matrix) {
            cholesky.factorise(matrix).unwrap();
            let mut b: Vec<f64> = (&dense * &expected).iter().copied().collect();
            cholesky.solve(&mut b);
            assert!((DVector::from_vec(b) - &expected).norm() < 1e-10 * expected.norm());
        }
    }

    fn grid(n: usize) -> Vec<[usize; 2]> {
        let edges = |k: usize| [[k, k + 1], [k, k + n], [k + n + 1, k]];
        (0..n - 1)
            .flat_map(|i| (0..n - 1).flat_map(move |j| edges(i * n + j)))
            .collect()
    }

    #[test]
    fn solutions_of_patterns_of_any_shape_are_those_of_a_dense_product() {
        let n = 150;
        let chain: Vec<[usize; 2]> = (1..n).map(|j| [j, j - 1]).collect();
        let star: Vec<[usize; 2]> = (1..n).map(|j| [j, 0]).collect();
        let full: Vec<[usize; 2]> = (0..n).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let parts: Vec<[usize; 2]> = (0..n - 3)
            .filter(|j| j % 10 < 7)
            .map(|j| [j, j + 3])
            .collect();
        let long: Vec<[usize; 2]> = chain
            .iter()
            .copied()
            .chain((0..n / 7).map(|j| [j, n - 1 - j]))
            .collect();
        for links in [chain, star, full, parts, long, grid(12), Vec::new()] {
            assert_solves(&springs(n, &links));
        }
        assert_solves(&springs(1, &[]));
        assert_solves(&springs(9, &[[3, 8]]));
    }

    proptest! {
        #[test]
        fn solutions_of_random_patterns_are_those_of_a_dense_product(
            nodes in 1_usize..60,
            links in prop::collection::vec(prop::array::uniform2(0_usize..60), 0..200),
        ) {
            let links: Vec<[usize; 2]> = links.into_iter().map(|pair| pair.map(|k| k % nodes)).collect();
            assert_solves(&springs(nodes, &links));
        }

        #[test]
        fn an_indefinite_matrix_is_refused_at_the_row_that_makes_it_so(row in 0_usize..200, scale in 1.0..1e3_f64) {
            // Eliminated last of all, the node sees what all others leave.
            let mut links = grid(10);
            let last = row / 2;
            for pair in &mut links {
                *pair = pair.map(|k| if k == last { 99 } else if k == 99 { last } else { k });
            }
            let mut matrix = springs(100, &links);
            let mut drop = Mat2::zeros();
            drop[(row % 2, row % 2)] = -100.0 * scale;
            prop_assert!(matrix.add(99, 99, &drop));
            for mut cholesky in both(&matrix) {
                prop_assert_eq!(cholesky.factorise(&matrix), Err(NotPositiveDefinite { row: 198 + row % 2 }));
            }
        }
    }

    #[test]
    fn a_matrix_that_was_refused_can_be_mended() {
        let mut matrix = springs(100, &grid(10));
        let mut all = both(&matrix);
        assert!(matrix.add(55, 55, &Mat2::from_diagonal_element(-50.0)));
        assert!(
            all.iter_mut()
                .all(|cholesky| cholesky.factorise(&matrix).is_err())
        );
        assert!(matrix.add(55, 55, &Mat2::from_diagonal_element(50.0)));
        assert!(
            all.iter_mut()
                .all(|cholesky| cholesky.factorise(&matrix).is_ok())
        );
    }

    /// Four grids in a row, each joined to the next: large enough for fronts that are shared by threads.
    #[test]
    fn solutions_have_the_same_bits_on_any_number_of_threads() {
        let (n, nodes) = (70, 4 * 70 * 70);
        let mut links: Vec<[usize; 2]> = (0..4)
            .flat_map(|s| {
                grid(n)
                    .into_iter()
                    .map(move |pair| pair.map(|k| k + s * n * n))
            })
            .collect();
        links.extend((0..n).flat_map(|j| (1..4).map(move |s| [s * n * n + j, s * n * n - n + j])));
        let position = fill_reducing(nodes, &links);
        for pair in &mut links {
            *pair = pair.map(|k| position[k]);
        }
        let matrix = springs(nodes, &links);
        let on = |threads| {
            with_threads(Some(threads), || {
                let mut cholesky = Cholesky::analyse(&matrix).unwrap();
                assert!(matches!(cholesky.factor, Factor::Fronts(_)));
                cholesky.factorise(&matrix).unwrap();
                let mut x: Vec<f64> = (0..2 * nodes).map(|i| (i as f64 * 0.3).cos()).collect();
                cholesky.solve(&mut x);
                x.into_iter().map(f64::to_bits).collect::<Vec<_>>()
            })
            .unwrap()
        };
        let one = on(1);
        assert!([2, 3, 8].into_iter().all(|threads| on(threads) == one));
    }

    #[test]
    fn a_long_chain_without_a_good_order_is_factorised() {
        let nodes = 300_000;
        let links: Vec<[usize; 2]> = (1..nodes).map(|j| [j, j - 1]).collect();
        let matrix = springs(nodes, &links);
        let mut cholesky = Cholesky::analyse(&matrix).unwrap();
        cholesky.factorise(&matrix).unwrap();
        let mut x = vec![1.0; 2 * nodes];
        cholesky.solve(&mut x);
        assert!(x.iter().all(|x| x.is_finite() && *x > 0.0));
    }
}
