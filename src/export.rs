//! `ipcsim export`: fields of a stored run as files for viewers, for `NumPy` or as text.
//!
//! Nothing is simulated. Positions, velocities and friction are read from the folder; stresses,
//! strains and normal forces are computed again from positions.

mod place;
mod points;

use super::completed::Names;
use super::fields::arrays::Arrays;
use super::fields::rows::Rows;
use super::fields::series::{LIST, Series};
use super::fields::stored::{Choice, has_velocities, replay};
use super::fields::tables::{PROBES, SECTIONS, SampleTable};
use super::fields::{Sink, chosen};
use super::{CommandError, Outcome, say, tell};
use crate::export_error::ExportError;
use ipcsim::fields::{FIELDS as ALL_FIELDS, Field, by_key, keys};
use ipcsim::math::number::counted;
use ipcsim::scene::nearest;
use ipcsim::scene::{Setup, build, read};
use ipcsim_store::contact_table::{CONTACTS_CSV, CONTACTS_NPY};
use ipcsim_store::field_names::{FIELDS, FieldFiles, remove};
use ipcsim_store::flow::FLOW;
use ipcsim_store::folder::{RUN, RunFolder, SCENE};
use ipcsim_store::run_files::Renewal;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::stored_run::StoredRun;
use std::path::PathBuf;

/// Text at the end of the help: examples, then the exit codes.
pub(super) const AFTER_HELP: &str = "\
Examples:
  ipcsim export output/beam                             fields.pvd, to open in ParaView
  ipcsim export output/beam --fields displacement,von_mises --every 10
  ipcsim export output/beam --format npy --out arrays
  ipcsim export output/beam --probe beam@1,0.05 --probe beam#0
  ipcsim export output/beam --section beam@0,0..0,0.1/21 --steps 100..

Exit codes:
  0         success
  2         bad input or usage, or a file cannot be read or written";

/// Write fields of a stored run: displacement, velocity, stress, strain, contact forces.
///
/// For ParaView the result is fields.pvd, which has the times, and a file of each state in the folder
/// fields. With --probe and --section it is a table of the values at points (probes.csv) or along lines
/// (sections.csv). Nothing is simulated.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// Folder of the run.
    dir: PathBuf,
    /// Folder for the files [default: the folder of the run]. Files of an earlier export are
    /// replaced.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Kind of files [default: vtu, or only tables with --probe or --section].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Number of stored states from one exported state to the next; the last one is always exported.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Steps of the exported states: A..B, with both ends, A.., ..B or a single one.
    #[arg(long, value_name = "A..B", value_parser = steps)]
    steps: Option<Steps>,
    /// Names of fields, separated by commas [default: all that the run knows].
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = Names(field_keys),
        hide_possible_values = true
    )]
    fields: Vec<String>,
    /// Point of a body, BODY@X,Y (m, at rest) or BODY#VERTEX, whose motion and stress go to
    /// probes.csv. Can be repeated.
    #[arg(long, value_name = "POINT")]
    probe: Vec<String>,
    /// Line through a body, BODY@X,Y..X,Y (m, at rest), with /COUNT points, along which motion and
    /// stress go to sections.csv. Can be repeated.
    #[arg(long, value_name = "LINE")]
    section: Vec<String>,
    /// Write into the folder of --out even if it holds other files, which are kept.
    #[arg(long)]
    force: bool,
}

/// Names of all fields.
fn field_keys() -> Vec<&'static str> {
    ALL_FIELDS.iter().map(|field| field.key).collect()
}

/// Kind of files with fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Grids for ParaView, pyvista and meshio.
    Vtu,
    /// Tables of all vertices and of all triangles of each state.
    Csv,
    /// An array for each field, for numpy.load.
    Npy,
}

impl Format {
    /// Kind of the files.
    fn files(self) -> FieldFiles {
        match self {
            Self::Vtu => FieldFiles::Vtu,
            Self::Csv => FieldFiles::Csv,
            Self::Npy => FieldFiles::Npy,
        }
    }
}

/// First and last step, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Steps {
    /// First step.
    first: usize,
    /// Last step; the largest number if there is no limit.
    last: usize,
}

