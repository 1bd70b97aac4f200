//! A body of a simulation and its part of the state.

use crate::body::{Body, BodyKind};
use crate::math::Vec2;
use crate::time::{State, World};

/// A body or obstacle, by name, with its positions and velocities.
#[derive(Clone, Copy, Debug)]
pub struct BodyView<'a> {
    pub(super) body: &'a Body,
    pub(super) world: &'a World,
    pub(super) state: &'a State,
}

impl<'a> BodyView<'a> {
    /// Name in the scene.
    pub fn name(&self) -> &'a str {
        &self.body.name
    }

    /// Kind of body, with the numbers of its vertices and nodes.
    pub fn body(&self) -> &'a Body {
        self.body
    }

    /// Positions of the vertices (m).
    pub fn x(&self) -> &'a [Vec2] {
        &self.state.x[self.body.vertices.clone()]
    }

    /// Velocities of the vertices (m/s).
    pub fn v(&self) -> &'a [Vec2] {
        &self.state.v[self.body.vertices.clone()]
    }

    /// Coordinates (m; of a rigid body's second node the angle in rad, and 0). Those of a deformable
    /// body are the positions of its vertices.
    pub fn q(&self) -> &'a [Vec2] {
        &self.state.q[self.body.nodes.clone()]
    }

    /// Velocities of the coordinates (m/s; rad/s).
    pub fn q_dot(&self) -> &'a [Vec2] {
        &self.state.q_dot[self.body.nodes.clone()]
    }

    /// Mass of each component of each node (kg; of an angle the moment of inertia in kg m^2); 0 for
    /// obstacles.
    pub fn node_mass(&self) -> &'a [Vec2] {
        &self.world.model.mass[self.body.nodes.clone()]
    }

    /// Mass (kg); 0 for obstacles.
    pub fn mass(&self) -> f64 {
        let coordinates = &self.world.model.coordinates;
        let nodes = self.body.nodes.clone();
        let along_x = nodes.map(|node| {
            let motion = coordinates.lift(node).column(0).into_owned();
            self.world.model.mass[node].dot(&motion.component_mul(&motion))
        });
        along_x.sum()
    }

    /// Centre of mass (m); of an obstacle the origin of its shape, of a reduced deformable body the
    /// mean of its vertices.
    pub fn centre(&self) -> Vec2 {
        self.mean(self.q(), self.x())
    }

    /// Velocity of the centre (m/s).
    pub fn velocity(&self) -> Vec2 {
        self.mean(self.q_dot(), self.v())
    }

    /// Angle of a rigid body or obstacle (rad), counted over full turns; none for other bodies.
    pub fn angle(&self) -> Option<f64> {
        self.turns().then(|| self.q()[1].x)
    }

    /// Angular velocity of a rigid body or obstacle (rad/s); none for other bodies.
    pub fn angular_velocity(&self) -> Option<f64> {
        self.turns().then(|| self.q_dot()[1].x)
    }

    fn turns(&self) -> bool {
        matches!(self.body.kind, BodyKind::Rigid | BodyKind::Obstacle)
    }

    /// The centre's value of a quantity that nodes and vertices have.
    fn mean(&self, of_nodes: &[Vec2], of_vertices: &[Vec2]) -> Vec2 {
        match self.body.kind {
            BodyKind::Rigid | BodyKind::Affine | BodyKind::Obstacle | BodyKind::HalfPlane => {
                of_nodes[0]
            }
            BodyKind::Reduced => of_vertices.iter().sum::<Vec2>() / of_vertices.len() as f64,
            BodyKind::Solid | BodyKind::Springs => {
                let mass = self.node_mass();
                let weighted = mass.iter().zip(of_nodes).map(|(m, value)| value * m.x);
                weighted.sum::<Vec2>() / mass.iter().map(|m| m.x).sum::<f64>()
            }
        }
    }
}
