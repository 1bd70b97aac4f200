//! Contact forces, friction and pressure of each vertex at the end of a step.

use super::pressure::pressures;
use super::vertices::{normal_on_vertices, to_centres};
use crate::solve::Touching;
use crate::time::{State, World};
use ipcsim_contact::Surface;
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// Contact forces on one vertex at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VertexContact {
    /// Number of the vertex.
    pub vertex: usize,
    /// Sum of the normal forces of all its contacts (N).
    pub normal: Vec2,
    /// Sum of their friction forces (N). Friction on a circle counts at its centre.
    pub friction: Vec2,
    /// Normal force per length of outline (N/m): contact pressure times thickness.
    pub per_length: f64,
}

/// Contact forces in the `state` at the end of a step that ended with `last`, for every vertex that
/// has any, in the order of vertices.
///
/// Normal forces belong to the contacts that the solver found. Before the first step and after a
/// step that failed these are searched for, without friction. Rolling resistance is a couple and
/// adds no force.
pub fn vertex_contacts(world: &World, state: &State, last: &Touching) -> Vec<VertexContact> {
    let surface = &world.model.surface;
    let mut friction = vec![Vec2::zeros(); state.x.len()];
    let found;
    let contacts = if last.stage.is_some() {
        // Friction is a function of positions on tangents.
        for contact in last.friction.forces(surface, &last.tangents) {
            for (vertex, own) in contact.on_vertices {
                friction[vertex] += own;
            }
        }
        to_centres(surface, &mut friction);
        &last.contacts
    } else {
        found = world.contacts_at(&state.x, &state.memory.options.stiffening.adapted);
        &found
    };
    let normal = normal_on_vertices(surface, contacts, &state.x);
    let pressures = pressures(world, contacts, &state.x);

    let all = normal.into_iter().zip(friction).zip(pressures).enumerate();
    let all = all.map(|(vertex, ((normal, friction), pressure))| VertexContact {
        vertex,
        normal,
        friction,
        per_length: pressure.per_length,
    });
    let all = at_home(surface, all.collect()).into_iter();
    let none = Vec2::zeros();
    all.filter(|own| own.normal != none || own.friction != none || own.per_length != 0.0)
        .collect()
}

/// Forces on images of vertices, added to their originals; images have nothing then.
fn at_home(surface: &Surface, mut all: Vec<VertexContact>) -> Vec<VertexContact> {
    if surface.images.is_empty() {
        return all;
    }
    for image in 0..all.len() {
        let original = surface.images.original(image);
        if original != image {
            let VertexContact {
                normal,
                friction,
                per_length,
                ..
            } = all[image];
            all[original].normal += normal;
            all[original].friction += friction;
            all[original].per_length += per_length;
            all[image] = VertexContact {
                vertex: image,
                normal: Vec2::zeros(),
                friction: Vec2::zeros(),
                per_length: 0.0,
            };
        }
    }
    all
}
