//! A scene ready to run: the result of assembly.

use super::derive::Derived;
use crate::schema::Scene;
use ipcsim_core::measures::Measures;
use ipcsim_core::quantities::Until;
use ipcsim_core::solve::SolverMemory;
use ipcsim_core::time::{State, World};

/// A scene ready to run.
///
/// `Simulation` is made from it, and steps of it replace the state. The parts
/// can also be used alone: checks and pictures look at world and state without a step.
#[derive(Debug)]
pub struct Setup {
    /// Scene with all defaults filled in and a body for each copy.
    pub scene: Scene,
    /// Everything that does not change in a run.
    pub world: World,
    /// State at the start.
    pub state: State,
    /// What the solver remembers at the start; nothing, unless the scene goes on from a state.
    pub recalled: SolverMemory,
    /// Condition at which a run ends before its last step; `None` if it does not.
    pub until: Option<Until>,
    /// Measures of the scene.
    pub measures: Measures,
    /// Numbers that the scene may leave out, with the reasons for their values.
    pub derived: Vec<Derived>,
    /// Number of the region of its body that each triangle is in, from 1, or 0 without one,
    /// `[triangles]`.
    pub regions: Vec<usize>,
    /// Numbers of the bodies that start with another size than drawn: selections mean their places as
    /// drawn.
    pub(crate) resized: Vec<usize>,
    /// JSON path of each body of the world in the scene as written, obstacles included, `[bodies]`.
    ///
    /// All copies of an entry have the path of the entry.
    pub paths: Vec<String>,
}
