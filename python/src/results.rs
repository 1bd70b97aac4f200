//! Results of a step by name.

use ipcsim::measures::Measure;
use ipcsim::time::{Record, StepReport, Work};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Energies of a record (J) by name, with the names of its potentials.
///
/// # Errors
/// Those of a dictionary.
pub(crate) fn energies<'py>(
    py: Python<'py>,
    record: &Record,
    columns: &[&'static str],
) -> PyResult<Bound<'py, PyDict>> {
    let energies = PyDict::new(py);
    energies.set_item("kinetic", record.kinetic)?;
    for (name, value) in columns.iter().zip(&record.potentials) {
        energies.set_item(name, value)?;
    }
    energies.set_item("total", record.total)?;
    Ok(energies)
}

/// Names of measures, and their values at the end of a step; NaN where one is undefined.
pub(crate) fn measured(measures: &[Measure], account: &StepReport) -> Vec<(String, f64)> {
    let readings = account
        .measures
        .iter()
        .copied()
        .chain(std::iter::repeat(None));
    let both = measures.iter().zip(readings);
    both.map(|(own, reading)| (own.name.clone(), reading.map_or(f64::NAN, |own| own.value)))
        .collect()
}

/// Account of a step by name, with the words of `energies.csv` and `run.json`.
///
/// # Errors
/// Those of a dictionary.
pub(crate) fn report<'py>(py: Python<'py>, account: &StepReport) -> PyResult<Bound<'py, PyDict>> {
    let StepReport {
        record, recovery, ..
    } = account;
    let report = PyDict::new(py);
    report.set_item("step", record.step)?;
    report.set_item("time", record.time)?;
    report.set_item("newton_iterations", record.newton_iterations)?;
    report.set_item("contacts", record.contacts)?;
    report.set_item("residual", account.residual)?;
    report.set_item("imbalance", record.imbalance)?;
    report.set_item("asleep", record.asleep)?;
    report.set_item("min_gap", record.min_gap)?;
    report.set_item("min_area_ratio", record.min_area_ratio)?;
    report.set_item("momentum", (record.momentum.x, record.momentum.y))?;
    report.set_item("stiffening", record.stiffening)?;

    // What forces did, if the scene has a ledger.
    report.set_item("work", work(py, record)?)?;
    report.set_item("late_contacts", account.late_contacts)?;
    report.set_item("recovered", recovery.is_some())?;
    report.set_item("over", account.over)?;
    Ok(report)
}

/// Work of a step by sources (J); none unless the scene keeps a ledger.
///
/// # Errors
/// Those of a dictionary.
fn work<'py>(py: Python<'py>, record: &Record) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(ledger) = &record.ledger else {
        return Ok(None);
    };
    let work = PyDict::new(py);
    for (name, value) in Work::NAMES.into_iter().zip(ledger.work.values()) {
        work.set_item(name, value)?;
    }
    Ok(Some(work))
}
