//! `Study` and `Store`: the runs of a plan, and the folder of their rows.

use crate::errors;
use crate::work;
use ipcsim::math::parallel::serially;
use ipcsim_cli::{SweepJob, sweep};
use ipcsim_store::study::{
    Collected, Ended, JournalWriter, Share, Sources, StudyEntry, StudyError, StudyFolder, Tail,
    compute,
};
use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// Native part of `ipcsim.Sweep`, which documents it.
#[pyclass(subclass, module = "ipcsim._native")]
pub(crate) struct Study {
    /// Texts of the plan and of the files that it names.
    sources: Sources,
    /// Study made of them.
    inner: ipcsim_store::study::Study,
}

/// `RunError` of a study.
fn raised(py: Python, error: StudyError) -> PyErr {
    errors::study(py, &error)
}

#[pymethods]
impl Study {
    #[new]
    fn new(py: Python, plan: String, folder: PathBuf) -> PyResult<Self> {
        let sources = Sources::of(plan, &folder).map_err(|error| raised(py, error))?;
        let inner = ipcsim_store::study::Study::new(&sources).map_err(|error| raised(py, error))?;
        Ok(Self { sources, inner })
    }

    /// Number of runs.
    #[getter]
    fn count(&self) -> u64 {
        self.inner.count()
    }

    /// Names of the varied quantities.
    #[getter]
    fn names(&self) -> Vec<String> {
        let columns = self.inner.points.columns().iter();
        columns.map(|column| column.name.clone()).collect()
    }

    /// Values of a run as JSON, a list in the order of the names.
    fn values_json(&self, run: u64) -> PyResult<String> {
        self.checked(run)?;
        let values = serde_json::to_string(&self.inner.points.values(run));
        values.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Scene of a run as JSON.
    fn scene_json(&self, run: u64) -> PyResult<String> {
        self.checked(run)?;
        let scene = self.inner.scene(run);
        let scene = scene.map_err(|error| errors::plain_scene(&error))?;
        Ok(scene.to_json().to_string())
    }

    /// Texts of the plan and of all files that it names, for another process.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = postcard::to_stdvec(&self.sources);
        let bytes = bytes.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Computes some runs, one after the other on the calling thread, and returns their rows for
    /// `Store.add`.
    fn compute<'py>(&self, py: Python<'py>, runs: Vec<u64>) -> PyResult<Bound<'py, PyBytes>> {
        let mut frames = Vec::new();
        for run in runs {
            self.checked(run)?;
            let ended = py.detach(|| serially(|| compute(&self.inner, run, None, &|| false)));
            if let Ended::Done(row) = ended {
                let framed = StudyEntry::Done(row).frame(frames);
                frames = framed.map_err(PyValueError::new_err)?;
            }
            py.check_signals()?;
        }
        Ok(PyBytes::new(py, &frames))
    }

    /// Computes all runs that have no row in a folder, and writes the table. Calls `listener(done, runs,
    /// failed)` meanwhile.
    ///
    /// Raises `RunError` if the folder cannot be used, KeyboardInterrupt after a signal, and whatever `listener`
    /// raises.
    fn run(
        &self,
        py: Python,
        folder: PathBuf,
        threads: Option<usize>,
        only: bool,
        listener: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let job = SweepJob {
            sources: &self.sources,
            study: &self.inner,
            plan: "the plan".as_ref(),
            out: &folder,
            threads: work::checked(threads)?,
            only,
        };

        let mut raised = None;
        let mut last = None;
        let done = py.detach(|| {
            sweep(&job, &mut |tally| {
                let Some(listener) = &listener else {
                    return true;
                };
                if last.replace(*tally) == Some(*tally) {
                    return true;
                }
                let all = tally.before + tally.missing;
                let numbers = (tally.before + tally.done, all, tally.failed);
                let heard = Python::attach(|py| listener.call1(py, numbers).map(drop));
                raised = heard.err();
                raised.is_none()
            })
        });
        if let Some(error) = raised {
            return Err(error);
        }
        let stopped = done.map_err(|error| errors::run(py, &error))?;
        stopped.map_or(Ok(()), |_| Err(PyKeyboardInterrupt::new_err(())))
    }

    /// Opens the folder of the study for rows that other processes compute.
    fn open(&self, py: Python, folder: PathBuf) -> PyResult<Store> {
        let opened = StudyFolder::open(&folder, &self.inner, &self.sources);
        let folder = opened.map_err(|error| raised(py, error))?;
        let all = Share::ALL.range(self.inner.count());
        let journal = folder.journal(0, &all);
        let journal = journal.map_err(|error| raised(py, error.into()))?;
        Ok(Store { folder, journal })
    }

    /// Numbers of the runs that have no row in a folder.
    fn missing(&self, py: Python, store: &Store) -> PyResult<Vec<u64>> {
        let collected = self.collected(py, store)?;
        let missing = collected.missing(Share::ALL.range(self.inner.count()));
        missing.map_err(|error| raised(py, error))
    }

    /// Writes the table of all rows in a folder, and returns its path.
    fn write_table(&self, py: Python, store: &Store) -> PyResult<PathBuf> {
        let collected = self.collected(py, store)?;
        let written = collected.write(&self.inner, &store.folder);
        written.map_err(|error| raised(py, error))?;
        Ok(store.folder.table())
    }
}

impl Study {
    /// Refuses a number that no run has.
    ///
    /// # Errors
    /// `IndexError`.
    fn checked(&self, run: u64) -> PyResult<()> {
        let count = self.inner.count();
        if run < count {
            return Ok(());
        }
        let message = format!("there is no run {run}; the sweep has {count}");
        Err(PyIndexError::new_err(message))
    }

    /// All rows in a folder.
    ///
    /// # Errors
    /// `RunError` if a journal cannot be read.
    fn collected(&self, py: Python, store: &Store) -> PyResult<Collected> {
        let runs = Share::ALL.range(self.inner.count());
        Collected::read(&store.folder, &runs).map_err(|error| raised(py, error))
    }
}

/// Study of the texts that `Study.to_bytes` has made.
#[pyfunction]
pub(crate) fn study_of(py: Python, sources: &[u8]) -> PyResult<Study> {
    let sources: Sources = postcard::from_bytes(sources)
        .map_err(|_| PyValueError::new_err("these bytes are no sweep of this version"))?;
    let inner = ipcsim_store::study::Study::new(&sources).map_err(|error| raised(py, error))?;
    Ok(Study { sources, inner })
}

/// Folder of a study, with a journal of this process.
#[pyclass(module = "ipcsim._native")]
pub(crate) struct Store {
    /// Folder.
    folder: StudyFolder,
    /// Journal that rows are appended to.
    journal: JournalWriter,
}

#[pymethods]
impl Store {
    /// Appends rows to the journal and hands them to the operating system. Returns their number.
    fn add(&mut self, py: Python, frames: &[u8]) -> PyResult<usize> {
        let count = Tail::frames(frames).count();
        self.journal.add_frames(frames);
        let written = self.journal.flush();
        written.map_err(|error| raised(py, error.into()))?;
        Ok(count)
    }
}
