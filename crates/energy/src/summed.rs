//! Sums of local energies over many elements.
//!
//! The solver asks for the energy, the gradient and the Hessian of a potential. Each is a parallel
//! loop over batches of elements, whose results are combined in the order of elements
//! ([`parallel`]).

use super::batched::write_lower;
use super::{AddProduct, Batch, Batched, Curvature, Energy, StepBound, Stressed};
use ipcsim_math::parallel::BATCH;
use ipcsim_math::{Mat2, Vec2, parallel};
use std::ops::Range;

/// Sum of local energies of one kind: the potential of many elements.
///
/// Elements are evaluated in parallel, in batches of fixed size, and added in their own order. The
/// bits of the result do not depend on the number of threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Summed<E, const N: usize> {
    /// Vertices of each element, `[elements]`.
    pub stencils: Vec<[usize; N]>,
    /// Elements of the sum, in the order in which they were added.
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

impl<E, const N: usize> Summed<E, N> {
    /// Adds an element with these vertices.
    pub fn push(&mut self, stencil: [usize; N], element: E) {
        self.stencils.push(stencil);
        self.elements.push(element);
    }

    /// Makes room for `count` more elements.
    pub fn reserve(&mut self, count: usize) {
        self.stencils.reserve(count);
        self.elements.reserve(count);
    }

    /// Takes at least as much memory as `other` has, and no more: sums that change places and take
    /// turns would otherwise double each other's memory without end.
    pub fn reserve_like(&mut self, other: &Self) {
        let missing = |capacity: usize, len: usize| capacity.saturating_sub(len);
        self.stencils
            .reserve_exact(missing(other.stencils.capacity(), self.stencils.len()));
        self.elements
            .reserve_exact(missing(other.elements.capacity(), self.elements.len()));
    }

    /// Vertices and elements, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&[usize; N], &E)> {
        self.stencils.iter().zip(&self.elements)
    }

    /// Removes all elements and keeps the memory.
    pub fn clear(&mut self) {
        self.stencils.clear();
        self.elements.clear();
    }

    /// Positions (m) of the vertices of element `k`.
    fn at(&self, k: usize, x: &[Vec2]) -> [Vec2; N] {
        self.stencils[k].map(|i| x[i])
    }

    /// Elements of a range at the positions `x` (m).
    fn batch<'a>(&'a self, range: Range<usize>, x: &'a [Vec2]) -> Batch<'a, E, N> {
        Batch {
            elements: &self.elements[range.clone()],
            stencils: &self.stencils[range],
            x,
        }
    }
}

impl<E: Batched<N> + 'static, const N: usize> Energy for Summed<E, N> {
    fn name(&self) -> &'static str {
        E::NAME
    }

    fn value(&self, x: &[Vec2]) -> f64 {
        parallel::sum_of_batches(self.elements.len(), |range, out| {
            E::values(self.batch(range, x), out);
        })
    }

    fn values(&self, x: &[Vec2]) -> Vec<f64> {
        let mut values = vec![0.0; self.elements.len()];
        parallel::chunks(&mut values, BATCH, |start, values| {
            E::values(self.batch(start..start + values.len(), x), values);
        });
        values
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

        // Every element has its own blocks, so threads write without an order.
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

    fn products(&self, k: usize, x: &[Vec2], curvature: Curvature, add: &mut AddProduct) -> bool {
        self.elements[k].products(&self.at(k, x), curvature, add)
    }

    fn max_step(&self, x: &[Vec2], p: &[Vec2]) -> StepBound {
        let (fraction, element) =
            parallel::first_min_of_batches(self.elements.len(), 1.0, |range, out| {
                E::max_steps(self.batch(range, x), p, out);
            });
        StepBound { fraction, element }
    }

    fn admits(&self, x: &[Vec2]) -> bool {
        parallel::all_batches(self.elements.len(), |range| E::admit(self.batch(range, x)))
    }

    fn resized(&self, factor: f64) -> Option<Box<dyn Energy>> {
        let elements = self.elements.iter().map(|element| element.resized(factor));
        Some(Box::new(Self {
            stencils: self.stencils.clone(),
            elements: elements.collect::<Option<Vec<E>>>()?,
        }))
    }

    fn stresses(&self, x: &[Vec2]) -> Vec<Stressed> {
        let mut stresses = Vec::new();
        for (k, (stencil, element)) in self.iter().enumerate() {
            element.stresses(stencil, &self.at(k, x), &mut stresses);
        }
        stresses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_take_turns_do_not_grow() {
        let mut sums = [60, 100, 37].map(|count| {
            let mut sum = Summed::<f64, 2>::default();
            sum.stencils.reserve_exact(count);
            sum.elements.reserve_exact(count);
            sum
        });
        for turn in 0..100 {
            let [a, b] = sums.get_disjoint_mut([turn % 3, (turn + 1) % 3]).unwrap();
            a.reserve_like(b);
        }
        for sum in &sums {
            assert_eq!([sum.stencils.capacity(), sum.elements.capacity()], [100; 2]);
        }
    }
}
