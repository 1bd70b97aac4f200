//! Baselines: a run in a few numbers, with which later runs are compared.
//!
//! A baseline samples the stored states whose numbers are Fibonacci numbers, and the last one:
//! centre and box of some bodies, all energies, the smallest gap, and the iterations so far. So the
//! first states, where a difference is easiest to explain, are sampled densely.
//!
//! The tolerances are in the file. They follow from the physics and not from measured differences:
//! a velocity may be off by the solver's tolerance from the first step on, so positions may drift
//! apart by one more tolerance every step. Energies may differ by a share of the largest, the gap
//! by a share of the barrier's activation distance.

use super::mesh_file::{BodyEntry, MeshFile};
use super::report::RunReport;
use super::table::{Moment, Table};
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of the format; files of another format are refused.
pub const FORMAT: u32 = 1;
/// Largest number of sampled bodies.
const MOST_BODIES: usize = 12;
/// Tolerance of energies, as a share of the largest energy.
const ENERGY_SHARE: f64 = 0.01;
/// Tolerance of the smallest gap, as a share of the barrier's activation distance.
const GAP_SHARE: f64 = 0.1;
/// Tolerance of the number of iterations, as a share of it.
const ITERATIONS_SHARE: f64 = 0.1;
/// Least tolerance of the number of iterations.
const FEW_ITERATIONS: f64 = 3.0;

/// Contents of a baseline file: what was run, what it gave, and how far a later run may differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Number of the format, see [`FORMAT`].
    pub format: u32,
    /// Version of the program that made the run.
    pub version: String,
    /// Name of the scene in the report of the run.
    pub scene: String,
    /// Remark of the person who made the baseline.
    pub note: Option<String>,
    /// Numbers that the run used, given or derived, by name.
    pub parameters: BTreeMap<String, f64>,
    /// Numbers of vertices, triangles and edges, in this order.
    pub counts: [usize; 3],
    /// Largest allowed differences of a run.
    pub tolerances: Tolerances,
    /// Names of the energies, in the order of [`Sample::energies`].
    pub energies: Vec<String>,
    /// Sampled bodies, by number and name, in the order of [`Sample::places`].
    pub bodies: Vec<(usize, String)>,
    /// Sampled states, by ascending step.
    pub states: Vec<Sample>,
}

/// Largest allowed differences from a baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerances {
    /// Reasons for the tolerances, for people who read the file.
    pub why: String,
    /// Tolerance of positions (m); after `n` steps it is `n + 1` times this.
    pub position_per_step: f64,
    /// Tolerance of an energy (J).
    pub energy: f64,
    /// Tolerance of the smallest gap (m).
    pub gap: f64,
    /// Relative tolerance of the iterations so far.
    pub iterations: f64,
    /// Least tolerance of the iterations so far.
    pub iterations_least: f64,
}

/// A stored state in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Number of the step.
    pub step: u64,
    /// Newton iterations of the stored states up to this one.
    pub iterations: f64,
    /// Smallest gap (m), if there are contacts.
    pub gap: Option<f64>,
    /// All energies (J), in the order of [`Baseline::energies`].
    pub energies: Vec<f64>,
    /// For each sampled body (m): mean position of its vertices, lower left and upper right corner
    /// of its box.
    pub places: Vec<[f64; 6]>,
}

/// Numbers of the sampled states among `count` stored ones: 0, 1, 2, 3, 5, 8, ... and the last.
///
/// They ascend, each once; none without a stored state.
pub fn sampled(count: usize) -> Vec<usize> {
    let mut entries = Vec::new();
    let mut entry = 0;
    let mut next = 1;
    while entry < count {
        entries.push(entry);
        (entry, next) = (next, entry + next);
    }

    // The number 1 comes twice, and so does a last state that is sampled already.
    entries.extend(count.checked_sub(1));
    entries.dedup();
    entries
}

