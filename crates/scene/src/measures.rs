//! Measures of a scene in its world: names become quantities, bodies, joints and points.
//!
//! What a name may be depends on what a measure is of, [`Target`]. Each kind of target has one list of
//! quantities, which messages show.

mod named;
mod points;
mod quantity;
mod target;

use super::assemble::Setup;
use super::problem::Problem;
use super::schema;
use ipcsim_core::measures::{InSpace, Measure, Measures, Over, What};
use named::Named;
use target::Target;

/// Measures of the scene of a setup, and the problems of others, which are left out.
pub(super) fn of(setup: &Setup) -> (Measures, Vec<Problem>) {
    let scene = &setup.scene;
    let mut measures = Measures::none(scene.plane, scene.thickness);
    let mut problems = Vec::new();
    for (k, own) in scene.measure.iter().enumerate() {
        let path = format!("measure[{k}]");
        match measure(own, setup, &path, &mut measures) {
            Ok(measure) => measures.list.push(measure),
            Err(problem) => problems.push(problem),
        }
    }
    (measures, problems)
}

/// A measure at the JSON path `path`; spots that it needs are added to `all`.
///
/// # Errors
/// Its first problem.
fn measure(
    own: &schema::Measure,
    setup: &Setup,
    path: &str,
    all: &mut Measures,
) -> Result<Measure, Problem> {
    let (space, quantity) = reduction(own, path)?;
    let named = Named {
        path: format!("{path}.{}", space.name()),
        name: quantity,
    };
    let target = Target::of(own, setup, path, quantity)?;
    let (what, unit) = target.what(own, setup, &named, all)?;

    // Reductions must fit what was found.
    check_space(space, &what, &named)?;
    let over = own.over.unwrap_or_else(|| usual(space, &what));
    Ok(Measure {
        name: own.name.clone(),
        unit,
        what,
        space,
        over,
    })
}

/// Reduction in space of a measure, and the name of its quantity.
///
/// # Errors
/// If it has none or several.
fn reduction<'a>(own: &'a schema::Measure, path: &str) -> Result<(InSpace, &'a str), Problem> {
    let power = own.power.unwrap_or(2.0);
    let all = [
        (InSpace::Max, &own.max),
        (InSpace::Min, &own.min),
        (InSpace::Mean, &own.mean),
        (InSpace::Norm(power), &own.norm),
        (InSpace::Value, &own.value),
    ];

    // Exactly one key is given.
    let given = all.into_iter();
    let given: Vec<(InSpace, &str)> = given
        .filter_map(|(space, name)| Some((space, name.as_deref()?)))
        .collect();
    let (key, message) = match *given {
        [(space, name)] if own.power.is_none() || matches!(space, InSpace::Norm(_)) => {
            return Ok((space, name));
        }
        [_] => {
            let message = "is the power of \"norm\"; write \"norm\" in place of the other key, or leave \
                           \"power\" out";
            (".power", message.to_owned())
        }
        [] => {
            let message = "names no quantity; write one of \"max\", \"min\", \"mean\", \"norm\" and \
                           \"value\", as in \"max\": \"von_mises\"";
            ("", message.to_owned())
        }
        [(first, _), (second, _), ..] => {
            let [first, second] = [first, second].map(InSpace::name);
            let message =
                format!("has both \"{first}\" and \"{second}\"; write a measure for each");
            ("", message)
        }
    };
    Err(Problem::error(format!("{path}{key}"), message))
}

/// Refuses a reduction in space that a measure cannot have.
///
/// # Errors
/// If a single value is asked of several places, or a reduction of a single value.
fn check_space(space: InSpace, what: &What, named: &Named) -> Result<(), Problem> {
    let count = match what {
        What::Bodies { bodies, .. } => bodies.len(),
        What::Points(points) => points.points.len(),
        _ => 1,
    };
    let is_list = matches!(what, What::Bodies { .. } | What::Points(_));
    let message = if space == InSpace::Value && count > 1 {
        format!(
            "\"{}\" has {count} values here; write \"max\", \"min\", \"mean\" or \"norm\" in place of \
             \"value\", or give one place by \"at\"",
            named.name
        )
    } else if matches!(space, InSpace::Mean | InSpace::Norm(_)) && !is_list {
        format!(
            "\"{}\" has one value here; write \"value\", and \"over\" for its mean in time",
            named.name
        )
    } else {
        return Ok(());
    };
    Err(Problem::error(named.path.clone(), message))
}

/// Reduction in time that a measure has unless the scene says another one.
fn usual(space: InSpace, what: &What) -> Over {
    match (space, what) {
        (_, What::Flow { .. }) => Over::Sum,
        (InSpace::Max, _) => Over::Max,
        (InSpace::Min, _) => Over::Min,
        _ => Over::Last,
    }
}
