//! Defaults of numbers that a scene leaves out, each with the reason for its value.

use super::builder::Builder;
use crate::body::{Body, BodyKind, Prescribed};
use crate::contact::barrier::Barrier;
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::math::number::short;
use crate::scene::schema::{self, Scene};
use serde::{Deserialize, Serialize};

/// Default of `d_hat` relative to the diagonal of the scene (1). Larger, gaps are visible; smaller, steps
/// need more Newton iterations.
const D_HAT_SHARE: f64 = 1e-3;

/// Largest default of `d_hat` relative to the smallest body (1). Larger, contacts of a small body reach
/// across it.
const SHARE_OF_BODY: f64 = 0.02;

/// Share (1) of a body's speed that `kappa` is made to stop in one step. Larger, contact is stiffer than
/// needed; smaller, gaps after an impact shrink.
const IMPACT_SHARE: f64 = 0.1;

/// Default of `kappa` relative to the pressure of weight and impact (1), where nothing is elastic.
/// Smaller, gaps at rest shrink; larger, the Newton system is worse conditioned.
const PRESSURES: f64 = 40.0;

/// Default of `eps_v` relative to the size of the largest body (1/s). Larger, bodies at rest creep
/// visibly; smaller, friction needs more Newton iterations.
const CREEP: f64 = 1e-3;

/// Largest default of `eps_v` (m/s).
const MOST_CREEP: f64 = 1e-3;

/// Default of the tolerance relative to `eps_v` (1) where there is no friction, and nothing to creep.
const COARSER: f64 = 10.0;

/// A number that a run uses, and the reason for its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Derived {
    /// Name of the number.
    pub name: String,
    /// Value of the number.
    pub value: f64,
    /// Unit of the value.
    pub unit: String,
    /// Reason for the value.
    pub reason: String,
    /// True if the scene gives the value.
    pub given: bool,
}

impl Derived {
    fn new(name: &str, value: f64, unit: &str, reason: String) -> Self {
        Self {
            name: name.to_owned(),
            value,
            unit: unit.to_owned(),
            reason,
            given: false,
        }
    }

    /// Prefers the value that the scene gives, and writes the value to the scene otherwise.
    fn or(mut self, given: &mut Option<f64>) -> Self {
        if let Some(value) = *given {
            (self.value, self.given, self.reason) = (value, true, "given by the scene".to_owned());
        }
        *given = Some(self.value);
        self
    }
}

/// Numbers that every scene has.
pub(super) struct Numbers {
    pub d_hat: Derived,
    pub kappa: Derived,
    pub eps_v: Derived,
    pub tolerance: Derived,
}

impl Numbers {
    pub(super) fn barrier(&self, scene: &Scene) -> Barrier {
        Barrier {
            shape: scene.contact.barrier,
            kappa: self.kappa.value,
        }
    }

    pub(super) fn list(self) -> Vec<Derived> {
        vec![self.d_hat, self.kappa, self.eps_v, self.tolerance]
    }
}

impl Builder {
    /// Fills in the numbers that the scene leaves out; `x` are positions at the start (m).
    pub(super) fn derive(&self, scene: &mut Scene, x: &[Vec2]) -> Numbers {
        let d_hat = self.d_hat(x).or(&mut scene.contact.d_hat);
        let kappa = self
            .kappa(scene, x, d_hat.value)
            .or(&mut scene.contact.kappa);
        let eps_v = self.eps_v(x).or(&mut scene.contact.friction.eps_v);
        let tolerance = tolerance(scene, eps_v.value).or(&mut scene.solver.tolerance);
        Numbers {
            d_hat,
            kappa,
            eps_v,
            tolerance,
        }
    }

    /// Numbers of single bodies that differ from the general ones: the reach of the barrier within a body,
    /// and the stiffness of affine bodies.
    pub(super) fn particular(&self, scene: &Scene, self_d_hat: &[f64], d_hat: f64) -> Vec<Derived> {
        let nearest = self
            .bodies
            .iter()
            .zip(self_d_hat)
            .min_by(|a, b| a.1.total_cmp(b.1));

        let own = nearest.filter(|(_, own)| **own < d_hat).map(|(body, own)| {
            Derived::new(
                "d_hat_self",
                *own,
                "m",
                format!("half of the smallest gap of \"{}\" at rest", body.name),
            )
        });
        let affine = scene.bodies.iter().find_map(|body| {
            let stiffness = body.kind.rules().assumed_stiffness()?;
            let reason = format!(
                "default, with which \"{}\" and other affine bodies hardly deform",
                body.name
            );
            Some(Derived::new("affine_stiffness", stiffness, "Pa", reason))
        });
        own.into_iter().chain(affine).collect()
    }

    /// Size of a body (m): twice the distance of its farthest point from the mean of its vertices, which
    /// does not depend on the rotation.
    fn size(&self, body: &Body, x: &[Vec2]) -> f64 {
        let own = body.vertices.clone();
        let middle = x[own.clone()].iter().sum::<Vec2>() / own.len().max(1) as f64;
        2.0 * own
            .map(|i| (x[i] - middle).norm() + self.vertices[i].radius)
            .fold(0.0, f64::max)
    }

