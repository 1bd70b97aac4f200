//! Scenes of rigid-ipc (Ferguson et al. 2021, "Intersection-free Rigid Body Dynamics").
//!
//! Meanings and defaults of keys are those of the rigid-ipc program: its scene reader, its rigid
//! body and its problem `distance_barrier_rb_problem`. The import goes through four stages:
//!
//! 1. the file is read into types of its own format, unknown keys included;
//! 2. models in files of their own are loaded, and bodies in 3D are refused;
//! 3. each body is placed: numbers are read, the model is scaled, velocity and force along fixed
//!    coordinates are dropped;
//! 4. placed bodies become bodies of wires or obstacles of this program.
//!
//! All problems of numbers and bodies are reported at once. Keys that have no meaning here are
//! collected as warnings.

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
use format::{Body, File, Kind};
use ipcsim_math::geometry::Aabb;
use ipcsim_scene::schema::{Contact, Friction, Material, Scene, Solver, Time};
use ipcsim_scene::typed;
use ipcsim_scene::{Problem, SceneError};
use numbers::{problem, vector, whole};
use placed::Placed;
use std::path::Path;

/// Default of the distance below which surfaces repel each other (m).
const D_HAT: f64 = 1e-3;

/// Default of the number of time steps.
const STEPS: usize = 1000;

/// Default of the speed below which a step has converged (m/s).
///
/// rigid-ipc takes a hundredth of the scene's diagonal per second, which is coarse in a large
/// scene.
const TOLERANCE: f64 = 1e-4;

/// Default of the sliding speed from which friction is fully developed (m/s).
const EPS_V: f64 = 1e-3;

