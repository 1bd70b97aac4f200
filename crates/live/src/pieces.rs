//! Bodies and joints that come into a scene while it runs, or leave it.
//!
//! The scene is built anew with them, and goes on from the state as it lies ([`carry`](super::carry)): the
//! record begins anew there.

use super::carry::{going_on, without_strangers};
use super::grab::{Grabbed, grab, grab_other};
use super::request::Tie;
use ipcsim::Simulation;
use ipcsim::body::BodyKind;
use ipcsim::math::Vec2;
use ipcsim::scene::schema::{
    Body, BodyState, Hinge, Joint, Material, Rope, Springy, StartState, WORLD,
};
use ipcsim::scene::{Scene, typed};
use serde_json::Value;
use std::collections::BTreeMap;

/// What an undo takes back: the scene before, and where bodies were that have gone since.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    /// The scene before.
    scene: Box<Scene>,
    /// Bodies that have gone.
    gone: BTreeMap<String, BodyState>,
}

/// Two places between which a joint is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroke {
    /// Where it begins (m).
    pub(crate) from: Vec2,
    /// Where it ends (m).
    pub(crate) to: Vec2,
    /// Largest distance of a body from its end (m).
    pub(crate) within: f64,
}

/// An edit of a simulation that changes nothing yet.
fn edit(simulation: &Simulation) -> Edit {
    Edit {
        scene: Box::new(simulation.scene().clone()),
        gone: BTreeMap::new(),
    }
}

/// The simulation with another body, and what takes that back.
///
/// # Errors
/// If the body or material cannot be read, or if it would overlap another one.
pub(crate) fn added(
    simulation: &Simulation,
    body: &Value,
    material: Option<&Value>,
) -> Result<(Simulation, Edit), String> {
    let body: Body = typed(&body.to_string()).map_err(|error| error.to_string())?;
    let mut scene = simulation.scene().clone();
    if let Some(material) = material {
        let material: Material = typed(&material.to_string()).map_err(|error| error.to_string())?;
        scene
            .materials
            .entry(body.material.clone())
            .or_insert(material);
    }

    // The body itself, last of all.
    scene.bodies.push(body);
    let next = going_on(simulation, scene, BTreeMap::new())?;
    Ok((next, edit(simulation)))
}

/// The simulation with a copy of a body, as it lies and shifted (m), at rest, and what takes that back.
///
/// # Errors
/// If the scene has no such body, or if the copy would overlap another body.
pub(crate) fn duplicated(
    simulation: &Simulation,
    name: &str,
    by: Vec2,
) -> Result<(Simulation, Edit), String> {
    let mut scene = simulation.scene().clone();
    let body = scene.bodies.iter().find(|body| body.name == name);
    let mut copy = body
        .ok_or_else(|| format!("no body \"{name}\" can be copied"))?
        .clone();
    keeps_flow(simulation, name)?;

    // A name that is free.
    let mut number = 2;
    while scene
        .bodies
        .iter()
        .any(|own| own.name == format!("{name} {number}"))
    {
        number += 1;
    }
    copy.name = format!("{name} {number}");
    copy.position = (Vec2::from(copy.position) + by).into();

    // The same coordinates, all places of them shifted.
    let view = simulation.body(name).map_err(|error| error.to_string())?;
    let coordinates = &simulation.world().model.coordinates;
    let nodes = view.body().nodes.clone();
    let shifted = nodes.zip(view.q()).map(|(node, q)| {
        let place = q + coordinates.lift(node) * by;
        [place.x, place.y]
    });
    let q: Vec<[f64; 2]> = shifted.collect();
    let q_dot = vec![[0.0; 2]; q.len()];
    let placed = BTreeMap::from([(copy.name.clone(), BodyState { q, q_dot })]);
    scene.bodies.push(copy);
    let next = going_on(simulation, scene, placed)?;
    Ok((next, edit(simulation)))
}

/// The simulation without a body and all that names it, and what takes that back.
///
/// # Errors
/// If the scene has no such body, or if others need it.
pub(crate) fn removed(simulation: &Simulation, name: &str) -> Result<(Simulation, Edit), String> {
    let mut scene = simulation.scene().clone();
    let place = scene.bodies.iter().position(|body| body.name == name);
    let Some(place) = place else {
        return Err(format!("no body \"{name}\" can be taken out"));
    };
    keeps_flow(simulation, name)?;

    // Where it was, for an undo.
    let mut before = edit(simulation);
    let state = StartState::of(simulation.world(), simulation.state());
    before
        .gone
        .extend(state.bodies.into_iter().filter(|(own, _)| own == name));
    scene.bodies.remove(place);
    let scene = without_strangers(simulation, scene)?;
    let next = going_on(simulation, scene, BTreeMap::new())?;
    Ok((next, before))
}

