//! Friction forces, for readers of results.

use crate::{ContactPair, VertexForces};
use ipcsim_math::Vec2;

/// Friction force of one contact.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionForce {
    /// Vertex and the other side of its contact.
    pub pair: ContactPair,
    /// Body of the vertex, and body of the other side.
    pub bodies: [usize; 2],
    /// Force on the body of the vertex (N), against its sliding; the other side feels the opposite.
    pub force: Vec2,
    /// Distance by which the body of the vertex has slid along the other side since the start of
    /// the step (m), along the lagged tangent.
    pub slip: Vec2,
    /// This force, spread over the vertices of both sides, which is minus the gradient of the
    /// friction energy (N). Of a circle these are the centre and the vertex on its rim, whose
    /// difference is the torque.
    pub on_vertices: VertexForces,
}

/// Couple of one contact that resists rolling.
#[derive(Clone, Debug, PartialEq)]
pub struct RollingCouple {
    /// Vertex and the other side of its contact.
    pub pair: ContactPair,
    /// Body of the vertex, and body of the other side.
    pub bodies: [usize; 2],
    /// Moment on the body of the vertex (N m), counter-clockwise, against its turning; the other
    /// side feels the opposite.
    pub moment: f64,
    /// Angle by which the body of the vertex has turned against the other side since the start of
    /// the step (rad).
    pub turn: f64,
    /// The couple as forces on two vertices of each side that can turn, minus the gradient of its
    /// energy (N).
    pub on_vertices: VertexForces,
}
