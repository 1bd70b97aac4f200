//! A value of a scene that cannot be read, with its place.

use serde_path_to_error::Segment;

/// A value of a scene that its type refuses.
pub(super) struct Wrong {
    /// Keys and numbers that lead to the value.
    pub place: Vec<Segment>,
    /// The same as a JSON path.
    pub path: String,
    /// Message of the type.
    pub message: String,
}
