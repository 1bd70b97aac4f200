//! Times of the machine, by which figures are scaled: numeric factorisation by faer alone, with its own order, and a loop.

use super::process::processor_seconds;
use crate::energy::Curvature;
use crate::math::Mat2;
use crate::scene::{Setup, build, parse};
use crate::sparse::{BlockMatrix, fill_reducing};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::SparseColMat;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Par, Side, Spec};
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// The book's two squares with friction.
pub(super) const TWO_SQUARES: &str =
    include_str!("../../../scenes/book/08_two_squares_friction.json");

/// Segments a side of the squares whose matrix is factorised: 101,124 unknowns.
const SEGMENTS: usize = 158;

/// What the factorisation takes on the machine that targets are given for (s).
pub(super) const REFERENCE: f64 = 0.077;

/// Times of this machine (s).
#[derive(Serialize)]
pub(super) struct Times {
    pub(super) factorisation: f64,
    pub(super) scalar_loop: f64,
    /// The factorisation's, by that of the reference.
    pub(super) scale: f64,
}

impl Times {
    pub(super) fn take() -> Self {
        const SAMPLES: usize = 15;
        let mut matrix = matrix(SEGMENTS).as_ref().and_then(Calibration::of);
        let factorisation = least(SAMPLES, || {
            matrix.as_mut().is_some_and(Calibration::factorise)
        });
        let scalar_loop = least(SAMPLES, || scalar_loop() > 0.0);
        Self {
            factorisation,
            scalar_loop,
            scale: factorisation / REFERENCE,
        }
    }
}

/// The shortest of some times on the clock, or the mean of processor time where that is less: other work disturbs it less (s).
fn least(samples: usize, mut work: impl FnMut() -> bool) -> f64 {
    let mut once = || {
        let started = Instant::now();
        black_box(work());
        started.elapsed().as_secs_f64()
    };
    let before = processor_seconds();
    let shortest = (0..samples).map(|_| once()).fold(f64::INFINITY, f64::min);
    let spent = before
        .zip(processor_seconds())
        .map_or(f64::INFINITY, |(before, after)| after - before);
    shortest.min(spent / samples as f64)
}

/// Ten million steps of the logistic map, each of which waits for the one before.
fn scalar_loop() -> f64 {
    (0..10_000_000).fold(black_box(0.3), |x, _| 3.7 * x * (1.0 - x))
}

/// The Newton matrix of mass and elasticity of two squares with `n` segments a side.
fn matrix(n: usize) -> Option<BlockMatrix> {
    let segments: Vec<String> = (0..2)
        .map(|body| format!("bodies.{body}.shape.square.segments={n}"))
        .collect();
    let Setup { world, state, .. } = build(parse(TWO_SQUARES, &segments).ok()?).ok()?;
    let nodes = world.rest.len() - world.model.surface.planes.len();
    let mut pairs: Vec<[usize; 2]> = world
        .model
        .energies
        .iter()
        .flat_map(|energy| energy.blocks())
        .collect();
    pairs.retain(|[a, b]| a != b);
    let position = fill_reducing(nodes, &pairs);
    for pair in &mut pairs {
        *pair = pair.map(|i| position[i]);
    }
    let (mut matrix, mut all) = (BlockMatrix::new(nodes, &mut pairs), true);
    for energy in &world.model.energies {
        let mut blocks = vec![Mat2::zeros(); energy.block_count()];
        energy.hessian(
            0..energy.element_count(),
            &state.x,
            world.h * world.h,
            Curvature::Projected,
            &mut blocks,
        );
        for (pair, block) in energy.blocks().into_iter().zip(&blocks) {
            let [a, b] = pair.map(|i| position[i]);
            all &= matrix.add(a, b, block);
        }
    }
    for (&j, mass) in position.iter().zip(&world.model.mass) {
        all &= matrix.add(j, j, &Mat2::from_diagonal(mass));
    }
    all.then_some(matrix)
}

/// A matrix that faer factorises.
pub struct Calibration {
    lower: SparseColMat<usize, f64>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    memory: MemBuffer,
}

impl Calibration {
    /// Orders and analyses `matrix`. `None` if memory does not suffice.
    pub fn of(matrix: &BlockMatrix) -> Option<Self> {
        let lower = matrix.lower();
        let parameters = CholeskySymbolicParams::default();
        let symbolic = factorize_symbolic_cholesky(
            lower.symbolic(),
            Side::Lower,
            SymmetricOrdering::Amd,
            parameters,
        )
        .ok()?;
        let memory = MemBuffer::new(
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default()),
        );
        Some(Self {
            factor: vec![0.0; symbolic.len_val()],
            lower,
            symbolic,
            memory,
        })
    }

    /// Factorises it; whether it is positive definite.
    pub fn factorise(&mut self) -> bool {
        let (values, lower) = (&mut self.factor, self.lower.as_ref());
        let (memory, by) = (
            MemStack::new(&mut self.memory),
            LltRegularization::default(),
        );
        self.symbolic
            .factorize_numeric_llt(
                values,
                lower,
                Side::Lower,
                by,
                Par::Seq,
                memory,
                Spec::default(),
            )
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_has_two_unknowns_a_vertex_and_is_positive_definite() {
        let matrix = matrix(6).unwrap();
        assert_eq!(matrix.nodes(), 2 * 7 * 7);
        assert!(Calibration::of(&matrix).unwrap().factorise());
    }
}
