//! Scenes: the file format, its meaning, and the world it describes.
//!
//! A scene is a value ([`schema`]) that a program builds with constructors or that a file gives as
//! JSON. On the way from a text to a simulation it passes these rooms:
//!
//! 1. parsing reads the text, applies overrides from the command line, and names the place of every
//!    wrong key or type;
//! 2. [`check()`] compares values with their ranges and with each other;
//! 3. copies of bodies become bodies with places, sizes and angles of their own ([`Apart`]), and assembly
//!    turns a good scene into a world and a state ([`Setup`]);
//! 4. [`preflight()`] looks for overlaps, and for values that are legal but implausible.
//!
//! Every problem found on the way is a [`Problem`]: a path in the scene, what is wrong, the value
//! and its limit, and what to do. All problems are reported at once. `mended` repairs those whose
//! repair does not change the meaning of the scene.
//!
//! Kinds of bodies (deformable, rigid, ...) answer for themselves in one file each, and no other
//! room lists them. Formats of files with shapes are the matter of a [`ShapeReader`].
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod area;
mod area_bounds;
mod assemble;
mod carrier;
mod check;
mod code;
mod copies;
mod error;
mod error_recovery;
mod fixes;
mod going_on;
mod key_path;
mod kind;
mod locate;
mod measures;
mod moments;
mod names;
mod other_names;
mod overlap;
mod parse;
mod preflight;
mod problem;
mod rounds;
pub mod samples;
pub mod schema;
mod shape_files;
mod shape_geometry;
mod source;
mod syntax;
mod template;
mod units;
mod wrong;

pub use assemble::{Derived, Setup, numbered, refusal};
pub use check::{check, check_meshing, check_parameter};
pub use code::Code;
pub use copies::Apart;
pub use error::SceneError;
pub use fixes::{Mended, mended};
pub use going_on::Memory;
pub use key_path::key_at;
pub use names::nearest;
pub use parse::{parse, typed};
pub use preflight::{Preflight, build, preflight};
pub use problem::{Location, Problem, Severity, one_line};
pub use schema::Scene;
pub use shape_files::{FromFile, LEAVE, NoShapeFiles, ReadError, ShapeReader, located};
pub use source::{STDIN, Source, read};
pub use template::{Setting, Template};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
