//! A run whose segments have arbitrary contents with valid checksums.

use ipcsim::math::Vec2;
use ipcsim_store::file::PartialFile;
use ipcsim_store::folder::RunFolder;
use ipcsim_store::place::{Layout, Place};
use ipcsim_store::report::RunReport;
use ipcsim_store::run_files::write_report;
use ipcsim_store::segments::{Checksums, SEGMENTS, SegmentsWriter};
use ipcsim_store::stored_run::StoredRun;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Contents of the files: for each place its step, and as many numbers as the mesh needs.
#[derive(Serialize, Deserialize)]
struct Held {
    places: Vec<(usize, Vec<f64>)>,
}

/// Parts that are the same for all contents.
pub(crate) struct Certified {
    folder: PathBuf,
    layout: Layout,
    report: RunReport,
}

impl Certified {
    /// The run in a folder, and the contents of its segments as bytes.
    pub(crate) fn open(folder: &Path) -> (Self, Vec<u8>) {
        let run = StoredRun::open(folder).unwrap();
        let numbers = |(step, place): (u64, Place)| {
            let x = place.x.iter().flat_map(|p| [p.x, p.y]);
            (
                usize::try_from(step).unwrap(),
                x.chain(place.turns.into_iter().flatten()).collect(),
            )
        };
        let reader = run.segments().unwrap().unwrap();
        let places = reader.map(|read| numbers(read.unwrap())).collect();
        let held = postcard::to_stdvec(&Held { places }).unwrap();
        let certified = Self {
            folder: folder.to_path_buf(),
            layout: run.mesh.layout(),
            report: run.report().unwrap(),
        };
        (certified, held)
    }

    /// Writes the segments that the bytes `held` describe. If they describe none, they become the
    /// contents of a file. The checksums in the report agree in any case.
    #[allow(clippy::single_match_else, reason = "both cases are of one weight")]
    pub(crate) fn write(&self, held: &[u8]) {
        let mut checksums = self.report.checksums.clone();
        match postcard::from_bytes(held) {
            Ok(Held { places }) => checksums.extend(self.write_places(places)),
            Err(_) => {
                let name = SEGMENTS[held.len() % SEGMENTS.len()];
                let mut file = PartialFile::create(&self.folder.join(name)).unwrap();
                file.add(held).unwrap();
                checksums.insert(name.to_owned(), file.finish().unwrap());
            }
        }
        let report = RunReport {
            checksums,
            ..self.report.clone()
        };
        write_report(&RunFolder::existing(&self.folder), &report).unwrap();
    }

    fn write_places(&self, places: Vec<(usize, Vec<f64>)>) -> Checksums {
        let of_vertices = 2 * self.layout.vertices;
        let of_turns = 3 * self.layout.turning.len();
        let folder = RunFolder::existing(&self.folder);
        let mut writer = SegmentsWriter::create(&folder, &self.layout, places.len()).unwrap();
        for (step, mut numbers) in places {
            numbers.resize(of_vertices + of_turns, 0.0);
            let (x, turns) = numbers.split_at(of_vertices);
            let place = Place {
                x: x.chunks_exact(2).map(|p| Vec2::new(p[0], p[1])).collect(),
                turns: turns.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect(),
            };
            writer.add(step, &place).unwrap();
        }
        writer.finish().unwrap()
    }
}
