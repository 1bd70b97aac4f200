//! Arrays of numbers as `.npy` files, written and read number by number.
//!
//! `NumPy` reads these files directly, and so does nearly every other tool. Each is a header with
//! type, order and shape, then the numbers in C order, eight bytes each, little-endian. The shape
//! is known before the first number is written, so an array may be longer than memory; a writer
//! that gets more or fewer numbers than its shape fails instead of leaving a file that is wrong.
//!
//! A reader checks type, order, shape and length of the file before the first number. The header is
//! a Python literal; one that is very long or deeply nested is refused, since files may come from
//! anywhere.
//!
//! Format: `NumPy` enhancement proposal 1, `numpy.lib.format`.

use super::error::FolderError;
use super::file::PartialFile;
use super::folder::RunFolder;
use ipcsim::files::open as open_file;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Writes an array of known shape in C order; every number has eight bytes.
pub struct NpyWriter {
    /// File that gets its name when all numbers are there.
    file: PartialFile,
    /// Number of numbers that are still missing.
    left: u64,
}

impl NpyWriter {
    /// Begins the file `name` of an array of `T` with the given shape.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be created.
    pub fn create<T: Word>(
        folder: &RunFolder,
        name: &str,
        shape: &[usize],
    ) -> Result<Self, FolderError> {
        let shape: Vec<u64> = shape.iter().map(|&length| length as u64).collect();
        let header = header_of(&format!("'{}'", T::TYPE), &shape);
        Self::begin(folder, name, &header, shape.iter().product())
    }

    /// Begins the file `name` with a `header`, after which this number of numbers follows.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be created.
    pub(super) fn begin(
        folder: &RunFolder,
        name: &str,
        header: &[u8],
        numbers: u64,
    ) -> Result<Self, FolderError> {
        let mut file = folder.begin(name)?;
        file.add(header)?;
        Ok(Self {
            file,
            left: numbers,
        })
    }

    /// Appends floating-point numbers.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written, or are more than the shape has.
    pub fn add(&mut self, numbers: impl IntoIterator<Item = f64>) -> Result<(), FolderError> {
        for number in numbers {
            self.add_word(number.to_le_bytes())?;
        }
        Ok(())
    }

    /// Appends a natural number.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written, or is more than the shape has.
    pub(super) fn add_natural(&mut self, number: u64) -> Result<(), FolderError> {
        self.add_word(number.to_le_bytes())
    }

    /// Appends whole numbers.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written, or are more than the shape has.
    pub(super) fn add_whole(&mut self, numbers: &[i64]) -> Result<(), FolderError> {
        for number in numbers {
            self.add_word(number.to_le_bytes())?;
        }
        Ok(())
    }

    /// Appends the eight bytes of a number.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written, or are more than the shape has.
    fn add_word(&mut self, word: [u8; 8]) -> Result<(), FolderError> {
        let Some(left) = self.left.checked_sub(1) else {
            return Err(self.wrong_count("more"));
        };
        self.left = left;
        self.file.add(&word)
    }

    /// Gives the file its name; returns its checksum (CRC-32, hexadecimal).
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be written, also if numbers are missing; then no file
    /// is left.
    pub fn finish(self) -> Result<String, FolderError> {
        if self.left > 0 {
            return Err(self.wrong_count("fewer"));
        }
        self.file.finish()
    }

    /// Error that the numbers are "more" or "fewer" (`how`) than the shape has.
    fn wrong_count(&self, how: &str) -> FolderError {
        let error = io::Error::other(format!("{how} numbers than its shape has"));
        super::error::failed("write", self.file.path())(error)
    }
}

/// A number of eight bytes.
pub trait Word: Copy {
    /// Its type in headers.
    const TYPE: &'static str;

    /// The number of these bytes, little-endian.
    fn of(bytes: [u8; 8]) -> Self;
}

impl Word for f64 {
    const TYPE: &'static str = "<f8";

