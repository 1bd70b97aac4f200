//! A body of the file, with its numbers read and its model scaled.
//!
//! A placed body can be asked for what a scene needs: a name, a wire, a body. Vertices stay in the
//! model's own frame; a point `p` of the model is at `position + R(rotation) p` in the world. Mass
//! lies on the edges, half of each edge's mass at either end, as in rigid-ipc.

use super::format::Kind;
use super::model::length;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::sin_cos;
use ipcsim_scene::schema::{self, Axis, MassFrom, Shape, Wire};

/// A body at the start: its model is scaled, rotated about its origin, and moved.
pub(super) struct Placed {
    /// Number of the body in the file.
    pub index: usize,
    /// Kind of motion. A body without a free coordinate is static.
    pub kind: Kind,
    /// Vertices of the model about its origin (m).
    pub vertices: Vec<Vec2>,
    /// Edges with a length, as pairs of vertex numbers.
    pub edges: Vec<[usize; 2]>,
    /// Position of the model's origin (m).
    pub position: Vec2,
    /// Rotation about the model's origin (degrees).
    pub rotation_deg: f64,
    /// Velocity of the centre of mass (m/s).
    pub velocity: Vec2,
    /// Angular velocity, counter-clockwise (degrees/s).
    pub spin_deg: f64,
    /// Constant force on the centre of mass (N).
    pub force: Vec2,
    /// Constant torque about the centre of mass (N m).
    pub torque: f64,
    /// True for x, y and angle if the coordinate is held.
    pub fixed: [bool; 3],
    /// Mass per length of edge (kg/m).
    pub density: f64,
    /// Number of the group; no group if it is negative.
    pub group_id: i64,
    /// Time after which a kinematic body stands still (s).
    pub max_time: f64,
    /// Poses of a kinematic body after each step: centre of mass (m) and rotation since the start
    /// (degrees).
    pub poses: Vec<(Vec2, f64)>,
}

impl Placed {
    /// Name of the body in the scene, from its number in the file.
    pub(super) fn name(&self) -> String {
        format!("body_{}", self.index)
    }

    /// Position of a point of the model at the start (m).
    pub(super) fn world(&self, point: Vec2) -> Vec2 {
        let (sin, cos) = sin_cos(self.rotation_deg.to_radians());
        self.position + Vec2::new(cos * point.x - sin * point.y, sin * point.x + cos * point.y)
    }

    /// Shape of the model with its origin moved to `origin` (m).
    pub(super) fn shape(&self, origin: Vec2) -> Shape {
        let vertices = self.vertices.iter();
        let vertices = vertices.map(|vertex| (vertex - origin).into()).collect();
        Wire::new(vertices, self.edges.clone()).into()
    }

    /// Scene body for a dynamic body: rigid, with its mass on the edges.
    ///
    /// Velocity and force are those of the body; fixed coordinates are held.
    pub(super) fn body(&self, material: String, group: Option<String>) -> schema::Body {
        let axes = [Axis::X, Axis::Y, Axis::Angle].into_iter().zip(self.fixed);
        let fixed = axes.filter_map(|(axis, fixed)| fixed.then_some(axis));

        schema::Body {
            position: self.position.into(),
            rotation_deg: self.rotation_deg,
            velocity: self.velocity.into(),
            spin_deg: self.spin_deg,
            force: self.force.into(),
            torque: self.torque,
            fixed: fixed.collect(),
            mass_from: MassFrom::Edges,
            group,
            ..schema::Body::rigid(self.name(), self.shape(Vec2::zeros()), material)
        }
    }

    /// Centre of mass of the model (m).
    ///
    /// With half of each edge's mass at either end it is `sum l (a + b) / 2 / sum l`, for edges of
    /// length `l` from `a` to `b`.
    pub(super) fn centre(&self) -> Vec2 {
        let mut sum = Vec2::zeros();
        for &[a, b] in &self.edges {
            let a = self.vertices[a];
            let b = self.vertices[b];
            sum += (b - a).norm() * (a + b) / 2.0;
        }
        sum / length(&self.vertices, &self.edges)
    }
}