/// Converts the text of a 2D scene of rigid-ipc, which is in `folder`, into a scene without a name.
///
/// Bodies become rigid bodies of wires, with mass density times length of edges. Static and
/// kinematic bodies become obstacles. Model files are searched beside the scene and in a folder
/// `meshes` there or above. Bodies that are not enabled are left out.
///
/// # Errors
/// [`SceneError::Parse`], or [`SceneError::Invalid`] with every body that cannot be converted, and
/// why. A model that cannot be read ends the search for further problems.
pub fn rigid_ipc(text: &str, folder: &Path) -> Result<Imported, SceneError> {
    let mut file: File = typed(text)?;
    let all = &mut file.rigid_body_problem.rigid_bodies;
    for (k, body) in all.iter_mut().enumerate().filter(|(_, b)| b.enabled) {
        mesh::load(k, body, folder)
            .and_then(|()| in_plane(k, body))
            .map_err(|problem| SceneError::Invalid(vec![problem]))?;
    }

    // Numbers, bodies and gravity; all problems are found.
    let mut problems = wrong_numbers(&file);
    let mut bodies = Vec::new();
    let all = &file.rigid_body_problem.rigid_bodies;
    for (k, body) in all.iter().enumerate().filter(|(_, b)| b.enabled) {
        match Placed::read(k, body) {
            Ok(body) => bodies.push(body),
            Err(problem) => problems.push(problem),
        }
    }
    if bodies.is_empty() && problems.is_empty() {
        let message = "there is no body; add at least one";
        problems.push(problem("rigid_body_problem.rigid_bodies", message));
    }
    let gravity = file.rigid_body_problem.gravity.as_ref();
    let gravity = vector("rigid_body_problem.gravity", gravity).unwrap_or_else(|problem| {
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

/// Refuses a body in 3D, by the number of coordinates of its first vertex.
///
/// # Errors
/// A problem at that vertex. A body without vertices passes here and is refused later.
fn in_plane(index: usize, body: &Body) -> Result<(), Problem> {
    let first = body.vertices.as_ref().and_then(|list| list.first());
    let count = first.map_or(0, Vec::len);
    if count <= 2 {
        return Ok(());
    }

    let path = format!("rigid_body_problem.rigid_bodies[{index}].vertices[0]");
    let message = format!("has {count} coordinates; only 2D scenes can be imported");
    Err(problem(path, message))
}

/// Errors of numbers that must be positive. Numbers that the file leaves out have good defaults.
fn wrong_numbers(file: &File) -> Vec<Problem> {
    let barrier = &file.distance_barrier_constraint;
    let friction = &file.friction_constraints;
    let must_be_positive = [
        ("timestep", Some(file.timestep)),
        (
            "distance_barrier_constraint.initial_barrier_activation_distance",
            barrier.initial_barrier_activation_distance,
        ),
        (
            "friction_constraints.static_friction_speed_bound",
            friction.static_friction_speed_bound,
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

    let mut problems = Vec::new();
    for (path, value) in must_be_positive {
        if let Some(value) = value.filter(|value| *value <= 0.0) {
            let message = format!("is {value}, but must be positive");
            problems.push(problem(path, message));
        }
    }
    problems
}

/// Scene of the bodies that are read, with one material for each density.
///
/// If no body is dynamic, the first one becomes a held or scripted body: a scene must have a body.
fn scene(file: &File, gravity: [f64; 2], placed: &[Placed]) -> Scene {
    let time = Time::new(file.timestep, steps(file));
    let mut scene = Scene::new(time.clone());

    // Bodies and obstacles.
    let needs_body = placed.iter().all(|body| body.kind != Kind::Dynamic);
    for (body, group) in placed.iter().zip(groups::groups(placed)) {
        let is_held = needs_body && scene.bodies.is_empty();
        if body.kind != Kind::Dynamic && !is_held {
            scene.obstacles.push(body.obstacle(&time, group));
            continue;
        }

        let material = format!("density_{}", body.density);
        let rigid = Material::rigid(body.density);
        scene.materials.insert(material.clone(), rigid);
        scene.bodies.push(if is_held {
            body.held(material, &time, group)
        } else {
            body.body(material, group)
        });
    }

    scene.gravity = gravity;
    scene.contact = contact(file);
    scene.solver = solver(file, placed);
    scene
}

/// Number of time steps: the duration over the time step, rounded up, or the number in the file.
///
/// [`STEPS`] if the file gives neither, or a number that is not positive.
fn steps(file: &File) -> usize {
    let given = match file.max_time {
        Some(time) if time >= 0.0 => Some(whole((time / file.timestep).ceil())),
        _ => {
            let steps = file.max_iterations;
            steps.and_then(|steps| usize::try_from(steps).ok())
        }
    };
    given.filter(|steps| *steps > 0).unwrap_or(STEPS)
}

/// Contact and friction of the scene.
///
/// The file's number of friction iterations means: 0 for no friction, and negative for as many
/// solves as convergence takes, which friction that follows the normal forces does in one.
fn contact(file: &File) -> Contact {
    let barrier = &file.distance_barrier_constraint;
    let friction = &file.friction_constraints;
    let given = file.rigid_body_problem.coefficient_friction;
    let (coefficient, lag_iterations) = match friction.iterations.map(usize::try_from) {
        Some(Ok(0)) => (0.0, None),
        Some(Ok(iterations)) => (given, Some(iterations)),
        Some(Err(_)) | None => (given, None),
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

/// Settings of Newton's method. Those of `ipc_solver` come before those of `newton_solver`.
///
/// The tolerance in the file is a speed (m/s), or a multiple of the scene's diagonal per second.
fn solver(file: &File, bodies: &[Placed]) -> Solver {
    let newton = &file.newton_solver;
    let ipc = &file.ipc_solver;
    let is_absolute = ipc
        .is_velocity_conv_tol_abs
        .or(newton.is_velocity_conv_tol_abs)
        .unwrap_or(false);
    let tolerance = match ipc.velocity_conv_tol.or(newton.velocity_conv_tol) {
        None => TOLERANCE,
        Some(speed) if is_absolute => speed,
        Some(share) => share * diagonal(bodies),
    };

    let standard = Solver::default();
    let max_iterations = ipc.max_iterations.or(newton.max_iterations);
    Solver {
        tolerance: Some(tolerance),
        max_iterations: max_iterations.unwrap_or(standard.max_iterations),
        ..standard
    }
}

/// Diagonal of the box around all vertices at the start (m).
fn diagonal(bodies: &[Placed]) -> f64 {
    let points = bodies
        .iter()
        .flat_map(|body| body.vertices.iter().map(|vertex| body.world(*vertex)));
    Aabb::around(points).extent().norm()
}
