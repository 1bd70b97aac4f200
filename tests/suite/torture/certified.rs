//! A run whose segments have arbitrary contents with valid checksums.

use ipcsim::math::Vec2;
use ipcsim::store::folder::{MESH, RunFolder, SEGMENTS};
use ipcsim::store::mesh_file::MeshFile;
use ipcsim::store::segments::{Layout, Place, SegmentsReader, write};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What the file holds. There are as many vertices as before, and as many numbers to a place as that needs.
#[derive(Serialize, Deserialize)]
struct Held {
    turning: Vec<[usize; 2]>,
    places: Vec<(usize, Vec<f64>)>,
}

/// Parts that are the same for all contents.
pub(crate) struct Certified {
    folder: PathBuf,
    vertices: usize,
}

impl Certified {
    /// The run in a folder, and in bytes what its segments hold.
    pub(crate) fn open(folder: &Path) -> (Self, Vec<u8>) {
        let mesh: MeshFile =
            serde_json::from_slice(&std::fs::read(folder.join(MESH)).unwrap()).unwrap();
        let vertices = mesh.vertices_rest.len();
        let reader = SegmentsReader::open(&folder.join(SEGMENTS), vertices).unwrap();
        let turning = reader
            .layout()
            .turning
            .iter()
            .map(|range| [range.start, range.len()])
            .collect();
        let place = |(step, place): (u64, Place)| {
            let x = place.x.iter().flat_map(|p| [p.x, p.y]);
            (
                usize::try_from(step).unwrap(),
                x.chain(place.turns.into_iter().flatten()).collect(),
            )
        };
        let places = reader.map(|read| place(read.unwrap())).collect();
        let held = postcard::to_stdvec(&Held { turning, places }).unwrap();
        (
            Self {
                folder: folder.to_path_buf(),
                vertices,
            },
            held,
        )
    }

    /// Writes the segments that the bytes `held` say; if they say nothing, they are the file.
    pub(crate) fn write(&self, held: &[u8]) {
        let Ok(Held { turning, places }) = postcard::from_bytes(held) else {
            return std::fs::write(self.folder.join(SEGMENTS), held).unwrap();
        };
        let turning: Vec<_> = turning
            .iter()
            .map(|&[first, count]| first..first.saturating_add(count))
            .collect();
        let (count, of_turns, of_vertices) = (places.len(), 3 * turning.len(), 2 * self.vertices);
        let ways = places.into_iter().map(|(step, mut numbers)| {
            numbers.resize(of_vertices + of_turns, 0.0);
            let (x, turns) = numbers.split_at(of_vertices);
            let x = x.chunks_exact(2).map(|p| Vec2::new(p[0], p[1])).collect();
            let turns = turns.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
            Ok((step, vec![Place { x, turns }]))
        });
        let layout = Layout {
            vertices: self.vertices,
            turning,
        };
        write(&RunFolder::existing(&self.folder), &layout, count, ways).unwrap();
    }
}