    fn of(bytes: [u8; 8]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Word for u64 {
    const TYPE: &'static str = "<u8";

    fn of(bytes: [u8; 8]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

/// Header of a file with this type of entries, a Python literal, and shape. Spaces at its end align the
/// numbers.
pub(super) fn header_of(descr: &str, shape: &[u64]) -> Vec<u8> {
    const ALIGNED: usize = 64;
    let lengths: Vec<String> = shape.iter().map(|length| format!("{length}, ")).collect();
    let lengths = lengths.concat();
    let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({lengths}), }}");
    let start = MAGIC.len() + 4;
    let whole = (start + text.len() + 1).next_multiple_of(ALIGNED);

    // A header of version 1 has at most 65,535 bytes, far more than any of this program.
    let length = u16::try_from(whole - start).unwrap_or(u16::MAX);
    let mut header = [MAGIC, &[1, 0], &length.to_le_bytes(), text.as_bytes()].concat();
    header.resize(whole - 1, b' ');
    header.push(b'\n');
    header
}

/// Beginning of every file.
const MAGIC: &[u8] = b"\x93NUMPY";

/// A file does not hold the array that is expected.
#[derive(Debug, Error)]
pub enum NpyError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The array has another shape or order.
    #[error("{} has shape {shape:?} in {order} order; expected {expected} in C order", path.display())]
    Shape {
        /// Path of the file.
        path: PathBuf,
        /// Shape of the array.
        shape: Vec<u64>,
        /// Order of the array, C or Fortran.
        order: &'static str,
        /// Expected shape, with names for lengths that are free.
        expected: String,
    },
    /// The file is too short or too long for its shape.
    #[error(
        "{} has {bytes} bytes of numbers, but by its header shape {shape:?}; it was cut or damaged",
        path.display()
    )]
    Length {
        /// Path of the file.
        path: PathBuf,
        /// Shape of the array.
        shape: Vec<u64>,
        /// Bytes after the header.
        bytes: u64,
    },
}

/// Expected length of an axis of an array.
pub(super) enum Axis {
    /// Any length; the name stands in messages.
    Any(&'static str),
    /// This length.
    Is(usize),
}

/// Reads the numbers of an array one after another; the array may be longer than memory.
pub(super) struct NpyReader<T> {
    /// File, after the last number that was read.
    file: BufReader<File>,
    /// Number of numbers that are left.
    left: u64,
    /// Path of the file, for messages.
    path: PathBuf,
    /// Length of each axis.
    shape: Vec<u64>,
    /// Type of the numbers.
    word: PhantomData<T>,
}

impl<T: Word> NpyReader<T> {
    /// Opens the array `path`, which must have the given axes and exactly their numbers.
    ///
    /// # Errors
    /// - [`NpyError::Read`] if the file cannot be read, or holds another type of numbers,
    /// - [`NpyError::Shape`] if shape or order differ from what is expected,
    /// - [`NpyError::Length`] if the file is too short or too long for its shape.
    pub(super) fn open(path: &Path, axes: &[Axis]) -> Result<Self, NpyError> {
        Self::of(path, axes, false)
    }

    /// Opens the array `path` of a run under way, which may be longer than its head says.
    ///
    /// # Errors
    /// As [`NpyReader::open`], but for a file that is too long.
    pub(super) fn open_growing(path: &Path, axes: &[Axis]) -> Result<Self, NpyError> {
        Self::of(path, axes, true)
    }

    /// Opens the array `path`, which may be longer than its head says if it `grows`.
    ///
    /// # Errors
    /// As [`NpyReader::open`].
    fn of(path: &Path, axes: &[Axis], grows: bool) -> Result<Self, NpyError> {
        let read = |source| NpyError::Read {
            path: path.to_path_buf(),
            source,
        };

        // The header, and the bytes after it.
        let mut file = BufReader::new(open_file(path).map_err(read)?);
        let header = header(&mut file).map_err(read)?;
        let whole = file.get_ref().metadata().map_err(read)?.len();
        let bytes = whole.saturating_sub(file.stream_position().map_err(read)?);

        // No checksum can be known of a header that is written again and again.
        if grows && header.bytes != header_of(&format!("'{}'", T::TYPE), &header.shape) {
            return Err(read(invalid("its header is damaged".to_owned())));
        }

        // The shape as it should be, and as many numbers as it says.
        let shape = header.shape;
        if header.is_fortran || !fits(&shape, axes) {
            return Err(NpyError::Shape {
                path: path.to_path_buf(),
                shape,
                order: if header.is_fortran { "Fortran" } else { "C" },
                expected: listed(axes),
            });
        }
        if header.descr != T::TYPE {
            let [found, expected] = [&header.descr, T::TYPE];
            let message = format!("its numbers have the type \"{found}\", not \"{expected}\"");
            return Err(read(invalid(message)));
        }

        let count = shape
            .iter()
            .try_fold(1_u64, |product, &length| product.checked_mul(length));
        let expected = count.and_then(|count| count.checked_mul(8));
        let is_enough = |expected| expected == bytes || (grows && expected < bytes);
        if !expected.is_some_and(is_enough) {
            return Err(NpyError::Length {
                path: path.to_path_buf(),
                shape,
                bytes,
            });
        }
        Ok(Self {
            file,
            left: count.unwrap_or_default(),
            path: path.to_path_buf(),
            shape,
            word: PhantomData,
        })
    }

