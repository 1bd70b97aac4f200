//! Names of quantities that measures take, and messages about unknown ones.

use super::named::Named;
use super::points::at;
use crate::assemble::Setup;
use crate::names::nearest;
use crate::problem::Problem;
use ipcsim_core::constraint::{ConstraintAction, Rule, joint_names};
use ipcsim_core::fields::{FIELDS, Field, Form, Source};
use ipcsim_core::forces::{JointState, joint_states};
use ipcsim_core::measures::{BodyValue, Component, OF_BODIES, Part, Points, What};
use ipcsim_core::quantities::{BODY, Quantity, SCENE};
use ipcsim_core::time::Record;

/// Field of stored runs without velocities.
const MEAN: &str = "mean_velocity";

/// Names of parts.
pub(super) fn parts<T>(parts: &[Part<T>]) -> Vec<String> {
    parts.iter().map(|part| part.name.to_owned()).collect()
}

/// Quantity of a body by its name, with its unit.
pub(super) fn of_body(name: &str) -> Option<(BodyValue, &'static str)> {
    let quantity: Option<&'static Quantity> = ipcsim_core::quantities::of_body(name);
    let force = OF_BODIES.iter().find(|part| part.name == name);
    let quantity = quantity.map(|own| (BodyValue::Quantity(own), own.unit));
    quantity.or_else(|| force.map(|own| (BodyValue::Force(own), own.unit)))
}

/// Fields whose values are measures, each with the names of its numbers.
fn fields() -> impl Iterator<Item = (&'static Field, Vec<(String, Component)>)> {
    const ALL: &[Field] = &FIELDS;
    let all = ALL
        .iter()
        .filter(|own| own.form != Form::Whole && own.key != MEAN);
    all.map(|field| {
        let numbered = field.form.components().iter().enumerate();
        let mut names: Vec<(String, Component)> = numbered
            .map(|(k, component)| {
                let between = if component.is_empty() { "" } else { "_" };
                let name = format!("{}{between}{component}", field.key);
                (name, Component::Number(k))
            })
            .collect();
        if field.form == Form::Vector {
            names.push((field.key.to_owned(), Component::Length));
        }
        (field, names)
    })
}

/// Names of all fields and their components.
pub(super) fn of_points() -> Vec<String> {
    let names = fields().flat_map(|(_, names)| names);
    names.map(|(name, _)| name).collect()
}

/// Names of the quantities of bodies and of their points.
pub(super) fn of_bodies_and_points() -> Vec<String> {
    let of_bodies = BODY.iter().flat_map(Quantity::names).map(str::to_owned);
    of_bodies
        .chain(parts(&OF_BODIES))
        .chain(of_points())
        .collect()
}

/// Names of the quantities of the scene, and of bodies.
pub(super) fn of_scene_and_bodies() -> Vec<String> {
    let of_scene = SCENE.iter().flat_map(Quantity::names).map(str::to_owned);
    let more = ["coordination".to_owned()];
    of_scene.chain(more).chain(of_bodies_and_points()).collect()
}

/// A field at points by its name, with its unit; `None` if there is no such field. Weights are areas of a
/// setup.
pub(super) fn points(
    named: &Named,
    points: Vec<usize>,
    setup: Option<&Setup>,
) -> Option<(What, String)> {
    let (field, component) = fields().find_map(|(field, names)| {
        let mut names = names.into_iter();
        let (_, component) = names.find(|(name, _)| name == named.name)?;
        Some((field, component))
    })?;
    Some((at(field, component, points, setup), field.unit.to_owned()))
}

/// True if a field is made of tensors of triangles.
pub(super) fn is_tensor(points: &Points) -> bool {
    matches!(points.field.source, Source::Tensors { .. })
}

/// Unit of a number of a joint: motors and springs have one for angles and another for lengths.
pub(super) fn unit_of_joint<T>(setup: &Setup, joint: usize, part: &Part<T>) -> String {
    let rows = &setup.world.model.joints[joint].rows;
    let is_spring = ["spring", "damper", "limit"].contains(&part.name);
    let turns = rows.iter().any(|row| matches!(row.rule, Rule::Turned(_)));
    let moves = rows
        .iter()
        .any(|row| matches!(row.rule, Rule::Along(_) | Rule::Rod(_)));
    match part.unit {
        "N m or N" if turns && !(moves && is_spring) => "N m".to_owned(),
        "N m or N" => "N".to_owned(),
        unit => unit.to_owned(),
    }
}

