//! A default of one body with its reason.

/// Value of one body, and the reason for it.
pub(super) struct Reasoned {
    /// Value in SI units; 0 or infinite if the body has none.
    pub value: f64,
    /// Reason for the value, as a phrase without a full stop.
    pub reason: String,
}
