//! Potentials of vertex positions: elasticity, springs, rods, and the stiffness of affine bodies.
//!
//! The author of a new energy implements [`LocalEnergy`], for the few vertices of one element:
//! value, gradient and Hessian. [`Summed`] makes a potential of all vertices of it, an [`Energy`],
//! which is all that the solver knows. The sum over elements, the threads and the layout of the
//! Hessian are written there once.
//!
//! Elements are evaluated one by one. An energy that takes much of a step may compute several at
//! once: by its own form for a batch ([`Batched`]), usually in the lanes of vector registers
//! ([`simd`]).
//!
//! An energy is infinite outside its domain, and bounds steps so that they stay inside:
//! [`Energy::max_step`] before the step, and [`Energy::admits`] after it, for what was stored.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod batched;
mod damping;
mod dead_load;
mod dilatation;
mod distorted;
mod elastic_elements;
mod flow_slope;
mod following;
mod forward;
mod local;
pub mod material;
mod orthogonality;
mod patch_sum;
mod patches;
mod quadratic;
mod resized;
mod revolved;
mod rod;
pub mod simd;
mod spring;
mod summed;
pub mod testing;
mod tightened;
mod triangle;
mod tuning;

pub use batched::{Batch, Batched};
pub use damping::{Before, Dampers, Dashpot, Dissipation, Drag, Reference, Viscous};
pub use dead_load::dead_load;
pub use dilatation::{Dilatation, Outline};
pub use distorted::{Conditions, Distorted, Heat, Pointwise};
pub use elastic_elements::{Change, ElasticElements, MaterialMesh, Sums, Warmth};
pub use flow_slope::FlowSlope;
pub use following::{
    ATMOSPHERE, Arm, Chambers, Couple, Couples, Following, Gas, GasLaw, HandSpring, Hands, Lever,
    Pressed, PressedRing, Pull, Thrust, Walls,
};
pub use local::{LocalEnergy, Stressed};
pub use orthogonality::Orthogonality;
pub use quadratic::QuadraticTriangle;
pub use resized::{Resized, Size};
pub use revolved::{RevolvedDilatation, RevolvedQuadratic, RevolvedTriangle};
pub use rod::{Bend, Stretch};
pub use spring::Spring;
pub use summed::Summed;
pub use tightened::{Tightened, TightenedSection, Tightness};
pub use triangle::Triangle;

use crate::material::Flow;
use ipcsim_math::{Mat2, Vec2, parallel};
use std::fmt;
use std::ops::Range;

/// Largest fraction of a step that a potential allows, and the element that limits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepBound {
    /// Fraction of the step in `[0, 1]`.
    pub fraction: f64,
    /// Index of the limiting element; `None` where `fraction` is 1.
    pub element: Option<usize>,
}

impl StepBound {
    /// Bound of a potential that allows the whole step.
    pub const FULL: Self = Self {
        fraction: 1.0,
        element: None,
    };

    /// Smallest of 1 and `f(0), .., f(count - 1)`, each a fraction, and its index.
    pub fn smallest(count: usize, f: impl Fn(usize) -> f64 + Sync) -> Self {
        let (fraction, element) = parallel::first_min(count, 1.0, f);
        Self { fraction, element }
    }
}

/// Kind of second derivatives that a Hessian is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curvature {
    /// Each element is projected onto the positive semi-definite matrices, so that the sum is
    /// positive semi-definite.
    Projected,
    /// Elements are not projected, see [`LocalEnergy::exact_hessian`].
    Exact,
}

/// Receiver of a product of two vectors, with one entry for each vertex of an element:
/// `add(w, a, b)` adds `w / 2 (a b^T + b a^T)`.
pub type AddProduct<'a> = dyn FnMut(f64, &[Vec2], &[Vec2]) + 'a;

/// Potential of all vertex positions, a sum over elements. The solver knows no more of it than
/// this.
pub trait Energy: Send + Sync {
    /// Name of the potential's column in `energies.csv`.
    fn name(&self) -> &'static str;

    /// Energy at the positions `x` (J).
    fn value(&self, x: &[Vec2]) -> f64;

    /// Energies of all elements at the positions `x` (J), `[elements]`, whose sum is the value; none for an
    /// energy that is no such sum.
    fn values(&self, x: &[Vec2]) -> Vec<f64>;

    /// Adds `scale` times the derivative with respect to the positions to `gradient`, one vector
    /// per vertex (N).
    fn add_gradient(&self, x: &[Vec2], scale: f64, gradient: &mut [Vec2]);

