//! Exceptions of Python, made of errors of the library.
//!
//! The classes are in `ipcsim/errors.py`, where Python documents them. An exception has the message
//! that the program prints, and the parts of the error as attributes.

use crate::origin::Origin;
use ipcsim::scene::{Problem, SceneError};
use ipcsim::solve::Failure;
use ipcsim::time::World;
use ipcsim_cli::CommandError;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::report::Reason;
use ipcsim_store::study::StudyError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::PathBuf;

/// A problem as Python takes it: severity, path, reason, line, column, places (m).
pub(crate) type Row = (
    &'static str,
    String,
    String,
    Option<usize>,
    Option<usize>,
    Vec<[f64; 2]>,
);

/// Exception of the class `name` in `ipcsim.errors` with these arguments.
///
/// If the class cannot be found, the exception is that of the import.
fn exception<'py>(
    py: Python<'py>,
    name: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyErr {
    let made = py.import("ipcsim.errors").and_then(|errors| {
        let class = errors.getattr(name)?;
        class.call1(arguments.into_pyobject(py)?)
    });
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A problem of a scene as Python takes it.
pub(crate) fn row(problem: &Problem) -> Row {
    let severity = if problem.is_error() {
        "error"
    } else {
        "warning"
    };
    let places = problem.places.iter().map(|at| [at.x, at.y]);
    (
        severity,
        problem.path.clone(),
        problem.message.clone(),
        problem.location.map(|at| at.line),
        problem.location.map(|at| at.column),
        places.collect(),
    )
}

/// Problems of an error, in the order of its message.
fn rows(error: &SceneError, origin: &Origin) -> Vec<Row> {
    let one = |path: &str, reason: &str, line, column| {
        let path = path.to_owned();
        vec![("error", path, reason.to_owned(), line, column, Vec::new())]
    };
    match error {
        SceneError::Invalid(problems) => problems.iter().map(row).collect(),
        SceneError::Parse {
            line,
            column,
            path,
            message,
        } => {
            // A dictionary has keys, but no lines.
            let place = |number: &usize| origin.has_lines.then_some(*number);
            one(path, message, place(line), place(column))
        }
        SceneError::Override { setting, message } => {
            let key = setting.split_once('=').map_or("", |(key, _)| key);
            one(key, message, None, None)
        }
        SceneError::Setting { .. } | SceneError::Read { .. } => {
            one("", &error.to_string(), None, None)
        }
    }
}

/// Message of an error of a scene: that of the program if the scene is a file.
fn message(error: SceneError, origin: &Origin) -> String {
    match (&origin.file, error) {
        (Some(file), source) => CommandError::Scene {
            scene: PathBuf::from(file),
            source,
        }
        .to_string(),
        (None, SceneError::Parse { path, message, .. }) if !origin.has_lines => {
            format!("{path}: {message}")
        }
        (None, other) => other.to_string(),
    }
}

/// `SceneError`: a scene that cannot be read or simulated.
pub(crate) fn scene(py: Python, error: SceneError, origin: &Origin) -> PyErr {
    let rows = rows(&error, origin);
    let text = message(error, origin);
    exception(py, "SceneError", (text, rows, origin.file.clone()))
}

/// `StepError`: a step that has failed. `step` is the number of the last one that has not.
pub(crate) fn step(py: Python, failure: &Failure, step: usize, world: &World) -> PyErr {
    let reason = Reason::of(failure, step, &MeshFile::of(world));
    let message = format!("step {}: {}", reason.step, reason.message);
    let vertices = failure.vertices();
    let arguments = (message, reason.kind, reason.step, reason.message, vertices);
    exception(py, "StepError", arguments)
}

/// Exception of any error of a simulation with this world, after `step` steps.
pub(crate) fn simulation(py: Python, error: ipcsim::Error, step: usize, world: &World) -> PyErr {
    match error {
        ipcsim::Error::Step { failure, .. } => self::step(py, &failure, step, world),
        ipcsim::Error::Refused(message) => state(py, &message),
        ipcsim::Error::NoSuchBody { .. } => {
            pyo3::exceptions::PyKeyError::new_err(error.to_string())
        }
        other => PyValueError::new_err(other.to_string()),
    }
}

/// `StateError`: a state that cannot be.
pub(crate) fn state(py: Python, message: &str) -> PyErr {
    exception(py, "StateError", (message,))
}

/// `RunError` of a sweep.
pub(crate) fn study(py: Python, error: &StudyError) -> PyErr {
    exception(py, "RunError", (error.to_string(),))
}

/// `ValueError` of a scene that comes from no text.
pub(crate) fn plain_scene(error: &SceneError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// `RunError`: a command that cannot do its work, for example since a file cannot be read.
pub(crate) fn run(py: Python, error: &CommandError) -> PyErr {
    exception(py, "RunError", (error.to_string(),))
}
