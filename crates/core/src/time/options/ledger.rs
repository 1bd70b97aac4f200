//! The ledger of a step: where its energy and its momentum come from, and where they go.
//!
//! Each term is computed independently, none as the remainder of others, so that their sum can be
//! compared with the change that it explains. Over a stage with the mass `M`, the displacement `dq`
//! and the change of velocity `dv`, balance of forces is `M A = F + R` with the acceleration `A`
//! that the integrator gives, all forces `F`, and what the solver leaves over, `R`. Times `dq` this
//! is
//!
//! `d(kinetic + stored) = work of loads, friction, joints, damping, supports + work of R + dissipation`
//!
//! where the dissipation of the integrator is the sum of
//!
//! - `-(M A . dq - dv . M v_mean)` of inertia, which is `-1/2 |dv|_M^2` for implicit Euler, and 0
//!   for the trapezoidal rule;
//! - `-sum_k theta_k (V_0 - V_1 + V'(q_k) . dq)` of each potential `V`, whose force acts with the
//!   share `theta_k` as it is at the start or the end of the stage: Bregman distances of both
//!   states (Bregman 1967). For a convex energy that acts at the end it is a loss.
//!
//! A potential of a material depends on its conditions too, such as temperature. The change by the
//! conditions of the stage at a place, `sum_k theta_k (V_stage(q) - V_before(q))` at the end that
//! does not act, is the work of the temperature; all other terms take each potential with the
//! conditions under which its force acts. At the end of a stage plastic flow moves on, and
//! `V_after(q) - V_stage(q)` at the end is the work that it takes: the potential of the stage has
//! it as an energy still.
//!
//! A spring in a joint is such a potential too. Of other rows of joints work is the force times the
//! change of the residual, which is the heat of dampers and brakes; the integrator has the rest.
//!
//! The same forces times the duration are the impulses that change momentum ([`momentum`]). The
//! rooms:
//!
//! - `forces`: all forces on nodes at the end of a stage, by their sources;
//! - `account`: work and impulses of a stage.
//!
//! All forces follow from the stage and its energies, so integrators need no code for the ledger. A
//! new force in the potential needs its line in `forces`, or the ledger does not close.

mod account;
mod forces;
mod momentum;

pub(in crate::time) use account::{Account, Jump, StageStart, jump};
pub(in crate::time) use momentum::angular_momentum;

use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Energy and momentum of a state, with the additions of the step that led to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Kinetic energy and all stored energies: gravity, elasticity, barriers and springs in joints
    /// (J). The potential of other loads is not part of it: they do work.
    pub mechanical: f64,
    /// Angular momentum about the origin of the scene (kg m^2/s), counter-clockwise.
    pub angular_momentum: f64,
    /// Work of the step, by sources.
    pub work: Work,
    /// Impulses of the step, by sources.
    pub impulses: Impulses,
}

/// Work by sources (J): positive where the mechanical energy of bodies grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Work {
    /// Loads other than gravity.
    pub loads: f64,
    /// Hands that hold bodies.
    #[serde(default)]
    pub hands: f64,
    /// Gas in chambers, against what surrounds them.
    #[serde(default)]
    pub gas: f64,
    /// Scripts, prescribed vertices and belts.
    pub prescribed: f64,
    /// Mean stress on the periods of a scene that repeats.
    #[serde(default)]
    pub periods: f64,
    /// Friction and rolling resistance: the force times the slip, heat. A little of it comes back
    /// where contacts hold on by anchors.
    pub friction: f64,
    /// Jumps of velocities by coefficients of restitution.
    pub restitution: f64,
    /// Corrections of velocities after contacts, so that these add no energy.
    #[serde(default)]
    pub impacts: f64,
    /// Velocities of bodies that fall asleep, which are set to 0.
    pub sleep: f64,
    /// Loss of the integrator in joints: by equations that are curved, and in springs.
    pub joints: f64,
    /// Dampers in joints: heat.
    pub dampers: f64,
    /// Brakes in joints, and motors whose speed is always 0: heat.
    pub brakes: f64,
    /// Motors in joints.
    pub motors: f64,
    /// Limits of joints. A limit that a joint leans on has some of it as energy of its barrier.
    pub limits: f64,
    /// Joints that break: the energy of their springs is lost.
    pub breaks: f64,
    /// Parameters that change between two steps: energy that a change of gravity adds at fixed
    /// positions.
    pub changes: f64,
    /// Damping of materials: heat.
    pub damping: f64,
    /// Changes of temperature, by which bodies expand, of sizes in press fits, and of sections that are
    /// tightened.
    pub temperature: f64,
    /// Plastic flow: all its work counts as heat, also the part that a metal stores where it
    /// hardens.
    pub plasticity: f64,
    /// Barriers that became stiffer within the step, which happens where it was halved.
    pub stiffening: f64,
    /// Loss of the integrator in inertia.
    pub inertia: f64,
    /// Loss of the integrator in elasticity.
    pub elasticity: f64,
    /// Loss of the integrator in barriers.
    pub contact: f64,
    /// Forces that the solver leaves over.
    pub residual: f64,
    /// Part of the four terms above that is returned to velocities, where a scene asks for it.
    pub restored: f64,
}

