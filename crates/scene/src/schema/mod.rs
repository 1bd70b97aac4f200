//! The scene: its keys with their units, ranges and defaults, and constructors for programs.
//!
//! All quantities are in SI units. Angles are in degrees where their key ends in `_deg`.
//!
//! The types here are the file format: each field is a key of the JSON, and its documentation is
//! the description in the JSON Schema and in the table of keys. A unit stands in brackets, (1)
//! where a number has none. The range of a number is in its attribute `key`
//! ([`ipcsim_keys::Range`]); without one the number is finite. Unknown keys are refused.
//!
//! Numbers that may be absent are `Option`s: their defaults follow from the other values when the
//! scene is built. Obstacles repeat the keys of a script, and so in part do bodies. A shared struct
//! would have to be flattened into them, and serde then loses the place of a wrong value in it and
//! can no longer refuse unknown keys.
//!
//! A program builds a scene from values; fields without a method are set by name:
//!
//! ```
//! use ipcsim_scene::schema::{Body, Circle, HalfPlane, Material, Obstacle, Scene, Time};
//!
//! let mut scene = Scene::new(Time::new(0.01, 200))
//!     .with_material("steel", Material::rigid(7800.0))
//!     .with_body(Body::rigid("ball", Circle::new(0.1), "steel").at([0.0, 0.5]))
//!     .with_obstacle(Obstacle::new("ground", HalfPlane::new([0.0, 1.0], [0.0, 0.0])))
//!     .with_friction(0.3);
//! scene.contact.d_hat = Some(1e-3);
//! # assert!(scene.build().is_ok());
//! ```

mod area;
mod body;
mod book;
mod cells;
mod chamber;
mod change;
mod contact;
mod control;
mod copies;
mod curve;
mod defaults;
mod distribution;
mod drive;
mod elements;
mod examples;
mod file;
mod friction;
mod gear;
mod gearing;
mod hand;
mod interference;
mod joint;
mod joint_drive;
mod json;
mod load;
mod measure;
mod motion;
mod obstacle;
mod pack;
mod periodic;
mod preload;
mod prescribed;
mod region;
mod rest_on;
mod results;
mod rod;
mod selection;
mod settings;
mod shape;
mod start;
mod tie;
mod units;
mod varying;
mod whole;

pub use area::*;
pub use body::*;
pub(crate) use cells::MAX_CELLS;
pub use chamber::*;
pub use change::*;
pub use contact::*;
pub use control::*;
pub use copies::*;
pub use curve::*;
pub use distribution::*;
pub use drive::*;
pub use elements::*;
pub use file::*;
pub use friction::*;
pub use gear::*;
pub use gearing::*;
pub use hand::*;
pub use interference::*;
pub use ipcsim_core::measures::Over;
pub use ipcsim_core::time::integrator::Scheme;
pub use ipcsim_energy::material::{
    Damping, Directional, Elastic, Law, MassSpring, Mooney, Plane, Powers,
};
pub use joint::*;
pub use joint_drive::*;
pub use json::json_schema;
pub use load::*;
pub use measure::*;
pub use motion::*;
pub use obstacle::*;
pub use pack::*;
pub use periodic::*;
pub use preload::*;
pub use prescribed::*;
pub use region::*;
pub use rest_on::*;
pub use results::*;
pub use rod::*;
pub use selection::*;
pub use settings::*;
pub use shape::*;
pub use start::*;
pub use tie::*;
pub use units::*;
pub use varying::*;
pub use whole::*;

