//! Compressed arrays of XML files of VTK: blocks, each compressed by one of three methods.
//!
//! VTK names the method once for a file, by the class that compresses: `vtkZLibDataCompressor`,
//! `vtkLZ4DataCompressor` or `vtkLZMADataCompressor`. An array is cut into blocks of one length, 32 kB
//! unless a program sets another, and each block is compressed apart, so that the length of the whole
//! is known before anything is unpacked. It is compared with the number of points and cells first.

use super::ReadError;
use super::kinds::Order;
use super::lz4;
use super::xz;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// Method by which an array is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compressor {
    /// Zlib, as VTK does unless it is asked for another.
    Zlib,
    /// LZ4, in blocks without frames.
    Lz4,
    /// LZMA, in files of xz.
    Lzma,
}

impl Compressor {
    /// Method by its name in a file.
    ///
    /// # Errors
    /// If such a method does not exist.
    pub(super) fn of(name: &str) -> Result<Self, ReadError> {
        Ok(match name {
            "vtkZLibDataCompressor" => Self::Zlib,
            "vtkLZ4DataCompressor" => Self::Lz4,
            "vtkLZMADataCompressor" => Self::Lzma,
            _ => {
                let message = format!(
                    "it is compressed by \"{name}\", but zlib, LZ4 and LZMA are read; save it with zlib"
                );
                return Err(ReadError::new(message));
            }
        })
    }

    /// Bytes of a block before compression, at most this many; `None` if they are damaged.
    /// Each method compares the limit while it unpacks.
    fn unpacked(self, block: &[u8], most: usize) -> Option<Vec<u8>> {
        match self {
            Self::Zlib => decompress_to_vec_zlib_with_limit(block, most).ok(),
            Self::Lz4 => lz4::unpacked(block, most),
            Self::Lzma => xz::unpacked(block, most),
        }
    }
}

/// A compressed array.
pub(super) struct Packed {
    /// Bytes of each block before compression.
    pub(super) block: usize,
    /// Bytes of the last block before compression; 0 if it is as long as the others.
    pub(super) last: usize,
    /// Bytes of each block after compression.
    pub(super) lengths: Vec<usize>,
    /// All blocks after compression.
    pub(super) body: Vec<u8>,
}

impl Packed {
    /// Bytes before compression, at most this many.
    ///
    /// # Errors
    /// [`Undecoded`] if they are damaged, or too many.
    pub(super) fn unpacked(
        &self,
        compressor: Compressor,
        most: usize,
    ) -> Result<Vec<u8>, Undecoded> {
        let whole = self.block.saturating_mul(self.lengths.len());
        let whole = if self.last == 0 {
            whole
        } else {
            whole.saturating_sub(self.block).saturating_add(self.last)
        };
        // Nothing is unpacked before its length is known to be right.
        if whole > most {
            return Err(Undecoded::TooLong(whole));
        }

        // Each block is unpacked within the limit of the whole.
        let mut bytes = Vec::with_capacity(whole);
        let mut rest = &self.body[..];
        for &length in &self.lengths {
            let (part, after) = rest.split_at_checked(length).ok_or(Undecoded::Damaged)?;
            let block = compressor.unpacked(part, whole - bytes.len());
            bytes.extend(block.ok_or(Undecoded::Damaged)?);
            rest = after;
        }

        Ok(bytes)
    }
}

/// Reason why an array cannot be decoded.
#[derive(Debug)]
pub(super) enum Undecoded {
    /// They are damaged.
    Damaged,
    /// There are this many, which are too many.
    TooLong(usize),
}

/// Number `k` of a list of numbers without sign, of 4 or 8 bytes each.
///
/// `None` if the bytes end before it, or it does not fit into memory.
pub(super) fn number(bytes: &[u8], k: usize, width: usize, order: Order) -> Option<usize> {
    let start = k.checked_mul(width)?;
    let own = bytes.get(start..start.checked_add(width)?)?;
    let fold = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    let whole = match order {
        Order::Little => own.iter().rev().fold(0, fold),
        Order::Big => own.iter().fold(0, fold),
    };
    usize::try_from(whole).ok()
}
