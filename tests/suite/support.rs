//! Running scenes from tests.
//!
//! A [`Run`] is a client of the library, as any program would be: it builds a [`Simulation`] and
//! reads its world and state. Tests that replace a solver or a state between steps take the
//! [`Parts`] instead.

use ipcsim::body::BodyKind;
use ipcsim::math::{Vec2, cross};
use ipcsim::scene::{Scene, Setup, build, read};
use ipcsim::solve::{Failure, Solver};
use ipcsim::time::{Record, SavedState, State, StepReport, World, step};
use ipcsim::{Error, Simulation};
use serde_json::{Value, json};
use std::borrow::Borrow;
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

/// A scene of `bodies` of a stone of 1000 kg/m^3; `rest` is everything else, and wins where both
/// have a key.
pub(crate) fn stones(bodies: &[Value], rest: Value) -> Scene {
    let mut scene = json!({ "materials": { "stone": { "density": 1000.0 } }, "bodies": bodies });
    let (Value::Object(all), Value::Object(rest)) = (&mut scene, rest) else {
        panic!("not an object")
    };
    all.extend(rest);
    all.entry("solver").or_insert(json!({ "tolerance": 1e-8 }));
    inline(scene)
}

/// A rigid body of that stone, with more keys.
#[expect(
    clippy::needless_pass_by_value,
    reason = "scenes in tests are read more easily so"
)]
pub(crate) fn rigid(name: &str, shape: Value, position: [f64; 2], more: Value) -> Value {
    let mut body = json!({ "name": name, "kind": "rigid", "shape": shape, "material": "stone", "position": position });
    let (Value::Object(all), Value::Object(more)) = (&mut body, more) else {
        panic!("not an object")
    };
    all.extend(more);
    body
}

/// A rigid body of that stone.
pub(crate) fn stone(name: &str, shape: Value, position: [f64; 2]) -> Value {
    rigid(name, shape, position, json!({}))
}

/// A rectangle of one cell.
pub(crate) fn rectangle(width: f64, height: f64) -> Value {
    json!({ "rectangle": { "size": [width, height], "segments": [1, 1] } })
}

/// The half-plane above `y = 0`.
pub(crate) fn ground() -> Value {
    json!({ "name": "ground", "shape": { "half_plane": { "normal": [0.0, 1.0], "origin": [0.0, 0.0] } } })
}

/// The largest coordinate by which positions differ from where they should be (m).
pub(crate) fn deviation(x: &[Vec2], expected: impl Fn(usize) -> Vec2) -> f64 {
    x.iter()
        .enumerate()
        .map(|(i, x)| (x - expected(i)).amax())
        .fold(0.0, f64::max)
}

/// Asserts that a number is within a tolerance of the expected one.
#[track_caller]
pub(crate) fn near(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() < tolerance, "{got} for {expected}");
}

/// Asserts that a number is within a relative tolerance of the expected one.
#[track_caller]
pub(crate) fn near_ratio(got: f64, expected: f64, tolerance: f64) {
    assert!(
        (got / expected - 1.0).abs() < tolerance,
        "{got} for {expected}"
    );
}

/// Asserts that a point or vector is within a distance of the expected one.
#[track_caller]
pub(crate) fn near_point(got: impl Borrow<Vec2>, expected: impl Borrow<Vec2>, distance: f64) {
    let [got, expected] = [got.borrow(), expected.borrow()];
    assert!((got - expected).norm() < distance, "{got} for {expected}");
}

/// World and initial state of a scene, which a test may change before it runs them.
pub(crate) fn setup(scene: &Scene) -> Setup {
    build(scene.clone()).unwrap_or_else(|error| panic!("{error}"))
}

/// A simulation under way.
pub(crate) struct Run {
    simulation: Simulation,
}

impl From<Setup> for Run {
    fn from(setup: Setup) -> Self {
        let simulation = Simulation::from(setup);
        Self { simulation }
    }
}

impl Run {
    /// A run of a scene, at its start.
    pub(crate) fn of(scene: &Scene) -> Self {
        let simulation = Simulation::new(scene.clone()).unwrap_or_else(|error| panic!("{error}"));
        Self { simulation }
    }

    /// Everything that does not change.
    pub(crate) fn world(&self) -> &World {
        self.simulation.world()
    }

    /// State after the last step that did not fail.
    pub(crate) fn state(&self) -> &State {
        self.simulation.state()
    }

    /// Makes a step, which may fail.
    pub(crate) fn try_step(&mut self) -> Result<StepReport, Failure> {
        self.simulation.step().map_err(|error| match error {
            Error::Step { failure, .. } => failure,
            other => panic!("{other}"),
        })
    }

    /// Makes a step.
    pub(crate) fn step(&mut self) -> StepReport {
        let done = self.try_step();
        done.unwrap_or_else(|failure| panic!("step {}: {failure}", self.state().step + 1))
    }

    /// Makes several steps; returns their records.
    pub(crate) fn steps(&mut self, count: usize) -> Vec<Record> {
        (0..count).map(|_| self.step().record).collect()
    }

    /// Mean position of a body's vertices (m).
    pub(crate) fn centre(&self, body: usize) -> Vec2 {
        self.mean(body, &self.state().x)
    }

