//! Parts of the derivative of the balance of forces that are products of vectors.
//!
//! Most energies of a step depend on its end only, and their second derivatives are in the matrix of the
//! solver. These parts remain:
//!
//! - damping, whose rates of strain and velocities count from the states before;
//! - forces at the ends of edges under pressure, which are taken at the start of a step, in statics
//!   at its end, where they are not symmetric;
//! - torques on vertices, whose second derivatives would couple all of them.
//!
//! Each is a sum of a few products `left (right . dq)`, with the vector `left` of forces and the vector
//! `right` of derivatives of one number, such as a strain, by coordinates at the end, at the start and
//! before it. A tangent multiplies from the right, and an adjoint from the left.

use super::equation::StepEquation;
use super::fields::along;
use super::joint_rows::by_nodes;
use super::variation::Variation;
use crate::body::Configuration;
use ipcsim_energy::{Summed, Viscous};
use ipcsim_math::Vec2;

/// A product of vectors.
///
/// The lists have few nodes: those of a triangle, of the end of an edge, or of the vertices of one torque.
pub(super) struct Dyad {
    /// Change of the balance of forces (N s^2) with the number, by nodes.
    left: Vec<(usize, Vec2)>,
    /// Derivatives of the number by coordinates at the end, at the start and before it, by nodes.
    right: [Vec<(usize, Vec2)>; 3],
}

/// Configurations of a step and how vectors by vertices become vectors by nodes.
struct Places<'a> {
    equation: &'a StepEquation<'a>,
    start: Configuration,
    past: Option<Configuration>,
    /// Weights of the start and of the state before in the reference of velocities.
    weights: [f64; 2],
}

/// Products of all loads and dampers of a step, whose velocities count from a reference with these
/// `weights` of the start and of the state before.
pub(super) fn dyads(equation: &StepEquation, weights: [f64; 2]) -> Vec<Dyad> {
    let stage = &equation.stage;
    let following = &stage.following;
    let is_plain = following.thrusts.elements.is_empty() && following.couples.list.is_empty();
    if is_plain && stage.damping.is_empty() {
        return Vec::new();
    }

    let coordinates = &equation.world.model.coordinates;
    let past = equation.start.memory.history.first();
    let past = past.filter(|_| weights[1] != 0.0);
    let places = Places {
        equation,
        start: equation.start.configuration(),
        past: past.map(|past| Configuration::of(coordinates, past.q.clone())),
        weights,
    };

    let mut dyads = Vec::new();
    places.add_loads(&mut dyads);
    places.add_viscous(&stage.damping.viscous, &mut dyads);
    places.add_viscous(&stage.damping.points, &mut dyads);
    places.add_drags(&mut dyads);
    dyads
}

