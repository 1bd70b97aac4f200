//! What a search direction says about the state that it begins at.

use super::direction::Direction;
use super::iterate::Iterate;
use super::problem::Problem;
use super::progress::Progress;
use super::settings::Status;
use super::strategy::Search;
use crate::solve::failure::Failure;

/// Assessment of a state by a search direction from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assessment {
    /// Residual of the direction (m/s; in statics N).
    pub(super) residual: f64,
    /// True if the length of the direction says how far the minimum is.
    pub(super) tells: bool,
    /// Conclusion.
    pub(super) verdict: Verdict,
}

/// Where the minimum is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Verdict {
    /// The minimum is here.
    Minimum(Status),
    /// The minimum is here, but a penalty keeps prescribed coordinates short of their targets.
    Short,
    /// The minimum is here, but its joints are open.
    Open,
    /// The minimum is elsewhere.
    Elsewhere,
}

/// Assesses a state by a search direction, whose displacement of the vertices is computed on the way.
///
/// # Errors
/// [`Failure::NotFinite`], if the direction is not finite.
pub(super) fn assess(
    problem: &Problem,
    search: Search,
    progress: &Progress,
    iterate: &Iterate,
    direction: &mut Direction,
) -> Result<Assessment, Failure> {
    let residual = residual(problem, iterate, direction)?;
    let tells = search.measures_distance();
    let is_small = residual <= problem.potential.stage.tolerance;
    let is_stalled = progress.is_stalled();
    let verdict = if tells {
        verdict(is_small, is_stalled, problem, iterate, direction)
    } else {
        Verdict::Elsewhere
    };
    Ok(Assessment {
        residual,
        tells,
        verdict,
    })
}

/// Residual of a direction. A matrix with `1 + damping` times the mass makes directions shorter by at most that factor.
fn residual(
    problem: &Problem,
    iterate: &Iterate,
    direction: &mut Direction,
) -> Result<f64, Failure> {
    let potential = &problem.potential;
    direction.displace(&potential.model.coordinates, &iterate.at);
    let displacement = &direction.displacement;

    let residual = potential
        .stage
        .residual(displacement, &direction.gradient.q);
    if residual.is_finite() {
        return Ok(residual * (1.0 + direction.damping));
    }
    let not_finite = displacement.iter().position(|d| !(d.x + d.y).is_finite());
    Err(Failure::NotFinite {
        energy: "direction",
        vertex: not_finite.unwrap_or(0),
    })
}

/// Judges a state by a direction whose residual `is_small`, or whose solve `is_stalled` by rounding.
fn verdict(
    is_small: bool,
    is_stalled: bool,
    problem: &Problem,
    iterate: &Iterate,
    direction: &Direction,
) -> Verdict {
    let pins = &problem.pins;
    if pins.all_met() {
        let constraints = &problem.potential.constraints;
        if (is_small || is_stalled) && !constraints.are_closed(&iterate.at.x) {
            return Verdict::Open;
        }
        return match (is_small, is_stalled) {
            (true, _) => Verdict::Minimum(Status::Converged),
            (false, true) => Verdict::Minimum(Status::RoundingReached),
            (false, false) => Verdict::Elsewhere,
        };
    }

    // The tolerance may be large beside the way that is missing: a direction that goes a good part of it is taken.
    let arrived = is_small && !pins.approached_by(&direction.p, &iterate.at.q);
    if is_stalled || arrived {
        Verdict::Short
    } else {
        Verdict::Elsewhere
    }
}
