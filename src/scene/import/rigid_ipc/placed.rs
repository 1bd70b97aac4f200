//! A body of the file, with its numbers read and its model scaled.

use super::format::Kind;
use super::model::length;
use crate::math::Vec2;
use crate::scene::schema::{self, Axis, MassFrom, Shape, Wire};

/// A body at the start: its model is scaled, rotated about its origin, and moved.
pub(super) struct Placed {
    /// Number of the body in the file.
    pub index: usize,
    /// Kind of motion. A body without a free coordinate is static.
    pub kind: Kind,
    /// Vertices of the model (m).
    pub vertices: Vec<Vec2>,
    pub edges: Vec<[usize; 2]>,
    /// Position of the model's origin (m).
    pub position: Vec2,
    /// Rotation about the model's origin (degrees).
    pub rotation_deg: f64,
    /// Velocity of the centre of mass (m/s).
    pub velocity: Vec2,
    /// Angular velocity (degrees/s).
    pub spin_deg: f64,
    /// Constant force (N).
    pub force: Vec2,
    /// Constant torque (N m).
    pub torque: f64,
    /// True for x, y and angle if the coordinate is held.
    pub fixed: [bool; 3],
    /// Mass per length of edge (kg/m).
    pub density: f64,
    pub group_id: i64,
    /// Time after which a kinematic body stands still (s).
    pub max_time: f64,
    /// Poses of a kinematic body after each step: centre of mass (m) and rotation since the start
    /// (degrees).
    pub poses: Vec<(Vec2, f64)>,
}

impl Placed {
    pub(super) fn name(&self) -> String {
        format!("body_{}", self.index)
    }

    /// Position of a point of the model at the start (m).
    pub(super) fn world(&self, point: Vec2) -> Vec2 {
        let (sin, cos) = self.rotation_deg.to_radians().sin_cos();
        self.position + Vec2::new(cos * point.x - sin * point.y, sin * point.x + cos * point.y)
    }

    /// Shape of the model with its origin moved to `origin` (m).
    pub(super) fn shape(&self, origin: Vec2) -> Shape {
        let vertices = self
            .vertices
            .iter()
            .map(|vertex| (vertex - origin).into())
            .collect();
        Shape::Wire(Wire {
            vertices,
            edges: self.edges.clone(),
        })
    }

    /// Scene body for a dynamic body.
    pub(super) fn body(&self, material: String, group: Option<String>) -> schema::Body {
        let axes = [Axis::X, Axis::Y, Axis::Angle];

        schema::Body {
            name: self.name(),
            kind: schema::Kind::Rigid,
            shape: self.shape(Vec2::zeros()),
            material,
            position: self.position.into(),
            rotation_deg: self.rotation_deg,
            stretch: [1.0, 1.0],
            velocity: self.velocity.into(),
            spin_deg: self.spin_deg,
            force: self.force.into(),
            torque: self.torque,
            fixed: axes
                .into_iter()
                .zip(self.fixed)
                .filter_map(|(axis, fixed)| fixed.then_some(axis))
                .collect(),
            script: None,
            mass_from: MassFrom::Edges,
            group,
            lumping: crate::body::Lumping::default(),
            prescribed: Vec::new(),
            copies: None,
        }
    }

    /// Centre of mass of the model (m), with half of each edge's mass at either end.
    pub(super) fn centre(&self) -> Vec2 {
        let mut sum = Vec2::zeros();
        for [a, b] in &self.edges {
            let (a, b) = (self.vertices[*a], self.vertices[*b]);
            sum += (b - a).norm() * (a + b) / 2.0;
        }
        sum / length(&self.vertices, &self.edges)
    }
}