use defaults::is_default;
use ipcsim_energy::ATMOSPHERE;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A scene: bodies, obstacles, materials and the time to simulate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::scene())]
pub struct Scene {
    /// Path or address of the JSON Schema, by which editors complete and check the scene. The
    /// program ignores it.
    #[serde(rename = "$schema", default, skip_serializing)]
    pub schema: Option<String>,
    /// Units of plain numbers; SI if absent. A stored scene is in SI.
    #[serde(default, skip_serializing)]
    pub units: Option<Units>,
    /// Title; the file's name if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Description for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Time step and number of steps.
    pub time: Time,
    /// State in which a run begins.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: Start,
    /// Acceleration by gravity (m/s^2).
    #[serde(default = "default_gravity")]
    #[key(between_steps = "gravity")]
    pub gravity: [f64; 2],
    /// Thickness of all bodies across the plane (m).
    #[serde(default = "one")]
    #[key(above = 0)]
    pub thickness: f64,
    /// Plane strain, plane stress, or bodies of revolution.
    #[serde(default)]
    pub plane: Plane,
    /// Cell that repeats without end along x, y or both; nothing repeats if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periodic: Option<Periodic>,
    /// Materials by name.
    #[serde(default)]
    pub materials: BTreeMap<String, Material>,
    /// Bodies, which move by forces and collide.
    #[serde(default)]
    pub bodies: Vec<Body>,
    /// Obstacles, which bodies collide with and whose motion no force changes.
    #[serde(default)]
    pub obstacles: Vec<Obstacle>,
    /// Joints between rigid bodies and obstacles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<Joint>,
    /// Displacements of vertices that are tied to each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ties: Vec<Tie>,
    /// Forces, tractions, pressures and torques on bodies and obstacles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[key(between_steps = "load")]
    pub loads: Vec<Load>,
    /// Gas in closed chambers, whose pressure follows their volume.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chambers: Vec<Chamber>,
    /// Pipes between two chambers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pipes: Vec<Pipe>,
    /// Absolute pressure on the other side of the walls of chambers (Pa).
    #[serde(default = "atmosphere", skip_serializing_if = "is_atmosphere")]
    #[key(at_least = 0)]
    pub ambient_pressure: f64,
    /// Numbers to take at every step, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measure: Vec<Measure>,
    /// Barrier, collision detection and friction.
    #[serde(default)]
    pub contact: Contact,
    /// Parameters that change between steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Sliders that the scene has in the live page, in place of those that the page finds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub controls: Vec<Control>,
    /// Settings of Newton's method.
    #[serde(default)]
    pub solver: Solver,
    /// Settings of the files and frames that a run writes.
    #[serde(default)]
    pub output: Output,
}

/// The standard atmosphere (Pa).
fn atmosphere() -> f64 {
    ATMOSPHERE
}

/// True for the standard atmosphere, which a stored scene leaves out.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_atmosphere(pressure: &f64) -> bool {
    pressure.to_bits() == ATMOSPHERE.to_bits()
}