impl Places<'_> {
    /// A vector by vertices at the end, times a factor, as one by nodes.
    fn at_end(
        &self,
        factor: f64,
        parts: impl IntoIterator<Item = (usize, Vec2)>,
    ) -> Vec<(usize, Vec2)> {
        let parts = parts.into_iter().map(|(vertex, by)| (vertex, by * factor));
        let model = &self.equation.world.model;
        by_nodes(model, &self.equation.iterate.at, parts)
    }

    /// Loads that follow bodies.
    ///
    /// Forces at the ends of edges are linear in the places at which they are taken. A torque turns its
    /// forces with the mean rotation of its vertices, which has two components.
    fn add_loads(&self, dyads: &mut Vec<Dyad>) {
        let StepEquation {
            world,
            stage,
            iterate,
            ..
        } = self.equation;

        // Both act with the factor of elasticity.
        let following = &stage.following;
        let factor = stage.elasticity;

        // Forces at the ends of edges.
        for ([vertex], thrust) in following.thrusts.iter() {
            for axis in [Vec2::x(), Vec2::y()] {
                let left = self.at_end(-factor, [(*vertex, thrust.slope * axis)]);
                let mut right = [const { Vec::new() }; 3];
                if world.integrator.is_static() {
                    right[0] = self.at_end(1.0, [(*vertex, axis)]);
                } else {
                    right[1] = by_nodes(&world.model, &self.start, [(*vertex, axis)].into_iter());
                }
                dyads.push(Dyad { left, right });
            }
        }

        // Torques on vertices.
        for couple in &following.couples.list {
            for [forces, along] in couple.curvature(&iterate.at.x) {
                let right = [self.at_end(1.0, along), Vec::new(), Vec::new()];
                let left = self.at_end(factor, forces);
                dyads.push(Dyad { left, right });
            }
        }
    }

    /// Triangles that resist the rate of their strain, which counts from a sum of the strains before.
    ///
    /// Each has three strains, so that a triangle adds three products.
    fn add_viscous<const N: usize>(&self, viscous: &Summed<Viscous<N>, N>, dyads: &mut Vec<Dyad>) {
        let StepEquation {
            world,
            stage,
            iterate,
            ..
        } = self.equation;
        let [newer, older] = self.weights;
        for (stencil, element) in viscous.iter() {
            // Forces by each strain of the reference, and these by the states before.
            let at = |x: &[Vec2]| stencil.map(|i| x[i]);
            let forces = element.forces_by_reference(&at(&iterate.at.x));
            let states = [(Some(&self.start), newer), (self.past.as_ref(), -older)];
            let strains = states.map(|(state, weight)| {
                state.map(|state| (state, weight, element.dashpot().strains_by(&at(&state.x))))
            });

            for (strain, forces) in forces.iter().enumerate() {
                let mut right = [const { Vec::new() }; 3];
                for (right, state) in right[1..].iter_mut().zip(&strains) {
                    if let Some((state, weight, strains)) = state {
                        let parts = stencil.iter().zip(&strains[strain]);
                        let parts = parts.map(|(&vertex, by)| (vertex, by * *weight));
                        *right = by_nodes(&world.model, state, parts);
                    }
                }

                let parts = stencil.iter().copied().zip(forces.iter().copied());
                let left = self.at_end(stage.elasticity, parts);
                dyads.push(Dyad { left, right });
            }
        }
    }

    /// Vertices and nodes that resist their velocity.
    ///
    /// The force `c (q - q_ref) / beta` depends on the states before by `q_ref`.
    fn add_drags(&self, dyads: &mut Vec<Dyad>) {
        let stage = &self.equation.stage;
        let model = &self.equation.world.model;
        let [newer, older] = self.weights;
        let factor = stage.elasticity;
        for axis in [Vec2::x(), Vec2::y()] {
            for ([vertex], drag) in stage.damping.drag.iter() {
                let left = self.at_end(-factor * drag.stiffness, [(*vertex, axis)]);
                let by = |at: &Configuration, weight: f64| {
                    by_nodes(model, at, [(*vertex, axis * weight)].into_iter())
                };

                // An integrator that does not look back has no past.
                let past = self.past.as_ref().map(|past| by(past, -older));
                let right = [Vec::new(), by(&self.start, newer), past.unwrap_or_default()];
                dyads.push(Dyad { left, right });
            }

            for ([node], drag) in stage.damping.nodes.iter() {
                let left = vec![(*node, axis * (-factor * drag.stiffness))];
                let right = [
                    Vec::new(),
                    vec![(*node, axis * newer)],
                    vec![(*node, axis * -older)],
                ];
                dyads.push(Dyad { left, right });
            }
        }
    }
}

impl Dyad {
    /// Adds what a change of the coordinates at the end makes of the balance of forces.
    ///
    /// `slope += left (right_end . dq)`
    pub(super) fn add_by_end(&self, q: &[Vec2], slope: &mut [Vec2]) {
        add(&self.left, along(&self.right[0], q), slope);
    }

    /// The transposed of [`Dyad::add_by_end`].
    pub(super) fn add_to_end(&self, slope: &[Vec2], q: &mut [Vec2]) {
        add(&self.right[0], along(&self.left, slope), q);
    }

    /// Adds what a change of the start makes of the balance of forces.
    ///
    /// `slope += left (right_start . dq_n + right_past . dq_(n-1))`
    pub(super) fn add_by_start(&self, from: &Variation, slope: &mut [Vec2]) {
        let by = along(&self.right[1], &from.q) + along(&self.right[2], &from.past_q);
        add(&self.left, by, slope);
    }

    /// The transposed of [`Dyad::add_by_start`].
    pub(super) fn add_to_start(&self, slope: &[Vec2], from: &mut Variation) {
        let by = along(&self.left, slope);
        add(&self.right[1], by, &mut from.q);
        add(&self.right[2], by, &mut from.past_q);
    }
}

/// Adds a multiple of parts by nodes.
fn add(parts: &[(usize, Vec2)], factor: f64, out: &mut [Vec2]) {
    for (node, part) in parts {
        out[*node] += part * factor;
    }
}
