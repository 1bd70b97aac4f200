//! Several elements of one energy at once.
//!
//! [`Summed`](super::Summed) cuts its elements into batches and evaluates each batch by one call.
//! Any gain comes from the energy: by default a batch is evaluated element by element.

use super::LocalEnergy;
use ipcsim_math::{Mat2, Vec2};

/// Range of the elements of a sum, and the positions of all vertices.
#[derive(Debug)]
pub struct Batch<'a, E, const N: usize> {
    /// Elements of the batch, `[elements]`.
    pub elements: &'a [E],
    /// Vertices of each element, `[elements]`.
    pub stencils: &'a [[usize; N]],
    /// Positions of all vertices (m), `[vertices]`.
    pub x: &'a [Vec2],
}

impl<E, const N: usize> Batch<'_, E, N> {
    /// Positions of the vertices of element `k` of the batch.
    #[inline]
    pub fn at(&self, k: usize) -> [Vec2; N] {
        self.stencils[k].map(|i| self.x[i])
    }
}

/// Evaluation of several elements in one call: an optimisation that most energies leave empty.
///
/// By default elements are evaluated one by one by the functions of [`LocalEnergy`]. An energy that
/// is evaluated often may compute several elements in the lanes of vector registers instead (see
/// [`simd`](super::simd)). Results must agree with [`LocalEnergy`]: the same bits for values,
/// gradients and step bounds, equal up to rounding for Hessians.
pub trait Batched<const N: usize>: LocalEnergy<N> {
    /// Writes the energy (J) of each element to `out`.
    fn values(batch: Batch<Self, N>, out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = batch.elements[k].value(&batch.at(k));
        }
    }

    /// Writes the gradient (N) of each element to `out`.
    fn gradients(batch: Batch<Self, N>, out: &mut [[Vec2; N]]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = batch.elements[k].gradient(&batch.at(k));
        }
    }

    /// Writes `scale` times the lower triangle of each element's projected Hessian (N/m) to
    /// `blocks`, row by row.
    fn hessians(batch: Batch<Self, N>, scale: f64, blocks: &mut [Mat2]) {
        for (k, own) in blocks.chunks_exact_mut(N * (N + 1) / 2).enumerate() {
            write_lower(&batch.elements[k].hessian(&batch.at(k)), scale, own);
        }
    }

    /// Writes [`LocalEnergy::max_step`] of each element for the motion `p` of all vertices (m) to
    /// `out`.
    fn max_steps(batch: Batch<Self, N>, p: &[Vec2], out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = batch.elements[k].max_step(&batch.at(k), &batch.stencils[k].map(|i| p[i]));
        }
    }

    /// True if all elements admit their positions. Evaluation may end at the first that does not.
    fn admit(batch: Batch<Self, N>) -> bool {
        (0..batch.elements.len()).all(|k| batch.elements[k].admits(&batch.at(k)))
    }
}

/// Writes `scale` times the lower triangle of a Hessian to `blocks`, row by row: the order of
/// [`Energy::blocks`](super::Energy::blocks).
#[inline]
pub(super) fn write_lower<const N: usize>(
    hessian: &[[Mat2; N]; N],
    scale: f64,
    blocks: &mut [Mat2],
) {
    let mut slots = blocks.iter_mut();
    for (row, line) in hessian.iter().enumerate() {
        for (block, slot) in line[..=row].iter().zip(&mut slots) {
            *slot = block * scale;
        }
    }
}
