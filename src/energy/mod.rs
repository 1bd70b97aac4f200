//! Potentials of vertex positions. An energy is written on one stencil of `N` vertices; the sum over all stencils, the
//! threads and the layout of the Hessian are written once, here.

mod dead_load;
mod orthogonality;
pub mod side_by_side;
mod spring;
mod triangle;

pub use dead_load::dead_load;
pub use orthogonality::Orthogonality;
pub use spring::Spring;
pub use triangle::Triangle;

use crate::math::parallel::BATCH;
use crate::math::{Mat2, Vec2, parallel};
use std::fmt;
use std::ops::Range;

/// Some elements of a sum, and the positions of all vertices.
#[derive(Debug)]
pub struct Batch<'a, E, const N: usize> {
    /// The elements.
    pub elements: &'a [E],
    /// The vertices of each.
    pub stencils: &'a [[usize; N]],
    /// Positions (m).
    pub x: &'a [Vec2],
}

impl<E, const N: usize> Batch<'_, E, N> {
    /// The positions of the vertices of element `k`.
    #[inline]
    pub fn at(&self, k: usize) -> [Vec2; N] {
        self.stencils[k].map(|i| self.x[i])
    }
}

/// The energy of `N` vertices: all that the author of a new energy writes.
pub trait LocalEnergy<const N: usize>: Send + Sync + Sized {
    /// The column it has in `energies.csv`.
    const NAME: &'static str;

    /// Energy (J); infinite outside of its domain.
    fn value(&self, x: &[Vec2; N]) -> f64;

    /// Derivative of the energy with respect to each position (N).
    fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N];

    /// Second derivatives (N/m), projected onto the positive semi-definite matrices.
    fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N];

    /// Second derivatives (N/m) as they are, for bodies whose vertices move on arcs: what the projection of an element takes
    /// away may be needed to balance what arcs add. The projected ones where that is not worth while.
    fn exact_hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        self.hessian(x)
    }

    /// The values of several elements, for energies that do them side by side.
    fn values(batch: Batch<Self, N>, out: &mut [f64]) {
        out.iter_mut()
            .enumerate()
            .for_each(|(k, out)| *out = batch.elements[k].value(&batch.at(k)));
    }

    /// Their gradients.
    fn gradients(batch: Batch<Self, N>, out: &mut [[Vec2; N]]) {
        out.iter_mut()
            .enumerate()
            .for_each(|(k, out)| *out = batch.elements[k].gradient(&batch.at(k)));
    }

    /// `scale` times the lower triangles of their projected Hessians, row by row.
    fn hessians(batch: Batch<Self, N>, scale: f64, blocks: &mut [Mat2]) {
        for (k, own) in blocks.chunks_exact_mut(N * (N + 1) / 2).enumerate() {
            write_lower(&batch.elements[k].hessian(&batch.at(k)), scale, own);
        }
    }

    /// [`LocalEnergy::max_step`] of several elements for the motion `p` of all vertices.
    fn max_steps(batch: Batch<Self, N>, p: &[Vec2], out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = batch.elements[k].max_step(&batch.at(k), &batch.stencils[k].map(|i| p[i]));
        }
    }

    /// Whether several elements admit their positions.
    fn admit(batch: Batch<Self, N>) -> bool {
        (0..batch.elements.len()).all(|k| batch.elements[k].admits(&batch.at(k)))
    }

    /// The largest fraction in `[0, 1]` of the motion `p` on which the energy stays in its domain.
    fn max_step(&self, _x: &[Vec2; N], _p: &[Vec2; N]) -> f64 {
        1.0
    }

    /// Whether `x`, as it is stored, is a state that may be: the end of a motion that [`LocalEnergy::max_step`] allows may
    /// be rounded to one that may not.
    fn admits(&self, _x: &[Vec2; N]) -> bool {
        true
    }

    /// The Cauchy stress (Pa), if this is the energy of a triangle.
    fn cauchy_stress(&self, _x: &[Vec2; N]) -> Option<Mat2> {
        None
    }
}

/// The largest fraction of a step that a potential allows, and which of its elements limits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepBound {
    /// Fraction in `[0, 1]`.
    pub fraction: f64,
    /// Index of the limiting element; none where `fraction` is 1.
    pub element: Option<usize>,
}

impl StepBound {
    /// The whole step is allowed.
    pub const FULL: Self = Self {
        fraction: 1.0,
        element: None,
    };

    /// The smallest of `f(0..count)`, each a fraction.
    pub fn smallest(count: usize, f: impl Fn(usize) -> f64 + Sync) -> Self {
        let (fraction, element) = parallel::first_min(count, 1.0, f);
        Self { fraction, element }
    }
}

