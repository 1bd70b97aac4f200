//! Steps that are divided into substeps by an estimate of their error.
//!
//! Steps of the scene are still stored, numbered and proved. Within it the program takes substeps
//! of any length, and the last one ends exactly where the step does. A substep is accepted if the
//! estimate of its local error is below the tolerance, and rejected otherwise; so is one that
//! Newton's method does not solve. Substeps of the smallest length are accepted whatever their
//! error is, and have the fallbacks of a whole step.
//!
//! The next length follows from the error of the last one, `h (tol / e)^(1 / (p + 1))` by a method of
//! order `p` (Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", section II.4).
//! It is part of the memory of a step, no clock has a part in it, and a substep that is rejected
//! changes no state: so bits do not depend on threads, and a resumed run has the same ones.
//!
//! Substeps also begin near their end: accelerations of the last two, extrapolated, say where forces
//! will lead bodies ([`predictor`](super::predictor)), which saves directions of Newton's method.
//!
//! Accepted substeps have their segments in the certificate. Reports and files know the step as a
//! whole.

use crate::body::Lattice;
use crate::solve::{Failure, Solver, Strategy};
use crate::time::options::control::Adaptive;
use crate::time::options::recovery::whole;
use crate::time::options::tunnelling::foresees_nothing;
use crate::time::report::Substeps;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::stages::{StageResult, advance};
use crate::time::world::World;
use crate::tuning::{
    SUBSTEP_LEAST_GROWTH, SUBSTEP_MOST_GROWTH, SUBSTEP_REJECTED, SUBSTEP_ROUNDING, SUBSTEP_SAFETY,
    SUBSTEP_UNSOLVED,
};
use ipcsim_contact::Pace;
use ipcsim_math::elementary::{powf, powi};
use ipcsim_math::{Vec2, parallel};

/// Factor of `h^3 q'''` in the local error of methods of second order: `2/9` by backward
/// differences, which is the largest of them.
const SECOND: f64 = 2.0 / 9.0;

/// Local error of a substep.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    /// Largest displacement of a vertex by the error (m).
    error: f64,
    /// Order `p` of the method; the error grows as `h^(p + 1)`.
    order: i32,
}

impl Estimate {
    /// Estimate for a substep of length `h` (s) `from` one state `to` another.
    ///
    /// With the mean acceleration `a = dv / h` of a substep the local error of position is `h^2 a / 2`
    /// by a method of first order, and `c h^3 q'''` by one of second order, where `q'''` is the
    /// difference of the mean accelerations of this substep and the one before by the time between
    /// their middles. Without one before, or where it was much shorter, the first estimate holds.
    fn of(world: &World, from: &State, to: &State, h: f64) -> Self {
        let reaches = |past: &&crate::time::Past| h <= SUBSTEP_MOST_GROWTH * past.h;
        let past = from.memory.history.first().filter(reaches);
        let past = past.filter(|_| world.integrator.order() > 1);
        let gained = |i: usize| to.q_dot[i] - from.q_dot[i];
        let mut by_q: Vec<Vec2> = (0..to.q.len())
            .map(|i| match past {
                None => gained(i) * (0.5 * h),
                Some(past) => {
                    let before = (from.q_dot[i] - past.q_dot[i]) / past.h;
                    let jerk = (gained(i) / h - before) / (0.5 * (h + past.h));
                    jerk * (SECOND * powi(h, 3))
                }
            })
            .collect();

        // As displacements of vertices.
        let mut by_x = to.x.clone();
        let coordinates = &world.model.coordinates;
        if let Some(lattice) = coordinates.lattice() {
            count_from_mean_motion(world, lattice, &to.q, &mut by_q);
        }
        coordinates.displacements(&to.configuration(), &by_q, &mut by_x);
        Self {
            error: parallel::max(by_x.len(), 0.0, |i| by_x[i].norm()),
            order: if past.is_some() { 2 } else { 1 },
        }
    }

    /// Ratio of the length that the tolerance (m) asks for to the length of the substep.
    fn growth(self, tolerance: f64) -> f64 {
        // A motion without error asks for infinitely much, which is cut.
        let exponent = 1.0 / f64::from(self.order + 1);
        SUBSTEP_SAFETY * powf(tolerance / self.error, exponent)
    }
}

