//! Scenes: the file format, its meaning, and the world it describes.

mod assemble;
mod check;
mod error;
pub mod import;
mod kind;
mod locate;
mod mend;
mod overlap;
mod parse;
mod preflight;
mod problem;
pub mod schema;
mod source;

pub use assemble::{Derived, Setup};
pub use check::check;
pub use error::SceneError;
pub use mend::{Mended, mended};
pub use parse::parse;
pub use preflight::{Preflight, build, preflight};
pub use problem::{Location, Problem, Severity};
pub use schema::Scene;
pub use source::{Source, read};
