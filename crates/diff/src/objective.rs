//! Numbers of a run that gradients are of, with their derivatives by states.

use crate::error::Error;
use crate::problem::Problem;
use crate::run::Run;
use crate::varied::values;
use ipcsim::body::{Body, BodyKind};
use ipcsim::math::Vec2;
use ipcsim::time::linear::{StepEquation, Variation};
use ipcsim::time::{State, World};
use std::fmt;

/// A number of a run.
#[derive(Clone, Debug)]
pub struct Objective {
    /// Text that names it.
    pub text: String,
    /// Number of the body in the world.
    body: usize,
    quantity: Quantity,
    /// Steps that count.
    pub when: When,
}

/// Steps of a run that an objective counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The last one.
    Last,
    /// The mean of all.
    Mean,
    /// The sum of all.
    Sum,
}

/// Quantity of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    /// Coordinate of the centre of mass.
    Place(usize),
    /// Velocity of it.
    Velocity(usize),
    Angle,
    Spin,
    Kinetic,
    /// Force of the support that holds or drives the body.
    Reaction(usize),
}

/// Names of all quantities.
const NAMES: [(&str, Quantity); 11] = [
    ("x", Quantity::Place(0)),
    ("y", Quantity::Place(1)),
    ("velocity_x", Quantity::Velocity(0)),
    ("vx", Quantity::Velocity(0)),
    ("velocity_y", Quantity::Velocity(1)),
    ("vy", Quantity::Velocity(1)),
    ("angle", Quantity::Angle),
    ("spin", Quantity::Spin),
    ("kinetic", Quantity::Kinetic),
    ("reaction_x", Quantity::Reaction(0)),
    ("reaction_y", Quantity::Reaction(1)),
];

/// Derivatives of an objective at one step.
pub(crate) struct Slopes {
    /// By the state at the end.
    pub(crate) state: Variation,
    /// By the balance of forces on prescribed components.
    pub(crate) held: Vec<Vec2>,
}

impl Objective {
    /// The objective that a text names: `BODY.QUANTITY`, with `mean of` or `sum of` before it for all steps.
    ///
    /// # Errors
    /// [`Error::Objective`], with the names that exist.
    pub fn read(problem: &Problem, text: &str) -> Result<Self, Error> {
        let (world, _) = problem.reference();
        let refused = |reason: String| Error::Objective {
            text: text.to_owned(),
            reason,
        };
        let (when, rest) = match (text.strip_prefix("mean of "), text.strip_prefix("sum of ")) {
            (Some(rest), _) => (When::Mean, rest),
            (_, Some(rest)) => (When::Sum, rest),
            _ => (When::Last, text),
        };
        let Some((name, quantity)) = rest.rsplit_once('.') else {
            return Err(refused(
                "write BODY.QUANTITY, such as ball.x, or \"mean of ball.x\"".to_owned(),
            ));
        };
        let body = world.bodies.iter().position(|body| body.name == name);
        let body = body.ok_or_else(|| {
            let names: Vec<&str> = world.bodies.iter().map(|body| &*body.name).collect();
            refused(format!("bodies are {}", names.join(", ")))
        })?;
        let found = NAMES.iter().find(|(own, _)| *own == quantity);
        let (_, quantity) = found.ok_or_else(|| {
            let names = NAMES.map(|(own, _)| own).join(", ");
            refused(format!("quantities with a derivative are {names}"))
        })?;
        let kind = world.bodies[body].kind;
        let turns = matches!(kind, BodyKind::Rigid | BodyKind::Obstacle);
        if matches!(quantity, Quantity::Angle | Quantity::Spin) && !turns {
            return Err(refused("a body that deforms has no angle".to_owned()));
        }
        Ok(Self {
            text: text.to_owned(),
            body,
            quantity: *quantity,
            when,
        })
    }

    /// Weight of the end of a step, by its number from 1.
    pub(crate) fn weight(&self, step: usize, steps: usize) -> f64 {
        match self.when {
            When::Last => f64::from(u8::from(step == steps)),
            When::Mean => 1.0 / steps as f64,
            When::Sum => 1.0,
        }
    }

    /// True for a force, which the equations have.
    pub(crate) fn is_force(&self) -> bool {
        matches!(self.quantity, Quantity::Reaction(_))
    }

