//! Preconditioner for multipliers: coupling of constraints through the bodies that they share.
//!
//! Without joints a body that nothing deforms resists a motion only by its inertia `D`, a diagonal
//! matrix. Ties with the derivatives `B` add `B^T B` to it, and by the formula of Sherman, Morrison
//! and Woodbury forces then close the residuals
//!
//! `B (D + B^T B)^-1 B^T = A (1 + A)^-1`, `A = B D^-1 B^T`.
//!
//! The inverse of that is `1 + A^-1`: the plain renewal of an augmented Lagrangian, `1`, and the
//! answer of the mechanism as a whole. Without it the eigenvalues of the longest waves of a chain
//! of `n` bars fall with `1/n^2`, and conjugate gradients need as many iterations as there are such
//! waves. With it they need one or two.
//!
//! Two constraints have a block in `A` only if they share a body, so that `A` is as sparse as the
//! mechanism: for a chain it has three diagonals of blocks. Where bodies deform or touch they
//! resist by more than `D`. Then `1 + A^-1` is an underestimate for some motions, by less than 1.
//!
//! The pattern of `A` and the order of its rows depend only on the constraints, not on the values
//! or on when they were made. So a solver that is made anew continues with the same bits.

use super::constraint_jacobian::ConstraintJacobian;
use crate::tuning::SCHUR_MOST_SHARED;
use ipcsim_math::{Mat2, Vec2};
use ipcsim_sparse::{BlockMatrix, Cholesky, LinearSolver, fill_reducing};

/// The matrix `A` of the constraints of a mechanism, with its factorisation.
pub(crate) struct SchurPreconditioner {
    /// Nodes of the constraints that the pattern was made for, and the first of each constraint.
    pattern: (Vec<usize>, Vec<usize>),
    /// Row of each constraint in the matrix.
    row: Vec<usize>,
    /// Products that make up the matrix.
    products: Vec<Product>,
    /// The matrix.
    matrix: BlockMatrix,
    /// Its factorisation.
    cholesky: Cholesky,
    /// Right side and solution, two numbers for each constraint, a buffer.
    right: Vec<f64>,
}

/// A product `B_a D^-1 B_b^T` of two blocks of a node.
struct Product {
    /// The blocks, of the constraint in the lower row first.
    blocks: [usize; 2],
    /// Their node.
    node: usize,
    /// Place in the matrix.
    slot: usize,
}

impl SchurPreconditioner {
    /// Orders and analyses the constraints of a model with this number of nodes. `None` if memory does not
    /// suffice.
    pub(crate) fn new(
        tied: &ConstraintJacobian,
        nodes: usize,
        linear: LinearSolver,
    ) -> Option<Self> {
        // Pairs of blocks of a node, each once; also of a block with itself.
        let shared = blocks_by_node(tied, nodes);
        let pairs_of = |own: &[[usize; 2]]| -> Vec<[[usize; 2]; 2]> {
            let coupled = own.len() <= SCHUR_MOST_SHARED;
            let all = own.iter().enumerate().flat_map(|(k, &a)| {
                let others = own[..k].iter().filter(move |_| coupled);
                others.map(move |&b| [a, b]).chain([[a, a]])
            });
            all.collect()
        };

        // Rows of constraints in an order of elimination.
        let pairs = shared.iter().flat_map(|own| pairs_of(own));
        let mut pairs: Vec<[usize; 2]> = pairs
            .map(|[[a, _], [b, _]]| [a, b])
            .filter(|[a, b]| a != b)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let row = fill_reducing(tied.len(), &pairs);
        for pair in &mut pairs {
            *pair = pair.map(|constraint| row[constraint]);
        }
        let matrix = BlockMatrix::new(tied.len(), &mut pairs);

        // Places of all products.
        let mut products = Vec::new();
        for (node, own) in shared.iter().enumerate() {
            for [[a, of_a], [b, of_b]] in pairs_of(own) {
                let [a, b] = [row[a], row[b]];
                products.push(Product {
                    blocks: if a >= b { [of_a, of_b] } else { [of_b, of_a] },
                    node,
                    slot: matrix.slot(a, b)?,
                });
            }
        }
        Some(Self {
            pattern: tied.pattern(),
            row,
            products,
            cholesky: Cholesky::analyse(&matrix, linear)?,
            right: vec![0.0; 2 * tied.len()],
            matrix,
        })
    }

    /// True if the pattern belongs to these constraints.
    pub(crate) fn fits(&self, tied: &ConstraintJacobian) -> bool {
        tied.has_pattern(&self.pattern)
    }