/// Which second derivatives are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curvature {
    /// Those of each element projected onto the positive semi-definite matrices, so that the sum is, too.
    Projected,
    /// Those of contacts as they are, see [`LocalEnergy::exact_hessian`].
    Exact,
}

/// A potential of all vertex positions.
pub trait Energy: Send + Sync {
    /// The column it has in `energies.csv`.
    fn name(&self) -> &'static str;

    /// Energy (J).
    fn value(&self, x: &[Vec2]) -> f64;

    /// Adds `scale` times the derivative to `gradient` (`[n]`).
    fn add_gradient(&self, x: &[Vec2], scale: f64, gradient: &mut [Vec2]);

    /// Number of elements.
    fn element_count(&self) -> usize;

    /// The vertices of element `k`.
    fn stencil(&self, k: usize) -> &[usize];

    /// Number of blocks of each element: the lower triangle, row by row. Of two mutually transposed blocks only one counts.
    fn blocks_each(&self) -> usize;

    /// Number of blocks of all elements.
    fn block_count(&self) -> usize {
        self.element_count() * self.blocks_each()
    }

    /// The vertex pairs `(row, column)` of all blocks, element by element.
    fn blocks(&self) -> Vec<[usize; 2]> {
        let mut pairs = Vec::with_capacity(self.block_count());
        for stencil in (0..self.element_count()).map(|k| self.stencil(k)) {
            for (row, &i) in stencil.iter().enumerate() {
                pairs.extend(stencil[..=row].iter().map(|&j| [i, j]));
            }
        }
        pairs
    }

    /// Writes `scale` times the blocks of the Hessians of these elements.
    fn hessian(
        &self,
        elements: Range<usize>,
        x: &[Vec2],
        scale: f64,
        curvature: Curvature,
        blocks: &mut [Mat2],
    );

    /// The largest safe fraction of the step `p`.
    fn max_step(&self, x: &[Vec2], p: &[Vec2]) -> StepBound;

    /// Whether all elements admit `x`.
    fn admits(&self, x: &[Vec2]) -> bool;

    /// The Cauchy stress (Pa) of each triangle that this is the energy of.
    fn stresses(&self, x: &[Vec2]) -> Vec<([usize; 3], Mat2)>;
}

impl fmt::Debug for dyn Energy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} elements", self.name(), self.element_count())
    }
}

/// Writes `scale` times the lower triangle of a Hessian, row by row.
#[inline]
fn write_lower<const N: usize>(hessian: &[[Mat2; N]; N], scale: f64, blocks: &mut [Mat2]) {
    let mut slots = blocks.iter_mut();
    for (row, line) in hessian.iter().enumerate() {
        for (block, slot) in line[..=row].iter().zip(&mut slots) {
            *slot = block * scale;
        }
    }
}

/// A sum of local energies.
#[derive(Clone, Debug)]
pub struct Summed<E, const N: usize> {
    /// Vertices of each element.
    pub stencils: Vec<[usize; N]>,
    /// The elements.
    pub elements: Vec<E>,
}

impl<E, const N: usize> Default for Summed<E, N> {
    fn default() -> Self {
        Self {
            stencils: Vec::new(),
            elements: Vec::new(),
        }
    }
}

impl<E: LocalEnergy<N>, const N: usize> Summed<E, N> {
    /// Adds an element.
    pub fn push(&mut self, stencil: [usize; N], element: E) {
        self.stencils.push(stencil);
        self.elements.push(element);
    }

    /// Elements and their vertices, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&[usize; N], &E)> {
        self.stencils.iter().zip(&self.elements)
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.stencils.clear();
        self.elements.clear();
    }

    fn at(&self, k: usize, x: &[Vec2]) -> [Vec2; N] {
        self.stencils[k].map(|i| x[i])
    }

    fn batch<'a>(&'a self, range: Range<usize>, x: &'a [Vec2]) -> Batch<'a, E, N> {
        Batch {
            elements: &self.elements[range.clone()],
            stencils: &self.stencils[range],
            x,
        }
    }
}

