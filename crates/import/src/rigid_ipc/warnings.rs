//! Warnings of keys in a file that the scene leaves out.
//!
//! Keys fall into three groups: those that rigid-ipc honours and this program does not, unless
//! their value changes nothing; those that never influence the motion, which are passed over in
//! silence; and unknown ones. A key that many bodies have is reported once, at its first place,
//! with the number of places. Keys that begin with `#` are comments.

use super::format::{File, Rest};
use super::numbers::problem;
use ipcsim_scene::Problem;
use serde_json::Value;
use std::collections::BTreeMap;

/// A key of rigid-ipc that has no effect here, although it had one there.
struct Ignored {
    /// Path of the key, without the numbers of bodies.
    key: &'static str,
    /// Values at which nothing is lost, as text.
    lossless: &'static [&'static str],
    /// What happens instead, for the message.
    instead: &'static str,
}

impl Ignored {
    /// A key, the values at which nothing is lost, and what happens instead.
    const fn new(
        key: &'static str,
        lossless: &'static [&'static str],
        instead: &'static str,
    ) -> Self {
        Self {
            key,
            lossless,
            instead,
        }
    }
}

/// What happens instead of other solvers.
const NEWTON: &str = "a step is solved by projected Newton";

/// What happens instead of other forms of contact.
const BARRIERS: &str = "contact is by barriers of the distance";

/// What happens instead of other criteria of convergence.
const SPEED: &str = "a step has converged when its speed is small";

/// Keys of rigid-ipc that have no effect here, although they had one there.
const NOT_HONOURED: [Ignored; 20] = [
    // Solvers and constraints.
    Ignored::new(
        "scene_type",
        &["distance_barrier_rb_problem"],
        "a step is solved as of \"distance_barrier_rb_problem\"",
    ),
    Ignored::new("solver", &["ipc_solver"], NEWTON),
    Ignored::new("homotopy_solver", &[], NEWTON),
    Ignored::new("barrier_solver", &[], NEWTON),
    Ignored::new("ncp_solver", &[], NEWTON),
    Ignored::new("gradient_descent_solver", &[], NEWTON),
    Ignored::new("bfgs_solver", &[], NEWTON),
    Ignored::new("volume_constraint", &[], BARRIERS),
    Ignored::new("time_barrier_constraint", &[], BARRIERS),
    // Bodies.
    Ignored::new(
        "rigid_body_problem.coefficient_restitution",
        &[],
        "how far bodies bounce follows from the time step",
    ),
    Ignored::new(
        "rigid_body_problem.time_stepper",
        &["default", "implicit_euler"],
        "steps are of implicit Euler",
    ),
    Ignored::new(
        "rigid_body_problem.rigid_bodies[].faces",
        &[],
        "a 2D body consists of edges",
    ),
    Ignored::new(
        "rigid_body_problem.rigid_bodies[].masses",
        &[],
        "mass is density times length of edges",
    ),
    Ignored::new(
        "rigid_body_problem.rigid_bodies[].split_components",
        &["false"],
        "a body stays whole",
    ),
    // Settings.
    Ignored::new(
        "distance_barrier_constraint.barrier_type",
        &["ipc"],
        "see \"contact.barrier\" of the new scene",
    ),
    Ignored::new("newton_solver.convergence_criteria", &["velocity"], SPEED),
    Ignored::new("newton_solver.energy_conv_tol", &[], SPEED),
    Ignored::new(
        "newton_solver.line_search_lower_bound",
        &[],
        "the line search ends where rounding does",
    ),
    Ignored::new(
        "newton_solver.min_barrier_stiffness_scale",
        &[],
        "stiffness follows from the bodies' weight and speed",
    ),
    Ignored::new(
        "newton_solver.dhat_epsilon",
        &[],
        "the barrier's distance is the same in every step",
    ),
];

