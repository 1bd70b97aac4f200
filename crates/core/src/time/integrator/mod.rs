//! Integrators: how a step through time becomes stages that minimise a potential. One file each.
//!
//! An integrator sees where a stage begins, a [`Departure`], and describes the [`Stage`]: the
//! predicted place `q_tilde`, the rule for velocities `v = (q - q_ref) / beta`, and the factors of
//! inertia, elasticity and contact. Of forces it reads at most the elastic ones of the start; the
//! solver finds the forces of the end. To add one, write a file with an implementation of
//! [`Integrator`] and a line in [`Scheme`], by which scenes name it.
//!
//! Stages of all integrators, with `g` for `gamma`; `s_e` scales elasticity, `s_c` contact,
//! friction and joints:
//!
//! | integrator | `q_ref` | `beta` | `s_e` | `s_c` |
//! |---|---|---|---|---|
//! | implicit Euler | `q_n` | `h` | `h^2` | `h^2` |
//! | bdf2, equal steps | `(4 q_n - q_{n-1}) / 3` | `2 h / 3` | `beta^2` | `beta^2` |
//! | trapezoid | `q_n + h/2 v_n` | `h / 2` | `h^2 / 4` | `h^2 / 2` |
//! | Newmark | `q_n + h/2 v_n` | `h / 2` | `g h^2 / 2` | `h^2 / 2` |
//! | `tr_bdf2` | trapezoid over `(2 - sqrt 2) h`, then bdf2 | | | |
//! | statics | `q_n` | none | `T^2` | `T^2` |
//!
//! A force that acts only at the end has the factor `h beta`. It is then the mean force of the
//! step, and so are reactions, whose sum is weight and inertia in every step.

mod bdf2;
mod even_motion;
mod implicit_euler;
mod joints_before;
mod newmark;
mod scheme;
mod statics;
mod tr_bdf2;
mod trapezoid;

pub use bdf2::Bdf2;
pub use implicit_euler::ImplicitEuler;
pub(in crate::time) use joints_before::joints_before;
pub use newmark::Newmark;
pub use scheme::Scheme;
pub use statics::Statics;
pub use tr_bdf2::TrBdf2;
pub use trapezoid::Trapezoid;

use super::loading::{Loading, Loads};
use super::span::Span;
use super::state::State;
use crate::body::Prescribed;
use crate::constraint::{JointFrame, Rule, first_residuals, have_rates};
use crate::solve::{Materials, Model, Stage};
use ipcsim_energy::{Conditions, Following};
use ipcsim_math::Vec2;
use std::fmt::Debug;

/// Start of a stage, with everything that an integrator may read.
#[derive(Clone, Copy, Debug)]
pub struct Departure<'a> {
    /// Bodies and the energies between them.
    pub model: &'a Model,
    /// Gravity and other forces, at any time.
    pub loading: &'a Loading,
    /// Nodes whose motion is prescribed, at any time.
    pub prescribed: &'a [Prescribed],
    /// Residual below which a stage counts as solved (m/s).
    pub tolerance: f64,
    /// Time by which statics counts lengths and forces as speeds (s).
    pub clock: f64,
    /// State at the start of the step, with the history that the integrator asked for.
    pub start: &'a State,
    /// Ends of the earlier stages of the same step.
    pub ends: &'a [State],
    /// Stretch of time of the whole step.
    pub span: Span,
}

