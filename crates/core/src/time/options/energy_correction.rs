//! Energy correction: dissipation of the integrator is returned to the velocities.
//!
//! A scene with `"energy": "kept"` asks that its energy change only by real causes: loads,
//! friction, damping, plastic flow. The energy that the integrator and the solver's tolerance take
//! of a stage is known, the sum of the terms `inertia`, `elasticity`, `contact` and `residual` of
//! the [ledger](crate::time::options::ledger). After the positions of the stage are accepted,
//! velocities are changed so that the kinetic energy makes up for it. Places, gaps and certificates
//! of the stage stay. The idea is from "A-search" (You, Zheng, Li 2026, arXiv 2602.08094), which
//! changes velocities along the forces of a step; the parts below are our own. The energy is
//! returned in this order:
//!
//! 1. **flight**: implicit Euler takes `m (h g)^2 / 2` in a step of each body that nothing touches
//!    or holds. It gets that back along the forces of its flight. No other integrator takes
//!    anything here;
//! 2. **spin**: a stage moves bodies straight on and loses angular momentum, by implicit Euler `h
//!    sum m v_1 x v_0`. A body in flight gets it back by a rotation about its centre, as no other
//!    change could make up for it;
//! 3. **impact**: bodies that others touch get energy along the change of their rigid motion by
//!    forces, `v' = v + a d`, so that an impact that has lost energy rebounds faster. A body at
//!    rest stays at rest, since `d = 0`. Along all of `d` vibrations would grow: contact forces act
//!    on few vertices;
//! 4. **vibration**: the rest scales the velocities of vibrations, and of bodies with vertices that
//!    are held. It changes no momentum of a body in flight. The velocities weigh fast vibrations
//!    less than the forces do, which would feed motion that the step does not resolve.
//!
//! In 3 and 4 the share `a` is one number for all bodies, and a root of
//! `a v . M d + a^2/2 d . M d = energy` within [`CORRECTION_BOUNDS`]. The rest stays owed and is
//! part of the memory of a step. Where bodies turn round in an impact, they have no velocity from
//! which much energy could be taken. Restitution decides the energy that an impact takes, so a
//! stage in which bodies are struck restores nothing.
//!
//! The past that an integrator looks back at is rewritten, as after an impact: `bdf2` would take a
//! jump of velocity for an acceleration, and gain energy. The ledger lists the work and the
//! impulses in separate columns.

mod contact_state;
mod rigid;

use crate::solve::{Model, Stage};
use crate::time::memory::Past;
use crate::time::options::ledger::Account;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use crate::tuning::{CORRECTION_BOUNDS, CORRECTION_ROUNDING};
use contact_state::{BodyState, body_states, fixed};
use ipcsim_math::Vec2;
use rigid::Rigid;

/// Velocities after the energy of a stage is restored.
pub(in crate::time) struct Restored {
    /// Velocities of the coordinates (m/s; of angles rad/s), `[nodes]`.
    pub(in crate::time) q_dot: Vec<Vec2>,
    /// Change of the velocities by that, `[nodes]`; empty if nothing changed.
    change: Vec<Vec2>,
    /// Energy that is still owed (J), negative if too much was given.
    pub(in crate::time) owed: f64,
}

impl Restored {
    /// Velocities that are left as they are.
    pub(in crate::time) fn nothing(q_dot: Vec<Vec2>, owed: f64) -> Self {
        Self {
            q_dot,
            change: Vec::new(),
            owed,
        }
    }

    /// Rewrites the past that a step remembers: to an integrator that looks back bodies have always
    /// moved by the change faster. It would take a jump for an acceleration that lasts.
    pub(in crate::time) fn rewrite(&self, history: &mut [Past]) {
        let mut ago = 0.0;
        for Past { q, q_dot, h } in history {
            ago += *h;
            for ((q, v), change) in q.iter_mut().zip(q_dot).zip(&self.change) {
                *q -= change * ago;
                *v += change;
            }
        }
    }
}

/// A stage at its end.
struct Ended<'a> {
    /// Bodies and loads.
    world: &'a World,
    /// The stage with its start and end.
    landing: StageEnd<'a>,
    /// Components whose motion is prescribed, `[nodes]`.
    fixed: Vec<[bool; 2]>,
    /// State of each body.
    body_states: Vec<BodyState>,
    /// Changes of velocity by all forces of the stage, `t A`, `[nodes]`.
    changes: Vec<Vec2>,
    /// Velocities of the coordinates at the end (m/s; of angles rad/s), `[nodes]`.
    q_dot: Vec<Vec2>,
    /// Energy that is to be given (J).
    energy: f64,
}