    /// Factorises `A + r` for bodies that yield by `D^-1`, `[nodes]` (1/kg); true if it is positive
    /// definite.
    ///
    /// Ties that repeat each other make `A` singular; with an eigenvalue `r` (1) above rounding,
    /// about 1e-12 of the largest one, there is a factor all the same.
    pub(crate) fn factorise(&mut self, tied: &ConstraintJacobian, yields: &[Vec2], r: f64) -> bool {
        let values = self.matrix.values_mut();
        values.fill(Mat2::zeros());
        for product in &self.products {
            let [a, b] = product.blocks.map(|block| tied.blocks[block]);
            let by = yields[product.node];
            values[product.slot] += a * Mat2::from_diagonal(&by) * b.transpose();
        }
        self.matrix.shift_diagonal(r);
        self.cholesky.factorise(&self.matrix).is_ok()
    }

    /// `(1 + (A + r)^-1) u` of all constraints, for the values that were factorised last.
    pub(crate) fn solve(&mut self, u: &[Vec2]) -> Vec<Vec2> {
        let solved = self.answer(u);
        solved.iter().zip(u).map(|(solved, u)| u + solved).collect()
    }

    /// `(A + r)^-1 u` of all constraints, for the values that were factorised last.
    pub(crate) fn answer(&mut self, u: &[Vec2]) -> Vec<Vec2> {
        for (u, &row) in u.iter().zip(&self.row) {
            self.right[2 * row] = u.x;
            self.right[2 * row + 1] = u.y;
        }
        self.cholesky.solve(&mut self.right);
        let solved = self.row.iter().map(|&row| {
            let [x, y] = [self.right[2 * row], self.right[2 * row + 1]];
            Vec2::new(x, y)
        });
        solved.collect()
    }
}

