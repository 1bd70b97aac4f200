//! Snapshots: all that a simulation needs to continue with the same bits.
//!
//! Places and velocities are not enough. Integrators remember past states, barriers that have
//! become stiffer stay so, and the solver keeps candidates and matrix patterns while they serve,
//! on which rounding depends. A snapshot has all of them, as a checkpoint of a run does.

use super::{Error, Simulation};
use ipcsim_core::solve::SolverMemory;
use ipcsim_core::time::{SavedState, State, StepReport};
use serde::{Deserialize, Serialize};

/// State of a simulation after a step, with everything that its next step reads.
///
/// It fits every simulation of the same scene, and can be stored by serde. Parameters that a program
/// has set stay those of the simulation when it is put back.
///
/// ```
/// use ipcsim::prelude::*;
///
/// let scene = Scene::new(Time::new(0.01, 100))
///     .with_material("rubber", Material::neo_hookean(1000.0, 1e5, 0.4))
///     .with_body(Body::deformable("ball", Disk::new(0.1, 12), "rubber").at([0.0, 0.12]))
///     .with_obstacle(Obstacle::new("ground", HalfPlane::new([0.0, 1.0], [0.0, 0.0])));
/// let mut simulation = Simulation::new(scene)?;
/// simulation.run(10)?;
/// let snapshot = simulation.snapshot();
///
/// simulation.run(5)?;
/// let first = simulation.state().hash();
/// simulation.restore(&snapshot)?;
/// simulation.run(5)?;
/// assert_eq!(simulation.state().hash(), first);
/// # Ok::<(), ipcsim::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Coordinates, velocities and memory of the state.
    pub state: SavedState,
    /// Candidates and matrix patterns of the solver.
    pub solver: SolverMemory,
}

impl Simulation {
    /// Everything that the next step reads, copied.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state.save(),
            solver: self.solver.memory(),
        }
    }

    /// Puts back the state of a snapshot, and returns its account. Steps then have the bits that
    /// they had after it.
    ///
    /// Contact forces are those of a state without a last step: there is no friction and no
    /// reaction until the next step.
    ///
    /// # Errors
    /// [`Error::Refused`] if the snapshot is of another scene, or if its state intersects or
    /// inverts. Then nothing has changed.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<StepReport, Error> {
        let other = || {
            let nodes = self.world.model.coordinates.nodes();
            Error::Refused(format!(
                "the state is of another scene: it has {} nodes, and this scene has {nodes}; or \
                 its numbers are not finite",
                snapshot.state.q.len()
            ))
        };

        // State and solver must fit the scene.
        let Snapshot { state, solver } = snapshot;
        let coordinates = &self.world.model.coordinates;
        let state = state.restore(coordinates).ok_or_else(other)?;
        let mut recalled = self.world.solver();
        let fits = recalled.recall(&self.world.model, solver);
        fits.ok_or_else(other)?;

        // Nobody sleeps where what acts is different now.
        let mut state = State {
            parameters: self.state.parameters.clone(),
            ..state
        };
        if snapshot.state.parameters != state.parameters {
            state.memory.after_change();
        }
        let report = self.account(&state)?;
        self.retarget(state.step);
        self.state = state;
        self.has_settled = true;
        self.set_by_hand();
        self.solver = recalled;
        Ok(report)
    }
}
