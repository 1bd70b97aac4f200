//! Measures of a scene as objectives.
//!
//! Measures that have a derivative: quantities of bodies with one, forces on supports, displacements of
//! points and velocities of points of bodies that deform. All others are refused by name.
//!
//! A measure becomes a term: numbers of bodies or points with weights, a reduction among them at
//! each step, and a reduction over the steps. A mean has weights that are divided by their sum,
//! so that it becomes a weighted sum. A largest and a smallest number have the derivative of the
//! one number that is reached.
//!
//! A norm has a corner at 0 and a rate divides by a time; both are refused with a text that names
//! the measure.

use crate::number::Number;
use crate::of_cell::OfCell;
use crate::term::{Among, Term};
use ipcsim::body::BodyKind;
use ipcsim::fields::Follows;
use ipcsim::math::Vec2;
use ipcsim::measures::{BodyValue, Component, InSpace, Measure, Over, Points, What};
use ipcsim::scene::Setup;

/// The term of a measure.
///
/// # Errors
/// A reason, if it has no derivative.
pub(crate) fn of_measure(setup: &Setup, measure: &Measure) -> Result<Term, String> {
    let name = &measure.name;
    let weighted = match &measure.what {
        What::Bodies { value, bodies } => {
            let numbers = bodies.iter().map(|&body| of_body(setup, value, body));
            let numbers = numbers.collect::<Result<_, String>>();
            numbers.map_err(|reason| format!("of the measure {name}: {reason}"))?
        }
        What::Scene(quantity) => {
            let of_cell = OfCell::named(&setup.world, quantity.name).and_then(|found| {
                found.ok_or_else(|| format!("it is of {}", kind_of(&measure.what)))
            });
            let of_cell = of_cell
                .map_err(|reason| format!("the measure {name} has no derivative: {reason}"))?;
            vec![(1.0, Number::Cell(of_cell))]
        }
        What::Points(points) => of_points(setup, points)
            .map_err(|reason| format!("the measure {name} has no derivative: {reason}"))?,
        other => {
            let kind = kind_of(other);
            return Err(format!(
                "the measure {name} has no derivative: it is of {kind}"
            ));
        }
    };

    // Reductions over the steps, and at one step.
    if measure.over == Over::Rate {
        return Err(format!(
            "the measure {name} has no derivative over all steps as a rate; take \"last\""
        ));
    }

    // Weights of a mean sum to 1.
    let whole: f64 = weighted.iter().map(|(weight, _)| weight).sum();
    let (among, parts) = match measure.space {
        InSpace::Max => (Among::Max, plain(weighted)),
        InSpace::Min => (Among::Min, plain(weighted)),
        InSpace::Mean | InSpace::Value => {
            let parts = weighted.into_iter();
            let parts = parts.map(|(weight, number)| (weight / whole, number));
            (Among::Sum, parts.collect())
        }
        InSpace::Norm(_) => {
            return Err(format!("the measure {name} has no derivative as a norm"));
        }
    };

    let signed = parts
        .into_iter()
        .map(|(weight, number)| match measure.what {
            // Contacts push an obstacle, and its support holds it.
            What::Bodies {
                value: BodyValue::Force(part),
                ..
            } if part.name.starts_with("contact") => (-weight, number),
            _ => (weight, number),
        });
    Ok(Term {
        factor: 1.0,
        parts: signed.collect(),
        among,
        over: measure.over,
    })
}

/// The same numbers, all with the weight 1.
///
/// Weights have a meaning in means only: a largest value compares the numbers as they are.
fn plain(weighted: Vec<(f64, Number)>) -> Vec<(f64, Number)> {
    let numbers = weighted.into_iter();
    numbers.map(|(_, number)| (1.0, number)).collect()
}

/// Words for what a measure is of.
///
/// They end the sentence of a refusal, and some name a measure that has a derivative instead.
fn kind_of(what: &What) -> &'static str {
    match what {
        What::Scene(_) => "the scene; take one of a body",
        What::Energy(_) => "an energy",
        What::Coordination => "numbers of neighbours",
        What::Pair(..) => "the force between two bodies; take the reaction of an obstacle",
        What::Gap(_) => "a gap",
        What::Joint(..) => "a joint",
        What::Load(..) => "a load",
        What::Chamber(..) => "the gas of a chamber",
        What::Place(..) => "fields around a place",
        What::Flow { .. } => "a flow, which counts",
        What::Bodies { .. } | What::Points(_) => "something else",
    }
}

