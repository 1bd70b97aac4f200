//! One table of the keys of a file.
//!
//! A key is entered once: a field of a struct that serde reads, with its meaning, its unit in brackets,
//! and an attribute with its range. The derive macro [`Keys`] writes the entry ([`Key`]) and the check
//! of a value ([`faults`]). From the table follow the JSON Schema ([`schema`]) and the keys of a path
//! ([`Type::find`]).

mod fault;
mod form;
mod path;
mod range;
mod schema;
mod values;

pub use fault::{Fault, Place, faults};
pub use form::{Form, Key, Type};
pub use ipcsim_macros::Keys;
pub use path::UnknownKey;
pub use range::Range;
pub use schema::schema;

use serde::Serialize;
use serde_json::Value;

/// Values of a file: numbers, lists, objects with keys, choices.
///
/// The derive macro of this name implements it for structs and enums that serde reads.
pub trait Keys {
    /// Form of the values in a file.
    fn form() -> Form;

    /// Adds a fault for every number in the value that is out of its range.
    ///
    /// `key` is the entry of the key that has the value, and `place` its place in the file.
    fn check(&self, key: &Key, place: &Place, faults: &mut Vec<Fault>);

    /// Checks the entries of a list of fixed length, as of a vector: numbers have the place of the
    /// list, other entries their own.
    fn check_array(array: &[Self], key: &Key, place: &Place, faults: &mut Vec<Fault>)
    where
        Self: Sized,
    {
        for (number, entry) in array.iter().enumerate() {
            entry.check(key, &place.entry(number), faults);
        }
    }
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// JSON of a value; null for one that JSON cannot have.
pub fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
