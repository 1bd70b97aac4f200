//! Mean strain and stress of a scene that repeats, step by step.
//!
//! The mean deformation gradient takes the periods at rest to the present ones, and the mean stress is
//! the derivative of the energy of the cell by it, over its volume at rest (Hill 1972): the force on a
//! period over the area across it at rest.

use super::state::State;
use crate::body::Configuration;
use crate::solve::{CellInertia, Model, Potential, Stage};
use ipcsim_contact::Contacts;
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Mean strain and stress of a cell: along x, along y, and shear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRecord {
    /// Mean strain (1): changes of both periods, and the shear, over the periods at rest.
    pub strain: [f64; 3],
    /// Mean stress (Pa), over areas at rest; `None` at the start.
    pub stress: Option<[f64; 3]>,
}

/// Forces (N) of the mean stress on both periods, at a minimum of a potential: the derivative of its
/// energies by the periods. `None` if the scene does not repeat.
///
/// In motion it counts at fixed places relative to the cell, since forces within the cell do not balance
/// then: so it does not matter which image of a body is drawn.
pub(super) fn forces_on_periods(
    potential: &Potential,
    contacts: &Contacts,
    at: &Configuration,
) -> Option<[Vec2; 2]> {
    let lattice = potential.model.coordinates.lattice()?;
    let stage = potential.stage;
    let slope = potential.slope(contacts, at);
    let mass = &potential.model.mass;

    // Without inertia and loads.
    let held = inertia_of(potential.model, stage, &at.q);
    let force = |node: usize| {
        let pull = stage.pull.get(node).copied().unwrap_or_default();
        (slope[node] + pull - held[node] * stage.inertia) / stage.contact
    };

    let periods = lattice.periods();
    let mut forces = periods.map(force);
    if stage.beta.is_some() {
        let inverse = lattice.inverse(&at.q)?;
        let is_place = |node: &usize| potential.model.coordinates.is_place(*node);
        let nodes = (0..at.q.len()).filter(|node| !periods.contains(node));
        let massive = nodes.filter(|&node| mass[node] != Vec2::zeros());
        for node in massive.filter(is_place) {
            let place = inverse * at.q[node];
            let own = force(node);
            forces[0] += own * place.x;
            forces[1] += own * place.y;
        }
    }
    Some(forces)
}

/// Derivative of the inertia of a stage by the coordinates `q` (kg m; of angles kg m^2 rad), `[nodes]`.
pub(crate) fn inertia_of(model: &Model, stage: &Stage, q: &[Vec2]) -> Vec<Vec2> {
    let cell = CellInertia::of(model, stage);
    let ahead = match &cell {
        None => q
            .iter()
            .zip(&stage.predicted.q)
            .map(|(q, p)| q - p)
            .collect(),
        Some(cell) => cell.ahead(q),
    };
    let both = ahead.iter().zip(&model.mass);
    let mut held: Vec<Vec2> = both
        .map(|(ahead, mass)| ahead.component_mul(mass))
        .collect();
    if let Some(cell) = cell {
        cell.add_to_periods(&mut held);
    }
    held
}

/// Velocities `q_dot` (m/s) of nodes at the coordinates `q` (both `[nodes]`), relative to the mean motion of
/// a scene that repeats; as they are if it does not.
pub(super) fn own_velocities<'a>(model: &Model, q: &[Vec2], q_dot: &'a [Vec2]) -> Cow<'a, [Vec2]> {
    let Some(lattice) = model.coordinates.lattice() else {
        return Cow::Borrowed(q_dot);
    };
    let even = lattice.mean_motion(q, q_dot);
    let periods = lattice.periods();
    let own = |node: usize| {
        if model.coordinates.is_place(node) && !periods.contains(&node) {
            q_dot[node] - even * q[node]
        } else {
            q_dot[node]
        }
    };
    Cow::Owned((0..q.len()).map(own).collect())
}

impl CellRecord {
    /// Mean strain of a state with the vertices at `rest` (m), and the stress by the forces on its periods (N) if they are known; `None`
    /// if the scene does not repeat.
    pub(super) fn of(
        model: &Model,
        rest: &[Vec2],
        state: &State,
        forces: Option<[Vec2; 2]>,
    ) -> Option<Self> {
        let coordinates = &model.coordinates;
        let periods = coordinates.lattice()?.periods();
        let vertices = periods.map(|node| coordinates.vertex_of(node));
        let [width, height] = [rest[vertices[0]].x, rest[vertices[1]].y];
        let [along, across] = vertices.map(|vertex| state.x[vertex] - rest[vertex]);
        let thickness = model.surface.thickness;

        Some(Self {
            strain: [along.x / width, across.y / height, across.x / height],
            stress: forces.map(|[on_first, on_second]| {
                let [sides, ends] = [height * thickness, width * thickness];
                [on_first.x / sides, on_second.y / ends, on_second.x / ends]
            }),
        })
    }
}
