//! `Batch`: many simulations of one scene, stepped side by side.
//!
//! Each simulation runs on one thread from the beginning of a step to its end, and threads take the
//! next simulation when they are free. A simulation that fails stays where it is; the others go on.

mod member;
mod rows;

use crate::arrays::Shown;
use crate::errors;
use crate::forces::{self, Source};
use crate::origin::Origin;
use crate::state::State;
use crate::work;
use ipcsim::math::parallel::{self, serially};
use ipcsim::scene::SceneError;
use member::Member;
use numpy::PyArrayMethods;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rows::{Action, Rows};
use std::time::{Duration, Instant};

/// Time (500 ms) after which Ctrl-C should be seen. A shorter one lets the memory of simulations
/// leave the caches more often; a longer one lets a user wait.
const SOON: Duration = Duration::from_millis(500);

/// Native part of `ipcsim.Batch`, which documents it.
#[pyclass(subclass, module = "ipcsim._native")]
pub(crate) struct Batch {
    /// Scene without the parameters of single simulations.
    origin: Origin,
    /// Number of threads, or one a core.
    threads: Option<usize>,
    /// Simulations.
    members: Vec<Member>,
    /// Arrays that Python sees.
    rows: Rows,
    /// Forces on bodies that Python writes, `[simulations, bodies, 2]` (N).
    force: Shown<f64>,
    /// True once Python has asked for the forces.
    is_forced: bool,
    /// Number of steps that a simulation takes before the next one begins.
    block: usize,
}

/// A simulation of a batch that cannot be built: its number, with the error and its scene.
struct Broken {
    /// Number in the batch.
    index: usize,
    /// Problems of the scene.
    error: SceneError,
    /// Scene with the parameters of this simulation.
    origin: Origin,
}

/// Builds simulations of a scene, each with its own overrides, on the threads of the process.
///
/// # Errors
/// The first simulation that cannot be built, as an exception that names it.
fn built(
    py: Python,
    origin: &Origin,
    threads: Option<usize>,
    overrides: &[Vec<String>],
) -> PyResult<Vec<Member>> {
    let mut slots: Vec<Option<Result<Member, Broken>>> = Vec::new();
    slots.resize_with(overrides.len(), || None);
    work::compute(py, false, threads, || {
        parallel::chunks(&mut slots, 1, |index, slot| {
            let own = origin.with(&overrides[index]);
            let member = serially(|| Member::new(&own));
            slot[0] = Some(member.map_err(|error| Broken {
                index,
                error,
                origin: own,
            }));
        });
    })?;

    let mut members = Vec::with_capacity(slots.len());
    for slot in slots.into_iter().flatten() {
        members.push(slot.map_err(|broken| {
            let raised = broken.origin.raised(py, broken.error);
            let note = format!("in simulation {} of the batch", broken.index);
            // A note that cannot be added takes nothing from the exception.
            let _ = raised.value(py).call_method1("add_note", (note,));
            raised
        })?);
    }
    Ok(members)
}

#[pymethods]
impl Batch {
    #[new]
    fn new(py: Python, origin: Origin, count: usize, threads: Option<usize>) -> PyResult<Self> {
        let threads = work::checked(threads)?;
        if count == 0 {
            return Err(PyValueError::new_err(
                "a batch needs at least one simulation",
            ));
        }
        let members = built(py, &origin, threads, &vec![Vec::new(); count])?;
        let first = &members[0].simulation;

        let rows = Rows::zeros(py, count, first)?;
        let bodies = first.bodies().count();
        let force = Shown::zeros(py, &[count, bodies, 2])?;
        let mut batch = Self {
            origin,
            threads,
            members,
            rows,
            force,
            is_forced: false,
            block: 1,
        };
        batch.work(py, Action::Show)?;
        Ok(batch)
    }

    fn __len__(&self) -> usize {
        self.members.len()
    }

    /// Steps of all simulations that have not failed.
    ///
    /// A simulation takes several steps before the next one begins, while its memory is near. How
    /// many follows from the time that they took before, so that signals are seen soon; results do
    /// not depend on it.
    fn advance(&mut self, py: Python, count: usize) -> PyResult<()> {
        let mut left = count;
        while left > 0 {
            let steps = self.block.min(left);
            let start = Instant::now();
            self.work(py, Action::Step(steps))?;
            py.check_signals()?;

            left -= steps;
            let elapsed = start.elapsed();
            if elapsed > SOON {
                self.block = (steps / 2).max(1);
            } else if elapsed < SOON / 2 {
                // A short rest of a call says nothing about longer blocks.
                self.block = self.block.max(2 * steps);
            }
        }
        Ok(())
    }

