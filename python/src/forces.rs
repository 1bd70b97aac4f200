//! Forces of contacts, supports and joints as columns of arrays.
//!
//! Bodies are numbers in the order of the simulation's names, vertices are numbers in its arrays.
//! Sums over many contacts may use several threads, which a [`Source`] chooses.

use crate::arrays;
use crate::work;
use ipcsim::Simulation;
use ipcsim::math::{Mat2, Vec2};
use ipcsim::measures::OF_CHAMBERS;
use ipcsim::simulation::Coarse;
use ipcsim::time::ChamberState;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;

/// A simulation whose forces are read, and the threads that compute them.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Simulation itself.
    pub(crate) simulation: &'a Simulation,
    /// True if it stays on the calling thread.
    pub(crate) serial: bool,
    /// Number of threads otherwise, or one a core.
    pub(crate) threads: Option<usize>,
}

impl<'a> Source<'a> {
    /// Values that are read of the simulation, without Python's lock.
    ///
    /// # Errors
    /// `OSError` if threads cannot be started.
    fn read<T: Send>(
        self,
        py: Python,
        of: impl FnOnce(&'a Simulation) -> Vec<T> + Send,
    ) -> PyResult<Vec<T>> {
        work::compute(py, self.serial, self.threads, || of(self.simulation))
    }
}

/// Numbers of the bodies by their names.
fn numbers(simulation: &Simulation) -> HashMap<&str, i64> {
    let names = simulation.bodies().map(|body| body.name());
    names.zip(0..).collect()
}

/// Numbers of two bodies with these names.
fn pair(numbers: &HashMap<&str, i64>, names: [&str; 2]) -> [i64; 2] {
    names.map(|name| numbers.get(name).copied().unwrap_or(-1))
}

/// Vertices of a contact in four places: -1 where a half-plane has none.
fn four(vertices: &[usize]) -> [i64; 4] {
    let mut places = [-1; 4];
    for (place, vertex) in places.iter_mut().zip(vertices) {
        *place = i64::try_from(*vertex).unwrap_or(-1);
    }
    places
}

/// Columns of all contacts at the end of the last step.
///
/// # Errors
/// Those of `numpy`.
pub(crate) fn contacts<'py>(py: Python<'py>, source: Source) -> PyResult<Bound<'py, PyDict>> {
    let all = source.read(py, |simulation| simulation.contacts().collect())?;
    let numbers = numbers(source.simulation);
    let vectors = |of: fn(&ipcsim::simulation::ContactForce) -> Vec2| {
        let list: Vec<Vec2> = all.iter().map(of).collect();
        arrays::vectors(py, &list)
    };
    let scalars =
        |of: fn(&ipcsim::simulation::ContactForce) -> f64| arrays::list(py, all.iter().map(of));

    let columns = PyDict::new(py);
    let bodies = all.iter().map(|contact| pair(&numbers, contact.bodies));
    columns.set_item("bodies", arrays::table(py, bodies)?)?;
    let vertices = all.iter().map(|contact| four(&contact.vertices));
    columns.set_item("vertices", arrays::table(py, vertices)?)?;
    columns.set_item("point", vectors(|contact| contact.point)?)?;
    columns.set_item("normal", vectors(|contact| contact.normal)?)?;
    columns.set_item("gap", scalars(|contact| contact.gap)?)?;
    columns.set_item("normal_force", scalars(|contact| contact.normal_force)?)?;
    columns.set_item("friction_force", vectors(|contact| contact.friction_force)?)?;
    columns.set_item("slip", scalars(|contact| contact.slip)?)?;
    columns.set_item("rolling_moment", scalars(|contact| contact.rolling_moment)?)?;
    let sticks = all.iter().map(|contact| contact.sticks);
    columns.set_item("sticks", arrays::list(py, sticks)?)?;
    Ok(columns)
}