/// Lets displacements by an error, `by_q` (`[nodes]`, m; of angles rad), count from the mean motion of a scene
/// that repeats, at the coordinates `q`: they are the same then for all images of a body.
///
/// Of the periods themselves free components have an error, and prescribed ones have none.
fn count_from_mean_motion(world: &World, lattice: &Lattice, q: &[Vec2], by_q: &mut [Vec2]) {
    let coordinates = &world.model.coordinates;
    let even = lattice.mean_motion(q, by_q);
    for node in (0..q.len()).filter(|&node| coordinates.is_place(node)) {
        by_q[node] -= even * q[node];
    }

    // A free period has the error of its whole length.
    let masks = lattice.masks();
    for (node, mask) in lattice.periods().into_iter().zip(masks) {
        by_q[node] = (even * q[node]).component_mul(&mask);
    }
}

/// An unfinished step: the substeps so far.
struct SubstepControl {
    /// State and account of the last accepted substep, with those before.
    arrival: Option<StageResult>,
    /// Numbers and lengths of substeps.
    substeps: Substeps,
    /// Newton directions of substeps that were solved and rejected.
    wasted: usize,
}

/// Computes the state at the end of a span in substeps whose error is controlled.
///
/// # Errors
/// [`Failure`] of a substep of the smallest length, after all fallbacks; [`Failure::Interrupted`]
/// if the step is stopped meanwhile.
pub(in crate::time) fn adaptively(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    control: Adaptive,
) -> Result<StageResult, Failure> {
    let mut at = start.clone();
    let mut next = start
        .memory
        .options
        .adaptive
        .pace
        .unwrap_or(span.h)
        .min(span.h);
    let mut course = SubstepControl {
        arrival: None,
        substeps: Substeps::default(),
        wasted: 0,
    };
    let mut is_repeated = false;
    loop {
        let (part, is_last) = part(span, at.time, next.max(control.smallest));
        let is_least = is_least(part, control);
        let mut arrival = match attempt(world, solver, &at, part, is_least) {
            Ok(arrival) => arrival,
            Err(failure) if is_least || failure == Failure::Interrupted => return Err(failure),
            Err(_) => {
                next = SUBSTEP_UNSOLVED * part.h;
                is_repeated = true;
                course.substeps.rejected += 1;
                continue;
            }
        };

        // Too large an error: the state stays where the substep began.
        let estimate = Estimate::of(world, &at, &arrival.state, part.h);
        let growth = estimate.growth(control.tolerance);
        if estimate.error > control.tolerance && !is_least {
            let [least, most] = SUBSTEP_REJECTED;
            next = part.h * growth.clamp(least, most);
            is_repeated = true;
            course.substeps.rejected += 1;
            course.wasted += arrival.report.record.newton_iterations;
            continue;
        }

        // After a rejected substep the length does not grow at once.
        let most = if is_repeated {
            1.0
        } else {
            SUBSTEP_MOST_GROWTH
        };
        next = (part.h * growth.clamp(SUBSTEP_LEAST_GROWTH, most)).min(span.h);
        is_repeated = false;
        arrival.state.memory.options.adaptive.pace = Some(next);
        arrival.report.hash = arrival.state.hash();
        course.add(arrival, part.h);
        if is_last {
            return course.end().ok_or(Failure::Interrupted);
        }
        if let Some(arrival) = &course.arrival {
            at = State {
                step: start.step,
                ..arrival.state.clone()
            };
        }
    }
}

/// Next substep from the time `now` (s) to the end of a span: the remaining time in equal parts no
/// longer than `longest` (s), and true for the last one, which ends exactly with the span.
fn part(span: Span, now: f64, longest: f64) -> (Span, bool) {
    let begin = span.end - span.h;
    let now = now.max(begin);
    let left = span.end - now;
    let count = (left / longest - SUBSTEP_ROUNDING).ceil();
    if count <= 1.0 {
        return (Span { h: left, ..span }, true);
    }
    let h = left / count;
    (Span { end: now + h, h }, false)
}

/// True if a substep has the smallest length. Equal parts of the remaining time may be longer by
/// rounding, and would be rejected for ever if that counted.
fn is_least(part: Span, control: Adaptive) -> bool {
    part.h <= control.smallest * (1.0 + 2.0 * SUBSTEP_ROUNDING)
}

/// One attempt at a substep; with all fallbacks if it is of the smallest length.
///
/// # Errors
/// [`Failure`] of the attempt, also where bodies would pass each other.
fn attempt(
    world: &World,
    solver: &mut Solver,
    from: &State,
    part: Span,
    is_least: bool,
) -> Result<StageResult, Failure> {
    if is_least {
        return whole(world, solver, from, part);
    }
    foresees_nothing(world, from, part, Pace::Far)?;
    advance(world, solver, from, part, Strategy::USUAL)
}

