//! The filtered line search: as far along a direction as is safe, then back until the potential does not grow (Li et al.
//! 2020, algorithm 1, lines 10 to 14).

use super::{Pins, Potential, Solver};
use crate::body::Configuration;
use crate::contact::ccd::NarrowPhase;
use crate::contact::{Contacts, GAP_KEPT, Limit, is_free, keeps_gaps, max_step, queries};
use crate::geometry::path::Sweep;
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

/// What a line search tries.
pub(super) struct Trial {
    /// Whether it is elsewhere.
    pub(super) moved: bool,
    /// The potential there (J s^2), infinite where something touches.
    pub(super) value: f64,
    /// The smallest gap there (m).
    pub(super) gap: f64,
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
            let by_x = potential
                .energies
                .iter()
                .map(|energy| energy.max_step(&at.x, &self.displacement));
            let by_q = potential
                .own
                .iter()
                .map(|energy| energy.max_step(&at.q, &self.p));
            by_x.chain(by_q)
                .map(|bound| bound.fraction)
                .fold(1.0, f64::min)
        });
        if inversion < 1.0 {
            self.p.iter_mut().for_each(|p| *p *= inversion);
        }
        let turns = coordinates.turns(&at.q, &self.p);
        let mut end = std::mem::take(&mut self.end);
        end.q
            .iter_mut()
            .zip(at.q.iter().zip(&self.p))
            .for_each(|(end, (q, p))| *end = q + p);
        coordinates.positions(&end.q, &mut end.x);
        let motion = Sweep {
            start: &at.x,
            end: &end.x,
            turn_of: coordinates.turn_of(),
            turns: &turns,
        };
        self.cover_motion(potential.surface, &motion, potential.x_tilde);
        let (surface, candidates) = (potential.surface, &self.candidates);
        if let Some(asked) = &mut self.asked {
            asked.extend(queries(surface, candidates, &motion));
        }
        let limit = self
            .timings
            .measure(Phase::StepBound, || max_step(surface, candidates, &motion));
        self.end = end;
        (inversion, limit)
    }

    /// Moves `at` along `self.p`, as far as is safe and until the potential, which is `before` now, does not grow. A `slow`
    /// solve looks for less of it both ways.
    pub(super) fn line_search(
        &mut self,
        potential: &Potential,
        pins: &Pins,
        (before, slow): (f64, bool),
        at: &mut Configuration,
    ) -> Result<Searched, Failure> {
        let (inversion, limit) = self.step_bound(potential, at);
        let decrease = -parallel::sum(at.q.len(), |i| self.gradient.q[i].dot(&self.p[i]));
        let noise = self.noise(before, &at.x);
        // A step that contact or inversion cuts short may be blind far from any minimum: the whole direction decides.
        let lost = decrease <= noise * inversion;
        let mut alpha = if limit.fraction < 1.0 {
            self.manner.reach * limit.fraction
        } else {
            1.0
        };
        for _ in 0..MAX_HALVINGS {
            let Trial { moved, value, gap } = self.try_at(potential, pins, alpha, at);
            let blind = alpha * decrease <= noise;
            let lower = value <= before || blind && value <= before + noise;
            let proved = Self::proves(potential, limit, alpha);
            if moved
                && lower
                && self.trial_is_free(potential, proved, at)
                && self.trial_keeps_gaps(potential, gap, at)
            {
                let value = if slow && !blind {
                    self.look_around(potential, pins, (alpha, value), at)
                } else {
                    value
                };
                self.track_from(at);
                at.clone_from(&self.trial);
                return Ok(Searched {
                    energy: value,
                    lost,
                    fraction: limit.fraction,
                });
            }
            if !moved && blind && alpha > 0.0 {
                return Ok(Searched {
                    energy: before,
                    lost: true,
                    fraction: limit.fraction,
                });
            }
            alpha *= 0.5;
        }
        Err(Failure::NoProgress {
            fraction: inversion * limit.fraction,
            pair: limit.pair,
        })
    }

    /// Puts `self.trial` a part `alpha` of `self.p` away from `at`, and its contacts into `self.there`.
    pub(super) fn try_at(
        &mut self,
        potential: &Potential,
        pins: &Pins,
        alpha: f64,
        at: &Configuration,
    ) -> Trial {
        let mut moved = false;
        for (t, (q, p)) in self.trial.q.iter_mut().zip(at.q.iter().zip(&self.p)) {
            *t = q + p * alpha;
            moved |= t != q;
        }
        potential
            .coordinates
            .positions(&self.trial.q, &mut self.trial.x);
        let (candidates, trial, contacts) = (&self.candidates, &self.trial, &mut self.there);
        let evaluate =
            || match contacts.renew(potential.surface, potential.barrier, candidates, &trial.x) {
                Ok(()) => Trial {
                    moved,
                    value: potential.value_with(pins, contacts, trial),
                    gap: contacts.min_gap,
                },
                Err(_) => Trial {
                    moved,
                    value: f64::INFINITY,
                    gap: 0.0,
                },
            };
        self.timings.measure(Phase::LineSearch, evaluate)
    }

    /// From a trial that will do at a part of `self.p` and a value, half or twice as far, again and again, as long as that is
    /// free and lowers the potential; returns its value.
    ///
    /// Where the potential bends down, or contacts come and go, Newton's directions are too short or too long by far, and
    /// a slow solve would need thousands of them.
    fn look_around(
        &mut self,
        potential: &Potential,
        pins: &Pins,
        first: (f64, f64),
        at: &Configuration,
    ) -> f64 {
        let mut best = first;
        for factor in [0.5, 2.0] {
            for _ in 0..MAX_HALVINGS {
                let alpha = factor * best.0;
                if factor > 1.0 && !self.reaches(potential, alpha, at) {
                    break;
                }
                let Trial { moved, value, gap } = self.try_at(potential, pins, alpha, at);
                let lower = moved && value < best.1;
                if !(lower
                    && self.trial_is_free(potential, false, at)
                    && self.trial_keeps_gaps(potential, gap, at))
                {
                    break;
                }
                best = (alpha, value);
            }
            if best.0 < first.0 {
                break;
            }
        }
        self.try_at(potential, pins, best.0, at);
        best.1
    }

    /// Whether `alpha` times the direction is safe.
    fn reaches(&mut self, potential: &Potential, alpha: f64, at: &Configuration) -> bool {
        let p = self.p.clone();
        self.p.iter_mut().for_each(|p| *p *= alpha);
        let (inversion, limit) = self.step_bound(potential, at);
        self.p = p;
        inversion >= 1.0 && limit.fraction >= 1.0
    }

    /// [`Solver::line_search`] along a direction that may be too short to lower the potential, which is `before` now.
    pub(super) fn last_step(
        &mut self,
        potential: &Potential,
        pins: &Pins,
        (before, contacts): (f64, &mut Contacts),
        at: &mut Configuration,
    ) -> Result<(), Failure> {
        match self.line_search(potential, pins, (before, false), at) {
            Ok(_) => {
                std::mem::swap(contacts, &mut self.there);
                Ok(())
            }
            Err(Failure::NoProgress { .. }) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// The motion from `from` to `self.trial` is accepted.
    pub(super) fn track_from(&mut self, from: &Configuration) {
        if let Some(track) = &mut self.track {
            track.add(from, &self.trial);
        }
    }

    /// Whether a step bound is about the very motion that a trial at a part `alpha` of the direction stands for, as it is
    /// stored, and has found it free exactly.
    pub(super) fn proves(potential: &Potential, limit: Limit, alpha: f64) -> bool {
        let exact = potential.surface.narrow_phase == NarrowPhase::Exact
            && potential.coordinates.all_free();
        exact && alpha >= 1.0 && limit.fraction >= 1.0
    }

    /// Whether the way from `at` to `self.trial`, as both are stored, is free, unless that is `proved`, and its end upright.
    pub(super) fn trial_is_free(
        &mut self,
        potential: &Potential,
        proved: bool,
        at: &Configuration,
    ) -> bool {
        let (coordinates, trial, candidates, way) = (
            potential.coordinates,
            &self.trial,
            &self.candidates,
            &mut self.way,
        );
        let mut is_free = || {
            way.iter_mut()
                .zip(trial.q.iter().zip(&at.q))
                .for_each(|(way, (end, start))| *way = end - start);
            let turns = coordinates.turns(&at.q, way);
            let motion = Sweep {
                start: &at.x,
                end: &trial.x,
                turn_of: coordinates.turn_of(),
                turns: &turns,
            };
            is_free(potential.surface, candidates, &motion)
        };
        let upright = || {
            potential
                .energies
                .iter()
                .all(|energy| energy.admits(&trial.x))
        };
        self.timings
            .measure(Phase::StepBound, || (proved || is_free()) && upright())
    }

    /// Whether no gap is used up on the way to `self.trial`, where the smallest is `gap`.
    pub(super) fn trial_keeps_gaps(
        &self,
        potential: &Potential,
        gap: f64,
        at: &Configuration,
    ) -> bool {
        let surface = potential.surface;
        gap >= GAP_KEPT * surface.d_hat
            || keeps_gaps(surface, &self.candidates, [&at.x, &self.trial.x])
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
