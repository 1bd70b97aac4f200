//! What a scene file of rigid-ipc may say, as far as this program can honour it; everything else is kept as it is.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Keys that have no field of their own.
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
    pub rigid_body_problem: RigidBodyProblem,
    #[serde(default)]
    pub distance_barrier_constraint: Barrier,
    #[serde(default)]
    pub friction_constraints: Friction,
    #[serde(default)]
    pub newton_solver: Newton,
    /// Overrides `newton_solver`.
    #[serde(default)]
    pub ipc_solver: Newton,
    #[serde(flatten)]
    pub rest: Rest,
}

/// Bodies and what acts on all of them.
#[derive(Debug, Deserialize)]
pub(super) struct RigidBodyProblem {
    pub rigid_bodies: Vec<Body>,
    /// Acceleration (m/s^2).
    pub gravity: Option<Vec<f64>>,
    #[serde(default)]
    pub coefficient_friction: f64,
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
    #[serde(flatten)]
    pub rest: Rest,
}

/// Settings of Newton's method.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Newton {
    pub max_iterations: Option<usize>,
    /// Speed below which a step has converged (m/s), or its ratio to the scene's diagonal.
    pub velocity_conv_tol: Option<f64>,
    pub is_velocity_conv_tol_abs: Option<bool>,
    #[serde(flatten)]
    pub rest: Rest,
}

/// Content of a body's entry.
#[derive(Debug, Deserialize)]
pub(super) struct Body {
    #[serde(default = "yes")]
    pub enabled: bool,
    #[serde(default, rename = "type")]
    pub kind: Kind,
    /// A file with points and edges, which replace those here.
    pub mesh: Option<String>,
    /// Points of the model (m).
    pub vertices: Option<Vec<Vec<f64>>>,
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

/// Pose of a body.
#[derive(Debug, Deserialize)]
pub(super) struct Pose {
    /// Position of the centre of mass (m); the origin if absent.
    pub position: Option<Vec<f64>>,
    /// Rotation since the start (radians).
    pub rotation: Option<Numbers>,
    #[serde(flatten)]
    pub rest: Rest,
}

/// One number or a list of numbers.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number or a list of numbers")]
pub(super) enum Numbers {
    One(f64),
    Many(Vec<f64>),
}

/// One flag for all coordinates, or one for each.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected true, false or a list of them")]
pub(super) enum Flags {
    All(bool),
    Each(Vec<bool>),
}

fn default_timestep() -> f64 {
    0.01
}

fn default_density() -> f64 {
    1000.0
}

fn no_group() -> i64 {
    -1
}

fn yes() -> bool {
    true
}
