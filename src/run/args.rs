//! Options of `ipcsim run`.

use super::super::batch::FormatArgs;
use super::super::pictures::args::PictureArgs;
use super::stop;
use std::path::PathBuf;

/// Options that make pictures, which `--no-frames` leaves out.
const PICTURES: [&str; 3] = ["video", "sheet", "animation"];

/// Simulate a scene; write frames, trajectory, energies and a report.
///
/// The folder of the results has pictures (frames/, animation.gif), positions (trajectory.npy,
/// mesh.json), energies (energies.csv, energies.png), forces (forces.csv; contacts.csv and
/// contacts.npy if the scene asks for them), fields for ParaView if the scene asks for them
/// (fields.pvd), timings (timings.csv), the scene (scene.json) and a report with the outcome
/// (run.json). A run that was stopped, failed or was killed can be resumed from its last
/// checkpoint.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate option")]
pub(crate) struct RunArgs {
    /// Scene files (JSON); - is standard input. Several are run one after the other.
    #[arg(required_unless_present = "resume", value_name = "SCENE")]
    pub(super) scene: Vec<PathBuf>,
    /// Folder for the results; a finished run of the same scene there is replaced [default: output/<name of
    /// the scene file>].
    #[arg(long, short, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Number of steps, instead of the scene's. With --resume, extends a completed run to that step; the
    /// result is bit for bit that of one longer run.
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(super) steps: Option<usize>,
    /// Replace a value of the scene, for example time.step=0.005 or bodies.ball.position=[0,1].
    /// Can be repeated.
    ///
    /// KEY is the path of the value: keys, and numbers from 0 or names of list entries, joined by dots,
    /// such as bodies.ball.velocity. VALUE is JSON, or text without quotes.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,
    /// Draw nothing: no frames, no animation and no charts.
    #[arg(long, conflicts_with_all = PICTURES)]
    pub(super) no_frames: bool,
    /// Number of threads; the results do not depend on it [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Write every continuous collision query that passes the bounding-box test to FILE, one JSON
    /// object per line, as input for ipcsim ccd.
    #[arg(long, value_name = "FILE")]
    pub(super) record_ccd: Option<PathBuf>,
    /// Store the motion between the states as well, so that ipcsim verify can prove it free of
    /// intersections. A step has about as many segments of motion as Newton iterations; each takes
    /// 16 bytes per vertex.
    #[arg(long)]
    pub(super) certify: bool,
    /// Start even if the folder holds an unfinished run or the run of another scene, which is
    /// removed, or other files, which are kept.
    ///
    /// Without this option such folders are refused.
    #[arg(long)]
    pub(super) force: bool,
    /// Continue the run in DIR after Ctrl-C, a crash or --max-wall, or with --steps after its end. The
    /// result is bit-identical to an uninterrupted run. Scene and options are read from DIR.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "scene", "out", "set", "no_frames", "record_ccd", "certify", "force",
            "checkpoint_every"
        ]
    )]
    pub(super) resume: Option<PathBuf>,
    /// Resume from the checkpoint of this step instead of the last one; 0 starts from the
    /// beginning.
    #[arg(
        long,
        value_name = "STEP",
        value_parser = whole,
        allow_negative_numbers = true,
        requires = "resume",
        conflicts_with = "scene"
    )]
    pub(super) from: Option<usize>,
    /// Write a checkpoint, from which the run can be resumed, every N steps [default: about every
    /// two seconds].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) checkpoint_every: Option<u32>,
    /// Stop the run when this time is reached. The run can be resumed.
    ///
    /// The time counts from the start of the simulation; a resumed run may take as long again. A
    /// step in progress may take half a second longer; then it is given up and computed again
    /// later.
    #[arg(long, value_name = "SECONDS", value_parser = stop::seconds)]
    pub(super) max_wall: Option<f64>,
    /// Lines, or the report run.json with the name of its folder.
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// Print a line for each step; given twice, also a line for each direction of Newton's method.
    #[arg(long, short, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub(super) verbose: u8,
    /// Print nothing but errors.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Options of pictures; of a run that goes on they are given again.
    #[command(flatten)]
    pub(super) pictures: PictureArgs,
}

/// Reads a number of steps from the command line.
///
/// # Errors
/// If the text is not a whole number, or a negative one.
fn whole(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "expected a whole number, 0 or larger, in digits".to_owned())
}
