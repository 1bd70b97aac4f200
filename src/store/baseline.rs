//! Baselines: what a run was, in a few numbers, for later ones to be compared with.
//!
//! A baseline samples states at Fibonacci numbers of stored ones and at the last: the centre and the box of some bodies, all
//! energies, the smallest gap, and the iterations so far. What may differ is stated in the file; it follows from the physics,
//! not from what was measured.

use super::mesh_file::{BodyEntry, MeshFile};
use super::report::RunReport;
use super::table::Table;
use crate::geometry::Aabb;
use crate::math::Vec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number of the format.
pub const FORMAT: u32 = 1;
/// Most bodies that are sampled.
const MOST_BODIES: usize = 12;
/// Share of the largest energy by which energies may differ.
const ENERGY_SHARE: f64 = 0.01;
/// Share of the barrier's activation distance by which the smallest gap may differ.
const GAP_SHARE: f64 = 0.1;
/// Share by which iterations may differ.
const ITERATIONS_SHARE: f64 = 0.1;
/// Iterations that may always differ.
const FEW_ITERATIONS: f64 = 3.0;

/// A file of a run's numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// See [`FORMAT`].
    pub format: u32,
    /// Version of the program whose run it is.
    pub version: String,
    /// The scene's name.
    pub scene: String,
    /// What there is to say.
    pub note: Option<String>,
    /// Numbers that the run used.
    pub parameters: BTreeMap<String, f64>,
    /// Vertices, triangles and edges.
    pub counts: [usize; 3],
    /// What may differ.
    pub tolerances: Tolerances,
    /// Names of the energies.
    pub energies: Vec<String>,
    /// The bodies that are sampled, by number and name.
    pub bodies: Vec<(usize, String)>,
    /// States, by ascending step.
    pub states: Vec<Sample>,
}

/// By how much a run may differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerances {
    /// What the numbers follow from.
    pub why: String,
    /// Of positions after `n` steps `n + 1` times this (m).
    pub position_per_step: f64,
    /// Of an energy (J).
    pub energy: f64,
    /// Of the smallest gap (m).
    pub gap: f64,
    /// Of the iterations so far, relative.
    pub iterations: f64,
    /// Iterations that may always differ.
    pub iterations_least: f64,
}

/// A state in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Its step.
    pub step: u64,
    /// Newton iterations of the stored states so far.
    pub iterations: f64,
    /// The smallest gap (m), if there are contacts.
    pub gap: Option<f64>,
    /// Energies (J).
    pub energies: Vec<f64>,
    /// Of each sampled body the mean position of its vertices and the lower left and upper right corner of its box (m).
    pub places: Vec<[f64; 6]>,
}

/// The stored states that a baseline samples, of `count`: numbers 0, 1, 2, 3, 5, 8, ... and the last.
pub fn sampled(count: usize) -> Vec<usize> {
    let fibonacci = std::iter::successors(Some((0, 1)), |&(a, b)| Some((b, a + b))).map(|(a, _)| a);
    let mut entries: Vec<usize> = fibonacci
        .take_while(|&entry| entry < count)
        .chain(count.checked_sub(1))
        .collect();
    entries.dedup();
    entries
}

impl Baseline {
    /// A baseline without states, of the run with this report, mesh and table.
    pub fn new(report: &RunReport, mesh: &MeshFile, table: &Table, note: Option<String>) -> Self {
        let parameter = |name: &str| report.parameters.get(name).copied().unwrap_or_default();
        let largest = table
            .energies()
            .flat_map(|k| table.rows.iter().filter_map(move |row| row[k]));
        let largest = largest.map(f64::abs).fold(0.0, f64::max);
        let stride = mesh.bodies.len().div_ceil(MOST_BODIES).max(1);
        Self {
            format: FORMAT,
            version: report.version.clone(),
            scene: report.scene.clone(),
            note,
            parameters: report.parameters.clone(),
            counts: counts(mesh),
            tolerances: Tolerances {
                why: "positions: a velocity that is off by the solver's tolerance from the start; energies: 1 % of the largest; \
                      gap: a tenth of d_hat; iterations: 10 %, or 3"
                    .to_owned(),
                position_per_step: parameter("time_step") * parameter("tolerance"),
                energy: digits(ENERGY_SHARE * largest),
                gap: GAP_SHARE * parameter("d_hat"),
                iterations: ITERATIONS_SHARE,
                iterations_least: FEW_ITERATIONS,
            },
            energies: table.energies().map(|k| table.columns[k].clone()).collect(),
            bodies: mesh.bodies.iter().map(|body| body.name.clone()).enumerate().step_by(stride).collect(),
            states: Vec::new(),
        }
    }

    /// The sample of the stored state `entry` with positions `x`.
    pub fn sample(&self, mesh: &MeshFile, table: &Table, entry: usize, x: &[Vec2]) -> Sample {
        let row = &table.rows[entry];
        let column = |name: &str| table.columns.iter().position(|column| column == name);
        let sum = |k: usize| table.rows[..=entry].iter().filter_map(|row| row[k]).sum();
        let place = |body: usize| {
            let BodyEntry {
                first_vertex,
                vertex_count,
                ..
            } = mesh.bodies[body];
            let own = || x.iter().skip(first_vertex).take(vertex_count).copied();
            let bounds = Aabb::around(own());
            let mean = own().sum::<Vec2>() / vertex_count as f64;
            [
                mean.x,
                mean.y,
                bounds.min.x,
                bounds.min.y,
                bounds.max.x,
                bounds.max.y,
            ]
            .map(digits)
        };
        Sample {
            step: step_of(table, entry),
            iterations: column("newton_iterations").map_or(0.0, sum),
            gap: column("min_gap").and_then(|k| row[k]).map(digits),
            energies: table
                .energies()
                .map(|k| digits(row[k].unwrap_or(f64::NAN)))
                .collect(),
            places: self.bodies.iter().map(|&(body, _)| place(body)).collect(),
        }
    }

