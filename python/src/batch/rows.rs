//! Arrays of a batch, with a row for each simulation, and the tasks that fill them.

use super::controls::Control;
use super::member::Member;
use super::observed::{End, Observed, Watch};
use crate::arrays::{Shown, write};
use ipcsim::Simulation;
use numpy::{PyArrayMethods, PyReadwriteArrayDyn};
use pyo3::prelude::*;

/// Arrays with a row for each simulation.
pub(super) struct Rows {
    /// Positions of all vertices, `[simulations, vertices, 2]` (m).
    positions: Shown<f64>,
    /// Velocities of all vertices, `[simulations, vertices, 2]` (m/s).
    velocities: Shown<f64>,
    /// Coordinates of all nodes, `[simulations, nodes, 2]` (m; of angles rad).
    coordinates: Shown<f64>,
    /// Velocities of the coordinates, `[simulations, nodes, 2]` (m/s; of angles rad/s).
    coordinate_velocities: Shown<f64>,
    /// Simulated time (s), `[simulations]`.
    time: Shown<f64>,
    /// Kinetic energy and all potentials but friction (J), `[simulations]`.
    energy: Shown<f64>,
    /// Measures of the scene, `[simulations, measures]`; NaN where one is undefined.
    measures: Shown<f64>,
    /// Number of steps, `[simulations]`.
    steps: Shown<i64>,
    /// True where a step has failed, `[simulations]`.
    failed: Shown<bool>,
}

/// The arrays, while they are filled.
pub(super) struct Open<'py> {
    /// The four arrays of vectors, in the order of [`Rows`].
    vectors: [PyReadwriteArrayDyn<'py, f64>; 4],
    /// Times and energies.
    numbers: [PyReadwriteArrayDyn<'py, f64>; 2],
    /// Measures.
    measures: PyReadwriteArrayDyn<'py, f64>,
    /// Numbers of steps.
    steps: PyReadwriteArrayDyn<'py, i64>,
    /// Marks of failures.
    failed: PyReadwriteArrayDyn<'py, bool>,
}

/// What is done with every simulation of a batch.
#[derive(Clone, Copy)]
pub(super) enum Action<'a> {
    /// Nothing but filling the arrays.
    Show,
    /// A number of steps, as long as none fails.
    Step(usize),
    /// Back to the start, for the simulations that are marked, `[simulations]`.
    Restart(&'a [bool]),
}

/// A simulation with its rows of all arrays.
pub(super) struct Task<'a> {
    /// Number of the simulation in the batch.
    index: usize,
    /// Simulation itself.
    member: &'a mut Member,
    /// Forces on its bodies, `[bodies][2]` (N), if Python sets them.
    force: Option<&'a [f64]>,
    /// Parameters that Python sets, with their numbers.
    controls: Vec<(&'a Control, &'a [f64])>,
    /// What Python observes, with its rows.
    watched: Vec<(&'a Observed, &'a mut [f64])>,
    /// Its rows of the four arrays of vectors.
    vectors: [&'a mut [f64]; 4],
    /// Its time and its energy.
    numbers: [&'a mut f64; 2],
    /// Its measures.
    measures: &'a mut [f64],
    /// Its number of steps.
    steps: &'a mut i64,
    /// True if it has failed.
    failed: &'a mut bool,
}

impl Rows {
    /// Names of the arrays.
    pub(super) const NAMES: [&'static str; 9] = [
        "positions",
        "velocities",
        "coordinates",
        "coordinate_velocities",
        "time",
        "energy",
        "measures",
        "steps",
        "failed",
    ];

    /// Arrays of zeros for `count` simulations that are like `one`.
    ///
    /// # Errors
    /// Those of `numpy`.
    pub(super) fn zeros(py: Python, count: usize, one: &Simulation) -> PyResult<Self> {
        let vertices = one.state().x.len();
        let nodes = one.state().q.len();
        Ok(Self {
            positions: Shown::zeros(py, &[count, vertices, 2])?,
            velocities: Shown::zeros(py, &[count, vertices, 2])?,
            coordinates: Shown::zeros(py, &[count, nodes, 2])?,
            coordinate_velocities: Shown::zeros(py, &[count, nodes, 2])?,
            time: Shown::zeros(py, &[count])?,
            energy: Shown::zeros(py, &[count])?,
            measures: Shown::zeros(py, &[count, one.measures().len()])?,
            steps: Shown::zeros(py, &[count])?,
            failed: Shown::zeros(py, &[count])?,
        })
    }

    /// Read-only view of the array of this name, if there is one.
    pub(super) fn view(&self, py: Python, name: &str) -> Option<Py<PyAny>> {
        Some(match name {
            "positions" => self.positions.view(py),
            "velocities" => self.velocities.view(py),
            "coordinates" => self.coordinates.view(py),
            "coordinate_velocities" => self.coordinate_velocities.view(py),
            "time" => self.time.view(py),
            "energy" => self.energy.view(py),
            "measures" => self.measures.view(py),
            "steps" => self.steps.view(py),
            "failed" => self.failed.view(py),
            _ => return None,
        })
    }

    /// Opens the arrays for writing.
    ///
    /// # Errors
    /// If another thread fills them.
    pub(super) fn open<'py>(&self, py: Python<'py>) -> PyResult<Open<'py>> {
        let open = |shown: &Shown<f64>| shown.array.bind(py).try_readwrite();
        Ok(Open {
            vectors: [
                open(&self.positions)?,
                open(&self.velocities)?,
                open(&self.coordinates)?,
                open(&self.coordinate_velocities)?,
            ],
            numbers: [open(&self.time)?, open(&self.energy)?],
            measures: open(&self.measures)?,
            steps: self.steps.array.bind(py).try_readwrite()?,
            failed: self.failed.array.bind(py).try_readwrite()?,
        })
    }
}

