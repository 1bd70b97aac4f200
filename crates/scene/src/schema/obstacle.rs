//! Obstacles: grounds, walls, presses and other things that no force moves.
//!
//! The keys of a script stand in the obstacle itself, where a body has them below `script`. An
//! obstacle has no mass, no material and no end of its script.

use super::motion::{Interpolation, Keyframe, Script};
use super::shape::Shape;
use super::{examples, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// An obstacle: a rigid object whose motion is scripted. Obstacles do not collide with each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::obstacle())]
pub struct Obstacle {
    /// Name, by which friction refers to the obstacle.
    pub name: String,
    /// Shape of the obstacle.
    pub shape: Shape,
    /// Position of the shape's origin (m); a half-plane has its own origin.
    #[serde(default, skip_serializing_if = "is_default")]
    pub position: [f64; 2],
    /// Rotation about the shape's origin, counter-clockwise (degrees).
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotation_deg: f64,
    /// Constant velocity of the shape's origin (m/s).
    #[serde(default)]
    #[key(between_steps = "target")]
    pub velocity: [f64; 2],
    /// Distance after which the obstacle stops (m); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub travel: Option<f64>,
    /// Angular velocity about the shape's origin, counter-clockwise (degrees/s).
    #[serde(default, skip_serializing_if = "is_default")]
    pub spin_deg: f64,
    /// Positions at given times, instead of a velocity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[key(between_steps = "target")]
    pub keyframes: Vec<Keyframe>,
    /// Motion from one keyframe to the next.
    #[serde(default, skip_serializing_if = "is_default")]
    pub interpolation: Interpolation,
    /// Group; bodies and obstacles of one group pass through each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Layer across the plane: bodies and obstacles of different layers pass through each other, as links
    /// behind each other do; if absent the obstacle is in all layers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 1)]
    pub layer: Option<u32>,
    /// Name of the material, by which friction between materials refers to the obstacle. Nothing else
    /// depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Speed of the surface along the outline (m/s), as of a conveyor belt around the obstacle. It is
    /// positive counter-clockwise around the obstacle, with the inside on the left: the top of a box,
    /// and a half-plane whose normal is `[0, 1]`, then move to the left. Only friction feels it; the
    /// obstacle does not move.
    #[serde(default, skip_serializing_if = "is_default")]
    pub belt: f64,
}

impl Obstacle {
    /// An obstacle at rest with the shape's origin at the scene's origin.
    pub fn new(name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        Self {
            name: name.into(),
            shape: shape.into(),
            position: [0.0; 2],
            rotation_deg: 0.0,
            velocity: [0.0; 2],
            travel: None,
            spin_deg: 0.0,
            keyframes: Vec::new(),
            interpolation: Interpolation::default(),
            group: None,
            layer: None,
            material: None,
            belt: 0.0,
        }
    }

    /// Puts the shape's origin at `position` (m).
    #[must_use]
    pub fn at(mut self, position: [f64; 2]) -> Self {
        self.position = position;
        self
    }

    /// Rotates the obstacle about the shape's origin, counter-clockwise (degrees).
    #[must_use]
    pub fn rotated(mut self, degrees: f64) -> Self {
        self.rotation_deg = degrees;
        self
    }

    /// Sets the constant velocity of the shape's origin (m/s).
    #[must_use]
    pub fn with_velocity(mut self, velocity: [f64; 2]) -> Self {
        self.velocity = velocity;
        self
    }

    /// Sets the constant angular velocity about the shape's origin, counter-clockwise (degrees/s).
    #[must_use]
    pub fn with_spin(mut self, degrees_per_second: f64) -> Self {
        self.spin_deg = degrees_per_second;
        self
    }

    /// Sets the name of the material, by which friction refers to the obstacle.
    #[must_use]
    pub fn with_material(mut self, name: impl Into<String>) -> Self {
        self.material = Some(name.into());
        self
    }

    /// Sets the speed of the surface along the outline, counter-clockwise around the obstacle (m/s).
    #[must_use]
    pub fn with_belt(mut self, speed: f64) -> Self {
        self.belt = speed;
        self
    }

    /// True if the obstacle stays where it is, unless a program moves it.
    pub fn is_still(&self) -> bool {
        let speeds = [self.velocity[0], self.velocity[1], self.spin_deg];
        self.keyframes.is_empty() && speeds.into_iter().all(|speed| speed == 0.0)
    }

    /// Motion of the obstacle as a separate script, without an end.
    pub fn script(&self) -> Script {
        Script {
            velocity: self.velocity,
            travel: self.travel,
            spin_deg: self.spin_deg,
            keyframes: self.keyframes.clone(),
            interpolation: self.interpolation,
            until: None,
        }
    }
}
