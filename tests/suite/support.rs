//! Running scenes from tests.

use ipcsim::scene::{Scene, build, read};
use ipcsim::solve::Solver;
use ipcsim::time::{Record, State, StepReport, World, step};
use std::path::Path;

/// A shipped scene with overrides.
pub(crate) fn scene(name: &str, overrides: &[&str]) -> Scene {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    read(Path::new(&format!("scenes/{name}.json")), &overrides).unwrap()
}

/// A simulation under way.
pub(crate) struct Run {
    pub(crate) world: World,
    pub(crate) state: State,
    pub(crate) solver: Solver,
}

impl Run {
    pub(crate) fn of(scene: &Scene) -> Self {
        let setup = build(scene.clone()).unwrap_or_else(|error| panic!("{error}"));
        let solver = setup.world.solver();
        Self { world: setup.world, state: setup.state, solver }
    }

    pub(crate) fn step(&mut self) -> StepReport {
        step(&self.world, &mut self.solver, &mut self.state)
            .unwrap_or_else(|failure| panic!("step {}: {failure}", self.state.step + 1))
    }

    pub(crate) fn steps(&mut self, count: usize) -> Vec<Record> {
        (0..count).map(|_| self.step().record).collect()
    }
}