/// Number of a body.
///
/// The force of contacts on an obstacle is read as the reaction of its support, whose sign the caller
/// turns round: the support holds what contacts push. For other bodies only the reaction has a
/// derivative.
///
/// # Errors
/// A reason, if the quantity has no derivative.
fn of_body(setup: &Setup, value: &BodyValue, body: usize) -> Result<(f64, Number), String> {
    let world = &setup.world;
    let name = match value {
        BodyValue::Quantity(quantity) => quantity.name,
        BodyValue::Force(part) => match part.name {
            own @ ("reaction_x" | "reaction_y") => own,
            own @ ("contact_x" | "contact_y") => {
                if world.bodies[body].kind != BodyKind::Obstacle
                    && world.bodies[body].kind != BodyKind::HalfPlane
                {
                    let reason = "has a derivative for obstacles, and for bodies as a reaction";
                    return Err(format!("{own} {reason}"));
                }
                if own == "contact_x" {
                    "reaction_x"
                } else {
                    "reaction_y"
                }
            }
            other => return Err(format!("{other} has no derivative")),
        },
    };
    Ok((1.0, Number::of_body(world, body, name)?))
}

/// Numbers of points, with their weights.
///
/// Each point becomes a product of the motion of some vertices with vectors, along the one axis
/// of the component. Velocities need vertices that are nodes: the velocity of a vertex of a rigid
/// body depends on its angle, too.
///
/// # Errors
/// A reason, if the component is a length, the field has no derivative, or a point belongs to a
/// body that does not deform.
fn of_points(setup: &Setup, points: &Points) -> Result<Vec<(f64, Number)>, String> {
    let Component::Number(axis) = points.component else {
        return Err("the length of a vector has a corner at 0; take a component".to_owned());
    };
    let is_velocity = match points.field.key {
        "displacement" => false,
        "velocity" => true,
        other => {
            return Err(format!(
                "fields with one are displacement and velocity, and not {other}"
            ));
        }
    };

    // A number for each point.
    let world = &setup.world;
    let mut numbers = Vec::new();
    for (&point, &weight) in points.points.iter().zip(&points.weights) {
        let parts = vertices_of(setup, point, axis);
        let coordinates = &world.model.coordinates;
        let free = parts.iter().all(|(vertex, _)| coordinates.is_free(*vertex));
        if is_velocity && !free {
            let reason =
                "velocities have one at points of bodies that deform, and of others at the centre";
            return Err(reason.to_owned());
        }
        let number = if is_velocity {
            Number::Velocity(parts)
        } else {
            Number::Moved(parts)
        };
        numbers.push((weight, number));
    }
    Ok(numbers)
}

/// Vertices of a point, with the vectors whose products with their motion are the motion of the point along
/// an axis.
///
/// Points with a number below the number of vertices are vertices. All others are spots: places
/// between vertices whose motion follows one vertex, the mean of several, or an arm that turns
/// with a body.
fn vertices_of(setup: &Setup, point: usize, axis: usize) -> Vec<(usize, Vec2)> {
    let mut along = Vec2::zeros();
    along[axis] = 1.0;
    let Some(spot) = point.checked_sub(setup.world.rest.len()) else {
        return vec![(point, along)];
    };
    match &setup.measures.spots[spot].follows {
        Follows::Vertex(vertex) => vec![(*vertex, along)],
        Follows::Shifted { base, .. } => vec![(*base, along)],
        Follows::Mean { vertices, weights } => {
            let both = vertices.iter().zip(weights);
            both.map(|(vertex, weight)| (*vertex, along * *weight))
                .collect()
        }
        Follows::Turned { base, arm, map } => {
            let by_arm = map.tr_mul(&along);
            vec![(*base, along - by_arm), (*arm, by_arm)]
        }
    }
}