impl Scene {
    /// The scene as JSON. All writers begin with it, so that its types are compiled for one.
    pub fn to_json(&self) -> Value {
        // A scene can be written as JSON: its keys are text.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// An empty scene under the Earth's gravity, with the default of every other key.
    ///
    /// A scene needs at least one body before it can be built.
    pub fn new(time: Time) -> Self {
        Self {
            schema: None,
            units: None,
            name: None,
            description: None,
            time,
            start: Start::default(),
            gravity: default_gravity(),
            thickness: one(),
            plane: Plane::default(),
            periodic: None,
            materials: BTreeMap::new(),
            bodies: Vec::new(),
            obstacles: Vec::new(),
            joints: Vec::new(),
            ties: Vec::new(),
            loads: Vec::new(),
            chambers: Vec::new(),
            pipes: Vec::new(),
            ambient_pressure: atmosphere(),
            measure: Vec::new(),
            contact: Contact::default(),
            changes: Vec::new(),
            controls: Vec::new(),
            solver: Solver::default(),
            output: Output::default(),
        }
    }

    /// Adds a material, or replaces the one of that name.
    #[must_use]
    pub fn with_material(mut self, name: impl Into<String>, material: Material) -> Self {
        self.materials.insert(name.into(), material);
        self
    }

    /// Adds a body after the bodies of the scene.
    #[must_use]
    pub fn with_body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds an obstacle after the obstacles of the scene.
    #[must_use]
    pub fn with_obstacle(mut self, obstacle: Obstacle) -> Self {
        self.obstacles.push(obstacle);
        self
    }

    /// Adds a joint after the joints of the scene.
    #[must_use]
    pub fn with_joint(mut self, joint: Joint) -> Self {
        self.joints.push(joint);
        self
    }

    /// Adds a tie after the ties of the scene.
    #[must_use]
    pub fn with_tie(mut self, tie: Tie) -> Self {
        self.ties.push(tie);
        self
    }

    /// Adds a load after the loads of the scene.
    #[must_use]
    pub fn with_load(mut self, load: Load) -> Self {
        self.loads.push(load);
        self
    }

    /// Adds a chamber after the chambers of the scene.
    #[must_use]
    pub fn with_chamber(mut self, chamber: Chamber) -> Self {
        self.chambers.push(chamber);
        self
    }

    /// Adds a measure after the measures of the scene.
    #[must_use]
    pub fn with_measure(mut self, measure: Measure) -> Self {
        self.measure.push(measure);
        self
    }

    /// Adds a change of a parameter after the changes of the scene.
    #[must_use]
    pub fn with_change(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }

    /// True if joints call what never moves by the name [`WORLD`]: no body or obstacle has it.
    pub fn has_world(&self) -> bool {
        let mut bodies = self.bodies.iter().flat_map(Body::names);
        let mut obstacles = self.obstacles.iter();
        !bodies.any(|name| name == WORLD) && !obstacles.any(|own| own.name == WORLD)
    }

    /// True if a joint or a tie holds a body to the world.
    pub fn joins_world(&self) -> bool {
        let mut joined = self.joints.iter().flat_map(Joint::bodies);
        (joined.any(|name| name == WORLD) || !self.ties.is_empty()) && self.has_world()
    }

    /// True if a joint calls an obstacle or the world by this name.
    pub fn is_obstacle(&self, name: &str) -> bool {
        let mut obstacles = self.obstacles.iter();
        obstacles.any(|own| own.name == name) || (name == WORLD && self.has_world())
    }

    /// Sets the coefficient of friction (1) of all pairs that `contact.friction.pairs` does not
    /// name.
    #[must_use]
    pub fn with_friction(mut self, coefficient: f64) -> Self {
        self.contact.friction.default = coefficient;
        self
    }

    /// Sets the coefficient of restitution (1) of all pairs that `contact.restitution.pairs` does not
    /// name.
    #[must_use]
    pub fn with_restitution(mut self, coefficient: f64) -> Self {
        self.contact.restitution.default = Some(coefficient);
        self
    }

    /// Sets the acceleration by gravity (m/s^2).
    #[must_use]
    pub fn with_gravity(mut self, gravity: [f64; 2]) -> Self {
        self.gravity = gravity;
        self
    }
}

/// A material: its density, and the law by which it resists deformation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::material())]
pub struct Material {
    /// Mass per volume (kg/m^3).
    #[key(above = 0)]
    pub density: f64,
    /// Elastic law; rigid and affine bodies need none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<Law>,
    /// Linear expansion by temperature (1/K): a piece without stress grows in all directions by the
    /// factor 1 + `expansion` times the `temperature` of its body or region. About 1.2e-5 for steel,
    /// 2.3e-5 for aluminium.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expansion: f64,
    /// Damping in deformable and reduced bodies; none if absent. Bodies of springs have only the
    /// part of mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Damping>,
}

impl Material {
    /// A material with this density (kg/m^3) and elastic law.
    pub fn new(density: f64, law: Law) -> Self {
        Self {
            density,
            law: Some(law),
            expansion: 0.0,
            damping: None,
        }
    }

    /// A material without an elastic law, for rigid and affine bodies; density in kg/m^3.
    pub fn rigid(density: f64) -> Self {
        Self {
            density,
            law: None,
            expansion: 0.0,
            damping: None,
        }
    }

    /// Sets the damping of deformable and reduced bodies.
    #[must_use]
    pub fn damped(mut self, damping: Damping) -> Self {
        self.damping = Some(damping);
        self
    }

    /// Sets the linear expansion by temperature (1/K).
    #[must_use]
    pub fn expanding(mut self, expansion: f64) -> Self {
        self.expansion = expansion;
        self
    }

    /// A neo-Hookean material: density (kg/m^3), Young's modulus (Pa) and Poisson's ratio (1).
    pub fn neo_hookean(density: f64, young: f64, poisson: f64) -> Self {
        Self::new(density, Law::neo_hookean(young, poisson))
    }
}

/// Default of the gravity (m/s^2): the gravity of the Earth, downwards.
fn default_gravity() -> [f64; 2] {
    [0.0, -9.81]
}

/// Default of the thickness (m).
fn one() -> f64 {
    1.0
}
