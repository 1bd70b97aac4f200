//! What a page gets of a state: positions, colours, forces, energies.
//!
//! A page asks for a frame after each group of steps. Lists of numbers travel in binary form,
//! single numbers in the head of the reply. Fields and forces are left out unless the page shows
//! them, since they cost time and bytes.

use super::numbers;
use super::reply::Reply;
use ipcsim::Simulation;
use ipcsim::body::BodyKind;
use ipcsim::forces::pressures;
use ipcsim::math::Vec2;
use ipcsim::time::{Grasp, Record, StepReport};
use serde_json::{Value, json};

/// What comes with each state.
///
/// Without a field bodies have plain colours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    /// Quantity of the colours.
    pub(crate) field: Option<String>,
    /// True for the forces of contacts.
    pub(crate) forces: bool,
    /// True for the pressure along outlines.
    pub(crate) pressure: bool,
}

/// Adds the state of a simulation whose last step has a `report`.
///
/// Motions are six numbers for each body: centre (m), angle (rad), velocity (m/s) and spin
/// (rad/s). Angle and spin are not a number for bodies that deform.
pub(crate) fn add(simulation: &Simulation, report: &StepReport, shown: &Shown, reply: &mut Reply) {
    let state = simulation.state();
    let world = simulation.world();
    let record = &report.record;
    reply.set("step", state.step);
    reply.set("time", state.time);
    reply.set("hash", format!("{:016x}", report.hash));
    reply.set("energies", energies(simulation, record));
    reply.set("gap", record.min_gap);
    reply.set("contacts", record.contacts);
    reply.set("iterations", record.newton_iterations);

    // What pulls, for the picture.
    let hands = state.parameters.hands();
    reply.set(
        "hands",
        hands.map(|hold| held(hold, &state.x)).collect::<Vec<_>>(),
    );
    reply.doubles("x", flat(state.x.iter()));

    // Where bodies are, for charts.
    let bodies = simulation.bodies();
    let motions = bodies.flat_map(|body| {
        if matches!(body.body().kind, BodyKind::World | BodyKind::HalfPlane) {
            return [0.0; 6];
        }
        let [centre, velocity] = [body.centre(), body.velocity()];
        let angle = body.angle().unwrap_or(f64::NAN);
        let spin = body.angular_velocity().unwrap_or(f64::NAN);
        [centre.x, centre.y, angle, velocity.x, velocity.y, spin]
    });
    reply.doubles("motions", motions);

    // Both ends of each joint: at one place where it is closed, apart for rods, springs and sliders.
    let joints = world.model.joints.iter().filter(|joint| !joint.is_tie());
    let ends = joints.flat_map(|joint| {
        let row = joint.rows.first();
        row.into_iter()
            .flat_map(|row| row.frames.iter().map(|frame| frame.place(&state.x)))
    });
    let ends: Vec<Vec2> = ends.collect();
    reply.doubles("joints", flat(ends.iter()));

    match shown.field.as_deref() {
        Some("speed") => reply.doubles("field", state.v.iter().map(Vec2::norm)),
        Some("stress") => reply.doubles("field", simulation.stress().into_iter()),
        _ => {}
    }

    numbers::add(simulation, report, shown.forces, reply);
    if shown.pressure {
        let adapted = &state.memory.options.stiffening.adapted;
        let contacts = world.contacts_at(&state.x, adapted);
        let pressures = pressures(world, &contacts, &state.x).into_iter();
        let thickness = simulation.scene().thickness;
        reply.doubles("pressure", pressures.map(|own| own.per_length / thickness));
    }

    // Bodies by their numbers, place, normal force and friction of each contact.
    if shown.forces {
        let numbers = |name: &str| world.bodies.iter().position(|body| body.name == name);
        let rows = simulation.contacts().flat_map(|contact| {
            let [a, b] = contact.bodies.map(|name| numbers(name).unwrap_or(0) as f64);
            let push = contact.normal * contact.normal_force;
            let rub = contact.friction_force;
            let at = contact.point;
            [a, b, at.x, at.y, push.x, push.y, rub.x, rub.y]
        });
        reply.doubles("contacts_list", rows);
    }
}

/// Kinetic energy and potentials by name (J). Friction stores none.
///
/// Names are the columns of the table of energies.
fn energies(simulation: &Simulation, record: &Record) -> Value {
    let mut all = serde_json::Map::new();
    all.insert("kinetic".to_owned(), json!(record.kinetic));
    let columns = Record::columns(simulation.world());
    for (name, value) in columns.iter().zip(&record.potentials) {
        if *name != "friction" {
            all.insert((*name).to_owned(), json!(value));
        }
    }
    all.into()
}

/// Point, place and force (N) of a hand.
fn held(hold: &Grasp, x: &[Vec2]) -> Value {
    let pair = |v: Vec2| [v.x, v.y];
    json!({ "point": pair(hold.point(x)), "to": pair(hold.to), "force": pair(hold.force(x)) })
}

/// Components of vectors, one after the other.
pub(crate) fn flat<'a>(vectors: impl Iterator<Item = &'a Vec2>) -> impl Iterator<Item = f64> {
    vectors.flat_map(|v| [v.x, v.y])
}
