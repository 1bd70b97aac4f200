//! Assembly of energies that never change: each block of each element knows its place in the matrix.
//!
//! Each part of the matrix is one thread's, which evaluates all elements that have a block there; those at the border of parts
//! are evaluated for each of them. A place gets its blocks in the order of elements, however the matrix is cut, hence the same
//! bits on any number of threads.

use crate::energy::{Curvature, Energy};
use crate::math::{Mat2, Vec2, parallel};
use crate::sparse::BlockMatrix;
use std::ops::Range;

/// The places of one energy's blocks.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// For each block twice the index of its place, plus one where its transpose is stored; [`NOWHERE`] for those that are not
    /// scattered.
    places: Vec<u32>,
    /// Blocks of the matrix in each of its parts, of which the last may have less.
    part: usize,
    /// For each part the elements that have a block there.
    runs: Vec<Vec<Range<usize>>>,
    /// The elements some vertex of which is not free: these go through a Jacobian.
    reduced: Vec<Range<usize>>,
}

/// The place of a block that has none.
const NOWHERE: u32 = u32::MAX;

/// Blocks that are evaluated before they are added: they stay in the nearest cache.
const BATCH: usize = 192;

/// Parts for each thread, and the least blocks that are worth one.
const PARTS: usize = 4;
const SMALL: usize = 4096;

/// Number of blocks in each part of a matrix.
pub fn part_size(matrix: &BlockMatrix) -> usize {
    let parts = if parallel::threads() == 1 {
        1
    } else {
        PARTS * parallel::threads()
    };
    matrix.block_count().div_ceil(parts).max(SMALL)
}

/// Replaces all values of the matrix by the projected Hessians of the energies at positions `x`, times a scale.
pub fn assemble(
    scatters: &[Scatter],
    energies: &[Box<dyn Energy>],
    (x, scale): (&[Vec2], f64),
    matrix: &mut BlockMatrix,
) {
    let part = scatters.first().map_or(SMALL, |scatter| scatter.part);
    parallel::chunks(matrix.values_mut(), part, |first, values| {
        values.fill(Mat2::zeros());
        for (scatter, energy) in scatters.iter().zip(energies) {
            scatter.add(energy.as_ref(), (x, scale), (first, values));
        }
    });
}

impl Scatter {
    /// Finds the places in a matrix that is cut into parts of `part` blocks. `slot` tells the index of the block of two
    /// vertices, if it counts, and whether its transpose is stored. `None` if the matrix has 2^31 blocks or more.
    pub fn new(
        energy: &dyn Energy,
        part: usize,
        is_free: impl Fn(usize) -> bool,
        slot: impl Fn([usize; 2]) -> Option<(usize, bool)>,
    ) -> Option<Self> {
        let mut scatter = Self {
            places: Vec::with_capacity(energy.block_count()),
            part,
            runs: Vec::new(),
            reduced: Vec::new(),
        };
        for k in 0..energy.element_count() {
            let stencil = energy.stencil(k);
            let free = stencil.iter().all(|&i| is_free(i));
            if !free {
                append(&mut scatter.reduced, k);
            }
            for (row, &i) in stencil.iter().enumerate() {
                for &j in &stencil[..=row] {
                    let place = slot([i, j]).filter(|_| free);
                    scatter.push(k, place)?;
                }
            }
        }
        Some(scatter)
    }

    /// Adds the place of the next block, which is one of element `k`.
    fn push(&mut self, k: usize, place: Option<(usize, bool)>) -> Option<()> {
        let Some((slot, transposed)) = place else {
            self.places.push(NOWHERE);
            return Some(());
        };
        self.places.push(
            u32::try_from(2 * slot + usize::from(transposed))
                .ok()
                .filter(|&place| place != NOWHERE)?,
        );
        let part = slot / self.part;
        if self.runs.len() <= part {
            self.runs.resize(part + 1, Vec::new());
        }
        append(&mut self.runs[part], k);
        Some(())
    }

    /// The elements that are not scattered.
    pub fn reduced(&self) -> impl Iterator<Item = Range<usize>> {
        self.reduced.iter().cloned()
    }

