//! An interrupted run whose journal and checkpoint have arbitrary contents with valid checksums.

use ipcsim::scene;
use ipcsim::solve::SolverMemory;
use ipcsim::time::SavedState;
use ipcsim_store::checkpoint::{self, Checkpoint, identity};
use ipcsim_store::folder::{JOURNAL, RUN, RunFolder, SCENE};
use ipcsim_store::journal::{Entry, Journal, JournalReader};
use ipcsim_store::report::{RunOptions, RunReport};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Contents of journal and checkpoint.
#[derive(Serialize, Deserialize)]
struct Held {
    entries: Vec<Entry>,
    state: SavedState,
    memory: SolverMemory,
}

/// Parts that are the same for all contents.
pub(crate) struct Interrupted {
    folder: RunFolder,
    report: Vec<u8>,
    scene: Vec<u8>,
    step: usize,
    identity: u32,
}

impl Interrupted {
    /// The run in a folder, and in bytes what its files hold.
    pub(crate) fn open(folder: &Path) -> (Self, Vec<u8>) {
        let [report, scene] = [RUN, SCENE].map(|name| std::fs::read(folder.join(name)).unwrap());
        let options = serde_json::from_slice::<RunReport>(&report)
            .unwrap()
            .options;
        let setup =
            scene::build(scene::parse(std::str::from_utf8(&scene).unwrap(), &[]).unwrap()).unwrap();

        // The last checkpoint, and all entries of the journal.
        let folder = RunFolder::existing(folder);
        let step = *checkpoint::steps(&folder).unwrap().last().unwrap();
        let identity = identity(&setup.scene, &options);
        let Checkpoint { state, memory, .. } = Checkpoint::read(&folder, step, identity).unwrap();
        let entries = JournalReader::open(&folder.path().join(JOURNAL))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let held = postcard::to_stdvec(&Held {
            entries,
            state,
            memory,
        })
        .unwrap();
        (
            Self {
                folder,
                report,
                scene,
                step,
                identity,
            },
            held,
        )
    }

    /// Writes the run with what the bytes `held` say; if they say nothing, they are the files.
    pub(crate) fn write(&self, held: &[u8]) {
        let path = |name: &str| self.folder.path().join(name);
        checkpoint::steps(&self.folder)
            .unwrap()
            .iter()
            .for_each(|&step| checkpoint::remove(&self.folder, step).unwrap());
        std::fs::write(path(RUN), &self.report).unwrap();
        std::fs::write(path(SCENE), &self.scene).unwrap();
        let Ok(Held {
            entries,
            state,
            memory,
        }) = postcard::from_bytes(held)
        else {
            std::fs::write(path(JOURNAL), held).unwrap();
            return std::fs::write(checkpoint::path(&self.folder, self.step), held).unwrap();
        };
        let mut journal = Journal::create(&path(JOURNAL)).unwrap();

        for entry in &entries {
            journal.add(entry).unwrap();
        }

        journal.sync().unwrap();
        Checkpoint {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            options: RunOptions::default(),
            identity: self.identity,
            state: SavedState {
                step: self.step,
                ..state
            },
            memory,
            journal: journal.end(),
            queries: None,
        }
        .write(&self.folder, true)
        .unwrap();
    }
}
