//! Entries of the table: keys, the types that have them, and the forms of their values.

use crate::Range;
use serde_json::Value;

/// Form of a value.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// `true` or `false`.
    Flag,
    /// Text.
    Text,
    /// Whole number, 0 or larger.
    Whole,
    /// Number.
    Number,
    /// A value that may be absent.
    Optional(fn() -> Form),
    /// List of equal forms.
    List {
        /// Form of an entry.
        of: fn() -> Form,
        /// Number of entries; any number if absent.
        length: Option<usize>,
    },
    /// Object with values by name.
    Named(fn() -> Form),
    /// Object with keys, or a choice.
    Type(&'static Type),
    /// The name of a choice, without a value.
    Word,
}

/// An object with keys, or a choice of one of them.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// Name in the schema.
    pub name: &'static str,
    /// Description, a line for each paragraph.
    pub about: &'static str,
    /// True if a value has exactly one of the keys.
    pub is_choice: bool,
    /// Keys in their order. In a choice a key without a name stands for its value.
    pub keys: &'static [Key],
    /// Examples of values.
    pub examples: &'static [fn() -> Value],
}

/// A key: the one entry from which schema, check and messages follow.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Name in the file.
    pub name: &'static str,
    /// Other name that stands for the same key.
    pub alias: Option<&'static str>,
    /// Description, a line for each paragraph.
    pub about: &'static str,
    /// Unit of its numbers, "1" for numbers without one.
    pub unit: Option<&'static str>,
    /// Range of its numbers.
    pub range: Range,
    /// Form of its value.
    pub form: fn() -> Form,
    /// Value if the key is absent; without one the key must be given.
    pub default: Option<fn() -> Value>,
    /// Examples of values.
    pub examples: &'static [fn() -> Value],
    /// True if `true` and `false` may stand in place of the value.
    pub or_flag: bool,
    /// True if the key is read and never written.
    pub is_hidden: bool,
    /// Parameter that changes the value between the steps of a run; `None` if it is set only when a
    /// scene is built.
    pub between_steps: Option<&'static str>,
}

impl Form {
    /// Form of the values inside options and lists, and of those by name.
    #[must_use]
    pub fn inner(self) -> Self {
        match self {
            Self::Optional(of) | Self::Named(of) | Self::List { of, .. } => of().inner(),
            own => own,
        }
    }
}
