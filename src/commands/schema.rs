//! `ipcsim schema`.

mod reference;

use super::{Outcome, say};
use crate::scene::schema::json_schema;

/// Print the JSON Schema of scenes, by which editors complete and check them.
///
/// Shipped scenes name it: "$schema": "scene.schema.json".
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct SchemaArgs {
    /// Print a page with a table of every key instead: type, unit, default, meaning.
    #[arg(long)]
    markdown: bool,
}

pub(super) fn run(args: SchemaArgs) -> Outcome {
    let schema = json_schema();
    let text = if args.markdown {
        reference::markdown(&schema)
    } else {
        format!("{schema:#}")
    };
    say(&text);
    Outcome::Done
}
