//! Verdict on a state from the search direction that begins there.
//!
//! A Newton direction is the displacement to the minimum of a quadratic model, so its length
//! estimates how far the minimum is. A state counts as the minimum if that length, as a speed, is
//! within the tolerance and forces balance there, or if rounding of the potential no longer lets
//! directions become shorter. The verdict then names what the minimum lacks: closed joints, or
//! prescribed coordinates at their targets.

use super::direction::Direction;
use super::iterate::Iterate;
use super::problem::Problem;
use super::settings::Status;
use super::solve_state::SolveState;
use super::strategy::Search;
use crate::solve::failure::Failure;
use crate::tuning::MULTIPLIERS_MOST_DEPENDENT;

/// Assessment of a state by a search direction from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assessment {
    /// Residual of the direction (m/s).
    pub(super) residual: f64,
    /// True if the length of the direction estimates the distance to the minimum.
    pub(super) measures: bool,
    /// True if the direction is that short that the minimum is here, if forces balance.
    pub(super) is_small: bool,
    /// Place of the minimum, by residual and progress.
    pub(super) verdict: Verdict,
}

impl Assessment {
    /// True if a line search that ended with `failure` ends the solve: the direction was short, and
    /// no part of it lowers the potential.
    pub(super) fn ends(&self, problem: &Problem, failure: &Failure) -> bool {
        let lacks_progress = matches!(failure, Failure::NoProgress { .. });
        lacks_progress && self.is_small && problem.pins.all_met()
    }
}

/// Place of the minimum, seen from the assessed state.
#[derive(Clone, Copy, Debug)]
pub(super) enum Verdict {
    /// The minimum is here.
    Minimum(Status),
    /// The minimum of the present potential is here, but it is not the end of the solve.
    Incomplete(Lack),
    /// The minimum is elsewhere.
    Elsewhere,
}

/// Requirement that a minimum of the present potential does not meet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lack {
    /// A penalty keeps prescribed coordinates short of their targets.
    Target,
    /// A joint is open, at the minimum or near it.
    Joint {
        /// True at the minimum of the present potential.
        at_minimum: bool,
    },
}

/// Assesses a state by a search direction, and computes the displacement of the vertices by it.
///
/// # Errors
/// [`Failure::NotFinite`], if the direction is not finite.
pub(super) fn assess(
    problem: &Problem,
    search: Search,
    solve_state: &SolveState,
    iterate: &Iterate,
    direction: &mut Direction,
) -> Result<Assessment, Failure> {
    let residual = residual(problem, iterate, direction)?;
    let measures = search.measures_distance();
    let is_small = measures && residual <= problem.potential.stage.tolerance;

    // Scaled gradients do not tell how far the minimum is.
    let verdict = if measures {
        let evidence = Evidence {
            distance: match (is_small, solve_state.may_close(residual)) {
                (true, _) => Distance::Here,
                (false, true) => Distance::Near,
                (false, false) => Distance::Far,
            },
            depend: solve_state.depend,
            is_stalled: solve_state.progress.is_stalled(),
            may_stop: solve_state.may_stop(),
        };
        verdict(evidence, problem, iterate, direction)
    } else {
        Verdict::Elsewhere
    };

    Ok(Assessment {
        residual,
        measures,
        is_small,
        verdict,
    })
}

/// Residual of a direction (m/s).
///
/// A matrix with `1 + damping` times the mass makes directions shorter by at most that factor,
/// which the residual makes up for.
pub(super) fn residual(
    problem: &Problem,
    iterate: &Iterate,
    direction: &mut Direction,
) -> Result<f64, Failure> {
    let potential = &problem.potential;
    direction.displace(&potential.model.coordinates, &iterate.at);
    let displacement = &direction.displacement;

    let residual = potential.stage.residual(potential.model, displacement);
    if residual.is_finite() {
        return Ok(residual * (1.0 + direction.damping));
    }

    let not_finite = displacement.iter().position(|d| !(d.x + d.y).is_finite());
    Err(Failure::NotFinite {
        energy: "direction",
        vertex: not_finite.unwrap_or(0),
    })
}

/// Findings at a state that its verdict follows from.
#[derive(Clone, Copy, Debug)]
struct Evidence {
    /// Distance of the minimum, by the length of the direction.
    distance: Distance,
    /// True if each direction is to close joints, see [`SolveState::depend`].
    depend: bool,
    /// True if directions no longer become shorter by rounding.
    is_stalled: bool,
    /// True if a short direction is not taken any more.
    may_stop: bool,
}

/// Distance of the minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distance {
    /// The direction is short.
    Here,
    /// The direction is short enough to find the forces of joints with it.
    Near,
    /// The direction is long.
    Far,
}

/// Verdict on a state by evidence.
fn verdict(
    evidence: Evidence,
    problem: &Problem,
    iterate: &Iterate,
    direction: &Direction,
) -> Verdict {
    let Evidence {
        distance,
        depend,
        is_stalled,
        may_stop,
    } = evidence;
    let is_small = distance == Distance::Here;
    let pins = &problem.pins;
    if pins.all_met() {
        let constraints = &problem.potential.constraints;
        let at_minimum = is_small || is_stalled;
        let may_close = at_minimum || distance == Distance::Near;
        let is_patient = depend && constraints.renewals() > MULTIPLIERS_MOST_DEPENDENT;
        let x = &iterate.at.x;
        let are_closed =
            constraints.are_closed(x) || is_patient && constraints.are_nearly_closed(x);

        // Rows that depend on each other are closed with every direction but the last ones.
        let is_done = are_closed && is_small && (may_stop || is_patient);
        if depend && !is_done {
            return Verdict::Incomplete(Lack::Joint { at_minimum: false });
        }
        if may_close && !are_closed {
            return Verdict::Incomplete(Lack::Joint { at_minimum });
        }
        return match (is_small && may_stop, is_stalled) {
            (true, _) => Verdict::Minimum(Status::Converged),
            (false, true) => Verdict::Minimum(Status::RoundingReached),
            (false, false) => Verdict::Elsewhere,
        };
    }

    // The tolerance may be large relative to the missing displacement: a direction along much of it
    // is taken.
    let arrived = is_small && !pins.approached_by(&direction.p, &iterate.at.q);
    if is_stalled || arrived {
        Verdict::Incomplete(Lack::Target)
    } else {
        Verdict::Elsewhere
    }
}
