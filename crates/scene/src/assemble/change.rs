//! Changes between steps, from names to numbers of the world.

use crate::problem::Problem;
use crate::schema::{BodyForce, Hand, JointDrive, Parameter, Scene, Shift};
use ipcsim_core::body::{BodyKind, Pose, Role};
use ipcsim_core::constraint::{ConstraintAction, RowDrive};
use ipcsim_core::fields::{Follows, NoSuchPoint, Spot, locate};
use ipcsim_core::time::{Change, Grasp, World};
use ipcsim_math::sort::sort_by_key;
use ipcsim_math::{Mat2, Vec2};

/// All changes of a scene that has a body for each copy, sorted by their steps; those after one step
/// in the order of the scene.
///
/// A name that does not exist has no effect; such scenes are not built.
pub(super) fn changes(scene: &Scene, world: &World) -> Vec<(usize, Change)> {
    let mut changes: Vec<(usize, Change)> = scene
        .changes
        .iter()
        .filter_map(|change| Some((change.after, numbered(&change.set, world)?)))
        .collect();
    sort_by_key(&mut changes, |&(after, _)| after);
    changes
}

/// What a setting sets in a world; `None` if a name does not exist.
pub fn numbered(parameter: &Parameter, world: &World) -> Option<Change> {
    match parameter {
        Parameter::Gravity(gravity) => Some(Change::Gravity(Vec2::from(*gravity))),
        Parameter::Force(force) => push(force, world),
        Parameter::Load(own) => {
            let mut applied = world.loading.applied.iter();
            let load = applied.position(|load| load.name == own.name)?;
            let factor = own.factor;
            Some(Change::Factor { load, factor })
        }
        Parameter::Friction(pair) => {
            let [a, b] = &pair.between;
            Some(Change::Friction {
                pair: [named(a, world)?, named(b, world)?],
                coefficients: pair.coefficients(),
            })
        }
        Parameter::Joint(drive) => driven(drive, world),
        Parameter::Target(shift) => shifted(shift, world),
        Parameter::Hand(hand) => holding(hand, world)?.ok(),
    }
}

/// Number of the body or obstacle of a name.
fn named(name: &str, world: &World) -> Option<usize> {
    world.bodies.iter().position(|body| body.name == name)
}

/// A force as a uniform acceleration `a = F / m`: each node `n` gets `M_n L_n F / m`, with its masses
/// `M_n`, the map `L_n` of a uniform motion to the node, and the mass `m` of the body.
fn push(own: &BodyForce, world: &World) -> Option<Change> {
    let body = &world.bodies[named(&own.body, world)?];
    let nodes = &body.nodes;
    let model = &world.model;

    let share = Vec2::from(own.force) / world.mass_of(body);
    let force = |node: usize| {
        let lifted = model.coordinates.lift(node) * share;
        model.mass[node].component_mul(&lifted)
    };
    Some(Change::Push {
        nodes: nodes.clone(),
        forces: nodes.clone().map(force).collect(),
    })
}

/// The rows of a joint that are driven: its motor is the first that drives, its brake the last one.
fn driven(own: &JointDrive, world: &World) -> Option<Change> {
    let joints = &world.model.joints;
    // A label is the kind and the name in quotation marks.
    let quoted = format!("\"{}\"", own.name);
    let is_named = |label: &str| {
        label
            .split_once(' ')
            .is_some_and(|(_, name)| name == quoted)
    };
    let index = joints.iter().position(|joint| is_named(&joint.label))?;
    let first: usize = joints[..index].iter().map(|joint| joint.rows.len()).sum();
    let actions: Vec<&ConstraintAction> =
        joints[index].rows.iter().map(|row| &row.action).collect();

    let mut rows = Vec::new();
    let motor = &own.motor;
    if motor.numbers().next().is_some() {
        let drive = RowDrive {
            speed: motor.speed_deg.or(motor.speed),
            place: motor.angle_deg.or(motor.place),
            most: motor.torque.or(motor.force),
            rest: None,
        };
        let place = actions.iter().position(|action| action.drives())?;
        rows.push((first + place, drive));
    }
    if let Some(most) = own.brake {
        let drive = RowDrive {
            most: Some(most),
            ..RowDrive::default()
        };
        let place = actions.iter().rposition(|action| action.drives())?;
        rows.push((first + place, drive));
    }
    let spring = &own.spring;
    let rest = spring.rest_deg.map(f64::to_radians);
    if let Some(rest) = rest.or(spring.rest).or(spring.length) {
        let drive = RowDrive {
            rest: Some(rest),
            ..RowDrive::default()
        };
        let mut actions = actions.iter();
        let place = actions.position(|action| matches!(action, ConstraintAction::Sprung(_)))?;
        rows.push((first + place, drive));
    }
    Some(Change::Drive { rows })
}

