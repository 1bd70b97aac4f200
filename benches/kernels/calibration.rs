//! Numeric factorisation by faer alone, with its own order: a time of the machine, by which figures are scaled.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Par, Side, Spec};
use ipcsim::solve::linear::BlockMatrix;

pub(crate) struct Calibration {
    matrix: BlockMatrix,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    memory: MemBuffer,
}

impl Calibration {
    pub(crate) fn of(matrix: BlockMatrix) -> Self {
        let pattern = matrix.lower().symbolic();
        let parameters = CholeskySymbolicParams::default();
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, parameters).unwrap();
        let memory = MemBuffer::new(symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default()));
        Self { factor: vec![0.0; symbolic.len_val()], matrix, symbolic, memory }
    }

    pub(crate) fn factorise(&mut self) {
        let memory = MemStack::new(&mut self.memory);
        let (lower, regularization) = (self.matrix.lower(), LltRegularization::default());
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                lower,
                Side::Lower,
                regularization,
                Par::Seq,
                memory,
                Spec::default(),
            )
            .unwrap();
    }
}
