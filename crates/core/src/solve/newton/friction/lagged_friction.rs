//! Friction that follows the normal forces within a solve.
//!
//! Lagged friction is that of the start of a step, and its normal forces may be wrong by any factor
//! at the end: where bodies hit each other, or start inside `d_hat`. The remedy of Li et al. 2020,
//! section 5, is to solve again with newer friction until it no longer changes, which costs 2.3
//! times the directions. Here friction is renewed between the directions of one solve:
//!
//! - each direction begins with the friction of its own state, and ends with that of the normal
//!   forces that it leads to ([`ahead`](super::ahead)). If forces balance with the friction of a
//!   state, it obeys Coulomb's law at the end, and the solve stops;
//! - after [`LEADING`] directions there may be no fixed point, or directions go round in circles. Then
//!   friction is renewed near the minimum alone. Where that does not halve the imbalance, only a
//!   share of the change is taken, which calms friction that pushes a contact open and then lets it
//!   close;
//! - after [`MOST`] of these friction stays, and the solve converges with it; the report says so.

use crate::solve::failure::Failure;
use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::Iterate;
use crate::solve::newton::problem::Problem;
use crate::solve::newton::progress::Progress;
use crate::solve::newton::workspace::Newton;
use ipcsim_contact::Friction;

/// Number of directions of a solve in which friction leads: it has the normal forces that the
/// direction leads to.
///
/// Usually 64. Higher: more directions where there is no fixed point. Lower: friction is renewed at
/// minima alone in more solves, which takes more directions in all.
const LEADING: usize = 64;
/// Ratio of the imbalance to that of the renewal before, above which a renewal is held back.
///
/// Unit 1, below 1; usually 0.5. Lower: friction that would have converged is held back. Higher: it
/// oscillates.
const CALM: f64 = 0.5;
/// Share of the change of loads that a renewal takes when it is held back.
///
/// Unit 1, between 0 and 1; usually 0.5. Higher: friction oscillates. Lower: it lags.
const SHARE: f64 = 0.5;
/// Number of renewals that were held back after which friction stays.
///
/// Usually 4. Higher: more directions where there is no fixed point. Lower: more steps whose
/// friction is not that of their end.
const MOST: usize = 4;

/// Renewals of friction in one solve.
#[derive(Debug)]
pub(crate) struct Renewals {
    /// Number of directions so far.
    directions: usize,
    /// Number of renewals so far that were held back.
    count: usize,
    /// Imbalance at the last renewal (m/s).
    imbalance: f64,
    /// True if friction was renewed at the present state.
    is_new: bool,
    /// True if friction has the normal forces of the present state.
    pub(crate) follow: bool,
}

impl Default for Renewals {
    /// No renewal yet.
    fn default() -> Self {
        Self {
            directions: 0,
            count: 0,
            imbalance: f64::INFINITY,
            is_new: false,
            follow: false,
        }
    }
}

impl Renewals {
    /// True if friction of the present state does not keep a solve from its end: it has the normal
    /// forces there, or none such were found.
    pub(crate) fn are_done(&self) -> bool {
        self.follow || self.count >= MOST
    }

    /// True if friction leads: it takes the normal forces that a direction leads to.
    pub(crate) fn couples_friction(&self) -> bool {
        self.directions <= LEADING
    }

    /// Notes that a solve begins with the friction of its first state.
    pub(crate) fn begin_known(&mut self, problem: &Problem) {
        self.directions += 1;
        self.follow = problem.potential.following.is_some();
    }

    /// Renews friction at a state where a direction begins, if it follows the normal forces, and it
    /// leads or the minimum is near and friction has not been held back too often. Friction so far
    /// is in `older` then.
    pub(crate) fn renew(
        &mut self,
        problem: &mut Problem,
        iterate: &Iterate,
        progress: &mut Progress,
        older: &mut Friction,
    ) {
        let potential = &mut *problem.potential;
        self.is_new = false;
        self.follow = false;
        self.directions += 1;
        let is_near = progress.is_near(potential.stage.tolerance);
        let may_follow = self.couples_friction() || is_near && self.count < MOST;
        if potential.following.is_none() || !may_follow {
            return;
        }

        self.follow = true;
        self.is_new = potential.renew_friction(&iterate.contacts, &iterate.at, older);
        if self.is_new {
            progress.change_potential();
        }
    }
}

impl Newton {
    /// Takes back a part of the last renewal, with its part of the gradient, if it has not brought
    /// the `imbalance` (m/s) down.
    ///
    /// # Errors
    /// [`Failure`], if the gradient is not finite.
    pub(crate) fn hold_back_friction(
        &mut self,
        problem: &mut Problem,
        iterate: &Iterate,
        renewals: &mut Renewals,
        imbalance: f64,
        direction: &mut Direction,
    ) -> Result<(), Failure> {
        if renewals.couples_friction() || !std::mem::take(&mut renewals.is_new) {
            return Ok(());
        }
        let before = std::mem::replace(&mut renewals.imbalance, imbalance);
        if imbalance <= CALM * before {
            return Ok(());
        }

        problem.potential.friction.mix(&self.older, SHARE);
        renewals.follow = false;
        renewals.count += 1;
        self.find_gradient(problem, iterate, direction)
    }
}