/// The simulation with a joint between the bodies at two places, or one and the ground, and what takes that
/// back.
///
/// # Errors
/// If no body is there, or if these bodies cannot have it.
pub(crate) fn joined(
    simulation: &Simulation,
    tie: Tie,
    stroke: Stroke,
) -> Result<(Simulation, Edit), String> {
    let mut scene = simulation.scene().clone();
    let Stroke { from, to, within } = stroke;
    let first = grab(simulation, from, within).ok_or("a joint begins on a body")?;
    let second = match tie {
        Tie::Hinge => grab_other(simulation, from, within, first.body),
        _ => grab_other(simulation, to, within, first.body),
    };

    // The ground never moves, and has every place.
    let name = |grabbed: &Grabbed| simulation.world().bodies[grabbed.body].name.clone();
    let other = second.as_ref().map_or_else(|| WORLD.to_owned(), name);
    let bodies = [name(&first), other];
    let place = |v: Vec2| [v.x, v.y];
    let end = if matches!(tie, Tie::Hinge) {
        first.point
    } else {
        to
    };
    let ends = [first.at, second.map_or(end, |own| own.at)].map(place);
    let length = (first.point - second.map_or(end, |own| own.point)).norm();
    let joint = match tie {
        Tie::Hinge => Joint::Hinge(Hinge {
            bodies,
            at: ends[0],
            second_at: Some(hinge_on(simulation, second, &first, ends[1])?),
            ..Hinge::default()
        }),
        Tie::Rope => Joint::Rope(Rope {
            bodies,
            ends,
            length: Some(length),
            collide: true,
            ..Rope::default()
        }),
        Tie::Spring => Joint::Spring(Springy {
            bodies,
            ends,
            length: Some(length),
            stiffness: stiffness(simulation, &first, second.as_ref()),
            collide: true,
            ..Springy::default()
        }),
    };
    scene.joints.push(joint);
    let next = going_on(simulation, scene, BTreeMap::new())?;
    Ok((next, edit(simulation)))
}

/// Where the point of a hinge is at rest on its second body (m); `otherwise` on the ground.
///
/// # Errors
/// If the second body does not have the point.
fn hinge_on(
    simulation: &Simulation,
    second: Option<Grabbed>,
    first: &Grabbed,
    otherwise: [f64; 2],
) -> Result<[f64; 2], String> {
    let Some(second) = second else {
        return Ok(otherwise);
    };
    let at = super::grab::carried(simulation, second.body, first.point);
    let at = at.ok_or(
        "a hinge between two bodies needs a rigid one as the second; begin on the other body",
    )?;
    Ok([at.x, at.y])
}

/// Stiffness (N/m) of a spring that the lighter body swings on with 2 Hz.
fn stiffness(simulation: &Simulation, first: &Grabbed, second: Option<&Grabbed>) -> f64 {
    const SQUARE: f64 = 160.0;
    let world = simulation.world();
    let mass = |grabbed: &Grabbed| world.mass_of(&world.bodies[grabbed.body]);
    let other = second.map_or(f64::INFINITY, mass);
    let stiffness = SQUARE * mass(first).min(other);
    // Two digits.
    let scale = 10.0_f64.powf(stiffness.log10().floor() - 1.0);
    (stiffness / scale).round() * scale
}

/// Refuses to take out or copy a body that deforms while materials of the scene have flowed: their flow is
/// kept in the order of all bodies.
///
/// # Errors
/// That.
fn keeps_flow(simulation: &Simulation, name: &str) -> Result<(), String> {
    let flowed = &simulation.state().memory.options.plasticity.flowed;
    let mut bodies = simulation.world().bodies.iter();
    let deforms = bodies.any(|body| body.name == name && body.kind == BodyKind::Solid);
    if flowed.is_empty() || !deforms {
        return Ok(());
    }
    Err(format!(
        "materials of this scene have flowed, and the flow of \"{name}\" cannot be kept; begin anew first"
    ))
}

/// The simulation before an edit: what has gone is back where it was, and what had come goes.
///
/// # Errors
/// If a body that comes back overlaps another one now.
pub(crate) fn undone(simulation: &Simulation, edit: Edit) -> Result<Simulation, String> {
    going_on(simulation, *edit.scene, edit.gone)
}
