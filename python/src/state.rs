//! `State`: all that a simulation needs to continue with the same bits.

use crate::arrays;
use crate::errors;
use ipcsim::simulation::Snapshot;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Version of the package, which stored states must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A value as bytes, with the version of the package.
///
/// # Errors
/// `StateError` if it cannot be stored.
pub(crate) fn framed<'py>(
    py: Python<'py>,
    value: &impl Serialize,
) -> PyResult<Bound<'py, PyBytes>> {
    let failed = |error: postcard::Error| errors::state(py, &error.to_string());
    let head = postcard::to_extend(VERSION, Vec::new()).map_err(failed)?;
    let bytes = postcard::to_extend(value, head).map_err(failed)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The value in bytes that [`framed`] has made; `what` names it in messages.
///
/// # Errors
/// `StateError` if the bytes are damaged or of another version.
pub(crate) fn unframed<T: DeserializeOwned>(py: Python, what: &str, data: &[u8]) -> PyResult<T> {
    let damaged = || errors::state(py, &format!("the bytes are no {what}, or are damaged"));
    let (version, rest): (String, &[u8]) =
        postcard::take_from_bytes(data).map_err(|_| damaged())?;
    if version != VERSION {
        let message = format!("the {what} is of version {version}, this is version {VERSION}");
        return Err(errors::state(py, &message));
    }
    postcard::from_bytes(rest).map_err(|_| damaged())
}

/// State of a simulation after a step, with everything that its next step reads.
///
/// `Simulation.state()` makes it and `Simulation.set_state(state)` puts it back: steps then have
/// the same bits. It can be pickled, copied and compared. Beside coordinates and velocities it
/// holds the memory of the integrator, of barriers, joints and anchors, and of the solver.
#[pyclass(frozen, eq, module = "ipcsim._native")]
#[derive(PartialEq)]
pub(crate) struct State {
    /// State and memory of the solver.
    pub(crate) snapshot: Snapshot,
}

#[pymethods]
impl State {
    /// Number of steps since the start.
    #[getter]
    fn step(&self) -> usize {
        self.snapshot.state.step
    }

    /// Simulated time (s).
    #[getter]
    fn time(&self) -> f64 {
        self.snapshot.state.time
    }

    /// Coordinates of all nodes, `[nodes, 2]` (m; of angles rad), a copy.
    #[getter]
    fn coordinates(&self, py: Python) -> PyResult<Py<PyAny>> {
        arrays::vectors(py, &self.snapshot.state.q)
    }

    /// Velocities of the coordinates, `[nodes, 2]` (m/s; of angles rad/s), a copy.
    #[getter]
    fn coordinate_velocities(&self, py: Python) -> PyResult<Py<PyAny>> {
        arrays::vectors(py, &self.snapshot.state.q_dot)
    }

    /// State from what `to_bytes` gave.
    ///
    /// Raises StateError if the bytes are damaged or of another version.
    #[staticmethod]
    fn from_bytes(py: Python, data: &[u8]) -> PyResult<Self> {
        let snapshot = unframed(py, "state", data)?;
        Ok(Self { snapshot })
    }

    /// The state as bytes, which `State.from_bytes` of the same version reads.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        framed(py, &self.snapshot)
    }

    /// Parts for pickle and copy.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = slf.get().to_bytes(slf.py())?;
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }

    fn __repr__(&self) -> String {
        let state = &self.snapshot.state;
        format!(
            "<State after {} steps, {} nodes>",
            state.step,
            state.q.len()
        )
    }
}