impl Baseline {
    /// Baseline of the run with this report, mesh and table; states are still to be added.
    ///
    /// At most 12 bodies are sampled, evenly spaced by number. A parameter that the report lacks
    /// counts as 0.
    pub fn new(report: &RunReport, mesh: &MeshFile, table: &Table, note: Option<String>) -> Self {
        let parameter = |name: &str| report.parameters.get(name).copied().unwrap_or_default();

        // Largest energy of any state.
        let mut largest = 0.0_f64;
        for k in table.energies() {
            for row in &table.rows {
                largest = largest.max(row[k].unwrap_or_default().abs());
            }
        }

        // Every body of few, every second or third of many.
        let stride = mesh.bodies.len().div_ceil(MOST_BODIES).max(1);
        Self {
            format: FORMAT,
            version: report.version.clone(),
            scene: report.scene.clone(),
            note,
            parameters: report.parameters.clone(),
            counts: counts(mesh),
            tolerances: Tolerances {
                why: "positions: a velocity that is off by the solver's tolerance from the start; \
                      energies: 1 % of the largest; gap: a tenth of d_hat; iterations: 10 %, or 3"
                    .to_owned(),
                position_per_step: parameter("time_step") * parameter("tolerance"),
                energy: digits(ENERGY_SHARE * largest),
                gap: GAP_SHARE * parameter("d_hat"),
                iterations: ITERATIONS_SHARE,
                iterations_least: FEW_ITERATIONS,
            },
            energies: table.energies().map(|k| table.columns[k].clone()).collect(),
            bodies: mesh
                .bodies
                .iter()
                .map(|body| body.name.clone())
                .enumerate()
                .step_by(stride)
                .collect(),
            states: Vec::new(),
        }
    }

    /// Sample of the stored state `entry` with positions `x` (m), `[vertices]`.
    ///
    /// Iterations are summed up to this state. An energy that the table lacks is NaN, which agrees
    /// with nothing.
    pub fn sample(&self, mesh: &MeshFile, table: &Table, entry: usize, x: &[Vec2]) -> Sample {
        let row = &table.rows[entry];
        let column = |name: &str| table.columns.iter().position(|column| column == name);

        // Sums and numbers of the row; columns that the table lacks stay unknown.
        let mut iterations = 0.0;
        if let Some(k) = column("newton_iterations") {
            iterations = table.rows[..=entry].iter().filter_map(|row| row[k]).sum();
        }
        let gap = column("min_gap").and_then(|k| row[k]);
        let energies = table.energies().map(|k| row[k].unwrap_or(f64::NAN));

        let bodies = self.bodies.iter().map(|&(body, _)| &mesh.bodies[body]);
        Sample {
            step: Moment::of(row).step as u64,
            iterations,
            gap: gap.map(digits),
            energies: energies.map(digits).collect(),
            places: bodies.map(|body| place(body, x)).collect(),
        }
    }

    /// Reason why a run with this report, mesh and table cannot be compared, in a sentence; `None`
    /// if it can.
    ///
    /// The counts, the sampled bodies, the energies and all parameters of the baseline must agree.
    pub fn mismatch(&self, report: &RunReport, mesh: &MeshFile, table: &Table) -> Option<String> {
        if self.counts != counts(mesh) {
            let [ours, theirs] = [counts(mesh), self.counts]
                .map(|[v, t, e]| format!("{v} vertices, {t} triangles, {e} edges"));
            return Some(format!("it has {ours}, the baseline {theirs}"));
        }

        // Bodies by number and name, and energies by name and order.
        for (body, name) in &self.bodies {
            if mesh.bodies.get(*body).is_none_or(|own| own.name != *name) {
                return Some(format!("body {body} is not \"{name}\", as in the baseline"));
            }
        }
        let columns: Vec<&String> = table.energies().map(|k| &table.columns[k]).collect();
        if columns != self.energies.iter().collect::<Vec<_>>() {
            return Some(format!(
                "its energies are {columns:?}, those of the baseline {:?}",
                self.energies
            ));
        }

        // Parameters up to rounding.
        for (name, &value) in &self.parameters {
            let own = report.parameters.get(name).copied();
            if !own.is_some_and(|own| close(own, value)) {
                let own = own.map_or("missing".to_owned(), |own| own.to_string());
                return Some(format!("{name} is {own}, in the baseline {value}"));
            }
        }
        None
    }

    /// First difference of a sample from the baseline's sample of the same step that exceeds its
    /// tolerance, in words; `None` if all numbers agree.
    ///
    /// Positions are compared first, then energies, the gap and the iterations.
    pub fn difference(&self, expected: &Sample, found: &Sample) -> Option<String> {
        let allowed = &self.tolerances;
        let compared = self
            .place_differences(expected, found)
            .chain(self.energy_differences(expected, found));

        // Without contacts the smallest gap is at least the distance where the barrier begins.
        let d_hat = self.parameters.get("d_hat").copied().unwrap_or_default();
        let gap = Compared {
            what: "the smallest gap".to_owned(),
            found: found.gap.unwrap_or(d_hat),
            expected: expected.gap.unwrap_or(d_hat),
            allowed: allowed.gap,
            unit: " m",
        };
        let iterations = Compared {
            what: "the number of Newton iterations so far".to_owned(),
            found: found.iterations,
            expected: expected.iterations,
            allowed: (allowed.iterations * expected.iterations).max(allowed.iterations_least),
            unit: "",
        };

        compared
            .chain([gap, iterations])
            .find(|compared| !compared.agrees())
            .map(|compared| format!("step {}: {compared}", expected.step))
    }

