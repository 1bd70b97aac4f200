//! A number of a state, with its derivatives.
//!
//! Numbers are the smallest parts of objectives. Each one gives its value at the end of a step
//! and its derivatives by the state there: by coordinates `q`, velocities `q_dot`, and by the
//! balance of forces on prescribed components. The two functions [`Number::at`] and
//! [`Number::add_slopes`] must agree; differences between runs check them in the tests.
//!
//! | number | value | derivative |
//! |---|---|---|
//! | place of a body that deforms | `sum_i m_i q_i / sum_i m_i` | `m_i / sum_i m_i` at each node
//! |
//! | kinetic energy | `sum_i m_i v_i^2 / 2` | momentum `m_i v_i` at each node |
//! | displacement of a point | `sum_k d_k . (x_k - X_k)` | `J_k^T d_k` at the nodes of vertex `k`
//! |
//! | load time along a path | `t` | 1 by the load time |
//! | reaction | balance of forces on prescribed components | through the equations of the step |

use crate::error::Error;
use crate::of_cell::OfCell;
use crate::passed::Passed;
use crate::problem::Problem;
use crate::slopes::Slopes;
use ipcsim::body::{Body, BodyKind};
use ipcsim::math::Vec2;
use ipcsim::time::{State, World};

/// A number of a state.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    /// A quantity of a body, by its number.
    Body(usize, Quantity),
    /// Sum of products of displacements of vertices (m) with vectors.
    Moved(Vec<(usize, Vec2)>),
    /// Sum of products of velocities of free vertices with vectors.
    Velocity(Vec<(usize, Vec2)>),
    /// A component of the mean strain or stress of a cell.
    Cell(OfCell),
    /// Load time at the end of an increment along a path of equilibria (s).
    LoadTime,
}

/// Quantity of a body.
///
/// Axes are numbered 0 for x and 1 for y. Units are m, m/s, rad, rad/s, J and N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
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
///
/// Short names of velocities stand next to the long ones; both give the same number.
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

/// The number `BODY.QUANTITY`, or `time`.
///
/// # Errors
/// A reason, with the names that exist.
pub(crate) fn named(problem: &Problem, text: &str) -> Result<Number, String> {
    let (world, _) = problem.reference();
    let measures = problem.setup.measures.list.iter();
    let measures: Vec<&str> = measures.map(|measure| &*measure.name).collect();
    if text == "time" {
        return if world.options.arc_length.is_some() {
            Ok(Number::LoadTime)
        } else {
            Err("times are given; with time.arc_length the load time is an unknown".to_owned())
        };
    }
    let Some((name, quantity)) = text.rsplit_once('.') else {
        let example = "write BODY.QUANTITY, such as ball.x, or \"mean of ball.x\"";
        return Err(if measures.is_empty() {
            example.to_owned()
        } else {
            format!(
                "{example}, or a measure of the scene: {}",
                measures.join(", ")
            )
        });
    };
    let body = world.bodies.iter().position(|body| body.name == name);
    let body = body.ok_or_else(|| {
        let names: Vec<&str> = world.bodies.iter().map(|body| &*body.name).collect();
        format!("bodies are {}", names.join(", "))
    })?;
    Number::of_body(world, body, quantity)
}

impl Number {
    /// A quantity of a body, by its name.
    ///
    /// # Errors
    /// A reason, with the names that exist.
    pub(crate) fn of_body(world: &World, body: usize, quantity: &str) -> Result<Self, String> {
        let found = NAMES.iter().find(|(own, _)| *own == quantity);
        let (_, quantity) = found.ok_or_else(|| {
            let names = NAMES.map(|(own, _)| own).join(", ");
            format!("quantities with a derivative are {names}")
        })?;
        let kind = world.bodies[body].kind;
        let turns = matches!(kind, BodyKind::Rigid | BodyKind::Obstacle);
        if matches!(quantity, Quantity::Angle | Quantity::Spin) && !turns {
            return Err("a body that deforms has no angle".to_owned());
        }
        Ok(Self::Body(body, *quantity))
    }

    /// True for a force, which the equations have.
    ///
    /// Its derivative by a parameter at fixed states is part of the derivative of the equations.
    pub(crate) fn is_force(&self) -> bool {
        match self {
            Self::Body(_, quantity) => matches!(quantity, Quantity::Reaction(_)),
            Self::Cell(of_cell) => of_cell.is_stress,
            Self::Moved(_) | Self::Velocity(_) | Self::LoadTime => false,
        }
    }

    /// Value at the end of a step, with the numbers of a world.
    ///
    /// Masses and rest positions come from the `world`, which may have other values than the run.
    /// A reaction builds the equations of the step again, since states do not hold it.
    ///
    /// # Errors
    /// [`Error::Refused`] if something touches at these states.
    pub(crate) fn at(&self, world: &World, passed: &Passed) -> Result<f64, Error> {
        let state = passed.end;
        let (body, quantity) = match self {
            Self::Body(body, quantity) => (&world.bodies[*body], quantity),
            Self::Moved(parts) => {
                let moved = parts.iter();
                let moved = moved.map(|(i, by)| by.dot(&(state.x[*i] - world.rest[*i])));
                return Ok(moved.sum());
            }
            Self::Velocity(parts) => {
                let parts = parts.iter();
                return Ok(parts.map(|(i, by)| by.dot(&state.v[*i])).sum());
            }
            Self::Cell(of_cell) => return of_cell.at(world, passed),
            Self::LoadTime => return Ok(state.time),
        };
        let centre =
            |of_nodes: &[Vec2], of_vertices: &[Vec2]| world.at_centre(body, of_nodes, of_vertices);
        Ok(match *quantity {
            Quantity::Place(axis) => centre(&state.q, &state.x)[axis],
            Quantity::Velocity(axis) => centre(&state.q_dot, &state.v)[axis],
            Quantity::Angle => state.q[body.nodes.start + 1].x,
            Quantity::Spin => state.q_dot[body.nodes.start + 1].x,
            Quantity::Kinetic => kinetic(world, body, state),
            Quantity::Reaction(axis) => {
                // Rows of joints slip as they did in the run, whatever the numbers of this world
                // say.
                let equation = passed.equation(world)?.slipping(&passed.note.slips);
                let values = equation.values(false);
                let weight = 1.0 / equation.contact_factor();
                let held = held(world, body, passed, axis, weight);
                let parts = values.slope.iter().zip(&held);
                parts.map(|(force, by)| force.dot(by)).sum()
            }
        })
    }

