//! Values that are the default, in written scenes and in the JSON Schema.

/// JSON Schema of a number above 0, for the entries of lists.
#[cfg(feature = "schema")]
pub(super) fn positive() -> serde_json::Value {
    serde_json::json!({ "type": "number", "exclusiveMinimum": 0 })
}

/// False: the schema states defaults, although written scenes leave them out.
#[cfg(feature = "schema")]
pub(super) fn never<T>(_: &T) -> bool {
    false
}

/// True if a written scene may leave the value out because it is the default of its type.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
