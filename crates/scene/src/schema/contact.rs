//! Contact and restitution: the barrier, the methods that detect collisions, coefficients.
//!
//! The barrier repels surfaces nearer than `d_hat` with the stiffness `kappa`. These numbers have
//! defaults that follow from sizes, masses and materials of the two bodies.

use super::friction::Friction;
use super::interference::Interference;
use super::{examples, is_default};
use ipcsim_contact::barrier::BarrierShape;
use ipcsim_contact::broad::BroadPhase;
use ipcsim_contact::ccd::NarrowPhase;
use ipcsim_contact::{ContactModel, SharedVertices};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Barrier, collision detection and friction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::contact())]
pub struct Contact {
    /// Distance below which surfaces repel each other, `d_hat` (m), for all pairs of bodies. If
    /// absent each pair has its own: 0.005 of the size of its smaller body, and at most 0.9 of the
    /// gap that the two start with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub d_hat: Option<f64>,
    /// Stiffness of the barrier, `kappa` (Pa), for all pairs of bodies. If absent each pair has its
    /// own: 40 times the pressure of weight, forces and speed, and between a thousandth and the whole
    /// of the softer material's stiffness. It doubles between steps while the pair rests at less than
    /// a sixteenth of `d_hat`, and falls back once the two have parted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub kappa: Option<f64>,
    /// Bodies that deform rest in motion as close to others as in statics: `d_hat` of a pair at rest falls,
    /// by half in a step, until its gap is at most 1e-3 of the displacement `F / (E t)` of its contact
    /// region. It has no effect where `d_hat` or `kappa` is given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub close_at_rest: bool,
    /// Smallest distance that surfaces keep, from which the barrier counts (m).
    #[serde(default)]
    #[key(at_least = 0)]
    pub min_separation: f64,
    /// Vertices or edges over which contact between bodies is summed.
    #[serde(default)]
    pub model: ContactModel,
    /// Shape of the barrier of vertices, `inverse` if absent. The barrier of edges is always
    /// `inverse`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barrier: Option<BarrierShape>,
    /// Count of a vertex that two edges share, where contact is a sum over vertices; `once` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_vertices: Option<SharedVertices>,
    /// Method that finds near pairs.
    #[serde(default)]
    pub broad_phase: BroadPhase,
    /// Method that finds times of impact.
    #[serde(default)]
    pub narrow_phase: NarrowPhase,
    /// Bodies that collide: all, none, or all but the links of one linkage.
    #[serde(default, skip_serializing_if = "is_default")]
    pub collide: Collide,
    /// Pairs of bodies or obstacles, by name, that pass through each other. Bodies of one `group` do,
    /// too, and bodies of different `layer`s.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<[String; 2]>,
    /// Pairs that overlap as drawn, on purpose: press fits. One of the two starts with another size, and
    /// takes on its drawn size in the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interference: Vec<Interference>,
    /// Friction between surfaces.
    #[serde(default)]
    pub friction: Friction,
    /// Rebound of rigid and affine bodies. If absent the barrier and the time step decide how bodies
    /// rebound.
    #[serde(default, skip_serializing_if = "Restitution::is_absent")]
    pub restitution: Restitution,
}

/// Bodies of a scene that collide with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Collide {
    /// All, except those of one group, of different layers, of joints and of `exclude`.
    #[default]
    All,
    /// All but links: bodies that joints hold together, directly or over other bodies, pass through each
    /// other, and through the obstacles to which one of them is joined. Obstacles and the world hold
    /// nothing together, and joints whose bodies collide, such as ropes and springs, do not count.
    Unlinked,
    /// None: a linkage that is only moved. A body that deforms still collides with itself.
    None,
}

/// Restitution: the speed at which two bodies part after an impact, relative to that at which they
/// met, along the normal of each contact.
///
/// It acts on velocities after the positions of a step have been found, between rigid bodies, affine
/// bodies and obstacles. Bodies that deform rebound by their own elasticity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Restitution {
    /// Coefficient (1) of all pairs that `pairs` does not name; if absent these have no law of
    /// restitution. A scene with bodies that deform names pairs instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0, at_most = 1, must = "be between 0 and 1")]
    pub default: Option<f64>,
    /// Coefficients of single pairs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<RestitutionPair>,
    /// Approach speed up to which bodies stay together, as with a coefficient of 0 (m/s), for all
    /// pairs of bodies. If absent each pair has its own: the speed that weight and forces give a
    /// body of the pair in two steps, and at least 1e-3 of the size of its smaller body per second.
    /// Without it stacks would rattle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub rest_speed: Option<f64>,
}

/// Coefficient of restitution of one pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct RestitutionPair {
    /// Names of two bodies or obstacles. The name of a body with `copies` stands for all of them.
    pub between: [String; 2],
    /// Coefficient of restitution (1): 0 for bodies that stay together, 1 for elastic ones.
    #[key(at_least = 0, at_most = 1, must = "be between 0 and 1")]
    pub coefficient: f64,
}

impl Restitution {
    /// True if nothing is given.
    fn is_absent(&self) -> bool {
        *self == Self::default()
    }

    /// True if a pair may have a coefficient.
    pub(crate) fn acts(&self) -> bool {
        self.default.is_some() || !self.pairs.is_empty()
    }
}

impl RestitutionPair {
    /// The coefficient (1) between the bodies or obstacles of these names, in either order.
    pub fn new(a: impl Into<String>, b: impl Into<String>, coefficient: f64) -> Self {
        Self {
            between: [a.into(), b.into()],
            coefficient,
        }
    }
}
