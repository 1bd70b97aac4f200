//! Sparse Cholesky factorisation `A = L L^T` behind one interface.
//!
//! The work comes in three parts. The analysis looks at the pattern only and is kept while the
//! pattern stays; the factorisation computes `L` for given values; a solve substitutes twice. There
//! are three implementations:
//!
//! - by 2x2 blocks, if the factor is so sparse that dense kernels do not pay;
//! - multifrontal, on all threads, for all others;
//! - by the library faer, on one thread, on request: a check on the other two.

use super::block_cholesky::BlockCholesky;
use super::faer_cholesky::FaerCholesky;
use super::multifrontal::{FactorMemory, Multifrontal};
use super::tuning::{BLOCK_PRODUCTS_EACH, MOST_BLOCK_PRODUCTS};
use super::{BlockMatrix, NotPositiveDefinite};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Implementation of the sparse Cholesky factorisation. With each, a run has the same bits on any
/// number of threads; with the first one also on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum LinearSolver {
    /// ipcsim's own, on all threads: multifrontal, or by 2x2 blocks if the factor is very sparse.
    #[default]
    Multifrontal,
    /// The same with products that are fused with sums: faster for large systems, on processors that
    /// have them. `solver.fused` of a scene asks for it.
    #[serde(skip)]
    Fused,
    /// The implementation of the library faer, on one thread: slower, for comparison.
    Faer,
}

/// Sparse Cholesky factorisation `A = L L^T` of a [`BlockMatrix`].
pub struct Cholesky {
    /// Implementation with its analysis and its factor.
    factor: Factor,
}

/// Implementation of the factorisation.
enum Factor {
    /// Left-looking, by 2x2 blocks.
    Blocks(BlockCholesky),
    /// Multifrontal, with dense fronts.
    Fronts(Multifrontal),
    /// Factorisation of the library faer.
    Faer(Box<FaerCholesky>),
}

/// Memory of a large factor, which the next factorisation reuses. Its values do not matter.
pub struct Memory(FactorMemory);

impl Cholesky {
    /// Analyses the pattern of `matrix`. ipcsim's own factorisation eliminates nodes in the order
    /// of the matrix, faer's in another one. `None` if memory does not suffice, or if the solver is not
    /// built in.
    pub fn analyse(matrix: &BlockMatrix, solver: LinearSolver) -> Option<Self> {
        let factor = match solver {
            LinearSolver::Multifrontal => Factor::own(matrix, false)?,
            LinearSolver::Fused => Factor::own(matrix, true)?,
            LinearSolver::Faer => Factor::Faer(Box::new(FaerCholesky::analyse(matrix)?)),
        };
        Some(Self { factor })
    }

    /// Number of stored entries of the factor on and below its diagonal: the memory of a
    /// factorisation and the work of a solve. A factorisation writes them, and a solve reads them
    /// twice.
    pub fn factor_entries(&self) -> usize {
        match &self.factor {
            Factor::Blocks(blocks) => blocks.factor_entries(),
            Factor::Fronts(fronts) => fronts.factor_entries(),
            Factor::Faer(faer) => faer.factor_entries(),
        }
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values. The factor of before
    /// is overwritten.
    ///
    /// # Errors
    /// The row whose pivot is not positive. The factor does not exist then.
    pub fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        match &mut self.factor {
            Factor::Blocks(blocks) => blocks.factorise(matrix),
            Factor::Fronts(fronts) => fronts.factorise(matrix, None),
            Factor::Faer(faer) => faer.factorise(matrix),
        }
    }

    /// Factorises `matrix` as [`factorise`](Self::factorise) does, and begins to solve `A x = b`,
    /// `[2 nodes]`; [`finish`](Self::finish) goes on. Large systems substitute forward during the
    /// factorisation, while the columns of the factor are in the nearest caches. Solutions have the
    /// bits of [`solve`](Self::solve).
    ///
    /// # Errors
    /// The row whose pivot is not positive. The factor does not exist then.
    pub fn begin(&mut self, matrix: &BlockMatrix, b: &[f64]) -> Result<(), NotPositiveDefinite> {
        match &mut self.factor {
            Factor::Fronts(fronts) => fronts.factorise(matrix, Some(b)),
            Factor::Blocks(_) | Factor::Faer(_) => self.factorise(matrix),
        }
    }

