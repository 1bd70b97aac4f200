//! Options of a step, a room each. A reader who wants a plain step skips all of them.

pub(in crate::time) mod adaptive;
pub(in crate::time) mod arc_length;
pub(in crate::time) mod around_step;
pub(in crate::time) mod control;
pub(in crate::time) mod ending;
pub(in crate::time) mod energy_correction;
pub(in crate::time) mod fallback;
pub(in crate::time) mod ledger;
pub(in crate::time) mod of_stage;
pub(in crate::time) mod predictor;
pub(in crate::time) mod recovery;
pub(in crate::time) mod restitution;
pub(in crate::time) mod sleep;
pub(in crate::time) mod sleeping;
pub(in crate::time) mod statics;
pub(in crate::time) mod tunnelling;
pub(in crate::time) mod until;