/// Restores the energy that a stage has lost by its `account`, and the energy `owed` from earlier
/// ones (J), in the velocities `q_dot` at its end; impacts and vibrations get theirs in the last
/// stage of a step, as stages exchange energy between them.
pub(in crate::time) fn restore(
    world: &World,
    landing: StageEnd,
    account: &Account,
    owed: f64,
    q_dot: Vec<Vec2>,
    is_last: bool,
) -> Restored {
    let work = &account.work;
    let taken = work.inertia + work.elasticity + work.contact + work.residual;
    let fixed = fixed(world, landing);
    let before = q_dot.clone();

    let mut ended = Ended {
        body_states: body_states(world, landing, &fixed),
        changes: changes(landing),
        world,
        landing,
        fixed,
        q_dot,
        energy: owed - taken,
    };

    let rigid = rigid_parts(world, landing, &ended.body_states);
    for rigid in rigid.iter().flatten() {
        ended.fly(rigid);
    }

    // Stages exchange energy between them, so impacts and vibrations wait for the last one.
    if is_last {
        let d = ended.impacts(&rigid);
        ended.push(d);
        let d = ended.vibrations(&rigid);
        ended.push(d);
    }

    let pairs = ended.q_dot.iter().zip(&before);
    Restored {
        change: pairs.map(|(after, before)| after - before).collect(),
        q_dot: ended.q_dot,
        owed: ended.energy,
    }
}

/// Changes of velocity by all forces of a stage, `t A`, `[nodes]`.
fn changes(landing: StageEnd) -> Vec<Vec2> {
    let StageEnd {
        stage, from, at, ..
    } = landing;
    let Stage {
        predicted, push, ..
    } = stage;
    let per_scale = (stage.end - from.time) * stage.inertia / stage.contact;
    (0..at.q.len())
        .map(|i| (at.q[i] - predicted.q[i] + push[i]) * per_scale)
        .collect()
}

/// Rigid motions of the bodies that fly or hit others at the end of a stage, `[bodies]`.
fn rigid_parts<'a>(
    world: &'a World,
    landing: StageEnd,
    body_states: &[BodyState],
) -> Vec<Option<Rigid<'a>>> {
    let World { bodies, model, .. } = world;
    let spins = model.coordinates.spin(landing.at);
    let moves = |body: usize| matches!(body_states[body], BodyState::Flies | BodyState::Hits);
    (0..bodies.len())
        .map(|body| Rigid::of(model, body, &bodies[body], &spins).filter(|_| moves(body)))
        .collect()
}

impl Ended<'_> {
    /// Bodies and masses.
    fn model(&self) -> &Model {
        &self.world.model
    }

    /// Length of the stage (s).
    fn duration(&self) -> f64 {
        self.landing.stage.end - self.landing.from.time
    }

    /// Momentum of a node with a velocity.
    fn momentum(&self, velocities: &[Vec2], node: usize) -> Vec2 {
        self.model().mass[node].component_mul(&velocities[node])
    }

    /// Returns to a body in flight the energy of its flight and the spin that the stage has taken.
    fn fly(&mut self, end: &Rigid) {
        if self.body_states[end.index] != BodyState::Flies {
            return;
        }

        // Free motion.
        let lost = self.lost_in_flight(end);
        let d = end.sum(|i| self.momentum(&self.changes, i)) / end.mass;
        let v = end.sum(|i| self.momentum(&self.q_dot, i)) / end.mass;
        let square = end.mass * d.norm_squared();
        if lost.abs() > CORRECTION_ROUNDING * square {
            let change = d * share(lost, end.mass * v.dot(&d), square);
            for node in end.nodes() {
                self.q_dot[node] += end.lift(node) * change;
            }
            self.energy -= end.mass * change.dot(&(v + change * 0.5));
        }

        // Spin.
        let turn = self.missing_spin(end) / end.inertia;
        let spin = end.moment(|i| self.momentum(&self.q_dot, i)) / end.inertia;
        for node in end.nodes() {
            self.q_dot[node] += end.spin(node) * turn;
        }
        self.energy -= end.inertia * turn * (spin + 0.5 * turn);
    }

    /// Energy that the stage takes of the motion of a body's centre of mass (J), as the ledger
    /// counts the loss in inertia: 0 where the integrator follows a parabola.
    fn lost_in_flight(&self, body: &Rigid) -> f64 {
        let StageEnd { from, at, .. } = self.landing;
        let mass = &self.model().mass;
        let mean =
            |of: &dyn Fn(usize) -> Vec2| body.sum(|i| mass[i].component_mul(&of(i))) / body.mass;
        let before = mean(&|i| from.q_dot[i]);
        let after = mean(&|i| self.q_dot[i]);
        let way = mean(&|i| at.q[i] - from.q[i]) / self.duration();
        let impulse = mean(&|i| self.changes[i]);

        let gained = after - before;
        body.mass * (gained.dot(&(way - (before + after) * 0.5)) + (impulse - gained).dot(&way))
    }

    /// Angular momentum about its centre that a body in flight lacks at the end of the stage (kg
    /// m^2/s): the one at its start and the moment of all forces, less the present one. Forces of
    /// the start, which the stage has as linear terms, have the arms of the start.
    fn missing_spin(&self, end: &Rigid) -> f64 {
        let StageEnd { stage, from, .. } = self.landing;
        let World { bodies, model, .. } = self.world;
        let spins = model.coordinates.spin(&from.configuration());
        let Some(start) = Rigid::of(model, end.index, &bodies[end.index], &spins) else {
            return 0.0;
        };
        let per_scale = self.duration() / stage.contact;
        let pull = |i: usize| stage.pull.get(i).copied().unwrap_or_default() * per_scale;

        let had = start.moment(|i| self.momentum(&from.q_dot, i) + pull(i));
        let has = |i: usize| self.momentum(&self.q_dot, i) - self.momentum(&self.changes, i);
        had - end.moment(|i| has(i) + pull(i))
    }

    /// Change by forces of the rigid motion of bodies that hit others in the stage, `[nodes]`.
    fn impacts(&self, rigid: &[Option<Rigid>]) -> Vec<Vec2> {
        let mut d = vec![Vec2::zeros(); self.q_dot.len()];
        let all = rigid.iter().flatten();
        for body in all.filter(|body| self.body_states[body.index] == BodyState::Hits) {
            let rest = self.deforming(body, &self.changes);
            for (node, rest) in body.nodes().zip(rest) {
                d[node] = self.changes[node] - rest;
            }
        }
        d
    }

    /// Velocities of vibrations, `[nodes]`: without the rigid part of bodies, or all of a body that
    /// is held.
    fn vibrations(&self, rigid: &[Option<Rigid>]) -> Vec<Vec2> {
        let mut d = vec![Vec2::zeros(); self.q_dot.len()];

        for body in rigid.iter().flatten() {
            let rest = self.deforming(body, &self.q_dot);
            for (node, rest) in body.nodes().zip(rest) {
                d[node] = rest;
            }
        }

        // A held body has no rigid motion to subtract.
        let bodies = self.world.bodies.iter().zip(&self.body_states);
        for (body, _) in bodies.filter(|(_, course)| **course == BodyState::IsHeld) {
            let nodes = body.nodes.clone();
            d[nodes.clone()].copy_from_slice(&self.q_dot[nodes]);
        }
        d
    }

    /// Velocities (`[nodes]`, all bodies) of the nodes of a body without their rigid part.
    fn deforming(&self, body: &Rigid, velocities: &[Vec2]) -> Vec<Vec2> {
        body.without_rigid(|i| self.momentum(velocities, i), velocities)
    }

    /// Gives as much of the energy as the bounds allow along a change `d` of velocities.
    fn push(&mut self, mut d: Vec<Vec2>) {
        for (d, fixed) in d.iter_mut().zip(&self.fixed) {
            for axis in (0..2).filter(|&axis| fixed[axis]) {
                d[axis] = 0.0;
            }
        }

        let [mut slope, mut square] = [0.0, 0.0];
        for (i, v) in self.q_dot.iter().enumerate() {
            let momentum = self.momentum(&d, i);
            slope += momentum.dot(v);
            square += momentum.dot(&d[i]);
        }

        let share = share(self.energy, slope, square);
        for (v, d) in self.q_dot.iter_mut().zip(&d) {
            *v += d * share;
        }
        self.energy -= share * (slope + 0.5 * share * square);
    }
}

