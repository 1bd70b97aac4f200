//! Pattern of a Newton matrix by nodes of the model: the numbers from which a solver that resumes
//! makes the same system again.

use serde::{Deserialize, Serialize};

/// The pattern of a Newton matrix, by nodes of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// Components of nodes that are eliminated, `[nodes]`.
    pub fixed: Vec<[bool; 2]>,
    /// Pairs of different nodes that have a block.
    pub pairs: Vec<[usize; 2]>,
}

impl Pattern {
    /// True if this can be a pattern of a model with this number of nodes: sizes fit, and indices
    /// are in range.
    pub(super) fn fits(&self, nodes: usize) -> bool {
        let in_range = |pair: &[usize; 2]| pair.iter().all(|&node| node < nodes);
        self.fixed.len() == nodes && self.pairs.iter().all(in_range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_a_model_with_its_number_of_nodes_and_pairs_in_range() {
        let pattern = Pattern {
            fixed: vec![[false, true]; 3],
            pairs: vec![[1, 0], [2, 0]],
        };
        assert!(pattern.fits(3));
        assert!(!pattern.fits(2) && !pattern.fits(4));
        let beyond = Pattern {
            pairs: vec![[3, 0]],
            ..pattern
        };
        assert!(!beyond.fits(3));
    }
}
