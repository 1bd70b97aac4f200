//! Perturbed cases: numbers of scenes that are off by a little, which a case must notice.
//!
//! A case states its tolerances. They mean something only if the case fails where its feature is wrong by
//! more. So a [`Perturbation`] multiplies a number of the scenes that a case builds, and the test demands
//! that a quantity which moves by three tolerances fails.
//!
//! Numbers change in the JSON of a scene, by the keys that a user would write, and not in the code of a case.
//! So a case needs no parameter for it, and every number of a scene can be perturbed. Where a case
//! compares two simulations, only one of them changes.
//!
//! Cases build their simulations by [`simulated`]. Without a perturbation it does nothing else. Each
//! case runs on one thread, by which a perturbation is known.

use crate::case::{Case, Report};
use ipcsim::prelude::*;
use serde_json::{Value, json};
use std::cell::RefCell;

/// A change of numbers in the scenes of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perturbation {
    /// Keys that lead to the numbers, with dots between them; `*` stands for all entries. A number that
    /// varies in time changes at all times.
    pub path: &'static str,
    /// Number of the only scene of the case that changes, from 0; all of them if absent.
    pub only: Option<usize>,
    /// Factor of the numbers (1).
    pub factor: f64,
}

/// A perturbation at work.
struct Working {
    /// The change.
    change: Perturbation,
    /// Number of scenes that have been built.
    scenes: usize,
    /// Number of numbers that have changed.
    changed: usize,
}

thread_local! {
    /// Perturbation of the case that this thread runs.
    static WORKING: RefCell<Option<Working>> = const { RefCell::new(None) };
}

/// Simulation of a scene of a case, perturbed if the thread runs a perturbed case.
///
/// A scene in which nothing changes is built as it is, without a detour over JSON.
///
/// # Errors
/// Problems of the scene.
pub(crate) fn simulated(scene: Scene) -> Result<Simulation, Error> {
    let changed = WORKING.with_borrow_mut(|working| {
        let working = working.as_mut()?;
        let number = working.scenes;
        working.scenes += 1;
        if working.change.only.is_some_and(|only| only != number) {
            return None;
        }

        // By the keys of the file format.
        let mut json = scene.to_json();
        let keys: Vec<&str> = working.change.path.split('.').collect();
        working.changed += multiply(&mut json, &keys, working.change.factor);
        serde_json::from_value(json).ok()
    });
    Simulation::new(changed.unwrap_or(scene))
}

/// Report of a case whose scenes are perturbed, and the number of numbers that have changed.
///
/// A path that leads nowhere changes nothing, which the caller should take for a mistake.
pub fn perturbed(case: Case, change: Perturbation) -> (Report, usize) {
    let working = Working {
        change,
        scenes: 0,
        changed: 0,
    };

    // The case runs on this thread.
    WORKING.set(Some(working));
    let report = Report::of(case);
    let working = WORKING.take();
    (report, working.map_or(0, |working| working.changed))
}

/// Multiplies the numbers to which keys lead by a factor; their number.
fn multiply(value: &mut Value, keys: &[&str], factor: f64) -> usize {
    let Some((first, rest)) = keys.split_first() else {
        return multiply_all(value, factor);
    };

    // All entries, or the one of that name.
    let parts: Vec<&mut Value> = match value {
        Value::Array(list) if *first == "*" => list.iter_mut().collect(),
        Value::Object(map) if *first == "*" => map.values_mut().collect(),
        Value::Object(map) => map.get_mut(*first).into_iter().collect(),
        _ => Vec::new(),
    };
    parts
        .into_iter()
        .map(|part| multiply(part, rest, factor))
        .sum()
}

/// Multiplies a number, a formula, the values of a table, or all numbers of a list; their number.
fn multiply_all(value: &mut Value, factor: f64) -> usize {
    match value {
        Value::Number(number) => {
            *value = json!(number.as_f64().unwrap_or(f64::NAN) * factor);
            1
        }
        Value::String(formula) => {
            *value = json!(format!("({formula}) * {factor:?}"));
            1
        }
        Value::Array(list) => list.iter_mut().map(|own| multiply_all(own, factor)).sum(),
        Value::Object(map) => {
            let values = map.get_mut("values");
            values.map_or(0, |values| multiply_all(values, factor))
        }
        Value::Null | Value::Bool(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_formulas_and_tables_are_multiplied_where_keys_lead() {
        let mut scene = json!({
            "loads": [{ "pressure": 2.0 }, { "pressure": "3*t" }, { "force": [1.0, 5.0] }],
            "fill": { "times": [0.0, 1.0], "values": [0.0, 4.0] }
        });
        assert_eq!(multiply(&mut scene, &["loads", "*", "pressure"], 2.0), 2);
        assert_eq!(multiply(&mut scene, &["fill"], 0.5), 2);
        assert_eq!(multiply(&mut scene, &["missing", "*"], 2.0), 0);
        let expected = json!({
            "loads": [{ "pressure": 4.0 }, { "pressure": "(3*t) * 2.0" }, { "force": [1.0, 5.0] }],
            "fill": { "times": [0.0, 1.0], "values": [0.0, 2.0] }
        });
        assert_eq!(scene, expected);
    }
}
