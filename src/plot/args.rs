//! Arguments of `ipcsim plot`, names of its files, and what its kinds of charts share.

use super::source::Subject;
use crate::CommandError;
use ipcsim::scene::Setup;
use ipcsim_store::file::write_whole;
use ipcsim_store::stored_error::StoredError;
use std::path::{Path, PathBuf};

/// Name of the chart of a pair's force, unless the user gives another.
pub(super) const PAIR: &str = "pair.png";
/// Names of the chart and the table of a pressure.
pub(super) const PRESSURE: [&str; 2] = ["pressure.png", "pressure.csv"];
/// Name of the chart of columns.
pub(super) const PLOT: &str = "plot.png";
/// Size of charts (pixels).
pub(super) const SIZE: (u32, u32) = (1280, 720);

/// Plot what a stored run has: anything over anything.
///
/// Columns come from the tables of the run: --joint from joints.csv, --body from bodies.csv, --pair,
/// --reaction and --load from forces.csv, --chamber from chambers.csv, --measure from measures.csv,
/// --energy from energies.csv.
/// --y names the columns to draw and --x the one to draw them over, by default the time. A column of
/// something else is named in full: joint.shaft.angle, body.crank.x, pair.A,B.force, measure.peak,
/// energy.total. --pair without --y draws the size of a force, its friction and the rest; --pressure
/// draws the contact pressure along the outline of a body at one step. Nothing is simulated.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what"))]
pub(crate) struct PlotArgs {
    /// Folder of the run.
    pub(super) dir: PathBuf,
    /// Names of two bodies or obstacles, separated by a comma: the force between them.
    #[arg(long, value_name = "A,B", group = "what")]
    pub(super) pair: Option<String>,
    /// Name of a joint, as in joints.csv: its angle or length, speed, force, moment, motor, spring.
    #[arg(long, value_name = "NAME", group = "what")]
    pub(super) joint: Option<String>,
    /// Name of a body or obstacle: its place, velocity, angle, spin and energies.
    #[arg(long, value_name = "NAME", group = "what")]
    pub(super) body: Option<String>,
    /// Name of a body or obstacle that is held: the force of its supports.
    #[arg(long, value_name = "BODY", group = "what")]
    pub(super) reaction: Option<String>,
    /// Name of a load: its resultant.
    #[arg(long, value_name = "NAME", group = "what")]
    pub(super) load: Option<String>,
    /// Name of a chamber: pressure, volume and amount of its gas.
    #[arg(long, value_name = "NAME", group = "what")]
    pub(super) chamber: Option<String>,
    /// Names of measures of the scene, separated by commas.
    #[arg(long, value_name = "NAMES", group = "what", conflicts_with = "y")]
    pub(super) measure: Option<String>,
    /// Columns of energies.csv, separated by commas.
    #[arg(long, value_name = "NAMES", group = "what", conflicts_with = "y")]
    pub(super) energy: Option<String>,
    /// Name of a body or obstacle: draw the contact pressure along its outline to pressure.png, and
    /// write it to pressure.csv.
    #[arg(long, value_name = "BODY", group = "what", conflicts_with_all = ["y", "x"])]
    pub(super) pressure: Option<String>,
    /// Columns to draw, separated by commas, each with its unit on an axis.
    #[arg(long, value_name = "COLUMNS")]
    pub(super) y: Option<String>,
    /// Column to draw over [default: time].
    #[arg(long, value_name = "COLUMN")]
    pub(super) x: Option<String>,
    /// Step of the pressure, one of the written states [default: the last one].
    #[arg(long, value_name = "N", requires = "pressure")]
    pub(super) step: Option<usize>,
    /// File of the chart [default: in the folder of the run]. The table of the pressure has the same
    /// name with the ending csv.
    #[arg(long, short, value_name = "FILE.png")]
    pub(super) out: Option<PathBuf>,
}

impl PlotArgs {
    /// What the columns are of, unless they say it themselves.
    pub(super) fn subject(&self) -> Option<Subject> {
        let all = [
            (&self.pair, Subject::Pair as fn(String) -> Subject),
            (&self.joint, Subject::Joint),
            (&self.body, Subject::Body),
            (&self.reaction, Subject::Reaction),
            (&self.load, Subject::Load),
            (&self.chamber, Subject::Chamber),
        ];
        let named = all
            .into_iter()
            .find_map(|(name, of)| Some(of(name.clone()?)));

        // Their names are columns.
        let measure = self.measure.is_some().then_some(Subject::Measure);
        let energy = self.energy.is_some().then_some(Subject::Energy);
        named.or(measure).or(energy)
    }
}

/// Number of the body or obstacle of this name.
///
/// # Errors
/// [`StoredError::Malformed`] with the path of the scene, if there is none.
pub(crate) fn body_of(setup: &Setup, name: &str, path: &Path) -> Result<usize, StoredError> {
    let bodies = &setup.world.bodies;
    let found = bodies.iter().position(|body| body.name == name);
    found.ok_or_else(|| {
        let names: Vec<String> = bodies
            .iter()
            .take(20)
            .map(|body| format!("\"{}\"", body.name))
            .collect();
        let message = format!(
            "no body or obstacle is named \"{name}\"; the names are {}",
            names.join(", ")
        );
        StoredError::malformed(path, message)
    })
}

/// Writes a file.
///
/// # Errors
/// [`CommandError::Folder`] if it cannot be written.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    Ok(write_whole(path, |out| out.write_all(bytes))?)
}