    /// Length of an axis, counted from 0.
    pub(super) fn length(&self, axis: usize) -> usize {
        usize::try_from(self.shape[axis]).unwrap_or(usize::MAX)
    }

    /// The next number in C order.
    ///
    /// # Errors
    /// [`NpyError::Read`] if it cannot be read, also at the end of the array.
    pub(super) fn number(&mut self) -> Result<T, NpyError> {
        self.word().map(T::of).map_err(|source| NpyError::Read {
            path: self.path.clone(),
            source,
        })
    }

    /// The eight bytes of the next number.
    ///
    /// # Errors
    /// Error of the operating system, or `UnexpectedEof` at the end of the array.
    fn word(&mut self) -> io::Result<[u8; 8]> {
        let left = self.left.checked_sub(1);
        self.left = left.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut word = [0; 8];
        self.file.read_exact(&mut word)?;
        Ok(word)
    }
}

/// True if the array has as many axes as expected, with the expected lengths.
fn fits(shape: &[u64], axes: &[Axis]) -> bool {
    shape.len() == axes.len()
        && shape.iter().zip(axes).all(|(&length, axis)| match axis {
            Axis::Any(_) => true,
            Axis::Is(expected) => length == *expected as u64,
        })
}

/// Axes for messages: `[places, 12, 2]`.
fn listed(axes: &[Axis]) -> String {
    let axes: Vec<String> = axes
        .iter()
        .map(|axis| match axis {
            Axis::Any(name) => (*name).to_owned(),
            Axis::Is(length) => length.to_string(),
        })
        .collect();
    format!("[{}]", axes.join(", "))
}

/// Header of an array of plain numbers.
struct Header {
    /// Type of the numbers.
    descr: String,
    /// True if the first axis changes fastest.
    is_fortran: bool,
    /// Length of each axis.
    shape: Vec<u64>,
    /// All bytes of the header.
    bytes: Vec<u8>,
}

/// Reads the header of a file and leaves the file at its first number.
///
/// # Errors
/// `InvalidData` if it is no `NumPy` header of plain numbers, very long or deeply nested, or the
/// system's error.
fn header(file: &mut impl Read) -> io::Result<Header> {
    const LONGEST: usize = 10_000;
    const DEEPEST: usize = 8;

    // Magic, version, and the length of the text, which has four bytes from version 2 on.
    let mut head = vec![0; 10];
    file.read_exact(&mut head)?;
    if !head.starts_with(MAGIC) {
        return Err(invalid("it is not a NumPy file".to_owned()));
    }
    if head[6] > 1 {
        head.resize(12, 0);
        file.read_exact(&mut head[10..])?;
    }

    // Little-endian, two or four bytes.
    let mut length = 0;
    for &byte in head[8..].iter().rev() {
        length = length << 8 | usize::from(byte);
    }
    if length > LONGEST {
        return Err(invalid(format!(
            "its header has {length} bytes; at most {LONGEST} are read"
        )));
    }

    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let brackets = text.matches(['(', '[', '{']).count();
    if brackets > DEEPEST {
        return Err(invalid(format!(
            "its header has {brackets} brackets; at most {DEEPEST} are read"
        )));
    }
    let mut header = Header::parse(&text).ok_or_else(|| {
        invalid(format!(
            "its header is no array of numbers: {}",
            text.trim()
        ))
    })?;
    header.bytes = [&head, &bytes[..]].concat();
    Ok(header)
}

impl Header {
    /// Header of this text: a Python dictionary of three entries.
    fn parse(text: &str) -> Option<Self> {
        let mut text = text.replace('"', "'");
        text.retain(|c| !c.is_whitespace());
        let value = |key: &str| Some(text.split_once(&format!("'{key}':"))?.1);

        let descr = value("descr")?.strip_prefix('\'')?.split('\'').next()?;
        let order = value("fortran_order")?;
        let is_fortran = order.starts_with("True");
        let (lengths, _) = value("shape")?.strip_prefix('(')?.split_once(')')?;
        let lengths = lengths
            .split_terminator(',')
            .map(|length| length.parse().ok());
        (is_fortran || order.starts_with("False")).then_some(Self {
            descr: descr.to_owned(),
            is_fortran,
            shape: lengths.collect::<Option<_>>()?,
            bytes: Vec::new(),
        })
    }
}

/// Error that a file is not what it should be.
fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests;
