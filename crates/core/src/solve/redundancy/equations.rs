//! Equations of joints to first order, by coordinates that all count as lengths.
//!
//! The angle of a rigid body counts with its radius of gyration `r`, as the length `r a`. Each equation is
//! divided by the length of its derivative, so that neither units nor sizes of bodies say which
//! equations depend on each other.

use crate::body::{Configuration, Coordinates};
use crate::constraint::{ConstraintAction, Constraints, WarmStart};
use crate::solve::model::Model;
use ipcsim_math::sort::sort_by_key;
use ipcsim_math::{Mat2, Vec2};

/// One equation of a joint.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    /// Number of its joint.
    pub(super) joint: usize,
    /// Derivatives by scaled coordinates, by ascending number of the coordinate. Their squares have the
    /// sum 1.
    pub(super) slopes: Vec<(usize, f64)>,
    /// Residual by the length of the derivative (m).
    pub(super) residual: f64,
    /// Size that the residual counts relative to (m; of angles 1).
    pub(super) unit: f64,
}

/// Joints of a model at some state.
#[derive(Clone, Copy)]
pub(super) struct Jointed<'a> {
    /// The model.
    pub(super) model: &'a Model,
    /// Coordinates that are prescribed, `[nodes]`.
    pub(super) fixed: &'a [[bool; 2]],
    /// Turns and broken joints.
    pub(super) memory: &'a WarmStart<'a>,
}

impl Jointed<'_> {
    /// Length of a unit of each coordinate (m): 1, or the radius of gyration of an angle, `[nodes]`.
    pub(super) fn lengths(&self) -> Vec<f64> {
        let mut lengths = vec![1.0; self.model.mass.len()];
        for [centre, angle] in self.model.coordinates.rigid_nodes() {
            let radius = (self.model.mass[angle].x / self.model.mass[centre].x).sqrt();
            if radius > 0.0 && radius.is_finite() {
                lengths[angle] = radius;
            }
        }
        lengths
    }

    /// Equations that always hold, of joints that are `chosen` by number.
    pub(super) fn equations(
        &self,
        at: &Configuration,
        lengths: &[f64],
        chosen: impl Fn(usize) -> bool,
    ) -> Vec<Equation> {
        let mut found = Vec::new();
        let joints = self.model.joints.iter().enumerate();
        let rows =
            joints.flat_map(|(number, joint)| joint.rows.iter().map(move |row| (number, row)));
        let constraints = Constraints::new(&self.model.joints, self.memory);
        for (linear, (joint, row)) in constraints.linear(&at.x).zip(rows) {
            let is_closed = matches!(row.action, ConstraintAction::Closed);
            let is_broken = linear.open.part == Vec2::zeros();
            if !is_closed || is_broken || !chosen(joint) {
                continue;
            }

            let by_vertices = linear.by_vertices();
            let pairs = linear.vertices().iter().copied().zip(by_vertices);
            let blocks = by_nodes(&self.model.coordinates, at, pairs);
            for component in 0..2 {
                let slopes = self.slopes(&blocks, component, lengths);
                let square: f64 = slopes.iter().map(|(_, by)| by * by).sum();
                let length = square.sqrt();

                // A rod has one equation, and nothing moves some rows.
                if length > 0.0 {
                    found.push(Equation {
                        joint,
                        slopes: slopes.iter().map(|&(k, by)| (k, by / length)).collect(),
                        residual: linear.open.residual[component] / length,
                        unit: row.unit,
                    });
                }
            }
        }
        found
    }

    /// Derivatives of a component of a residual by the scaled coordinates that can move.
    fn slopes(
        &self,
        blocks: &[(usize, Mat2)],
        component: usize,
        lengths: &[f64],
    ) -> Vec<(usize, f64)> {
        let mut slopes = Vec::new();
        for (node, block) in blocks {
            for axis in 0..2 {
                let by = block[(component, axis)] / lengths[*node];
                let moves = !self.fixed[*node][axis] && self.model.mass[*node][axis] > 0.0;
                if moves && by != 0.0 {
                    slopes.push((2 * node + axis, by));
                }
            }
        }
        slopes
    }
}

/// Derivatives of a residual by nodes, in ascending order, from derivatives by vertices.
fn by_nodes(
    coordinates: &Coordinates,
    at: &Configuration,
    by_vertices: impl Iterator<Item = (usize, Mat2)>,
) -> Vec<(usize, Mat2)> {
    let mut blocks: Vec<(usize, Mat2)> = Vec::new();
    for (vertex, by) in by_vertices.filter(|(_, by)| *by != Mat2::zeros()) {
        let nodes = coordinates.nodes_of(vertex);
        let mut own = vec![Mat2::zeros(); nodes.len()];
        coordinates.chain(at, vertex, &by, &mut own);
        for (node, block) in nodes.zip(own) {
            match blocks.iter_mut().find(|(known, _)| *known == node) {
                Some((_, sum)) => *sum += block,
                None => blocks.push((node, block)),
            }
        }
    }
    sort_by_key(&mut blocks, |(node, _)| *node);
    blocks
}