    /// Array of this name; see `ipcsim.Batch.bind`.
    fn array(&mut self, py: Python, name: &str) -> PyResult<Py<PyAny>> {
        if name == "force" {
            self.is_forced = true;
            return Ok(self.force.array.clone_ref(py).into_any());
        }
        self.rows.view(py, name).ok_or_else(|| {
            let known = Rows::NAMES.join(", ");
            PyKeyError::new_err(format!(
                "no array is named \"{name}\"; there are {known}, force"
            ))
        })
    }

    /// Puts back the start of some simulations, which have not failed afterwards.
    fn restart(&mut self, py: Python, indices: Vec<usize>) -> PyResult<()> {
        for &index in &indices {
            self.member(index)?;
        }
        let mut chosen = vec![false; self.members.len()];
        for index in indices {
            chosen[index] = true;
        }
        self.work(py, Action::Restart(&chosen))
    }

    /// Builds some simulations anew, each with its own overrides.
    fn rebuild(
        &mut self,
        py: Python,
        indices: Vec<usize>,
        overrides: Vec<Vec<String>>,
    ) -> PyResult<()> {
        for &index in &indices {
            self.member(index)?;
        }
        let made = built(py, &self.origin, self.threads, &overrides)?;

        // Arrays have one shape for all simulations.
        let sizes = |member: &Member| {
            let simulation = &member.simulation;
            let state = simulation.state();
            [state.x.len(), state.q.len(), simulation.bodies().count()]
        };
        let own = sizes(&self.members[0]);
        if let Some(other) = made.iter().map(sizes).find(|other| *other != own) {
            return Err(PyValueError::new_err(format!(
                "these parameters change the numbers of vertices, nodes and bodies from {own:?} to \
                 {other:?}; a batch has the same ones in all simulations"
            )));
        }
        for (index, member) in indices.into_iter().zip(made) {
            self.members[index] = member;
        }
        self.work(py, Action::Show)
    }

    /// Numbers of the simulations that have failed, with their exceptions.
    fn list_failures(&self, py: Python) -> Vec<(usize, Py<PyAny>)> {
        let mut failures = Vec::new();
        for (index, member) in self.members.iter().enumerate() {
            if let Some(raised) = member.raised(py) {
                failures.push((index, raised.into_value(py).into_any()));
            }
        }
        failures
    }

    /// Copy of everything that the next step of a simulation reads.
    fn snapshot(&self, index: usize) -> PyResult<State> {
        let member = self.member(index)?;
        let snapshot = serially(|| member.simulation.snapshot());
        Ok(State { snapshot })
    }

    /// Puts a state into a simulation, which has not failed afterwards.
    ///
    /// Raises StateError if the state is of another scene, or cannot be.
    fn restore(&mut self, py: Python, index: usize, state: &State) -> PyResult<()> {
        self.member(index)?;
        let member = &mut self.members[index];
        let done = py.detach(|| serially(|| member.restore(&state.snapshot)));
        done.map_err(|error| errors::state(py, &error.to_string()))?;
        self.work(py, Action::Show)
    }

    /// Forces of the contacts of a simulation, as columns.
    fn contact_columns<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyDict>> {
        let source = Source {
            simulation: &self.member(index)?.simulation,
            serial: true,
            threads: None,
        };
        forces::contacts(py, source)
    }

    /// Names of the bodies in the order of the scene, then obstacles.
    fn list_names(&self) -> Vec<String> {
        let bodies = self.members[0].simulation.bodies();
        bodies.map(|body| body.name().to_owned()).collect()
    }

    /// First and last vertex of each body, the last one excluded.
    fn list_ranges(&self) -> Vec<[usize; 2]> {
        let bodies = self.members[0].simulation.bodies();
        bodies
            .map(|view| [view.body().vertices.start, view.body().vertices.end])
            .collect()
    }

    /// Scene of the first simulation as JSON, with all derived values filled in.
    #[getter]
    fn scene_json(&self) -> String {
        let scene = self.members[0].simulation.scene();
        scene.to_json().to_string()
    }
}

impl Batch {
    /// Simulation with this number.
    ///
    /// # Errors
    /// `IndexError` if there is none.
    fn member(&self, index: usize) -> PyResult<&Member> {
        self.members.get(index).ok_or_else(|| {
            let count = self.members.len();
            PyIndexError::new_err(format!(
                "there is no simulation {index}; the batch has {count}"
            ))
        })
    }

    /// Does something with every simulation and its rows of the arrays, in parallel.
    ///
    /// # Errors
    /// `OSError` if threads cannot be started; that of a busy array if another thread fills it.
    fn work(&mut self, py: Python, action: Action) -> PyResult<()> {
        let force = self.force.array.bind(py).try_readonly()?;
        let force = self.is_forced.then_some(force.as_slice()?);
        let mut arrays = self.rows.open(py)?;
        let mut tasks = arrays.tasks(&mut self.members, force)?;
        work::compute(py, false, self.threads, || {
            parallel::chunks(&mut tasks, 1, |_, task| serially(|| task[0].act(action)));
        })
    }
}
