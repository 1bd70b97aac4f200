//! Parameters of laws as scenes give them, and the checks that they pass.
//!
//! Every parameter has its range in the table of keys, and every law says by [`LawParameters`] which
//! parameter is its stiffness, and which parameters do not go together.

use super::{AnyLaw, Distortable, Hyperelastic, Split};
use ipcsim_keys::{Fault, Keys};
use serde::{Deserialize, Serialize};

/// Beginning of messages about Poisson's ratio.
pub(super) const POISSON: &str = "Poisson's ratio";

/// What Poisson's ratio must be, and why.
pub(super) const RATIOS: &str = "be above -1 and below 0.5, where the material would be \
                                 incompressible; for rubber use 0.45 to 0.495";

/// What a factor of a polynomial must be, and why.
pub(super) const STABLE: &str =
    "not be negative: the material would be unstable at large stretches";

/// Assumption across the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Plane {
    /// No strain across the plane: thick bodies.
    #[default]
    Strain,
    /// No stress across the plane: thin sheets, whose thickness follows. Every law of triangles
    /// solves for it at any strain, in each triangle. `neo_hookean` and `fixed_corotated` need a
    /// Poisson's ratio of at least 0 for that; springs have no thickness.
    Stress,
    /// Bodies of revolution about the axis x = 0: x is the radius, y runs along the axis, and every
    /// force is of the full turn. `x / X` is the stretch around the axis.
    Axisymmetric,
}

/// Parameters of an elastic law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Elastic {
    /// Young's modulus (Pa).
    #[key(above = 0)]
    pub young: f64,
    /// Poisson's ratio (1), above -1 and below 0.5.
    #[key(above = -1, below = 0.5, called = POISSON, must = RATIOS)]
    pub poisson: f64,
}

impl Elastic {
    /// Fault of a negative Poisson's ratio in plane stress, for laws whose energy then has no least
    /// value over the thickness. `None` if the ratio is not negative.
    pub(super) fn auxetic_sheet(&self) -> Option<Fault> {
        let message = format!(
            "is {}, but in plane stress this law needs at least 0: below, some thickness has no \
             equilibrium; take stable_neo_hookean or st_venant_kirchhoff",
            self.poisson
        );
        (self.poisson < 0.0).then(|| fault("poisson", message))
    }
}

/// Fault of the parameter with this key.
pub(super) fn fault(key: &str, message: impl Into<String>) -> Fault {
    Fault {
        path: key.to_owned(),
        message: message.into(),
    }
}

/// Parameters of a law as a scene gives them.
pub trait LawParameters: Copy + Keys {
    /// Key of the parameter that measures stiffness.
    const STIFFNESS: &'static str;

    /// Stiffness by which materials are compared (Pa).
    fn stiffness(&self) -> f64;

    /// Parameter that does not go together with others, where each is in its range; `None` if the law
    /// can be used.
    fn conflict(&self) -> Option<Fault> {
        None
    }
}

/// Law that scenes can name, with a form for each assumption across the plane.
pub trait SceneLaw: Sized + 'static {
    /// Name of the law in scenes.
    const NAME: &'static str;

    /// True if the law's own energy grows without bound as a triangle loses its area, `J = 0`. Without
    /// such a barrier a bounded pressure presses triangles nearly flat, and checks warn of it.
    const BARRIER: bool;

    /// Type of the parameters that scenes give.
    type LawParameters: LawParameters;

    /// The law in plane strain.
    type PlaneStrain: Hyperelastic + 'static;

    /// The law in plane strain, for a material with its own deformation that has no stress.
    type Distorted: Distortable + Into<AnyLaw> + 'static;

    /// The law in plane stress.
    type PlaneStress: Distortable + Into<AnyLaw> + 'static;

    /// Type for which elements in plane strain are compiled: [`AnyLaw`], or the law itself where its
    /// calls would take a share of the time.
    type Compiled: Hyperelastic + From<Self::PlaneStrain> + 'static;

    /// Law of thick bodies, which keep their thickness.
    fn plane_strain(given: &Self::LawParameters) -> Self::PlaneStrain;

    /// Law of thick bodies that heat or plastic flow distorts; without either, the law of
    /// [`SceneLaw::plane_strain`].
    fn distortable(given: &Self::LawParameters) -> Self::Distorted;

    /// Law of thin sheets, across which no stress acts.
    fn plane_stress(given: &Self::LawParameters) -> Self::PlaneStress;

    /// The law in plane strain as a sum of a part with the stiffness of shear and an energy of only
    /// the volume, for a mean of the volume; `None` if it is not such a sum.
    fn split(_given: &Self::LawParameters) -> Option<Split<Self::PlaneStrain>> {
        None
    }

    /// The law of bodies of revolution as the sum of [`SceneLaw::split`], with volumes in space; `None`
    /// if it is not such a sum.
    fn split_in_space(_given: &Self::LawParameters) -> Option<Split<Self::Distorted>> {
        None
    }

    /// Reason why the law has no form in plane stress for these parameters; `None` if it has.
    fn no_plane_stress(_given: &Self::LawParameters) -> Option<Fault> {
        None
    }
}

impl LawParameters for Elastic {
    const STIFFNESS: &'static str = "young";

    fn stiffness(&self) -> f64 {
        self.young
    }
}
