//! The Newton system: a sparse symmetric matrix of 2x2 blocks, its ordering and its Cholesky factorisation.

mod assembly;
mod block_cholesky;
mod blocks;
mod cholesky;
mod dense;
mod dissection;
mod fronts;
mod graph;
mod multifrontal;
mod ordering;
mod separator;
mod substitution;
mod supernodes;
mod tree;
mod walk;

pub use blocks::BlockMatrix;
pub use cholesky::{Cholesky, Memory, NotPositiveDefinite};
pub use ordering::fill_reducing;
