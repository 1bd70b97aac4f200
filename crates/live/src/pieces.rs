//! Bodies that come into a scene while it runs, or leave it.
//!
//! The scene is built anew with the other body, and all others go on where they are, with their
//! velocities. What integrators and contacts remember of earlier steps begins anew.

use ipcsim::math::Vec2;
use ipcsim::scene::schema::{Body, Material, Parameter};
use ipcsim::scene::{Scene, check_parameter};
use ipcsim::time::{SavedState, World};
use ipcsim::{Error, Simulation};
use serde_json::Value;

/// A body with where it was, as an undo puts it back.
#[derive(Clone, Debug)]
pub(crate) struct Removed {
    /// The body in the scene.
    body: Body,
    /// Its coordinates.
    q: Vec<Vec2>,
    /// Their velocities.
    q_dot: Vec<Vec2>,
}

/// What an undo takes back.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// A body of this name was added.
    Added(String),
    /// A body was removed.
    Removed(Box<Removed>),
}

/// The simulation with another body, and what takes that back.
///
/// # Errors
/// If the body or material cannot be read, or if it would overlap another one.
pub(crate) fn added(
    simulation: &Simulation,
    body: Value,
    material: Option<Value>,
) -> Result<(Simulation, Edit), String> {
    let body: Body = serde_json::from_value(body).map_err(|error| error.to_string())?;
    let mut scene = simulation.scene().clone();
    let name = body.name.clone();
    if let Some(material) = material {
        let material: Material =
            serde_json::from_value(material).map_err(|error| error.to_string())?;
        scene
            .materials
            .entry(body.material.clone())
            .or_insert(material);
    }

    // The body itself, last of all.
    scene.bodies.push(body);
    let next = going_on(simulation, scene, None).map_err(|error| error.to_string())?;
    Ok((next, Edit::Added(name)))
}

/// The simulation without a body, and what takes that back.
///
/// # Errors
/// If the scene has no such body, or if others need it.
pub(crate) fn removed(simulation: &Simulation, name: &str) -> Result<(Simulation, Edit), String> {
    let mut scene = simulation.scene().clone();
    let place = scene.bodies.iter().position(|body| body.name == name);
    let Some(place) = place else {
        return Err(format!("no body \"{name}\" can be taken out"));
    };

    // Where it was, for an undo.
    let view = simulation.body(name).map_err(|error| error.to_string())?;
    let removed = Removed {
        body: scene.bodies.remove(place),
        q: view.q().to_vec(),
        q_dot: view.q_dot().to_vec(),
    };

    // What names it goes with it.
    let without = scene.clone();
    scene
        .changes
        .retain(|change| check_parameter(&change.set, &without).is_empty());
    let next = going_on(simulation, scene, None).map_err(|error| error.to_string())?;
    Ok((next, Edit::Removed(Box::new(removed))))
}

/// The simulation before an edit: the body goes, or is back where it was.
///
/// # Errors
/// As [`added`] and [`removed`].
pub(crate) fn undone(simulation: &Simulation, edit: Edit) -> Result<Simulation, String> {
    match edit {
        Edit::Added(name) => removed(simulation, &name).map(|(next, _)| next),
        Edit::Removed(removed) => {
            let mut scene = simulation.scene().clone();
            scene.bodies.push(removed.body.clone());
            going_on(simulation, scene, Some(&removed)).map_err(|error| error.to_string())
        }
    }
}

/// A simulation of a `scene` in which all bodies that another one has go on from there, and one is put
/// `back` where it was.
fn going_on(from: &Simulation, scene: Scene, back: Option<&Removed>) -> Result<Simulation, Error> {
    let step = from.state().step;
    let earlier = from.scene().changes.iter();
    let earlier: Vec<Parameter> = earlier
        .filter(|change| change.after < step)
        .map(|change| change.set.clone())
        .collect();

    // What was set before is set again.
    let mut next = Simulation::going_on(scene, |world, state| place(from, back, world, state))?;
    for parameter in earlier {
        // What names a body that has gone sets nothing.
        let _ = next.set(parameter);
    }
    Ok(next)
}

/// Puts the bodies of a `world` where another simulation has them.
fn place(from: &Simulation, back: Option<&Removed>, world: &World, state: &mut SavedState) {
    // The same moment.
    state.step = from.state().step;
    state.time = from.state().time;

    // Places and velocities by the names of bodies.
    for body in &world.bodies {
        let nodes = body.nodes.clone();
        let known = from.bodies().find(|own| own.name() == body.name);
        let [q, q_dot] = match (&known, back) {
            (Some(view), _) => [view.q(), view.q_dot()],
            (None, Some(removed)) if removed.body.name == body.name => {
                [&removed.q[..], &removed.q_dot[..]]
            }
            _ => continue,
        };
        if q.len() == nodes.len() {
            state.q[nodes.clone()].copy_from_slice(q);
            state.q_dot[nodes].copy_from_slice(q_dot);
        }
    }
}
