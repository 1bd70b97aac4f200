//! Parameters of bodies made of springs. The energy of a spring is `Spring`, on the floor of
//! energies.

use super::LawParameters;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Parameters of a mass-spring body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct MassSpring {
    /// Stiffness `k` (Pa).
    #[key(above = 0)]
    pub stiffness: f64,
}

impl MassSpring {
    /// Name of the springs in scenes.
    pub const NAME: &'static str = "mass_spring";
}

impl LawParameters for MassSpring {
    const STIFFNESS: &'static str = "stiffness";

    fn stiffness(&self) -> f64 {
        self.stiffness
    }
}