impl<E: LocalEnergy<N>, const N: usize> Energy for Summed<E, N> {
    fn name(&self) -> &'static str {
        E::NAME
    }

    fn value(&self, x: &[Vec2]) -> f64 {
        parallel::sum_of_batches(self.elements.len(), |range, out| {
            E::values(self.batch(range, x), out);
        })
    }

    fn add_gradient(&self, x: &[Vec2], scale: f64, gradient: &mut [Vec2]) {
        parallel::scan(
            self.elements.len(),
            [Vec2::zeros(); N],
            |range, out| E::gradients(self.batch(range, x), out),
            |k, local| {
                for (i, g) in self.stencils[k].into_iter().zip(local) {
                    gradient[i] += g * scale;
                }
            },
        );
    }

    fn element_count(&self) -> usize {
        self.elements.len()
    }

    fn stencil(&self, k: usize) -> &[usize] {
        &self.stencils[k]
    }

    fn blocks_each(&self) -> usize {
        N * (N + 1) / 2
    }

    fn hessian(
        &self,
        elements: Range<usize>,
        x: &[Vec2],
        scale: f64,
        curvature: Curvature,
        blocks: &mut [Mat2],
    ) {
        let each = self.blocks_each();
        parallel::chunks(blocks, BATCH * each, |start, blocks| {
            let first = elements.start + start / each;
            let range = first..first + blocks.len() / each;
            match curvature {
                Curvature::Projected => E::hessians(self.batch(range, x), scale, blocks),
                Curvature::Exact => {
                    for (k, own) in range.zip(blocks.chunks_exact_mut(each)) {
                        write_lower(&self.elements[k].exact_hessian(&self.at(k, x)), scale, own);
                    }
                }
            }
        });
    }

    fn admits(&self, x: &[Vec2]) -> bool {
        parallel::all_batches(self.elements.len(), |range| E::admit(self.batch(range, x)))
    }

    fn stresses(&self, x: &[Vec2]) -> Vec<([usize; 3], Mat2)> {
        let of = |k: usize| {
            let triangle = <[usize; 3]>::try_from(&self.stencils[k][..]).ok()?;
            Some((triangle, self.elements[k].cauchy_stress(&self.at(k, x))?))
        };
        (0..self.elements.len()).filter_map(of).collect()
    }

    fn max_step(&self, x: &[Vec2], p: &[Vec2]) -> StepBound {
        let of = |range: Range<usize>, out: &mut [f64]| E::max_steps(self.batch(range, x), p, out);
        let (fraction, element) = parallel::first_min_of_batches(self.elements.len(), 1.0, of);
        StepBound { fraction, element }
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::LocalEnergy;
    use crate::math::Vec2;
    use nalgebra::DMatrix;

    /// Compares gradient and (where it was not clamped) Hessian with finite differences, and checks that the projected
    /// Hessian has no negative eigenvalue and that the whole force and torque vanish.
    pub(crate) fn check<const N: usize>(
        energy: &impl LocalEnergy<N>,
        x: [Vec2; N],
        step: f64,
        clamped: bool,
    ) {
        let shifted = |i: usize, axis: usize, by: f64| {
            let mut y = x;
            y[i][axis] += by;
            y
        };
        let (gradient, hessian) = (energy.gradient(&x), energy.hessian(&x));
        let mut full = DMatrix::zeros(2 * N, 2 * N);
        let force_scale =
            gradient.iter().map(Vec2::norm).sum::<f64>() + energy.value(&x).abs() / step * 1e-9;
        for i in 0..N {
            for axis in 0..2 {
                let (plus, minus) = (shifted(i, axis, step), shifted(i, axis, -step));
                let slope = (energy.value(&plus) - energy.value(&minus)) / (2.0 * step);
                assert!(
                    (slope - gradient[i][axis]).abs() < 1e-5 * force_scale,
                    "{slope} {}",
                    gradient[i][axis]
                );
                let (after, before) = (energy.gradient(&plus), energy.gradient(&minus));
                for j in 0..N {
                    let change = (after[j] - before[j]) / (2.0 * step);
                    let scale = hessian
                        .iter()
                        .flatten()
                        .map(crate::math::Mat2::norm)
                        .fold(0.0, f64::max);
                    for k in 0..2 {
                        full[(2 * j + k, 2 * i + axis)] = hessian[j][i][(k, axis)];
                        let error = (change[k] - hessian[j][i][(k, axis)]).abs();
                        assert!(
                            clamped || error < 1e-5 * scale + 1e-9,
                            "{j} {i}: {change} {}",
                            hessian[j][i]
                        );
                    }
                }
            }
        }
        assert!((&full - full.transpose()).norm() <= 1e-12 * full.norm());
        let least = full.clone().symmetric_eigenvalues().min();
        assert!(least >= -1e-10 * full.norm(), "{least}");
        let force: Vec2 = gradient.iter().sum();
        assert!(force.norm() <= 1e-11 * force_scale + 1e-300, "{force}");
    }

    /// The torque of the gradient about the origin, which vanishes for energies that do not see rotations.
    pub(crate) fn torque<const N: usize>(energy: &impl LocalEnergy<N>, x: [Vec2; N]) -> f64 {
        energy
            .gradient(&x)
            .iter()
            .zip(x)
            .map(|(g, x)| crate::math::cross(x, *g))
            .sum()
    }
}
