//! Places of the blocks between reduced bodies in the matrix.
//!
//! Many contacts of two bodies fill the same few blocks. Their places are searched for once for each
//! pair of bodies, and then serve as long as the pattern of the matrix does.

use super::numbering::key;
use ipcsim_math::Mat2;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Place of a block that is not stored, since one of its nodes is fixed.
const NOWHERE: u32 = u32::MAX;

/// Largest index of a block that has a place here.
const LARGEST_SLOT: usize = (u32::MAX / 2) as usize - 1;

/// Place of a block in the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Index of the block, and true if its transpose is stored there.
    At(usize, bool),
    /// One of the nodes is fixed.
    Fixed,
}

/// Consecutive nodes of an element that are of one body.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The nodes.
    pub(super) nodes: Range<usize>,
    /// Number of the first one within the element.
    pub(super) first: usize,
}

/// Places that were asked for since the pattern was made.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// Where the places of two ranges of nodes begin in `codes`, by the [`key`] of their first nodes.
    starts: HashMap<u64, usize, BuildHasherDefault<Mixer>>,
    /// For each block of two ranges, row by row, twice the index of its place, plus one if its
    /// transpose is stored there; or [`NOWHERE`].
    codes: Vec<u32>,
}

/// Places of the blocks of two ranges of nodes, row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between<'a> {
    /// Codes of the places.
    codes: &'a [u32],
    /// Number of columns.
    columns: usize,
}

impl Places {
    /// Places of all blocks between nodes of `rows` and `columns`, which `place` finds one by one;
    /// `None` if one has no place. Ranges with the same first nodes are the same.
    #[inline]
    pub(super) fn find(
        &mut self,
        rows: Range<usize>,
        columns: Range<usize>,
        place: impl Fn([usize; 2]) -> Option<Place>,
    ) -> Option<Between<'_>> {
        let columns_each = columns.len();
        let count = rows.len() * columns_each;
        let key = key([rows.start, columns.start]);
        let start = match self.starts.get(&key) {
            Some(&start) => start,
            None => self.look_up(key, rows, columns, place)?,
        };
        Some(Between {
            codes: &self.codes[start..start + count],
            columns: columns_each,
        })
    }

    /// Adds the places of two ranges of nodes to the table, and returns where they begin in `codes`;
    /// `None` if one has no place.
    fn look_up(
        &mut self,
        key: u64,
        rows: Range<usize>,
        columns: Range<usize>,
        place: impl Fn([usize; 2]) -> Option<Place>,
    ) -> Option<usize> {
        let start = self.codes.len();
        for row in rows {
            for column in columns.clone() {
                let code = place([row, column]).and_then(Place::code);

                // One missing block makes the whole entry useless.
                let Some(code) = code else {
                    self.codes.truncate(start);
                    return None;
                };
                self.codes.push(code);
            }
        }

        self.starts.insert(key, start);
        Some(start)
    }
}

impl Between<'_> {
    /// Adds a block to the `values` of a matrix, at a row and a column of these.
    #[inline]
    pub(super) fn add(&self, row: usize, column: usize, block: &Mat2, values: &mut [Mat2]) {
        let code = self.codes[row * self.columns + column];
        if code != NOWHERE {
            let is_transposed = code % 2 == 1;
            values[code as usize / 2] += if is_transposed {
                block.transpose()
            } else {
                *block
            };
        }
    }
}

impl Place {
    /// The place as a number; `None` if the matrix is too large.
    fn code(self) -> Option<u32> {
        match self {
            Self::Fixed => Some(NOWHERE),
            Self::At(slot, _) if slot > LARGEST_SLOT => None,
            Self::At(slot, is_transposed) => {
                u32::try_from(2 * slot + usize::from(is_transposed)).ok()
            }
        }
    }
}

/// Hash of a number by multiplication (Knuth, The Art of Computer Programming, volume 3,
/// section 6.4). No result depends on the order of the table.
#[derive(Default)]
struct Mixer(u64);

/// The golden ratio times 2^64, odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(GOLDEN);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_goes_to_its_place_and_a_missing_place_is_noticed() {
        // Node 3 is fixed, and nodes 2 and 5 have no block.
        let place = |[a, b]: [usize; 2]| match [a, b] {
            [2, 5] => None,
            [3, _] | [_, 3] => Some(Place::Fixed),
            _ => Some(Place::At(10 * a + b, a < b)),
        };
        let mut places = Places::default();
        for _ in 0..2 {
            assert!(places.find(2..4, 0..2, place).is_some());
            assert!(places.find(2..4, 4..6, place).is_none());
        }

        let block = Mat2::new(1.0, 2.0, 3.0, 4.0);
        let mut values = vec![Mat2::zeros(); 40];
        let below = places.find(2..4, 0..2, place).unwrap();
        below.add(0, 1, &block, &mut values);
        below.add(1, 1, &block, &mut values);
        let above = places.find(0..2, 2..3, place).unwrap();
        above.add(1, 0, &block, &mut values);

        assert_eq!(values[21], block);
        assert_eq!(values[12], block.transpose());
        assert_eq!(values.iter().filter(|v| **v != Mat2::zeros()).count(), 2);
    }

    #[test]
    fn a_place_beyond_the_largest_number_is_none_and_a_fixed_one_is_nowhere() {
        assert_eq!(Place::Fixed.code(), Some(NOWHERE));
        assert_eq!(Place::At(5, false).code(), Some(10));
        assert_eq!(Place::At(5, true).code(), Some(11));
        assert_eq!(Place::At(LARGEST_SLOT, true).code(), Some(NOWHERE - 2));
        assert_eq!(Place::At(LARGEST_SLOT + 1, false).code(), None);
    }
}
