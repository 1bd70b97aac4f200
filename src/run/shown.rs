//! What a run records of a state that it writes: positions, and on request velocities, contacts and
//! contact forces on vertices.

use super::super::fields::{needs_contacts, needs_velocities};
use ipcsim::forces::{Contact, VertexContact, contacts, vertex_contacts};
use ipcsim::material::Flow;
use ipcsim::math::Vec2;
use ipcsim::scene::Setup;
use ipcsim::scene::schema::ContactFiles;
use ipcsim::solve::Touching;
use ipcsim::time::State;
use ipcsim_store::journal::Entry;

/// What the journal has of a state that is written.
#[derive(Clone)]
pub(super) struct Shown {
    /// Positions of all vertices (m), `[vertices]`.
    x: Vec<Vec2>,
    /// Velocities of all vertices (m/s), `[vertices]`, if the scene asks for what needs them.
    v: Option<Vec<Vec2>>,
    /// Contact forces on vertices, if the scene asks for what needs them.
    on_vertices: Option<Vec<VertexContact>>,
    /// Plastic flow of all points that may flow, `[points]`.
    flowed: Vec<Flow>,
    /// Contacts at the end of the step, if the scene asks for them.
    pub(super) contacts: Vec<Contact>,
}

impl Shown {
    /// What the scene asks for of a `state` at the end of a step that ended with `last`.
    pub(super) fn of(setup: &Setup, state: &State, last: &Touching) -> Self {
        let output = &setup.scene.output;
        // The initial state has no contact forces yet.
        let has_contacts = state.step > 0 && output.contacts != ContactFiles::None;

        Self {
            x: state.x.clone(),
            v: needs_velocities(output).then(|| state.v.clone()),
            flowed: state.memory.options.plasticity.flowed.clone(),
            on_vertices: needs_contacts(output).then(|| vertex_contacts(&setup.world, state, last)),
            contacts: if has_contacts {
                contacts(&setup.world, state, last)
            } else {
                Vec::new()
            },
        }
    }

    /// Writes the state into the entry of its step.
    pub(super) fn put_into(self, entry: &mut Entry) {
        entry.x = Some(self.x);
        entry.v = self.v;
        entry.on_vertices = self.on_vertices;
        entry.flowed = self.flowed;
        entry.contacts = self.contacts;
    }
}
