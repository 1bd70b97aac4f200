//! Scenes: the file format, its meaning, and the world it describes.

mod build;
mod check;
pub mod import;
mod overlap;
mod parse;
pub mod schema;

pub use build::{Setup, build};
pub use check::{Problem, check};
pub use parse::{SceneError, parse, read};
pub use schema::Scene;
