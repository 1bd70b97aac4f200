//! Obstacles: outlines and half-planes whose motion is scripted.
//!
//! An obstacle collides and has no mass. Its nodes are prescribed for the whole run, and at rest
//! that is a script of rest. There are three forms:
//!
//! - an outline is a rigid body of two nodes, its origin and its angle;
//! - a half-plane that keeps its direction has one node and one vertex, a point of its line;
//! - a half-plane that turns is a rigid body of two vertices, a point of its line and another one
//!   1 m along it, from which the normal follows.
//!
//! Obstacles stand after the bodies in all lists of the world. The last is what joints to the world
//! hold on to, if there are any: a body without a surface, at rest in the origin.

use super::builder::{Builder, Node, Vertex};
use super::outline::PlacedOutline;
use super::placement::Placement;
use crate::schema::{self, Scene, Shape, WORLD};
use ipcsim_contact::HalfPlane;
use ipcsim_core::body::{Body, BodyKind, Prescribed, Rigid, Role, ScriptedMotion};
use ipcsim_math::{Vec2, perp};

impl Builder {
    /// Adds an obstacle of any shape, with its script.
    ///
    /// A half-plane is treated by itself: it has no outline, and its origin is its own. Every other
    /// shape becomes a rigid body without mass, which rotates about the shape's origin.
    pub(super) fn add_obstacle(
        &mut self,
        obstacle: &schema::Obstacle,
        number: usize,
        scene: &Scene,
    ) {
        let script = obstacle.script();

        // Half-planes have an origin of their own.
        if let Shape::HalfPlane(plane) = &obstacle.shape {
            let motion = Placement::new(plane.origin, 0.0).motion(&script);
            if motion.turns() {
                self.add_turning_half_plane(obstacle, plane, &motion);
            } else {
                self.add_half_plane(obstacle, plane, motion);
            }
            return;
        }

        // A rigid body about the shape's origin.
        let placed = PlacedOutline::of_obstacle(obstacle, scene.thickness);
        let origin = placed.placement.origin;
        let arms = placed.outline.vertices.iter().map(|x| x - origin).collect();
        let kinematics = Box::new(Rigid { arms });
        let name = obstacle.name.clone();
        let vertex = self.vertices.len();
        let first = self.add_outline(name, BodyKind::Obstacle, &placed, kinematics);
        let path = format!("obstacles[{number}]");
        self.put_onto_axis(scene, &obstacle.name, &path, vertex);
        self.nodes.push(Node::driven(origin));
        self.nodes.push(Node::driven(Vec2::zeros()));
        self.prescribe_rigid(first, Vec2::zeros(), &placed.placement.motion(&script));
    }

    /// Adds what joints to the world hold on to: two vertices by which frames at any place are exact.
    pub(super) fn add_world(&mut self) {
        let arms = vec![Vec2::zeros(), Vec2::x()];
        let vertices = arms.iter().copied().map(Vertex::without_contact).collect();
        let kinematics = Box::new(Rigid { arms });
        let first = self.add_whole(WORLD.to_owned(), BodyKind::World, vertices, kinematics);

        self.filled.push(false);
        self.groups.push(None);
        self.nodes.push(Node::driven(Vec2::zeros()));
        self.nodes.push(Node::driven(Vec2::zeros()));
        self.prescribe_rigid(first, Vec2::zeros(), &ScriptedMotion::REST);
    }

    /// Adds a half-plane that does not turn: one free vertex at its origin, which `motion` moves.
    ///
    /// The vertex is no part of the surface: it does not collide, and only carries the plane along.
    /// The normal is constant, hence the plane needs no second vertex.
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
            normal: plane.direction(),
            origin: vertex,
            along: None,
        });

        // Both components of the origin follow the script.
        self.prescribed.push(Prescribed {
            node,
            role: Role::Point,
            start: origin,
            axes: [true; 2],
            motion,
            displacement: None,
            from: 0.0,
            selection: 0,
        });
        self.bodies.push(Body {
            name: obstacle.name.clone(),
            kind: BodyKind::HalfPlane,
            vertices: vertex..vertex + 1,
            nodes: node..node + 1,
        });
    }

    /// Adds a half-plane that turns: a rigid body of its origin and a point 1 m along the plane.
    ///
    /// The origin is the centre of the rotation that `motion` makes.
    fn add_turning_half_plane(
        &mut self,
        obstacle: &schema::Obstacle,
        plane: &schema::HalfPlane,
        motion: &ScriptedMotion,
    ) {
        let origin = Vec2::from(plane.origin);
        let normal = plane.direction();
        let arms = vec![Vec2::zeros(), -perp(normal)];
        let vertices = arms
            .iter()
            .map(|arm| Vertex::without_contact(origin + arm))
            .collect();

        let vertex = self.vertices.len();
        let name = obstacle.name.clone();
        let kinematics = Box::new(Rigid { arms });
        let first = self.add_whole(name, BodyKind::HalfPlane, vertices, kinematics);

        // The normal follows from the second vertex.
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