    /// Mean velocity of a body's vertices (m/s).
    pub(crate) fn velocity(&self, body: usize) -> Vec2 {
        self.mean(body, &self.state().v)
    }

    /// Mean over a body's vertices.
    fn mean(&self, body: usize, of: &[Vec2]) -> Vec2 {
        let vertices = self.world().bodies[body].vertices.clone();
        of[vertices.clone()].iter().sum::<Vec2>() / vertices.len() as f64
    }

    /// First node of a body.
    fn node(&self, body: usize) -> usize {
        self.world().bodies[body].nodes.start
    }

    /// Centre of mass of a rigid or affine body (m).
    pub(crate) fn center(&self, body: usize) -> Vec2 {
        self.state().q[self.node(body)]
    }

    /// Velocity of the centre of mass of a rigid or affine body (m/s).
    pub(crate) fn center_velocity(&self, body: usize) -> Vec2 {
        self.state().q_dot[self.node(body)]
    }

    /// Angle of a rigid body (rad).
    pub(crate) fn angle(&self, body: usize) -> f64 {
        self.state().q[self.node(body) + 1].x
    }

    /// Angular velocity of a rigid body (rad/s).
    pub(crate) fn spin(&self, body: usize) -> f64 {
        self.state().q_dot[self.node(body) + 1].x
    }

    /// Mass of a body of few coordinates (kg).
    pub(crate) fn mass(&self, body: usize) -> f64 {
        self.world().model.mass[self.node(body)].x
    }

    /// Angular momentum about the origin of rigid and affine bodies at the coordinates `q` if their
    /// velocities are `q_dot` (kg m^2/s).
    ///
    /// It is `m c x c' + I theta'`, or the sum of `m q x q'` over the nodes of an affine body,
    /// which are principal axes of its mass.
    pub(crate) fn angular_momentum(&self, q: &[Vec2], q_dot: &[Vec2]) -> f64 {
        let mass = &self.world().model.mass;
        let of_node = |node: usize| cross(q[node], mass[node].component_mul(&q_dot[node]));
        let bodies = self.world().bodies.iter();
        bodies
            .map(|body| match body.kind {
                BodyKind::Rigid => {
                    let angle = body.nodes.start + 1;
                    of_node(body.nodes.start) + mass[angle].x * q_dot[angle].x
                }
                _ => body.nodes.clone().map(of_node).sum::<f64>(),
            })
            .sum()
    }

    /// Asserts that nothing intersects.
    #[track_caller]
    pub(crate) fn assert_apart(&self) {
        let State { x, step, .. } = self.state();
        let outlines = self.world().model.surface.outlines();
        assert_eq!(outlines.intersections(x), [], "step {step}");
    }

    /// Largest distance of a vertex of a body from where it was (m).
    pub(crate) fn moved(&self, body: usize, start: &[Vec2]) -> f64 {
        let vertices = self.world().bodies[body].vertices.clone();
        vertices
            .map(|i| (self.state().x[i] - start[i]).norm())
            .fold(0.0, f64::max)
    }
}

/// Asserts that a run which is stored and read again before each step makes the same steps. Looks at the
/// run after each of them.
pub(crate) fn assert_resumable(
    scene: &Scene,
    steps: usize,
    mut look: impl FnMut(&Parts, &StepReport),
) {
    let [mut whole, mut resumed] = [scene; 2].map(Parts::of);
    for step in 1..=steps {
        let expected = whole.step();
        assert_eq!(expected.hash, whole.state.hash());
        look(&whole, &expected);
        resumed.reload();
        assert_eq!(resumed.step(), expected, "step {step}");
    }
}

/// World, solver and state apart, for tests that replace one of them between steps.
pub(crate) struct Parts {
    /// Everything that does not change.
    pub(crate) world: World,
    /// State after the last step that did not fail.
    pub(crate) state: State,
    /// Solver with what it remembers.
    pub(crate) solver: Solver,
}

impl Parts {
    /// Parts of a scene, at its start.
    pub(crate) fn of(scene: &Scene) -> Self {
        let setup = setup(scene);
        Self {
            solver: setup.world.solver(),
            world: setup.world,
            state: setup.state,
        }
    }

    /// Puts state and solver back as a checkpoint stores them.
    pub(crate) fn reload(&mut self) {
        let stored = postcard::to_stdvec(&self.state.save()).unwrap();
        let memory = self.solver.memory();
        let saved: SavedState = postcard::from_bytes(&stored).unwrap();
        self.state = saved.restore(&self.world.model.coordinates).unwrap();
        self.solver = self.world.solver();
        self.solver.recall(&self.world.model, &memory).unwrap();
    }

    /// Makes a step, which may fail.
    pub(crate) fn try_step(&mut self) -> Result<StepReport, Failure> {
        step(&self.world, &mut self.solver, &mut self.state).map(|done| done.report)
    }

    /// Makes a step.
    pub(crate) fn step(&mut self) -> StepReport {
        let done = self.try_step();
        done.unwrap_or_else(|failure| panic!("step {}: {failure}", self.state.step + 1))
    }
}
