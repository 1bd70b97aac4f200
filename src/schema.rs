//! `ipcsim schema`: prints the JSON Schema of scenes, the reference page that is made of it, or the columns of tables.
//!
//! The schema is derived from the types that the program reads scenes with. Schema and page
//! therefore name exactly the keys that the program accepts.

mod reference;

use super::{CommandError, Outcome, say};
use ipcsim::scene::schema::json_schema;
use ipcsim_store::tables::tables;
use serde_json::to_string_pretty;

/// Print the JSON Schema of scenes, with which editors complete and check them.
///
/// Write it to scene.schema.json next to a scene, and name it there:
/// "$schema": "scene.schema.json". The shipped scenes do so.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct SchemaArgs {
    /// Print a reference page (Markdown) instead: tables of all keys with type, unit, default and
    /// meaning.
    #[arg(long)]
    markdown: bool,

    /// Print the tables of a run and of a sweep instead, as JSON: the columns of each file with unit
    /// and meaning.
    #[arg(long, conflicts_with = "markdown")]
    tables: bool,
}

/// Runs `ipcsim schema`.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn run(args: SchemaArgs) -> Result<Outcome, CommandError> {
    if args.tables {
        say(&to_string_pretty(&tables()).unwrap_or_default())?;
        return Ok(Outcome::Done);
    }

    let schema = json_schema();
    let text = if args.markdown {
        reference::markdown(&schema)
    } else {
        format!("{schema:#}")
    };
    say(&text)?;
    Ok(Outcome::Done)
}
