//! Defaults of numbers that a scene leaves out, each with the reason for its value.
//!
//! Five numbers decide whether a run is accurate and fast, and few authors know good values:
//!
//! - `d_hat` (m), the reach of the barrier: small beside the scene and beside the smallest body;
//! - `kappa` (Pa), the stiffness of the barrier: that of the stiffest material, so that contact is
//!   as stiff as what is pressed, or a multiple of the pressure that bodies exert;
//! - `eps_v` (m/s), the speed at which friction is fully developed: so small that bodies at rest
//!   do not creep visibly;
//! - `tolerance` (m/s), where Newton's method stops: `eps_v` where friction holds bodies;
//! - `imbalance` (m/s), where it stops by forces: a hundredth of the tolerance.
//!
//! Each is computed from the built bodies and kept with the reason in words, which a run prints and
//! stores. A value that the scene gives is taken as it is.

use super::builder::Builder;
use crate::body::{Body, BodyKind, Prescribed};
use crate::contact::barrier::Barrier;
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::math::number::short;
use crate::scene::schema::{self, Scene};
use serde::{Deserialize, Serialize};

/// Default of `d_hat` relative to the diagonal of the scene (1).
///
/// Larger, gaps are visible; smaller, steps need more Newton iterations.
const D_HAT_SHARE: f64 = 1e-3;

/// Largest default of `d_hat` relative to the smallest body (1).
///
/// Larger, contacts of a small body reach across it.
const SHARE_OF_BODY: f64 = 0.02;

/// Share (1) of a body's speed that `kappa` is made to stop in one step.
///
/// Larger, contact is stiffer than needed; smaller, gaps after an impact shrink.
const IMPACT_SHARE: f64 = 0.1;

/// Default of `kappa` relative to the pressure of weight and impact (1), where nothing is elastic.
///
/// Smaller, gaps at rest shrink; larger, the Newton system is worse conditioned.
const PRESSURES: f64 = 40.0;

/// Default of the imbalance relative to the tolerance (1).
///
/// Larger, forces are less right than motions; smaller, steps need more Newton iterations.
const OF_TOLERANCE: f64 = 0.01;

/// Default of `eps_v` relative to the size of the largest body (1/s).
///
/// Larger, bodies at rest creep visibly; smaller, friction needs more Newton iterations.
const CREEP: f64 = 1e-3;

/// Largest default of `eps_v` (m/s).
const MOST_CREEP: f64 = 1e-3;

/// Default of the tolerance relative to `eps_v` (1) where there is no friction, and nothing to
/// creep.
const COARSER: f64 = 10.0;

/// A number that a run uses, and the reason for its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Derived {
    /// Name of the number.
    pub name: String,
    /// Value in SI units.
    pub value: f64,
    /// Unit of the value.
    pub unit: String,
    /// Reason for the value, as a phrase without a full stop.
    pub reason: String,
    /// True if the scene gives the value.
    pub given: bool,
}

impl Derived {
    /// A number that the scene does not give.
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
            self.value = value;
            self.given = true;
            "given by the scene".clone_into(&mut self.reason);
        }
        *given = Some(self.value);
        self
    }
}

/// Numbers that every scene has.
pub(super) struct Numbers {
    /// Reach of the barrier, `d_hat` (m).
    pub d_hat: Derived,
    /// Stiffness of the barrier, `kappa` (Pa).
    pub kappa: Derived,
    /// Speed above which friction has its full force, `eps_v` (m/s).
    pub eps_v: Derived,
    /// Speed of the Newton direction below which a step has converged (m/s).
    pub tolerance: Derived,
    /// Imbalance of forces below which a step has converged (m/s).
    pub imbalance: Derived,
}

impl Numbers {
    /// Barrier between all pairs of bodies, in the shape that the scene asks for.
    pub(super) fn barrier(&self, scene: &Scene) -> Barrier {
        Barrier {
            shape: scene.contact.barrier,
            kappa: self.kappa.value,
        }
    }

    /// The numbers in the order in which a run prints them.
    pub(super) fn list(self) -> Vec<Derived> {
        vec![
            self.d_hat,
            self.kappa,
            self.eps_v,
            self.tolerance,
            self.imbalance,
        ]
    }
}

impl Builder {
    /// Fills in the numbers that the scene leaves out; `x` are positions at the start (m).
    ///
    /// Later numbers depend on earlier ones: `kappa` on `d_hat`, the tolerance on `eps_v`.
    pub(super) fn derive(&self, scene: &mut Scene, x: &[Vec2]) -> Numbers {
        let d_hat = self.d_hat(x).or(&mut scene.contact.d_hat);
        let kappa = self.kappa(scene, x, d_hat.value);
        let kappa = kappa.or(&mut scene.contact.kappa);
        let eps_v = self.eps_v(x).or(&mut scene.contact.friction.eps_v);
        let tolerance = tolerance(scene, eps_v.value).or(&mut scene.solver.tolerance);
        let imbalance = imbalance(tolerance.value).or(&mut scene.solver.imbalance);
        Numbers {
            d_hat,
            kappa,
            eps_v,
            tolerance,
            imbalance,
        }
    }

