//! `ipcsim verify`.

use super::{CommandError, Outcome, say};
use crate::contact::{Intersection, Outlines};
use crate::geometry::predicates::orientation;
use crate::math::Vec2;
use crate::output::energies::Table;
use crate::output::folder::{ENERGIES, MESH, TRAJECTORY};
use crate::output::mesh_file::MeshFile;
use crate::output::trajectory::TrajectoryReader;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// Verify a run: no intersection, no inverted triangle, finite energies; compare it with another one.
///
/// Every stored state is tested with exact predicates. Needs only the folder.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// Folder of the run.
    dir: PathBuf,
    /// Folder of a run that every position and energy must agree with.
    #[arg(long, value_name = "DIR")]
    against: Option<PathBuf>,
    /// Largest difference of a coordinate in metres.
    #[arg(long, value_name = "METRES", default_value_t = 0.0, requires = "against", value_parser = tolerance)]
    tol_x: f64,
    /// Largest difference of an energy, relative to the largest energy of the same column.
    #[arg(long, value_name = "REL", default_value_t = 0.0, requires = "against", value_parser = tolerance)]
    tol_energy: f64,
}

fn tolerance(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if value >= 0.0 { Ok(value) } else { Err("must not be negative".to_owned()) }
}

pub(super) fn run(args: &VerifyArgs) -> Result<Outcome, CommandError> {
    let own = args.dir.display();
    let stored = Stored::open(&args.dir)?;
    let (entries, last) = (stored.trajectory.entries(), stored.steps.last().copied().unwrap_or_default());
    if let Some(violation) = stored.first_violation()? {
        say(&format!("{own}: {violation}"));
        return Ok(Outcome::Failed);
    }
    say(&format!(
        "{own}: verified: {entries} states to step {last}, no intersection, no inverted triangle, energies finite"
    ));
    if let Some(other) = &args.against {
        let difference = Stored::open(&args.dir)?.first_difference(Stored::open(other)?, args)?;
        if let Some(difference) = difference {
            say(&format!("{own}: differs from {}: {difference}", other.display()));
            return Ok(Outcome::Failed);
        }
        say(&format!(
            "{own}: agrees with {} (positions to {:e} m, energies to {:e})",
            other.display(),
            args.tol_x,
            args.tol_energy
        ));
    }
    Ok(Outcome::Done)
}

/// The files of a run.
struct Stored {
    mesh: MeshFile,
    trajectory: TrajectoryReader,
    energies: Table,
    /// Step number of each entry.
    steps: Vec<u64>,
}

impl Stored {
    fn open(dir: &Path) -> Result<Self, CommandError> {
        CommandError::refuse_unfinished(dir)?;
        let path = dir.join(MESH);
        let malformed = |path: &Path, message: String| CommandError::Malformed { path: path.to_path_buf(), message };
        let text =
            std::fs::read_to_string(&path).map_err(|error| malformed(&path, format!("cannot be read: {error}")))?;
        let mesh: MeshFile = serde_json::from_str(&text).map_err(|error| malformed(&path, error.to_string()))?;
        if !mesh.is_consistent() {
            return Err(malformed(&path, "names a vertex or body that it does not have".to_owned()));
        }
        let trajectory = TrajectoryReader::open(&dir.join(TRAJECTORY))?;
        let energies = Table::read(&dir.join(ENERGIES))?;
        if trajectory.vertices() != mesh.vertices_rest.len() || trajectory.entries() != energies.rows.len() {
            let message = format!(
                "has {} entries of {} vertices, but {ENERGIES} has {} rows and {MESH} {} vertices",
                trajectory.entries(),
                trajectory.vertices(),
                energies.rows.len(),
                mesh.vertices_rest.len()
            );
            return Err(malformed(&dir.join(TRAJECTORY), message));
        }
        // Step numbers are written as whole numbers and are far below 2^53.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, small and not negative")]
        let steps = energies.rows.iter().map(|row| row[0].unwrap_or_default() as u64).collect();
        Ok(Self { mesh, trajectory, energies, steps })
    }

    /// What is wrong with the first state that is not as it should be.
    fn first_violation(mut self) -> Result<Option<String>, CommandError> {
        let colliders = self.mesh.colliders();
        let outlines = colliders.outlines();
        let mut x = Vec::new();
        for (entry, step) in self.steps.iter().enumerate() {
            self.trajectory.next(&mut x)?;
            if let Some(found) = state_violation(&self.mesh, &outlines, &x) {
                return Ok(Some(format!("step {step}: {found}")));
            }
            for k in self.energies.energies() {
                let value = self.energies.rows[entry][k];
                if !value.is_some_and(f64::is_finite) {
                    let value = value.map_or("missing".to_owned(), |value| format!("{value}, not finite"));
                    return Ok(Some(format!("step {step}: {} is {value}", self.energies.columns[k])));
                }
            }
        }
        Ok(None)
    }

