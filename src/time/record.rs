//! What a row of `energies.csv` holds.

use super::state::State;
use super::world::World;
use crate::contact::Contacts;
use crate::energy::{Energy, dead_load};
use crate::math::{Vec2, parallel};
use serde::{Deserialize, Serialize};

/// Energies and other sums of one state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Step number.
    pub step: usize,
    /// Time (s).
    pub time: f64,
    /// Kinetic energy (J).
    pub kinetic: f64,
    /// Potentials (J), in the order of [`Record::columns`].
    pub potentials: Vec<f64>,
    /// Kinetic energy and all potentials but friction, which stores none (J).
    pub total: f64,
    /// Linear momentum (kg m/s).
    pub momentum: Vec2,
    /// Newton directions computed in the step.
    pub newton_iterations: usize,
    /// Contacts at the end of the step.
    pub contacts: usize,
    /// The smallest distance among them (m).
    pub min_gap: Option<f64>,
    /// The smallest ratio of a triangle's area to that at rest.
    pub min_area_ratio: Option<f64>,
}

const GRAVITY: &str = "gravity";
const LOAD: &str = "load";
const BARRIER: &str = "barrier";
/// Column of the lagged friction potential, which is no stored energy.
const FRICTION: &str = "friction";

impl Record {
    /// Names of the potentials of a world: gravity, other constant forces, its energies, the
    /// barrier and friction.
    pub fn columns(world: &World) -> Vec<&'static str> {
        let mut columns = vec![GRAVITY];
        columns.extend((!world.loading.loads.is_empty()).then_some(LOAD));
        for energy in world.model.energies.iter().chain(&world.model.own) {
            if columns.last() != Some(&energy.name()) {
                columns.push(energy.name());
            }
        }
        columns.extend([BARRIER, FRICTION]);
        columns
    }

    /// The record of a state with its contacts and the friction potential (J) of the way to it.
    pub fn new(
        world: &World,
        state: &State,
        contacts: &Contacts,
        friction: f64,
        iterations: usize,
    ) -> Self {
        let (x, q) = (&state.x, &state.q);
        let columns = Self::columns(world);
        let of = |energies: &[Box<dyn Energy>], name: &str, at: &[Vec2]| {
            energies
                .iter()
                .filter(|energy| energy.name() == name)
                .map(|energy| energy.value(at))
                .sum::<f64>()
        };
        let weight = |i: usize| {
            world.model.mass[i]
                .component_mul(&(world.model.coordinates.lift(i) * world.loading.gravity))
        };
        let forces = world.loading.forces(q.len(), state.time);
        let potentials: Vec<f64> = columns
            .iter()
            .map(|&name| match name {
                GRAVITY => dead_load(weight, q),
                LOAD => dead_load(|i| forces[i], q),
                BARRIER => contacts
                    .energies()
                    .iter()
                    .map(|energy| energy.value(x))
                    .sum(),
                FRICTION => friction,
                _ => of(&world.model.energies, name, x) + of(&world.model.own, name, q),
            })
            .collect();
        let impulse = |i: usize| world.model.mass[i].component_mul(&state.q_dot[i]);
        let kinetic = 0.5 * parallel::sum(q.len(), |i| impulse(i).dot(&state.q_dot[i]));
        let stored = columns
            .iter()
            .zip(&potentials)
            .filter(|(name, _)| **name != FRICTION);
        let axis = |k: usize| {
            parallel::sum(q.len(), |i| {
                world.model.coordinates.lift(i).tr_mul(&impulse(i))[k]
            })
        };
        Self {
            step: state.step,
            time: state.time,
            kinetic,
            total: kinetic + stored.map(|(_, value)| value).sum::<f64>(),
            potentials,
            momentum: Vec2::new(axis(0), axis(1)),
            newton_iterations: iterations,
            contacts: contacts.len(),
            min_gap: (!contacts.is_empty()).then_some(contacts.min_gap),
            min_area_ratio: world.least_area_ratio(x),
        }
    }
}