    /// Default of `d_hat` (m).
    fn d_hat(&self, x: &[Vec2]) -> Derived {
        let diagonal = Aabb::around(x.iter().copied()).extent().norm();
        // A circle counts as its centre and a vertex on its rim do.
        let bounded = self
            .bodies
            .iter()
            .filter(|body| body.kind != BodyKind::HalfPlane);
        let sized = bounded.map(|body| {
            (
                Aabb::around(x[body.vertices.clone()].iter().copied())
                    .extent()
                    .norm(),
                body,
            )
        });
        let smallest = sized
            .filter(|(size, _)| *size > 0.0)
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let of_scene = D_HAT_SHARE * diagonal;
        let (value, reason) = match smallest {
            Some((size, body)) if SHARE_OF_BODY * size < of_scene => {
                let reason = format!(
                    "{SHARE_OF_BODY} of the smallest body, \"{}\", {} m",
                    body.name,
                    short(size)
                );
                (SHARE_OF_BODY * size, reason)
            }
            _ => (
                of_scene,
                format!(
                    "{D_HAT_SHARE} of the scene's diagonal, {} m",
                    short(diagonal)
                ),
            ),
        };
        Derived::new("d_hat", value, "m", reason)
    }

    /// Default of `kappa` (Pa).
    fn kappa(&self, scene: &Scene, x: &[Vec2], d_hat: f64) -> Derived {
        let (value, reason) = match stiffest(scene) {
            Some((name, stiffness)) => (
                stiffness,
                format!("stiffness of \"{name}\", the stiffest deformable material"),
            ),
            None => self.pressure(scene, x, d_hat),
        };
        Derived::new("kappa", value, "Pa", reason)
    }

    /// Default of `eps_v` (m/s).
    fn eps_v(&self, x: &[Vec2]) -> Derived {
        let share = CREEP;
        let most = MOST_CREEP;
        let movable = self.bodies.iter().filter(|body| !body.kind.is_obstacle());
        let largest = movable
            .map(|body| (body, self.size(body, x)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let (value, reason) = match largest {
            Some((body, size)) if size > 0.0 && share * size < most => (
                share * size,
                format!(
                    "{share} of the largest body, \"{}\", {} m, per second",
                    body.name,
                    short(size)
                ),
            ),
            _ => (most, "the largest default".to_owned()),
        };
        Derived::new("eps_v", value, "m/s", reason)
    }

    /// Largest speed of a scripted vertex (m/s), rotation included.
    fn fastest_prescribed(&self, x: &[Vec2]) -> f64 {
        let extent = |body: &Body| {
            Aabb::around(x[body.vertices.clone()].iter().copied())
                .extent()
                .norm()
        };
        let speed = |p: &Prescribed| {
            let [speed, turning] = p.motion.fastest();
            let size = self
                .bodies
                .iter()
                .find(|body| body.nodes.contains(&p.node))
                .map_or(0.0, extent);
            speed + turning * size
        };
        self.prescribed.iter().map(speed).fold(0.0, f64::max)
    }

    /// Default of `kappa` (Pa) for a scene in which nothing is elastic: a multiple of the pressure on one
    /// vertex by a body's weight, the forces on it, and a share of its speed or that of scripts.
    fn pressure(&self, scene: &Scene, x: &[Vec2], d_hat: f64) -> (f64, String) {
        let gravity = Vec2::from(scene.gravity).norm();
        let prescribed = self.fastest_prescribed(x);

        let pressure = |body: &Body, scripted: &schema::Body| {
            let mass = self.nodes[body.nodes.start].mass.x;
            let size = Aabb::around(x[body.vertices.clone()].iter().copied())
                .extent()
                .norm();
            let speed =
                Vec2::from(scripted.velocity).norm() + scripted.spin_deg.to_radians().abs() * size;
            let speed = speed.max(prescribed);
            let force = Vec2::from(scripted.force).norm() + scripted.torque.abs() / size.max(d_hat);
            let weights = self.vertices[body.vertices.clone()]
                .iter()
                .map(|vertex| vertex.weight)
                .filter(|&w| w > 0.0);
            let width = weights.reduce(f64::min).unwrap_or(d_hat * scene.thickness);
            (mass * (gravity + IMPACT_SHARE * speed / scene.time.step) + force) / width
        };

        // The body that presses most.
        let bodies = self.bodies.iter().zip(&scene.bodies);
        let pressures = bodies.map(|(body, scripted)| (pressure(body, scripted), body));
        match pressures
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(largest, _)| *largest > 0.0)
        {
            Some((largest, body)) => {
                let reason = format!(
                    "{PRESSURES} times the pressure of weight, forces and speed of \"{}\"",
                    body.name
                );
                (PRESSURES * largest, reason)
            }
            None => (PRESSURES, "no body is elastic, heavy or moving".to_owned()),
        }
    }
}

/// Name and stiffness (Pa) of the stiffest material among those of bodies that deform.
fn stiffest(scene: &Scene) -> Option<(&str, f64)> {
    let elastic = scene
        .bodies
        .iter()
        .filter(|body| body.kind.rules().needs_law());
    let laws = elastic.filter_map(|body| {
        Some((
            body.material.as_str(),
            scene.materials.get(&body.material)?.law?,
        ))
    });
    let stiffness = laws.map(|(name, law)| (name, law.stiffness()));
    stiffness
        .filter(|(_, stiffness)| *stiffness > 0.0)
        .max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Default of the solver's tolerance (m/s). Friction holds a body that moves slower than `eps_v`; a coarser
/// solver would let it creep.
fn tolerance(scene: &Scene, eps_v: f64) -> Derived {
    let friction = &scene.contact.friction;
    let rubs = friction.default > 0.0 || friction.pairs.iter().any(|pair| pair.coefficient > 0.0);
    let (value, reason) = if rubs {
        (
            eps_v,
            "equal to eps_v, so that bodies held by friction do not creep".to_owned(),
        )
    } else {
        (
            COARSER * eps_v,
            format!("{COARSER} times eps_v, as there is no friction"),
        )
    };
    Derived::new("tolerance", value, "m/s", reason)
}
