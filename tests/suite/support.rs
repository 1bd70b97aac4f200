//! Running scenes from tests.

use ipcsim::body::BodyKind;
use ipcsim::math::{Vec2, cross};
use ipcsim::scene::{Scene, build, read};
use ipcsim::solve::{Failure, Solver};
use ipcsim::time::{Record, State, StepReport, World, step};
use serde_json::{Value, json};
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

/// A scene of `bodies` of a stone of 1000 kg/m^3; `rest` is everything else, and counts where both say something.
pub(crate) fn stones(bodies: &[Value], rest: Value) -> Scene {
    let mut scene = json!({ "materials": { "stone": { "density": 1000.0 } }, "bodies": bodies });
    let (Value::Object(all), Value::Object(rest)) = (&mut scene, rest) else {
        panic!("not an object")
    };
    all.extend(rest);
    all.entry("solver").or_insert(json!({ "tolerance": 1e-8 }));
    inline(scene)
}

/// A rigid body of that stone; `more` says what else there is to it.
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
        Self {
            world: setup.world,
            state: setup.state,
            solver,
        }
    }

    pub(crate) fn try_step(&mut self) -> Result<StepReport, Failure> {
        step(&self.world, &mut self.solver, &mut self.state).map(|done| done.report)
    }

    pub(crate) fn step(&mut self) -> StepReport {
        self.try_step()
            .unwrap_or_else(|failure| panic!("step {}: {failure}", self.state.step + 1))
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

    /// Centre of mass of a rigid or affine body (m).
    pub(crate) fn center(&self, body: usize) -> Vec2 {
        self.state.q[self.world.bodies[body].nodes.start]
    }

    /// Its velocity (m/s).
    pub(crate) fn center_velocity(&self, body: usize) -> Vec2 {
        self.state.q_dot[self.world.bodies[body].nodes.start]
    }

    /// Angle of a rigid body (rad).
    pub(crate) fn angle(&self, body: usize) -> f64 {
        self.state.q[self.world.bodies[body].nodes.start + 1].x
    }

    /// Angular velocity of a rigid body (rad/s).
    pub(crate) fn spin(&self, body: usize) -> f64 {
        self.state.q_dot[self.world.bodies[body].nodes.start + 1].x
    }

    /// Mass (kg).
    pub(crate) fn mass(&self, body: usize) -> f64 {
        self.world.model.mass[self.world.bodies[body].nodes.start].x
    }

    /// Angular momentum about the origin of rigid and affine bodies at the coordinates `q` if their velocities are `q_dot`
    /// (kg m^2/s): `m c x c' + I theta'`, or the sum of `m q x q'` over the nodes of an affine body, which are principal
    /// axes of its mass.
    pub(crate) fn angular_momentum(&self, q: &[Vec2], q_dot: &[Vec2]) -> f64 {
        let of_node = |node: usize| {
            cross(
                q[node],
                self.world.model.mass[node].component_mul(&q_dot[node]),
            )
        };
        let bodies = self.world.bodies.iter();
        bodies
            .map(|body| match body.kind {
                BodyKind::Rigid => {
                    let angle = body.nodes.start + 1;
                    of_node(body.nodes.start) + self.world.model.mass[angle].x * q_dot[angle].x
                }
                _ => body.nodes.clone().map(of_node).sum::<f64>(),
            })
            .sum()
    }

    /// The largest distance of a vertex of a body from where it was (m).
    pub(crate) fn moved(&self, body: usize, start: &[Vec2]) -> f64 {
        let vertices = self.world.bodies[body].vertices.clone();
        vertices
            .map(|i| (self.state.x[i] - start[i]).norm())
            .fold(0.0, f64::max)
    }
}