impl Steps {
    /// All steps.
    const ALL: Self = Self {
        first: 0,
        last: usize::MAX,
    };
}

/// Reads steps of the command line.
///
/// # Errors
/// How they are written.
fn steps(text: &str) -> Result<Steps, String> {
    let form = "expected steps as 10..50, 10.., ..50 or 10".to_owned();
    let number = |text: &str, missing: usize| {
        if text.is_empty() {
            Some(missing)
        } else {
            text.parse().ok()
        }
    };

    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first, 0), number(last, usize::MAX)),
        None => (text.parse().ok(), text.parse().ok()),
    };
    match (first, last) {
        (Some(first), Some(last)) if first <= last => Ok(Steps { first, last }),
        (Some(first), Some(last)) => Err(format!("step {first} is after step {last}")),
        _ => Err(form),
    }
}

/// Runs `ipcsim export`.
///
/// # Errors
/// If the run cannot be read, does not know what is asked for, or if a file cannot be written.
pub(super) fn run(args: &ExportArgs) -> Result<Outcome, CommandError> {
    check_names(&args.fields)?;
    if !args.dir.join(RUN).exists() {
        let dir = args.dir.clone();
        return Err(ExportError::NoRun { dir }.into());
    }

    let run = StoredRun::open(&args.dir)?;
    let setup = setup_of(&run)?;
    let fields = fields_of(args, &run)?;
    let has = |key: &str| fields.iter().any(|field| field.key == key);
    let is_sampled = !args.probe.is_empty() || !args.section.is_empty();
    // With points the files of fields are written only where a format is given.
    let format = args.format.or((!is_sampled).then_some(Format::Vtu));
    let Steps { first, last } = args.steps.unwrap_or(Steps::ALL);
    let choice = Choice {
        steps: first..=last,
        every: args.every as usize,
        contacts: format.is_some()
            && ["contact_force", "friction_force", "contact_pressure"]
                .into_iter()
                .any(has),
        mean_velocities: args.fields.iter().any(|key| key == "mean_velocity"),
    };

    let states = choice.entries(&run).len();
    if states == 0 {
        return Err(no_state(&run, &choice).into());
    }

    // Points come first: a folder is not touched for a wrong one.
    let probes = points::probes(&args.probe, &setup)?;
    let sections = points::sections(&args.section, &setup)?;
    let folder = place::folder(&args.dir, args.out.as_deref(), args.force)?;
    let mut written = Vec::new();
    written.extend(format.map(|format| if format == Format::Vtu { LIST } else { FIELDS }));
    written.extend((!probes.is_empty()).then_some(PROBES[0]));
    written.extend((!sections.is_empty()).then_some(SECTIONS[0]));
    let renewal = Renewal::begin(&args.dir, folder.path(), |name| {
        written.contains(&name) || format.is_some_and(|format| format.files().has_path(name))
    })?;

    let mut sinks: Vec<Box<dyn Sink + '_>> = Vec::new();
    if let Some(format) = format {
        sinks.push(begin(format, &folder, &setup, fields, states)?);
    }
    for (names, samples) in [(PROBES, probes), (SECTIONS, sections)] {
        if !samples.is_empty() {
            let table = SampleTable::begin(&folder, names, &setup, samples)?;
            sinks.push(Box::new(table));
        }
    }
    if args.fields.is_empty() {
        note_missing(&run, &choice);
    }

    replay(&run, &setup, &choice, &mut sinks)?;
    for sink in sinks {
        sink.finish()?;
    }
    renewal.finish(&written)?;
    for name in written {
        let path = folder.path().join(name);
        say(&format!("{}: {}", path.display(), counted(states, "state")))?;
    }
    Ok(Outcome::Done)
}

/// Begins the files of a format, in place of those of an earlier export.
///
/// # Errors
/// If files cannot be removed or created.
fn begin<'a>(
    format: Format,
    folder: &RunFolder,
    setup: &'a Setup,
    fields: Vec<&'static Field>,
    states: usize,
) -> Result<Box<dyn Sink + 'a>, CommandError> {
    // An earlier export may have had other steps, whose files must not stay.
    folder.begin_inner(FIELDS)?;
    remove(folder.path(), format.files())?;
    Ok(match format {
        Format::Vtu => Box::new(Series::begin(folder, setup, fields)?),
        Format::Csv => Box::new(Rows::new(folder, setup, fields)),
        Format::Npy => Box::new(Arrays::new(folder, setup, fields, states)),
    })
}

