//! What the numbers of one body follow from: size, mass, motion and material.

use super::super::builder::Builder;
use crate::schema::{self, Scene};
use ipcsim_contact::Hardness;
use ipcsim_core::body::{Body, BodyKind, Prescribed};
use ipcsim_math::{Vec2, cross};
use std::ops::Range;

/// What the numbers of one body follow from.
#[derive(Clone, Copy)]
pub(super) struct Traits {
    /// Size, mass, motion and material. The size is twice the distance of the farthest point from
    /// the middle of the boundary, which depends neither on rotation nor on the mesh.
    pub hardness: Hardness,
    /// Width of a body with an area `A` and a size `L`, `A/L` (m); infinite without an area.
    pub width: f64,
    /// True for affine bodies whose stiffness the scene leaves out.
    pub lacks_stiffness: bool,
}

impl Builder {
    /// Traits of all bodies and obstacles, which are at `x` at the start (m), `[bodies]`.
    pub(super) fn traits(&self, scene: &Scene, x: &[Vec2]) -> Vec<Traits> {
        let masses: Vec<Vec2> = self.nodes.iter().map(|node| node.mass).collect();
        let areas = self.areas(x);

        let traits = self.bodies.iter().enumerate().map(|(k, body)| {
            // Half-planes, the world, periods and points have no size.
            let size = match body.kind {
                BodyKind::HalfPlane | BodyKind::World | BodyKind::Cell => 0.0,
                _ => self.size_of(body.vertices.clone(), x),
            };
            let size = if size > 0.0 { size } else { f64::INFINITY };
            // Obstacles come after all bodies and have no entry there.
            let traits = match scene.bodies.get(k) {
                Some(spec) => {
                    let own = body.mass(&masses);
                    let mass = self.reduced_mass.get(&k).copied().unwrap_or(own);
                    let peak = self.load_peaks.get(&k).copied().unwrap_or_default();
                    self.traits_of_body(body, spec, scene, [size, mass, peak[0], peak[1]])
                }
                None => self.traits_of_obstacle(body, size),
            };
            let width = if areas[k] > 0.0 {
                coarse(areas[k] / size)
            } else {
                f64::INFINITY
            };
            Traits { width, ..traits }
        });
        traits.collect()
    }

    /// Traits of a body of this size (m) and mass (kg), with loads of at most this force (N) and
    /// torque (N m). A point counts as large as a square of its mass.
    fn traits_of_body(
        &self,
        body: &Body,
        spec: &schema::Body,
        scene: &Scene,
        [size, mass, force, torque]: [f64; 4],
    ) -> Traits {
        let thickness = self.mean_turn(scene, body.vertices.clone());
        let material = scene.materials.get(&spec.material);
        let density = material.map_or(1.0, |material| material.density);
        let size = if size.is_finite() {
            size
        } else {
            coarse((mass / (density * thickness)).sqrt())
        };

        let force = Vec2::from(spec.force).norm() + force + (spec.torque.abs() + torque) / size;
        let spin = spec.spin_deg.to_radians().abs();
        let scripted = self.speed_of(body, size);
        let rules = spec.kind.rules();

        // The softest of a body's materials.
        let regions = spec.regions.iter();
        let others = regions.filter_map(|region| scene.materials.get(&region.material));
        let laws = material
            .into_iter()
            .chain(others)
            .filter_map(|material| material.law);
        let stiffness = laws.map(|law| law.stiffness()).reduce(f64::min);
        // A law that the kind does not read makes nothing softer.
        let stiffness = stiffness.filter(|_| rules.needs_law());

        Traits {
            hardness: Hardness {
                stiffness: stiffness
                    .filter(|&of_law| of_law > 0.0)
                    .unwrap_or(f64::INFINITY),
                mass: coarse(mass / (size * thickness)),
                size,
                acceleration: Vec2::from(scene.gravity).norm() + coarse(force / mass),
                speed: (Vec2::from(spec.velocity).norm() + spin * size / 2.0).max(scripted),
            },
            width: f64::INFINITY,
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
            width: f64::INFINITY,
            lacks_stiffness: false,
        }
    }

    /// Areas that the edges of bodies enclose at `x` (m, `[vertices]`), `[bodies]`; 0 for those
    /// that enclose none, and for circles.
    fn areas(&self, x: &[Vec2]) -> Vec<f64> {
        let owner = self.owners();
        let mut areas = vec![0.0; self.bodies.len()];
        for &[a, b] in &self.edges {
            let k = owner[a];
            let origin = x[self.bodies[k].vertices.start];
            areas[k] += cross(x[a] - origin, x[b] - origin) / 2.0;
        }
        let filled = areas.iter().zip(&self.filled);
        filled
            .map(|(area, &is_filled)| if is_filled { area.abs() } else { 0.0 })
            .collect()
    }

    /// Size of the boundary of the vertices in a range (m). Vertices count by their length of it,
    /// so that collinear ones change nothing; circles count with their radius.
    fn size_of(&self, own: Range<usize>, x: &[Vec2]) -> f64 {
        let length = |i: usize| self.vertices[i].weight.max(self.vertices[i].radius);
        let whole: f64 = own.clone().map(length).sum();
        // Vertices without a boundary, such as points, count alike.
        let share = |i: usize| {
            if whole > 0.0 {
                length(i) / whole
            } else {
                1.0 / own.len().max(1) as f64
            }
        };

        let middle: Vec2 = own.clone().map(|i| x[i] * share(i)).sum();
        let outline = own.clone().filter(|&i| share(i) > 0.0);
        let farthest = outline
            .map(|i| (x[i] - middle).norm() + self.vertices[i].radius)
            .fold(0.0, f64::max);
        coarse(2.0 * farthest)
    }

    /// Largest speed of a script of a body of this size (m), rotation included (m/s); 0 without
    /// scripts. A half-plane is as fast as its origin.
    fn speed_of(&self, body: &Body, size: f64) -> f64 {
        let own = |p: &&Prescribed| body.nodes.contains(&p.node);
        let speeds = self.prescribed.iter().filter(own).map(|prescribed| {
            let [speed, turning] = prescribed.fastest();
            speed
                + if size.is_finite() {
                    turning * size / 2.0
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
