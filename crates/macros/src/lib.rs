//! The derive macro of `ipcsim-keys`, which exports it.
//!
//! `attributes` reads what a field says: attributes of serde and of keys, and its documentation.
//! `expand` writes a static table of the keys, and the check of a value by it.

mod attributes;
mod expand;
mod words;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `ipcsim_keys::Keys` for a struct with named fields, or an enum of words and of variants
/// with one value each.
///
/// Names, defaults and forms of variants follow the attributes of serde. The documentation of a field is the
/// description of its key, with its unit in brackets. An attribute adds what the type does not say:
///
/// | attribute | meaning |
/// |---|---|
/// | `above = 0`, `at_least = 0` | the number is larger, or at least this |
/// | `below = 1`, `at_most = 1` | the number is smaller, or at most this |
/// | `limit = 1000` | larger counts are slips; the schema does not say it |
/// | `must = "be even"` | end of the message about a number out of range |
/// | `called = "the ratio"` | beginning of that message |
/// | `unit = "m"` | unit, if the documentation does not have it in brackets |
/// | `example = "rest"` | example in the schema, of a key or a type; may come several times |
/// | `name = "Table"` | name of a type in the schema |
/// | `or_flag` | `true` and `false` may stand in place of the value |
/// | `between_steps = "gravity"` | parameter that changes the key between the steps of a run |
#[proc_macro_derive(Keys, attributes(key))]
pub fn derive_keys(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::keys(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// The README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
