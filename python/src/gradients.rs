//! `Gradients`: runs of a scene with other values, with their derivatives.

use crate::errors;
use crate::origin::Origin;
use crate::work;
use ipcsim::math::Vec2;
use ipcsim::math::parallel::{self, serially};
use ipcsim::scene::Source;
use ipcsim_diff::{
    Cotangents, Error, Objective, Problem, Run, Variation, by_state, gradient, of_vertices,
    pull_back_readings, tangents,
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

    /// Runs the scene with these settings, `path=value`.
    fn run(&self, py: Python, settings: Vec<String>) -> PyResult<Rollout> {
        let origin = self.origin.with(&settings);
        let source = origin.source();
        let found = work::compute(py, false, None, || self.solved(&source))?;
        found
            .map(|solved| solved.of(origin.clone()))
            .map_err(|error| raised(py, &origin, error))
    }

    /// Runs the scene with each list of settings, next to each other on the threads of the process.
    fn run_all(&self, py: Python, settings: Vec<Vec<String>>) -> PyResult<Vec<Rollout>> {
        let origins = settings.iter().map(|settings| self.origin.with(settings));
        let origins: Vec<Origin> = origins.collect();
        let sources: Vec<Source> = origins.iter().map(Origin::source).collect();
        let found = work::compute(py, false, None, || {
            in_parallel(sources.len(), |k| self.solved(&sources[k]))
        })?;

        // The first run that fails is raised.
        let both = found.into_iter().zip(origins);
        both.map(|(solved, origin)| match solved {
            Ok(solved) => Ok(solved.of(origin)),
            Err(error) => Err(raised(py, &origin, error)),
        })
        .collect()
    }
}

/// A problem with its objectives and its run.
struct Solved {
    problem: Problem,
    objectives: Vec<Objective>,
    run: Run,
}

impl Solved {
    /// The run of a scene.
    fn of(self, origin: Origin) -> Rollout {
        Rollout {
            origin,
            problem: self.problem,
            objectives: self.objectives,
            run: self.run,
        }
    }
}

/// Results of a function of numbers from 0, next to each other on the threads of the pool, each by
/// one thread.
fn in_parallel<R: Send>(count: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let mut found: Vec<Option<R>> = (0..count).map(|_| None).collect();
    parallel::chunks(&mut found, 1, |k, slot| {
        slot[0] = Some(serially(|| f(k)));
    });
    found.into_iter().flatten().collect()
}

impl Gradients {
    /// A problem, its objectives and its run.
    fn solved(&self, source: &Source) -> Result<Solved, Error> {
        let mut problem = Problem::new(source, &self.paths, self.steps)?;
        if let Some(memory) = self.memory {
            problem.memory = memory;
        }
        let objectives = self.of.iter().map(|text| Objective::read(&problem, text));
        let objectives: Vec<Objective> = objectives.collect::<Result<_, _>>()?;
        let run = Run::new(&problem, &objectives)?;
        Ok(Solved {
            problem,
            objectives,
            run,
        })
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
        let by = By {
            states: [&by[0], &by[1]],
            readings: readings.as_slice()?,
        };
        self.fits(&by)?;
        let found = work::compute(py, false, None, || self.pulled_back(&by))?;
        found.map_err(|error| raised(py, &self.origin, error))
    }

    /// Changes of the arrays by some changes of the values at all paths, which share a pass through the steps.
    fn jvp(&self, py: Python, directions: Vec<Vec<f64>>) -> PyResult<Vec<Arrays>> {
        let found = work::compute(py, false, None, || self.pushed_forward(&directions))?;
        let found = found.map_err(|error| raised(py, &self.origin, error))?;
        let all = found.iter();
        all.map(|(states, series)| arrays(py, states, series))
            .collect()
    }
}

/// Derivatives of a number by the arrays of a run.
struct By<'a> {
    /// By positions and velocities of all vertices in all states.
    states: [&'a [Vec2]; 2],
    /// By readings of all numbers.
    readings: &'a [f64],
}

