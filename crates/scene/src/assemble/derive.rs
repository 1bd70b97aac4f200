//! Defaults of numbers that a scene leaves out, each with the reason for its value.
//!
//! Five numbers decide whether a run is accurate and fast, and few authors know good values:
//!
//! - `d_hat` (m), the reach of the barrier: small beside both bodies, and less than the gap that
//!   they start with;
//! - `kappa` (Pa), the stiffness of the barrier: a multiple of the pressure that bodies exert, but
//!   at most the stiffness of the softer material, and not much less;
//! - `eps_v` (m/s), the speed at which friction is fully developed: so small that bodies at rest
//!   do not creep visibly;
//! - `tolerance` (m/s), where Newton's method stops: `eps_v` where friction holds bodies;
//! - `imbalance` (m/s), where it stops by forces: a hundredth of the tolerance.
//!
//! Each belongs to a body or to a pair of bodies, and follows from their own sizes, masses and
//! materials: whatever else is in a scene changes nothing. No default holds a length, a speed or a
//! force of its own. A value that the scene gives is taken for all bodies, as it is.
//!
//! A run prints and stores the numbers with their reasons ([`Derived`]).
//!
//! A scene scaled by a power of 2 therefore has the same bits.

mod hardness;
mod pieces;
mod reach;
mod reasoned;
mod row;
mod speed;
mod traits;

pub(crate) use reach::D_HAT_OF_SIZE;
pub use row::Derived;

use super::builder::Builder;
use crate::schema::{FrictionPair, Scene};
use ipcsim_contact::barrier::Barrier;
use ipcsim_contact::{Barriers, PairScale, RestSpeed, Surface, join_flush};
use ipcsim_core::body::Body;
use ipcsim_math::Vec2;
use row::Rows;
use speed::Speeds;
use traits::Traits;

/// Numbers of all bodies, given or derived.
pub(super) struct Numbers {
    /// Activation distances of pairs, `d_hat` (m).
    pub reach: PairScale,
    /// Barriers of pairs.
    pub barriers: Barriers,
    /// Sliding speeds `eps_v` of pairs (m/s) at which friction is developed.
    pub eps_v: PairScale,
    /// Approach speeds up to which pairs do not rebound.
    pub rest_speed: RestSpeed,
    /// Speeds at which solves end.
    pub speeds: Speeds,
    /// Stiffness of affine bodies that have none of their own (Pa), `[bodies]`.
    pub affine: Vec<f64>,
    /// The numbers with their reasons.
    pub rows: Rows,
}

impl Builder {
    /// The numbers of all bodies, which are at `x` at the start (m).
    ///
    /// Distances of pairs that start near to each other are still missing, see
    /// [`Numbers::fit_gaps`].
    pub(super) fn derive(&self, scene: &Scene, x: &[Vec2]) -> Numbers {
        let bodies: Vec<Traits> = self.traits(scene, x);
        let names = self.bodies.iter().map(|body| body.name.clone());
        let mut rows = Rows::of(names.collect(), scene);

        // Barrier.
        let contact = &scene.contact;
        let reach = rows.scale("d_hat", "m", contact.d_hat, || reach::own(&bodies));
        let barriers = if let Some(kappa) = contact.stiffness() {
            rows.given("kappa", kappa, "Pa");
            Barriers::from(Barrier {
                shape: contact.formula(),
                kappa,
            })
        } else {
            rows.add("kappa", "Pa", hardness::kappas(&bodies));
            let hardness = bodies.iter().map(|body| body.hardness).collect();
            Barriers::of_bodies(contact.formula(), hardness)
        };

        // Friction and solver.
        let eps_v = contact.creep();
        let eps_v = rows.scale("eps_v", "m/s", eps_v, || speed::creep(&bodies));
        let rubs = self.rubbing(scene);
        let speeds = Speeds::derive(scene, &bodies, &eps_v, &rubs, &mut rows);

        let h = scene.time.step;
        let rest_speed = speed::resting(&contact.restitution, h, &bodies, &mut rows);
        let wholes = self.bodies.iter().map(|body| &body.kind);
        let mut wholes = wholes.filter(|kind| !kind.is_soft() && !kind.is_obstacle());
        if wholes.next().is_some() {
            rows.push_rebound(scene);
        }
        let affine = rows.add("affine_stiffness", "Pa", hardness::affine(&bodies));
        Numbers {
            reach,
            barriers,
            eps_v,
            rest_speed,
            speeds,
            affine,
            rows,
        }
    }

    /// True for each body that may have friction with another one, `[bodies]`.
    fn rubbing(&self, scene: &Scene) -> Vec<bool> {
        let friction = &scene.contact.friction;
        let always = friction.default > 0.0 || friction.rolling > 0.0;
        let mut rubs = vec![always; self.bodies.len()];
        let holds = |pair: &&FrictionPair| pair.coefficient > 0.0 || pair.rolling > 0.0;
        for pair in friction.materials.iter().filter(holds) {
            for (rubs, body) in rubs.iter_mut().zip(&scene.bodies) {
                *rubs |= pair.between.contains(&body.material);
            }
        }

        for pair in friction.pairs.iter().filter(holds) {
            for name in &pair.between {
                if let Some(body) = self.body_named(name) {
                    rubs[body] = true;
                }
            }
        }
        rubs
    }
}

impl Numbers {
    /// Lowers the distances of pairs of bodies that start nearer to each other on the `surface` at
    /// `x` (m, `[vertices]`). Distances that the scene gives stay.
    pub(super) fn fit_gaps(&mut self, scene: &Scene, surface: &mut Surface, x: &[Vec2]) {
        if scene.contact.d_hat.is_none() {
            let fitted = reach::fit_gaps(surface, x);
            self.rows.push_nearest(fitted.as_ref());
        }
    }

    /// Lowers the distances of the `bodies` that fit into each other on the `surface` at `x` (m,
    /// `[vertices]`). A scene that gives distances or stiffness keeps them.
    pub(super) fn fit_slots(
        &mut self,
        scene: &Scene,
        surface: &mut Surface,
        x: &[Vec2],
        bodies: &[Body],
    ) {
        if scene.contact.d_hat.is_some() || !self.barriers.adapt() {
            return;
        }

        // Bodies that forces may move make no slots with others.
        let moves: Vec<bool> = bodies.iter().map(|body| !body.kind.is_obstacle()).collect();
        let groups = pieces::by_motion(scene).into_iter().enumerate();
        let group = groups.map(|(k, group)| group.unwrap_or(bodies.len() + k));
        let found = reach::fit_slots(surface, x, &moves, &group.collect::<Vec<_>>());
        self.rows.push_play(found);
    }

    /// Makes flush pieces of floors one on the `surface` at `x` (m, `[vertices]`). A scene that gives
    /// distances or stiffness keeps its pieces.
    pub(super) fn join_flush(&self, scene: &Scene, surface: &mut Surface, x: &[Vec2]) {
        if scene.contact.d_hat.is_none() && self.barriers.adapt() {
            join_flush(surface, x, &pieces::by_surface(scene));
        }
    }
}
