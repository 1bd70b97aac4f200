//! Parameters that Python writes into arrays of a batch, with a row for each simulation.

use crate::arrays::Shown;
use ipcsim::scene::schema::Parameter;
use numpy::PyArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;

/// A parameter that can be set between steps, and its array.
pub(super) struct Control {
    /// Path by which Python asks for it.
    pub(super) path: String,
    /// Entry of `changes` with the parameter.
    template: Value,
    /// JSON pointer of its number in the entry.
    pointer: String,
    /// Count of its numbers, 0 for a single one.
    count: usize,
    /// Numbers of the scene, which hold until others are written.
    start: Vec<f64>,
    /// Its numbers, `[simulations]` or `[simulations, count]`.
    pub(super) shown: Shown<f64>,
}

impl Control {
    /// An array for `simulations`, each with these `numbers`, for a parameter as an entry of `changes` has
    /// it.
    ///
    /// # Errors
    /// `ValueError` if the template is no parameter.
    pub(super) fn new(
        py: Python,
        simulations: usize,
        path: String,
        [template, pointer]: [&str; 2],
        numbers: &[f64],
        is_list: bool,
    ) -> PyResult<Self> {
        let invalid = |error: String| PyValueError::new_err(format!("{path}: {error}"));
        let template: Value =
            serde_json::from_str(template).map_err(|error| invalid(error.to_string()))?;
        if template.pointer(pointer).is_none() {
            return Err(invalid(format!("no number at {pointer}")));
        }

        let count = if is_list { numbers.len() } else { 0 };
        let shape = [simulations, numbers.len()];
        let shown = Shown::zeros(py, &shape[..=usize::from(is_list)])?;
        let control = Self {
            path,
            template,
            pointer: pointer.to_owned(),
            count,
            start: numbers.to_vec(),
            shown,
        };

        // Every simulation begins with the numbers of the scene.
        let mut array = control.shown.array.bind(py).try_readwrite()?;
        for row in array.as_slice_mut()?.chunks_exact_mut(numbers.len()) {
            row.copy_from_slice(numbers);
        }
        drop(array);
        Ok(control)
    }

    /// Count of its numbers in a row.
    pub(super) fn width(&self) -> usize {
        self.count.max(1)
    }

    /// Numbers of the scene.
    pub(super) fn start(&self) -> &[f64] {
        &self.start
    }

    /// The parameter with these numbers; `None` where one is not a number, which leaves the parameter as it
    /// is.
    ///
    /// # Errors
    /// What is wrong with the entry.
    pub(super) fn parameter(&self, numbers: &[f64]) -> Result<Option<Parameter>, String> {
        if numbers.iter().any(|number| number.is_nan()) {
            return Ok(None);
        }
        let mut entry = self.template.clone();
        if let Some(place) = entry.pointer_mut(&self.pointer) {
            *place = if self.count == 0 {
                numbers[0].into()
            } else {
                numbers.to_vec().into()
            };
        }
        let read = serde_json::from_value(entry).map_err(|error| error.to_string())?;
        Ok(Some(read))
    }
}
