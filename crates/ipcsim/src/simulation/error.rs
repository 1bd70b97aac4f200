//! Errors of a simulation.
//!
//! A scene may be wrong, a step may fail, a name may not exist, and a state may be one that cannot
//! be. Nothing else fails: views and contact forces are always available. New variants may be
//! added, so that a match needs a default.

use ipcsim_core::solve::Failure;
use ipcsim_scene::SceneError;
use thiserror::Error;

/// Error of a simulation that cannot start, cannot make a step, or is asked for an unknown body.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The scene cannot be read, or describes nothing that can be simulated.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A step failed, even after all fallbacks. The state is that before the step.
    #[error("step {step} (to {time} s): {failure}")]
    Step {
        /// Number of the step, from 1.
        step: usize,
        /// Time at the end of the step (s).
        time: f64,
        /// Reason: the pair, energy or vertex at fault.
        #[source]
        failure: Failure,
    },
    /// A state or a parameter that a program sets between steps cannot be. Nothing has changed.
    #[error("{0}")]
    Refused(String),
    /// No body or obstacle has this name.
    #[error("no body or obstacle is named \"{name}\"; the names are {}", listed(.known))]
    NoSuchBody {
        /// Name that was asked for.
        name: String,
        /// Names of all bodies and obstacles.
        known: Vec<String>,
    },
}

/// Largest number of names in a message. A longer list would hide the message.
const MOST: usize = 20;

/// The first [`MOST`] names of a list, in quotes and separated by commas.
fn listed(names: &[String]) -> String {
    let first = names.iter().take(MOST);
    let quoted: Vec<String> = first.map(|name| format!("\"{name}\"")).collect();

    let more = if names.len() > MOST { ", ..." } else { "" };
    format!("{}{more}", quoted.join(", "))
}
