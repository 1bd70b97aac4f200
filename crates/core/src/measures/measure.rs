//! A measure: its name, its target, and its reductions.

use super::forces::{BodyForces, PairOf, Resultant};
use super::part::Part;
use super::{InSpace, Over};
use crate::fields::{Field, Spot, Triangles};
use crate::forces::{Coarse, JointState};
use crate::quantities::Quantity;
use crate::time::{ChamberState, World};
use ipcsim_energy::material::Plane;
use ipcsim_math::Vec2;
use std::sync::OnceLock;

/// A number that is taken at the end of every step.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Name in tables, conditions and results.
    pub name: String,
    /// Unit of its readings; 1 for a plain number.
    pub unit: String,
    /// Target of the number.
    pub what: What,
    /// Reduction in space.
    pub space: InSpace,
    /// Reduction in time.
    pub over: Over,
}

/// What a measure is a number of.
#[derive(Clone, Debug)]
pub enum What {
    /// The scene.
    Scene(&'static Quantity),
    /// An energy of the scene, by the number of its column.
    Energy(usize),
    /// Mean number of contacts with other bodies that bodies have.
    Coordination,
    /// Bodies.
    Bodies {
        /// Value of each.
        value: BodyValue,
        /// Their numbers.
        bodies: Vec<usize>,
    },
    /// Points of bodies.
    Points(Points),
    /// A pair of bodies, by their numbers.
    Pair([usize; 2], &'static Part<PairOf>),
    /// Smallest gap between two bodies.
    Gap([usize; 2]),
    /// A joint, by its number.
    Joint(usize, &'static Part<JointState>),
    /// A load, by its number.
    Load(usize, &'static Part<Resultant>),
    /// Number of the gas in a chamber, by its number.
    Chamber(usize, &'static Part<ChamberState>),
    /// Fields around a place, of the bodies around it.
    Place(Place, &'static Part<Coarse>),
    /// Number of bodies whose centres crossed a line in the step, from its left to its right; those from
    /// its right to its left count as -1.
    Flow {
        /// Numbers of the bodies.
        bodies: Vec<usize>,
        /// Ends of the line (m).
        line: [Vec2; 2],
    },
}

/// A place, and the bodies around it that count.
#[derive(Clone, Debug)]
pub struct Place {
    /// The place (m).
    pub at: Vec2,
    /// Radius of the circle over which means are taken (m).
    pub within: f64,
    /// Numbers of the bodies, ascending.
    pub bodies: Vec<usize>,
}

/// Value of a body.
#[derive(Clone, Copy, Debug)]
pub enum BodyValue {
    /// A quantity of bodies.
    Quantity(&'static Quantity),
    /// A number of the forces on it.
    Force(&'static Part<BodyForces>),
}

/// Points at which a field is taken.
#[derive(Clone, Debug)]
pub struct Points {
    /// The field.
    pub field: &'static Field,
    /// Part of its values.
    pub component: Component,
    /// Numbers of vertices, and of spots after all vertices.
    pub points: Vec<usize>,
    /// Weights in means.
    pub weights: Vec<f64>,
}

/// Number made of the components of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// The component with this number.
    Number(usize),
    /// Length of the vector.
    Length,
}

/// All measures of a scene.
#[derive(Debug, Default)]
pub struct Measures {
    /// The measures, in the order of the scene.
    pub list: Vec<Measure>,
    /// Points of bodies that are not vertices, at which they take fields.
    pub spots: Vec<Spot>,
    /// Plane strain or plane stress.
    pub plane: Plane,
    /// Thickness of all bodies (m).
    pub thickness: f64,
    /// Triangles as fields need them, made once.
    triangles: OnceLock<Triangles>,
}

impl Measures {
    /// No measures, for bodies in this plane and of this thickness (m).
    pub fn none(plane: Plane, thickness: f64) -> Self {
        Self {
            plane,
            thickness,
            ..Self::default()
        }
    }

    /// True if a measure counts what passes a line.
    pub(super) fn have_flow(&self) -> bool {
        let mut all = self.list.iter();
        all.any(|own| matches!(own.what, What::Flow { .. }))
    }

    /// Triangles of the world, as fields need them.
    pub(super) fn triangles(&self, world: &World) -> &Triangles {
        self.triangles.get_or_init(|| Triangles::of(world))
    }
}

impl Measure {
    /// True if its readings count what happened in a step, so that they add up.
    pub fn counts(&self) -> bool {
        matches!(self.what, What::Flow { .. })
    }

    /// True if its readings have places.
    pub fn has_place(&self) -> bool {
        matches!(self.space, InSpace::Max | InSpace::Min)
            && matches!(self.what, What::Points(_) | What::Bodies { .. })
    }

    /// Number in conditions where it is undefined: a pair without contact is far apart.
    pub fn undefined(&self) -> f64 {
        match self.what {
            What::Gap(_) => f64::INFINITY,
            What::Scene(quantity) => quantity.undefined,
            _ => f64::NAN,
        }
    }
}
