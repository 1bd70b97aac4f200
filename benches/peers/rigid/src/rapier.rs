//! rapier, with its own settings.

use crate::engine::Engine;
use crate::scene::{Pose, Scene, Shape};
use rapier2d::prelude::*;
use std::error::Error;

/// A world of rapier.
pub struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Rapier {
    /// Builds a scene.
    pub fn new(scene: &Scene, sleeps: bool) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, -9.81);
        world.integration_parameters.dt = scene.step as Real;
        let friction = scene.friction as Real;

        for plane in &scene.planes {
            let [x, y] = plane.origin.map(|x| x as Real);
            let normal = Vector::from(plane.normal.map(|n| n as Real));
            let shape = SharedShape::halfspace(normal.normalize());
            let collider = ColliderBuilder::new(shape).friction(friction);
            world.insert(
                RigidBodyBuilder::fixed().translation(Vector::new(x, y)),
                collider,
            );
        }
        let bodies = scene.bodies.iter().map(|body| {
            let [x, y] = body.start.centre.map(|x| x as Real);
            let moving = RigidBodyBuilder::dynamic()
                .translation(Vector::new(x, y))
                .rotation(body.start.angle as Real)
                .linvel(Vector::from(body.velocity.map(|v| v as Real)))
                .can_sleep(sleeps);
            let shape = match body.shape {
                Shape::Disk(radius) => ColliderBuilder::ball(radius as Real),
                Shape::Box([a, b]) => ColliderBuilder::cuboid(a as Real, b as Real),
            };
            let collider = shape.density(body.density as Real).friction(friction);
            world.insert(moving, collider).0
        });
        let bodies = bodies.collect();
        Self { world, bodies }
    }
}

impl Engine for Rapier {
    fn advance(&mut self) -> Result<(), Box<dyn Error>> {
        self.world.step();
        Ok(())
    }

    fn poses(&mut self) -> Result<Vec<Pose>, Box<dyn Error>> {
        let pose = |&handle: &RigidBodyHandle| {
            let body = &self.world.bodies[handle];
            let centre = body.translation();
            Pose {
                centre: [f64::from(centre.x), f64::from(centre.y)],
                angle: f64::from(body.rotation().angle()),
            }
        };
        Ok(self.bodies.iter().map(pose).collect())
    }
}
