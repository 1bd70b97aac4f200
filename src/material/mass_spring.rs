//! Parameters of bodies made of springs.

use super::{Fault, Given};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of a mass-spring body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MassSpring {
    /// Stiffness `k` (Pa).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: f64,
}

impl MassSpring {
    /// Name in scenes.
    pub const NAME: &'static str = "mass_spring";
}

impl Given for MassSpring {
    const STIFFNESS: &'static str = "stiffness";

    fn stiffness(&self) -> f64 {
        self.stiffness
    }

    fn faults(&self) -> Vec<Fault> {
        Vec::from_iter(Fault::not_positive("stiffness", self.stiffness))
    }
}
