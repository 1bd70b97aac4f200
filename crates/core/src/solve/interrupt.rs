//! Interruption of a solve from outside, for programs in which a person waits.

use std::fmt;
use std::sync::Arc;

/// A question that Newton's method asks before each direction: must it stop?
///
/// The answer "yes" ends the solve, and the step, with
/// [`Failure::Interrupted`](super::Failure::Interrupted). It must stay "yes" until the step has
/// ended, since a step may be several solves. Any thread may be asked.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() -> bool + Send + Sync>);

impl Interrupt {
    /// An interrupt that asks `stops`, once for each Newton direction.
    pub fn new(stops: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(stops))
    }

    /// True if the solve must stop.
    pub fn stops(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}
