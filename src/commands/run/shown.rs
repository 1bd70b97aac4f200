//! What a run records of a state that it writes: positions, and on request velocities and contact
//! forces on vertices.

use super::super::fields::{needs_contacts, needs_velocities};
use crate::forces::{VertexContact, vertex_contacts};
use crate::math::Vec2;
use crate::scene::Setup;
use crate::solve::Touching;
use crate::store::journal::Entry;
use crate::time::State;

/// What the journal has of a state that is written.
#[derive(Clone)]
pub(super) struct Shown {
    /// Positions of all vertices (m), `[vertices]`.
    x: Vec<Vec2>,
    /// Velocities of all vertices (m/s), `[vertices]`, if the scene asks for what needs them.
    v: Option<Vec<Vec2>>,
    /// Contact forces on vertices, if the scene asks for what needs them.
    on_vertices: Option<Vec<VertexContact>>,
}

impl Shown {
    /// What the scene asks for of a `state` at the end of a step that ended with `last`.
    pub(super) fn of(setup: &Setup, state: &State, last: &Touching) -> Self {
        let output = &setup.scene.output;
        Self {
            x: state.x.clone(),
            v: needs_velocities(output).then(|| state.v.clone()),
            on_vertices: needs_contacts(output).then(|| vertex_contacts(&setup.world, state, last)),
        }
    }

    /// Writes the state into the entry of its step.
    pub(super) fn put_into(self, entry: &mut Entry) {
        entry.x = Some(self.x);
        entry.v = self.v;
        entry.on_vertices = self.on_vertices;
    }
}
