//! Plastic flow in a step, to first order.
//!
//! The flow of each point is a part of the state. The balance of forces depends on the flow `p_n` at
//! the start, and the flow at the end is `p_(n+1) = P(q, p_n)`, a formula of each element
//! ([`FlowSlope`]). So a tangent takes a change of `p_n` to one of the balance, and then with the change
//! of `q` to one of `p_(n+1)`; an adjoint goes backwards.

use super::equation::StepEquation;
use ipcsim_energy::FlowSlope;
use ipcsim_energy::material::Flow;
use ipcsim_math::Vec2;

/// Plastic flow of all points of a step.
///
/// Each element has its derivatives as small tables, so that a tangent and an adjoint are sums over elements,
/// and nothing is stored for the whole body.
#[derive(Default)]
pub(super) struct Flowing {
    /// Elements that may flow, with the first number of their flow; their vertices are nodes.
    elements: Vec<(usize, FlowSlope)>,
    /// Factor of elastic forces in the balance (s^2).
    elasticity: f64,
    /// Number of numbers of all flows.
    count: usize,
}

impl Flowing {
    /// Flow in the step of an equation.
    ///
    /// The flow at the start is the one of the state, and positions are those at the end.
    pub(super) fn of(equation: &StepEquation) -> Self {
        let model = &equation.world.model;
        let conditions = equation.conditions();

        // Numbers are counted energy by energy, as in the state.
        let mut elements = Vec::new();
        let mut first = 0;
        for (energy, own) in crate::solve::with_own(model, conditions) {
            for mut slope in energy.flow_slopes(own, &equation.iterate.at.x) {
                // Bodies that flow are deformable: each vertex is a node.
                for vertex in &mut slope.stencil {
                    *vertex = model.coordinates.nodes_of(*vertex).start;
                }
                let numbers = slope.by_flow.len();
                elements.push((first, slope));
                first += numbers;
            }
        }
        Self {
            elements,
            elasticity: equation.stage.elasticity,
            count: model.flowing() * Flow::NUMBERS,
        }
    }

    /// Adds what a change of the flow at the start makes of the balance of forces (N s^2).
    ///
    /// It is `s_e df/dp_n dp_n`, with the factor `s_e` of elastic forces.
    pub(super) fn add_by_start(&self, flows: &[f64], slope: &mut [Vec2]) {
        for (first, element) in &self.elements {
            for (forces, by) in element.forces.iter().zip(&flows[*first..]) {
                for (&node, force) in element.stencil.iter().zip(forces) {
                    slope[node] += force * (self.elasticity * by);
                }
            }
        }
    }

    /// The transposed of [`Flowing::add_by_start`].
    pub(super) fn add_to_start(&self, slope: &[Vec2], flows: &mut [f64]) {
        for (first, element) in &self.elements {
            for (forces, by) in element.forces.iter().zip(&mut flows[*first..]) {
                let nodes = element.stencil.iter().zip(forces);
                let sum: f64 = nodes.map(|(&node, force)| force.dot(&slope[node])).sum();
                *by += self.elasticity * sum;
            }
        }
    }

    /// Change of the flow at the end by changes of the coordinates there and of the flow at the start.
    ///
    /// It is `dP/dq dq + dP/dp_n dp_n`. Points that stay elastic keep their flow, and `dP/dq` is 0 there.
    pub(super) fn end(&self, q: &[Vec2], flows: &[f64]) -> Vec<f64> {
        let mut end = vec![0.0; self.count];
        for (first, element) in &self.elements {
            for (k, (places, before)) in element.by_place.iter().zip(&element.by_flow).enumerate() {
                let nodes = element.stencil.iter().zip(places);
                let moved: f64 = nodes.map(|(&node, by)| by.dot(&q[node])).sum();
                let flowed = before.iter().zip(&flows[*first..]);
                end[first + k] = moved + flowed.map(|(by, flow)| by * flow).sum::<f64>();
            }
        }
        end
    }

    /// The transposed of [`Flowing::end`]: adds to derivatives by the coordinates at the end, and returns
    /// those by the flow at the start.
    pub(super) fn end_transposed(&self, end: &[f64], q: &mut [Vec2]) -> Vec<f64> {
        let mut flows = vec![0.0; self.count];
        for (first, element) in &self.elements {
            for (k, (places, before)) in element.by_place.iter().zip(&element.by_flow).enumerate() {
                let by = end[first + k];
                for (&node, place) in element.stencil.iter().zip(places) {
                    q[node] += place * by;
                }
                for (flow, before) in flows[*first..].iter_mut().zip(before) {
                    *flow += before * by;
                }
            }
        }
        flows
    }
}
