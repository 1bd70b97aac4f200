//! Scenes: the file format, its meaning, and the world it describes.
//!
//! A scene is a value ([`schema`]) that a program builds with constructors or that a file gives as
//! JSON. On the way from a text to a simulation it passes these rooms:
//!
//! 1. parsing reads the text, applies overrides from the command line, and names the place of every
//!    wrong key or type;
//! 2. [`check()`] compares values with their ranges and with each other;
//! 3. assembly turns a good scene into a world and a state ([`Setup`]);
//! 4. [`preflight()`] looks for overlaps, and for values that are legal but implausible.
//!
//! Every problem found on the way is a [`Problem`]: a path in the scene, what is wrong, the value
//! and its limit, and what to do. All problems are reported at once. `mended` repairs those whose
//! repair does not change the meaning of the scene.
//!
//! Kinds of bodies (deformable, rigid, ...) answer for themselves in one file each, and no other
//! room lists them. Without the feature `scene` the rooms for text are left out.

pub(crate) mod area;
mod assemble;
mod check;
mod error;
#[cfg(feature = "scene")]
mod files;
#[cfg(feature = "scene")]
pub mod import;
mod kind;
#[cfg(feature = "scene")]
mod lenient;
#[cfg(feature = "scene")]
mod locate;
#[cfg(feature = "scene")]
mod mend;
pub(crate) mod names;
mod overlap;
#[cfg(feature = "scene")]
mod parse;
mod preflight;
mod problem;
pub mod samples;
pub mod schema;
#[cfg(feature = "scene")]
mod source;
#[cfg(feature = "scene")]
mod syntax;
#[cfg(feature = "scene")]
mod template;

pub(crate) use assemble::numbered;
pub use assemble::{Derived, Setup};
pub use check::check;
#[cfg(feature = "cli")]
pub(crate) use check::check_meshing;
pub(crate) use check::check_parameter;
pub use error::SceneError;
#[cfg(feature = "scene")]
pub use files::{FromFile, LEAVE, shape as shape_of_file};
#[cfg(feature = "scene")]
pub use mend::{Mended, mended};
#[cfg(feature = "scene")]
pub use parse::parse;
#[cfg(all(feature = "scene", feature = "store"))]
pub(crate) use parse::typed;
pub use preflight::{Preflight, build, preflight};
pub use problem::{Location, Problem, Severity};
pub use schema::Scene;
#[cfg(feature = "scene")]
pub use source::{STDIN, Source, read};
#[cfg(feature = "scene")]
pub use template::{Setting, Template};
