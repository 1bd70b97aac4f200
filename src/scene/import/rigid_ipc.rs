//! Scenes of rigid-ipc (Ferguson et al. 2021, "Intersection-free Rigid Body Dynamics").
//!
//! Meanings and defaults of keys are those of the rigid-ipc program: its scene reader, its rigid body and
//! its problem `distance_barrier_rb_problem`.

mod body;
mod format;
mod groups;
mod mesh;
mod model;
mod numbers;
mod obstacle;
mod placed;
mod warnings;

use super::Imported;
use crate::geometry::Aabb;
use crate::scene::parse::typed;
use crate::scene::schema::{Contact, Friction, Material, Output, Plane, Scene, Solver, Time};
use crate::scene::{Problem, SceneError};
use format::{Body, File, Kind};
use numbers::{problem, vector};
use placed::Placed;
use std::collections::BTreeMap;
use std::path::Path;

/// Default of the distance below which surfaces repel each other (m).
const D_HAT: f64 = 1e-3;

/// Default of the number of time steps.
const STEPS: usize = 1000;

/// Default of the speed below which a step has converged (m/s). rigid-ipc takes a hundredth of the
/// scene's diagonal per second, which is coarse in a large scene.
const TOLERANCE: f64 = 1e-4;

/// Default of the sliding speed from which friction is fully developed (m/s).
const EPS_V: f64 = 1e-3;

/// Number of solves of a step if the file asks for as many as convergence takes.
const LAG_ITERATIONS: usize = 100;

/// Converts the text of a 2D scene of rigid-ipc, which is in `folder`, into a scene without a name.
///
/// Bodies become rigid bodies of wires, with mass density times length of edges. Static and kinematic
/// bodies become obstacles. Model files are searched beside the scene and in a folder `meshes` there or
/// above.
///
/// # Errors
/// [`SceneError::Parse`], or [`SceneError::Invalid`] with every body that cannot be converted, and why.
pub fn rigid_ipc(text: &str, folder: &Path) -> Result<Imported, SceneError> {
    let mut file: File = typed(text)?;
    let bodies = file
        .rigid_body_problem
        .rigid_bodies
        .iter_mut()
        .enumerate()
        .filter(|(_, body)| body.enabled);
    for (k, body) in bodies {
        mesh::load(k, body, folder)
            .and_then(|()| in_plane(k, body))
            .map_err(|problem| SceneError::Invalid(vec![problem]))?;
    }

    // Numbers, bodies and gravity; all problems are found.
    let mut problems = wrong_numbers(&file);
    let mut bodies = Vec::new();
    for (k, body) in file
        .rigid_body_problem
        .rigid_bodies
        .iter()
        .enumerate()
        .filter(|(_, body)| body.enabled)
    {
        match Placed::read(k, body) {
            Ok(body) => bodies.push(body),
            Err(problem) => problems.push(problem),
        }
    }

    if bodies.is_empty() && problems.is_empty() {
        problems.push(problem(
            "rigid_body_problem.rigid_bodies",
            "there is no body; add at least one",
        ));
    }
    let gravity = vector(
        "rigid_body_problem.gravity",
        file.rigid_body_problem.gravity.as_ref(),
    );
    let gravity = gravity.unwrap_or_else(|problem| {
        problems.push(problem);
        [0.0, 0.0]
    });

    if !problems.is_empty() {
        return Err(SceneError::Invalid(problems));
    }
    Ok(Imported {
        scene: scene(&file, gravity, &bodies),
        warnings: warnings::warnings(&file),
    })
}

/// Refuses a body in 3D; the first one is reported.
fn in_plane(index: usize, body: &Body) -> Result<(), Problem> {
    match body
        .vertices
        .as_ref()
        .and_then(|list| list.first())
        .map_or(0, Vec::len)
    {
        0..=2 => Ok(()),
        count => {
            let path = format!("rigid_body_problem.rigid_bodies[{index}].vertices[0]");
            Err(problem(
                path,
                format!("has {count} coordinates; only 2D scenes can be imported"),
            ))
        }
    }
}

