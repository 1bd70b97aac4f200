//! Functions of the module: check, verify, validate, collision detection, stored runs, the program.

use crate::arrays;
use crate::errors::{self, Row};
use crate::origin::Origin;
use crate::work;
use ipcsim::contact::ccd::{NarrowPhase, Query};
use ipcsim::math::Vec2;
use ipcsim::math::parallel;
use ipcsim::scene::key_at;
use ipcsim::scene::schema::json_schema;
use ipcsim_cli::{CommandError, Verification};
use ipcsim_store::columns::Columns;
use ipcsim_store::run_files::RunFiles;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::stored_run::StoredRun;
use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// All problems of a scene that can be found before its first step, errors first.
#[pyfunction]
pub(crate) fn check(py: Python, origin: Origin) -> PyResult<Vec<Row>> {
    let found = work::compute(py, false, None, || origin.look())?;
    let found = found.map_err(|error| origin.raised(py, error))?;
    Ok(found.problems.iter().map(errors::row).collect())
}

/// True and the proof of a stored run, or false and its first violation.
#[pyfunction]
pub(crate) fn verify(py: Python, dir: &str) -> PyResult<(bool, Vec<String>)> {
    let done = work::compute(py, false, None, || ipcsim_cli::verify(Path::new(dir)))?;
    match done.map_err(|error| errors::run(py, &error))? {
        Verification::Proved(lines) => Ok((true, lines)),
        Verification::Violated(violation) => Ok((false, vec![violation])),
    }
}

/// Reports of the cases of the validation that `names` select, as JSON.
#[pyfunction]
pub(crate) fn validate(
    py: Python,
    names: Vec<String>,
    quick: bool,
    threads: Option<usize>,
) -> PyResult<String> {
    let threads = work::checked(threads)?;
    let reports = py.detach(|| ipcsim_cli::validate(&names, quick, threads));
    let text = reports.and_then(|reports| ipcsim_cli::json(&reports));
    text.map_err(|error| errors::run(py, &error))
}

/// JSON Schema of scenes.
#[pyfunction]
pub(crate) fn schema() -> String {
    json_schema().to_string()
}

/// Raises `KeyError` if a path names no key of scenes, with the key that was probably meant.
#[pyfunction]
pub(crate) fn check_path(path: &str) -> PyResult<()> {
    key_at(path).map(|_| ()).map_err(PyKeyError::new_err)
}

/// Runs the program `ipcsim` with these arguments, and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python, arguments: Vec<String>) -> u8 {
    let name = "ipcsim".to_owned();
    py.detach(|| ipcsim_cli::run(std::iter::once(name).chain(arguments)))
}

/// Times of impact of points and edges on straight paths, NaN where they do not meet.
///
/// Both arrays are `[queries, 3, 2]`: the point and the ends of the edge.
#[pyfunction]
pub(crate) fn ccd(
    py: Python,
    start: PyReadonlyArrayDyn<f64>,
    end: PyReadonlyArrayDyn<f64>,
    min_separation: f64,
    method: &str,
) -> PyResult<Py<PyAny>> {
    let phase = match method {
        "exact" => NarrowPhase::Exact,
        "additive" => NarrowPhase::Additive,
        "inclusion" => NarrowPhase::Inclusion,
        other => {
            let message =
                format!("method is \"{other}\", but must be exact, additive or inclusion");
            return Err(PyValueError::new_err(message));
        }
    };
    if !(min_separation >= 0.0 && min_separation.is_finite()) {
        let message = format!("min_separation is {min_separation} m, but must be 0 or larger");
        return Err(PyValueError::new_err(message));
    }
    for array in [&start, &end] {
        if array.shape().len() != 3 || array.shape()[1..] != [3, 2] {
            let shape = array.shape();
            let message = format!("the shape is {shape:?}, but must be [queries, 3, 2]");
            return Err(PyValueError::new_err(message));
        }
    }
    if start.shape() != end.shape() {
        return Err(PyValueError::new_err("start and end have different shapes"));
    }

    // Queries are independent of each other.
    let starts = start.as_slice()?;
    let ends = end.as_slice()?;
    let mut times = vec![f64::NAN; starts.len() / 6];
    work::compute(py, false, None, || {
        parallel::fill(&mut times, 1, |i, time| {
            let query = Query {
                start: corners(&starts[6 * i..6 * i + 6]),
                end: corners(&ends[6 * i..6 * i + 6]),
            };
            let found = phase.time_of_impact(&query, min_separation);
            time[0] = found.unwrap_or(f64::NAN);
        });
    })?;
    Ok(numpy::PyArray1::from_vec(py, times).into_any().unbind())
}

