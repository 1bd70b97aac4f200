//! One stage of a time integrator, as the solver sees it.
//!
//! The solver knows no time step: a stage carries all factors that a step length would enter. An
//! integrator makes one or more stages of a step (see the module `time::integrator`), so a new
//! integrator changes no energy, no contact and nothing of Newton's method.

use super::materials::Materials;
use super::model::Model;
use super::slip_start::SlipStart;
use crate::body::Configuration;
use ipcsim_energy::{Dissipation, Following};
use ipcsim_math::{Vec2, parallel};

/// The numbers by which a minimum of a potential is a step through time.
///
/// The end of a stage minimises over the coordinates `q`
///
/// `E(q) = m/2 |q - q_tilde|_M^2 - f . (q - q_ref) + s_e (elasticity + following + damping) + s_c
/// (barrier + friction + joints)`
///
/// and its velocity is `v = (q - q_ref) / beta`. Implicit Euler from `q_n` has `q_ref = q_n`, `beta
/// = h`, `q_tilde = q_n + h v_n + h^2 a` and `s_e = s_c = h^2` (the free physics-based simulation
/// book, chapter on optimisation time integrators). Integrators of the module `time::integrator`
/// make stages; energies, contact and Newton's method know no other time step.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Time at the end of the stage (s).
    pub end: f64,
    /// Coordinates `q_tilde`, where bodies would be without energies, and the positions there.
    pub predicted: Configuration,
    /// Expected displacement by forces in addition to a flight by velocity, which is 0 in statics (m; of
    /// angles rad), `[nodes]`; empty if nothing is expected. It changes where the search for the minimum begins,
    /// and not the minimum.
    pub expected: Vec<Vec2>,
    /// Part of `q_tilde` that loads make, `h^2 a` for implicit Euler (m; of angles rad), `[nodes]`.
    pub push: Vec<Vec2>,
    /// Impulses times time `f` (N s^2; of angles N m s^2), `[nodes]`; empty if there are none: of
    /// loads on components that have no inertia, and of elastic forces at the start. Inertia
    /// carries all other loads: see `push`.
    pub pull: Vec<Vec2>,
    /// Elastic energies under the conditions of the stage: at the temperature of its end.
    pub materials: Materials,
    /// Energies of loads whose forces follow bodies, at the end of the stage, with the factor of
    /// elasticity.
    pub following: Following,
    /// Energies of dampers, whose derivatives are the forces of damping at the end of the stage, with
    /// the factor of elasticity.
    pub damping: Dissipation,
    /// First components of the residuals of all rows of joints from which their rates count (m or
    /// rad), `[rows]`; empty if no joint has a damper or a motor with a speed.
    pub residuals: Vec<f64>,
    /// Factor `m` of inertia: 1; in statics the factor of the force that holds bodies back while
    /// they look for equilibrium, which falls to 0.
    pub inertia: f64,
    /// Configuration `q_ref`, from which velocity is counted, and slip where `slip` is `None`.
    pub reference: Configuration,
    /// Start of slip in a frame that turns with the surfaces; `None` for slip along the tangents at
    /// the reference (Li et al. 2020, equation 14).
    pub slip: Option<SlipStart>,
    /// Motion of the last step, for bodies that turn on; `None` if nothing of it is known.
    pub turning: Option<TurningFlight>,
    /// Time `beta` in `v = (q - q_ref) / beta` (s); `None` in statics, where nothing has a
    /// velocity.
    pub beta: Option<f64>,
    /// Time by which lengths and forces count as speeds where a solve ends (s): `beta`, or in
    /// statics a time of the scene's own, see `clock` of the world.
    pub clock: f64,
    /// Factor `s_e` of elasticity (s^2).
    pub elasticity: f64,
    /// Factor of the elastic forces of the start, which are part of `pull` (s^2): 0, or what `s_e`
    /// lacks to `s_c`.
    pub explicit: f64,
    /// Factor `s_c` of barrier, friction and joints (s^2), whose forces act only at the end of the
    /// stage; `beta` times the length of the stage where that differs from `s_e`.
    pub contact: f64,
    /// Time in which bodies slide (s), `beta`: friction is fully developed at the distance `eps_v`
    /// times this.
    pub slip_time: f64,
    /// Residual below which the stage counts as solved (m/s).
    pub tolerance: f64,
}

/// Motion of the last step, as it would go on in a stage if velocities turned along with rigid bodies.
#[derive(Clone, Debug)]
pub struct TurningFlight {
    /// Displacement in a time as long as the stage (m; of angles rad), `[nodes]`.
    pub way: Vec<Vec2>,
    /// Time from the middle of that motion to the start of the stage, relative to the stage's length
    /// (1).
    pub behind: f64,
}

impl Stage {
    /// Velocities (m/s; of angles rad/s) of coordinates `q` at the end of the stage, `(q - q_ref) /
    /// beta`; zero in statics.
    pub fn velocity(&self, q: &[Vec2]) -> Vec<Vec2> {
        let Some(beta) = self.beta else {
            return vec![Vec2::zeros(); q.len()];
        };
        q.iter()
            .zip(&self.reference.q)
            .map(|(q, reference)| (q - reference) / beta)
            .collect()
    }

    /// Residual of a Newton direction: the largest speed of a vertex along it, `|J p|_inf / clock`
    /// (m/s), where vertices of a body count with its [`Model::pace`].
    pub(super) fn residual(&self, model: &Model, displacement: &[Vec2]) -> f64 {
        let body = &model.surface.body;
        let along = |i: usize| displacement[i].amax() * model.pace.direction[body[i]];
        parallel::max(displacement.len(), 0.0, along) / self.clock
    }

    /// Ratio `s_c / s_e` of contact's factor to elasticity's.
    pub fn contact_ratio(&self) -> f64 {
        self.contact / self.elasticity
    }

    /// Change of velocity per force on a mass (s), within a step, in statics within the time of the clock.
    pub fn force_time(&self) -> f64 {
        self.contact / self.beta.unwrap_or(self.clock)
    }

    /// Change of velocity per impulse of friction, `s_c / beta` (s); 0 in statics.
    pub fn friction_time(&self) -> f64 {
        self.beta.map_or(0.0, |beta| self.contact / beta)
    }
}
