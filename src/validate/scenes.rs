//! What scenes of cases share: materials, ground, exact numbers of contact, sums of forces.
//!
//! Cases state the numbers that decide their accuracy themselves, unless the defaults are the point:
//! `d_hat`, `kappa`, `eps_v` and the tolerance of Newton's method.

use crate::math::Vec2;
use crate::prelude::*;

/// Acceleration of gravity (m/s^2).
pub(super) const G: f64 = 9.81;

/// Density of [`STONE`] (kg/m^3).
pub(super) const DENSITY: f64 = 1000.0;

/// Name of the material without an elastic law that every scene has.
pub(super) const STONE: &str = "stone";

/// Name of the elastic material of a scene with [`Exact::elastic`].
pub(super) const RUBBER: &str = "rubber";

/// A scene of `steps` steps of `h` (s) with the material [`STONE`], solved to 1e-10 m/s.
pub(super) fn scene(h: f64, steps: usize) -> Scene {
    let mut scene = Scene::new(Time::new(h, steps)).with_material(STONE, Material::rigid(DENSITY));
    scene.solver.tolerance = Some(1e-10);
    scene
}

/// The half-plane above `y = 0`.
pub(super) fn ground() -> Obstacle {
    Obstacle::new("ground", HalfPlane::new([0.0, 1.0], [0.0, 0.0]))
}

/// Ground that falls to the right at an angle (rad), through the origin.
pub(super) fn slope(angle: f64) -> Obstacle {
    let (sin, cos) = angle.sin_cos();
    Obstacle::new("ground", HalfPlane::new([sin, cos], [0.0, 0.0]))
}

/// Position of a point at the distance `along` down a [`slope`] and `above` it (m).
pub(super) fn on_slope(angle: f64, along: f64, above: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [along * cos + above * sin, above * cos - along * sin]
}

/// Settings of contact, friction and solver that a case states.
pub(super) trait Exact {
    /// Sets reach (m) and stiffness (Pa) of the barrier.
    fn barrier(self, d_hat: f64, kappa: f64) -> Self;
    /// Sets the coefficient of friction (1) and the speed of full friction (m/s).
    fn rough(self, coefficient: f64, eps_v: f64) -> Self;
    /// Adds the elastic material [`RUBBER`] of density [`DENSITY`].
    fn elastic(self, law: Law) -> Self;
    /// Sets the tolerance of Newton's method (m/s).
    fn tolerance(self, tolerance: f64) -> Self;
    /// Removes gravity.
    fn weightless(self) -> Self;
}

impl Exact for Scene {
    fn barrier(mut self, d_hat: f64, kappa: f64) -> Self {
        self.contact.d_hat = Some(d_hat);
        self.contact.kappa = Some(kappa);
        self
    }

    fn rough(mut self, coefficient: f64, eps_v: f64) -> Self {
        self.contact.friction.default = coefficient;
        self.contact.friction.eps_v = Some(eps_v);
        self
    }

    fn elastic(self, law: Law) -> Self {
        self.with_material(RUBBER, Material::new(DENSITY, law))
    }

    fn tolerance(mut self, tolerance: f64) -> Self {
        self.solver.tolerance = Some(tolerance);
        self
    }

    fn weightless(self) -> Self {
        self.with_gravity([0.0, 0.0])
    }
}

/// A simulation of the scene after `steps` steps.
///
/// # Errors
/// If the scene cannot be built or a step fails.
pub(super) fn after(scene: Scene, steps: usize) -> Result<Simulation, Error> {
    let mut simulation = Simulation::new(scene)?;
    simulation.run(steps)?;
    Ok(simulation)
}

/// Sum of the forces of all contacts on a body or obstacle (N).
pub(super) fn force_on(simulation: &Simulation, name: &str) -> Vec2 {
    let contacts = simulation.contacts();
    contacts.map(|contact| contact.force_on(name)).sum()
}

/// Sum of the forces between two bodies or obstacles, on the first one (N).
pub(super) fn force_between(simulation: &Simulation, on: &str, by: &str) -> Vec2 {
    let contacts = simulation.contacts();
    contacts
        .filter(|contact| contact.bodies.contains(&by))
        .map(|contact| contact.force_on(on))
        .sum()
}
