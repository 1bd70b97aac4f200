//! What can fail in a simulation.

use crate::scene::SceneError;
use crate::solve::Failure;
use thiserror::Error;

/// Why a simulation cannot start or go on.
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
        /// Time at its end (s).
        time: f64,
        /// Reason: the pair, energy or vertex at fault.
        #[source]
        failure: Failure,
    },
    /// No body or obstacle has this name.
    #[error("no body or obstacle is named \"{name}\"; the names are {}", listed(.known))]
    NoSuchBody {
        /// Name that was asked for.
        name: String,
        /// Names of all bodies and obstacles.
        known: Vec<String>,
    },
}

/// The first names of a list, in quotes.
fn listed(names: &[String]) -> String {
    const MOST: usize = 20;
    let quoted: Vec<String> = names
        .iter()
        .take(MOST)
        .map(|name| format!("\"{name}\""))
        .collect();
    let more = if names.len() > MOST { ", ..." } else { "" };
    format!("{}{more}", quoted.join(", "))
}
