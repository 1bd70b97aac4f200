//! `Gradients`: runs of a scene with other values, with their derivatives.

use crate::errors;
use crate::origin::Origin;
use crate::work;
use ipcsim::math::Vec2;
use ipcsim::scene::Source;
use ipcsim_diff::{
    Cotangents, Error, Objective, Problem, Run, Variation, by_state, gradient, of_vertices,
    pull_back_readings, tangent_of_readings,
};
use numpy::{IxDyn, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Array of numbers.
type Floats = Py<PyArrayDyn<f64>>;

/// Positions and velocities of all vertices in all states, `[steps + 1, vertices, 2]`, and readings of all
/// numbers, `[numbers, steps]`.
type Arrays = (Floats, Floats, Floats);

/// Native part of `ipcsim.diff`: a scene whose numbers at some paths change.
#[pyclass(module = "ipcsim._native", frozen)]
pub(crate) struct Gradients {
    origin: Origin,
    paths: Vec<String>,
    of: Vec<String>,
    steps: Option<usize>,
    memory: Option<usize>,
}

/// A run with its derivatives.
#[pyclass(module = "ipcsim._native", frozen)]
pub(crate) struct Rollout {
    origin: Origin,
    problem: Problem,
    objectives: Vec<Objective>,
    run: Run,
}

/// Exception for an error of a scene's gradients.
fn raised(py: Python, origin: &Origin, error: Error) -> PyErr {
    match error {
        Error::Scene(error) => origin.raised(py, error),
        Error::Step { step, failure } => match origin.setup() {
            Ok(setup) => errors::step(py, &failure, step, &setup.world),
            Err(error) => origin.raised(py, error),
        },
        other => PyValueError::new_err(other.to_string()),
    }
}

#[pymethods]
impl Gradients {
    #[new]
    fn new(
        origin: Origin,
        paths: Vec<String>,
        of: Vec<String>,
        steps: Option<usize>,
        memory: Option<usize>,
    ) -> Self {
        Self {
            origin,
            paths,
            of,
            steps,
            memory,
        }
    }

    /// Runs the scene with these values of its numbers.
    fn run(&self, py: Python, values: Vec<f64>) -> PyResult<Rollout> {
        let pairs = self.paths.iter().zip(&values);
        let settings =
            pairs.map(|(path, value)| format!("{path}={}", serde_json::Value::from(*value)));
        let settings: Vec<String> = settings.collect();
        let origin = self.origin.with(&settings);
        let source = origin.source();
        let found = work::compute(py, false, None, || self.solved(&source))?;
        let (problem, objectives, run) = found.map_err(|error| raised(py, &origin, error))?;
        Ok(Rollout {
            origin,
            problem,
            objectives,
            run,
        })
    }
}

impl Gradients {
    /// A problem, its objectives and its run.
    fn solved(&self, source: &Source) -> Result<(Problem, Vec<Objective>, Run), Error> {
        let mut problem = Problem::new(source, &self.paths, self.steps)?;
        if let Some(memory) = self.memory {
            problem.memory = memory;
        }
        let objectives = self.of.iter().map(|text| Objective::read(&problem, text));
        let objectives: Vec<Objective> = objectives.collect::<Result<_, _>>()?;
        let run = Run::new(&problem, &objectives)?;
        Ok((problem, objectives, run))
    }
}

#[pymethods]
impl Rollout {
    /// Positions and velocities of all states, and readings of all numbers.
    fn arrays(&self, py: Python) -> PyResult<Arrays> {
        let mut states = Vec::new();
        self.run
            .each_state(&self.problem, |state| {
                states.push([state.x.clone(), state.v.clone()]);
            })
            .map_err(|error| raised(py, &self.origin, error))?;
        let series = self.run.series(&self.objectives);
        arrays(py, &states, &series)
    }

    /// Values of the numbers, each reduced over all steps as its text says.
    fn values(&self) -> Vec<f64> {
        self.run.values(&self.objectives)
    }

    /// Derivatives of each of these values by all paths, `[numbers][paths]`.
    fn gradients(&self, py: Python) -> PyResult<Vec<Vec<f64>>> {
        let found = work::compute(py, false, None, || {
            gradient(
                &self.problem,
                &self.run,
                &self.objectives,
                ipcsim_diff::Omitted::default(),
            )
        })?;
        let found = found.map_err(|error| raised(py, &self.origin, error))?;
        Ok(found.into_iter().map(|own| own.by).collect())
    }

    /// Derivatives by all paths of a number whose derivatives by the arrays are given.
    fn vjp(
        &self,
        py: Python,
        positions: PyReadonlyArrayDyn<f64>,
        velocities: PyReadonlyArrayDyn<f64>,
        readings: PyReadonlyArrayDyn<f64>,
    ) -> PyResult<Vec<f64>> {
        let by = [vectors(&positions)?, vectors(&velocities)?];
        let steps = self.run.steps;
        let series: Vec<Vec<f64>> = readings
            .as_slice()?
            .chunks(steps.max(1))
            .map(<[f64]>::to_vec)
            .collect();
        if series.len() != self.objectives.len() && steps > 0 {
            return Err(PyValueError::new_err("readings have another shape"));
        }
        let (world, first) = self.problem.reference();
        let count = first.x.len();
        if by.iter().any(|all| all.len() != (steps + 1) * count) {
            return Err(PyValueError::new_err("arrays have another shape"));
        }
        let found = work::compute(py, false, None, || {
            let mut states = Vec::new();
            self.run.each_state(&self.problem, |state| {
                let from = states.len() * count;
                let [x, v] = [0, 1].map(|k| &by[k][from..from + count]);
                states.push(by_state(world, state, x, v));
            })?;
            let held = vec![vec![Vec2::zeros(); first.q.len()]; steps + 1];
            let states = Cotangents { states, held };
            pull_back_readings(&self.problem, &self.run, &self.objectives, &states, &series)
        })?;
        found.map_err(|error| raised(py, &self.origin, error))
    }

    /// Changes of the arrays by a change of the values at all paths.
    fn jvp(&self, py: Python, direction: Vec<f64>) -> PyResult<Arrays> {
        let found = work::compute(py, false, None, || {
            let (change, series) =
                tangent_of_readings(&self.problem, &self.run, &self.objectives, &direction)?;
            let (world, _) = self.problem.reference();
            let mut states = Vec::new();
            self.run.each_state(&self.problem, |state| {
                let own: &Variation = &change.states[states.len()];
                states.push(of_vertices(world, state, own));
            })?;
            Ok::<_, Error>((states, series))
        })?;
        let (states, series) = found.map_err(|error| raised(py, &self.origin, error))?;
        arrays(py, &states, &series)
    }
}

/// Arrays of positions and velocities, and of readings.
fn arrays(py: Python, states: &[[Vec<Vec2>; 2]], series: &[Vec<f64>]) -> PyResult<Arrays> {
    let vertices = states.first().map_or(0, |state| state[0].len());
    let shape = [states.len(), vertices, 2];
    let of = |k: usize| -> PyResult<Floats> {
        let numbers = states.iter().flat_map(|state| &state[k]);
        let numbers: Vec<f64> = numbers.flat_map(|v| [v.x, v.y]).collect();
        filled(py, &shape, &numbers)
    };
    let readings: Vec<f64> = series.iter().flatten().copied().collect();
    let steps = states.len().saturating_sub(1);
    let readings = filled(py, &[series.len(), steps], &readings)?;
    Ok((of(0)?, of(1)?, readings))
}

/// An array of a shape with these numbers.
fn filled(py: Python, shape: &[usize], numbers: &[f64]) -> PyResult<Floats> {
    let array = PyArrayDyn::zeros(py, IxDyn(shape), false);
    array
        .try_readwrite()?
        .as_slice_mut()?
        .copy_from_slice(numbers);
    Ok(array.unbind())
}

/// Vectors of an array.
fn vectors(array: &PyReadonlyArrayDyn<f64>) -> PyResult<Vec<Vec2>> {
    let numbers = array.as_slice()?.chunks_exact(2);
    Ok(numbers.map(|v| Vec2::new(v[0], v[1])).collect())
}