    /// Solves the system that [`begin`](Self::begin) began, in place: `b` is the right side that it was
    /// given. Nothing may have been solved since.
    pub fn finish(&mut self, b: &mut [f64]) {
        match &mut self.factor {
            Factor::Fronts(fronts) => fronts.finish(b),
            Factor::Blocks(_) | Factor::Faer(_) => self.solve(b),
        }
    }

    /// Takes the memory of the factor out, and with it the factor.
    ///
    /// A solver whose pattern changes gives this memory to its next factorisation, instead of
    /// freeing and allocating it. Only large factors have memory worth keeping; the memory of
    /// others is empty.
    pub fn take_memory(&mut self) -> Memory {
        Memory(match &mut self.factor {
            Factor::Fronts(fronts) => fronts.take_memory(),
            Factor::Blocks(_) | Factor::Faer(_) => FactorMemory::default(),
        })
    }

    /// Reuses the memory of another factorisation, which may have any size.
    pub fn give_memory(&mut self, Memory(memory): Memory) {
        if let Factor::Fronts(fronts) = &mut self.factor {
            fronts.give_memory(memory);
        }
    }

    /// Solves `A x = b` in place, `[2 nodes]`. The matrix must have been factorised before.
    pub fn solve(&mut self, b: &mut [f64]) {
        match &mut self.factor {
            Factor::Blocks(blocks) => blocks.solve(b),
            Factor::Fronts(fronts) => fronts.solve(b),
            Factor::Faer(faer) => faer.solve(b),
        }
    }
}

