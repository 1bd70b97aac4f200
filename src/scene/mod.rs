//! Scenes: the file format, its meaning, and the world it describes.

mod build;
mod check;
pub mod import;
mod locate;
mod mend;
mod overlap;
mod parse;
mod preflight;
mod problem;
pub mod schema;
mod source;

pub use build::{Derived, Setup, build};
pub use check::check;
pub use mend::{Mended, mended};
pub use parse::{SceneError, parse, read};
pub use preflight::memory::{read_bytes, read_text};
pub use preflight::{Preflight, preflight};
pub use problem::{Location, Problem, Severity, short};
pub use schema::Scene;
pub use source::Source;
