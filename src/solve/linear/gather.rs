//! Assembly of blocks that are always at the same places: each stored block knows which contributions it sums, in which
//! order, so that threads need no locks and the sum has the same bits on any number of them.

use super::blocks::{BlockMatrix, add_block};
use crate::math::{Mat2, parallel};

/// For each block of a matrix the contributions to it.
#[derive(Clone, Debug, Default)]
pub struct Gather {
    /// First source of each block, `[blocks + 1]`.
    starts: Vec<u32>,
    /// Twice the contribution's index, plus one where its transpose is meant.
    sources: Vec<u32>,
    value_ends: Vec<usize>,
}

impl Gather {
    /// Prepares for contributions whose `(row, column)` nodes are given in order; `None` where one does not count, because
    /// a vertex of it is prescribed. Contributions outside of the matrix's pattern are left out. `None` if there are more
    /// than 2^31 of them.
    pub fn new(matrix: &BlockMatrix, places: impl Iterator<Item = Option<[usize; 2]>>) -> Option<Self> {
        let mut targets: Vec<(u32, u32)> = Vec::new();
        for (index, place) in places.enumerate() {
            if let Some(([a, b], slot)) = place.and_then(|[a, b]| Some(([a, b], matrix.slot(a, b)?))) {
                let source = u32::try_from(2 * index + usize::from(a < b)).ok()?;
                targets.push((u32::try_from(slot).ok()?, source));
            }
        }
        let mut starts = vec![0; matrix.block_count() + 1];
        for &(slot, _) in &targets {
            starts[slot as usize + 1] += 1;
        }
        for k in 0..matrix.block_count() {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; targets.len()];
        for (slot, source) in targets {
            sources[next[slot as usize] as usize] = source;
            next[slot as usize] += 1;
        }
        Some(Self { starts, sources, value_ends: matrix.value_ends() })
    }

    /// Replaces all values of the matrix by the sums of their contributions.
    pub fn assemble(&self, contributions: &[Mat2], matrix: &mut BlockMatrix) {
        let columns: Vec<usize> = (0..=matrix.nodes()).map(|j| matrix.first_block(j)).collect();
        parallel::fill_pieces(matrix.values_mut(), &self.value_ends, |j, piece| {
            piece.fill(0.0);
            let count = columns[j + 1] - columns[j];
            for k in 0..count {
                let mut sum = Mat2::zeros();
                let slot = columns[j] + k;
                for &source in &self.sources[self.starts[slot] as usize..self.starts[slot + 1] as usize] {
                    let block = &contributions[source as usize / 2];
                    sum += if source % 2 == 0 { *block } else { block.transpose() };
                }
                add_block(piece, count, k, &sum);
            }
        });
    }
}
