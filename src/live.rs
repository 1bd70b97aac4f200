//! `ipcsim live`: a page in which a person drags, draws and presses while a scene runs.
//!
//! The page is one file ([`page`], its sources are in the folder `page`) and has one of two engines: the
//! program itself, which serves it on this machine and runs the scene natively ([`server`]), or the module
//! in WebAssembly, which `--module` puts into a page that needs no program. Both answer the same requests,
//! those of the crate `ipcsim-live`.

mod gate;
mod page;
mod scenes;
mod server;

use super::{CommandError, Outcome, say, tell};
use crate::view::open;
use ipcsim::math::parallel;
use ipcsim::scene::read;
use ipcsim_store::file::write_whole;
use scenes::Entry;
use server::Server;
use std::path::{Path, PathBuf};

/// Run a scene in a page in which one can drag, draw and press.
///
/// The program serves the page on this machine only, opens it in a browser, and ends when the page is
/// closed. Any body can be dragged by a spring whose force is shown, pinned, thrown, drawn and taken out;
/// gravity, loads, friction and motors have sliders; one can step back. Whatever is done, nothing passes
/// through anything, and each step is proved. What was done can be saved as a scene, which `ipcsim run`
/// repeats bit for bit.
///
/// With --page and --module it writes a page instead that needs no program: the module is that of
/// `web/build`, or of a release.
#[derive(Debug, clap::Args)]
pub(super) struct LiveArgs {
    /// Scene to begin with; the page also has a list of scenes.
    #[arg(value_name = "SCENE")]
    scene: Option<PathBuf>,
    /// Port of the page on this machine [default: any that is free].
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Serve the page, but do not open it.
    #[arg(long)]
    no_open: bool,
    /// File of a page with the engine in it.
    #[arg(long, value_name = "FILE.html", requires = "module")]
    page: Option<PathBuf>,
    /// Module in WebAssembly for --page, compressed by gzip or not.
    #[arg(long, value_name = "FILE.wasm", requires = "page")]
    module: Option<PathBuf>,
    /// Number of threads; results do not depend on it [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Runs `ipcsim live`: serves the page until it is closed, or writes it.
///
/// # Errors
/// If the scene cannot be used, if the port is taken, or if a file cannot be read or written.
pub(super) fn run(args: &LiveArgs) -> Result<Outcome, CommandError> {
    let first = args.scene.as_deref().map(own).transpose()?;
    if let (Some(out), Some(module)) = (&args.page, &args.module) {
        let module = std::fs::read(module).map_err(|error| {
            CommandError::Live(format!("{} cannot be read: {error}", module.display()))
        })?;
        let text = page::with_module(first, &module)?;
        write_whole(out, |file| file.write_all(text.as_bytes()))?;
        say(&format!(
            "{}: {:.2} MB",
            out.display(),
            text.len() as f64 / 1e6
        ))?;
        return Ok(Outcome::Done);
    }

    // A page with the program as its engine.
    let server = Server::bind(args.port, page::of_program(first)?)?;
    say(&format!("live: {}", server.address()))?;
    if !args.no_open && !open(server.address()) {
        tell(&format!(
            "note: no browser could be started; open {} in one",
            server.address()
        ));
    }
    let threads = args.threads.map(usize::from);
    parallel::with_threads(threads, || server.serve()).map_err(CommandError::Threads)?;
    Ok(Outcome::Done)
}

/// The scene of a file as an entry of the list: shapes in files are replaced by their contents.
///
/// # Errors
/// If it cannot be read.
fn own(path: &Path) -> Result<Entry, CommandError> {
    let scene = read(path, &[]).map_err(CommandError::scene(path))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Entry {
        group: "File".into(),
        title: scene
            .name
            .clone()
            .unwrap_or_else(|| stem.into_owned())
            .into(),
        text: scene.to_json().to_string().into(),
        lesson: None,
    })
}