    /// Number of elements of the sum.
    fn element_count(&self) -> usize;

    /// Vertices of element `k`, `[vertices of an element]`.
    fn stencil(&self, k: usize) -> &[usize];

    /// Number of 2x2 blocks of one element: the lower triangle of its Hessian, row by row. For `n`
    /// vertices these are `n (n + 1) / 2`.
    fn blocks_each(&self) -> usize;

    /// Number of 2x2 blocks of all elements.
    fn block_count(&self) -> usize {
        self.element_count() * self.blocks_each()
    }

    /// Vertex pairs `(row, column)` of all blocks, element by element.
    fn blocks(&self) -> Vec<[usize; 2]> {
        let mut pairs = Vec::with_capacity(self.block_count());
        for k in 0..self.element_count() {
            add_pairs(self.stencil(k), &mut pairs);
        }
        pairs
    }

    /// Writes `scale` times the blocks of the Hessians (N/m) of some elements to `blocks`,
    /// `[elements * blocks_each]`.
    fn hessian(
        &self,
        elements: Range<usize>,
        x: &[Vec2],
        scale: f64,
        curvature: Curvature,
        blocks: &mut [Mat2],
    );

    /// Adds the Hessian (N/m) of element `k` at `x` as a sum of products of vectors, see
    /// [`LocalEnergy::products`]. False, the default, if it is not such a sum.
    fn products(
        &self,
        _k: usize,
        _x: &[Vec2],
        _curvature: Curvature,
        _add: &mut AddProduct,
    ) -> bool {
        false
    }

    /// Largest fraction of the motion `p` (m) from `x` on which the potential stays in its domain,
    /// and the element that limits it.
    fn max_step(&self, x: &[Vec2], p: &[Vec2]) -> StepBound;

    /// True if the stored positions `x` (m) are in the domain of all elements.
    fn admits(&self, x: &[Vec2]) -> bool;

    /// The energy of a material under conditions other than those at rest: an energy of the same
    /// elements on the same vertices. `None` for an energy that never changes, the default.
    fn under(&self, _conditions: Conditions) -> Option<Box<dyn Energy>> {
        None
    }

    /// The energy of the same elements on the same vertices whose shapes at rest are `factor` (1) times as
    /// large. `None`, the default, for an energy of other elements.
    fn resized(&self, _factor: f64) -> Option<Box<dyn Energy>> {
        None
    }

    /// Number of the section at which the body of these elements is tightened; `None`, the default, for
    /// other bodies.
    fn section(&self) -> Option<usize> {
        None
    }

    /// Force (N) of these elements across the section at which their body is tightened, at the positions
    /// `x` (m). The default is 0.
    fn tension(&self, _conditions: Conditions, _x: &[Vec2]) -> f64 {
        0.0
    }

    /// Number of points at which the material may flow. The default is 0.
    fn flowing(&self) -> usize {
        0
    }

    /// Plastic flow of all points, `[flowing]`, at the end of a step with the positions `x` (m) whose
    /// materials had these conditions; among them the flow at the start. The default has no points.
    fn flow(&self, _conditions: Conditions, _x: &[Vec2]) -> Vec<Flow> {
        Vec::new()
    }

    /// Derivatives of all elements that may flow by the flow of their points, at the end of a step with the
    /// positions `x` (m) whose materials had these conditions. The default has no such elements.
    fn flow_slopes(&self, _conditions: Conditions, _x: &[Vec2]) -> Vec<FlowSlope> {
        Vec::new()
    }

    /// Equivalent plastic strain (1) of each triangle of [`Energy::stresses`] after this flow,
    /// `[flowing]`; empty, the default, if nothing has flowed.
    fn hardened(&self, _flowed: &[Flow]) -> Vec<f64> {
        Vec::new()
    }

    /// Cauchy stress in plane strain in each triangle among the elements, facets of quadratic ones
    /// included. Empty for energies of other elements. A triangle in several energies has the sum.
    fn stresses(&self, x: &[Vec2]) -> Vec<Stressed>;
}

/// Appends the pairs of vertices of an element's blocks: the lower triangle, row by row.
fn add_pairs(stencil: &[usize], pairs: &mut Vec<[usize; 2]>) {
    for (row, &i) in stencil.iter().enumerate() {
        pairs.extend(stencil[..=row].iter().map(|&j| [i, j]));
    }
}

impl fmt::Debug for dyn Energy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} elements", self.name(), self.element_count())
    }
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
