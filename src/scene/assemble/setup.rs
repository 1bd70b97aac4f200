//! A scene ready to run.

use super::derive::Derived;
use crate::scene::schema::Scene;
use crate::time::{State, World};

/// A scene ready to run.
pub struct Setup {
    /// The scene with everything filled in that was left out, and a body for each copy.
    pub scene: Scene,
    /// What does not change.
    pub world: World,
    /// The state at time 0.
    pub state: State,
    /// What was left out and what it was derived from.
    pub derived: Vec<Derived>,
    /// JSON paths in the scene as written of the world's bodies.
    pub paths: Vec<String>,
}