/// Errors of numbers that must be positive.
fn wrong_numbers(file: &File) -> Vec<Problem> {
    let d_hat = file
        .distance_barrier_constraint
        .initial_barrier_activation_distance;
    let must_be_positive = [
        ("timestep", Some(file.timestep)),
        (
            "distance_barrier_constraint.initial_barrier_activation_distance",
            d_hat,
        ),
        (
            "friction_constraints.static_friction_speed_bound",
            file.friction_constraints.static_friction_speed_bound,
        ),
        (
            "newton_solver.velocity_conv_tol",
            file.newton_solver.velocity_conv_tol,
        ),
        (
            "ipc_solver.velocity_conv_tol",
            file.ipc_solver.velocity_conv_tol,
        ),
    ];

    let wrong = must_be_positive
        .into_iter()
        .filter_map(|(path, value)| Some((path, value.filter(|v| *v <= 0.0)?)));
    wrong
        .map(|(path, value)| problem(path, format!("is {value}, but must be positive")))
        .collect()
}

/// Scene of bodies that are read.
fn scene(file: &File, gravity: [f64; 2], placed: &[Placed]) -> Scene {
    let time = Time {
        step: file.timestep,
        steps: steps(file),
    };
    let mut materials = BTreeMap::new();
    let mut bodies = Vec::new();
    let mut obstacles = Vec::new();
    let mut material = |body: &Placed| {
        let name = format!("density_{}", body.density);
        materials.insert(
            name.clone(),
            Material {
                density: body.density,
                law: None,
            },
        );
        name
    };

    // A scene must have a body.
    let needs_body = placed.iter().all(|body| body.kind != Kind::Dynamic);
    for (body, group) in placed.iter().zip(groups::groups(placed)) {
        if body.kind == Kind::Dynamic {
            bodies.push(body.body(material(body), group));
        } else if needs_body && bodies.is_empty() {
            bodies.push(body.held(material(body), time, group));
        } else {
            obstacles.push(body.obstacle(time, group));
        }
    }

    Scene {
        schema: None,
        name: None,
        description: None,
        time,
        gravity,
        thickness: 1.0,
        plane: Plane::default(),
        materials,
        bodies,
        obstacles,
        joints: Vec::new(),
        contact: contact(file),
        solver: solver(file, placed),
        output: Output::default(),
    }
}

/// Number of time steps.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; the cast saturates"
)]
fn steps(file: &File) -> usize {
    let given = match file.max_time {
        Some(time) if time >= 0.0 => Some((time / file.timestep).ceil() as usize),
        _ => file
            .max_iterations
            .and_then(|steps| usize::try_from(steps).ok()),
    };
    given.filter(|steps| *steps > 0).unwrap_or(STEPS)
}

/// Contact of the scene.
fn contact(file: &File) -> Contact {
    let barrier = &file.distance_barrier_constraint;
    let friction = &file.friction_constraints;
    let (coefficient, lag_iterations) = match friction.iterations.map(usize::try_from) {
        Some(Ok(0)) => (0.0, 1),
        Some(Ok(iterations)) => (file.rigid_body_problem.coefficient_friction, iterations),
        Some(Err(_)) => (file.rigid_body_problem.coefficient_friction, LAG_ITERATIONS),
        None => (file.rigid_body_problem.coefficient_friction, 1),
    };

    let table = Friction::default();
    Contact {
        d_hat: Some(barrier.initial_barrier_activation_distance.unwrap_or(D_HAT)),
        min_separation: barrier.minimum_separation_distance,
        friction: Friction {
            default: coefficient,
            eps_v: Some(friction.static_friction_speed_bound.unwrap_or(EPS_V)),
            lag_iterations,
            ..table
        },
        ..Contact::default()
    }
}

/// Settings of Newton's method.
fn solver(file: &File, bodies: &[Placed]) -> Solver {
    let newton = &file.newton_solver;
    let ipc = &file.ipc_solver;
    let absolute = ipc
        .is_velocity_conv_tol_abs
        .or(newton.is_velocity_conv_tol_abs)
        .unwrap_or(false);
    let tolerance = ipc.velocity_conv_tol.or(newton.velocity_conv_tol);

    let standard = Solver::default();
    Solver {
        tolerance: Some(tolerance.map_or(TOLERANCE, |tol| {
            if absolute {
                tol
            } else {
                tol * diagonal(bodies)
            }
        })),
        max_iterations: ipc
            .max_iterations
            .or(newton.max_iterations)
            .unwrap_or(standard.max_iterations),
        linear: standard.linear,
    }
}

/// Diagonal of the box around everything at the start (m).
fn diagonal(bodies: &[Placed]) -> f64 {
    let points = bodies
        .iter()
        .flat_map(|body| body.vertices.iter().map(|vertex| body.world(*vertex)));
    Aabb::around(points).extent().norm()
}
