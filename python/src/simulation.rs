//! `Simulation`: a scene under way, with its arrays.

use crate::arrays::{self, Arrays};
use crate::errors;
use crate::forces::{self, Source};
use crate::origin::Origin;
use crate::results;
use crate::signals::Signals;
use crate::state::{self, State};
use crate::work;
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::scene::schema::Parameter;
use ipcsim::simulation::{BodyView, SavedSimulation, Snapshot};
use ipcsim::time::{Record, StepReport};
use ipcsim_cli::{Look, frame_view, picture, picture_png};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Name, kind, first and last vertex, first and last node of a body; the last ones are excluded.
type Entry = (String, &'static str, [usize; 2], [usize; 2]);

/// Mass (kg), centre (m), velocity (m/s), angle (rad), angular velocity (rad/s) of a body.
type Motion = (f64, [f64; 2], [f64; 2], Option<f64>, Option<f64>);

/// Native part of `ipcsim.Simulation`, which documents it.
#[pyclass(subclass, module = "ipcsim._native")]
pub(crate) struct Simulation {
    /// Simulation of the library.
    inner: ipcsim::Simulation,
    /// True if it stays on the calling thread.
    serial: bool,
    /// Number of threads, or one a core.
    threads: Option<usize>,
    /// Account of the last step, or of the present state if it was set.
    report: StepReport,
    /// Names of the potentials in the report.
    columns: Vec<&'static str>,
    /// Arrays that Python sees.
    arrays: Arrays,
    /// Part of the world that pictures showed at the start (m).
    first_view: Aabb,
}

impl Simulation {
    /// Takes the account of a new state, and fills the arrays.
    fn show(&mut self, py: Python, report: StepReport) -> PyResult<()> {
        self.report = report;
        self.columns = Record::columns(self.inner.world());
        self.fill(py)
    }

    /// Part of the world that pictures show (m): that of the start and that of the present state.
    fn shown(&self) -> Aabb {
        self.first_view.union(&frame_view(&self.inner))
    }

    /// Look of a picture with options of `ipcsim render`.
    ///
    /// # Errors
    /// `ValueError` if an option is wrong.
    fn look(&self, options: &[String]) -> PyResult<Look> {
        Look::read(options, self.shown()).map_err(PyValueError::new_err)
    }

    /// Fills the arrays with the present state.
    fn fill(&self, py: Python) -> PyResult<()> {
        self.arrays.fill(py, self.inner.state())
    }

    /// Takes steps without Python's lock, and looks for signals meanwhile.
    ///
    /// # Errors
    /// `StepError` of a step that fails, or what a signal's handler raises: the step under way is
    /// then given up.
    fn advance(&mut self, py: Python, count: usize) -> PyResult<()> {
        let Self {
            inner,
            serial,
            threads,
            report,
            ..
        } = self;
        let signals = Signals::new(*serial);
        let interrupt = signals.interrupt();

        let done = signals.watch(py, *serial, *threads, || {
            for _ in 0..count {
                *report = inner.step_unless(&interrupt)?;
                if interrupt.stops() {
                    break;
                }
            }
            Ok(())
        })?;

        // What a handler has raised is the reason of an interrupted step.
        signals.raised()?;
        done.map_err(|error| self.raised(py, error))
    }

    /// Exception for an error of this simulation.
    fn raised(&self, py: Python, error: ipcsim::Error) -> PyErr {
        errors::simulation(py, error, self.inner.steps(), self.inner.world())
    }

    /// Forces of the simulation, on its threads.
    fn source(&self) -> Source<'_> {
        Source {
            simulation: &self.inner,
            serial: self.serial,
            threads: self.threads,
        }
    }

    /// Body with this number.
    ///
    /// # Errors
    /// `IndexError` if there is none.
    fn body(&self, index: usize) -> PyResult<BodyView<'_>> {
        let body = self.inner.bodies().nth(index);
        body.ok_or_else(|| PyIndexError::new_err(format!("there is no body {index}")))
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python, origin: Origin, threads: Option<usize>) -> PyResult<Self> {
        let threads = work::checked(threads)?;
        let serial = threads == Some(1);
        let setup = work::compute(py, serial, threads, || origin.setup())?;
        let mut inner: ipcsim::Simulation = setup.map_err(|error| origin.raised(py, error))?.into();

        // The program begins with the contacts at the start; so the bits are the same.
        let serial = serial || work::is_small(inner.world());
        let report = work::compute(py, serial, threads, || inner.begin())?;
        let report = report.map_err(|error| errors::simulation(py, error, 0, inner.world()))?;

        let arrays = Arrays::zeros(py, inner.state())?;
        let simulation = Self {
            first_view: frame_view(&inner),
            columns: Record::columns(inner.world()),
            inner,
            serial,
            threads,
            report,
            arrays,
        };
        simulation.fill(py)?;
        Ok(simulation)
    }

    /// Computes `count` steps of the scene's length `h` and updates all arrays.
    ///
    /// Python's lock is released meanwhile, and Ctrl-C ends the call with a KeyboardInterrupt, also
    /// in the middle of a step. The state is then that of the last completed step, from which later
    /// steps have the bits that they would have had.
    ///
    /// Raises StepError if a step fails even after all fallbacks; the state is that before it.
    /// Raises ValueError if the number of steps is negative.
    #[pyo3(signature = (count = 1))]
    fn step(&mut self, py: Python, count: i64) -> PyResult<()> {
        let count = work::counted("count", count)?;
        let done = self.advance(py, count);
        self.columns = Record::columns(self.inner.world());
        self.fill(py)?;
        done
    }

    /// Positions of all vertices, `[vertices, 2]` (m): a read-only view that every step updates.
    #[getter]
    fn positions(&self, py: Python) -> Py<PyAny> {
        self.arrays.positions.view(py)
    }

    /// Velocities of all vertices, `[vertices, 2]` (m/s): a read-only view that every step updates.
    #[getter]
    fn velocities(&self, py: Python) -> Py<PyAny> {
        self.arrays.velocities.view(py)
    }

    /// Coordinates of all nodes, `[nodes, 2]` (m; of angles rad): a read-only view.
    ///
    /// Every vertex of a soft body is a node. A rigid body has two: its centre, and its angle with
    /// a number that stays 0. An affine body has three.
    #[getter]
    fn coordinates(&self, py: Python) -> Py<PyAny> {
        self.arrays.coordinates.view(py)
    }

    /// Velocities of the coordinates, `[nodes, 2]` (m/s; of angles rad/s): a read-only view.
    #[getter]
    fn coordinate_velocities(&self, py: Python) -> Py<PyAny> {
        self.arrays.coordinate_velocities.view(py)
    }

    /// Number of steps since the start.
    #[getter]
    fn steps(&self) -> usize {
        self.inner.steps()
    }

    /// Simulated time (s).
    #[getter]
    fn time(&self) -> f64 {
        self.inner.time()
    }

    /// Length of a step (s).
    #[getter]
    fn time_step(&self) -> f64 {
        self.inner.world().h
    }

    /// Number of steps that the scene asks for.
    #[getter]
    fn scene_steps(&self) -> usize {
        self.inner.scene().time.steps
    }

    /// True if the simulation stays on the calling thread.
    #[getter]
    fn is_serial(&self) -> bool {
        self.serial
    }

    /// Hash of the state, 16 hexadecimal digits, as the program prints it.
    #[getter]
    fn hash(&self) -> String {
        format!("{:016x}", self.inner.state().hash())
    }

    /// Scene as JSON, with all derived values filled in and a body for each copy.
    #[getter]
    fn scene_json(&self) -> String {
        self.inner.scene().to_json().to_string()
    }

    /// Vertices of all elastic triangles, counter-clockwise, `[triangles, 3]`.
    fn list_triangles(&self, py: Python) -> PyResult<Py<PyAny>> {
        arrays::table(py, arrays::indices(&self.inner.world().triangles))
    }

    /// Vertices of all springs, `[springs, 2]`.
    fn list_springs(&self, py: Python) -> PyResult<Py<PyAny>> {
        arrays::table(py, arrays::indices(&self.inner.world().springs))
    }

    /// Vertices of all edges that collide, `[edges, 2]`; twice the same for points and circles.
    fn list_edges(&self, py: Python) -> PyResult<Py<PyAny>> {
        arrays::table(py, arrays::indices(&self.inner.world().model.surface.edges))
    }

    /// Radius of the circle around each vertex (m), `[vertices]`; 0 where there is none.
    fn list_radii(&self, py: Python) -> PyResult<Py<PyAny>> {
        arrays::list(py, self.inner.world().model.surface.radius.iter().copied())
    }

    /// Bodies in the order of the scene, then obstacles.
    fn list_bodies(&self) -> Vec<Entry> {
        let entry = |view: BodyView| {
            let body = view.body();
            let vertices = [body.vertices.start, body.vertices.end];
            let nodes = [body.nodes.start, body.nodes.end];
            (body.name.clone(), body.kind.name(), vertices, nodes)
        };
        self.inner.bodies().map(entry).collect()
    }

    /// Mass, centre, velocity, angle and angular velocity of the body with this number.
    fn body_motion(&self, index: usize) -> PyResult<Motion> {
        let body = self.body(index)?;
        let centre = body.centre();
        let velocity = body.velocity();
        Ok((
            body.mass(),
            [centre.x, centre.y],
            [velocity.x, velocity.y],
            body.angle(),
            body.angular_velocity(),
        ))
    }

    /// Energies (J) by name: kinetic, each potential, and the total of all but friction's.
    #[getter]
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        results::energies(py, &self.report.record, &self.columns)
    }

    /// Names of the measures of the scene, and their values at the end of the last step; NaN where one
    /// is undefined.
    fn measured(&self) -> Vec<(String, f64)> {
        results::measured(self.inner.measures(), &self.report)
    }

    /// Account of the last step by name, with the words of `energies.csv` and `run.json`.
    fn last_report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        results::report(py, &self.report)
    }

    /// Forces of all contacts at the end of the last step, as columns.
    fn contact_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        forces::contacts(py, self.source())
    }

    /// Forces of all supports at the end of the last step, as columns.
    fn reaction_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        forces::reactions(py, self.source())
    }

    /// Fields of the bodies around places at the end of the last step, as columns.
    fn coarse_columns<'py>(
        &self,
        py: Python<'py>,
        at: &Bound<PyAny>,
        within: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        forces::coarse(py, self.source(), &arrays::taken("at", at)?, within)
    }

    /// Forces of all joints at the end of the last step, as columns.
    fn joint_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        forces::joints(py, self.source())
    }

    /// Pressure, volume and amount of gas of all chambers, as columns.
    fn chamber_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        forces::chambers(py, self.source())
    }

    /// Von Mises stress of each triangle (Pa), `[triangles]`.
    fn von_mises(&self, py: Python) -> PyResult<Py<PyAny>> {
        let Self { inner, serial, .. } = self;
        let stress = work::compute(py, *serial, self.threads, || inner.stress())?;
        arrays::list(py, stress)
    }

    /// Cauchy stress across the plane of each triangle (Pa), `[triangles]`.
    fn around(&self, py: Python) -> PyResult<Py<PyAny>> {
        let Self { inner, serial, .. } = self;
        let stress = work::compute(py, *serial, self.threads, || inner.hoop_stress())?;
        arrays::list(py, stress)
    }

    /// Equivalent plastic strain of each triangle (1), `[triangles]`.
    fn flowed(&self, py: Python) -> PyResult<Py<PyAny>> {
        let Self { inner, serial, .. } = self;
        let strain = work::compute(py, *serial, self.threads, || inner.plastic_strain())?;
        arrays::list(py, strain)
    }

    /// Copy of everything that the next step reads.
    fn snapshot(&self, py: Python) -> PyResult<State> {
        let Self { inner, serial, .. } = self;
        let snapshot = work::compute(py, *serial, self.threads, || inner.snapshot())?;
        Ok(State { snapshot })
    }

    /// Puts back a state of this scene.
    ///
    /// Raises StateError if it is of another scene, or cannot be; then nothing has changed.
    fn restore(&mut self, py: Python, state: &State) -> PyResult<()> {
        let Self {
            inner,
            serial,
            threads,
            ..
        } = self;
        let snapshot = &state.snapshot;
        let done = work::compute(py, *serial, *threads, || inner.restore(snapshot))?;
        let report = done.map_err(|error| self.raised(py, error))?;
        self.show(py, report)
    }

    /// Everything but the scene as bytes, for `load`: state, solver, parameters and their journal.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let SavedSimulation { snapshot, journal } = self.inner.save();
        // The journal has keys of a scene, which only a format with names can hold.
        let journal = serde_json::to_string(&journal);
        let journal = journal.map_err(|error| errors::state(py, &error.to_string()))?;
        state::framed(py, &(snapshot, journal))
    }

    /// Becomes the simulation that `save` has stored.
    ///
    /// Raises StateError if the bytes are damaged or of another scene.
    fn load(&mut self, py: Python, data: &[u8]) -> PyResult<()> {
        let (snapshot, journal): (Snapshot, String) = state::unframed(py, "simulation", data)?;
        let journal = serde_json::from_str(&journal)
            .map_err(|_| errors::state(py, "the bytes are no simulation, or are damaged"))?;
        let saved = SavedSimulation { snapshot, journal };
        let Self {
            inner,
            serial,
            threads,
            ..
        } = self;
        let done = work::compute(py, *serial, *threads, || inner.load(&saved))?;
        let report = done.map_err(|error| self.raised(py, error))?;
        self.show(py, report)
    }

    /// Sets coordinates and their velocities; `None` keeps those of the present state.
    ///
    /// Raises StateError if the state cannot be; then nothing has changed.
    fn place(
        &mut self,
        py: Python,
        coordinates: Option<&Bound<PyAny>>,
        velocities: Option<&Bound<PyAny>>,
    ) -> PyResult<()> {
        let state = self.inner.state();
        let q = match coordinates {
            Some(array) => arrays::taken("coordinates", array)?,
            None => state.q.clone(),
        };
        let q_dot = match velocities {
            Some(array) => arrays::taken("velocities", array)?,
            None => state.q_dot.clone(),
        };

        let Self {
            inner,
            serial,
            threads,
            ..
        } = self;
        let done = work::compute(py, *serial, *threads, || inner.set_state(q, q_dot))?;
        let report = done.map_err(|error| self.raised(py, error))?;
        self.show(py, report)
    }

    /// Sets the force (N) that acts on a body from the next step on, until another one is set. It
    /// acts at the centre of mass, beside the forces of the scene.
    ///
    /// Raises KeyError if no body has this name, StateError if the body is an obstacle or has a
    /// reduced basis, or if the force is not finite.
    fn set_force(&mut self, py: Python, body: &str, force: [f64; 2]) -> PyResult<()> {
        let done = self.inner.set_force(body, Vec2::from(force));
        done.map_err(|error| self.raised(py, error))
    }

    /// Sets a parameter from the next step on: JSON of what a change of a scene sets.
    ///
    /// Raises StateError if it does not exist, cannot be set, or is not finite, ValueError if the text
    /// is of no parameter.
    fn set_parameter(&mut self, py: Python, json: &str) -> PyResult<()> {
        let parameter = serde_json::from_str::<Parameter>(json);
        let parameter = parameter.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let done = self.inner.set(parameter);
        done.map_err(|error| self.raised(py, error))
    }

    /// Scene with all that was set as its changes, as JSON, up to the present step.
    ///
    /// Raises StateError after a state was set.
    fn recorded_json(&self, py: Python) -> PyResult<String> {
        let recorded = self.inner.recorded();
        let recorded = recorded.map_err(|error| self.raised(py, error))?;
        Ok(recorded.to_json().to_string())
    }

    /// Scene that goes on from the present state, bit for bit, as JSON.
    fn scene_from_here_json(&self) -> String {
        self.inner.scene_from_here().to_json().to_string()
    }

    /// Gravity (m/s^2) as a pair of numbers. It can be set, and acts from the next step on.
    #[getter]
    fn gravity(&self) -> (f64, f64) {
        let gravity = self.inner.gravity();
        (gravity.x, gravity.y)
    }

    #[setter]
    fn set_gravity(&mut self, py: Python, gravity: [f64; 2]) -> PyResult<()> {
        let done = self.inner.set_gravity(Vec2::from(gravity));
        done.map_err(|error| self.raised(py, error))
    }

    /// Picture of the present state, `[height, width, 3]` of red, green and blue from 0 to 255.
    ///
    /// `options` are those of `ipcsim render`. Raises ValueError if one is wrong.
    fn picture(&self, py: Python, options: Vec<String>) -> PyResult<Py<PyAny>> {
        let look = self.look(&options)?;
        let inner = &self.inner;
        let drawn = work::compute(py, self.serial, self.threads, || picture(inner, &look))?;
        let drawn = drawn.map_err(|error| errors::run(py, &error))?;
        let shape = [drawn.height as usize, drawn.width as usize, 3];
        let image = PyArray1::from_vec(py, drawn.rgb).reshape(shape)?;
        Ok(image.into_any().unbind())
    }

    /// Picture of the present state as a PNG file, which a notebook shows.
    #[pyo3(name = "_repr_png_")]
    fn repr_png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let look = self.look(&[])?;
        let inner = &self.inner;
        let bytes = work::compute(py, self.serial, self.threads, || picture_png(inner, &look))?;
        let bytes = bytes.map_err(|error| errors::run(py, &error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Part of the world that pictures show: left, bottom, right, top (m). Without a view of the scene it is
    /// a box around the start and the present state.
    #[getter]
    fn view(&self) -> (f64, f64, f64, f64) {
        let Aabb { min, max } = self.shown();
        (min.x, min.y, max.x, max.y)
    }
}
