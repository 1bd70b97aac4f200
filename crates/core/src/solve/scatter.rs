//! Assembly of energies that never change: each block of each element knows its place in the
//! matrix.
//!
//! Each part of the matrix belongs to one thread, which evaluates all elements with a block there.
//! Elements at the border of parts are evaluated for each of them. A place receives its blocks in
//! the order of elements, however the matrix is cut, hence the same bits on any number of threads.
//! No thread waits for another, and no block is locked.
//!
//! Places are found once for a pattern, so that no column is searched while the matrix is
//! assembled. Elements with a vertex that is not free have no fixed place: their blocks pass
//! through a Jacobian first.

use super::evaluation::Evaluation;
use crate::tuning::{SCATTER_BATCH, SCATTER_LEAST_PART, SCATTER_PARTS};
use ipcsim_energy::Energy;
use ipcsim_math::{Mat2, parallel};
use ipcsim_sparse::BlockMatrix;
use std::ops::Range;

/// Places of one energy's blocks in the matrix.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// For each block twice the index of its place, plus one if its transpose is stored there;
    /// [`NOWHERE`] for blocks that are not scattered.
    places: Vec<u32>,
    /// Blocks in each part of the matrix; the last part may have fewer.
    part: usize,
    /// Elements with a block in each part.
    runs: Vec<Vec<Range<usize>>>,
    /// Elements with a vertex that is not free: their blocks go through a Jacobian.
    reduced: Vec<Range<usize>>,
}

/// Code of a block that is not scattered.
const NOWHERE: u32 = u32::MAX;

/// Number of blocks in each part of a matrix: `SCATTER_PARTS` parts for each thread, but no part below
/// `SCATTER_LEAST_PART`; one part for one thread.
pub fn part_size(matrix: &BlockMatrix) -> usize {
    let parts = if parallel::threads() == 1 {
        1
    } else {
        SCATTER_PARTS * parallel::threads()
    };
    matrix.block_count().div_ceil(parts).max(SCATTER_LEAST_PART)
}

/// Replaces all values of the matrix by the sum of the Hessians of the energies that are asked for.
pub fn assemble(
    scatters: &[Scatter],
    energies: &[&dyn Energy],
    asked: Evaluation,
    matrix: &mut BlockMatrix,
) {
    let part = scatters
        .first()
        .map_or(SCATTER_LEAST_PART, |scatter| scatter.part);
    parallel::chunks(matrix.values_mut(), part, |first, values| {
        values.fill(Mat2::zeros());
        let mut part = Part { first, values };
        for (scatter, energy) in scatters.iter().zip(energies) {
            scatter.add(*energy, asked, &mut part);
        }
    });
}

/// Consecutive blocks of a matrix, which one thread adds up.
struct Part<'a> {
    /// Index of the first block.
    first: usize,
    /// Values of the blocks, in the order of the matrix.
    values: &'a mut [Mat2],
}

impl Scatter {
    /// Finds the places in a matrix that is cut into parts of `part` blocks.
    ///
    /// `slot` gives the index of the block of two vertices, if both are unknown, and true if its
    /// transpose is stored. `None` if the matrix has 2^31 blocks or more.
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

            // Lower triangle of the element's blocks, row by row.
            for (row, &i) in stencil.iter().enumerate() {
                for &j in &stencil[..=row] {
                    let place = slot([i, j]).filter(|_| free);
                    scatter.push(k, place)?;
                }
            }
        }
        Some(scatter)
    }

    /// Appends the place of the next block, which belongs to element `k`; `None` if the index of
    /// the place is too large.
    fn push(&mut self, k: usize, place: Option<(usize, bool)>) -> Option<()> {
        let Some((slot, transposed)) = place else {
            self.places.push(NOWHERE);
            return Some(());
        };
        let coded = u32::try_from(2 * slot + usize::from(transposed)).ok()?;
        if coded == NOWHERE {
            return None;
        }
        self.places.push(coded);

        let part = slot / self.part;
        if self.runs.len() <= part {
            self.runs.resize(part + 1, Vec::new());
        }
        append(&mut self.runs[part], k);
        Some(())
    }

    /// Runs of elements with a vertex that is not free, which are not scattered.
    pub fn reduced(&self) -> impl Iterator<Item = Range<usize>> {
        self.reduced.iter().cloned()
    }

    /// Adds all blocks that have a place in a part of the matrix.
    fn add(&self, energy: &dyn Energy, asked: Evaluation, part: &mut Part) {
        let each = energy.blocks_each();
        let mut blocks = [Mat2::zeros(); SCATTER_BATCH];

        // Elements in batches whose blocks stay in the nearest cache.
        for run in self.runs.get(part.first / self.part).into_iter().flatten() {
            for start in run.clone().step_by(SCATTER_BATCH / each) {
                let end = run.end.min(start + SCATTER_BATCH / each);
                let blocks = &mut blocks[..(end - start) * each];
                energy.hessian(start..end, asked.x, asked.scale, asked.curvature, blocks);
                for (block, &place) in blocks.iter().zip(&self.places[start * each..]) {
                    part.add(place, block);
                }
            }
        }
    }
}

