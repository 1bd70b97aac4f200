//! A body of a simulation and its part of the state.
//!
//! A body owns a range of vertices and a range of nodes. A view cuts these ranges out of the arrays
//! of the world and the state, and computes quantities of the whole body. Vertices and nodes
//! coincide for deformable bodies only; a rigid body has two nodes, an affine one three.

use ipcsim_core::body::Body;
use ipcsim_core::time::{State, World};
use ipcsim_math::Vec2;

/// A body or obstacle, by name, with its positions and velocities.
#[derive(Clone, Copy, Debug)]
pub struct BodyView<'a> {
    /// Body whose parts are shown.
    pub(super) body: &'a Body,
    /// World with masses and the map from nodes to vertices.
    pub(super) world: &'a World,
    /// State with positions and velocities.
    pub(super) state: &'a State,
}

impl<'a> BodyView<'a> {
    /// Name of the body in the scene.
    pub fn name(&self) -> &'a str {
        &self.body.name
    }

    /// Kind of body, with the numbers of its vertices and nodes in the world.
    pub fn body(&self) -> &'a Body {
        self.body
    }

    /// Positions of the vertices, `[vertices of the body]` (m).
    pub fn x(&self) -> &'a [Vec2] {
        &self.state.x[self.body.vertices.clone()]
    }

    /// Velocities of the vertices, `[vertices of the body]` (m/s).
    pub fn v(&self) -> &'a [Vec2] {
        &self.state.v[self.body.vertices.clone()]
    }

    /// Coordinates, `[nodes of the body]` (m; of a rigid body's second node the angle in rad, and
    /// 0).
    ///
    /// Those of a deformable body are the positions of its vertices.
    pub fn q(&self) -> &'a [Vec2] {
        &self.state.q[self.body.nodes.clone()]
    }

    /// Velocities of the coordinates, `[nodes of the body]` (m/s; of an angle rad/s).
    pub fn q_dot(&self) -> &'a [Vec2] {
        &self.state.q_dot[self.body.nodes.clone()]
    }

    /// Mass of each component of each node (kg; of an angle the moment of inertia in kg m^2); 0 for
    /// obstacles.
    pub fn node_mass(&self) -> &'a [Vec2] {
        &self.world.model.mass[self.body.nodes.clone()]
    }

    /// Mass of the body (kg); 0 for obstacles.
    ///
    /// It is `sum_n e_x^T L_n^T M_n L_n e_x` over the nodes `n`, where `L_n` carries a uniform
    /// motion of the body to the node and `M_n` are the masses of its components.
    pub fn mass(&self) -> f64 {
        self.world.mass_of(self.body)
    }

    /// Centre of mass (m); of an obstacle the origin of its shape, of a reduced deformable body the
    /// mean of its vertices.
    pub fn centre(&self) -> Vec2 {
        self.world
            .at_centre(self.body, &self.state.q, &self.state.x)
    }

    /// Velocity of the centre of mass (m/s); of an obstacle that of its origin, of a reduced
    /// deformable body the mean of its vertices' velocities.
    pub fn velocity(&self) -> Vec2 {
        self.world
            .at_centre(self.body, &self.state.q_dot, &self.state.v)
    }

    /// Angle of a rigid body or obstacle (rad), counted over full turns; none for other bodies.
    pub fn angle(&self) -> Option<f64> {
        self.body.angle(&self.state.q)
    }

    /// Angular velocity of a rigid body or obstacle (rad/s); none for other bodies.
    pub fn angular_velocity(&self) -> Option<f64> {
        self.body.angle(&self.state.q_dot)
    }
}
