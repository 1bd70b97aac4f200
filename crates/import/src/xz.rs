//! Files of xz: blocks of LZMA2, and checks, which are not compared.
//!
//! The format is described in "The .xz File Format". A block has one filter, LZMA2: chunks with
//! their length before and after compression, so that nothing is unpacked beyond a limit.
//!
//! A file is
//!
//! - a head: six bytes, two bytes of flags; the second says the kind of check, a checksum;
//! - blocks: the length of the head in units of four bytes less 1, flags, filters, padding, a checksum;
//!   then the chunks, padding to four bytes, and a check of the contents;
//! - an index of the blocks, which begins with 0, and a foot. Both repeat numbers, and are not read.
//!
//! A chunk begins with a byte: 0 ends the block, 1 and 2 are plain bytes, and from 128 on it is packed by
//! LZMA. Its bits say if the state, the parameters and the bytes before are forgotten, and have the
//! upper bits of the length before compression.

use super::lzma::{Lzma, Parameters};

/// Bytes at the head of a file.
/// The first one is not a character of UTF-8, so that no text is taken for such a file.
const HEAD: &[u8] = b"\xfd7zXZ\0";

/// Number of the filter LZMA2.
/// Filters before it, such as for programs, are not read.
const LZMA2: usize = 0x21;

/// Bytes of a file before compression; `None` if it is damaged or has more than `most`.
///
/// Kinds of checks are none, CRC32, CRC64 and SHA-256 with 0, 4, 8 and 32 bytes. Others are refused,
/// because the end of a block would not be known.
pub(super) fn unpacked(file: &[u8], most: usize) -> Option<Vec<u8>> {
    let rest = file.strip_prefix(HEAD)?;
    // Two bytes of flags, the lower half of the second is the kind of check, and a checksum.
    let check = match rest.get(1)? & 15 {
        0 => 0,
        1 => 4,
        4 => 8,
        10 => 32,
        _ => return None,
    };

    let mut rest = rest.get(6..)?;

    let mut bytes = Vec::new();
    // An index, which begins with 0, follows the blocks.
    while let Some(&size) = rest.first().filter(|&&size| size > 0) {
        let length = 4 * (usize::from(size) + 1);
        let (head, after) = rest.split_at_checked(length)?;
        is_lzma2(head)?;
        let left = chunks(after, &mut bytes, most)?;
        // Padding to four bytes, and the check.
        let used = (after.len() - left.len()).next_multiple_of(4) + check;
        rest = after.get(used..)?;
    }

    Some(bytes)
}

/// `Some` if the head of a block names LZMA2 as the only filter.
///
/// Flags of the head say how many filters there are, less 1 (the two lowest bits), and which lengths
/// it has.
fn is_lzma2(head: &[u8]) -> Option<()> {
    let flags = *head.get(1)?;
    let mut rest = head.get(2..)?;
    // Lengths after and before compression, each if it is known.
    for flag in [0x40, 0x80] {
        if flags & flag != 0 {
            integer(&mut rest)?;
        }
    }
    (flags.trailing_zeros() >= 2 && integer(&mut rest)? == LZMA2).then_some(())
}

/// A number of seven bits a byte, the least first.
///
/// The highest bit of a byte says that another one follows. It is removed from `rest`; `None` if it
/// is longer than nine bytes.
fn integer(rest: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for k in 0..9 {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        number |= usize::from(byte & 0x7f).checked_shl(7 * k)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Unpacks the chunks of a block to `bytes`; gives the bytes that follow.
///
/// `None` if a chunk is damaged, or more than `most` bytes would be there.
fn chunks<'a>(block: &'a [u8], bytes: &mut Vec<u8>, most: usize) -> Option<&'a [u8]> {
    let mut rest = block;
    let mut first = bytes.len();
    let mut lzma: Option<Lzma> = None;
    loop {
        let (&control, after) = rest.split_first()?;
        rest = after;
        if control == 0 {
            return Some(rest);
        }
        // Bytes before this chunk are forgotten.
        if control == 1 || control >= 0xe0 {
            first = bytes.len();
        }
        // Length before compression, less 1.
        let (length, after) = rest.split_first_chunk::<2>()?;
        rest = after;
        let mut count = usize::from(u16::from_be_bytes(*length)) + 1;
        if control >= 0x80 {
            count += usize::from(control & 0x1f) << 16;
        }
        if count > most.checked_sub(bytes.len())? {
            return None;
        }

        if control < 0x80 {
            let (plain, after) = rest.split_at_checked(count)?;
            bytes.extend_from_slice(plain);
            rest = after;
            continue;
        }

        let (length, after) = rest.split_first_chunk::<2>()?;
        rest = after;
        let packed = usize::from(u16::from_be_bytes(*length)) + 1;
        if control >= 0xc0 {
            let (&parameters, after) = rest.split_first()?;
            rest = after;
            lzma = Some(Lzma::new(Parameters::of(parameters)?));
        } else if control >= 0xa0 {
            lzma = lzma.map(|lzma| Lzma::new(lzma.parameters()));
        }
        let (packed, after) = rest.split_at_checked(packed)?;
        lzma.as_mut()?.unpack(packed, bytes, first, count)?;
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::unpacked;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    /// A text with repetitions, bytes of all values, and more repetitions, packed by Python's `lzma`.
    const PACKED: &str = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ASiARxdADoaCM52x+Xp1gc0w9EOv85V4aq94OSPmAHdjeUHVJ5lJV8nOmp+tNNJBVEjgfYrohABdEE4\
                          wTBQA02JVf5LU1LbQ9hBT2oo8DB4QVXPvxj1iqTKzYQbMXLlvrWjHteaPBz4thrXQIcHq8lym3AgjsBWLXeg/ssH4BzerbrSAyi76/SbwQ3l\
                          7Zult6eFJ23EgCSRpkETIegov3tmrTH5BcizrFRWXPZ7S//9Z7KBQxGMYywv2k15Gy4x/ZCE9T9/krNZl2Q1291WCDXgGcMx27SmdfloOetJ\
                          9MWHU+Zjk6hEd+yStTYI5OGDtKaxEyvNvFiiHNCLgjIlohTU6A3/TO6kaelIEnzxljJ+apc8KwajrlSRAsDzqWuMW7AAAEYVrGz5n1eSAAG4\
                          AqMJAADBmwMfscRn+wIAAAAABFla";

    #[test]
    fn a_file_of_xz_gives_its_bytes_and_no_more_than_allowed() {
        let packed = STANDARD.decode(PACKED).unwrap();
        let mut expected = b"the quick brown fox jumps over the lazy dog; ".repeat(7);
        expected.extend((0..=255).chain(0..=255));
        expected.extend(b"the lazy dog".repeat(30));
        assert_eq!(unpacked(&packed, expected.len()).unwrap(), expected);
        assert_eq!(unpacked(&packed, expected.len() - 1), None);
        for k in 0..packed.len() {
            let _ = unpacked(&packed[..k], 9999);
            let mut damaged = packed.clone();
            damaged[k] ^= 1 << (k % 8);
            assert!(unpacked(&damaged, 9999).is_none_or(|bytes| bytes.len() <= 9999));
        }
    }
}
