//! Scenes: the file format, its meaning, and the world it describes.

mod assemble;
mod check;
mod error;
#[cfg(feature = "scene")]
pub mod import;
mod kind;
#[cfg(feature = "scene")]
mod locate;
#[cfg(feature = "scene")]
mod mend;
mod names;
mod overlap;
#[cfg(feature = "scene")]
mod parse;
mod preflight;
mod problem;
pub mod schema;
#[cfg(feature = "scene")]
mod source;

pub use assemble::{Derived, Setup};
pub use check::check;
pub use error::SceneError;
#[cfg(feature = "scene")]
pub use mend::{Mended, mended};
#[cfg(feature = "scene")]
pub use parse::parse;
pub use preflight::{Preflight, build, preflight};
pub use problem::{Location, Problem, Severity};
pub use schema::Scene;
#[cfg(feature = "scene")]
pub use source::{Source, read};