    /// Value in a run of a world.
    ///
    /// # Errors
    /// [`Error::Refused`] of an equation.
    pub fn value(&self, world: &World, run: &Run) -> Result<f64, Error> {
        let steps = run.states.len() - 1;
        let mut sum = 0.0;
        for step in 1..=steps {
            let weight = self.weight(step, steps);
            if weight != 0.0 {
                sum += weight * self.at(world, run, step)?;
            }
        }
        Ok(sum)
    }

    /// Value at the end of a step of a run, by its number from 1, with the numbers of a world.
    pub(crate) fn at(&self, world: &World, run: &Run, step: usize) -> Result<f64, Error> {
        let body = &world.bodies[self.body];
        let state = &run.states[step];
        let centre =
            |of_nodes: &[Vec2], of_vertices: &[Vec2]| world.at_centre(body, of_nodes, of_vertices);
        Ok(match self.quantity {
            Quantity::Place(axis) => centre(&state.q, &state.x)[axis],
            Quantity::Velocity(axis) => centre(&state.q_dot, &state.v)[axis],
            Quantity::Angle => state.q[body.nodes.start + 1].x,
            Quantity::Spin => state.q_dot[body.nodes.start + 1].x,
            Quantity::Kinetic => kinetic(world, body, state),
            Quantity::Reaction(axis) => {
                let values = values(world, run, step - 1)?;
                let slopes = self.held(world, run, step, axis, 1.0)?;
                let parts = values.slope.iter().zip(&slopes);
                parts.map(|(force, by)| force.dot(by)).sum()
            }
        })
    }

    /// Derivatives at the end of a step of a run, by its number from 1, times a weight.
    pub(crate) fn slopes(
        &self,
        world: &World,
        run: &Run,
        step: usize,
        weight: f64,
    ) -> Result<Slopes, Error> {
        let state = &run.states[step];
        let anchors = state.memory.options.sticking.anchors.len();
        let mut by = Variation::zero(state.q.len(), anchors);
        let mut held = vec![Vec2::zeros(); state.q.len()];
        let body = &world.bodies[self.body];
        let angle = body.nodes.start + 1;
        match self.quantity {
            Quantity::Place(axis) => add_centre(world, body, axis, weight, &mut by.q),
            Quantity::Velocity(axis) => add_centre(world, body, axis, weight, &mut by.q_dot),
            Quantity::Angle => by.q[angle].x = weight,
            Quantity::Spin => by.q_dot[angle].x = weight,
            Quantity::Kinetic => {
                for node in body.nodes.clone() {
                    let momentum = state.q_dot[node].component_mul(&world.model.mass[node]);
                    by.q_dot[node] = momentum * weight;
                }
            }
            Quantity::Reaction(axis) => held = self.held(world, run, step, axis, weight)?,
        }
        Ok(Slopes { state: by, held })
    }

    /// Weights of the balance of forces on prescribed components in a reaction.
    fn held(
        &self,
        world: &World,
        run: &Run,
        step: usize,
        axis: usize,
        weight: f64,
    ) -> Result<Vec<Vec2>, Error> {
        let start = &run.states[step - 1];
        let end = &run.states[step];
        let forces = &end.memory.multipliers;
        let adapted = &run.adapted[step - 1];
        let equation = StepEquation::new(world, start, adapted, forces, end.q.clone())?;
        let body = &world.bodies[self.body];
        let mut held = vec![Vec2::zeros(); end.q.len()];
        let targets = world.targets(&start.parameters, end.time, start.time, &start.q);
        for target in targets {
            let mut nodes = body.nodes.clone();
            if !body.kind.is_soft() {
                nodes.end = nodes.start + 1;
            }
            if nodes.contains(&target.node) && target.axes[axis] {
                held[target.node][axis] = weight / equation.contact_factor();
            }
        }
        Ok(held)
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Kinetic energy of a body (J).
fn kinetic(world: &World, body: &Body, state: &State) -> f64 {
    let nodes = body.nodes.clone();
    let parts = nodes.map(|node| {
        let v = state.q_dot[node];
        0.5 * v.component_mul(&world.model.mass[node]).dot(&v)
    });
    parts.sum()
}

/// Adds the weights of nodes in a coordinate of the centre of a body.
fn add_centre(world: &World, body: &Body, axis: usize, weight: f64, out: &mut [Vec2]) {
    if !body.kind.is_soft() {
        out[body.nodes.start][axis] += weight;
        return;
    }
    let mass = &world.model.mass;
    let whole: f64 = body.nodes.clone().map(|node| mass[node].x).sum();
    for node in body.nodes.clone() {
        out[node][axis] += weight * mass[node].x / whole;
    }
}