/// Root of `a slope + a^2/2 square = energy` (J) that is nearest to 0 and within
/// [`CORRECTION_BOUNDS`]; as near to a root as they allow if there is none; 0 if nothing changes.
fn share(energy: f64, slope: f64, square: f64) -> f64 {
    let [least, most] = CORRECTION_BOUNDS;
    if square <= 0.0 {
        return 0.0;
    }

    // Without a root the energy is least at -slope / square.
    let radicand = slope * slope + 2.0 * square * energy;
    if radicand <= 0.0 {
        return (-slope / square).clamp(least, most);
    }

    // The product of both roots is -2 energy / square.
    let larger = -(slope + radicand.sqrt().copysign(slope));
    let near = -2.0 * energy / larger;
    let far = larger / square;
    if near < least && far <= most && far > 0.0 {
        far
    } else {
        near.clamp(least, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_the_root_nearest_to_nothing() {
        // 2 a + 3/2 a^2 = 0.155 at 0.075.. and far below -1.
        let [slope, square] = [2.0, 3.0];
        let energy = 2.0 * 0.25 + 1.5 * 0.0625;
        assert!((share(energy, slope, square) - 0.25).abs() < 1e-15);
        assert!((share(energy, -slope, square) + 0.25).abs() < 1e-15);
        assert_eq!(share(0.0, slope, square), 0.0);
        assert_eq!(share(1.0, 0.0, 0.0), 0.0);
    }

    #[test]
    fn a_body_that_was_stopped_turns_round() {
        // The speed falls from -1 to -0.01 in an impact; the root -1 would let it go on at -1.
        let [v, d] = [-0.01, 0.99];
        let energy = 0.5 * (1.0 - v * v);
        let after: f64 = v + d * share(energy, v * d, d * d);
        assert!((after - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_share_stays_within_its_bounds() {
        assert_eq!(share(1e9, 1.0, 1.0), CORRECTION_BOUNDS[1]);
        assert_eq!(share(-1e9, 1.0, 1.0), CORRECTION_BOUNDS[0]);
        // Too much energy to take: the least that is left is at -slope / square.
        assert_eq!(share(-1.0, 0.25, 1.0), -0.25);
    }
}