    /// Adds all blocks that have a place in a part of the matrix: `values` from block `first` on.
    fn add(
        &self,
        energy: &dyn Energy,
        (x, scale): (&[Vec2], f64),
        (first, values): (usize, &mut [Mat2]),
    ) {
        let each = energy.blocks_each();
        let mut blocks = [Mat2::zeros(); BATCH];
        for run in self.runs.get(first / self.part).into_iter().flatten() {
            for start in run.clone().step_by(BATCH / each) {
                let end = run.end.min(start + BATCH / each);
                let blocks = &mut blocks[..(end - start) * each];
                energy.hessian(start..end, x, scale, Curvature::Projected, blocks);
                for (block, &place) in blocks.iter().zip(&self.places[start * each..]) {
                    if let Some(value) = values.get_mut((place as usize / 2).wrapping_sub(first)) {
                        let transposed = place % 2 == 1;
                        value.m11 += block.m11;
                        value.m21 += if transposed { block.m12 } else { block.m21 };
                        value.m12 += if transposed { block.m21 } else { block.m12 };
                        value.m22 += block.m22;
                    }
                }
            }
        }
    }
}

/// Adds `k` to ascending runs, if it is not there yet.
fn append(runs: &mut Vec<Range<usize>>, k: usize) {
    match runs.last_mut() {
        Some(last) if last.end > k => {}
        Some(last) if last.end == k => last.end += 1,
        _ => runs.push(k..k + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::{Spring, Summed};
    use crate::math::parallel::with_threads;

    const N: usize = 120;

    /// Springs of a grid whose nodes are numbered as they come, and where the last row is not free.
    fn springs() -> (Box<dyn Energy>, Vec<Vec2>) {
        let mut springs = Summed::<Spring, 2>::default();
        let at = |k: usize| Vec2::new((k % N) as f64, (k / N) as f64 + 0.1 * (k as f64).sin());
        for k in 0..N * N {
            let right = (k % N + 1 < N).then_some(k + 1);
            for other in right.into_iter().chain((k + N < N * N).then_some(k + N)) {
                let stencil = if k % 3 == 0 { [k, other] } else { [other, k] };
                springs.push(
                    stencil,
                    Spring {
                        stiffness: 1.0 + (k % 7) as f64,
                        rest_squared: 0.9,
                    },
                );
            }
        }
        (Box::new(springs), (0..N * N).map(at).collect())
    }

    #[test]
    fn the_sum_is_that_of_single_blocks_to_the_bit_on_any_number_of_threads() {
        let (energy, x) = springs();
        let is_free = |i: usize| i < N * (N - 1);
        let row = |i: usize| (i * 7919) % (N * N);
        let pairs: Vec<[usize; 2]> = energy
            .blocks()
            .into_iter()
            .map(|pair| pair.map(row))
            .collect();
        let mut expected = BlockMatrix::new(N * N, &mut pairs.clone());
        let mut blocks = vec![Mat2::zeros(); energy.block_count()];
        energy.hessian(
            0..energy.element_count(),
            &x,
            0.3,
            Curvature::Projected,
            &mut blocks,
        );
        for (k, own) in blocks.chunks(energy.blocks_each()).enumerate() {
            let stencil = energy.stencil(k);
            if stencil.iter().all(|&i| is_free(i)) {
                for (block, [i, j]) in own.iter().zip([[0, 0], [1, 0], [1, 1]]) {
                    assert!(expected.add(row(stencil[i]), row(stencil[j]), block));
                }
            }
        }
        let on = |threads| {
            let mut matrix = BlockMatrix::new(N * N, &mut pairs.clone());
            let assembled = with_threads(Some(threads), || {
                let slot = |pair: [usize; 2]| {
                    let [a, b] = pair.map(row);
                    Some((matrix.slot(a, b)?, a < b))
                };
                let scatter =
                    Scatter::new(energy.as_ref(), part_size(&matrix), is_free, slot).unwrap();
                assert_eq!(
                    scatter.reduced().map(|run| run.len()).sum::<usize>(),
                    2 * N - 1
                );
                let mut assembled = matrix.clone();
                assemble(
                    &[scatter],
                    std::slice::from_ref(&energy),
                    (&x, 0.3),
                    &mut assembled,
                );
                assembled
            });
            matrix = assembled.unwrap();
            matrix.values_mut().to_vec()
        };
        const { assert!(N * N * 3 > 3 * SMALL, "one part would prove nothing") };
        for threads in [1, 2, 8] {
            assert!(on(threads) == expected.values_mut(), "{threads} threads");
        }
    }
}
