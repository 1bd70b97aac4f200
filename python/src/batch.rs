//! `Batch`: many simulations of one scene, stepped side by side.
//!
//! Each simulation runs on one thread from the beginning of a step to its end, and threads take the
//! next simulation when they are free. A simulation that fails stays where it is; the others go on.

mod controls;
mod member;
mod observed;
mod rows;

use crate::arrays::Shown;
use crate::errors;
use crate::forces::{self, Source};
use crate::origin::Origin;
use crate::state::State;
use crate::work;
use controls::Control;
use ipcsim::math::parallel::{self, serially};
use ipcsim::scene::{SceneError, check_parameter};
use member::Member;
use numpy::PyArrayMethods;
use observed::{Observed, Watch};
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
    /// Parameters that Python writes.
    controls: Vec<Control>,
    /// Observations that Python has asked for.
    watches: Vec<Watch>,
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
    fn new(py: Python, origin: Origin, count: i64, threads: Option<usize>) -> PyResult<Self> {
        let threads = work::checked(threads)?;
        let count = work::counted("count", count)?;
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
            controls: Vec::new(),
            watches: Vec::new(),
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
    ///
    /// Raises ValueError if the number of steps is negative.
    fn advance(&mut self, py: Python, count: i64) -> PyResult<()> {
        let mut left = work::counted("count", count)?;
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
        if let Some(view) = self.rows.view(py, name) {
            return Ok(view);
        }
        let observed = Observed::named(name).ok_or_else(|| {
            let known = [&Rows::NAMES[..], &Observed::NAMES].concat().join(", ");
            PyKeyError::new_err(format!(
                "no array is named \"{name}\"; there are {known}, force"
            ))
        })?;
        self.watch(py, observed)
    }

    /// Array of the contact force between two bodies; see `ipcsim.Batch.pair`.
    fn pair_array(&mut self, py: Python, first: String, second: String) -> PyResult<Py<PyAny>> {
        self.watch(py, Observed::Pair([first, second]))
    }

    /// Array of a parameter that is set between steps; see `ipcsim.Batch.control`.
    ///
    /// `template` is an entry of `changes`, `pointer` the place of its number there, and `numbers` are the
    /// first ones.
    fn control_array(
        &mut self,
        py: Python,
        path: String,
        template: &str,
        pointer: &str,
        numbers: Vec<f64>,
        is_list: bool,
    ) -> PyResult<Py<PyAny>> {
        let mut known = self.controls.iter();
        if let Some(known) = known.find(|control| control.path == path) {
            return Ok(known.shown.array.clone_ref(py).into_any());
        }
        let count = self.members.len();
        let control = Control::new(py, count, path, [template, pointer], &numbers, is_list)?;

        // A parameter that cannot be set is refused at once.
        if let Some(parameter) = control
            .parameter(&vec![0.0; control.width()])
            .map_err(PyValueError::new_err)?
        {
            let scene = self.members[0].simulation.scene();
            if let Some(problem) = check_parameter(&parameter, scene).first() {
                return Err(errors::state(py, &problem.to_string()));
            }
        }
        let array = control.shown.array.clone_ref(py).into_any();
        self.controls.push(control);
        Ok(array)
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
            let measures = simulation.measures().len();
            [
                state.x.len(),
                state.q.len(),
                simulation.bodies().count(),
                measures,
            ]
        };
        let own = sizes(&self.members[0]);
        if let Some(other) = made.iter().map(sizes).find(|other| *other != own) {
            return Err(PyValueError::new_err(format!(
                "these parameters change the numbers of vertices, nodes, bodies and measures from {own:?} to \
                 {other:?}; a batch has the same ones in all simulations"
            )));
        }
        for (index, mut member) in indices.into_iter().zip(made) {
            member.is_first = false;
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
    /// Names of the measures of the scene, in the order of the array `measures`.
    fn list_measures(&self) -> Vec<String> {
        let measures = self.members[0].simulation.measures();
        measures.iter().map(|own| own.name.clone()).collect()
    }

    #[getter]
    fn scene_json(&self) -> String {
        let scene = self.members[0].simulation.scene();
        scene.to_json().to_string()
    }
}

impl Batch {
    /// Array of an observation, which is filled from now on.
    ///
    /// # Errors
    /// Those of `numpy`.
    fn watch(&mut self, py: Python, observed: Observed) -> PyResult<Py<PyAny>> {
        let mut known = self.watches.iter();
        if let Some(known) = known.find(|watch| watch.observed == observed) {
            return Ok(known.shown.view(py));
        }
        let first = &self.members[0].simulation;
        let watch = Watch::new(py, observed, self.members.len(), first)?;
        let view = watch.shown.view(py);
        self.watches.push(watch);
        self.work(py, Action::Show)?;
        Ok(view)
    }

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
        let written = self.controls.iter().map(|control| {
            let array = control.shown.array.bind(py).try_readonly()?;
            PyResult::Ok((control, array))
        });
        let written: Vec<_> = written.collect::<PyResult<_>>()?;
        let set = written
            .iter()
            .map(|(control, array)| Ok((*control, array.as_slice()?)));
        let set: Vec<(&Control, &[f64])> = set.collect::<PyResult<_>>()?;

        let mut arrays = self.rows.open(py)?;
        let mut seen = rows::open_watches(py, &self.watches)?;
        let mut tasks = arrays.tasks(&mut self.members, force, &set, &mut seen)?;
        work::compute(py, false, self.threads, || {
            parallel::chunks(&mut tasks, 1, |_, task| serially(|| task[0].act(action)));
        })
    }
}