/// Impulse, and its moment about the origin of the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Impulse {
    /// Impulse (N s).
    pub linear: Vec2,
    /// Moment of the impulse (N m s), counter-clockwise.
    pub angular: f64,
}

/// Impulses by sources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Impulses {
    /// Gravity.
    pub gravity: Impulse,
    /// Loads other than gravity, hands, and gas in chambers.
    pub loads: Impulse,
    /// Obstacles, scripts and everything else that is prescribed.
    pub supports: Impulse,
    /// Damping of materials: 0 but for Rayleigh's mass part, which resists the motion of whole
    /// bodies.
    pub damping: Impulse,
    /// Jumps of velocities by coefficients of restitution.
    pub restitution: Impulse,
    /// Corrections of velocities after contacts, so that these add no energy.
    #[serde(default)]
    pub impacts: Impulse,
    /// Velocities of bodies that fall asleep, which are set to 0.
    pub sleep: Impulse,
    /// Forces between and within bodies. They add up to 0 where all act in one state. Lagged
    /// friction and forces of the start of a step have a moment at its end; bases without all rigid
    /// motions hold their body.
    pub internal: Impulse,
    /// Change by the integrator without a force.
    pub integrator: Impulse,
    /// Forces that the solver leaves over.
    pub residual: Impulse,
    /// Change by restored energy: spin, and impulses of contacts and supports.
    pub restored: Impulse,
}

impl Work {
    /// Names of the sources, in the order of [`Work::values`].
    pub const NAMES: [&str; 25] = [
        "loads",
        "hands",
        "gas",
        "prescribed",
        "periods",
        "friction",
        "restitution",
        "impacts",
        "sleep",
        "joints",
        "dampers",
        "brakes",
        "motors",
        "limits",
        "breaks",
        "changes",
        "damping",
        "temperature",
        "plasticity",
        "stiffening",
        "inertia",
        "elasticity",
        "contact",
        "residual",
        "restored",
    ];

    /// Work of each source (J), in the order of [`Work::NAMES`].
    pub fn values(&self) -> [f64; 25] {
        [
            self.loads,
            self.hands,
            self.gas,
            self.prescribed,
            self.periods,
            self.friction,
            self.restitution,
            self.impacts,
            self.sleep,
            self.joints,
            self.dampers,
            self.brakes,
            self.motors,
            self.limits,
            self.breaks,
            self.changes,
            self.damping,
            self.temperature,
            self.plasticity,
            self.stiffening,
            self.inertia,
            self.elasticity,
            self.contact,
            self.residual,
            self.restored,
        ]
    }

    /// Sum over all sources (J).
    pub fn sum(&self) -> f64 {
        self.values().iter().sum()
    }
}

impl Impulses {
    /// Names of the sources, in the order of [`Impulses::values`].
    pub const NAMES: [&str; 11] = [
        "gravity",
        "loads",
        "supports",
        "damping",
        "restitution",
        "impacts",
        "sleep",
        "internal",
        "integrator",
        "residual",
        "restored",
    ];

    /// Impulse of each source, in the order of [`Impulses::NAMES`].
    pub fn values(&self) -> [Impulse; 11] {
        [
            self.gravity,
            self.loads,
            self.supports,
            self.damping,
            self.restitution,
            self.impacts,
            self.sleep,
            self.internal,
            self.integrator,
            self.residual,
            self.restored,
        ]
    }

    /// Sum over all sources.
    pub fn sum(&self) -> Impulse {
        let mut sum = Impulse::default();
        for impulse in self.values() {
            sum += impulse;
        }
        sum
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.loads += other.loads;
        self.hands += other.hands;
        self.gas += other.gas;
        self.prescribed += other.prescribed;
        self.periods += other.periods;
        self.friction += other.friction;
        self.restitution += other.restitution;
        self.impacts += other.impacts;
        self.sleep += other.sleep;
        self.joints += other.joints;
        self.dampers += other.dampers;
        self.brakes += other.brakes;
        self.motors += other.motors;
        self.limits += other.limits;
        self.breaks += other.breaks;
        self.changes += other.changes;
        self.damping += other.damping;
        self.temperature += other.temperature;
        self.plasticity += other.plasticity;
        self.stiffening += other.stiffening;
        self.inertia += other.inertia;
        self.elasticity += other.elasticity;
        self.contact += other.contact;
        self.residual += other.residual;
        self.restored += other.restored;
    }
}

impl AddAssign for Impulse {
    fn add_assign(&mut self, other: Self) {
        self.linear += other.linear;
        self.angular += other.angular;
    }
}

impl AddAssign for Impulses {
    fn add_assign(&mut self, other: Self) {
        self.gravity += other.gravity;
        self.loads += other.loads;
        self.supports += other.supports;
        self.damping += other.damping;
        self.restitution += other.restitution;
        self.impacts += other.impacts;
        self.sleep += other.sleep;
        self.internal += other.internal;
        self.integrator += other.integrator;
        self.residual += other.residual;
        self.restored += other.restored;
    }
}
