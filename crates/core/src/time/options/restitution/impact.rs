//! Contacts of pairs with a coefficient of restitution, and how fast they closed.

use super::rigid_motion::{Motion, RigidMotion};
use super::row::Row;
use crate::tuning::IMPACT_STILL;
use ipcsim_contact::{NormalForce, Restitution};

/// A contact whose pair has a coefficient of restitution.
#[derive(Clone, Debug)]
pub(super) struct Impact {
    /// Its normal.
    pub(super) row: Row,
    /// Coefficient of restitution (1).
    pub(super) coefficient: f64,
    /// Approach speed up to which the pair stays together (m/s).
    pub(super) rest_speed: f64,
    /// Speed at which the gap closed, relative to that at the end of the stage (1).
    pub(super) lead: f64,
    /// Impulse of the barrier in the stage (N s).
    pub(super) impulse: f64,
    /// A body of the two that can move; the first one if none can.
    pub(super) mover: usize,
}

/// Motions of a stage that decide about the contacts at its end.
#[derive(Clone, Copy)]
pub(super) struct Passage<'a> {
    /// Bodies that move as a whole, `[bodies]`.
    pub(super) wholes: &'a [Option<RigidMotion>],
    /// Motions at the start, `[bodies]`.
    pub(super) before: &'a [Motion],
    /// Displacements from the start to the end, as motions in a second, `[bodies]`.
    pub(super) ways: &'a [Motion],
    /// Motions at the end under loads only, `[bodies]`.
    pub(super) fallen: &'a [Motion],
    /// Length of the stage (s).
    pub(super) h: f64,
}

impl Impact {
    /// True if the contact rests: it does not approach faster than it may without rebounding if
    /// bodies fly with `flown`, and its barrier leaves it nearly still with `ended`, `[bodies]`.
    pub(super) fn rests(&self, flown: &[Motion], ended: &[Motion]) -> bool {
        let left = self.row.velocity(ended).abs();
        -self.row.velocity(flown) <= self.rest_speed && left <= IMPACT_STILL * self.rest_speed
    }
}

impl Passage<'_> {
    /// Speed at which the gap of a contact closed, as a share of the speed at which it would close
    /// at the end of the stage.
    ///
    /// Forces accelerate the bodies from the velocity `v_0` to `v_1` towards each other in the
    /// stage, and the gap closes. The squares of velocities grow with the distance. Where the
    /// bodies have come nearer by `s` of the `S = h (v_0 + v_1)/2` that they would fly, the
    /// velocity is `v^2 = v_0^2 + (v_1^2 - v_0^2) s/S`. The heights of rebounds then do not depend
    /// on when the step ends. Bodies come nearer as wholes: the deformation of an affine body by an
    /// impact is not flight.
    fn lead(&self, row: &Row) -> f64 {
        let before = (-row.velocity(self.before)).max(0.0);
        let fallen = -row.velocity(self.fallen);
        if fallen <= 0.0 {
            return 1.0;
        }

        let shrunk = -row.velocity(self.ways);
        let share = (shrunk / (0.5 * self.h * (before + fallen))).clamp(0.0, 1.0);
        (before * before + (fallen * fallen - before * before) * share).sqrt() / fallen
    }

    /// The impact of a contact after its barrier has pushed for some time (s); `None` if its pair
    /// has no coefficient or deforms.
    pub(super) fn impact(
        &self,
        restitution: &Restitution,
        contact: &NormalForce,
        time: f64,
    ) -> Option<Impact> {
        let [a, b] = contact.bodies;
        let coefficient = restitution.between(a, b)?;
        let row = Row::of_contact(self.wholes, contact)?;
        let is_free = |body: usize| self.wholes[body].as_ref().is_some_and(RigidMotion::is_free);
        Some(Impact {
            coefficient,
            rest_speed: restitution.rest_speed(a, b),
            lead: self.lead(&row),
            impulse: contact.force * time,
            mover: if is_free(a) { a } else { b },
            row,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_math::Vec2;

    #[test]
    fn a_gap_that_closes_on_the_way_closes_with_the_speed_of_a_fall_from_there() {
        // Down from 2 m/s by 10 m/s^2 for 0.4 s: 1.6 m, and the gap is a part of these.
        let wholes = [
            Some(RigidMotion::rigid(0, 1.0, 1.0, [0.0, 1.0])),
            Some(RigidMotion::rigid(2, 0.0, 0.0, [0.0, 0.0])),
        ];
        let row = Row::at(&wholes, [0, 1], [0.0, 0.0], [0.0, 1.0], false);
        let down = |speed: f64| {
            let velocity = Vec2::new(0.0, -speed);
            [
                Motion {
                    velocity,
                    spin: 0.0,
                },
                Motion::default(),
            ]
        };
        for gap in [0.0, 0.3, 1.0, 1.6] {
            let passage = Passage {
                wholes: &wholes,
                before: &down(2.0),
                ways: &down(gap),
                fallen: &down(6.0),
                h: 0.4,
            };
            // Galilei: the square of the speed grows with the height of the fall.
            let speed = (2.0_f64 * 2.0 + 2.0 * 10.0 * gap).sqrt();
            let lead = passage.lead(&row);
            assert!((lead - speed / 6.0).abs() < 1e-12, "{gap}: {lead}");
        }
    }
}
