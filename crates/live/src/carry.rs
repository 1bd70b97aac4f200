//! A scene with other bodies or joints that goes on from the state of a simulation.
//!
//! Bodies lie where they are, by their names. What was set is set again, and joints that stay keep their
//! forces and turns. Integrators and sticking contacts begin anew.

use ipcsim::Simulation;
use ipcsim::math::Vec2;
use ipcsim::math::sort::sort_by_key;
use ipcsim::scene::schema::{BodyState, Change, Parameter, Start, StartState};
use ipcsim::scene::{Memory, Scene, check, check_parameter, typed};
use ipcsim::time::{OptionMemory, StepMemory};
use serde_json::Value;
use std::collections::BTreeMap;

/// The simulation of a `scene` whose bodies lie where another simulation has them, or where they are
/// `placed`.
///
/// # Errors
/// If the scene cannot go on so, in words.
pub(crate) fn going_on(
    from: &Simulation,
    scene: Scene,
    placed: BTreeMap<String, BodyState>,
) -> Result<Simulation, String> {
    let mut state = StartState::of(from.world(), from.state());
    state.bodies.extend(placed);
    let names: Vec<String> = names(&scene);
    state.bodies.retain(|name, _| names.contains(name));

    let memory = Memory {
        step: kept(from, &scene),
        ..Memory::default()
    };
    let step = state.step;
    let mut scene = scene;
    scene.changes = set_again(from, &scene);
    scene.start = Start::State(Box::new(state.with_memory(&memory)));
    scene.time.steps = scene.time.steps.max(step);
    Simulation::new(scene).map_err(|error| error.to_string())
}

/// Names of all bodies, obstacles and what never moves.
fn names(scene: &Scene) -> Vec<String> {
    let bodies = scene.bodies.iter().map(|body| body.name.clone());
    let obstacles = scene.obstacles.iter().map(|own| own.name.clone());
    bodies.chain(obstacles).collect()
}

/// The scene without entries of lists that are about a body that has gone: loads, joints, pairs, measures. Its
/// bodies lie where a simulation has them, and it has no changes.
///
/// # Errors
/// Other problems of the scene, in words.
pub(crate) fn without_strangers(from: &Simulation, scene: Scene) -> Result<Scene, String> {
    const ENTRIES: usize = 200;
    let state = StartState::of(from.world(), from.state());
    let mut scene = Scene {
        start: Start::State(Box::new(state)),
        changes: Vec::new(),
        ..scene
    };
    for _ in 0..ENTRIES {
        let problems = check(&scene);
        let Some(problem) = problems.first() else {
            return Ok(scene);
        };
        // Bodies stay: their faults are named.
        let entry = entry_of(&problem.path).filter(|(list, _)| !list.ends_with("/bodies"));
        let mut text = scene.to_json();
        let list = entry.and_then(|(list, number)| {
            let list = text.pointer_mut(&list).and_then(Value::as_array_mut)?;
            (number < list.len()).then(|| list.remove(number))
        });
        if list.is_none() {
            return Err(problem.to_string());
        }
        scene = typed(&text.to_string()).map_err(|error| error.to_string())?;
    }
    Err("too much of the scene depends on this body".to_owned())
}

/// The first list in a path and the number of the entry there: of `contact.exclude[2][0]`
/// `/contact/exclude` and 2.
fn entry_of(path: &str) -> Option<(String, usize)> {
    let (list, rest) = path.split_once('[')?;
    let number = rest.split_once(']')?.0.parse().ok()?;
    Some((format!("/{}", list.replace('.', "/")), number))
}

/// Changes that set the present parameters of a simulation again, and later changes.
fn set_again(from: &Simulation, scene: &Scene) -> Vec<Change> {
    let step = from.state().step;
    let mut last: BTreeMap<String, (usize, &Parameter)> = BTreeMap::new();
    let mut coming = Vec::new();
    for (number, change) in from.changes().enumerate() {
        if change.after > step {
            coming.push(change.clone());
        } else {
            last.insert(target_of(&change.set), (number, &change.set));
        }
    }

    // In the order in which they were set.
    let mut last: Vec<(usize, &Parameter)> = last.into_values().collect();
    sort_by_key(&mut last, |&(number, _)| number);
    let now = last
        .into_iter()
        .map(|(_, set)| Change::new(step, set.clone()));
    let is_idle = |set: &Parameter| matches!(set, Parameter::Hand(hand) if hand.held().is_none());
    now.chain(coming)
        .filter(|change| !is_idle(&change.set) && check_parameter(&change.set, scene).is_empty())
        .collect()
}

/// What a parameter sets: two with the same target replace each other.
fn target_of(parameter: &Parameter) -> String {
    match parameter {
        Parameter::Gravity(_) => "gravity".to_owned(),
        Parameter::Force(force) => format!("force {}", force.body),
        Parameter::Load(load) => format!("load {}", load.name),
        Parameter::Friction(pair) => format!("friction {:?}", pair.between),
        Parameter::Target(shift) => format!("target {}", shift.body),
        Parameter::Hand(hand) => format!("hand {}", hand.name),
        Parameter::Joint(drive) => {
            let parts = serde_json::to_value(drive).unwrap_or_default();
            let keys: Vec<&String> = parts
                .as_object()
                .into_iter()
                .flat_map(|own| own.keys())
                .collect();
            format!("joint {} {keys:?}", drive.name)
        }
    }
}

/// Kept parts of the memory of a step: gas, flow, and joints that the new scene has too.
fn kept(from: &Simulation, scene: &Scene) -> StepMemory {
    let memory = &from.state().memory;
    let before = &from.scene().joints;
    let places: Vec<Option<usize>> = scene
        .joints
        .iter()
        .map(|joint| before.iter().position(|other| other == joint))
        .collect();

    // Rows of each joint before, and forces of joints that stay. New joints come last.
    let rows: Vec<usize> = from
        .world()
        .model
        .joints
        .iter()
        .map(|joint| joint.rows.len())
        .collect();
    let known: Vec<usize> = places.iter().map_while(|place| *place).collect();
    let is_appended = places[known.len()..].iter().all(Option::is_none);
    let forces = |place: &usize| {
        let first: usize = rows[..*place].iter().sum();
        memory
            .multipliers
            .get(first..first + rows[*place])
            .unwrap_or_default()
            .to_vec()
    };
    let multipliers = if is_appended {
        known.iter().flat_map(forces).collect()
    } else {
        Vec::new()
    };
    StepMemory {
        multipliers,
        turned: of_joints(&memory.turned, &places, Vec2::zeros()),
        broken: of_joints(&memory.broken, &places, false),
        options: OptionMemory {
            gas: memory.options.gas.clone(),
            plasticity: memory.options.plasticity.clone(),
            ..OptionMemory::default()
        },
        ..StepMemory::default()
    }
}

/// Entries of the joints that stay, and `other` for new ones; empty if there were none.
fn of_joints<T: Copy>(list: &[T], places: &[Option<usize>], other: T) -> Vec<T> {
    if list.is_empty() {
        return Vec::new();
    }
    let entry = |place: &Option<usize>| place.and_then(|place| list.get(place).copied());
    places
        .iter()
        .map(|place| entry(place).unwrap_or(other))
        .collect()
}
