//! The integrators that a scene can name: the one place where they are registered.

use super::{Bdf2, ImplicitEuler, Integrator, Statics, TrBdf2, Trapezoid};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Integrator in time. With each, no state and no motion between states has an intersection, and a
/// run has the same bits on any number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// Implicit Euler: the first order, the most robust, and damps all motion the more the longer
    /// the step. For scenes that come to rest, and for stacks.
    #[default]
    ImplicitEuler,
    /// Backward differences of second order: as robust, at the same cost, with far less damping of
    /// slow motion. For soft bodies, swinging and rolling.
    Bdf2,
    /// Trapezoidal rule (Newmark's method) with implicit contact: the second order, without damping.
    /// For vibrations and waves in elastic bodies, and their impacts.
    Trapezoid,
    /// Trapezoidal rule, then backward differences: the second order, without damping of resolved
    /// motion and without unresolved vibrations. Two solves a step. For elastic bodies that hit
    /// each other.
    TrBdf2,
    /// Statics: no inertia and no velocities. Steps are increments of loads and prescribed motion,
    /// each solved to equilibrium of all forces; `time.step` is the load time of one, by which
    /// tables, formulas and scripts advance. For equilibrium itself, and for slow loading.
    Static,
}

impl Scheme {
    /// All integrators in time, in the order of the documentation; statics is none.
    pub const ALL: [Self; 4] = [
        Self::ImplicitEuler,
        Self::Bdf2,
        Self::Trapezoid,
        Self::TrBdf2,
    ];

    /// Name in words, for messages.
    pub fn words(self) -> &'static str {
        match self {
            Self::ImplicitEuler => "implicit Euler",
            Self::Bdf2 => "bdf2",
            Self::Trapezoid => "the trapezoid",
            Self::TrBdf2 => "tr_bdf2",
            Self::Static => "statics",
        }
    }

    /// The integrator itself.
    pub fn integrator(self) -> Box<dyn Integrator> {
        match self {
            Self::ImplicitEuler => Box::new(ImplicitEuler),
            Self::Bdf2 => Box::new(Bdf2),
            Self::Trapezoid => Box::new(Trapezoid),
            Self::TrBdf2 => Box::new(TrBdf2),
            Self::Static => Box::new(Statics),
        }
    }
}
