//! What has been proved since a scene was opened.
//!
//! A step is proved after it was made: that it led nothing through anything, and that no element
//! turned over. The page shows the number of decisions, and each breach in words. Sums last until
//! another scene is opened.

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
    ///
    /// Pairs are the decisions about contacts, elements the ones about triangles and bends.
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
