//! Values that have keys: their form, and the check of their numbers.

use crate::{Fault, Form, Key, Place, Range};
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

/// JSON of a value; null for one that JSON cannot have.
pub fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Numbers of a value that are out of their ranges. Paths begin with `path`, the path of the value.
pub fn faults(value: &impl Keys, path: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    value.check(&WHOLE, &Place::at(path), &mut faults);
    faults
}

/// Entry of a value that is not the value of a key.
static WHOLE: Key = Key {
    name: "",
    alias: None,
    about: "",
    unit: None,
    range: Range::ANY,
    form: || Form::Word,
    default: None,
    examples: &[],
    or_flag: false,
    is_hidden: false,
    between_steps: None,
};
