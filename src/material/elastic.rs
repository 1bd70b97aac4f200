//! Parameters of laws as scenes give them, and the checks that they pass.
//!
//! Every law says by [`Given`] which of its parameters is its stiffness and which values are
//! outside their range. A scene collects the faults of all materials and reports them at once.

use super::Hyperelastic;
#[cfg(feature = "scene")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Assumption across the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "scene", derive(JsonSchema))]
pub enum Plane {
    /// No strain across the plane: thick bodies.
    #[default]
    Strain,
    /// No stress across the plane: thin sheets. `lambda` becomes `2 lambda mu / (lambda + 2 mu)`,
    /// which is exact for the law `linear`. For the other laws this is a linearisation, good at
    /// small strain: at finite strain some stress across the plane remains.
    Stress,
}

/// Parameters of an elastic law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "scene", derive(JsonSchema))]
pub struct Elastic {
    /// Young's modulus (Pa).
    #[cfg_attr(feature = "scene", schemars(extend("exclusiveMinimum" = 0)))]
    pub young: f64,
    /// Poisson's ratio (1), above -1 and below 0.5.
    #[cfg_attr(feature = "scene", schemars(extend("exclusiveMinimum" = -1, "exclusiveMaximum" = 0.5)))]
    pub poisson: f64,
}

/// Parameter outside its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Key of the parameter.
    pub key: &'static str,
    /// The value, its limit, and what to do.
    pub message: String,
}

impl Fault {
    /// Fault of a stiffness (Pa) that is not a positive, finite number. `None` if it is.
    pub(super) fn not_positive(key: &'static str, stiffness: f64) -> Option<Self> {
        let message = format!("is {stiffness} Pa, but must be positive");
        let is_positive = stiffness > 0.0 && stiffness.is_finite();
        (!is_positive).then_some(Self { key, message })
    }
}

/// Parameters of a law as a scene gives them.
pub trait Given: Copy {
    /// Key of the parameter that measures stiffness.
    const STIFFNESS: &'static str;

    /// Stiffness by which materials are compared (Pa).
    fn stiffness(&self) -> f64;

    /// Parameters outside their range; empty if the law can be used.
    fn faults(&self) -> Vec<Fault>;
}

/// Hyperelastic law that scenes can name.
pub trait SceneLaw: Hyperelastic + 'static {
    /// Name of the law in scenes.
    const NAME: &'static str;

    /// Type of the parameters that scenes give.
    type Given: Given;

    /// Law with the given parameters, under an assumption across the plane.
    fn new(given: &Self::Given, plane: Plane) -> Self;
}

impl Given for Elastic {
    const STIFFNESS: &'static str = "young";

    fn stiffness(&self) -> f64 {
        self.young
    }

    fn faults(&self) -> Vec<Fault> {
        let Self { young, poisson } = *self;
        let mut faults = Vec::from_iter(Fault::not_positive("young", young));

        // Written so that a NaN is a fault as well.
        if !(poisson > -1.0 && poisson < 0.5) {
            let message = format!(
                "Poisson's ratio is {poisson}, but must be above -1 and below 0.5, where the \
                 material would be incompressible; for rubber use 0.45 to 0.495"
            );
            faults.push(Fault {
                key: "poisson",
                message,
            });
        }
        faults
    }
}
