//! What has been proved since a scene was opened.

use ipcsim::contact::{Breach, Proved};
use serde_json::{Value, json};

/// Sums of all proofs.
#[derive(Debug, Default)]
pub(crate) struct Proofs {
    /// Steps that were proved.
    steps: usize,
    /// Decisions by exact predicates and certified bounds.
    proved: Proved,
    /// What was not proved, in words.
    breaches: Vec<String>,
}

impl Proofs {
    /// Adds the proof of a step.
    pub(crate) fn add(&mut self, step: usize, proof: Result<Proved, Breach>) {
        match proof {
            Ok(proved) => {
                self.steps += 1;
                self.proved += proved;
            }
            Err(breach) => self.breaches.push(format!("step {step}: {breach:?}")),
        }
    }

    /// Numbers for the page.
    pub(crate) fn shown(&self) -> Value {
        let Proved {
            exact,
            bounded,
            planes,
            triangles,
            curved,
            bends,
        } = self.proved;
        json!({
            "steps": self.steps,
            "pairs": exact + bounded + planes,
            "elements": triangles + curved + bends,
            "breaches": self.breaches,
        })
    }
}
