//! End of a stage before its velocities are known.

use crate::body::Configuration;
use crate::solve::Stage;
use crate::time::state::State;
use ipcsim_contact::Contacts;

/// End of a stage, as its minimum leaves it.
#[derive(Clone, Copy)]
pub(in crate::time) struct StageEnd<'a> {
    /// The stage.
    pub(in crate::time) stage: &'a Stage,
    /// State from which the stage began.
    pub(in crate::time) from: &'a State,
    /// Configuration at its end.
    pub(in crate::time) at: &'a Configuration,
    /// Contacts there.
    pub(in crate::time) contacts: &'a Contacts,
}
