//! Positions over time: `trajectory.npy`, `[entries][vertices][2]`.

use super::folder::{FolderError, RunFolder, TRAJECTORY};
use crate::math::Vec2;
use npyz::{NpyHeader, WriterBuilder};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Writes `trajectory.npy` with `entries` entries of `vertices` vertices, whose positions (m) are `states`.
///
/// # Errors
/// [`FolderError::Io`], also if there are fewer states or vertices than announced.
pub fn write<'a>(
    folder: &RunFolder,
    [entries, vertices]: [usize; 2],
    states: impl Iterator<Item = io::Result<Cow<'a, [Vec2]>>>,
) -> Result<(), FolderError> {
    let shape = [entries as u64, vertices as u64, 2];
    folder.write(TRAJECTORY, |out| {
        let mut npy = npyz::WriteOptions::<f64>::new()
            .default_dtype()
            .shape(&shape)
            .writer(out)
            .begin_nd()?;
        for x in states {
            x?.iter()
                .flat_map(|p| [p.x, p.y])
                .try_for_each(|number| npy.push(&number))?;
        }
        npy.finish()
    })
}

/// A file is no trajectory.
#[derive(Debug, Error)]
pub enum TrajectoryError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It holds something else.
    #[error("{} has shape {shape:?} in {order} order; expected [entries, vertices, 2] in C order", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// Its shape.
        shape: Vec<u64>,
        /// Its order.
        order: &'static str,
    },
    /// It is too short or too long.
    #[error("{} has {bytes} bytes of numbers, but by its header shape {shape:?}; it was cut or damaged", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Its shape.
        shape: Vec<u64>,
        /// Bytes after the header.
        bytes: u64,
    },
}

/// Reads the entries of a trajectory one after another.
pub struct TrajectoryReader {
    numbers: npyz::NpyReader<f64, BufReader<File>>,
    path: PathBuf,
    entries: usize,
    vertices: usize,
}

impl TrajectoryReader {
    /// Opens the file `path`.
    ///
    /// # Errors
    /// [`TrajectoryError`].
    pub fn open(path: &Path) -> Result<Self, TrajectoryError> {
        let read = |source| TrajectoryError::Read {
            path: path.to_path_buf(),
            source,
        };
        let mut file = BufReader::new(File::open(path).map_err(read)?);
        let header = header(&mut file).map_err(read)?;
        let bytes = file
            .get_ref()
            .metadata()
            .and_then(|data| Ok(data.len().saturating_sub(file.stream_position()?)));
        let bytes = bytes.map_err(read)?;
        let file = npyz::NpyFile::with_header(header, file);
        let shape = file.shape().to_vec();
        let c_order = file.order() == npyz::Order::C;
        if shape.len() != 3 || shape[2] != 2 || !c_order {
            let order = if c_order { "C" } else { "Fortran" };
            return Err(TrajectoryError::Shape {
                path: path.to_path_buf(),
                shape,
                order,
            });
        }
        let numbers = file
            .data()
            .map_err(|error| read(io::Error::other(error.to_string())))?;
        let expected = shape
            .iter()
            .try_fold(8_u64, |product, &n| product.checked_mul(n));
        if expected != Some(bytes) {
            return Err(TrajectoryError::Length {
                path: path.to_path_buf(),
                shape,
                bytes,
            });
        }
        let [entries, vertices] =
            [shape[0], shape[1]].map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        Ok(Self {
            numbers,
            path: path.to_path_buf(),
            entries,
            vertices,
        })
    }

    /// Number of entries.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// The next entry's positions, in place of those in `x`.
    ///
    /// # Errors
    /// [`TrajectoryError::Read`], also where the file ends too early.
    pub fn next(&mut self, x: &mut Vec<Vec2>) -> Result<(), TrajectoryError> {
        x.clear();
        for _ in 0..self.vertices {
            let [a, b] = [self.number()?, self.number()?];
            x.push(Vec2::new(a, b));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<f64, TrajectoryError> {
        let number = self
            .numbers
            .next()
            .unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()));
        number.map_err(|source| TrajectoryError::Read {
            path: self.path.clone(),
            source,
        })
    }
}