/// True if a joint has a number: a motor, a spring, an angle.
pub(super) fn applies(setup: &Setup, joint: usize, part: &Part<JointState>) -> bool {
    let world = &setup.world;
    let rows = &world.model.joints[joint].rows;
    let has = |is: fn(&ConstraintAction) -> bool| rows.iter().any(|row| is(&row.action));
    match part.name {
        "motor" | "power" => has(|action| match action {
            ConstraintAction::Driven(motor) => !motor.is_brake(),
            action => matches!(action, ConstraintAction::Served(_)),
        }),
        "brake" => has(|action| matches!(action, ConstraintAction::Driven(own) if own.is_brake())),
        "spring" => has(|action| matches!(action, ConstraintAction::Sprung(_))),
        "damper" => {
            has(|action| matches!(action, ConstraintAction::Sprung(own) if own.damping > 0.0))
        }
        "limit" => has(|action| matches!(action, ConstraintAction::Limited(_))),
        _ => {
            let states = joint_states(world, &setup.state);
            states
                .get(joint)
                .is_some_and(|own| (part.of)(own).is_some())
        }
    }
}

/// Names of the energies of a scene, as columns of `energies.csv`.
pub(super) fn energies(setup: &Setup) -> Vec<String> {
    let columns = Record::columns(&setup.world);
    columns.into_iter().map(str::to_owned).collect()
}

/// Number of the energy of this name among the columns of records.
pub(super) fn energy(setup: &Setup, name: &str) -> Option<usize> {
    let columns = Record::columns(&setup.world);
    columns.iter().position(|column| *column == name)
}

/// Problem of a quantity that none of those `known` is, of something that a `word` names.
pub(super) fn unknown(word: &str, known: &[String], named: &Named) -> Problem {
    let name = named.name;

    // A tensor has no single size.
    let field = FIELDS.iter().find(|own| own.key == name);
    let message = if name == MEAN {
        "is for ipcsim export of runs without velocities; write \"velocity\"".to_owned()
    } else if name == "flow" {
        "\"flow\" counts what crosses a line; give its ends by \"line\", as in [[0, 0], [1, 0]]"
            .to_owned()
    } else if name.starts_with("coarse_") && word != "a place" {
        "is a mean over the bodies around a place; give the place by \"at\" and the radius by \"within\""
            .to_owned()
    } else if let Some(field) = field.filter(|_| known.iter().any(|own| own.starts_with(name))) {
        let components = field.form.components();
        let all: Vec<String> = components
            .iter()
            .map(|own| format!("{name}_{own}"))
            .collect();
        format!(
            "\"{name}\" has several components; write one of {}",
            all.join(", ")
        )
    } else if let Some(near) = nearest(name, known.iter().map(String::as_str)) {
        format!("no quantity of {word} is named \"{name}\"; did you mean \"{near}\"?")
    } else {
        format!(
            "no quantity of {word} is named \"{name}\"; there are: {}",
            known.join(", ")
        )
    };
    Problem::error(named.path.clone(), message)
}

/// Problem of a name that nothing has; `only_bodies` may have it.
pub(super) fn unknown_target(setup: &Setup, path: &str, name: &str, only_bodies: bool) -> Problem {
    let world = &setup.world;

    // Everything that the key may name.
    let mut known: Vec<String> = world.bodies.iter().map(|own| own.name.clone()).collect();
    let mut word = "body or obstacle";
    if !only_bodies {
        known.extend(joint_names(&world.model.joints));
        known.extend(world.loading.applied.iter().map(|own| own.name.clone()));
        known.extend(setup.scene.chambers.iter().map(|own| own.name.clone()));
        let sections = setup.scene.output.sections.iter();
        known.extend(sections.map(|own| own.name.clone()));
        word = "body, obstacle, joint, load, chamber or section";
    }

    // The nearest name, or the first ones.
    known.sort_unstable();
    known.dedup();
    let all = || known.iter().map(String::as_str);
    let message = if let Some(near) = nearest(name, all()) {
        format!("no {word} is named \"{name}\"; did you mean \"{near}\"?")
    } else {
        let some: Vec<&str> = all().filter(|own| !own.is_empty()).take(20).collect();
        format!(
            "no {word} is named \"{name}\"; there are: {}",
            some.join(", ")
        )
    };
    Problem::error(path, message)
}
