//! State in which a run begins: the places of the scene, an equilibrium, or the state of another simulation.

use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// State in which a run begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// The places that the scene gives.
    #[default]
    Given,
    /// Static equilibrium under the loads at time 0, which is looked for from the places that the
    /// scene gives. Velocities are taken from the scene.
    Equilibrium,
    /// The state of another simulation, from which this one goes on. Shapes at rest stay as the scene
    /// gives them.
    State(Box<StartState>),
}

/// A state of a simulation, as the live page and `Simulation::start_state` write it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct StartState {
    /// Format of the state. A program reads states of its own format, 1.
    pub format: usize,
    /// Number of steps before the state. Time goes on from there: `time.steps` and `changes` count
    /// these steps too.
    pub step: usize,
    /// Bodies and obstacles by name. One that is not here begins as the scene gives it.
    pub bodies: BTreeMap<String, BodyState>,
    /// What a step remembers besides, as the program wrote it. Without it integrators, joints and
    /// sticking contacts begin anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
}

/// Where a body is in a state. Values are in metres, radians and seconds, whatever the units of the scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct BodyState {
    /// Coordinates of its nodes: places of vertices, or the centre of a rigid body and its angle.
    #[key(unit = "1")]
    pub q: Vec<[f64; 2]>,
    /// Velocities of these coordinates.
    #[key(unit = "1")]
    pub q_dot: Vec<[f64; 2]>,
}
