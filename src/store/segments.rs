//! The ends of the step segments that a solver accepted: `segments.bin`, written by `run --certify`.
//!
//! A step goes from one stored state to the next by segments on each of which the solver found the way free. The file has
//! the state at the start and then the end of each segment, so that every segment begins where the one before ends. All
//! numbers are little-endian; those that are not counts are doubles.
//!
//! | bytes | contents |
//! |---|---|
//! | 16 | `ipcsim segments` and a line feed |
//! | 4 | the number of the format, 1 |
//! | 8, 8, 8 | vertices `n`, bodies that turn `k`, places `m` |
//! | `16 k` | of each body that turns its first vertex and how many it has |
//! | 4 | CRC-32 of all before |
//! | `m (8 + 16 n + 24 k + 4)` | places: the step, x and y of each vertex, x, y and angle of the centre of each body that turns, CRC-32 of these |
//!
//! Between two places vertices move on straight lines at constant speed, those of bodies that turn on arcs: the centre moves
//! on a straight line and the angle grows in proportion.

use super::folder::{FolderError, RunFolder, SEGMENTS};
use crate::body::{Configuration, Coordinates};
use crate::geometry::path::{RigidMotion, Turn};
use crate::math::Vec2;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// An end of segments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Positions of all vertices (m).
    pub x: Vec<Vec2>,
    /// Centre (m) and angle (rad) of each body that turns.
    pub turns: Vec<[f64; 3]>,
}

/// What all places of a file have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of vertices.
    pub vertices: usize,
    /// The vertices of each body that turns.
    pub turning: Vec<Range<usize>>,
}

/// The motions of all bodies, of those that turn, at the coordinates `q`: centres and angles.
fn turned(coordinates: &Coordinates, q: &[Vec2]) -> impl Iterator<Item = (usize, RigidMotion)> {
    // The motion from the origin at angle 0.
    let turns = coordinates.turns(q, q).into_iter().enumerate();
    turns.filter_map(|(k, turn)| Some((k, turn?.motion)))
}

impl Place {
    /// The place of a configuration.
    pub fn of(coordinates: &Coordinates, at: Configuration) -> Self {
        let turns = turned(coordinates, &at.q)
            .map(|(_, m)| [m.center.x, m.center.y, m.angle])
            .collect();
        Self { x: at.x, turns }
    }

    /// How the bodies that turn move from here to `end`.
    pub fn turns_to(&self, end: &Self) -> Vec<Option<Turn>> {
        let motion = |(&[x, y, angle], &[x1, y1, angle1]): (&[f64; 3], &[f64; 3])| {
            let center = Vec2::new(x, y);
            Some(
                RigidMotion {
                    center,
                    translation: Vec2::new(x1, y1) - center,
                    angle: angle1 - angle,
                }
                .into(),
            )
        };
        self.turns.iter().zip(&end.turns).map(motion).collect()
    }

    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.x
            .iter()
            .flat_map(|p| [p.x, p.y])
            .chain(self.turns.iter().flatten().copied())
    }
}

impl Layout {
    /// The layout of a world's states, of which `q` is one.
    pub fn of(coordinates: &Coordinates, q: &[Vec2]) -> Self {
        let owners = coordinates.turn_of();
        let range = |k: usize| {
            let own = |&&owner: &&u32| owner as usize == k + 1;
            let first = owners
                .iter()
                .position(|owner| own(&owner))
                .unwrap_or(owners.len());
            first..first + owners[first..].iter().take_while(own).count()
        };
        Self {
            vertices: coordinates.vertices(),
            turning: turned(coordinates, q)
                .map(|(k, _)| range(k))
                .filter(|range| !range.is_empty())
                .collect(),
        }
    }

    /// For each vertex 0, or one more than the place of its body among those that turn.
    pub fn turn_of(&self) -> Vec<u32> {
        let mut turn_of = vec![0; self.vertices];
        for (k, range) in (1..).zip(&self.turning) {
            turn_of[range.clone()].fill(k);
        }
        turn_of
    }

    fn is_consistent(&self) -> bool {
        self.turning
            .iter()
            .all(|range| range.start <= range.end && range.end <= self.vertices)
    }

    /// Numbers of a place.
    fn numbers(&self) -> usize {
        2 * self.vertices + 3 * self.turning.len()
    }
}

const MAGIC: &[u8; 16] = b"ipcsim segments\n";
const FORMAT: u32 = 1;
/// Bytes of the header before the bodies.
const HEAD: usize = MAGIC.len() + 4 + 3 * 8;

