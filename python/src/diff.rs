//! `Rollout`: a run of a scene with other values, and its derivatives in both directions.

use crate::errors;
use crate::origin::Origin;
use crate::work;
use ipcsim::math::Vec2;
use ipcsim::time::State;
use ipcsim_diff::{
    Cotangents, Error, Omitted, Problem, Run, Variation, Varied, pull_back, tangent, varied,
};
use numpy::{IxDyn, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Native part of `ipcsim.diff.Rollout`, which documents it.
#[pyclass(subclass, module = "ipcsim._native")]
pub(crate) struct Rollout {
    problem: Problem,
    run: Run,
    /// Scenes around each parameter, once a derivative was asked for.
    varied: Option<Vec<Varied>>,
}

/// Derivatives by all states, `[steps + 1, ..., 2]`.
type Field<'py> = Option<PyReadonlyArrayDyn<'py, f64>>;

#[pymethods]
impl Rollout {
    /// Runs a scene in which the numbers at these paths have these values.
    #[new]
    fn new(
        py: Python,
        origin: Origin,
        paths: Vec<String>,
        values: Vec<f64>,
        steps: Option<usize>,
    ) -> PyResult<Self> {
        let settings = paths.iter().zip(&values);
        let settings: Vec<String> = settings
            .map(|(path, value)| format!("{path}={value:?}"))
            .collect();
        let own = origin.with(&settings);
        let made = work::compute(py, false, None, || {
            let problem = Problem::new(&own.source(), &paths, steps)?;
            let run = Run::new(&problem)?;
            Ok((problem, run))
        })?;
        let (problem, run) = made.map_err(|error| raised(py, error, &own))?;
        Ok(Self {
            problem,
            run,
            varied: None,
        })
    }

    /// Positions of vertices, coordinates of nodes, or their velocities, of all states.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let field: fn(&State) -> &[Vec2] = match name {
            "positions" => |state| &state.x,
            "velocities" => |state| &state.v,
            "coordinates" => |state| &state.q,
            "coordinate_velocities" => |state| &state.q_dot,
            _ => return Err(PyValueError::new_err(format!("no array is called {name}"))),
        };
        let states = self.run.states.iter().map(field);
        array(py, states)
    }

    /// Derivatives by the parameters of a number whose derivatives by states are given.
    fn pull_back(
        &mut self,
        py: Python,
        positions: Field,
        coordinates: Field,
        coordinate_velocities: Field,
    ) -> PyResult<Vec<f64>> {
        let coordinates_of = &self.problem.setup.world.model.coordinates;
        let mut states = Vec::new();
        let mut held = Vec::new();
        let fields = [&positions, &coordinates, &coordinate_velocities];
        let mut slices = [None; 3];
        for (slice, field) in slices.iter_mut().zip(fields) {
            if let Some(field) = field {
                *slice = Some(field.as_slice()?);
            }
        }
        for (step, state) in self.run.states.iter().enumerate() {
            let anchors = state.memory.options.sticking.anchors.len();
            let mut by = Variation::zero(state.q.len(), anchors);
            if let Some(by_x) = part(slices[0], step, state.x.len())? {
                coordinates_of.pull_back(&state.configuration(), &by_x, &mut by.q);
            }
            if let Some(by_q) = part(slices[1], step, state.q.len())? {
                by.q.iter_mut().zip(by_q).for_each(|(sum, by)| *sum += by);
            }
            if let Some(by_v) = part(slices[2], step, state.q.len())? {
                by.q_dot = by_v;
            }
            held.push(vec![Vec2::zeros(); state.q.len()]);
            states.push(by);
        }
        let seed = [Cotangents { states, held }];
        self.vary(py)?;
        let Self {
            problem,
            run,
            varied,
        } = self;
        let none = Vec::new();
        let varied = varied.as_ref().unwrap_or(&none);
        let found = work::compute(py, false, None, || {
            pull_back(problem, run, varied, &seed, Omitted::default())
        })?;
        let mut found = found.map_err(|error| value_error(&error))?;
        Ok(found.pop().unwrap_or_default())
    }

    /// Changes of positions, coordinates and their velocities along a change of the parameters.
    #[allow(clippy::type_complexity, reason = "three arrays")]
    fn push_forward<'py>(
        &self,
        py: Python<'py>,
        direction: Vec<f64>,
    ) -> PyResult<[Bound<'py, PyArrayDyn<f64>>; 3]> {
        let Self { problem, run, .. } = self;
        let found = work::compute(py, false, None, || tangent(problem, run, &direction))?;
        let found = found.map_err(|error| value_error(&error))?;
        let coordinates = &problem.setup.world.model.coordinates;
        let mut moved = Vec::new();
        for (state, change) in run.states.iter().zip(&found.states) {
            let mut by = state.x.clone();
            coordinates.displacements(&state.configuration(), &change.q, &mut by);
            moved.push(by);
        }
        let changes = &found.states;
        Ok([
            array(py, moved.iter().map(Vec::as_slice))?,
            array(py, changes.iter().map(|change| &*change.q))?,
            array(py, changes.iter().map(|change| &*change.q_dot))?,
        ])
    }

    /// Number of steps whose reach or stiffness of contacts was held fixed.
    #[getter]
    fn adapted_steps(&self) -> usize {
        self.run.events.adapted
    }
}

impl Rollout {
    /// Makes the scenes around each parameter, once.
    fn vary(&mut self, py: Python) -> PyResult<()> {
        if self.varied.is_some() {
            return Ok(());
        }
        let problem = &self.problem;
        let found = work::compute(py, false, None, || varied(problem))?;
        self.varied = Some(found.map_err(|error| value_error(&error))?);
        Ok(())
    }
}

/// Vectors of one state in an array of all; `None` without an array.
fn part(all: Option<&[f64]>, step: usize, count: usize) -> PyResult<Option<Vec<Vec2>>> {
    let Some(all) = all else {
        return Ok(None);
    };
    let own = all.get(2 * count * step..2 * count * (step + 1));
    let own = own.ok_or_else(|| {
        PyValueError::new_err("a derivative by states has the shape of the array of states")
    })?;
    let vectors = own.chunks_exact(2).map(|v| Vec2::new(v[0], v[1]));
    Ok(Some(vectors.collect()))
}

/// Array `[states, vectors, 2]`.
fn array<'py, 'a>(
    py: Python<'py>,
    states: impl ExactSizeIterator<Item = &'a [Vec2]>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let count = states.len();
    let mut numbers = Vec::new();
    for state in states {
        numbers.extend(state.iter().flat_map(|v| [v.x, v.y]));
    }
    let each = numbers.len() / (2 * count.max(1));
    let array = PyArrayDyn::zeros(py, IxDyn(&[count, each, 2]), false);
    array
        .try_readwrite()?
        .as_slice_mut()?
        .copy_from_slice(&numbers);
    Ok(array)
}

/// Exception for an error of a scene, or of its derivative.
fn raised(py: Python, error: Error, origin: &Origin) -> PyErr {
    match error {
        Error::Scene(error) => errors::scene(py, error, origin),
        other => value_error(&other),
    }
}

/// `ValueError` with a message.
fn value_error(error: &Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