impl SubstepControl {
    /// Adds an accepted substep of length `h` (s). The first fallback that was needed stays in it.
    fn add(&mut self, arrival: StageResult, h: f64) {
        self.substeps.add(h);
        let StageResult { state, report } = arrival;
        let report = match self.arrival.take() {
            None => report,
            Some(before) => {
                let recovery = before.report.recovery.clone().or(report.recovery.clone());
                let mut both = before.report.followed_by(report);
                both.recovery = recovery;
                both
            }
        };
        self.arrival = Some(StageResult { state, report });
    }

    /// End of the step, with the account of its substeps.
    fn end(self) -> Option<StageResult> {
        let mut arrival = self.arrival?;
        arrival.report.substeps = Some(self.substeps);
        arrival.report.record.newton_iterations += self.wasted;
        Some(arrival)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::integrator::Bdf2;
    use crate::time::memory::Past;
    use crate::time::testing::{circles, moved};

    #[test]
    fn parts_are_equal_and_the_last_ends_with_the_whole() {
        let span = Span { end: 0.3, h: 0.1 };
        let (first, is_last) = part(span, 0.0, 0.04);
        assert!(!is_last && (first.h - 0.1 / 3.0).abs() < 1e-15);

        let mut now = first.end;
        for count in 1..=2 {
            let (next, is_last) = part(span, now, 0.04);
            assert_eq!(is_last, count == 2);
            now = next.end;
        }
        assert_eq!(now.to_bits(), span.end.to_bits());
    }

    #[test]
    fn parts_that_are_as_short_as_they_may_be_are_known_whatever_rounding_does() {
        // Three parts of a time that is longer by 1e-10 than three times the smallest.
        let control = Adaptive {
            tolerance: 1e-6,
            smallest: 1e-4,
        };
        let span = Span {
            end: 0.5,
            h: 3e-4 * (1.0 + 1e-10),
        };
        let (part, is_last) = part(span, 0.5 - span.h, control.smallest);
        assert!(!is_last && part.h > control.smallest);
        assert!(is_least(part, control));
        let longer = Span { h: 1.1e-4, ..part };
        assert!(!is_least(longer, control));
    }

    #[test]
    fn the_length_follows_the_error_by_the_order() {
        let of = |error, order| Estimate { error, order }.growth(1e-6);
        assert!((of(8e-6, 2) - 0.5 * SUBSTEP_SAFETY).abs() < 1e-12);
        assert!((of(4e-6, 1) - 0.5 * SUBSTEP_SAFETY).abs() < 1e-12);
        assert_eq!(of(0.0, 2), f64::INFINITY);
    }

    #[test]
    fn errors_are_the_remainders_of_the_series_of_each_order() {
        let (mut world, rest) = circles(&[[0.0, 0.0]], false, 0.0);
        let h = 0.2;
        // Acceleration 3 + 5 t from the time 0.
        let at = |t: f64| {
            let mut state = moved(&world, &rest, |_| {});
            state.q_dot[0] = Vec2::new(0.0, 3.0 * t + 2.5 * t * t);
            state
        };
        let [before, mut from, to] = [-0.15, 0.0, h].map(at);

        // First order: half of the mean acceleration times the square of the length.
        let first = Estimate::of(&world, &from, &to, h);
        let expected = 0.5 * h * h * (3.0 + 2.5 * h);
        assert!((first.error - expected).abs() < 1e-12 && first.order == 1);

        // Second order: two ninths of the slope of the acceleration times the cube.
        world.integrator = Box::new(Bdf2);
        from.memory.history.push(Past {
            q: before.q,
            q_dot: before.q_dot,
            h: 0.15,
        });
        let second = Estimate::of(&world, &from, &to, h);
        let expected = 2.0 / 9.0 * h * h * h * 5.0;
        assert!((second.error - expected).abs() < 1e-12 && second.order == 2);

        // A substep that was less than half as long tells nothing.
        from.memory.history[0].h = 0.4 * h;
        let again = Estimate::of(&world, &from, &to, h);
        assert!((again.error - first.error).abs() < 1e-15 && again.order == 1);
    }

    #[test]
    fn parts_of_any_length_cover_a_span_without_gaps() {
        let span = Span { end: 1.7, h: 0.7 };
        for longest in [1.0, 0.7, 0.35, 0.3, 0.101, 0.013] {
            let mut now = 1.0;
            let mut count = 0;
            loop {
                let (next, is_last) = part(span, now, longest);
                assert!((next.end - next.h - now).abs() < 1e-15 && next.h <= longest * 1.000_001);
                now = next.end;
                count += 1;
                if is_last {
                    break;
                }
            }
            assert_eq!(now.to_bits(), span.end.to_bits());
            let expected = (0.7 / longest - 1e-9_f64).ceil();
            assert!(
                (f64::from(count) - expected).abs() < 0.5,
                "{longest}: {count}"
            );
        }
    }
}
