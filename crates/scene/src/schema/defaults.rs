//! Values that are the default, in written scenes.

/// True if a written scene may leave the value out because it is the default of its type.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