/// Writes `segments.bin` with `places` places, which come with the numbers of their steps.
///
/// # Errors
/// [`FolderError::Io`], also if there is another number of places.
pub fn write(
    folder: &RunFolder,
    layout: &Layout,
    places: usize,
    ways: impl Iterator<Item = io::Result<(usize, Vec<Place>)>>,
) -> Result<(), FolderError> {
    folder.write(SEGMENTS, |out| {
        let mut bytes = [&MAGIC[..], &FORMAT.to_le_bytes()].concat();
        let ranges = layout
            .turning
            .iter()
            .flat_map(|range| [range.start, range.len()]);
        for count in [layout.vertices, layout.turning.len(), places]
            .into_iter()
            .chain(ranges)
        {
            bytes.extend((count as u64).to_le_bytes());
        }
        let mut left = places;
        write_checked(out, &bytes)?;
        for way in ways {
            let (step, way) = way?;
            for place in way {
                bytes.clear();
                bytes.extend((step as u64).to_le_bytes());
                place
                    .numbers()
                    .for_each(|number| bytes.extend(number.to_le_bytes()));
                write_checked(out, &bytes)?;
                left = left.checked_sub(1).ok_or(io::ErrorKind::InvalidInput)?;
            }
        }
        if left == 0 {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    })
}

fn write_checked(out: &mut dyn io::Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.write_all(&crc32fast::hash(bytes).to_le_bytes())
}

/// A file holds no segments that can be read.
#[derive(Debug, Error)]
pub enum SegmentsError {
    /// By the operating system.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It was written in another way.
    #[error("{} has format {format} of segments; this program reads {FORMAT}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
    /// It is not as it was written.
    #[error("{} is damaged: {what}; run the scene again with --certify", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// Reads the places one after another.
#[derive(Debug)]
pub struct SegmentsReader {
    file: BufReader<File>,
    path: PathBuf,
    layout: Layout,
    left: u64,
    bytes: Vec<u8>,
}

impl SegmentsReader {
    /// Opens the file `path` of a run whose mesh has so many vertices.
    ///
    /// # Errors
    /// [`SegmentsError`].
    pub fn open(path: &Path, of_mesh: usize) -> Result<Self, SegmentsError> {
        let read = |source| SegmentsError::Read {
            path: path.to_path_buf(),
            source,
        };
        let damaged = |what: &str| SegmentsError::Damaged {
            path: path.to_path_buf(),
            what: what.to_owned(),
        };
        let mut file = BufReader::new(File::open(path).map_err(read)?);
        let length = file.get_ref().metadata().map_err(read)?.len();
        let mut head = [0; HEAD];
        file.read_exact(&mut head)
            .map_err(|_| damaged("its head is cut off"))?;
        let format = head[MAGIC.len()..]
            .first_chunk()
            .copied()
            .map_or(0, u32::from_le_bytes);
        if !head.starts_with(MAGIC) {
            return Err(damaged("it does not begin as such a file does"));
        }
        if format != FORMAT {
            return Err(SegmentsError::Format {
                path: path.to_path_buf(),
                format,
            });
        }
        let [vertices, turning, left] = counts(&head[MAGIC.len() + 4..])[..] else {
            return Err(damaged("its head is cut off"));
        };
        if vertices != of_mesh as u64 || turning > vertices {
            return Err(damaged(&format!(
                "it has {vertices} vertices and {turning} bodies that turn, the mesh {of_mesh} vertices"
            )));
        }
        let place = vertices
            .checked_mul(16)
            .and_then(|n| n.checked_add(turning.checked_mul(24)?)?.checked_add(12));
        let body = place.and_then(|place| place.checked_mul(left));
        let ranges = turning.checked_mul(16);
        let expected = body
            .zip(ranges)
            .and_then(|(body, ranges)| body.checked_add(ranges)?.checked_add(HEAD as u64 + 4));
        if expected != Some(length) {
            return Err(damaged("its length is not that which its head announces"));
        }
        let mut rest = Vec::new();
        file.by_ref()
            .take(ranges.unwrap_or(0) + 4)
            .read_to_end(&mut rest)
            .map_err(read)?;
        let (ranges, checksum) = rest
            .split_last_chunk::<4>()
            .ok_or_else(|| damaged("its head is cut off"))?;
        if crc32fast::hash(&[&head, ranges].concat()).to_le_bytes() != *checksum {
            return Err(damaged("the checksum of its head does not agree"));
        }
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let range = |pair: &[u64]| size(pair[0])..size(pair[0]).saturating_add(size(pair[1]));
        let turning = counts(ranges).chunks_exact(2).map(range).collect();
        let layout = Layout {
            vertices: size(vertices),
            turning,
        };
        if !layout.is_consistent() {
            return Err(damaged("a body has vertices that do not exist"));
        }
        Ok(Self {
            file,
            path: path.to_path_buf(),
            layout,
            left,
            bytes: Vec::new(),
        })
    }

    /// What all places have in common.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    fn place(&mut self) -> Result<(u64, Place), SegmentsError> {
        self.bytes.resize(12 + 8 * self.layout.numbers(), 0);
        let read = |source| SegmentsError::Read {
            path: self.path.clone(),
            source,
        };
        self.file.read_exact(&mut self.bytes).map_err(read)?;
        let (body, checksum) = self.bytes.split_last_chunk::<4>().unwrap_or((&[], &[0; 4]));
        if crc32fast::hash(body).to_le_bytes() != *checksum {
            let what = format!(
                "the checksum of a place does not agree, {} places before its end",
                self.left
            );
            return Err(SegmentsError::Damaged {
                path: self.path.clone(),
                what,
            });
        }
        let words = counts(body);
        let numbers: Vec<f64> = words
            .iter()
            .skip(1)
            .map(|&word| f64::from_bits(word))
            .collect();
        let (x, turns) = numbers.split_at(2 * self.layout.vertices);
        let x = x.chunks_exact(2).map(|p| Vec2::new(p[0], p[1])).collect();
        let turns = turns.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        Ok((
            words.first().copied().unwrap_or_default(),
            Place { x, turns },
        ))
    }
}

/// The places and the numbers of the steps that they belong to.
impl Iterator for SegmentsReader {
    type Item = Result<(u64, Place), SegmentsError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        Some(self.place())
    }
}

/// Words of eight bytes.
fn counts(bytes: &[u8]) -> Vec<u64> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|&word| u64::from_le_bytes(word))
        .collect()
}

#[cfg(test)]
mod tests;
