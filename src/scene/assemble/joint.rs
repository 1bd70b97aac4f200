//! Joints between the bodies of the world.
//!
//! A joint is an equation between positions of vertices. Two vertices of a rigid body fix its pose,
//! and the farther they are apart, the less their rounding counts. Each joint also carries the mass
//! of its lighter body and the size of its larger one, by which stiffness and opening are judged.

use super::builder::Builder;
use crate::constraint::{Constraint, Hinge, Joint, Rod};
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::scene::schema::{self, Scene};
use std::sync::Arc;

impl Builder {
    /// The joints of a scene, whose vertices start at `x` (m).
    pub(super) fn joints(&self, scene: &Scene, x: &[Vec2]) -> Vec<Joint> {
        let joints = scene.joints.iter().filter_map(|joint| match joint {
            schema::Joint::Hinge(hinge) => self.joint(&hinge.bodies, x, |a, b| {
                Arc::new(Hinge::between(a, b, hinge.at.into()))
            }),
            schema::Joint::Rod(rod) => self.joint(&rod.bodies, x, |a, b| {
                Arc::new(Rod::between(a, b, rod.ends.map(Vec2::from)))
            }),
        });
        joints.collect()
    }

    /// A joint between the bodies of these names, by its constraint between two vertices of each (m).
    ///
    /// `None` if one of them does not exist. This happens where only the sound part of a scene is
    /// built.
    fn joint(
        &self,
        [first, second]: &[String; 2],
        x: &[Vec2],
        constraint: impl Fn([Vec2; 2], [Vec2; 2]) -> Arc<dyn Constraint>,
    ) -> Option<Joint> {
        let bodies = [self.body_named(first)?, self.body_named(second)?];
        let [a, b] = bodies.map(|body| self.ends(body, x));
        Some(Joint {
            constraint: constraint(a.map(|i| x[i]), b.map(|i| x[i])),
            vertices: [a[0], a[1], b[0], b[1]],
            bodies,
            mass: self.lighter(bodies),
            size: self.larger(bodies, x),
        })
    }

    /// The first vertex of a body, and the one that is farthest from it at `x` (m).
    pub(super) fn ends(&self, body: usize, x: &[Vec2]) -> [usize; 2] {
        let vertices = self.bodies[body].vertices.clone();
        let first = vertices.start;
        let away = |i: usize| (x[i] - x[first]).norm_squared();
        let last = vertices.max_by(|&i, &j| away(i).total_cmp(&away(j)));
        [first, last.unwrap_or(first)]
    }

    /// Mass (kg) of the lighter of two bodies, where obstacles have none.
    fn lighter(&self, bodies: [usize; 2]) -> f64 {
        let mass = bodies.map(|body| self.nodes[self.bodies[body].nodes.start].mass.x);
        match mass {
            [a, b] if a > 0.0 && b > 0.0 => a.min(b),
            [a, b] => a.max(b),
        }
    }

    /// Diameter (m) of the larger of two bodies: that of its box.
    fn larger(&self, bodies: [usize; 2], x: &[Vec2]) -> f64 {
        let size = bodies.map(|body| {
            let vertices = self.bodies[body].vertices.clone();
            Aabb::around(vertices.map(|i| x[i])).extent().norm()
        });
        size[0].max(size[1])
    }
}
