//! One table of the keys of a file.
//!
//! A key is entered once: a field of a struct that serde reads, with its meaning, its unit in brackets,
//! and an attribute with its range. The derive macro [`Keys`] writes the entry ([`Key`]) and the check
//! of a value ([`faults`]). From the table follow the JSON Schema ([`schema`]) and the keys of a path
//! ([`Type::find`]).

mod fault;
mod form;
mod keyed;
mod path;
mod range;
mod schema;
mod values;

pub use fault::{Fault, Place};
pub use form::{Form, Key, Type};
pub use ipcsim_macros::Keys;
pub use keyed::{Keys, faults, json};
pub use path::UnknownKey;
pub use range::Range;
pub use schema::schema;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
