//! What a file says that the scene does not.

use super::format::{File, Rest};
use super::numbers::problem;
use crate::scene::Problem;
use serde_json::Value;
use std::collections::BTreeMap;

/// Keys of rigid-ipc that are ignored: the values at which nothing is lost, and the replacement.
const NOT_HONOURED: [(&str, &[&str], &str); 20] = [
    (
        "scene_type",
        &["distance_barrier_rb_problem"],
        "a step is solved as of \"distance_barrier_rb_problem\"",
    ),
    (
        "solver",
        &["ipc_solver"],
        "a step is solved by projected Newton",
    ),
    (
        "homotopy_solver",
        &[],
        "a step is solved by projected Newton",
    ),
    (
        "barrier_solver",
        &[],
        "a step is solved by projected Newton",
    ),
    ("ncp_solver", &[], "a step is solved by projected Newton"),
    (
        "gradient_descent_solver",
        &[],
        "a step is solved by projected Newton",
    ),
    ("bfgs_solver", &[], "a step is solved by projected Newton"),
    (
        "volume_constraint",
        &[],
        "contact is by barriers of the distance",
    ),
    (
        "time_barrier_constraint",
        &[],
        "contact is by barriers of the distance",
    ),
    (
        "rigid_body_problem.coefficient_restitution",
        &[],
        "how far bodies bounce follows from the time step",
    ),
    (
        "rigid_body_problem.time_stepper",
        &["default", "implicit_euler"],
        "steps are of implicit Euler",
    ),
    (
        "rigid_body_problem.rigid_bodies[].faces",
        &[],
        "a 2D body consists of edges",
    ),
    (
        "rigid_body_problem.rigid_bodies[].masses",
        &[],
        "mass is density times length of edges",
    ),
    (
        "rigid_body_problem.rigid_bodies[].split_components",
        &["false"],
        "a body stays whole",
    ),
    (
        "distance_barrier_constraint.barrier_type",
        &["ipc"],
        "see \"contact.barrier\" of the new scene",
    ),
    (
        "newton_solver.convergence_criteria",
        &["velocity"],
        "a step has converged when its speed is small",
    ),
    (
        "newton_solver.energy_conv_tol",
        &[],
        "a step has converged when its speed is small",
    ),
    (
        "newton_solver.line_search_lower_bound",
        &[],
        "the line search ends where rounding does",
    ),
    (
        "newton_solver.min_barrier_stiffness_scale",
        &[],
        "stiffness follows from the bodies' weight and speed",
    ),
    (
        "newton_solver.dhat_epsilon",
        &[],
        "the barrier's distance is the same in every step",
    ),
];

/// Keys without influence on the motion.
const WITHOUT_EFFECT: [&str; 10] = [
    "viewport_bbox",
    "rigid_body_problem.collision_eps",
    "rigid_body_problem.do_intersection_check",
    "rigid_body_problem.rigid_bodies[].polygons",
    "rigid_body_problem.rigid_bodies[].oriented",
    "distance_barrier_constraint.detection_method",
    "distance_barrier_constraint.trajectory_type",
    "distance_barrier_constraint.use_distance_hashgrid",
    "distance_barrier_constraint.custom_hashgrid_cellsize",
    "newton_solver.linear_solver",
];

/// One warning for each key that is ignored or unknown, at its first place.
pub(super) fn warnings(file: &File) -> Vec<Problem> {
    let mut found = Found::default();
    found.look("", "", &file.rest);
    found.look(
        "rigid_body_problem.",
        "rigid_body_problem.",
        &file.rigid_body_problem.rest,
    );

    // Bodies and their poses.
    for (k, body) in file.rigid_body_problem.rigid_bodies.iter().enumerate() {
        let place = format!("rigid_body_problem.rigid_bodies[{k}].");
        let key = "rigid_body_problem.rigid_bodies[].";
        found.look(&place, key, &body.rest);
        for (p, pose) in body.kinematic_poses.iter().enumerate() {
            found.look(
                &format!("{place}kinematic_poses[{p}]."),
                &format!("{key}kinematic_poses[]."),
                &pose.rest,
            );
        }
    }

    // Settings.
    found.look(
        "distance_barrier_constraint.",
        "distance_barrier_constraint.",
        &file.distance_barrier_constraint.rest,
    );
    found.look(
        "friction_constraints.",
        "friction_constraints.",
        &file.friction_constraints.rest,
    );
    found.look("newton_solver.", "newton_solver.", &file.newton_solver.rest);
    found.look("ipc_solver.", "newton_solver.", &file.ipc_solver.rest);

    if file.max_iterations.is_some() && file.max_time.is_some_and(|time| time >= 0.0) {
        found.add(
            "max_iterations",
            "max_iterations",
            "is not used, since \"max_time\" is given, too".to_owned(),
        );
    }
    found.warnings()
}

/// Warnings by key, in the order in which they were found.
#[derive(Default)]
struct Found {
    list: Vec<(Problem, usize)>,
    place: BTreeMap<String, usize>,
}

impl Found {
    /// Collects keys without a field. `place` is their path, `key` the path without numbers.
    fn look(&mut self, place: &str, key: &str, rest: &Rest) {
        for (name, value) in rest.iter().filter(|(name, _)| !name.starts_with('#')) {
            let key = format!("{key}{name}");
            let message = match NOT_HONOURED.iter().find(|(known, ..)| *known == key) {
                Some((_, lossless, _)) if lossless.contains(&text(value).as_str()) => continue,
                Some((_, _, instead)) => format!("{}is not honoured: {instead}", shown(value)),
                None if WITHOUT_EFFECT.contains(&key.as_str()) => continue,
                None => format!("{}is not known and has no effect", shown(value)),
            };
            self.add(&format!("{place}{name}"), &key, message);
        }
    }

    fn add(&mut self, place: &str, key: &str, message: String) {
        let index = *self.place.entry(key.to_owned()).or_insert(self.list.len());
        match self.list.get_mut(index) {
            Some((_, count)) => *count += 1,
            None => self.list.push((problem(place, message), 1)),
        }
    }

    fn warnings(self) -> Vec<Problem> {
        let counted = |(warning, count): (Problem, usize)| match count {
            1 => warning,
            _ => Problem {
                message: format!("{} ({count} times)", warning.message),
                ..warning
            },
        };
        self.list.into_iter().map(counted).collect()
    }
}

/// Text of a value, without the quotes of a string.
fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// Text of a value with a space after it; empty for a list or an object.
fn shown(value: &Value) -> String {
    if value.is_array() || value.is_object() {
        String::new()
    } else {
        format!("{value} ")
    }
}
