//! How a solver goes about a minimisation, for those on which Newton's method fails.

use crate::energy::Curvature;
use crate::math::Vec2;
use crate::solve::system::{Indefinite, System};
use crate::solve::{Phase, Timings};

/// What is changed of the usual method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// Share, of what is usual, of the way to contact that one direction may take.
    pub reach: f64,
    /// Where directions come from.
    pub direction: Direction,
}

/// Where directions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The Newton system, projected where it is not positive definite.
    Newton,
    /// The Newton system with a multiple of the mass on top, `H + c M`: the exact Hessian of contacts and arcs, with the
    /// smallest `c` of a sequence that makes it positive definite. Where a potential bends down, as that of a body that is
    /// about to topple does, projection takes away what tells in which direction, and this does not.
    Regularized,
    /// The gradient, each node's part scaled by the inverse of its own block of the Hessian, for as many directions; then
    /// the Newton system, since only its directions tell how far the minimum is.
    Gradient(usize),
}

impl Manner {
    /// Newton's method as it is.
    pub const USUAL: Self = Self {
        reach: 1.0,
        direction: Direction::Newton,
    };
}

impl Direction {
    /// Where the direction of an iteration, counted from 1, comes from.
    pub(super) fn at(self, iteration: usize) -> Self {
        match self {
            Self::Gradient(count) if iteration > count => Self::Newton,
            same => same,
        }
    }
}

/// Assembles and factorises what a kind of direction needs, and returns the multiple of the mass on top of it. Where there
/// are `arcs` the exact Hessian is tried first.
pub(super) fn factorise(
    system: &mut System,
    (direction, arcs): (Direction, bool),
    mass: &[Vec2],
    timings: &mut Timings,
    mut assemble: impl FnMut(&mut System, Curvature),
) -> Result<f64, Indefinite> {
    let regularized = direction == Direction::Regularized;
    if regularized || arcs && direction == Direction::Newton {
        timings.measure(Phase::Hessian, || assemble(system, Curvature::Exact));
        if regularized {
            return system.factorise_damped(mass, timings);
        }
        if system.try_factorise(timings) {
            return Ok(0.0);
        }
    }
    timings.measure(Phase::Hessian, || assemble(system, Curvature::Projected));
    if direction == Direction::Newton {
        system.factorise(timings)?;
    }
    Ok(0.0)
}