/// Scene and world of a run, built again from the scene in its folder.
///
/// # Errors
/// If the scene cannot be read, or is not that of the trajectory.
fn setup_of(run: &StoredRun) -> Result<Setup, CommandError> {
    let path = run.dir.join(SCENE);
    let setup = read(&path, &[])
        .and_then(build)
        .map_err(CommandError::scene(&path))?;
    let [own, stored] = [setup.world.rest.len(), run.mesh.vertices_rest.len()];
    if own != stored {
        let message = format!("has {own} vertices, but the trajectory has {stored}");
        return Err(StoredError::malformed(&path, message).into());
    }
    Ok(setup)
}

/// Tells whether all names are those of fields.
///
/// # Errors
/// [`ExportError::NoSuchField`] of the first one that is not.
fn check_names(names: &[String]) -> Result<(), ExportError> {
    match names.iter().find(|name| by_key(name).is_none()) {
        None => Ok(()),
        Some(name) => Err(ExportError::NoSuchField {
            name: name.clone(),
            near: nearest(name, keys()),
            known: keys().collect::<Vec<_>>().join(", "),
        }),
    }
}

/// Fields to write. Mean velocities are left out where the run has velocities, unless they are asked
/// for.
///
/// # Errors
/// [`ExportError::NotKnown`] if the run does not know one that is asked for.
fn fields_of(args: &ExportArgs, run: &StoredRun) -> Result<Vec<&'static Field>, ExportError> {
    let fields = chosen(&args.fields);
    // Without names all fields are written, as far as the run knows them.
    for field in fields.iter().filter(|_| !args.fields.is_empty()) {
        let is_known = match field.key {
            "velocity" => has_velocities(run),
            "friction_force" => has_contacts(run),
            "plastic_strain" => run.dir.join(FLOW).exists(),
            _ => true,
        };
        if !is_known {
            return Err(ExportError::NotKnown {
                field: field.key,
                dir: run.dir.clone(),
                needs: field.needs,
            });
        }
    }
    Ok(fields)
}

/// True if a run has a file of contacts.
fn has_contacts(run: &StoredRun) -> bool {
    [CONTACTS_NPY, CONTACTS_CSV]
        .iter()
        .any(|name| run.dir.join(name).exists())
}

/// Tells the user which fields the run does not know, and how it would.
fn note_missing(run: &StoredRun, choice: &Choice) {
    if !has_velocities(run) {
        tell(
            "note: velocities are mean ones since the stored state before; run the scene with --set \
             output.velocities=true for velocities at the end of the step",
        );
    }
    if choice.contacts && !has_contacts(run) {
        tell(
            "note: friction is left out, since the run has no file of contacts; run the scene with \
             --set output.contacts=npy, or with --set output.vtu=true",
        );
    }
}

/// Error of steps that have no state.
fn no_state(run: &StoredRun, choice: &Choice) -> ExportError {
    let last = *choice.steps.end();
    ExportError::NoState {
        dir: run.dir.clone(),
        first: *choice.steps.start(),
        last: if last == usize::MAX {
            "the end".to_owned()
        } else {
            last.to_string()
        },
        count: run.moments.len(),
        from: run.moments.first().map_or(0, |moment| moment.step),
        to: run.last_step(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_a_range_with_both_ends_or_one_step() {
        let range = |first, last| Ok(Steps { first, last });
        assert_eq!(steps("10..50"), range(10, 50));
        assert_eq!(steps("10.."), range(10, usize::MAX));
        assert_eq!(steps("..50"), range(0, 50));
        assert_eq!(steps(".."), range(0, usize::MAX));
        assert_eq!(steps("7"), range(7, 7));
        for text in ["", "a", "1..b", "-1..3", "5..4", "1..2..3"] {
            assert!(steps(text).is_err(), "{text}");
        }
    }
}