impl Departure<'_> {
    /// Gravity and forces on coordinates at the time `t` (s).
    pub fn loads(&self, t: f64) -> Loads {
        self.loading.at(&self.start.parameters, self.model, t)
    }

    /// Energies of forces that depend on positions, at the time `t` (s), for a stage that begins at
    /// the start.
    pub fn following(&self, t: f64) -> Following {
        let start = self.start;
        self.loading.following(start, &start.x, t)
    }

    /// Residuals of joints at the start (m or rad), `[rows]`; empty if no force in them depends on a
    /// rate.
    pub fn residuals(&self) -> Vec<f64> {
        let Self { model, start, .. } = self;
        if have_rates(&model.joints) {
            first_residuals(&model.joints, &start.x, &start.memory.turned)
        } else {
            Vec::new()
        }
    }

    /// Residuals of joints from which rates count (m or rad), `[rows]`, where a stage has made these
    /// `sums` of earlier ones, and its reference is at `x` (m).
    ///
    /// Angles between rigid bodies are linear in coordinates: the residual at the reference is the sum.
    fn residuals_from(&self, mut sums: Vec<f64>, x: &[Vec2]) -> Vec<f64> {
        let Self { model, start, .. } = self;
        if sums.is_empty() {
            return sums;
        }
        let at_reference = first_residuals(&model.joints, x, &start.memory.turned);
        let rows = model.joints.iter().flat_map(|joint| &joint.rows);
        let of_rigid = |frame: &JointFrame| {
            let node = model.coordinates.angle_node(frame.vertices[0]);
            node.is_some()
        };
        for ((row, sum), there) in rows.zip(&mut sums).zip(at_reference) {
            if matches!(row.rule, Rule::Turned(_)) && row.frames.iter().all(of_rigid) {
                *sum = there;
            }
        }
        sums
    }

    /// Materials of a stage that ends at the time `end` (s): with the flow at its start and the
    /// temperature at its end.
    pub fn materials(&self, end: f64) -> Materials {
        let from = self.ends.last().unwrap_or(self.start);
        let conditions = Conditions {
            time: end,
            flowed: &from.memory.options.plasticity.flowed,
        };
        Materials::of(self.model, conditions)
    }
}

/// An integrator in time: a recipe for the stages of a step.
///
/// The end of the last stage is the end of the step. A step may have any length: if it fails it is
/// halved, and steps may differ in length, so an integrator with a history reads the lengths there.
pub trait Integrator: Debug + Send + Sync {
    /// Number of stages of a step, at least 1.
    fn stages(&self) -> usize {
        1
    }

    /// Number of past states that a step needs; the first steps of a run have fewer.
    fn history(&self) -> usize {
        0
    }

    /// True if velocities are combinations of velocities of several states before.
    fn mixes_velocities(&self) -> bool {
        self.history() > 0
    }

    /// Order of the method where motion is smooth, 1 or 2: the local error of positions is of order
    /// `h^(p + 1)`.
    fn order(&self) -> usize {
        2
    }

    /// True if bodies have no velocities, and each stage ends in equilibrium.
    fn is_static(&self) -> bool {
        false
    }

    /// Weights of the state at the start of a step of length `h` (s), and of minus the one before it, in
    /// the reference from which velocities count, if all else follows from these; `None` otherwise.
    fn reference_weights(&self, _start: &State, _h: f64) -> Option<[f64; 2]> {
        None
    }

