//! The scene file: what may be written, in which units, and what is assumed where nothing is written.
//!
//! All quantities are in SI units; angles are in degrees where their key says so.

mod body;
mod copies;
mod examples;
mod json;
mod motion;
mod shape;

pub use crate::material::{Elastic, Law, MassSpring, Plane};
pub use body::{
    Affine, Axis, Body, Bounds, Kind, MassFrom, Modal, Obstacle, Polynomial, Prescribed, Selection,
};
pub use copies::Copies;
pub use json::json_schema;
pub use motion::{Interpolation, Keyframe, Script};
pub use shape::{
    Circle, Disk, Gear, HalfPlane, InlineMesh, Outline, Point, Polyline, Rectangle, RegularPolygon,
    Ring, Shape, Square, Wire,
};

use crate::contact::SharedVertices;
use crate::contact::barrier::BarrierShape;
use crate::contact::broad::BroadPhase;
use crate::contact::ccd::NarrowPhase;
use crate::sparse::LinearSolver;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What there is, what it is made of, and how long to simulate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Scene of ipcsim", example = examples::scene())]
pub struct Scene {
    /// Path or address of the schema by which editors complete and check the scene; the program ignores it.
    #[serde(rename = "$schema", default, skip_serializing)]
    pub schema: Option<String>,
    /// Title; the file's name if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the scene shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Time step and duration.
    pub time: Time,
    /// Gravity (m/s^2).
    #[serde(default = "default_gravity")]
    pub gravity: [f64; 2],
    /// Thickness across the plane (m).
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub thickness: f64,
    /// What happens across the plane.
    #[serde(default)]
    pub plane: Plane,
    /// What bodies are made of.
    #[serde(default)]
    pub materials: BTreeMap<String, Material>,
    /// What moves.
    #[serde(default)]
    pub bodies: Vec<Body>,
    /// What bodies collide with but that has no dynamics of its own.
    #[serde(default)]
    pub obstacles: Vec<Obstacle>,
    /// Contact and friction.
    #[serde(default)]
    pub contact: Contact,
    /// Newton's method.
    #[serde(default)]
    pub solver: Solver,
    /// What a run writes.
    #[serde(default)]
    pub output: Output,
}

/// Time step and duration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// Time step `h` (s).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub step: f64,
    /// Number of steps.
    pub steps: usize,
}

/// A material.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = examples::material())]
pub struct Material {
    /// Density (kg/m^3).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: f64,
    /// What resists deformation; rigid and affine bodies need none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<Law>,
}

/// Contact and friction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = examples::contact())]
pub struct Contact {
    /// Distance below which surfaces repel each other, `d_hat` (m); a thousandth of the scene's diagonal if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub d_hat: Option<f64>,
    /// Stiffness of the barrier, `kappa` (Pa); that of the stiffest material if absent, or what holds the bodies' weight and
    /// stops their speed where no material is elastic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub kappa: Option<f64>,
    /// Distance that surfaces keep at least, from which the barrier counts (m).
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub min_separation: f64,
    /// Shape of the barrier.
    #[serde(default)]
    pub barrier: BarrierShape,
    /// How a vertex that two edges share is counted.
    #[serde(default)]
    pub shared_vertices: SharedVertices,
    /// How near pairs are found.
    #[serde(default)]
    pub broad_phase: BroadPhase,
    /// How times of impact are found.
    #[serde(default)]
    pub narrow_phase: NarrowPhase,
    /// Pairs of bodies or obstacles, by name, that pass through each other. Bodies of one group do, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip_serializing_if = "never")]
    pub exclude: Vec<[String; 2]>,
    /// Friction.
    #[serde(default)]
    pub friction: Friction,
}

/// Friction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Friction {
    /// Coefficient (1) of pairs that the table does not name.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub default: f64,
    /// Coefficients of pairs.
    #[serde(default)]
    pub pairs: Vec<FrictionPair>,
    /// Sliding speed from which on friction is fully developed, `eps_v` (m/s); if absent 1e-3 of the largest body's size per
    /// second, and 1e-3 m/s at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub eps_v: Option<f64>,
    /// Most times a step is solved, each with the friction of the last one's end; it stops earlier where that changes
    /// velocities by less than the solver's tolerance.
    #[serde(default = "one_iteration")]
    #[schemars(range(min = 1))]
    pub lag_iterations: usize,
}

/// The coefficient of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionPair {
    /// Names of two bodies or obstacles.
    pub between: [String; 2],
    /// Their coefficient of friction (1).
    #[schemars(range(min = 0))]
    pub coefficient: f64,
}

/// Newton's method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solver {
    /// Speed of the Newton direction below which a step has converged (m/s); if absent `eps_v` where there is friction, and
    /// ten times as much where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub tolerance: Option<f64>,
    /// Most directions that one solve may compute.
    #[serde(default = "default_max_iterations")]
    #[schemars(range(min = 1))]
    pub max_iterations: usize,
    /// Implementation of the sparse Cholesky factorisation.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(skip_serializing_if = "never")]
    pub linear: LinearSolver,
}

/// What a run writes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Steps from one written state to the next; the last is always written.
    #[serde(default = "one_iteration")]
    #[schemars(range(min = 1))]
    pub every: usize,
    /// Width of frames (pixels).
    #[serde(default = "default_width")]
    #[schemars(range(min = 16, max = 16384))]
    pub width: u32,
    /// Height of frames (pixels).
    #[serde(default = "default_height")]
    #[schemars(range(min = 16, max = 16384))]
    pub height: u32,
    /// What frames show (m); bodies, obstacles and their prescribed reach if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Bounds>,
}

/// A number above 0, in a schema.
fn positive() -> serde_json::Value {
    serde_json::json!({ "type": "number", "exclusiveMinimum": 0 })
}

/// Defaults are in the schema even where scenes that are written leave them out.
fn never<T>(_: &T) -> bool {
    false
}

/// Whether a value need not be written.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn default_gravity() -> [f64; 2] {
    [0.0, -9.81]
}

fn one() -> f64 {
    1.0
}

fn no_stretch() -> [f64; 2] {
    [1.0, 1.0]
}

fn one_iteration() -> usize {
    1
}

fn default_max_iterations() -> usize {
    500
}

fn default_width() -> u32 {
    1280
}

fn default_height() -> u32 {
    720
}

impl Default for Friction {
    fn default() -> Self {
        Self {
            default: 0.0,
            pairs: Vec::new(),
            eps_v: None,
            lag_iterations: one_iteration(),
        }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            tolerance: None,
            max_iterations: default_max_iterations(),
            linear: LinearSolver::default(),
        }
    }
}

impl Default for Output {
    fn default() -> Self {
        Self {
            every: one_iteration(),
            width: default_width(),
            height: default_height(),
            view: None,
        }
    }
}
