//! The Newton system: a sparse symmetric matrix of 2x2 blocks, its ordering and its Cholesky factorisation.

mod block_cholesky;
mod blocks;
mod cholesky;
mod dense;
mod fronts;
mod gather;
mod multifrontal;
mod multifrontal_solve;
mod ordering;
mod supernodal;
mod supernodes;
mod tree;

pub use blocks::BlockMatrix;
pub use cholesky::{Cholesky, NotPositiveDefinite};
pub use gather::Gather;
pub use ordering::fill_reducing;