impl Open<'_> {
    /// A task for each simulation, with its rows.
    ///
    /// # Errors
    /// Those of `numpy`.
    pub(super) fn tasks<'a>(
        &'a mut self,
        members: &'a mut [Member],
        force: Option<&'a [f64]>,
        controls: &[(&'a Control, &'a [f64])],
        watches: &'a mut [Seen<'a, '_>],
    ) -> PyResult<Vec<Task<'a>>> {
        let count = members.len();
        let mut watched = Vec::with_capacity(watches.len());
        for (observed, array) in watches {
            watched.push((*observed, chunks(array.as_slice_mut()?, count)));
        }
        let [x, v, q, q_dot] = &mut self.vectors;
        let mut rows = [
            chunks(x.as_slice_mut()?, count),
            chunks(v.as_slice_mut()?, count),
            chunks(q.as_slice_mut()?, count),
            chunks(q_dot.as_slice_mut()?, count),
        ];
        let [times, energies] = &mut self.numbers;
        let times = times.as_slice_mut()?.iter_mut();
        let energies = energies.as_slice_mut()?.iter_mut();
        let mut measures = chunks(self.measures.as_slice_mut()?, count);
        let steps = self.steps.as_slice_mut()?.iter_mut();
        let failed = self.failed.as_slice_mut()?.iter_mut();

        // Every array has a row for every simulation.
        let mut tasks = Vec::with_capacity(count);
        let numbers = times.zip(energies).zip(steps.zip(failed));
        for ((index, member), ((time, energy), (steps, failed))) in
            members.iter_mut().enumerate().zip(numbers)
        {
            let share = force.map_or(0, |force| force.len() / count);
            tasks.push(Task {
                index,
                member,
                controls: controls
                    .iter()
                    .map(|(control, numbers)| {
                        let width = control.width();
                        (*control, &numbers[index * width..(index + 1) * width])
                    })
                    .collect(),
                watched: watched
                    .iter_mut()
                    .map(|(observed, rows)| (*observed, rows.next().unwrap_or_default()))
                    .collect(),
                force: force.map(|force| &force[index * share..(index + 1) * share]),
                vectors: rows.each_mut().map(|rows| rows.next().unwrap_or_default()),
                numbers: [time, energy],
                measures: measures.next().unwrap_or_default(),
                steps,
                failed,
            });
        }
        Ok(tasks)
    }
}

/// An observation with its array, while it is filled.
pub(super) type Seen<'w, 'py> = (&'w Observed, PyReadwriteArrayDyn<'py, f64>);

/// Opens the arrays of observations for writing.
///
/// # Errors
/// If another thread fills them.
pub(super) fn open_watches<'w, 'py>(
    py: Python<'py>,
    watches: &'w [Watch],
) -> PyResult<Vec<Seen<'w, 'py>>> {
    let opened = watches.iter().map(|watch| {
        let array = watch.shown.array.bind(py).try_readwrite()?;
        Ok((&watch.observed, array))
    });
    opened.collect()
}

/// Rows of an array with `count` of them.
fn chunks(numbers: &mut [f64], count: usize) -> std::slice::ChunksMut<'_, f64> {
    let row = numbers.len() / count;
    numbers.chunks_mut(row.max(1))
}

impl Task<'_> {
    /// Does something with the simulation, and fills its rows.
    pub(super) fn act(&mut self, action: Action) {
        match action {
            // A simulation that has failed stays as it is.
            Action::Step(_) if self.member.failure.is_some() => return,
            Action::Step(count) => self.member.run(count, self.force, &self.controls),
            Action::Restart(chosen) if !chosen[self.index] => return,
            Action::Restart(_) => self.member.restart(),
            Action::Show => {}
        }
        self.show();
    }

    /// Fills the rows of the simulation with its present state.
    fn show(&mut self) {
        let state = self.member.simulation.state();
        let lists = [&state.x, &state.v, &state.q, &state.q_dot];
        for (numbers, list) in self.vectors.iter_mut().zip(lists) {
            write(numbers, list);
        }

        let report = self.member.report.as_ref();
        let min_gap = report.and_then(|report| report.record.min_gap);
        let end = End::of(&self.member.simulation, min_gap);
        for (observed, row) in &mut self.watched {
            observed.write(&end, row);
        }

        *self.numbers[0] = state.time;
        *self.numbers[1] = report.map_or(f64::NAN, |report| report.record.total);
        let readings = report.map_or(&[][..], |report| &report.measures);
        self.measures.fill(f64::NAN);
        for (value, reading) in self.measures.iter_mut().zip(readings) {
            *value = reading.map_or(f64::NAN, |own| own.value);
        }
        *self.steps = i64::try_from(state.step).unwrap_or(i64::MAX);
        *self.failed = self.member.failure.is_some();
    }
}
