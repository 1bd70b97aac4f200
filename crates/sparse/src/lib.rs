//! Sparse symmetric positive definite systems of 2x2 blocks: matrix, fill-reducing order and
//! Cholesky factorisation.
//!
//! A [`BlockMatrix`] is assembled block by block in an order from [`fill_reducing`]. A [`Cholesky`]
//! analyses its pattern once, factorises it for each set of values, and solves. The factorisation
//! is ipcsim's own (multifrontal, Duff and Reid 1983); the library faer has the same interface
//! ([`LinearSolver`]). Matrices convert to and from [`nalgebra_sparse::CscMatrix`] and [Matrix
//! Market files](matrix_market). An [`Ldl`] factorises the matrix of an unstable equilibrium, and
//! counts its negative eigenvalues.
//!
//! From a pattern to a solution:
//!
//! 1. `ordering`, with `dissection` and `separator`, finds an order of nodes that keeps the factor
//!    sparse.
//! 2. `tree` finds the elimination tree of the ordered pattern, `supernodes` groups its nodes, and
//!    `fronts` gives each group a dense front.
//! 3. `multifrontal` factorises: each front is assembled (`assembly`) and eliminated (`dense`).
//!    Small and very sparse systems take `block_cholesky` instead.
//! 4. `substitution` solves. Both passes walk the tree of fronts on all threads (`walk`).
//!
//! Every sum has a fixed order: results have the same bits on any number of threads.
//!
//! ```
//! use ipcsim_math::Mat2;
//! use ipcsim_sparse::{BlockMatrix, Cholesky, LinearSolver, fill_reducing};
//!
//! // A chain of three nodes, each joined to the next by a spring.
//! let springs = [[0, 1], [1, 2]];
//! let position = fill_reducing(3, &springs);
//! let pairs = springs.map(|pair| pair.map(|node| position[node]));
//! let mut matrix = BlockMatrix::new(3, &mut pairs.to_vec());
//! for [a, b] in pairs {
//!     assert!(matrix.add(a, b, &-Mat2::identity()));
//! }
//! matrix.shift_diagonal(3.0);
//!
//! let mut cholesky = Cholesky::analyse(&matrix, LinearSolver::Multifrontal).ok_or("memory")?;
//! cholesky.factorise(&matrix)?;
//! let mut x = vec![1.0; 6];
//! cholesky.solve(&mut x);
//! assert!(matrix.times(&x).iter().all(|b| (b - 1.0).abs() < 1e-14));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod assembly;
mod block_cholesky;
mod cholesky;
mod columns;
mod conversion;
mod dense;
mod dissection;
mod error;
#[cfg_attr(not(feature = "faer"), path = "without_faer.rs")]
mod faer_cholesky;
mod fronts;
mod graph;
mod ldl;

mod matrix;
pub mod matrix_market;
mod minimum_degree;
mod multifrontal;
mod ordering;
mod separator;
mod substitution;
mod supernodes;
#[cfg(test)]
mod test_matrices;
mod tree;
mod tuning;
mod walk;

pub use cholesky::{Cholesky, LinearSolver, Memory};
pub use conversion::ConversionError;
pub use error::NotPositiveDefinite;
pub use ldl::{Ldl, Singular};
pub use matrix::BlockMatrix;
pub use ordering::fill_reducing;

/// True if the factorisation of the library faer is built in: the feature `faer`.
pub const HAS_FAER: bool = cfg!(feature = "faer");

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
