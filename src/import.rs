//! `ipcsim import`: converts scenes of other programs to scenes of this one.
//!
//! Each format is a subcommand. What a format has and this program lacks becomes a warning, so that
//! the user knows what the new scene leaves out.

use super::{CommandError, Outcome, say, tell};
use ipcsim::files::read_text;
use ipcsim::math::number::counted;
use ipcsim::scene::SceneError;
use ipcsim::scene::import::{self, Imported};
use ipcsim_store::file::write_whole;
use ipcsim_store::stored_error::StoredError;
use std::path::PathBuf;

/// Convert a scene of another program to a scene of this program.
///
/// Prints the new scene, or writes it to a file. Settings that this program lacks are left out,
/// with a warning for each.
#[derive(Debug, clap::Args)]
pub(super) struct ImportArgs {
    #[command(subcommand)]
    format: Format,
}

/// Format of the scene to import.
#[derive(Debug, clap::Subcommand)]
enum Format {
    /// Convert a 2D scene of the rigid-ipc project. A warning names each setting that has no
    /// counterpart here.
    RigidIpc(Files),
}

/// Files of a conversion.
#[derive(Debug, clap::Args)]
struct Files {
    /// Scene file to import (JSON).
    file: PathBuf,
    /// File to write the new scene to; an existing file is replaced [default: standard output].
    #[arg(long, short, value_name = "SCENE")]
    out: Option<PathBuf>,
}

/// Runs `ipcsim import`: prints the warnings, and writes the new scene to a file or to standard
/// output.
///
/// The name of the scene is that of the file without its ending.
///
/// # Errors
/// If the file cannot be read or has another format, or if the new scene cannot be written.
pub(super) fn run(args: &ImportArgs) -> Result<Outcome, CommandError> {
    let Format::RigidIpc(files) = &args.format;
    let in_file = || CommandError::scene(&files.file);
    let text = read_text(&files.file)
        .map_err(|source| SceneError::Read {
            path: files.file.clone(),
            source,
        })
        .map_err(in_file())?;

    // The scene may name models by paths relative to its own folder.
    let path = std::path::absolute(&files.file).unwrap_or_else(|_| files.file.clone());
    let folder = path.parent().unwrap_or(&path);
    let Imported {
        mut scene,
        warnings,
    } = import::rigid_ipc(&text, folder).map_err(in_file())?;

    scene.name = files
        .file
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    // Warnings go to standard error, so that standard output holds the scene only.
    for warning in warnings {
        tell(&format!("warning: {warning}"));
    }

    // The scene as text, to standard output unless a file is named.
    let text = serde_json::to_string_pretty(&scene.to_json())
        .map_err(|error| StoredError::malformed(&files.file, error.to_string()))?;
    let Some(out) = &files.out else {
        say(&text)?;
        return Ok(Outcome::Done);
    };

    write_whole(out, |file| writeln!(file, "{text}"))?;
    say(&format!(
        "{}: {}, {}, {}",
        out.display(),
        counted(scene.bodies.len(), "body"),
        counted(scene.obstacles.len(), "obstacle"),
        counted(scene.time.steps, "step")
    ))?;
    Ok(Outcome::Done)
}
