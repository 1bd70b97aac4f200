//! Equations of joints at the end of a step, by nodes, and rows that follow rates.
//!
//! A joint has rows with up to two components each. Components that are equations now, such as
//! both coordinates of a pin, become one [`Row`] each, with the derivative by nodes:
//! `dc/dq = sum_v (dc/dx_v) J_v` with the Jacobian of each vertex.
//!
//! Motors that aim at a speed, and springs and servos with damping, follow the rate of a residual,
//! which counts from the residual at the start, or from a weighted one of the two states before. So
//! the balance of forces depends on these states, see [`Rate`].

use super::equation::StepEquation;
use crate::body::Configuration;
use crate::constraint::{ClosedRow, Constraints, RateRow};
use crate::solve::Model;
use ipcsim_math::Vec2;

/// An equation of a joint.
pub(super) struct Row {
    /// Number of the row of joints, and component of it.
    pub(super) place: (usize, usize),
    /// Derivative by nodes.
    pub(super) by: Vec<(usize, Vec2)>,
    /// Mass that the equation moves (kg or kg m^2), `1 / (C M^-1 C^T)`; 0 if it moves none.
    pub(super) mass: f64,
}

/// A row whose force or aim follows the residual from which its rate counts.
pub(super) struct Rate {
    /// Number of the equation, if it has one.
    pub(super) equation: Option<usize>,
    /// Derivative of that equation.
    pub(super) aim: f64,
    /// Derivative of the balance of forces by that residual, by nodes.
    pub(super) slope: Vec<(usize, Vec2)>,
    /// Derivative of that residual by nodes at the start and before.
    pub(super) by: [Vec<(usize, Vec2)>; 2],
}

/// Equations of closed rows at a configuration, by nodes.
///
/// Open components, as the coordinate along a slider, have no equation.
pub(super) fn rows(model: &Model, at: &Configuration, closed: &[ClosedRow]) -> Vec<Row> {
    let mut rows = Vec::new();
    for row in closed {
        for component in (0..2).filter(|&component| row.components[component]) {
            let parts = row.vertices.iter().zip(&row.slopes);
            let parts = parts.map(|(&vertex, slope)| {
                let by = Vec2::new(slope[(component, 0)], slope[(component, 1)]);
                (vertex, by)
            });
            let by = by_nodes(model, at, parts);
            rows.push(Row {
                place: (row.number, component),
                mass: mass(model, &by),
                by,
            });
        }
    }
    rows
}

/// Mass that a motion with this derivative by nodes moves; 0 if it moves none.
fn mass(model: &Model, by: &[(usize, Vec2)]) -> f64 {
    let part = |(node, by): &(usize, Vec2)| -> f64 {
        let mass = &model.mass[*node];
        let axes = (0..2).filter(|&axis| mass[axis] > 0.0);
        axes.map(|axis| by[axis] * by[axis] / mass[axis]).sum()
    };

    let inverse: f64 = by.iter().map(part).sum();
    if inverse > 0.0 { 1.0 / inverse } else { 0.0 }
}

/// Derivative by nodes from the derivative by vertices.
///
/// Vertices whose part is exactly 0 are left out. An image gives its part to what it follows.
pub(super) fn by_nodes(
    model: &Model,
    at: &Configuration,
    parts: impl Iterator<Item = (usize, Vec2)>,
) -> Vec<(usize, Vec2)> {
    let mut by = Vec::new();
    for (vertex, part) in parts.filter(|(_, part)| *part != Vec2::zeros()) {
        for node in model.coordinates.nodes_of(vertex) {
            let own = model.coordinates.jacobian(at, vertex, node).tr_mul(&part);
            match model.coordinates.lattice() {
                None => by.push((node, own)),
                Some(lattice) => {
                    let sources = lattice.sources(node).into_iter();
                    by.extend(sources.map(|(source, factor)| (source, own * factor)));
                }
            }
        }
    }
    by
}

/// Rows whose force or aim follows a rate.
///
/// `weights` are the weights of the state at the start and of the one before in the reference of
/// velocities.
pub(super) fn rates(
    equation: &StepEquation,
    constraints: &Constraints,
    rows: &[Row],
    weights: [f64; 2],
) -> Vec<Rate> {
    if !equation.has_rates() {
        return Vec::new();
    }
    let model = &equation.world.model;
    let start = &equation.start;
    let at = &equation.iterate.at;
    let of_joints: Vec<_> = equation
        .joints
        .iter()
        .flat_map(|joint| &joint.rows)
        .collect();
    let rated: Vec<bool> = of_joints.iter().map(|row| row.action.has_rate()).collect();

    // Configurations from which rates count.
    let now = start.configuration();
    let past = start.memory.history.first();
    let past = past.map(|past| Configuration::of(&model.coordinates, past.q.clone()));
    let unit = Vec2::new(1.0, 0.0);
    let found = constraints.rate_rows(&at.x, &rated);
    let found = found.into_iter().map(|rate: RateRow| {
        let row = of_joints[rate.number];
        let before = |at: &Configuration, weight: f64| {
            let parts = row.forces_by(&at.x, unit);
            by_nodes(model, at, parts.map(|(vertex, by)| (vertex, by * weight)))
        };
        let [newer, older] = weights;
        let older = past
            .as_ref()
            .filter(|_| older != 0.0)
            .map(|at| before(at, -older));
        let parts = rate.vertices.into_iter().zip(rate.gradient);
        Rate {
            equation: rows.iter().position(|row| row.place == (rate.number, 0)),
            aim: rate.aim,
            slope: by_nodes(model, at, parts),
            by: [before(&now, newer), older.unwrap_or_default()],
        }
    });
    found.collect()
}