/// Point and ends of an edge in six numbers.
fn corners(numbers: &[f64]) -> [Vec2; 3] {
    [0, 1, 2].map(|k| Vec2::new(numbers[2 * k], numbers[2 * k + 1]))
}

/// Names and columns of the energies of a run; triangles, springs and edges of its mesh.
type Opened = (Vec<String>, Vec<Py<PyAny>>, [Py<PyAny>; 3]);

/// Compares a file in the folder of a run with its checksum.
#[pyfunction]
pub(crate) fn compare_file(py: Python, dir: &str, name: &str) -> PyResult<()> {
    let compared = work::compute(py, false, None, || {
        RunFiles::open(Path::new(dir))?.compared(name)
    })?;
    compared.map_err(|error| errors::run(py, &CommandError::from(error)))?;
    Ok(())
}

/// Columns and rows of the energies of a stored run, NaN where a field is empty, after a check that
/// its files fit together; then triangles, springs and edges of its mesh.
#[pyfunction]
pub(crate) fn open_run(py: Python, dir: &str) -> PyResult<Opened> {
    let opened = work::compute(py, false, None, || StoredRun::open(Path::new(dir)))?;
    let run = opened.map_err(|error| errors::run(py, &CommandError::from(error)))?;

    let mut columns = Vec::with_capacity(run.energies.columns.len());
    for index in 0..run.energies.columns.len() {
        let values = run
            .energies
            .rows
            .iter()
            .map(|row| row[index].unwrap_or(f64::NAN));
        columns.push(arrays::list(py, values)?);
    }

    let mesh = [
        arrays::table(py, arrays::indices(&run.mesh.triangles))?,
        arrays::table(py, arrays::indices(&run.mesh.springs))?,
        arrays::table(py, arrays::indices(&run.mesh.edges))?,
    ];
    Ok((run.energies.columns, columns, mesh))
}

/// Columns of a table of a run: those of numbers, NaN where a field is empty, and those of texts.
type Table = (BTreeMap<String, Py<PyAny>>, BTreeMap<String, Vec<String>>);

/// Columns of the table of this file name in the folder of a run, compared with its checksum.
#[pyfunction]
pub(crate) fn read_table(py: Python, dir: &str, name: &str) -> PyResult<Table> {
    let read = work::compute(py, false, None, || {
        let table = Columns::read(&RunFiles::open(Path::new(dir))?, name)?;
        table.ok_or_else(|| {
            let path = Path::new(dir).join(name);
            StoredError::malformed(&path, "does not exist; the run has written no such table")
        })
    })?;
    let table = read.map_err(|error| errors::run(py, &CommandError::from(error)))?;

    let mut numbers = BTreeMap::new();
    let mut texts = BTreeMap::new();
    for (column, name) in table.names.iter().enumerate() {
        if table.is_numeric(column) {
            let values = (0..table.len()).map(|row| table.number(row, column));
            numbers.insert(name.clone(), arrays::list(py, values)?);
        } else {
            let values = (0..table.len()).map(|row| table.text(row, column).to_owned());
            texts.insert(name.clone(), values.collect());
        }
    }
    Ok((numbers, texts))
}