    /// Numbers of single bodies that differ from the general ones.
    ///
    /// These are the smallest reach of the barrier within a body, if it is below `d_hat` (m), and
    /// the stiffness of affine bodies, if the scene gives none. `self_d_hat` are the reaches of all
    /// bodies with themselves, `[bodies]` (m).
    pub(super) fn particular(&self, scene: &Scene, self_d_hat: &[f64], d_hat: f64) -> Vec<Derived> {
        let mut numbers = Vec::new();

        // Reach of the barrier within the body that has the least.
        let reaches = self.bodies.iter().zip(self_d_hat);
        if let Some((body, &own)) = reaches.min_by(|a, b| a.1.total_cmp(b.1))
            && own < d_hat
        {
            let reason = format!("half of the smallest gap of \"{}\" at rest", body.name);
            numbers.push(Derived::new("d_hat_self", own, "m", reason));
        }

        // Stiffness of affine bodies, from the first one that has the default.
        for body in &scene.bodies {
            if let Some(stiffness) = body.kind.rules().assumed_stiffness() {
                let reason = format!(
                    "default, with which \"{}\" and other affine bodies hardly deform",
                    body.name
                );
                numbers.push(Derived::new("affine_stiffness", stiffness, "Pa", reason));
                break;
            }
        }
        numbers
    }

    /// Size of a body (m): twice the distance of its farthest point from the mean of its vertices.
    ///
    /// This size does not depend on the rotation. Circles count with their radius.
    fn size(&self, body: &Body, x: &[Vec2]) -> f64 {
        let own = body.vertices.clone();
        let middle = x[own.clone()].iter().sum::<Vec2>() / own.len().max(1) as f64;
        2.0 * own
            .map(|i| (x[i] - middle).norm() + self.vertices[i].radius)
            .fold(0.0, f64::max)
    }

    /// Smallest body that is not a half-plane, with the diagonal of its box (m); `None` if no body
    /// has a size. A circle counts as its centre and a vertex on its rim do.
    fn smallest(&self, x: &[Vec2]) -> Option<(&Body, f64)> {
        let bounded = self.bodies.iter();
        let bounded = bounded.filter(|body| body.kind != BodyKind::HalfPlane);
        bounded
            .map(|body| (body, diagonal(body, x)))
            .filter(|(_, size)| *size > 0.0)
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Default of `d_hat` (m): a share of the scene's diagonal, or of the smallest body if that is
    /// less.
    fn d_hat(&self, x: &[Vec2]) -> Derived {
        let of_all = Aabb::around(x.iter().copied()).extent().norm();
        let of_scene = D_HAT_SHARE * of_all;

        if let Some((body, size)) = self.smallest(x)
            && SHARE_OF_BODY * size < of_scene
        {
            let reason = format!(
                "{SHARE_OF_BODY} of the smallest body, \"{}\", {} m",
                body.name,
                short(size)
            );
            return Derived::new("d_hat", SHARE_OF_BODY * size, "m", reason);
        }
        let reason = format!("{D_HAT_SHARE} of the scene's diagonal, {} m", short(of_all));
        Derived::new("d_hat", of_scene, "m", reason)
    }

    /// Default of `kappa` (Pa): the stiffness of the stiffest material, or a multiple of the
    /// largest pressure if no body is elastic.
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

    /// Default of `eps_v` (m/s): a share of the largest body's size per second, up to
    /// [`MOST_CREEP`]. Obstacles do not count.
    fn eps_v(&self, x: &[Vec2]) -> Derived {
        let movable = self.bodies.iter().filter(|body| !body.kind.is_obstacle());
        let largest = movable
            .map(|body| (body, self.size(body, x)))
            .max_by(|a, b| a.1.total_cmp(&b.1));

        if let Some((body, size)) = largest
            && size > 0.0
            && CREEP * size < MOST_CREEP
        {
            let reason = format!(
                "{CREEP} of the largest body, \"{}\", {} m, per second",
                body.name,
                short(size)
            );
            return Derived::new("eps_v", CREEP * size, "m/s", reason);
        }
        let reason = "the largest default".to_owned();
        Derived::new("eps_v", MOST_CREEP, "m/s", reason)
    }

    /// Largest speed of a scripted vertex (m/s), rotation included; 0 without scripts.
    fn fastest_prescribed(&self, x: &[Vec2]) -> f64 {
        let speeds = self.prescribed.iter().map(|p| self.speed_of(p, x));
        speeds.fold(0.0, f64::max)
    }

    /// Bound of the speed of the vertices that move with a prescribed node (m/s): that of the
    /// origin, plus the angular speed times the size of the body.
    fn speed_of(&self, prescribed: &Prescribed, x: &[Vec2]) -> f64 {
        let [speed, turning] = prescribed.motion.fastest();
        let mut bodies = self.bodies.iter();
        let owner = bodies.find(|body| body.nodes.contains(&prescribed.node));
        speed + turning * owner.map_or(0.0, |body| diagonal(body, x))
    }

    /// Default of `kappa` (Pa) for a scene in which nothing is elastic, and the reason.
    ///
    /// It is [`PRESSURES`] times the largest pressure that a body exerts on one of its vertices.
    fn pressure(&self, scene: &Scene, x: &[Vec2], d_hat: f64) -> (f64, String) {
        let scripted = self.fastest_prescribed(x);
        let bodies = self.bodies.iter().zip(&scene.bodies);
        let pressures = bodies.map(|(body, spec)| {
            let load = Load { spec, scripted };
            (body, self.pressure_of(body, load, scene, x, d_hat))
        });

        // The body that presses most.
        let largest = pressures.max_by(|a, b| a.1.total_cmp(&b.1));
        match largest.filter(|(_, pressure)| *pressure > 0.0) {
            Some((body, pressure)) => {
                let reason = format!(
                    "{PRESSURES} times the pressure of weight, forces and speed of \"{}\"",
                    body.name
                );
                (PRESSURES * pressure, reason)
            }
            None => (PRESSURES, "no body is elastic, heavy or moving".to_owned()),
        }
    }

    /// Pressure (Pa) that a body exerts on its vertex with the least contact area.
    ///
    /// `p = (m (|g| + s v / h) + f) / w`
    ///
    /// - `m`: mass of the body (kg); `g`: gravity (m/s^2); `h`: time step (s);
    /// - `s`: [`IMPACT_SHARE`] (1); `v`: speed of the body or of scripts, whichever is larger
    ///   (m/s);
    /// - `f`: force on the body, and its torque over its size (N);
    /// - `w`: smallest contact area of a vertex (m^2).
    fn pressure_of(&self, body: &Body, load: Load, scene: &Scene, x: &[Vec2], d_hat: f64) -> f64 {
        let Load { spec, scripted } = load;
        let gravity = Vec2::from(scene.gravity).norm();
        let mass = self.nodes[body.nodes.start].mass.x;
        let size = diagonal(body, x);
        let speed = Vec2::from(spec.velocity).norm() + spec.spin_deg.to_radians().abs() * size;
        let speed = speed.max(scripted);
        let force = Vec2::from(spec.force).norm() + spec.torque.abs() / size.max(d_hat);

        // A body without boundary presses on a length of d_hat.
        let vertices = self.vertices[body.vertices.clone()].iter();
        let weights = vertices.map(|vertex| vertex.weight).filter(|&w| w > 0.0);
        let width = weights.reduce(f64::min).unwrap_or(d_hat * scene.thickness);
        (mass * (gravity + IMPACT_SHARE * speed / scene.time.step) + force) / width
    }
}

/// Motion and forces by which a body presses on others.
#[derive(Clone, Copy)]
struct Load<'a> {
    /// The body in the scene, with its velocity and forces.
    spec: &'a schema::Body,
    /// Largest speed of any script (m/s), which may hit the body.
    scripted: f64,
}

