//! Points of bodies that move with the material and need not be vertices.

use ipcsim_math::{Mat2, PlaneTensor, Vec2};

/// A point of a body that moves with its material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Number of its body.
    pub body: usize,
    /// Place at rest (m).
    pub rest: Vec2,
    /// How it follows from the vertices of the body.
    pub follows: Follows,
}

/// How the motion of a point follows from the motion of vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Follows {
    /// It is a vertex.
    Vertex(usize),
    /// It is a mean of three vertices with weights of sum 1, as inside of a triangle. Outside of it
    /// the weights of an affine body may be negative.
    Mean {
        /// The vertices.
        vertices: [usize; 3],
        /// Their weights (1).
        weights: [f64; 3],
    },
    /// It is at an offset from a vertex of a rigid body: `x_base + M (x_arm - x_base)` with a
    /// rotation and scaling `M`, which commutes with the rotation of the body.
    Turned {
        /// The vertex.
        base: usize,
        /// Another vertex of the body.
        arm: usize,
        /// The rotation and scaling.
        map: Mat2,
    },
    /// It is at a fixed distance from a vertex of a body that does not turn (m).
    Shifted {
        /// The vertex.
        base: usize,
        /// The offset from there (m).
        offset: Vec2,
    },
}

impl Spot {
    /// The spot that is a vertex, with its place at rest (m).
    pub fn vertex(body: usize, vertex: usize, rest: Vec2) -> Self {
        Self {
            body,
            rest,
            follows: Follows::Vertex(vertex),
        }
    }

    /// A point of a rigid body at `rest` (m), relative to the vertices `base` and `arm` at these
    /// places (m), which must differ.
    pub fn turned(body: usize, rest: Vec2, base: (usize, Vec2), arm: (usize, Vec2)) -> Self {
        // Division of complex numbers.
        let from = arm.1 - base.1;
        let to = rest - base.1;
        let [cos, sin] = [from.dot(&to), from.perp(&to)].map(|c| c / from.norm_squared());
        Self {
            body,
            rest,
            follows: Follows::Turned {
                base: base.0,
                arm: arm.0,
                map: Mat2::new(cos, -sin, sin, cos),
            },
        }
    }

    /// Position (m) where the vertices are at `x` (m).
    pub fn position(&self, x: &[Vec2]) -> Vec2 {
        match self.follows {
            Follows::Shifted { base, offset } => x[base] + offset,
            _ => self.moving(x),
        }
    }

    /// Vector at the spot that moves with the material, such as velocity, from the vectors of all
    /// vertices.
    pub fn moving(&self, of: &[Vec2]) -> Vec2 {
        match self.follows {
            Follows::Vertex(vertex) => of[vertex],
            Follows::Mean { vertices, weights } => {
                let parts = vertices.iter().zip(weights);
                parts.map(|(&vertex, weight)| of[vertex] * weight).sum()
            }
            Follows::Turned { base, arm, map } => of[base] + map * (of[arm] - of[base]),
            Follows::Shifted { base, .. } => of[base],
        }
    }

    /// Tensor at the spot, interpolated between the vertices; absent where a body has none.
    pub fn tensor(&self, of: &[PlaneTensor]) -> PlaneTensor {
        match self.follows {
            Follows::Vertex(vertex) => of[vertex],
            Follows::Mean { vertices, weights } => {
                let parts = vertices.iter().zip(weights);
                parts.fold(PlaneTensor::default(), |sum, (&vertex, weight)| {
                    sum + of[vertex] * weight
                })
            }
            Follows::Turned { .. } | Follows::Shifted { .. } => PlaneTensor::ABSENT,
        }
    }
}