/// A pose beside the script of all that is prescribed of a body: its centre and angle, or vertices.
/// Components of other coordinates, which are held at their values, are no places.
fn shifted(own: &Shift, world: &World) -> Option<Change> {
    let body = &world.bodies[named(&own.body, world)?];
    if body.kind == BodyKind::World {
        return None;
    }
    let has_vertices = matches!(
        body.kind,
        BodyKind::Solid | BodyKind::Springs | BodyKind::Rod | BodyKind::HalfPlane
    );
    let prescribed = world.prescribed.iter().enumerate();
    let places = prescribed
        .filter(|(_, entry)| body.nodes.contains(&entry.node))
        .filter(|(_, entry)| has_vertices || entry.role != Role::Point);
    Some(Change::Shift {
        prescribed: places.map(|(number, _)| number).collect(),
        pose: Pose {
            displacement: Vec2::from(own.by),
            angle: own.turn_deg.to_radians(),
        },
    })
}

/// What a hand holds; `None` if the world has no body of its name.
///
/// # Errors
/// [`NoSuchPoint`] if the body has no point there.
fn holding(own: &Hand, world: &World) -> Option<Result<Change, NoSuchPoint>> {
    let name = own.name.clone();
    let Some(body) = own.held() else {
        return Some(Ok(Change::Hand { name, hold: None }));
    };
    let spot = locate(world, named(body, world)?, own.at.into());
    let held = spot.map(|spot| {
        let (arms, offset) = arms_of(&spot);
        let hold = Some(Grasp {
            arms,
            offset,
            to: own.to.into(),
            stiffness: own.stiffness,
            most: own.force,
        });
        Change::Hand { name, hold }
    });
    Some(held)
}

/// Vertices that a point follows, with their maps, and its offset from their sum (m).
fn arms_of(spot: &Spot) -> (Vec<(usize, Mat2)>, Vec2) {
    let scaled = |scale: f64| Mat2::identity() * scale;
    match spot.follows {
        Follows::Vertex(vertex) => (vec![(vertex, scaled(1.0))], Vec2::zeros()),
        Follows::Mean { vertices, weights } => {
            // On a rod the last vertex has no weight and is that before it.
            let all = vertices.into_iter().zip(weights);
            let parts = all.filter(|(_, weight)| *weight != 0.0);
            let arms = parts.map(|(vertex, weight)| (vertex, scaled(weight)));
            (arms.collect(), Vec2::zeros())
        }
        Follows::Turned { base, arm, map } => {
            let arms = vec![(base, scaled(1.0) - map), (arm, map)];
            (arms, Vec2::zeros())
        }
        Follows::Shifted { base, offset } => (vec![(base, scaled(1.0))], offset),
    }
}

/// Problems of hands: points that their bodies do not have.
pub(crate) fn hand_problems(scene: &Scene, world: &World) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (k, change) in scene.changes.iter().enumerate() {
        let Parameter::Hand(hand) = &change.set else {
            continue;
        };
        if let Some(Err(error)) = holding(hand, world) {
            let path = format!("changes[{k}].set.hand.at");
            problems.push(Problem::error(path, error.to_string()).at(hand.at.into()));
        }
    }
    problems
}

/// Why a parameter cannot be set in a world whose scene it fits; `None` if it can be.
pub fn refusal(parameter: &Parameter, world: &World) -> Option<String> {
    match parameter {
        Parameter::Hand(hand) => match holding(hand, world)? {
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        },
        _ => None,
    }
}