/// Columns of the fields of the bodies within a radius (m) of places (m).
///
/// # Errors
/// `ValueError` if the radius is not positive; those of `numpy`.
pub(crate) fn coarse<'py>(
    py: Python<'py>,
    source: Source,
    at: &[Vec2],
    within: f64,
) -> PyResult<Bound<'py, PyDict>> {
    if !(within.is_finite() && within > 0.0) {
        let message = format!("within is {within} m, but must be positive");
        return Err(PyValueError::new_err(message));
    }
    let all: Vec<Coarse> = source.read(py, |simulation| {
        let grains = simulation.grains();
        let places = at.iter();
        places
            .map(|place| grains.coarse(*place, within, |_| true))
            .collect()
    })?;

    let columns = PyDict::new(py);
    let scalars = |of: fn(&Coarse) -> f64| arrays::list(py, all.iter().map(of));
    let tensors = |of: fn(&Coarse) -> Mat2| {
        let rows = all.iter().map(of);
        arrays::table(
            py,
            rows.map(|own| [own[(0, 0)], own[(0, 1)], own[(1, 0)], own[(1, 1)]]),
        )
    };
    let velocity: Vec<Vec2> = all.iter().map(|own| own.velocity).collect();
    columns.set_item("density", scalars(|own| own.density)?)?;
    columns.set_item("fraction", scalars(|own| own.fraction)?)?;
    columns.set_item("velocity", arrays::vectors(py, &velocity)?)?;
    columns.set_item("stress", tensors(|own| own.stress)?)?;
    columns.set_item("kinetic", tensors(|own| own.kinetic)?)?;
    Ok(columns)
}

/// Columns of the reactions of all supports at the end of the last step.
///
/// # Errors
/// Those of `numpy`.
pub(crate) fn reactions<'py>(py: Python<'py>, source: Source) -> PyResult<Bound<'py, PyDict>> {
    let all = source.read(py, |simulation| simulation.reactions().collect())?;
    let numbers = numbers(source.simulation);
    let force: Vec<Vec2> = all.iter().map(|reaction| reaction.force).collect();
    let about: Vec<Vec2> = all.iter().map(|reaction| reaction.about).collect();
    let kinds: Vec<String> = all.iter().map(|reaction| reaction.kind.label()).collect();

    let columns = PyDict::new(py);
    let body = all
        .iter()
        .map(|reaction| pair(&numbers, [reaction.body; 2])[0]);
    columns.set_item("body", arrays::list(py, body)?)?;
    columns.set_item("kind", kinds)?;
    columns.set_item("force", arrays::vectors(py, &force)?)?;
    let moment = all.iter().map(|reaction| reaction.moment);
    columns.set_item("moment", arrays::list(py, moment)?)?;
    columns.set_item("about", arrays::vectors(py, &about)?)?;
    Ok(columns)
}

/// Columns of the forces of all joints at the end of the last step, on their second bodies.
///
/// # Errors
/// Those of `numpy`.
pub(crate) fn joints<'py>(py: Python<'py>, source: Source) -> PyResult<Bound<'py, PyDict>> {
    let all = source.read(py, |simulation| simulation.joints().collect())?;
    let numbers = numbers(source.simulation);
    let force: Vec<Vec2> = all.iter().map(|joint| joint.force).collect();

    let columns = PyDict::new(py);
    let bodies = all.iter().map(|joint| pair(&numbers, joint.bodies));
    columns.set_item("bodies", arrays::table(py, bodies)?)?;
    columns.set_item("force", arrays::vectors(py, &force)?)?;
    let moment = all.iter().map(|joint| joint.moment);
    columns.set_item("moment", arrays::list(py, moment)?)?;
    let broken = all.iter().map(|joint| joint.is_broken);
    columns.set_item("broken", arrays::list(py, broken)?)?;

    // What the scene says of them.
    let joints = &source.simulation.scene().joints;
    let commons = || joints.iter().map(|joint| joint.common());
    let kinds: Vec<&str> = commons().map(|common| common.kind).collect();
    columns.set_item("kind", kinds)?;
    let labels: Vec<Option<&str>> = commons().map(|common| common.name).collect();
    columns.set_item("label", labels)?;
    Ok(columns)
}

/// Names of all chambers, and pressure, pressure over the ambient one, volume and amount of their gas.
///
/// # Errors
/// Those of `numpy`.
pub(crate) fn chambers<'py>(py: Python<'py>, source: Source) -> PyResult<Bound<'py, PyDict>> {
    let all: Vec<(&str, ChamberState)> = source.simulation.chambers().collect();
    let columns = PyDict::new(py);
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    columns.set_item("name", names)?;
    for part in &OF_CHAMBERS {
        let numbers = all
            .iter()
            .map(|(_, own)| (part.of)(own).unwrap_or(f64::NAN));
        columns.set_item(part.name, arrays::list(py, numbers)?)?;
    }
    Ok(columns)
}
