//! What the numbers of one body follow from: size, mass, motion and material.

use super::super::builder::Builder;
use crate::body::{Body, BodyKind, Prescribed};
use crate::contact::Hardness;
use crate::math::Vec2;
use crate::scene::schema::{self, Scene};
use std::ops::Range;

/// What the numbers of one body follow from.
#[derive(Clone, Copy)]
pub(super) struct Traits {
    /// Size, mass, motion and material. The size is twice the distance of the farthest point from
    /// the mean of the vertices, which does not depend on rotation.
    pub hardness: Hardness,
    /// True for affine bodies whose stiffness the scene leaves out.
    pub lacks_stiffness: bool,
}

impl Builder {
    /// Traits of all bodies and obstacles, which are at `x` at the start (m), `[bodies]`.
    pub(super) fn traits(&self, scene: &Scene, x: &[Vec2]) -> Vec<Traits> {
        // A point counts as large as the farthest vertices of the scene are apart, if at all.
        let around = self.size_of(0..x.len(), x);
        let fallback = if around > 0.0 { around } else { 1.0 };

        let traits = self.bodies.iter().enumerate().map(|(k, body)| {
            let size = match body.kind {
                BodyKind::HalfPlane => f64::INFINITY,
                _ => Some(self.size_of(body.vertices.clone(), x))
                    .filter(|&size| size > 0.0)
                    .unwrap_or(fallback),
            };
            match scene.bodies.get(k) {
                Some(spec) => self.traits_of_body(body, spec, scene, size),
                None => self.traits_of_obstacle(body, size),
            }
        });
        traits.collect()
    }

    /// Traits of a body of this size (m).
    fn traits_of_body(&self, body: &Body, spec: &schema::Body, scene: &Scene, size: f64) -> Traits {
        let masses: Vec<Vec2> = self.nodes.iter().map(|node| node.mass).collect();
        let material = scene.materials.get(&spec.material);
        let mass = match body.mass(&masses) {
            mass if mass > 0.0 => mass,
            // A reduced basis does not know the mass of its body.
            _ => material.map_or(0.0, |material| material.density) * size * size * scene.thickness,
        };

        let force = Vec2::from(spec.force).norm() + spec.torque.abs() / size;
        let spin = spec.spin_deg.to_radians().abs();
        let scripted = self.speed_of(body, size);
        let rules = spec.kind.rules();
        let law = material.and_then(|material| material.law);
        let stiffness = law.filter(|_| rules.needs_law()).map(|law| law.stiffness());
        Traits {
            hardness: Hardness {
                stiffness: stiffness
                    .filter(|&of_law| of_law > 0.0)
                    .unwrap_or(f64::INFINITY),
                mass: coarse(mass / (size * scene.thickness)),
                size,
                acceleration: Vec2::from(scene.gravity).norm() + coarse(force / mass),
                speed: (Vec2::from(spec.velocity).norm() + spin * size).max(scripted),
            },
            lacks_stiffness: rules.lacks_stiffness(),
        }
    }

    /// Traits of an obstacle of this size (m), which has no mass.
    fn traits_of_obstacle(&self, body: &Body, size: f64) -> Traits {
        Traits {
            hardness: Hardness {
                stiffness: f64::INFINITY,
                mass: 0.0,
                size,
                acceleration: 0.0,
                speed: self.speed_of(body, size),
            },
            lacks_stiffness: false,
        }
    }

    /// Size of the surface of the vertices in a range, or of all of them without one (m). Circles
    /// count with their radius.
    fn size_of(&self, own: Range<usize>, x: &[Vec2]) -> f64 {
        let collides = |&i: &usize| self.vertices[i].weight > 0.0 || self.vertices[i].radius > 0.0;
        let mut outline: Vec<usize> = own.clone().filter(collides).collect();
        if outline.is_empty() {
            outline = own.collect();
        }

        let middle = outline.iter().map(|&i| x[i]).sum::<Vec2>() / outline.len().max(1) as f64;
        let farthest = outline
            .iter()
            .map(|&i| (x[i] - middle).norm() + self.vertices[i].radius)
            .fold(0.0, f64::max);
        coarse(2.0 * farthest)
    }

    /// Largest speed of a script of a body of this size (m), rotation included (m/s); 0 without
    /// scripts. A half-plane is as fast as its origin.
    fn speed_of(&self, body: &Body, size: f64) -> f64 {
        let own = |p: &&Prescribed| body.nodes.contains(&p.node);
        let speeds = self.prescribed.iter().filter(own).map(|prescribed| {
            let [speed, turning] = prescribed.motion.fastest();
            speed
                + if size.is_finite() {
                    turning * size
                } else {
                    0.0
                }
        });
        speeds.fold(0.0, f64::max)
    }
}

/// A positive number to 32 binary digits, so that equal bodies in different places, whose numbers
/// differ by rounding, have the same.
///
/// A factor that is a power of 2 changes no digit.
fn coarse(number: f64) -> f64 {
    const DROPPED: u32 = 20;
    let half = 1 << (DROPPED - 1);
    f64::from_bits((number.to_bits() + half) >> DROPPED << DROPPED)
}
