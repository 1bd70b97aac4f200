//! Speed of the machine, by which measured times are scaled: a numeric factorisation by faer and a
//! scalar loop.
//!
//! The factorisation has the matrix of a real scene and is the work of another library. It
//! therefore stays the same while this program gets faster, and depends on memory and vector units
//! as a step does. The scalar loop depends on the clock of the processor only.

use super::process::processor_seconds;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::SparseColMat;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Par, Side, Spec};
use ipcsim::energy::Curvature;
use ipcsim::math::Mat2;
use ipcsim::scene::{Setup, build, parse};
use ipcsim::sparse::{BlockMatrix, fill_reducing};
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// Text of chapter 8's scene, two squares with friction. Its meshes can have any size.
pub(super) const TWO_SQUARES: &str = include_str!("../../scenes/book/08_two_squares_friction.json");

/// Number of segments on each side of the two squares whose matrix is factorised: 101,124 unknowns.
const SEGMENTS: usize = 158;

/// Time of the factorisation on the reference machine (s).
pub(super) const REFERENCE: f64 = 0.077;

/// Calibration times of this machine (s), by which times of other machines are compared with its
/// own.
#[derive(Serialize)]
pub(super) struct Times {
    /// Time of the factorisation (s), nearly 0 if its scene cannot be built.
    pub(super) factorisation: f64,
    /// Time of the scalar loop (s).
    pub(super) scalar_loop: f64,
    /// Ratio of the factorisation's time to that of the reference machine.
    pub(super) scale: f64,
}

impl Times {
    /// Measures this machine, which takes some seconds. Each time is the least of 15 samples.
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

/// Time of `work` (s): the shortest wall time of some samples, or the mean processor time if that
/// is less. Other load on the machine disturbs processor time less.
fn least(samples: usize, mut work: impl FnMut() -> bool) -> f64 {
    let before = processor_seconds();

    // Shortest wall time.
    let mut shortest = f64::INFINITY;
    for _ in 0..samples {
        let started = Instant::now();
        black_box(work());
        shortest = shortest.min(started.elapsed().as_secs_f64());
    }

    // Mean processor time, where the system provides it.
    let spent = before
        .zip(processor_seconds())
        .map_or(f64::INFINITY, |(before, after)| after - before);
    shortest.min(spent / samples as f64)
}

/// Result of ten million steps of the logistic map `x -> 3.7 x (1 - x)`. Each step depends on the
/// one before, so that nothing runs side by side.
fn scalar_loop() -> f64 {
    (0..10_000_000).fold(black_box(0.3), |x, _| 3.7 * x * (1.0 - x))
}

/// Newton matrix `M + h^2 H` of mass and elasticity of two squares with `n` segments on each side,
/// in a fill-reducing order. `None` if the scene cannot be built.
fn matrix(n: usize) -> Option<BlockMatrix> {
    let segments: Vec<String> = (0..2)
        .map(|body| format!("bodies.{body}.shape.square.segments={n}"))
        .collect();
    let Setup { world, state, .. } = build(parse(TWO_SQUARES, &segments).ok()?).ok()?;

    // The pattern, in a fill-reducing order of nodes.
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

    // The values: Hessians of elasticity and the mass.
    let mut matrix = BlockMatrix::new(nodes, &mut pairs);
    let mut all = true;
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

/// Matrix with all that faer needs to factorise it by Cholesky decomposition, prepared once so that
/// only the numeric factorisation is timed.
pub struct Calibration {
    /// Lower triangle of the matrix.
    lower: SparseColMat<usize, f64>,
    /// Elimination order and pattern of the factor.
    symbolic: SymbolicCholesky<usize>,
    /// Entries of the factor.
    factor: Vec<f64>,
    /// Working memory of a factorisation.
    memory: MemBuffer,
}

impl Calibration {
    /// Orders and analyses `matrix`. Returns `None` if memory does not suffice.
    pub fn of(matrix: &BlockMatrix) -> Option<Self> {
        let lower = matrix.lower();
        let parameters = CholeskySymbolicParams::default();

        // Order of elimination and pattern of the factor.
        let symbolic = factorize_symbolic_cholesky(
            lower.symbolic(),
            Side::Lower,
            SymmetricOrdering::Amd,
            parameters,
        )
        .ok()?;

        // Memory that every factorisation uses again.
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

    /// Factorises the matrix on one thread. Returns true if it is positive definite.
    pub fn factorise(&mut self) -> bool {
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                self.lower.as_ref(),
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut self.memory),
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