    /// Positions of all sampled bodies beside those of the baseline.
    ///
    /// After `n` steps the tolerance is `n + 1` times that of a step (m): an error of the velocity
    /// grows with the steps.
    fn place_differences(
        &self,
        expected: &Sample,
        found: &Sample,
    ) -> impl Iterator<Item = Compared> {
        const NAMES: [&str; 6] = [
            "mean x",
            "mean y",
            "least x",
            "least y",
            "largest x",
            "largest y",
        ];

        let allowed = self.tolerances.position_per_step * (expected.step as f64 + 1.0);
        // Six numbers for each sampled body.
        let pairs = found.places.iter().zip(&expected.places);
        self.bodies
            .iter()
            .zip(pairs)
            .flat_map(move |((_, name), (found, expected))| {
                (0..6).map(move |k| Compared {
                    what: format!("{} of \"{name}\"", NAMES[k]),
                    found: found[k],
                    expected: expected[k],
                    allowed,
                    unit: " m",
                })
            })
    }

    /// All energies (J) beside those of the baseline.
    fn energy_differences(
        &self,
        expected: &Sample,
        found: &Sample,
    ) -> impl Iterator<Item = Compared> {
        let pairs = found.energies.iter().zip(&expected.energies);
        self.energies
            .iter()
            .zip(pairs)
            .map(|(name, (&found, &expected))| Compared {
                what: name.clone(),
                found,
                expected,
                allowed: self.tolerances.energy,
                unit: " J",
            })
    }

    /// Text of the file (JSON), with one line for each state, so that changes can be reviewed line
    /// by line.
    ///
    /// # Errors
    /// None occurs for the contents of a baseline.
    pub fn text(&self) -> serde_json::Result<String> {
        // Within strings quotes are escaped.
        let text = serde_json::to_string(self)?.replace("{\"step\":", "\n{\"step\":");
        Ok(text.replace(",\"tolerances\":", ",\n\"tolerances\":") + "\n")
    }
}

/// Mean position of a body's vertices, and lower left and upper right corner of its box (m),
/// rounded by [`digits`].
fn place(body: &BodyEntry, x: &[Vec2]) -> [f64; 6] {
    let from_first = x.iter().skip(body.first_vertex);
    let own = from_first.take(body.vertex_count).copied();
    let mean = own.clone().sum::<Vec2>() / body.vertex_count as f64;
    let Aabb { min, max } = Aabb::around(own);
    [mean.x, mean.y, min.x, min.y, max.x, max.y].map(digits)
}

/// A number of a run beside that of the baseline, for a test and a message.
struct Compared {
    /// Name of the number in a message.
    what: String,
    /// Number of the run.
    found: f64,
    /// Number of the baseline.
    expected: f64,
    /// Largest difference that agrees.
    allowed: f64,
    /// Unit after a space; empty for a pure number.
    unit: &'static str,
}

impl Compared {
    /// True if the difference is within the tolerance. A NaN differs from everything.
    fn agrees(&self) -> bool {
        (self.found - self.expected).abs() <= self.allowed
    }
}

impl std::fmt::Display for Compared {
    /// Writes the number, that of the baseline, and the tolerance.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            what,
            found,
            expected,
            allowed,
            unit,
        } = self;

        write!(
            f,
            "{what} is {found}{unit} against {expected}{unit}; allowed are {allowed:.3e}{unit}"
        )
    }
}

/// Numbers of vertices, triangles and edges that collide.
fn counts(mesh: &MeshFile) -> [usize; 3] {
    [
        mesh.vertices_rest.len(),
        mesh.triangles.len(),
        mesh.edges.len(),
    ]
}

/// True if two numbers are equal up to rounding, `|a - b| <= 1e-9 |b|`: derived parameters may
/// depend on the processor.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

/// The number rounded to ten significant digits, which is finer than any tolerance.
fn digits(value: f64) -> f64 {
    format!("{value:.9e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests;