impl Factor {
    /// ipcsim's own factorisation, by blocks or by fronts, whichever is faster for the pattern.
    /// `None` if memory does not suffice.
    fn own(matrix: &BlockMatrix, fused: bool) -> Option<Self> {
        let most = MOST_BLOCK_PRODUCTS.max(BLOCK_PRODUCTS_EACH * matrix.nodes());
        if let Some(blocks) = BlockCholesky::analyse(matrix, most) {
            return Some(Self::Blocks(blocks));
        }
        Some(Self::Fronts(Multifrontal::analyse(matrix, fused)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HAS_FAER;
    use crate::fill_reducing;
    use crate::test_matrices::{backward_error, grid, springs};
    use ipcsim_math::{Mat2, parallel::with_threads};
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    /// The solvers that are built in.
    fn solvers() -> impl Iterator<Item = LinearSolver> {
        let faer = HAS_FAER.then_some(LinearSolver::Faer);
        [LinearSolver::Multifrontal].into_iter().chain(faer)
    }

    /// Both triangles of the matrix as a dense matrix, `[2 nodes, 2 nodes]`.
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

    /// ipcsim's implementations for the same matrix.
    fn own(matrix: &BlockMatrix) -> [Cholesky; 3] {
        let blocks = Factor::Blocks(BlockCholesky::analyse(matrix, usize::MAX).unwrap());
        let fronts = |fused| Factor::Fronts(Multifrontal::analyse(matrix, fused).unwrap());
        [blocks, fronts(false), fronts(true)].map(|factor| Cholesky { factor })
    }

    /// Checks all implementations against a product with a known solution.
    fn assert_solves(matrix: &BlockMatrix) {
        let dense = dense(matrix);
        let expected = DVector::from_fn(dense.nrows(), |i, _| (i as f64 * 0.7).sin());
        for mut cholesky in own(matrix) {
            cholesky.factorise(matrix).unwrap();
            let mut b: Vec<f64> = (&dense * &expected).iter().copied().collect();
            let mut begun = b.clone();
            cholesky.solve(&mut b);

            // The same during the factorisation.
            cholesky.begin(matrix, &begun).unwrap();
            cholesky.finish(&mut begun);
            assert_eq!(begun, b);
            assert!((DVector::from_vec(b) - &expected).norm() < 1e-10 * expected.norm());
        }
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
            // Eliminated last of all, the node has the remainders of all others.
            let mut links = grid(10);
            let last = row / 2;
            for pair in &mut links {
                *pair = pair.map(|k| if k == last { 99 } else if k == 99 { last } else { k });
            }
            let mut matrix = springs(100, &links);
            let mut drop = Mat2::zeros();
            drop[(row % 2, row % 2)] = -100.0 * scale;
            prop_assert!(matrix.add(99, 99, &drop));
            for mut cholesky in own(&matrix) {
                prop_assert_eq!(cholesky.factorise(&matrix), Err(NotPositiveDefinite { row: 198 + row % 2 }));
            }
        }
    }

    #[test]
    fn a_matrix_that_was_refused_can_be_mended() {
        let mut matrix = springs(100, &grid(10));
        let mut all = own(&matrix);
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

    /// Four grids in a row, each joined to the next: large enough for fronts that threads share.
    #[test]
    fn solutions_have_the_same_bits_on_any_number_of_threads() {
        let n = 70;
        let nodes = 4 * n * n;
        let mut links: Vec<[usize; 2]> = (0..4)
            .flat_map(|s| {
                grid(n)
                    .into_iter()
                    .map(move |pair| pair.map(|k| k + s * n * n))
            })
            .collect();
        links.extend((0..n).flat_map(|j| (1..4).map(move |s| [s * n * n + j, s * n * n - n + j])));

        // As a run does: the matrix is assembled in the fill-reducing order.
        let position = fill_reducing(nodes, &links);
        for pair in &mut links {
            *pair = pair.map(|k| position[k]);
        }
        let matrix = springs(nodes, &links);

        let on = |solver, threads| {
            with_threads(Some(threads), || {
                let mut cholesky = Cholesky::analyse(&matrix, solver).unwrap();
                assert!(matches!(cholesky.factor, Factor::Fronts(_)));
                let b: Vec<f64> = (0..2 * nodes).map(|i| (i % 7) as f64 - 2.8).collect();
                let [mut x, mut begun] = [b.clone(), b];
                cholesky.factorise(&matrix).unwrap();
                cholesky.solve(&mut x);

                // The same during the factorisation.
                cholesky.begin(&matrix, &begun).unwrap();
                cholesky.finish(&mut begun);
                assert_eq!(begun, x);
                x.into_iter().map(f64::to_bits).collect::<Vec<_>>()
            })
            .unwrap()
        };
        for solver in [LinearSolver::Multifrontal, LinearSolver::Fused] {
            let one = on(solver, 1);
            assert!(
                [2, 3, 8]
                    .into_iter()
                    .all(|threads| on(solver, threads) == one)
            );
        }

        // By products that are rounded before they are added, also on every machine.
        let bits = on(LinearSolver::Multifrontal, 2)
            .iter()
            .fold(0_u64, |sum, bits| {
                (sum ^ bits).wrapping_mul(0x0100_0000_01b3)
            });
        assert_eq!(bits, 10_817_805_659_107_206_181);
    }

    #[test]
    fn a_long_chain_without_a_good_order_is_factorised() {
        let nodes = 300_000;
        let links: Vec<[usize; 2]> = (1..nodes).map(|j| [j, j - 1]).collect();
        let matrix = springs(nodes, &links);
        let b = vec![1.0; 2 * nodes];
        for solver in solvers() {
            let mut cholesky = Cholesky::analyse(&matrix, solver).unwrap();
            cholesky.factorise(&matrix).unwrap();
            let mut x = b.clone();
            cholesky.solve(&mut x);
            assert!(backward_error(&matrix, &x, &b) < 4.0 * f64::EPSILON);
        }
    }

    #[test]
    fn a_matrix_without_rows_is_solved() {
        let matrix = BlockMatrix::new(0, &mut Vec::new());
        for solver in solvers() {
            let mut cholesky = Cholesky::analyse(&matrix, solver).unwrap();
            cholesky.factorise(&matrix).unwrap();
            cholesky.solve(&mut []);
        }
    }
}
