//! `Box2D` v3, in four substeps.

use crate::engine::Engine;
use crate::scene::{Body, Plane, Pose, Scene, Shape};
use boxdd::{
    BodyBuilder, BodyId, BodyType, Foundation, Position, ShapeDef, SurfaceMaterial, Vec2, World,
    WorldBuilder, shapes,
};
use std::error::Error;

/// Substeps of a step, the number that its manual recommends.
const SUBSTEPS: i32 = 4;
/// Half length of the segments that stand for half-planes (m).
const FAR: f64 = 100.0;

/// A world of `Box2D`.
pub struct Box2d {
    world: World,
    bodies: Vec<BodyId>,
    step: f32,
}

impl Box2d {
    /// Builds a scene.
    ///
    /// # Errors
    /// What `Box2D` refuses.
    pub fn new(scene: &Scene, sleeps: bool) -> Result<Self, Box<dyn Error>> {
        let foundation = Foundation::initialize_default()?;
        let definition = WorldBuilder::from(foundation.world_def())
            .gravity(Vec2::new(0.0, -9.81))
            .enable_sleep(sleeps);
        let mut world = foundation.create_world(definition.build()?)?;
        let material = SurfaceMaterial::default().with_friction(scene.friction as f32)?;

        for plane in &scene.planes {
            add_plane(&mut world, foundation.body_def(), plane, material)?;
        }
        let mut bodies = Vec::new();
        for body in &scene.bodies {
            bodies.push(add_body(&mut world, foundation.body_def(), body, material)?);
        }
        let step = scene.step as f32;
        Ok(Self {
            world,
            bodies,
            step,
        })
    }
}

impl Engine for Box2d {
    fn advance(&mut self) -> Result<(), Box<dyn Error>> {
        drop(self.world.step(self.step, SUBSTEPS)?);
        Ok(())
    }

    fn poses(&mut self) -> Result<Vec<Pose>, Box<dyn Error>> {
        let mut poses = Vec::new();
        for &id in &self.bodies {
            let body = self.world.body(id)?;
            let centre = body.position()?;
            poses.push(Pose {
                centre: [f64::from(centre.x), f64::from(centre.y)],
                angle: f64::from(body.rotation()?.angle()),
            });
        }
        Ok(poses)
    }
}

fn add_body(
    world: &mut World,
    start: boxdd::BodyDef,
    body: &Body,
    material: SurfaceMaterial,
) -> Result<BodyId, Box<dyn Error>> {
    let [x, y] = body.start.centre.map(|x| x as f32);
    let velocity = body.velocity.map(|v| v as f32);
    let definition = BodyBuilder::from(start)
        .body_type(BodyType::Dynamic)
        .position(Position::new(x, y))
        .angle(body.start.angle as f32)
        .linear_velocity(velocity);
    let id = world.create_body(definition.build()?)?;
    let shape = ShapeDef::builder()
        .density(body.density as f32)
        .material(material)
        .build()?;

    let mut body_of_world = world.body(id)?;
    match body.shape {
        Shape::Disk(radius) => body_of_world.create_centered_circle(&shape, radius as f32)?,
        Shape::Box(half) => {
            let [width, height] = half.map(|size| size as f32);
            body_of_world.create_polygon(&shape, &shapes::box_polygon(width, height)?)?
        }
    };
    Ok(id)
}

fn add_plane(
    world: &mut World,
    start: boxdd::BodyDef,
    plane: &Plane,
    material: SurfaceMaterial,
) -> Result<(), Box<dyn Error>> {
    let id = world.create_body(start)?;
    let shape = ShapeDef::builder().material(material).build()?;
    let [n, o] = [plane.normal, plane.origin];
    let end = |side: f64| Vec2::new((o[0] - side * n[1]) as f32, (o[1] + side * n[0]) as f32);
    world
        .body(id)?
        .create_segment_between(&shape, end(-FAR), end(FAR))?;
    Ok(())
}
