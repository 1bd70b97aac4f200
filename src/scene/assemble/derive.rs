//! Numbers that a scene may leave out: what they are derived from, and why.

use super::builder::Builder;
use crate::body::{Body, BodyKind, Prescribed};
use crate::contact::barrier::Barrier;
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::math::number::short;
use crate::scene::schema::{self, Scene};
use serde::{Deserialize, Serialize};

/// Default of `d_hat` relative to the diagonal of the scene.
const D_HAT_SHARE: f64 = 1e-3;

/// Most of the smallest body that the default may be.
const SHARE_OF_BODY: f64 = 0.02;

/// Share of a speed at the start that counts as having to be stopped in one step.
const IMPACT_SHARE: f64 = 0.1;

/// Default of `kappa`, where nothing is elastic, relative to the pressure of a body's weight and impact on its vertices.
const PRESSURES: f64 = 40.0;

/// Default of `eps_v` relative to the size of the largest body (1/s), and most that it may be (m/s).
const CREEP: (f64, f64) = (1e-3, 1e-3);

/// Default of the tolerance relative to `eps_v` where nothing rubs.
const COARSER: f64 = 10.0;

/// A number that a run uses, and where it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Derived {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// Why it is what it is.
    pub reason: String,
    /// Whether the scene gives it.
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

    /// Takes what the scene says, if it says anything, and tells it what is used.
    fn or(mut self, given: &mut Option<f64>) -> Self {
        if let Some(value) = *given {
            (self.value, self.given, self.reason) = (value, true, "given by the scene".to_owned());
        }
        *given = Some(self.value);
        self
    }
}

/// The numbers that every scene has.
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
    /// Fills in what the scene leaves open; `x` are positions at the start.
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

    /// What depends on bodies one by one and is not what it would be in general: how near one may come to itself, and how
    /// stiff affine ones are.
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
                "\"{}\" and affine bodies like it keep their shape nearly",
                body.name
            );
            Some(Derived::new("affine_stiffness", stiffness, "Pa", reason))
        });
        own.into_iter().chain(affine).collect()
    }

    /// Twice the distance of a body's farthest point from the mean of its vertices (m), which is the same however it is turned.
    fn size(&self, body: &Body, x: &[Vec2]) -> f64 {
        let own = body.vertices.clone();
        let middle = x[own.clone()].iter().sum::<Vec2>() / own.len().max(1) as f64;
        2.0 * own
            .map(|i| (x[i] - middle).norm() + self.vertices[i].radius)
            .fold(0.0, f64::max)
    }

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

    fn eps_v(&self, x: &[Vec2]) -> Derived {
        let (share, most) = CREEP;
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
            _ => (most, "the most that it is set to".to_owned()),
        };
        Derived::new("eps_v", value, "m/s", reason)
    }

    /// The largest speed of what is prescribed (m/s).
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

    /// A pressure (Pa) that holds and stops the bodies of a scene in which nothing is elastic: that of a body's weight, of
    /// forces on it and of a share of its speed at the start or of that of what is prescribed, on one of its vertices.
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
            None => (PRESSURES, "nothing is elastic, heavy or moving".to_owned()),
        }
    }
}

/// The deformable material in use that is the stiffest, and its stiffness (Pa).
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

/// Friction holds a body that creeps slower than `eps_v`. A solver that stops sooner would let it creep by itself.
fn tolerance(scene: &Scene, eps_v: f64) -> Derived {
    let friction = &scene.contact.friction;
    let rubs = friction.default > 0.0 || friction.pairs.iter().any(|pair| pair.coefficient > 0.0);
    let (value, reason) = if rubs {
        (
            eps_v,
            "eps_v, lest bodies that friction holds should creep".to_owned(),
        )
    } else {
        (
            COARSER * eps_v,
            format!("{COARSER} times eps_v, as nothing rubs"),
        )
    };
    Derived::new("tolerance", value, "m/s", reason)
}
