//! Blocks of LZ4.
//!
//! A block is a list of sequences: bytes as they are, then a copy of bytes before them. The format
//! is described in LZ4's "Block Format Description".
//!
//! A sequence begins with a byte of two lengths: the upper half is the number of plain bytes, the lower
//! half the length of the copy less 4. A half of 15 continues in further bytes, up to one below 255. The
//! plain bytes follow, then the distance of the copy in two bytes. The last sequence has no copy.

/// Shortest copy.
/// A copy of three bytes would take as much space as it saves.
const SHORTEST: usize = 4;

/// Bytes of a block before compression; `None` if it is damaged or has more than `most`.
///
/// Lengths are compared with `most` before bytes are added, so that a damaged block takes no more
/// memory.
pub(super) fn unpacked(block: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = block;
    while let Some((&token, after)) = rest.split_first() {
        rest = after;
        // Bytes as they are.
        let own = length(usize::from(token >> 4), &mut rest)?;
        let (plain, after) = rest.split_at_checked(own)?;
        if plain.len() > most - bytes.len() {
            return None;
        }
        bytes.extend_from_slice(plain);
        // The last sequence has no copy.
        if after.is_empty() {
            return Some(bytes);
        }

        let (distance, after) = after.split_first_chunk::<2>()?;
        rest = after;
        // A distance of 0 has no meaning.
        let distance = usize::from(u16::from_le_bytes(*distance));
        let count = SHORTEST + length(usize::from(token & 15), &mut rest)?;
        let start = bytes.len().checked_sub(distance).filter(|_| distance > 0)?;
        if count > most - bytes.len() {
            return None;
        }
        // A copy may overlap its source.
        for k in start..start + count {
            bytes.push(bytes[k]);
        }
    }

    Some(bytes)
}

/// A length whose first four bits are given; 15 continues with bytes up to one below 255.
///
/// The bytes are removed from `rest`. `None` if they end before one below 255, or the sum overflows.
fn length(first: usize, rest: &mut &[u8]) -> Option<usize> {
    let mut length = first;
    if first < 15 {
        return Some(length);
    }
    loop {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        length = length.checked_add(usize::from(byte))?;
        if byte < 255 {
            return Some(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unpacked;

    #[test]
    fn bytes_are_copied_from_before_also_where_copies_overlap() {
        // Three bytes, a copy of nine from three bytes before, then two bytes.
        let block = [0x35, b'a', b'b', b'c', 3, 0, 0x20, b'x', b'y'];
        assert_eq!(unpacked(&block, 14).unwrap(), b"abcabcabcabcxy");
        assert_eq!(unpacked(&block, 13), None);

        // A run of 300 bytes, whose length has two further bytes.
        let block = [0x1f, b'a', 1, 0, 255, 26, 0x00];
        assert_eq!(unpacked(&block, 1000).unwrap(), [b'a'; 301]);
        for end in 1..block.len() - 1 {
            assert!(unpacked(&block[..end], 1000).is_none_or(|bytes| bytes.len() < 301));
        }
        assert_eq!(unpacked(&[0x10, b'a', 0, 0, 0], 9), None);
        assert_eq!(unpacked(&[0x10, b'a', 2, 0, 0], 9), None);
    }
}
