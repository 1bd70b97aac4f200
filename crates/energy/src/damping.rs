//! Energies of damping, which make heat of motion.
//!
//! A force that depends on velocities has no potential in space, but one within a step: there the
//! velocity is a function of the position at the end. Its derivative is the force at the end of the
//! step, and it costs Newton's method no more than elasticity (Kane, Marsden, Ortiz, West 2000;
//! Radovitzky, Ortiz 1999).
//!
//! A model has [`Dampers`]; a stage makes [`Dissipation`] of them.
//!
//! A viscous triangle resists the rate of its Green strain, `(E - E_ref) / beta`, where `E_ref` is
//! the same sum of earlier strains as `q_ref` is of earlier coordinates. An integrator therefore
//! keeps its order, and nothing has to be remembered. The trapezoid takes half of the damping of
//! the start, as it does with elasticity. In plane stress the viscous stress across the plane
//! vanishes. Bodies that move as wholes have no strain to resist; their coordinates resist their
//! velocities, a centre, an angle or the columns of a linear map.

mod drag;
mod viscous;

pub use drag::Drag;
pub use viscous::{Dashpot, Viscous};

use super::{Energy, Summed};
use ipcsim_math::Vec2;

/// Name of these energies in messages.
const NAME: &str = "damping";

/// Dampers of a model, the same in all steps.
#[derive(Clone, Debug, Default)]
pub struct Dampers {
    /// Triangles that resist the rate of their strain, with their vertices.
    pub dashpots: Vec<([usize; 3], Dashpot<3>)>,
    /// Points of quadratic triangles that do, with the vertices of these.
    pub points: Vec<([usize; 6], Dashpot<6>)>,
    /// Vertices that resist their velocity, with the resistance (kg/s).
    pub drags: Vec<(usize, f64)>,
    /// Nodes of bodies that move as wholes that do, with the resistance (kg/s; of angles kg m^2/s).
    pub nodes: Vec<(usize, f64)>,
}

/// History before the end of a stage, from which rates of strain follow.
///
/// The integrator makes velocities of positions, `v = (x - x_ref) / beta`, with `x_ref` a sum of
/// positions before and of a velocity. The same sum of strains gives their rate, so that a body that
/// only turns has none.
#[derive(Clone, Debug)]
pub struct Before<'a> {
    /// Positions of vertices (m) before, `[vertices]` each, with their weights; these add up to 1.
    pub states: &'a [(f64, &'a [Vec2])],
    /// Velocities of vertices (m/s) at the first of the states, and the time (s) by which their
    /// rates of strain count.
    pub moving: Option<(&'a [Vec2], f64)>,
}

/// Energies of all dampers of a stage: their derivatives are the forces at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dissipation {
    /// Triangles.
    pub viscous: Summed<Viscous<3>, 3>,
    /// Points of quadratic triangles.
    pub points: Summed<Viscous<6>, 6>,
    /// Vertices.
    pub drag: Summed<Drag, 1>,
    /// Nodes, an energy of coordinates.
    pub nodes: Summed<Drag, 1>,
}

/// Where velocities of a stage are counted from.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// Positions of vertices (m), `[vertices]`.
    pub x: &'a [Vec2],
    /// Coordinates (m; of angles rad), `[nodes]`.
    pub q: &'a [Vec2],
    /// Time `beta` in `v = (q - q_ref) / beta` (s).
    pub beta: f64,
}

impl Dampers {
    /// True if nothing is damped.
    pub fn is_empty(&self) -> bool {
        let of_strain = self.dashpots.is_empty() && self.points.is_empty();
        of_strain && self.drags.is_empty() && self.nodes.is_empty()
    }

    /// Energies of a stage whose velocities count from a reference.
    pub fn stage(&self, before: &Before, reference: Reference) -> Dissipation {
        let Reference { x, q, beta } = reference;
        let mut made = Dissipation::default();

        for &(stencil, dashpot) in &self.dashpots {
            let viscous = Viscous::new(dashpot, stencil, before, beta);
            made.viscous.push(stencil, viscous);
        }

        for &(stencil, dashpot) in &self.points {
            let viscous = Viscous::new(dashpot, stencil, before, beta);
            made.points.push(stencil, viscous);
        }

        // The velocity is (x - x_ref) / beta, and so the drag is a spring to x_ref.
        let drag = |resistance: f64, at: Vec2| Drag {
            stiffness: resistance / beta,
            at,
        };
        for &(vertex, resistance) in &self.drags {
            made.drag.push([vertex], drag(resistance, x[vertex]));
        }
        for &(node, resistance) in &self.nodes {
            made.nodes.push([node], drag(resistance, q[node]));
        }

        made
    }
}

impl Dissipation {
    /// True if nothing is damped.
    pub fn is_empty(&self) -> bool {
        let mut of_positions = self.energies().into_iter();
        of_positions.all(|energy| energy.element_count() == 0) && self.nodes.element_count() == 0
    }

    /// The energies of positions, one for each kind; [`Self::nodes`] is one of coordinates.
    pub fn energies(&self) -> [&dyn Energy; 3] {
        [&self.viscous, &self.points, &self.drag]
    }

    /// Sum of the energies at positions `x` (m) and coordinates `q` (J), never negative.
    pub fn value(&self, x: &[Vec2], q: &[Vec2]) -> f64 {
        let of_positions: f64 = self.energies().iter().map(|energy| energy.value(x)).sum();
        of_positions + self.nodes.value(q)
    }

    /// Adds the derivatives of the energies of positions at `x`, times a factor (N).
    pub fn add_gradient(&self, x: &[Vec2], scale: f64, out: &mut [Vec2]) {
        if self.is_empty() {
            return;
        }
        for energy in self.energies() {
            energy.add_gradient(x, scale, out);
        }
    }
}