    /// Stage that begins at a departure.
    fn stage(&self, from: Departure) -> Stage;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Load, TimeFunction};
    use crate::time::World;
    use crate::time::memory::Past;
    use crate::time::testing::{self, MASS, circles};
    use ipcsim_math::Vec2;

    /// A motion along x: place, velocity and acceleration (m) as functions of time (s).
    #[derive(Clone, Copy, Debug)]
    struct Course([fn(f64) -> f64; 3]);

    impl TimeFunction for Course {
        /// The force that moves a circle so.
        fn at(&self, t: f64) -> Vec2 {
            Vec2::new(MASS * self.0[2](t), 0.0)
        }
    }

    impl Course {
        /// A world of one circle that nothing but this force moves.
        fn world(self) -> World {
            let (mut world, _) = circles(&[[0.0, 0.0]], false, 0.0);
            world.loading.gravity = Vec2::zeros();
            world.loading.loads.push(Load {
                node: 0,
                force: Box::new(self),
            });
            world
        }

        /// Coordinates or velocities of the circle at a time.
        fn nodes(self, derivative: usize, t: f64) -> Vec<Vec2> {
            vec![Vec2::new(self.0[derivative](t), 0.0), Vec2::zeros()]
        }

        /// The exact state at a time, after a step of a length `h` (s).
        fn state(self, world: &World, t: f64, h: f64) -> State {
            let [q, q_dot] = [0, 1].map(|derivative| self.nodes(derivative, t));
            let mut state = State::new(&world.model.coordinates, q, q_dot);
            state.time = t;
            state.memory.history.push(Past {
                q: self.nodes(0, t - h),
                q_dot: self.nodes(1, t - h),
                h,
            });
            state
        }
    }

    /// Errors of place (m) and velocity (m/s) after a step of a length `h` from the exact state at 0.3 s,
    /// after one of half that length. Without energies the minimum of a stage is where it predicts.
    fn errors(scheme: Scheme, course: Course, h: f64) -> [f64; 2] {
        let world = course.world();
        let integrator = scheme.integrator();
        let start = course.state(&world, 0.3, 0.5 * h);
        let mut ends: Vec<State> = Vec::new();
        for _ in 0..integrator.stages() {
            let stage = testing::stage(&world, &*integrator, &start, &ends, h);
            assert!(stage.pull.iter().all(|pull| *pull == Vec2::zeros()));
            let q = stage.predicted.q.clone();
            let q_dot = stage.velocity(&q);
            let mut end = State::new(&world.model.coordinates, q, q_dot);
            end.time = stage.end;
            ends.push(end);
        }
        let end = &ends[ends.len() - 1];
        let t = 0.3 + h;
        assert!((end.time - t).abs() < 1e-15);
        [&end.q, &end.q_dot]
            .map(|nodes| nodes[0].x)
            .into_iter()
            .zip([0, 1])
            .map(|(found, derivative)| (found - course.0[derivative](t)).abs())
            .collect::<Vec<_>>()
            .try_into()
            .unwrap()
    }

    #[test]
    fn motions_that_are_polynomials_of_the_order_of_a_method_are_exact() {
        let even = Course([|t| 1.0 + 2.0 * t, |_| 2.0, |_| 0.0]);
        let falling = Course([|t| 1.0 + 2.0 * t - 3.0 * t * t, |t| 2.0 - 6.0 * t, |_| -6.0]);
        for scheme in Scheme::ALL {
            let order = scheme.integrator().order();
            let course = if order == 1 { even } else { falling };
            for h in [0.01, 0.3] {
                let [place, velocity] = errors(scheme, course, h);
                assert!(place < 1e-13 && velocity < 1e-13, "{scheme:?}");
            }
            // One degree more is not: the test would see a wrong coefficient.
            let cubic = Course([|t| t * t * t, |t| 3.0 * t * t, |t| 6.0 * t]);
            let more = if order == 1 { falling } else { cubic };
            assert!(errors(scheme, more, 0.3)[0] > 1e-4, "{scheme:?}");
        }
    }

    #[test]
    fn errors_of_a_step_shrink_with_the_power_that_the_order_of_a_method_says() {
        let wave = Course([f64::sin, f64::cos, |t| -t.sin()]);
        for scheme in Scheme::ALL {
            let order = scheme.integrator().order();
            let expected = f64::from(1_u32 << (order + 1));
            let [long, short] = [0.02, 0.01].map(|h| errors(scheme, wave, h));
            for k in 0..2 {
                let ratio = long[k] / short[k];
                let error = (ratio / expected - 1.0).abs();
                assert!(error < 0.1, "{scheme:?} {k}: {ratio} {expected}");
            }
        }
    }

    #[test]
    fn velocities_and_contact_belong_to_the_same_time_in_every_stage() {
        // A push of contact, s_c f / m, changes the velocity by that over beta, and the whole step by
        // h f / m, where all stages have it.
        let still = Course([|_| 0.0, |_| 0.0, |_| 0.0]);
        let world = still.world();
        let start = still.state(&world, 0.0, 0.2);
        for scheme in [Scheme::ImplicitEuler, Scheme::Trapezoid] {
            let stage = testing::stage(&world, &*scheme.integrator(), &start, &[], 0.1);
            assert!((stage.friction_time() - 0.1).abs() < 1e-15, "{scheme:?}");
        }
        let stage = testing::stage(&world, &Bdf2, &start, &[], 0.1);
        let beta = 0.1 * 1.5 / 2.0;
        assert!((stage.friction_time() - beta).abs() < 1e-15);
    }
}
