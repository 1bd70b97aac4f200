//! Directions that creep away from a saddle.
//!
//! Where the exact Hessian is not positive definite a projected one stands in for it. Projection leaves
//! out negative curvature, and with it the direction in which a body is about to topple, to roll off
//! another, or to buckle. Directions then follow the valley that leads from the saddle, each a few per cent
//! longer than the one before, and a step takes hundreds of them. In a solve that is slow already several
//! such directions in a row say so, and the next ones come from the exact Hessian with a multiple of the
//! mass, `H + c M` with the smallest `c` of a sequence that makes it positive definite: they are longest
//! where the curvature is most negative (Nocedal and Wright, "Numerical Optimization", section 3.4). They
//! end with the first Hessian that is positive definite by itself, or where a direction is not taken whole.
//!
//! In fast solves of motion projected directions stay: they may end at a saddle where nothing pushes a stack off
//! its unstable balance. An equilibrium is to be a minimum, so that its solves leave a saddle at once.

use super::direction::Direction;
use super::progress::Searched;
use crate::tuning::{CREEPING_DIRECTIONS, CREEPING_RATIO};

/// Directions of a solve in a row that creep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saddle {
    /// Number of projected directions in a row that were taken whole and were hardly shorter than the one before.
    creeping: usize,
    /// Residual of the last direction (m/s).
    last: f64,
}

impl Default for Saddle {
    fn default() -> Self {
        Self {
            creeping: 0,
            last: f64::INFINITY,
        }
    }
}

impl Saddle {
    /// True if directions creep away from a saddle.
    pub(super) fn is_near(&self) -> bool {
        self.creeping >= CREEPING_DIRECTIONS
    }

    /// Notes a direction with its residual (m/s), and how far it was taken.
    pub(super) fn note(&mut self, direction: &Direction, residual: f64, searched: &Searched) {
        let before = std::mem::replace(&mut self.last, residual);

        // A direction that is cut or halved says nothing about the curvature.
        let creeps =
            searched.was_whole && searched.fraction >= 1.0 && residual > CREEPING_RATIO * before;
        let is_damped = direction.damping > 0.0;
        self.creeping = match (direction.is_projected, is_damped) {
            (true, _) if creeps => self.creeping + 1,
            (_, true) if searched.was_whole => self.creeping,
            _ => 0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Coordinates;

    /// A direction of a projected Hessian, or of one with this damping.
    fn direction(is_projected: bool, damping: f64) -> Direction {
        Direction {
            damping,
            is_projected,
            ..Direction::zero(&Coordinates::default())
        }
    }

    /// Result of a line search that took a direction whole, or that contact cut.
    fn searched(fraction: f64) -> Searched {
        Searched {
            value: 0.0,
            lost: false,
            fraction,
            was_whole: fraction >= 1.0,
        }
    }

    #[test]
    fn whole_projected_directions_that_are_not_half_as_long_as_before_creep() {
        let (projected, whole) = (direction(true, 0.0), searched(1.0));
        let mut saddle = Saddle::default();
        for residual in [8.0, 5.0, 4.9] {
            saddle.note(&projected, residual, &whole);
            assert!(!saddle.is_near(), "the first one has none before it");
        }
        saddle.note(&projected, 5.1, &whole);
        assert!(saddle.is_near());

        // One that is much shorter, one that contact cuts, and one of the exact Hessian end it.
        for (next, residual, taken) in [
            (&projected, 2.0, 1.0),
            (&projected, 5.0, 0.5),
            (&direction(false, 0.0), 5.0, 1.0),
        ] {
            let mut other = saddle;
            other.note(next, residual, &searched(taken));
            assert!(!other.is_near());
        }

        // Damped directions go on as long as they are taken whole.
        let damped = direction(false, 0.1);
        saddle.note(&damped, 40.0, &whole);
        assert!(saddle.is_near());
        saddle.note(&damped, 40.0, &searched(0.3));
        assert!(!saddle.is_near());
    }
}