    /// Why a run with this report and mesh cannot be compared.
    pub fn mismatch(&self, report: &RunReport, mesh: &MeshFile, table: &Table) -> Option<String> {
        if self.counts != counts(mesh) {
            let [ours, theirs] = [counts(mesh), self.counts]
                .map(|[v, t, e]| format!("{v} vertices, {t} triangles, {e} edges"));
            return Some(format!("it has {ours}, the baseline {theirs}"));
        }
        if let Some((body, name)) = self
            .bodies
            .iter()
            .find(|(k, name)| mesh.bodies.get(*k).is_none_or(|b| b.name != *name))
        {
            return Some(format!("body {body} is not \"{name}\", as in the baseline"));
        }
        let columns: Vec<&String> = table.energies().map(|k| &table.columns[k]).collect();
        if columns != self.energies.iter().collect::<Vec<_>>() {
            return Some(format!(
                "its energies are {columns:?}, those of the baseline {:?}",
                self.energies
            ));
        }
        let other = |(name, value): &(&String, &f64)| {
            !report
                .parameters
                .get(*name)
                .is_some_and(|own| close(*own, **value))
        };
        let (name, value) = self.parameters.iter().find(other)?;
        let own = report
            .parameters
            .get(name)
            .map_or("missing".to_owned(), ToString::to_string);
        Some(format!("{name} is {own}, in the baseline {value}"))
    }

    /// How a sample differs from the baseline's of the same step, if by more than it may.
    pub fn difference(&self, expected: &Sample, found: &Sample) -> Option<String> {
        let Tolerances {
            position_per_step,
            energy,
            gap,
            iterations,
            iterations_least,
            ..
        } = self.tolerances;
        let step = expected.step;
        let told = |what: String, [a, b]: [f64; 2], allowed: f64, unit: &str| {
            // A NaN differs from everything.
            let agrees = (a - b).abs() <= allowed;
            (!agrees)
                .then(|| format!("step {step}: {what} is {a}{unit} against {b}{unit}; allowed are {allowed:.3e}{unit}"))
        };
        let position = position_per_step * (step as f64 + 1.0);
        let whats = [
            "mean x",
            "mean y",
            "least x",
            "least y",
            "largest x",
            "largest y",
        ];
        let of_bodies = self
            .bodies
            .iter()
            .zip(found.places.iter().zip(&expected.places))
            .find_map(|((_, name), (a, b))| {
                (0..6).find_map(|k| {
                    told(
                        format!("{} of \"{name}\"", whats[k]),
                        [a[k], b[k]],
                        position,
                        " m",
                    )
                })
            });
        let energies = || {
            let pairs = self
                .energies
                .iter()
                .zip(found.energies.iter().zip(&expected.energies));
            pairs
                .into_iter()
                .find_map(|(name, (&a, &b))| told(name.clone(), [a, b], energy, " J"))
        };
        // Without contacts the smallest gap is at least where the barrier begins.
        let d_hat = self.parameters.get("d_hat").copied().unwrap_or_default();
        let gaps = || {
            told(
                "the smallest gap".to_owned(),
                [found, expected].map(|s| s.gap.unwrap_or(d_hat)),
                gap,
                " m",
            )
        };
        let count = || {
            let allowed = (iterations * expected.iterations).max(iterations_least);
            told(
                "the number of Newton iterations so far".to_owned(),
                [found.iterations, expected.iterations],
                allowed,
                "",
            )
        };
        of_bodies.or_else(energies).or_else(gaps).or_else(count)
    }

    /// The text of the file: a line for each state.
    ///
    /// # Errors
    /// None that a baseline could have.
    pub fn text(&self) -> serde_json::Result<String> {
        // Within strings quotes are escaped.
        let text = serde_json::to_string(self)?.replace("{\"step\":", "\n{\"step\":");
        Ok(text.replace(",\"tolerances\":", ",\n\"tolerances\":") + "\n")
    }
}

/// The step of a row.
fn step_of(table: &Table, entry: usize) -> u64 {
    // Step numbers are written as whole numbers and are far below 2^53.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, small and not negative"
    )]
    let step = table.rows[entry][0].unwrap_or_default() as u64;
    step
}

fn counts(mesh: &MeshFile) -> [usize; 3] {
    [
        mesh.vertices_rest.len(),
        mesh.triangles.len(),
        mesh.edges.len(),
    ]
}

/// Whether two numbers are equal up to rounding: parameters may be derived with another processor's functions.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

/// The number to ten digits, which is more than any tolerance asks for.
fn digits(value: f64) -> f64 {
    format!("{value:.9e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_sampled_densely_at_first_and_to_the_end() {
        assert_eq!(sampled(1), [0]);
        assert_eq!(sampled(7), [0, 1, 2, 3, 5, 6]);
        assert_eq!(sampled(22), [0, 1, 2, 3, 5, 8, 13, 21]);
        assert_eq!(sampled(0), [0; 0]);
    }

    #[test]
    fn numbers_keep_ten_digits() {
        assert_eq!(digits(0.123_456_789_012_345), 0.123_456_789_0);
        assert_eq!((digits(0.0), digits(-1e-300)), (0.0, -1e-300));
        assert!(digits(f64::NAN).is_nan());
    }
}
