//! Blocks: the arrays of a run, one after the other as deflated bytes.
//!
//! An array of numbers is stored byte by byte: the lowest bytes of all numbers, then the next ones.
//! Lists of whole numbers are stored by the differences of successive ones.

use super::codec::folded;
use serde::Serialize;

/// Level of compression, from 1 (fast) to 10.
const LEVEL: u8 = 7;

/// Type of the numbers of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// Bytes as they are.
    Bytes,
    /// Whole numbers of 32 bits.
    Words,
    /// Whole numbers of 32 bits, by differences, folded.
    Steps,
    /// Floating-point numbers of 32 bits.
    Floats,
    /// Floating-point numbers of 64 bits.
    Doubles,
}

/// Name, type and place of a block.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Block {
    /// Name, by which the page finds it.
    pub(super) name: String,
    /// Type of its numbers.
    pub(super) kind: Kind,
    /// Number of its numbers.
    pub(super) count: usize,
    /// Place of its first byte among the bytes of all blocks.
    pub(super) start: usize,
    /// Number of its bytes.
    pub(super) bytes: usize,
}

/// Blocks with their bytes.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Names, types and places.
    pub(super) list: Vec<Block>,
    /// Bytes of all blocks.
    pub(super) bytes: Vec<u8>,
}

impl Blocks {
    /// Adds bytes.
    pub(super) fn bytes(&mut self, name: &str, bytes: &[u8]) {
        self.add(name, Kind::Bytes, bytes.len(), bytes);
    }

    /// Adds whole numbers.
    pub(super) fn words(&mut self, name: &str, numbers: &[u32]) {
        let sorted = by_weight(numbers.iter().map(|number| number.to_le_bytes()));
        self.add(name, Kind::Words, numbers.len(), &sorted);
    }

    /// Adds whole numbers below 2^31, by differences.
    pub(super) fn steps(&mut self, name: &str, numbers: impl IntoIterator<Item = u32>) {
        let mut before = 0;
        let mut differences = Vec::new();
        for number in numbers {
            differences.push(folded(i64::from(number) - before).to_le_bytes());
            before = i64::from(number);
        }
        let count = differences.len();
        self.add(name, Kind::Steps, count, &by_weight(differences));
    }

    /// Adds numbers rounded to [`RELATIVE_ERROR`] of themselves.
    pub(super) fn floats(&mut self, name: &str, numbers: impl IntoIterator<Item = f64>) {
        let mut rounded = Vec::new();
        for number in numbers {
            rounded.push(short(number).to_le_bytes());
        }
        let count = rounded.len();
        self.add(name, Kind::Floats, count, &by_weight(rounded));
    }

    /// Adds numbers as they are.
    pub(super) fn doubles(&mut self, name: &str, numbers: impl IntoIterator<Item = f64>) {
        let exact: Vec<[u8; 8]> = numbers.into_iter().map(f64::to_le_bytes).collect();
        let count = exact.len();
        self.add(name, Kind::Doubles, count, &by_weight(exact));
    }

    /// Adds a block of `count` numbers, whose bytes are deflated.
    fn add(&mut self, name: &str, kind: Kind, count: usize, bytes: &[u8]) {
        let deflated = miniz_oxide::deflate::compress_to_vec(bytes, LEVEL);
        self.list.push(Block {
            name: name.to_owned(),
            kind,
            count,
            start: self.bytes.len(),
            bytes: deflated.len(),
        });
        self.bytes.extend(deflated);
    }
}

/// Largest relative error of [`Blocks::floats`]: the last of 16 binary digits is rounded.
pub(super) const RELATIVE_ERROR: f64 = 1.0 / 65_536.0;

/// A number with 16 binary digits. The last eight bits are 0, and take no room once deflated.
#[allow(
    clippy::cast_possible_truncation,
    reason = "numbers beyond the range of 32 bits become infinite"
)]
fn short(number: f64) -> f32 {
    let nearest = number as f32;
    if !nearest.is_finite() {
        return nearest;
    }
    // The exponent grows where the digits overflow, as it should.
    f32::from_bits((nearest.to_bits() + 0x80) & !0xff)
}

/// Bytes of numbers: the first bytes of all, then the second ones, and the rest in the same way.
fn by_weight<const N: usize>(numbers: impl IntoIterator<Item = [u8; N]>) -> Vec<u8> {
    let mut weights = vec![Vec::new(); N];
    for number in numbers {
        for (bytes, byte) in weights.iter_mut().zip(number) {
            bytes.push(byte);
        }
    }
    weights.concat()
}