/// Keys of rigid-ipc without influence on the motion, by their paths without numbers of bodies.
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
///
/// Warnings come in the order of the file's parts: the top, the problem, its bodies with their
/// poses, then settings. A number of steps beside a duration is a warning as well.
pub(super) fn warnings(file: &File) -> Vec<Problem> {
    let problem = &file.rigid_body_problem;
    let mut found = Found::default();
    found.look("", "", &file.rest);
    let place = "rigid_body_problem.";
    found.look(place, place, &problem.rest);

    // Bodies and their poses.
    let key = "rigid_body_problem.rigid_bodies[].";
    let key_of_poses = format!("{key}kinematic_poses[].");
    for (k, body) in problem.rigid_bodies.iter().enumerate() {
        let place = format!("rigid_body_problem.rigid_bodies[{k}].");
        found.look(&place, key, &body.rest);
        for (p, pose) in body.kinematic_poses.iter().enumerate() {
            let place = format!("{place}kinematic_poses[{p}].");
            found.look(&place, &key_of_poses, &pose.rest);
        }
    }

    // Settings. Both solvers have the same keys.
    let place = "distance_barrier_constraint.";
    found.look(place, place, &file.distance_barrier_constraint.rest);
    let place = "friction_constraints.";
    found.look(place, place, &file.friction_constraints.rest);
    let place = "newton_solver.";
    found.look(place, place, &file.newton_solver.rest);
    found.look("ipc_solver.", place, &file.ipc_solver.rest);

    if file.max_iterations.is_some() && file.max_time.is_some_and(|time| time >= 0.0) {
        found.add(
            "max_iterations",
            "max_iterations",
            "is not used, since \"max_time\" is given, too".to_owned(),
        );
    }
    found.warnings()
}

/// A warning, and the number of places that it stands for.
struct Counted {
    /// Warning at the first place.
    warning: Problem,
    /// Number of places with this key, from 1.
    count: usize,
}

/// Warnings by key, in the order in which they were found.
#[derive(Default)]
struct Found {
    /// One warning for each key.
    list: Vec<Counted>,
    /// Index of each key in the list, by its path without numbers.
    index: BTreeMap<String, usize>,
}

impl Found {
    /// Collects keys without a field. `place` is the path of their object, `key` the same path
    /// without numbers.
    fn look(&mut self, place: &str, key: &str, rest: &Rest) {
        for (name, value) in rest.iter().filter(|(name, _)| !name.starts_with('#')) {
            let key = format!("{key}{name}");
            if let Some(reason) = reason(&key, value) {
                let message = format!("{}{reason}", shown(value));
                self.add(&format!("{place}{name}"), &key, message);
            }
        }
    }

    /// Adds a warning at `place`, or counts one more place if the key has a warning already.
    fn add(&mut self, place: &str, key: &str, message: String) {
        let next = self.list.len();
        let index = *self.index.entry(key.to_owned()).or_insert(next);
        match self.list.get_mut(index) {
            Some(counted) => counted.count += 1,
            None => self.list.push(Counted {
                warning: problem(place, message),
                count: 1,
            }),
        }
    }

    /// All warnings, with the number of places where there are several.
    fn warnings(self) -> Vec<Problem> {
        let mut warnings = Vec::with_capacity(self.list.len());
        for Counted { mut warning, count } in self.list {
            if count > 1 {
                warning.message = format!("{} ({count} times)", warning.message);
            }
            warnings.push(warning);
        }
        warnings
    }
}

/// Reason to warn of a key with this value; `None` if nothing is lost without it.
fn reason(key: &str, value: &Value) -> Option<String> {
    if let Some(ignored) = NOT_HONOURED.iter().find(|ignored| ignored.key == key) {
        let loses = !ignored.lossless.contains(&text(value).as_str());
        return loses.then(|| format!("is not honoured: {}", ignored.instead));
    }

    let has_effect = !WITHOUT_EFFECT.contains(&key);
    has_effect.then(|| "is not known and has no effect".to_owned())
}

/// Text of a value, without the quotes of a string, to compare it with those of [`Ignored`].
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
