//! The solver's view of a simulation, fixed once the scene is built.
//!
//! The solver knows no bodies, materials or scenes: only coordinates with masses, positions that
//! follow from them, energies of both, equations between positions, and the surface that can touch.

use super::pace::Pace;
use crate::body::Coordinates;
use crate::constraint::Joint;
use ipcsim_contact::Surface;
use ipcsim_energy::{Dampers, Energy};
use ipcsim_math::Vec2;

/// The bodies of a simulation as the solver sees them: unknowns, masses, energies and surfaces.
/// Nothing in it changes from step to step.
#[derive(Debug)]
pub struct Model {
    /// Map from coordinates `q` to positions `x(q)`.
    pub coordinates: Coordinates,
    /// Mass of each component of each node (kg; of an angle kg m^2); 0 for obstacles.
    pub mass: Vec<Vec2>,
    /// Elasticity and other energies of the positions `x`, of materials as they are at rest; see
    /// [`Materials`](super::Materials).
    pub energies: Vec<Box<dyn Energy>>,
    /// Energies of the coordinates `q`; the vertices of their stencils are nodes.
    pub own: Vec<Box<dyn Energy>>,
    /// Dampers of velocities and rates of strain.
    pub dampers: Dampers,
    /// Equations between the positions `x` that hold at the end of every step.
    pub joints: Vec<Joint>,
    /// Everything that can touch.
    pub surface: Surface,
    /// Scale of the speeds of each body.
    pub pace: Pace,
}

impl Model {
    /// Body of a node.
    pub fn body_of(&self, node: usize) -> usize {
        self.surface.body[self.coordinates.vertex_of(node)]
    }

    /// Number of points at which materials may flow.
    pub fn flowing(&self) -> usize {
        self.energies.iter().map(|energy| energy.flowing()).sum()
    }
}
