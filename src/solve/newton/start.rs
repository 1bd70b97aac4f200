//! Where Newton's method begins.

use super::line_search::Trial;
use super::{Pins, Potential, Solver, Target};
use crate::body::Configuration;
use crate::contact::Contacts;
use crate::solve::{Failure, Phase};

impl Solver {
    /// Moves `at`, the state at the step's start, to the one with the lowest potential of three: where it is, where velocity,
    /// gravity and constant forces take it, and where its velocity alone does, as far as the way is free. Bodies in flight
    /// are then where they shall be, those that go on as they did are near, and those at rest stay. `contacts` are those of
    /// `at`, before and after.
    ///
    /// # Errors
    /// Why the potential is not known at the start.
    pub fn start(
        &mut self,
        potential: &Potential,
        targets: &[Target],
        at: &mut Configuration,
        contacts: &mut Contacts,
    ) -> Result<(), Failure> {
        let mut pins = Pins::new(targets, &at.q);
        if self.settle(potential, &mut pins, at) {
            self.find_contacts(potential, at, contacts)?;
        }
        pins.mark_met(&mut self.fixed);
        let mut from = std::mem::take(&mut self.from);
        from.clone_from(at);
        let mut best = self.timings.measure(Phase::LineSearch, || {
            potential.value_with(&pins, contacts, at)
        });
        for forces in [1.0, 0.0] {
            self.fall(potential, &from, forces);
            // No other energy is negative.
            if potential.least_inertia(&from.q, &self.p) >= best {
                continue;
            }
            let (_, limit) = self.step_bound(potential, &from);
            let Trial { moved, value, gap } = self.try_at(potential, &pins, limit.fraction, &from);
            let lower = moved && value < best;
            if lower
                && self.trial_is_free(
                    potential,
                    Self::proves(potential, limit, limit.fraction),
                    &from,
                )
                && self.trial_keeps_gaps(potential, gap, &from)
            {
                best = value;
                self.track_from(&from);
                at.clone_from(&self.trial);
                std::mem::swap(contacts, &mut self.there);
            }
        }
        self.from = from;
        Ok(())
    }

    /// Leaves in `self.p` where free coordinates go in a step with this share of the constant forces.
    fn fall(&mut self, potential: &Potential, from: &Configuration, forces: f64) {
        let without = (1.0 - forces) * potential.scale();
        for (i, p) in self.p.iter_mut().enumerate() {
            *p = potential.q_tilde[i] - from.q[i] - potential.acceleration[i] * without;
            for axis in 0..2 {
                if self.fixed[i][axis] || potential.mass[i][axis] == 0.0 {
                    p[axis] = 0.0;
                }
            }
        }
    }
}