    /// Adds the derivatives at the end of a step, times a weight.
    ///
    /// Derivatives by masses are not part of it: they are differences between scenes.
    ///
    /// # Errors
    /// [`Error::Refused`] if something touches at these states.
    pub(crate) fn add_slopes(
        &self,
        world: &World,
        passed: &Passed,
        weight: f64,
        out: &mut Slopes,
    ) -> Result<(), Error> {
        let state = passed.end;
        let by = &mut out.state;
        let (body, quantity) = match self {
            Self::Body(body, quantity) => (&world.bodies[*body], quantity),
            Self::Moved(parts) => {
                add_vertices(world, state, parts, weight, &mut by.q);
                return Ok(());
            }
            Self::Velocity(parts) => {
                add_vertices(world, state, parts, weight, &mut by.q_dot);
                return Ok(());
            }
            Self::Cell(of_cell) => return of_cell.add_slopes(world, passed, weight, out),
            Self::LoadTime => {
                by.time += weight;
                return Ok(());
            }
        };
        let angle = body.nodes.start + 1;
        match *quantity {
            Quantity::Place(axis) => add_centre(world, state, body, axis, weight, &mut by.q),
            Quantity::Velocity(axis) => {
                add_centre(world, state, body, axis, weight, &mut by.q_dot);
            }
            Quantity::Angle => by.q[angle].x += weight,
            Quantity::Spin => by.q_dot[angle].x += weight,
            Quantity::Kinetic => {
                for node in body.nodes.clone() {
                    let momentum = state.q_dot[node].component_mul(&world.model.mass[node]);
                    by.q_dot[node] += momentum * weight;
                }
            }
            Quantity::Reaction(axis) => {
                let equation = passed.equation(world)?;
                let weight = weight / equation.contact_factor();
                for (out, held) in out
                    .held
                    .iter_mut()
                    .zip(held(world, body, passed, axis, weight))
                {
                    *out += held;
                }
            }
        }
        Ok(())
    }
}

/// Weights of the balance of forces on prescribed components in the force on the support of a body.
///
/// Each prescribed component of the body along the axis has the same weight. Of a rigid body only
/// the node of its centre counts: its second node is the angle.
fn held(world: &World, body: &Body, passed: &Passed, axis: usize, weight: f64) -> Vec<Vec2> {
    let start = passed.start;
    let end = passed.end;
    let mut held = vec![Vec2::zeros(); end.q.len()];
    let targets = world.targets(&start.parameters, end.time, start.time, &start.q);
    for target in targets {
        let mut nodes = body.nodes.clone();
        if !body.kind.is_soft() {
            nodes.end = nodes.start + 1;
        }
        if nodes.contains(&target.node) && target.axes[axis] {
            held[target.node][axis] = weight;
        }
    }
    held
}

/// Kinetic energy of a body (J).
///
/// The mass is a vector for each node, since the node of an angle has a moment of inertia in one
/// component.
fn kinetic(world: &World, body: &Body, state: &State) -> f64 {
    let nodes = body.nodes.clone();
    let parts = nodes.map(|node| {
        let v = state.q_dot[node];
        0.5 * v.component_mul(&world.model.mass[node]).dot(&v)
    });
    parts.sum()
}

/// Adds the weights of nodes in a sum over vertices of their places times directions, or of their velocities.
///
/// Vertices of bodies that are not free follow several nodes.
fn add_vertices(
    world: &World,
    state: &State,
    parts: &[(usize, Vec2)],
    weight: f64,
    out: &mut [Vec2],
) {
    let coordinates = &world.model.coordinates;
    let at = state.configuration();
    for (vertex, direction) in parts {
        for node in coordinates.nodes_of(*vertex) {
            let jacobian = coordinates.jacobian(&at, *vertex, node);
            out[node] += jacobian.tr_mul(direction) * weight;
        }
    }
}

/// Adds the weights of nodes in a coordinate of the centre of a body.
///
/// The centre of a rigid body is a node. The centre of a body that deforms is the mean of its
/// nodes, weighted by their masses, and that of a reduced body the mean of its vertices.
fn add_centre(
    world: &World,
    state: &State,
    body: &Body,
    axis: usize,
    weight: f64,
    out: &mut [Vec2],
) {
    if body.kind == BodyKind::Reduced {
        let mut direction = Vec2::zeros();
        direction[axis] = 1.0 / body.vertices.len() as f64;
        let parts: Vec<_> = body
            .vertices
            .clone()
            .map(|vertex| (vertex, direction))
            .collect();
        add_vertices(world, state, &parts, weight, out);
        return;
    }
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
