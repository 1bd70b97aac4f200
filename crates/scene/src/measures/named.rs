//! The name of a quantity in a scene.

/// A quantity, with the path of the key that names it.
pub(super) struct Named<'a> {
    /// JSON path of the key.
    pub(super) path: String,
    /// Name of the quantity.
    pub(super) name: &'a str,
}
