//! Obstacles: outlines and half-planes whose motion is scripted.

use super::builder::{Builder, Node, Vertex};
use super::placement::Placement;
use super::rigid::PlacedOutline;
use crate::body::{Body, BodyKind, Prescribed, Rigid, Role, ScriptedMotion};
use crate::contact::HalfPlane;
use crate::math::{Vec2, perp};
use crate::scene::schema::{self, Scene, Shape};

impl Builder {
    /// Adds an obstacle.
    pub(super) fn add_obstacle(&mut self, obstacle: &schema::Obstacle, scene: &Scene) {
        let script = obstacle.script();
        if let Shape::HalfPlane(plane) = &obstacle.shape {
            let motion = Placement::new(plane.origin, 0.0).motion(&script);
            if motion.turns() {
                self.add_turning_half_plane(obstacle, plane, motion);
            } else {
                self.add_half_plane(obstacle, plane, motion);
            }
            return;
        }

        let placed = PlacedOutline::of_obstacle(obstacle, scene.thickness);
        let origin = placed.placement.origin;
        let arms = placed.outline.vertices.iter().map(|x| x - origin).collect();
        let kinematics = Box::new(Rigid { arms });
        let first = self.add_outline(
            obstacle.name.clone(),
            BodyKind::Obstacle,
            &placed,
            kinematics,
        );
        self.nodes.push(Node::driven(origin));
        self.nodes.push(Node::driven(Vec2::zeros()));
        self.prescribe_rigid(first, Vec2::zeros(), placed.placement.motion(&script));
    }

    /// Adds a half-plane that does not turn: one free vertex, its origin.
    fn add_half_plane(
        &mut self,
        obstacle: &schema::Obstacle,
        plane: &schema::HalfPlane,
        motion: ScriptedMotion,
    ) {
        let vertex = self.vertices.len();
        let node = self.nodes.len();
        let origin = Vec2::from(plane.origin);
        self.coordinates.add_free(1);
        self.vertices.push(Vertex::without_contact(origin));
        self.nodes.push(Node::driven(origin));
        self.filled.push(false);
        self.groups.push(obstacle.group.clone());
        self.planes.push(HalfPlane {
            normal: Vec2::from(plane.normal).normalize(),
            origin: vertex,
            along: None,
        });

        self.prescribed.push(Prescribed {
            node,
            role: Role::Point,
            start: origin,
            axes: [true; 2],
            motion,
        });
        self.bodies.push(Body {
            name: obstacle.name.clone(),
            kind: BodyKind::HalfPlane,
            vertices: vertex..vertex + 1,
            nodes: node..node + 1,
        });
    }

    /// Adds a half-plane that turns: a rigid body of its origin and a point 1 m along the plane.
    fn add_turning_half_plane(
        &mut self,
        obstacle: &schema::Obstacle,
        plane: &schema::HalfPlane,
        motion: ScriptedMotion,
    ) {
        let origin = Vec2::from(plane.origin);
        let normal = Vec2::from(plane.normal).normalize();
        let arms = vec![Vec2::zeros(), -perp(normal)];
        let vertices = arms
            .iter()
            .map(|arm| Vertex::without_contact(origin + arm))
            .collect();

        let vertex = self.vertices.len();
        let name = obstacle.name.clone();
        let first = self.add_whole(
            name,
            BodyKind::HalfPlane,
            vertices,
            Box::new(Rigid { arms }),
        );
        self.filled.push(false);
        self.groups.push(obstacle.group.clone());
        self.planes.push(HalfPlane {
            normal,
            origin: vertex,
            along: Some(vertex + 1),
        });
        self.nodes.push(Node::driven(origin));
        self.nodes.push(Node::driven(Vec2::zeros()));
        self.prescribe_rigid(first, Vec2::zeros(), motion);
    }
}
