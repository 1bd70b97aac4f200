//! `NumPy` arrays that belong to an object, and the read-only views of them that Python sees.
//!
//! A step replaces the state, so that a view into it would lose its memory. The numbers are
//! therefore copied into an array that lives as long as its owner or any view. Python can only
//! change the copy, and only by force; the simulation never reads it back.

use ipcsim::math::Vec2;
use ipcsim::time::State;
use numpy::{Element, IxDyn, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// View of an array that refuses to be written.
///
/// # Errors
/// Those of `numpy`.
pub(crate) fn read_only(array: &Bound<PyAny>) -> PyResult<Py<PyAny>> {
    let view = array.call_method0("view")?;
    view.call_method1("setflags", (false,))?;
    Ok(view.unbind())
}

/// An array of numbers with the view that Python sees.
pub(crate) struct Shown<T: Element> {
    /// Array that is filled.
    pub(crate) array: Py<PyArrayDyn<T>>,
    /// Read-only view of it.
    view: Py<PyAny>,
}

impl<T: Element> Shown<T> {
    /// An array of zeros.
    ///
    /// # Errors
    /// Those of `numpy`.
    pub(crate) fn zeros(py: Python, shape: &[usize]) -> PyResult<Self> {
        let array = PyArrayDyn::zeros(py, IxDyn(shape), false);
        let view = read_only(array.as_any())?;
        Ok(Self {
            array: array.unbind(),
            view,
        })
    }

    /// The view, always the same object.
    pub(crate) fn view(&self, py: Python) -> Py<PyAny> {
        self.view.clone_ref(py)
    }
}

impl Shown<f64> {
    /// Writes vectors into an array `[vectors, 2]`.
    ///
    /// # Errors
    /// If the array is being filled by another thread.
    fn fill(&self, py: Python, vectors: &[Vec2]) -> PyResult<()> {
        let mut array = self.array.bind(py).try_readwrite()?;
        write(array.as_slice_mut()?, vectors);
        Ok(())
    }
}

/// Arrays of a simulation that each step fills.
pub(crate) struct Arrays {
    /// Positions of all vertices, `[vertices, 2]` (m).
    pub(crate) positions: Shown<f64>,
    /// Velocities of all vertices, `[vertices, 2]` (m/s).
    pub(crate) velocities: Shown<f64>,
    /// Coordinates of all nodes, `[nodes, 2]` (m; of angles rad).
    pub(crate) coordinates: Shown<f64>,
    /// Velocities of the coordinates, `[nodes, 2]` (m/s; of angles rad/s).
    pub(crate) coordinate_velocities: Shown<f64>,
}

impl Arrays {
    /// Arrays of zeros for states like this one.
    ///
    /// # Errors
    /// Those of `numpy`.
    pub(crate) fn zeros(py: Python, state: &State) -> PyResult<Self> {
        let vertices = [state.x.len(), 2];
        let nodes = [state.q.len(), 2];
        Ok(Self {
            positions: Shown::zeros(py, &vertices)?,
            velocities: Shown::zeros(py, &vertices)?,
            coordinates: Shown::zeros(py, &nodes)?,
            coordinate_velocities: Shown::zeros(py, &nodes)?,
        })
    }

    /// Writes a state into the arrays.
    ///
    /// # Errors
    /// If another thread fills them.
    pub(crate) fn fill(&self, py: Python, state: &State) -> PyResult<()> {
        self.positions.fill(py, &state.x)?;
        self.velocities.fill(py, &state.v)?;
        self.coordinates.fill(py, &state.q)?;
        self.coordinate_velocities.fill(py, &state.q_dot)
    }
}

/// Writes vectors one after another: abscissa, ordinate.
pub(crate) fn write(numbers: &mut [f64], vectors: &[Vec2]) {
    for (pair, v) in numbers.chunks_exact_mut(2).zip(vectors) {
        pair[0] = v.x;
        pair[1] = v.y;
    }
}

/// Read-only array of lists of `N` numbers, `[lists, N]`.
///
/// # Errors
/// Those of `numpy`.
pub(crate) fn table<T: Element, const N: usize>(
    py: Python,
    lists: impl IntoIterator<Item = [T; N]>,
) -> PyResult<Py<PyAny>> {
    let numbers: Vec<T> = lists.into_iter().flatten().collect();
    let rows = numbers.len() / N;
    let array = PyArray1::from_vec(py, numbers).reshape([rows, N])?;
    read_only(array.as_any())
}

/// Read-only array of numbers, `[numbers]`.
///
/// # Errors
/// Those of `numpy`.
pub(crate) fn list<T: Element>(
    py: Python,
    numbers: impl IntoIterator<Item = T>,
) -> PyResult<Py<PyAny>> {
    let array = PyArray1::from_vec(py, numbers.into_iter().collect());
    read_only(array.as_any())
}

/// Read-only array of vectors, `[vectors, 2]`.
///
/// # Errors
/// Those of `numpy`.
pub(crate) fn vectors(py: Python, vectors: &[Vec2]) -> PyResult<Py<PyAny>> {
    table(py, vectors.iter().map(|v| [v.x, v.y]))
}

/// Vectors in an array `[vectors, 2]` of Python's, named `what` in messages.
///
/// # Errors
/// `ValueError` if it has another shape, or holds something else than numbers.
pub(crate) fn taken(what: &str, array: &Bound<PyAny>) -> PyResult<Vec<Vec2>> {
    let numpy = array.py().import("numpy")?;
    let numbers = numpy.call_method1("ascontiguousarray", (array, "float64"))?;
    let numbers: Bound<PyArrayDyn<f64>> = numbers.cast_into()?;
    let numbers = numbers.try_readonly()?;

    let shape = numbers.as_array().shape().to_vec();
    if shape.len() != 2 || shape[1] != 2 {
        let message = format!("{what} has the shape {shape:?}, but must be [nodes, 2]");
        return Err(PyValueError::new_err(message));
    }
    let pairs = numbers.as_slice()?.chunks_exact(2);
    Ok(pairs.map(|pair| Vec2::new(pair[0], pair[1])).collect())
}

/// Indices as `NumPy` counts them.
pub(crate) fn indices<const N: usize>(lists: &[[usize; N]]) -> impl Iterator<Item = [i64; N]> {
    lists
        .iter()
        .map(|list| list.map(|index| i64::try_from(index).unwrap_or(i64::MAX)))
}
