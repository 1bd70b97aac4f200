//! Damage to files, for the tests of all formats that must notice it.
//!
//! Each format must notice any flipped bit, any cut and any byte too many.

use std::path::Path;

/// Every copy of `bytes` with one bit flipped, after the bit's number.
pub(super) fn flipped(bytes: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    (0..8 * bytes.len()).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        (bit, flipped)
    })
}

/// Checks that a file is refused with any bit flipped, cut anywhere, or longer than it was, and
/// accepted as it was.
pub(super) fn assert_noticed(path: &Path, is_refused: impl Fn() -> bool) {
    // The file with other bytes.
    let bytes = std::fs::read(path).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(path, bytes).unwrap();
        is_refused()
    };

    for (bit, flipped) in flipped(&bytes) {
        assert!(refused(&flipped), "bit {bit}");
    }
    assert!((0..bytes.len()).all(|length| refused(&bytes[..length])));
    assert!(refused(&[&bytes[..], &[0]].concat()) && !refused(&bytes));
}