/// Diagonal of the box around the vertices of a body at `x` (m).
fn diagonal(body: &Body, x: &[Vec2]) -> f64 {
    let vertices = x[body.vertices.clone()].iter();
    Aabb::around(vertices.copied()).extent().norm()
}

/// Name and stiffness (Pa) of the stiffest material among those of bodies that deform.
///
/// `None` if no body deforms. Of equally stiff materials it is the last one in the scene's order.
fn stiffest(scene: &Scene) -> Option<(&str, f64)> {
    let mut found: Option<(&str, f64)> = None;
    for body in &scene.bodies {
        let material = scene.materials.get(&body.material);
        let Some(law) = material.and_then(|material| material.law) else {
            continue;
        };
        let stiffness = law.stiffness();
        let is_stiffer = found.is_none_or(|(_, most)| stiffness >= most);
        if body.kind.rules().needs_law() && stiffness > 0.0 && is_stiffer {
            found = Some((&body.material, stiffness));
        }
    }
    found
}

/// Default of the solver's tolerance (m/s).
///
/// Friction holds a body that moves slower than `eps_v`; a coarser solver would let it creep.
/// Without friction nothing is held, and the tolerance is [`COARSER`] times as large.
fn tolerance(scene: &Scene, eps_v: f64) -> Derived {
    let friction = &scene.contact.friction;
    let rubs = friction.default > 0.0 || friction.pairs.iter().any(|pair| pair.coefficient > 0.0);
    if rubs {
        let reason = "equal to eps_v, so that bodies held by friction do not creep".to_owned();
        Derived::new("tolerance", eps_v, "m/s", reason)
    } else {
        let reason = format!("{COARSER} times eps_v, as there is no friction");
        Derived::new("tolerance", COARSER * eps_v, "m/s", reason)
    }
}

/// Default of the imbalance of forces (m/s) from the tolerance (m/s).
fn imbalance(tolerance: f64) -> Derived {
    let reason = format!("{OF_TOLERANCE} of the tolerance");
    Derived::new("imbalance", OF_TOLERANCE * tolerance, "m/s", reason)
}
