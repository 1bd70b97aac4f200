//! Integrators: how a step through time becomes stages that minimise a potential. One file each.
//!
//! An integrator sees where a stage begins, a [`Departure`], and describes the [`Stage`]: the
//! predicted place `q_tilde`, the rule for velocities `v = (q - q_ref) / beta`, and the factors of
//! inertia, elasticity and contact. Of forces it reads at most the elastic ones of the start; those
//! of the end are the solver's. To add one, write a file with an implementation of [`Integrator`]
//! and a line in [`Scheme`], by which scenes name it.
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
mod implicit_euler;
mod newmark;
mod scheme;
mod statics;
mod tr_bdf2;
mod trapezoid;

pub use bdf2::Bdf2;
pub use implicit_euler::ImplicitEuler;
pub use newmark::Newmark;
pub use scheme::Scheme;
pub use statics::Statics;
pub use tr_bdf2::TrBdf2;
pub use trapezoid::Trapezoid;

use super::loading::{Loading, Loads};
use super::span::Span;
use super::state::State;
use crate::body::Prescribed;
use crate::solve::{Materials, Model, Stage};
use ipcsim_energy::{Conditions, Following};
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
        self.loading.following(&start.parameters, &start.x, t)
    }

    /// Materials of a stage that ends at the time `end` (s): their flow is that of its start, their
    /// temperature that of its end.
    pub fn materials(&self, end: f64) -> Materials {
        let from = self.ends.last().unwrap_or(self.start);
        let conditions = Conditions {
            time: end,
            flowed: &from.memory.flowed,
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

    /// Order of the method where motion is smooth, 1 or 2: the local error of positions is of order
    /// `h^(p + 1)`.
    fn order(&self) -> usize {
        2
    }

    /// True if bodies have no velocities, and each stage ends in equilibrium.
    fn is_static(&self) -> bool {
        false
    }

    /// Stage that begins at a departure.
    fn stage(&self, from: Departure) -> Stage;
}