    /// The first difference from another run that is larger than allowed.
    fn first_difference(mut self, mut other: Self, args: &VerifyArgs) -> Result<Option<String>, CommandError> {
        if self.mesh != other.mesh {
            return Ok(Some("the two runs have different meshes, bodies or half-planes".to_owned()));
        }
        if self.steps != other.steps {
            let (ours, theirs) = (self.steps.len(), other.steps.len());
            return Ok(Some(format!("the two runs have states of different steps: {ours} against {theirs} entries")));
        }
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for (entry, step) in self.steps.iter().enumerate() {
            self.trajectory.next(&mut x)?;
            other.trajectory.next(&mut y)?;
            // A NaN differs from everything.
            let agrees = |i: usize| x[i] == y[i] || (x[i] - y[i]).amax() <= args.tol_x;
            if let Some(i) = (0..x.len()).find(|&i| !agrees(i)) {
                return Ok(Some(format!(
                    "step {step}: {} is at {} against {}, {:.3e} m apart, more than {:e} m",
                    self.mesh.describe(i),
                    at(x[i]),
                    at(y[i]),
                    (x[i] - y[i]).amax(),
                    args.tol_x
                )));
            }
            if let Some(found) = energy_difference(&self.energies, &other.energies, entry, args.tol_energy) {
                return Ok(Some(format!("step {step}: {found}")));
            }
        }
        Ok(None)
    }
}

fn state_violation(mesh: &MeshFile, outlines: &Outlines, x: &[Vec2]) -> Option<String> {
    if let Some(i) = x.iter().position(|p| !(p.x.is_finite() && p.y.is_finite())) {
        return Some(format!("{} is at {}", mesh.describe(i), at(x[i])));
    }
    let inverted = |&&[a, b, c]: &&[usize; 3]| orientation(x[a], x[b], x[c]) != Ordering::Greater;
    if let Some(&[a, b, c]) = mesh.triangles.iter().find(inverted) {
        let name = &mesh.bodies[mesh.body[a]].name;
        let first = mesh.bodies[mesh.body[a]].first_vertex;
        let [u, v, w] = [a, b, c].map(|i| i - first);
        return Some(format!(
            "triangle {u}-{v}-{w} of \"{name}\" is inverted, at {}, {}, {}",
            at(x[a]),
            at(x[b]),
            at(x[c])
        ));
    }
    let found = outlines.intersections(x).into_iter().next()?;
    Some(match found {
        Intersection::Edges(a, b) => format!("{} meets {}", name(mesh, a, x), name(mesh, b, x)),
        Intersection::Inside { vertex, body } => {
            format!("{}, at {}, is inside \"{}\"", mesh.describe(vertex), at(x[vertex]), mesh.bodies[body].name)
        }
        Intersection::Plane { vertex, plane } => {
            format!("{}, at {}, is behind \"{}\"", mesh.describe(vertex), at(x[vertex]), mesh.planes[plane].name)
        }
    })
}

/// An edge, a circle or a point.
fn name(mesh: &MeshFile, [a, b]: [usize; 2], x: &[Vec2]) -> String {
    if a != b {
        return format!("edge {} to {}, from {} to {}", mesh.describe(a), mesh.describe(b), at(x[a]), at(x[b]));
    }
    let what = if mesh.disks.iter().any(|disk| disk.center_vertex == a) { "the circle around " } else { "" };
    format!("{what}{}, at {},", mesh.describe(a), at(x[a]))
}

fn energy_difference(ours: &Table, theirs: &Table, entry: usize, tolerance: f64) -> Option<String> {
    if ours.columns != theirs.columns {
        return Some("the two runs have different columns of energies".to_owned());
    }
    ours.energies().find_map(|k| {
        let (a, b) = (ours.rows[entry][k], theirs.rows[entry][k]);
        let largest = ours.rows.iter().filter_map(|row| row[k]).map(f64::abs).fold(0.0, f64::max);
        let same = match (a, b) {
            // Two infinities of one sign are equal bits; otherwise what is not finite differs from everything.
            (Some(a), Some(b)) => {
                a.to_bits() == b.to_bits() || ((a - b).is_finite() && (a - b).abs() <= tolerance * largest)
            }
            (a, b) => a.is_none() && b.is_none(),
        };
        let joules = |value: Option<f64>| value.map_or("missing".to_owned(), |value| format!("{value} J"));
        (!same).then(|| {
            format!(
                "{} is {} against {}; allowed are {:e} J, {tolerance:e} of its largest value",
                ours.columns[k],
                joules(a),
                joules(b),
                tolerance * largest
            )
        })
    })
}

fn at(p: Vec2) -> String {
    format!("({}, {})", p.x, p.y)
}