impl Part<'_> {
    /// Adds a block, if its place is in this part.
    #[inline]
    fn add(&mut self, place: u32, block: &Mat2) {
        let index = (place as usize / 2).wrapping_sub(self.first);
        if let Some(value) = self.values.get_mut(index) {
            let transposed = place % 2 == 1;
            value.m11 += block.m11;
            value.m21 += if transposed { block.m12 } else { block.m21 };
            value.m12 += if transposed { block.m21 } else { block.m12 };
            value.m22 += block.m22;
        }
    }
}

/// Appends `k` to ascending runs; without effect if it is their last element already.
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
    use ipcsim_energy::Curvature;
    use ipcsim_energy::{Spring, Summed};
    use ipcsim_math::Vec2;
    use ipcsim_math::parallel::with_threads;

    /// Nodes along each side of the grid.
    const N: usize = 120;
    /// Factor of the energy.
    const SCALE: f64 = 0.3;

    /// Springs between neighbours in a grid of `N` times `N` nodes, and the positions (m).
    fn springs() -> (Box<dyn Energy>, Vec<Vec2>) {
        let mut springs = Summed::<Spring, 2>::default();
        let at = |k: usize| Vec2::new((k % N) as f64, (k / N) as f64 + 0.1 * (k as f64).sin());

        // Neighbours to the right and above, in both orders.
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
        const {
            assert!(N * N > SCATTER_LEAST_PART, "one part would prove nothing");
        };
        let (energy, x) = springs();
        let energies = [energy];
        let pairs: Vec<[usize; 2]> = energies[0]
            .blocks()
            .into_iter()
            .map(|pair| pair.map(row))
            .collect();

        let mut expected = one_by_one(energies[0].as_ref(), &x, &pairs);
        for threads in [1, 2, 8] {
            let mut found =
                with_threads(Some(threads), || scattered(&energies, &x, &pairs)).unwrap();
            assert!(
                found.values_mut() == expected.values_mut(),
                "{threads} threads"
            );
        }
    }

    /// False for the last row of the grid.
    fn is_free(i: usize) -> bool {
        i < N * (N - 1)
    }

    /// Row of a vertex in the matrix, in a mixed order.
    fn row(i: usize) -> usize {
        (i * 7919) % (N * N)
    }

    /// Matrix from blocks that are added one by one, without vertices that are not free.
    fn one_by_one(energy: &dyn Energy, x: &[Vec2], pairs: &[[usize; 2]]) -> BlockMatrix {
        let mut matrix = BlockMatrix::new(N * N, &mut pairs.to_vec());
        let mut blocks = vec![Mat2::zeros(); energy.block_count()];
        let all = 0..energy.element_count();
        energy.hessian(all, x, SCALE, Curvature::Projected, &mut blocks);

        for (k, own) in blocks.chunks(energy.blocks_each()).enumerate() {
            let stencil = energy.stencil(k);
            if stencil.iter().all(|&i| is_free(i)) {
                for (block, [i, j]) in own.iter().zip([[0, 0], [1, 0], [1, 1]]) {
                    assert!(matrix.add(row(stencil[i]), row(stencil[j]), block));
                }
            }
        }
        matrix
    }

    /// Matrix that is assembled by places, part by part.
    fn scattered(energies: &[Box<dyn Energy>], x: &[Vec2], pairs: &[[usize; 2]]) -> BlockMatrix {
        let mut matrix = BlockMatrix::new(N * N, &mut pairs.to_vec());
        let slot = |pair: [usize; 2]| {
            let [a, b] = pair.map(row);
            Some((matrix.slot(a, b)?, a < b))
        };

        let energy = energies[0].as_ref();
        let scatter = Scatter::new(energy, part_size(&matrix), is_free, slot).unwrap();
        let reduced: usize = scatter.reduced().map(|run| run.len()).sum();
        assert_eq!(reduced, 2 * N - 1);

        let energies: Vec<&dyn Energy> = energies.iter().map(AsRef::as_ref).collect();
        assemble(
            &[scatter],
            &energies,
            Evaluation::projected(x, SCALE),
            &mut matrix,
        );
        matrix
    }
}
