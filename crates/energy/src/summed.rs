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
    /// Factor of the energy of each element (1), `[elements]`; empty if all are 1.
    factors: Vec<f64>,
}

impl<E, const N: usize> Default for Summed<E, N> {
    fn default() -> Self {
        Self {
            stencils: Vec::new(),
            elements: Vec::new(),
            factors: Vec::new(),
        }
    }
}

impl<E, const N: usize> Summed<E, N> {
    /// Adds an element with these vertices.
    pub fn push(&mut self, stencil: [usize; N], element: E) {
        self.stencils.push(stencil);
        self.elements.push(element);
    }

    /// Adds an element whose energy is multiplied by a `factor` (1). All elements of the sum have one.
    ///
    /// Forces, stiffness and stress are multiplied, too; the domain stays. A field of factors makes each
    /// element a number of its own: moduli that are to be found from a deflection, or densities of a
    /// body whose shape is to be found.
    pub fn push_graded(&mut self, stencil: [usize; N], element: E, factor: f64) {
        self.push(stencil, element);
        self.factors.push(factor);
    }

    /// Factor of element `k` (1).
    fn factor(&self, k: usize) -> f64 {
        self.factors.get(k).copied().unwrap_or(1.0)
    }

    /// Multiplies the energies (J) of the elements of a range by their factors.
    ///
    /// Without factors nothing happens: the list is empty.
    fn grade(&self, range: Range<usize>, values: &mut [f64]) {
        for (value, factor) in values.iter_mut().zip(self.factors.iter().skip(range.start)) {
            *value *= factor;
        }
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
        self.factors.clear();
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
            E::values(self.batch(range.clone(), x), out);
            self.grade(range, out);
        })
    }

    fn values(&self, x: &[Vec2]) -> Vec<f64> {
        let mut values = vec![0.0; self.elements.len()];
        parallel::chunks(&mut values, BATCH, |start, values| {
            let range = start..start + values.len();
            E::values(self.batch(range.clone(), x), values);
            self.grade(range, values);
        });
        values
    }

    fn add_gradient(&self, x: &[Vec2], scale: f64, gradient: &mut [Vec2]) {
        parallel::scan(
            self.elements.len(),
            [Vec2::zeros(); N],
            |range, out| {
                E::gradients(self.batch(range.clone(), x), out);
                for (out, factor) in out.iter_mut().zip(self.factors.iter().skip(range.start)) {
                    *out = out.map(|force| force * *factor);
                }
            },
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
            if curvature == Curvature::Projected && self.factors.is_empty() {
                return E::hessians(self.batch(range, x), scale, blocks);
            }

            // One by one, and a factor before the scale, as its element would be written.
            for (k, own) in range.zip(blocks.chunks_exact_mut(each)) {
                let x = self.at(k, x);
                let mut blocks = match curvature {
                    Curvature::Projected => self.elements[k].hessian(&x),
                    Curvature::Exact => self.elements[k].exact_hessian(&x),
                };
                if let Some(factor) = self.factors.get(k) {
                    for block in blocks.as_flattened_mut() {
                        *block *= *factor;
                    }
                }
                write_lower(&blocks, scale, own);
            }
        });
    }

    fn products(&self, k: usize, x: &[Vec2], curvature: Curvature, add: &mut AddProduct) -> bool {
        self.factors.is_empty() && self.elements[k].products(&self.at(k, x), curvature, add)
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
            factors: self.factors.clone(),
        }))
    }

    fn stresses(&self, x: &[Vec2]) -> Vec<Stressed> {
        let mut stresses = Vec::new();
        for (k, (stencil, element)) in self.iter().enumerate() {
            let first = stresses.len();
            element.stresses(stencil, &self.at(k, x), &mut stresses);
            multiply(&mut stresses[first..], self.factor(k));
        }
        stresses
    }
}

/// Multiplies stresses by a factor.
///
/// Stress is linear in the energy, at the middle of a triangle and at its corners.
fn multiply(stresses: &mut [Stressed], factor: f64) {
    for own in stresses {
        own.middle = own.middle * factor;
        own.corners = own.corners.map(|stress| stress * factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Triangle;
    use crate::material::{Lame, NeoHookean};

    #[test]
    fn a_factor_multiplies_energy_derivatives_and_stress() {
        let rest = [[0.1, 0.0], [0.4, 0.1], [0.2, 0.35]].map(Vec2::from);
        let x = [[0.12, 0.03], [0.43, 0.08], [0.18, 0.39]].map(Vec2::from);
        let sum_of = |mu: f64, lambda: f64, factor: Option<f64>| {
            let element = Triangle::new(NeoHookean(Lame { mu, lambda }), rest, 1.0);
            let mut sum = Summed::default();
            match factor {
                Some(factor) => sum.push_graded([0, 1, 2], element, factor),
                None => sum.push([0, 1, 2], element),
            }
            sum
        };

        // A material with as many times the moduli has the same energy.
        let graded = sum_of(3.0, 5.0, Some(0.3));
        let weaker = sum_of(0.9, 1.5, None);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-13, "{a} {b}");
        near(graded.value(&x), weaker.value(&x));
        near(graded.values(&x)[0], graded.value(&x));
        near(
            graded.stresses(&x)[0].middle.xx,
            weaker.stresses(&x)[0].middle.xx,
        );
        let mut gradients = [[Vec2::zeros(); 3]; 2];
        graded.add_gradient(&x, 2.0, &mut gradients[0]);
        weaker.add_gradient(&x, 2.0, &mut gradients[1]);
        near((gradients[0][1] - gradients[1][1]).norm(), 0.0);
        for curvature in [Curvature::Projected, Curvature::Exact] {
            let mut blocks = [[Mat2::zeros(); 6]; 2];
            graded.hessian(0..1, &x, 2.0, curvature, &mut blocks[0]);
            weaker.hessian(0..1, &x, 2.0, curvature, &mut blocks[1]);
            near((blocks[0][1] - blocks[1][1]).norm(), 0.0);
        }
    }

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
