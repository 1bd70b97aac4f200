//! Keys of a scene file of rigid-ipc, as far as they have a meaning here.
//!
//! Every type keeps its other keys as they are in `rest`, so that warnings can name them. Optional
//! keys stay optional: defaults that depend on the scene are filled in later. Angles are in degrees
//! unless a field says otherwise.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Keys that have no field of their own, with their values.
pub(super) type Rest = BTreeMap<String, Value>;

/// Content of a scene file of rigid-ipc.
#[derive(Debug, Deserialize)]
pub(super) struct File {
    /// Number of time steps; none or fewer than one for 1000.
    pub max_iterations: Option<i64>,
    /// Duration (s), instead of a number of steps.
    pub max_time: Option<f64>,
    /// Time step (s).
    #[serde(default = "default_timestep", alias = "timestep_size")]
    pub timestep: f64,
    /// Bodies, gravity and friction.
    pub rigid_body_problem: RigidBodyProblem,
    /// Settings of contact.
    #[serde(default)]
    pub distance_barrier_constraint: Barrier,
    /// Settings of friction.
    #[serde(default)]
    pub friction_constraints: Friction,
    /// Settings of Newton's method.
    #[serde(default)]
    pub newton_solver: Newton,
    /// Settings of Newton's method that come before those of `newton_solver`.
    #[serde(default)]
    pub ipc_solver: Newton,
    /// Other keys at the top of the file.
    #[serde(flatten)]
    pub rest: Rest,
}

/// Bodies and what acts on all of them.
#[derive(Debug, Deserialize)]
pub(super) struct RigidBodyProblem {
    /// All bodies, those that are not enabled included.
    pub rigid_bodies: Vec<Body>,
    /// Acceleration by gravity (m/s^2); zero if absent.
    pub gravity: Option<Vec<f64>>,
    /// Coefficient of friction of all pairs (1).
    #[serde(default)]
    pub coefficient_friction: f64,
    /// Other keys of the problem.
    #[serde(flatten)]
    pub rest: Rest,
}

/// Settings of contact.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Barrier {
    /// Distance below which surfaces repel each other (m).
    pub initial_barrier_activation_distance: Option<f64>,
    /// Distance that surfaces keep at least (m).
    #[serde(default)]
    pub minimum_separation_distance: f64,
    /// Other keys of the barrier.
    #[serde(flatten)]
    pub rest: Rest,
}

/// Settings of friction.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Friction {
    /// Sliding speed from which on friction is fully developed (m/s).
    pub static_friction_speed_bound: Option<f64>,
    /// Number of solves of a step with lagged friction; 0 for no friction, below 0 for as many as
    /// convergence takes.
    pub iterations: Option<i64>,
    /// Other keys of friction.
    #[serde(flatten)]
    pub rest: Rest,
}

/// Settings of Newton's method.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Newton {
    /// Largest number of Newton directions in one solve.
    pub max_iterations: Option<usize>,
    /// Speed below which a step has converged (m/s), or its ratio to the scene's diagonal (1/s).
    pub velocity_conv_tol: Option<f64>,
    /// True if that tolerance is a speed, false if it is a ratio.
    pub is_velocity_conv_tol_abs: Option<bool>,
    /// Other keys of the solver.
    #[serde(flatten)]
    pub rest: Rest,
}

/// Content of a body's entry.
#[derive(Debug, Deserialize)]
pub(super) struct Body {
    /// True if the body is part of the scene.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Kind of motion of the body.
    #[serde(default, rename = "type")]
    pub kind: Kind,
    /// A file with points and edges, which replace those here.
    pub mesh: Option<String>,
    /// Points of the model (m).
    pub vertices: Option<Vec<Vec<f64>>>,
    /// Edges of the model, as pairs of numbers of points, from 0.
    #[serde(default)]
    pub edges: Vec<[usize; 2]>,
    /// Factor or factors by which the model is stretched about its origin, before it is turned.
    pub scale: Option<Numbers>,
    /// Width and height of the model (m), instead of a scale.
    pub dimensions: Option<Vec<f64>>,
    /// Turn about the model's origin (degrees), before it is moved.
    #[serde(alias = "theta")]
    pub rotation: Option<Numbers>,
    /// Position of the model's origin (m).
    pub position: Option<Vec<f64>>,
    /// Mass per length of edge (kg/m).
    #[serde(default = "default_density")]
    pub density: f64,
    /// Velocity of the centre of mass (m/s).
    pub linear_velocity: Option<Vec<f64>>,
    /// Angular velocity (degrees/s).
    pub angular_velocity: Option<Numbers>,
    /// Both, as older files have it, but radians/s.
    pub velocity: Option<Vec<f64>>,
    /// Force on the centre of mass (N).
    pub force: Option<Vec<f64>>,
    /// Torque, which is taken from degrees to radians, too (180/pi N m).
    pub torque: Option<Numbers>,
    /// Coordinates of the centre of mass and angle that never change: x, y, angle, or all.
    pub is_dof_fixed: Option<Flags>,
    /// Bodies of one group pass through each other; none below 0.
    #[serde(default = "no_group")]
    pub group_id: i64,
    /// Time after which a kinematic body stands still (s); never below 0.
    pub kinematic_max_time: Option<f64>,
    /// Poses of a kinematic body after each time step, instead of a velocity.
    #[serde(default)]
    pub kinematic_poses: Vec<Pose>,
    /// Other keys of the body.
    #[serde(flatten)]
    pub rest: Rest,
}

/// Kind of motion of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// The body does not move.
    Static,
    /// The motion is given.
    Kinematic,
    /// The motion follows from forces.
    #[default]
    Dynamic,
}

/// Pose of a kinematic body after a time step.
#[derive(Debug, Deserialize)]
pub(super) struct Pose {
    /// Position of the centre of mass (m); the origin if absent.
    pub position: Option<Vec<f64>>,
    /// Rotation since the start (radians).
    pub rotation: Option<Numbers>,
    /// Other keys of the pose.
    #[serde(flatten)]
    pub rest: Rest,
}

/// One number or a list of numbers.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number or a list of numbers")]
pub(super) enum Numbers {
    /// A single number.
    One(f64),
    /// A list of any length.
    Many(Vec<f64>),
}

/// One flag for all coordinates, or one for each.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected true, false or a list of them")]
pub(super) enum Flags {
    /// The same flag for all coordinates.
    All(bool),
    /// Flags of x, y and the angle.
    Each(Vec<bool>),
}

/// Default of the time step (s).
fn default_timestep() -> f64 {
    0.01
}

/// Default of the mass per length of edge (kg/m).
fn default_density() -> f64 {
    1000.0
}

/// Default of a body's group: none.
fn no_group() -> i64 {
    -1
}

/// Default of a flag that is set unless the file clears it.
fn yes() -> bool {
    true
}