/// Reads the header, if it is not so long or so nested that its parser, which tries again on every level, would take ages.
fn header(file: &mut impl Read) -> io::Result<NpyHeader> {
    const LONGEST: usize = 10_000;
    const DEEPEST: usize = 8;
    // What the file is, its version, and the length of the text, which has four bytes from version 2 on.
    let mut head = vec![0; 10];
    file.read_exact(&mut head)?;
    if !head.starts_with(b"\x93NUMPY") {
        return Err(invalid("it does not begin as a NumPy file does".to_owned()));
    }
    if head[6] > 1 {
        head.resize(12, 0);
        file.read_exact(&mut head[10..])?;
    }
    let length = head[8..]
        .iter()
        .rev()
        .fold(0, |length, &byte| length << 8 | usize::from(byte));
    if length > LONGEST {
        return Err(invalid(format!(
            "its header has {length} bytes; that of a trajectory has {LONGEST} at most"
        )));
    }
    let start = head.len();
    head.resize(start + length, 0);
    file.read_exact(&mut head[start..])?;
    let brackets = head[start..]
        .iter()
        .filter(|byte| b"([{".contains(byte))
        .count();
    if brackets > DEEPEST {
        return Err(invalid(format!(
            "its header has {brackets} brackets; that of a trajectory has {DEEPEST} at most"
        )));
    }
    NpyHeader::from_reader(&head[..])
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_begins_as_numpy_expects() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), false).unwrap();
        let states = [
            [Vec2::new(1.0, -2.5), Vec2::new(0.1, 1e-300)],
            [Vec2::new(3.0, 4.0), Vec2::new(-0.0, 1e300)],
        ];
        write(
            &folder,
            [2, 2],
            states.iter().map(|x| Ok(Cow::Borrowed(&x[..]))),
        )
        .unwrap();
        assert!(
            write(
                &folder,
                [3, 2],
                states.iter().map(|x| Ok(Cow::Borrowed(&x[..])))
            )
            .is_err()
        );
        let bytes = std::fs::read(dir.path().join(TRAJECTORY)).unwrap();
        assert!(
            bytes.starts_with(b"\x93NUMPY") && bytes[bytes.len() - 8..] == 1e300_f64.to_le_bytes()
        );
        assert!(String::from_utf8_lossy(&bytes[..128]).contains("(2, 2, 2"));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);

        let mut reader = TrajectoryReader::open(&dir.path().join(TRAJECTORY)).unwrap();
        assert_eq!((reader.entries(), reader.vertices()), (2, 2));
        let mut x = Vec::new();
        for state in states {
            reader.next(&mut x).unwrap();
            assert_eq!(x, state);
        }
        assert!(reader.next(&mut x).is_err());
    }

    #[test]
    fn a_header_that_is_too_long_or_too_nested_is_refused_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(TRAJECTORY);
        let refused = |version: u8, length: &[u8], text: &str| {
            std::fs::write(
                &path,
                [b"\x93NUMPY", &[version, 0][..], length, text.as_bytes()].concat(),
            )
            .unwrap();
            TrajectoryReader::open(&path).err().unwrap().to_string()
        };
        let nested = format!(
            "{{'descr': '<f8', 'fortran_order': False, 'shape': {}{}}}",
            "[".repeat(40),
            "]".repeat(40)
        );
        let message = refused(
            1,
            &u16::try_from(nested.len()).unwrap().to_le_bytes(),
            &nested,
        );
        assert!(
            message.ends_with("its header has 41 brackets; that of a trajectory has 8 at most"),
            "{message}"
        );
        let message = refused(2, &u32::MAX.to_le_bytes(), "");
        assert!(
            message.ends_with(
                "its header has 4294967295 bytes; that of a trajectory has 10000 at most"
            ),
            "{message}"
        );
        std::fs::write(&path, "step,time,kinetic").unwrap();
        let message = TrajectoryReader::open(&path).err().unwrap().to_string();
        assert!(
            message.ends_with("it does not begin as a NumPy file does"),
            "{message}"
        );
    }
}
