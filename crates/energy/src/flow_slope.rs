//! Derivatives of an element by the flow of its points at the start of a step.

use ipcsim_math::Vec2;

/// Derivatives of an element by the flow of its points. Each point has
/// [`Flow::NUMBERS`](crate::material::Flow::NUMBERS) numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowSlope {
    /// Vertices of the element, `[vertices]`.
    pub stencil: Vec<usize>,
    /// Forces on the vertices (N) by each number of the flow at the start, `[numbers, vertices]`.
    pub forces: Vec<Vec<Vec2>>,
    /// Each number of the flow at the end by the positions (1/m), `[numbers, vertices]`.
    pub by_place: Vec<Vec<Vec2>>,
    /// Each number of the flow at the end by those at the start, `[numbers, numbers]`.
    pub by_flow: Vec<Vec<f64>>,
}