impl Rollout {
    /// Checks that derivatives have the shapes of the arrays.
    fn fits(&self, by: &By) -> PyResult<()> {
        let steps = self.run.steps;
        if by.readings.len() != steps * self.objectives.len() {
            return Err(PyValueError::new_err("readings have another shape"));
        }
        let count = (steps + 1) * self.problem.reference().1.x.len();
        if by.states.iter().any(|all| all.len() != count) {
            return Err(PyValueError::new_err("arrays have another shape"));
        }
        Ok(())
    }

    /// Changes of all states and readings along directions.
    fn pushed_forward(&self, directions: &[Vec<f64>]) -> Result<Vec<Pushed>, Error> {
        let changes = tangents(&self.problem, &self.run, &self.objectives, directions)?;
        let (world, _) = self.problem.reference();
        let mut states: Vec<Places> = vec![Vec::new(); changes.len()];
        self.run.each_state(&self.problem, |state| {
            for (states, change) in states.iter_mut().zip(&changes) {
                let own: &Variation = &change.states[states.len()];
                states.push(of_vertices(world, state, own));
            }
        })?;
        let readings = changes.into_iter().map(|change| change.readings);
        Ok(states.into_iter().zip(readings).collect())
    }

    /// Derivatives by all paths of a number, from those by the arrays.
    fn pulled_back(&self, by: &By) -> Result<Vec<f64>, Error> {
        let steps = self.run.steps;
        let (world, first) = self.problem.reference();
        let count = first.x.len();
        let series = by.readings.chunks(steps.max(1)).map(<[f64]>::to_vec);
        let series: Vec<Vec<f64>> = series.collect();

        // Derivatives by vertices become those by the coordinates of bodies.
        let mut states = Vec::new();
        self.run.each_state(&self.problem, |state| {
            let from = states.len() * count;
            let [x, v] = by.states.map(|all| &all[from..from + count]);
            states.push(by_state(world, state, x, v));
        })?;
        let held = vec![vec![Vec2::zeros(); first.q.len()]; steps + 1];
        let states = Cotangents { states, held };
        pull_back_readings(&self.problem, &self.run, &self.objectives, &states, &series)
    }
}

/// Derivatives by all paths for each run, `[runs][paths]`, of numbers whose derivatives by the arrays of each run
/// are given, `[runs, ...]`. Runs go backwards next to each other on the threads of the process.
#[pyfunction]
pub(crate) fn vjp_all(
    py: Python,
    rollouts: Vec<Py<Rollout>>,
    positions: PyReadonlyArrayDyn<f64>,
    velocities: PyReadonlyArrayDyn<f64>,
    readings: PyReadonlyArrayDyn<f64>,
) -> PyResult<Vec<Vec<f64>>> {
    let all = [vectors(&positions)?, vectors(&velocities)?];
    let readings = readings.as_slice()?;
    let runs = rollouts.len().max(1);
    let rows = |length: usize, k: usize| length / runs * k..length / runs * (k + 1);
    let parts: Vec<By> = (0..rollouts.len())
        .map(|k| By {
            states: all.each_ref().map(|own| &own[rows(own.len(), k)]),
            readings: &readings[rows(readings.len(), k)],
        })
        .collect();

    // Shapes are checked before anything runs.
    for (rollout, by) in rollouts.iter().zip(&parts) {
        rollout.get().fits(by)?;
    }
    let found = work::compute(py, false, None, || {
        in_parallel(rollouts.len(), |k| rollouts[k].get().pulled_back(&parts[k]))
    })?;
    let both = found.into_iter().zip(&rollouts);
    both.map(|(by, rollout)| by.map_err(|error| raised(py, &rollout.get().origin, error)))
        .collect()
}

/// Positions and velocities of all vertices in all states, or their changes.
type Places = Vec<[Vec<Vec2>; 2]>;

/// Changes of all states, and of the readings of objectives.
type Pushed = (Places, Vec<Vec<f64>>);

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
