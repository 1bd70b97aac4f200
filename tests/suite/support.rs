//! Running scenes from tests.

use ipcsim::math::Vec2;
use ipcsim::scene::{Scene, build, read};
use ipcsim::solve::{Failure, Solver};
use ipcsim::time::{Record, State, StepReport, World, step};
use std::path::Path;

/// A shipped scene with overrides.
pub(crate) fn scene(name: &str, overrides: &[&str]) -> Scene {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    read(Path::new(&format!("scenes/{name}.json")), &overrides).unwrap()
}

/// A scene written in the test.
pub(crate) fn inline(scene: serde_json::Value) -> Scene {
    serde_json::from_value(scene).unwrap()
}

/// The largest coordinate by which positions differ from where they should be (m).
pub(crate) fn deviation(x: &[Vec2], expected: impl Fn(usize) -> Vec2) -> f64 {
    x.iter().enumerate().map(|(i, x)| (x - expected(i)).amax()).fold(0.0, f64::max)
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

    pub(crate) fn try_step(&mut self) -> Result<StepReport, Failure> {
        step(&self.world, &mut self.solver, &mut self.state)
    }

    pub(crate) fn step(&mut self) -> StepReport {
        self.try_step().unwrap_or_else(|failure| panic!("step {}: {failure}", self.state.step + 1))
    }

    pub(crate) fn steps(&mut self, count: usize) -> Vec<Record> {
        (0..count).map(|_| self.step().record).collect()
    }

    /// Mean position of a body's vertices (m).
    pub(crate) fn centre(&self, body: usize) -> Vec2 {
        self.mean(body, &self.state.x)
    }

    /// Mean velocity of a body's vertices (m/s).
    pub(crate) fn velocity(&self, body: usize) -> Vec2 {
        self.mean(body, &self.state.v)
    }

    fn mean(&self, body: usize, of: &[Vec2]) -> Vec2 {
        let vertices = self.world.bodies[body].vertices.clone();
        of[vertices.clone()].iter().sum::<Vec2>() / vertices.len() as f64
    }
}
