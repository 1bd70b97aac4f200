//! Places where bodies may hit each other: contacts, limits of joints and ropes.

use super::rigid_motion::{Motion, RigidMotion};
use super::row::{Row, Wholes};
use crate::tuning::IMPACT_STILL;
use ipcsim_contact::{Press, Restitution};

/// A place where two bodies press on each other.
#[derive(Clone, Debug)]
pub(super) struct Impact {
    /// Its normal: its velocity is that at which the gap opens.
    pub(super) normal: Row,
    /// The normal of a contact at the start of the stage; `None` for limits and ropes.
    pub(super) normal_before: Option<Row>,
    /// Impulse of the barrier in the stage (N s); 0 for limits and ropes.
    pub(super) impulse: f64,
    /// Its tangent; `None` without friction.
    pub(super) slide: Option<Slide>,
    /// The law of restitution; `None` for a contact whose pair has no coefficient, and for limits and
    /// ropes that were closed before.
    pub(super) law: Option<Law>,
    /// Speed at which the gap closed, relative to that at the end of the stage (1).
    pub(super) lead: f64,
    /// A body of the two that can move; the first one if none can.
    pub(super) mover: usize,
    /// Its number among the places of a stage.
    pub(super) number: usize,
}

/// The tangent of a contact with friction.
#[derive(Clone, Debug)]
pub(super) struct Slide {
    /// The tangent: its velocity is the slip, belts left out.
    pub(super) row: Row,
    /// Velocity along the normal by a unit impulse along the tangent (1/kg).
    pub(super) coupling: f64,
    /// Slip by belts (m/s).
    pub(super) carried: f64,
    /// Coefficients of static and of kinetic friction (1).
    pub(super) coefficients: [f64; 2],
}

/// A coefficient of restitution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Law {
    /// The coefficient (1).
    pub(super) coefficient: f64,
    /// Approach speed up to which the pair stays together (m/s).
    pub(super) rest_speed: f64,
}

/// A contact with the velocity that it is to get.
#[derive(Clone, Copy)]
pub(super) struct Hit<'a> {
    /// The contact.
    pub(super) impact: &'a Impact,
    /// Least velocity at which its gap opens afterwards (m/s).
    pub(super) aim: f64,
    /// Largest tangential impulse as a share of the normal one (1).
    pub(super) friction: f64,
}

/// Motions of a stage that decide about the contacts at its end.
#[derive(Clone, Copy)]
pub(super) struct Passage<'a> {
    /// Motions at the start, `[bodies]`.
    pub(super) before: &'a [Motion],
    /// Displacements from the start to the end, as motions in a second, `[bodies]`.
    pub(super) displacements: &'a [Motion],
    /// Motions at the end under loads only, `[bodies]`.
    pub(super) fallen: &'a [Motion],
    /// Length of the stage (s).
    pub(super) h: f64,
}

impl Impact {
    /// An impact along a `normal`, without friction.
    pub(super) fn along(wholes: Wholes, passage: &Passage, normal: Row, law: Option<Law>) -> Self {
        let [a, b] = normal.bodies;
        let is_free = |body: usize| {
            let whole = wholes.bodies[body].as_ref();
            whole.is_some_and(RigidMotion::is_free)
        };
        Self {
            slide: None,
            normal_before: None,
            impulse: 0.0,
            number: 0,
            lead: passage.lead(&normal),
            mover: if is_free(a) { a } else { b },
            law,
            normal,
        }
    }

    /// The impact of a contact between bodies, whose barrier has pushed for a time (s) and that were at other
    /// places `before`; `None` if one of the two deforms.
    pub(super) fn of_press(
        [before, wholes]: [Wholes; 2],
        passage: &Passage,
        restitution: &Restitution,
        press: &Press,
        time: f64,
    ) -> Option<Self> {
        let [a, b] = press.bodies;
        let law = restitution.between(a, b).map(|coefficient| Law {
            coefficient,
            rest_speed: restitution.rest_speed(a, b),
        });
        let normal = Row::of_weights(wholes, press.bodies, &press.opening)?;

        let coefficients = [press.coefficients.sticking, press.coefficients.sliding];
        let slide = if coefficients[0] > 0.0 {
            let row = Row::of_weights(wholes, press.bodies, &press.sliding)?;
            Some(Slide {
                coupling: normal.softness_to(wholes.bodies, &row),
                row,
                carried: press.carried,
                coefficients,
            })
        } else {
            None
        };
        Some(Self {
            slide,
            normal_before: Row::of_weights(before, press.bodies, &press.opening_before),
            impulse: press.force * time,
            ..Self::along(wholes, passage, normal, law)
        })
    }

    /// True for a limit or a rope.
    pub(super) fn is_stop(&self) -> bool {
        self.normal_before.is_none()
    }

    /// True if an impact nearby replaces what the barrier or the rope has given in the stage.
    pub(super) fn holds(&self) -> bool {
        self.law.is_some() || self.is_stop()
    }

    /// This contact where it is to be stopped.
    pub(super) fn stopped(&self) -> Hit<'_> {
        let slide = self.slide.as_ref();
        Hit {
            impact: self,
            aim: 0.0,
            friction: slide.map_or(0.0, |slide| slide.coefficients[0]),
        }
    }

    /// True if the contact rests: it does not approach faster than it may without rebounding if
    /// bodies fly with `flown`, and its barrier leaves it nearly still with `ended`, `[bodies]`.
    pub(super) fn rests(&self, flown: &[Motion], ended: &[Motion]) -> bool {
        let Some(law) = self.law else {
            return true;
        };
        let left = self.normal.velocity(ended).abs();
        -self.normal.velocity(flown) <= law.rest_speed && left <= IMPACT_STILL * law.rest_speed
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

        let shrunk = -row.velocity(self.displacements);
        let share = (shrunk / (0.5 * self.h * (before + fallen))).clamp(0.0, 1.0);
        (before * before + (fallen * fallen - before * before) * share).sqrt() / fallen
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
        let row = Row::at(&wholes, [0, 1], [0.0, 0.0], [0.0, 1.0]);
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
                before: &down(2.0),
                displacements: &down(gap),
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
