//! The filtered line search: as far along a direction as is safe, then back until the potential does not grow (Li et al.
//! 2020, algorithm 1, lines 10 to 14).

use super::{Pins, Potential, Solver};
use crate::body::Configuration;
use crate::contact::{Limit, is_free, max_step, queries};
use crate::geometry::path::Motion;
use crate::math::{Vec2, parallel};
use crate::solve::system::System;
use crate::solve::{Failure, Phase};

/// What a line search did.
pub(super) struct Searched {
    pub(super) energy: f64,
    /// Whether the whole direction's decrease is too small for energies to tell, or nothing could move.
    pub(super) lost: bool,
    /// Fraction of the direction that contact allowed.
    pub(super) fraction: f64,
}

/// Halvings that a line search may do.
const MAX_HALVINGS: usize = 60;

impl Solver {
    /// Shortens `self.p` to the fraction on which nothing inverts, which it returns with the fraction of the rest that
    /// contact allows.
    pub(super) fn step_bound(&mut self, potential: &Potential, at: &Configuration) -> (f64, Limit) {
        let coordinates = potential.coordinates;
        coordinates.displacements(at, &self.p, &mut self.displacement);
        let inversion = self.timings.measure(Phase::StepBound, || {
            let by_x = potential.energies.iter().map(|energy| energy.max_step(&at.x, &self.displacement));
            let by_q = potential.own.iter().map(|energy| energy.max_step(&at.q, &self.p));
            by_x.chain(by_q).map(|bound| bound.fraction).fold(1.0, f64::min)
        });
        if inversion < 1.0 {
            self.p.iter_mut().for_each(|p| *p *= inversion);
        }
        let turns = coordinates.turns(&at.q, &self.p);
        let q: Vec<Vec2> = at.q.iter().zip(&self.p).map(|(q, p)| q + p).collect();
        let mut end = std::mem::take(&mut self.end);
        coordinates.positions(&q, &mut end);
        let motion = Motion { start: &at.x, end: &end, turn_of: coordinates.turn_of(), turns: &turns };
        self.cover_motion(potential.surface, &motion, potential.x_tilde);
        let (surface, candidates) = (potential.surface, &self.candidates);
        if let Some(asked) = &mut self.asked {
            asked.extend(queries(surface, candidates, &motion));
        }
        let limit = self.timings.measure(Phase::StepBound, || max_step(surface, candidates, &motion));
        self.end = end;
        (inversion, limit)
    }

    /// Moves `at` along `self.p`, as far as is safe and until the potential does not grow.
    pub(super) fn line_search(
        &mut self,
        potential: &Potential,
        pins: &Pins,
        before: f64,
        at: &mut Configuration,
    ) -> Result<Searched, Failure> {
        let (inversion, limit) = self.step_bound(potential, at);
        let decrease = -parallel::sum(at.q.len(), |i| self.gradient.q[i].dot(&self.p[i]));
        let noise = self.noise(before, &at.x);
        // A step that contact or inversion cuts short may be blind far from any minimum: the whole direction decides.
        let lost = decrease <= noise * inversion;
        let mut alpha = limit.fraction;
        for _ in 0..MAX_HALVINGS {
            let moved = self.go(potential, at, alpha);
            let value = self.trial_value(potential, pins);
            let blind = alpha * decrease <= noise;
            let lower = value <= before || blind && value <= before + noise;
            if moved && lower && self.trial_is_free(potential, at) {
                self.track_from(at);
                at.clone_from(&self.trial);
                return Ok(Searched { energy: value, lost, fraction: limit.fraction });
            }
            if !moved && blind && alpha > 0.0 {
                return Ok(Searched { energy: before, lost: true, fraction: limit.fraction });
            }
            alpha *= 0.5;
        }
        Err(Failure::NoProgress { fraction: inversion * limit.fraction, pair: limit.pair })
    }

    /// Makes `self.trial` the state at the fraction `alpha` of `self.p` from `at`; whether that is another one.
    pub(super) fn go(&mut self, potential: &Potential, at: &Configuration, alpha: f64) -> bool {
        let Configuration { q, x } = &mut self.trial;
        let mut moved = false;
        for (t, (q, p)) in q.iter_mut().zip(at.q.iter().zip(&self.p)) {
            *t = q + p * alpha;
            moved |= t != q;
        }
        potential.coordinates.positions(q, x);
        moved
    }

    /// The potential at `self.trial`.
    pub(super) fn trial_value(&mut self, potential: &Potential, pins: &Pins) -> f64 {
        let (candidates, trial) = (&self.candidates, &self.trial);
        self.timings.measure(Phase::LineSearch, || potential.value(pins, candidates, trial))
    }

    /// [`Solver::line_search`] along a direction that may be too short to lower the potential.
    pub(super) fn last_step(
        &mut self,
        potential: &Potential,
        pins: &Pins,
        before: f64,
        at: &mut Configuration,
    ) -> Result<(), Failure> {
        match self.line_search(potential, pins, before, at) {
            Ok(_) | Err(Failure::NoProgress { .. }) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// The motion from `from` to `self.trial` is accepted.
    pub(super) fn track_from(&mut self, from: &Configuration) {
        if let Some(track) = &mut self.track {
            track.add(from, &self.trial);
        }
    }

    /// Whether the way from `at` to `self.trial`, as both are stored, is free.
    pub(super) fn trial_is_free(&mut self, potential: &Potential, at: &Configuration) -> bool {
        let (coordinates, trial, candidates) = (potential.coordinates, &self.trial, &self.candidates);
        self.timings.measure(Phase::StepBound, || {
            let p: Vec<Vec2> = trial.q.iter().zip(&at.q).map(|(end, start)| end - start).collect();
            let turns = coordinates.turns(&at.q, &p);
            let motion = Motion { start: &at.x, end: &trial.x, turn_of: coordinates.turn_of(), turns: &turns };
            is_free(potential.surface, candidates, &motion)
        })
    }

    /// How far rounding may put the value of the potential off: that of the sum, and that of the positions, which a
    /// potential of this size and stiffness can turn into at most `|dx| sqrt(2 E k)`.
    fn noise(&self, value: f64, x: &[Vec2]) -> f64 {
        const ROUNDINGS: f64 = 64.0;
        let largest = parallel::max(x.len(), 0.0, |i| x[i].amax());
        let stiffness = self.systems.last().map_or(0.0, System::largest_stiffness);
        ROUNDINGS * f64::EPSILON * (value.abs() + largest * (2.0 * value.abs() * stiffness).sqrt())
    }
}
