//! Mean strain and stress of a scene that repeats, step by step.
//!
//! The mean deformation gradient takes the periods at rest to those of the state, and the mean stress is
//! the derivative of the energy of the cell by it, over its volume at rest (Hill 1972): the force on a
//! period over the area across it at rest.

use super::state::State;
use super::world::World;
use crate::body::Configuration;
use crate::solve::Potential;
use ipcsim_contact::Contacts;
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// Mean strain and stress of a cell: along x, along y, and shear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRecord {
    /// Mean strain (1): changes of both periods, and the shear, over the periods at rest.
    pub strain: [f64; 3],
    /// Mean stress (Pa), over areas at rest; `None` at the start.
    pub stress: Option<[f64; 3]>,
}

/// Forces (N) on both periods by all bodies, at a minimum of a potential: what holds them there.
/// `None` if the scene does not repeat.
pub(super) fn forces_on_periods(
    potential: &Potential,
    contacts: &Contacts,
    at: &Configuration,
) -> Option<[Vec2; 2]> {
    let periods = potential.model.coordinates.lattice()?.periods();
    let stage = potential.stage;
    let slope = potential.slope(contacts, at);
    let mass = &potential.model.mass;
    let force = |node: usize| {
        let pull = stage.pull.get(node).copied().unwrap_or_default();
        let held = (at.q[node] - stage.predicted.q[node]).component_mul(&mass[node]);
        (slope[node] + pull - held * stage.inertia) / stage.contact
    };
    Some(periods.map(force))
}

impl CellRecord {
    /// Mean strain of a state, and the stress by the forces on its periods (N) if they are known; `None`
    /// if the scene does not repeat.
    pub(super) fn of(world: &World, state: &State, forces: Option<[Vec2; 2]>) -> Option<Self> {
        let lattice = world.model.coordinates.lattice()?;
        let vertices = lattice
            .periods()
            .map(|node| world.model.coordinates.vertex_of(node));
        let [width, height] = [world.rest[vertices[0]].x, world.rest[vertices[1]].y];
        let [along, across] = vertices.map(|vertex| state.x[vertex] - world.rest[vertex]);
        let thickness = world.model.surface.thickness;
        Some(Self {
            strain: [along.x / width, across.y / height, across.x / height],
            stress: forces.map(|[on_first, on_second]| {
                let [sides, ends] = [height * thickness, width * thickness];
                [on_first.x / sides, on_second.y / ends, on_second.x / ends]
            }),
        })
    }
}
