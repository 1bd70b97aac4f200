//! Kinds of numbers in binary files, and their values.
//!
//! Formats name the same ten kinds differently. All values become doubles, which hold the numbers of
//! points and cells of every file that fits into memory.

use super::ReadError;

/// Kind of a number in a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whole number of 1 byte.
    I8,
    /// Whole number of 1 byte without sign.
    U8,
    /// Whole number of 2 bytes.
    I16,
    /// Whole number of 2 bytes without sign.
    U16,
    /// Whole number of 4 bytes.
    I32,
    /// Whole number of 4 bytes without sign.
    U32,
    /// Whole number of 8 bytes.
    I64,
    /// Whole number of 8 bytes without sign.
    U64,
    /// Number of 4 bytes with a fraction.
    F32,
    /// Number of 8 bytes with a fraction.
    F64,
}

impl Kind {
    /// Kind by its name in XML files of VTK.
    /// `None` for texts, bits and unknown names.
    pub(super) fn of_xml(name: &str) -> Option<Self> {
        Some(match name {
            "Int8" => Self::I8,
            "UInt8" => Self::U8,
            "Int16" => Self::I16,
            "UInt16" => Self::U16,
            "Int32" => Self::I32,
            "UInt32" => Self::U32,
            "Int64" => Self::I64,
            "UInt64" => Self::U64,
            "Float32" => Self::F32,
            "Float64" => Self::F64,
            _ => return None,
        })
    }

    /// Kind by its name in legacy files of VTK, as a compiler with longs of 8 bytes writes them.
    /// Capital letters do not matter; `None` for texts, bits and unknown names.
    pub(super) fn of_legacy(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "char" | "vtktypeint8" => Self::I8,
            "unsigned_char" | "vtktypeuint8" => Self::U8,
            "short" | "vtktypeint16" => Self::I16,
            "unsigned_short" | "vtktypeuint16" => Self::U16,
            // VTK writes the numbers of points as int, whatever their length in memory.
            "int" | "vtkidtype" | "vtktypeint32" => Self::I32,
            "unsigned_int" | "vtktypeuint32" => Self::U32,
            "long" | "vtktypeint64" => Self::I64,
            "unsigned_long" | "vtktypeuint64" => Self::U64,
            "float" | "vtktypefloat32" => Self::F32,
            "double" | "vtktypefloat64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes of a number.
    pub(super) fn width(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// True if its numbers are whole.
    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    /// Numbers from bytes, as many as there are whole ones. Whole numbers above 2^53 are rounded.
    ///
    /// Bytes after the last whole number are left out.
    #[expect(
        clippy::cast_precision_loss,
        reason = "numbers of points are below 2^53"
    )]
    pub(super) fn values(self, bytes: &[u8], order: Order) -> Vec<f64> {
        macro_rules! each {
            ($number:ty, $double:expr) => {{
                let chunks = bytes.chunks_exact(size_of::<$number>());
                let chunks = chunks.filter_map(|chunk| chunk.try_into().ok());
                match order {
                    Order::Little => chunks.map(<$number>::from_le_bytes).map($double).collect(),
                    Order::Big => chunks.map(<$number>::from_be_bytes).map($double).collect(),
                }
            }};
        }

        match self {
            Self::I8 => each!(i8, f64::from),
            Self::U8 => each!(u8, f64::from),
            Self::I16 => each!(i16, f64::from),
            Self::U16 => each!(u16, f64::from),
            Self::I32 => each!(i32, f64::from),
            Self::U32 => each!(u32, f64::from),
            Self::I64 => each!(i64, |number| number as f64),
            Self::U64 => each!(u64, |number| number as f64),
            Self::F32 => each!(f32, f64::from),
            Self::F64 => each!(f64, |number| number),
        }
    }
}

/// Order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The least byte first.
    Little,
    /// The greatest byte first.
    Big,
}

/// A whole number from a number of a file.
///
/// `what` names the number in the message. Doubles hold all whole numbers up to 2^53.
///
/// # Errors
/// If it has a fraction, or a double does not hold it exactly.
#[expect(clippy::cast_possible_truncation, reason = "compared with 2^53 before")]
pub(super) fn whole(number: f64, what: &str) -> Result<i64, ReadError> {
    const MOST: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= MOST {
        return Ok(number as i64);
    }
    Err(ReadError::new(format!(
        "{number} stands where {what} should be"
    )))
}

/// A number of a point, from 0.
///
/// # Errors
/// If it is below 0, has a fraction, or is beyond what a double holds exactly.
pub(super) fn index(number: f64, what: &str) -> Result<usize, ReadError> {
    let whole = whole(number, what)?;
    usize::try_from(whole)
        .map_err(|_| ReadError::new(format!("{whole} stands where {what} should be")))
}