/// Ties of each node with the numbers of their blocks, `[nodes]`.
fn blocks_by_node(tied: &ConstraintJacobian, nodes: usize) -> Vec<Vec<[usize; 2]>> {
    let mut shared = vec![Vec::new(); nodes];
    let mut block = 0;
    for constraint in 0..tied.len() {
        for (node, _) in tied.of(constraint) {
            shared[node].push([constraint, block]);
            block += 1;
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// A ring of constraints, each between a node and the next one, with one more across it; and how the
    /// nodes yield.
    fn ring(count: usize) -> (ConstraintJacobian, Vec<Vec2>) {
        let value = |k: usize| ((k * k + 3 * k) as f64 * 0.7).sin();
        let block = |k: usize| Mat2::new(value(k), value(k + 1), value(k + 5), 2.0 + value(k + 9));
        let constraint = |k: usize, a: usize, b: usize| vec![(a, block(k)), (b, -block(k + 100))];
        let mut constraints: Vec<_> = (0..count)
            .map(|k| constraint(k, k, (k + 1) % count))
            .collect();
        constraints.push(constraint(count, 0, count / 2));
        let yields = (0..count).map(|k| Vec2::new(1.5 + value(k), 2.5 + value(k + 50)));
        (
            ConstraintJacobian::of_blocks(&constraints),
            yields.collect(),
        )
    }

    /// Dense matrix `B` of constraints.
    fn dense(tied: &ConstraintJacobian, nodes: usize) -> DMatrix<f64> {
        let mut b = DMatrix::zeros(2 * tied.len(), 2 * nodes);
        for constraint in 0..tied.len() {
            for (node, block) in tied.of(constraint) {
                b.view_mut((2 * constraint, 2 * node), (2, 2))
                    .copy_from(block);
            }
        }
        b
    }

    #[test]
    fn it_inverts_what_bodies_with_inertia_answer() {
        // Without the added eigenvalue `1 + A^-1` is the inverse of `B (D + B^T B)^-1 B^T`. The ring has one
        // constraint too many for 8 nodes, but not for 9 bodies that are left free.
        let (tied, mut yields) = ring(8);
        yields.push(Vec2::repeat(1.0));
        let tied = {
            let mut constraints: Vec<Vec<(usize, Mat2)>> = (0..tied.len())
                .map(|constraint| {
                    tied.of(constraint)
                        .map(|(node, block)| (node, *block))
                        .collect()
                })
                .collect();
            constraints[8].push((8, Mat2::identity()));
            ConstraintJacobian::of_blocks(&constraints)
        };
        let mut coupling = SchurPreconditioner::new(&tied, 9, LinearSolver::default()).unwrap();
        assert!(coupling.factorise(&tied, &yields, 0.0));

        let b = dense(&tied, 9);
        let resists =
            DVector::from_iterator(18, yields.iter().flat_map(|by| [1.0 / by.x, 1.0 / by.y]));
        let matrix = DMatrix::from_diagonal(&resists) + b.transpose() * &b;
        let answer = &b * matrix.try_inverse().unwrap() * b.transpose();
        let u: Vec<Vec2> = (0..9).map(|k| Vec2::new(f64::from(k) - 3.0, 1.0)).collect();
        let flat = DVector::from_iterator(18, u.iter().flat_map(|u| [u.x, u.y]));
        let answered = answer * flat;
        let answered: Vec<Vec2> = (0..9)
            .map(|k| Vec2::new(answered[2 * k], answered[2 * k + 1]))
            .collect();
        for (solved, u) in coupling.solve(&answered).iter().zip(&u) {
            assert!((solved - u).norm() < 1e-9, "{solved} {u}");
        }
    }

    #[test]
    fn ties_that_repeat_each_other_have_a_factor_by_what_is_added() {
        let block = Mat2::identity();
        let tied = ConstraintJacobian::of_blocks(&[vec![(0, block)], vec![(0, block)]]);
        let mut coupling = SchurPreconditioner::new(&tied, 1, LinearSolver::default()).unwrap();
        assert!(coupling.fits(&tied));
        assert!(!coupling.factorise(&tied, &[Vec2::repeat(1.0)], 0.0));
        assert!(coupling.factorise(&tied, &[Vec2::repeat(1.0)], 1e-8));

        // `A + r` has the eigenvalues `2 + r` and `r`, of forces that add up and that cancel.
        let both = coupling.solve(&[Vec2::x(), Vec2::x()]);
        assert!((both[0].x - 1.5).abs() < 1e-7, "{}", both[0]);
        let one = coupling.solve(&[Vec2::x(), -Vec2::x()]);
        assert!((one[0].x / 1e8 - 1.0).abs() < 1e-6, "{}", one[0]);
    }

    #[test]
    fn for_joints_that_share_no_body_it_inverts_what_each_pair_of_bodies_answers() {
        // A joint of the root `b` between the masses `m` and `n` has `A = b^2 (1/m + 1/n)`, and the
        // bodies answer `A / (1 + A)`.
        let pairs = [(2.0, 1.0, 3.0), (0.5, 10.0, 0.1), (40.0, 2.0, 2.0)];
        let rows: Vec<_> = pairs
            .iter()
            .enumerate()
            .map(|(k, &(b, _, _))| {
                let block = Mat2::identity() * b;
                vec![(2 * k, block), (2 * k + 1, -block)]
            })
            .collect();
        let tied = ConstraintJacobian::of_blocks(&rows);
        let yields: Vec<Vec2> = pairs
            .iter()
            .flat_map(|&(_, m, n)| [Vec2::repeat(1.0 / m), Vec2::repeat(1.0 / n)])
            .collect();
        let mut coupling = SchurPreconditioner::new(&tied, 6, LinearSolver::default()).unwrap();
        assert!(coupling.factorise(&tied, &yields, 0.0));

        let u = [[1.0, -2.0], [0.5, 3.0], [-4.0, 0.1]].map(Vec2::from);
        let answered: Vec<Vec2> = u
            .iter()
            .zip(pairs)
            .map(|(u, (b, m, n))| {
                let a: f64 = b * b * (1.0 / m + 1.0 / n);
                u * (a / (1.0 + a))
            })
            .collect();
        for (solved, u) in coupling.solve(&answered).iter().zip(&u) {
            assert!((solved - u).norm() < 1e-12, "{solved} {u}");
        }
    }

    #[test]
    fn joints_of_a_body_that_carries_a_crowd_are_not_coupled() {
        // Node 0 has one joint more than are coupled, and all other bodies differ.
        let count = SCHUR_MOST_SHARED + 1;
        let rows: Vec<_> = (1..=count)
            .map(|node| vec![(0, Mat2::identity()), (node, -Mat2::identity())])
            .collect();
        let tied = ConstraintJacobian::of_blocks(&rows);
        let own = |node: usize| 1.0 + 0.1 * node as f64;
        let yields: Vec<Vec2> = (0..=count).map(|node| Vec2::repeat(own(node))).collect();
        let mut coupling =
            SchurPreconditioner::new(&tied, count + 1, LinearSolver::default()).unwrap();
        assert!(coupling.factorise(&tied, &yields, 0.0));

        let u = vec![Vec2::new(1.0, -1.0); count];
        for (k, solved) in coupling.solve(&u).iter().enumerate() {
            let expected = 1.0 + 1.0 / (own(0) + own(k + 1));
            assert!(
                (solved.x - expected).abs() < 1e-12,
                "{k}: {solved} {expected}"
            );
            assert_eq!(solved.x, -solved.y);
        }
    }
}
