//! Servos: motors that drive to a place with a stiffness and a damping, up to a largest force.
//!
//! The force on the residual `c` is
//!
//! `f = clamp(k (c - c_target) + b (c' - c'_target), -f_most, f_most)`,
//!
//! a controller with a proportional and a differential gain (Åström, Murray, "Feedback Systems",
//! chapter 11). Within a stage it is a spring with a damper whose force stays at its bound beyond
//! it, and so it has an energy that is quadratic near its target and linear far from it.
//!
//! Where a stage takes the mean of the forces at its ends, as the trapezoidal rule does, place and
//! target are the same mean, and the rate is the displacement of the stage over its duration. So an
//! integrator of second order keeps its order, and a servo that swings keeps its energy.

use ipcsim_math::Vec2;
use ipcsim_math::varying::Varying;

/// A servo in a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Servo {
    /// Place that it drives to (units), a function of time; `None` if only the rate counts.
    pub place: Option<Varying>,
    /// Rate that it drives at (units/s), a function of time; if `None` that of the place.
    pub rate: Option<Varying>,
    /// Size of the unit in which both are given (m or rad).
    pub unit: f64,
    /// Stiffness `k` (N/m or N m/rad).
    pub stiffness: f64,
    /// Damping `b` (N s/m or N m s/rad).
    pub damping: f64,
    /// Largest force (N) or torque (N m).
    pub most: f64,
}

/// A stage, as a servo sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServoStage {
    /// Residual at the start (m or rad).
    pub(super) start: f64,
    /// Residual at the reference, from which rates at the end count (m or rad).
    pub(super) before: f64,
    /// Time `beta` in `v = (q - q_ref) / beta` (s).
    pub(super) beta: f64,
    /// Time at the end (s).
    pub(super) end: f64,
    /// Share with which forces act as they are at the end (1).
    pub(super) share: f64,
}

/// A servo during one stage: a spring whose force has a largest size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Serve {
    /// Stiffness of spring and damper together (N/m or N m/rad), above 0.
    pub(super) stiffness: f64,
    /// Residual without force (m or rad).
    pub(super) rest: f64,
    /// Largest force (N or N m).
    pub(super) most: f64,
    /// Share of the stiffness that the damper has (N/m or N m/rad).
    pub(super) damper: f64,
}

impl Servo {
    /// The servo in a stage.
    pub(super) fn act(&self, stage: &ServoStage) -> Serve {
        let ServoStage {
            start,
            before,
            beta,
            end,
            share,
        } = *stage;
        let (k, b) = (self.stiffness, self.damping);

        // As it is at the end.
        if share >= 1.0 {
            let stiffness = k + b / beta;
            let pull = k * self.place_at(end) + b * (before / beta + self.rate_at(end, beta));
            return self.serve(stiffness, pull, b / beta);
        }

        // The mean over the stage.
        let duration = 2.0 * beta;
        let first = end - duration;
        let both = |of_start: f64, of_end: f64| (1.0 - share) * of_start + share * of_end;
        let [from, to] = [first, end].map(|t| self.place_at(t));
        let rate = match &self.rate {
            Some(rate) => self.unit * both(value(rate, first), value(rate, end)),
            None => (to - from) / duration,
        };
        let stiffness = k * share + b / duration;
        let pull = k * (both(from, to) - (1.0 - share) * start) + b * (start / duration + rate);
        self.serve(stiffness, pull, b / duration)
    }

    /// The servo with a stiffness, the force with which it pulls at a residual of 0, and the share of its
    /// damper in the stiffness.
    fn serve(&self, stiffness: f64, pull: f64, damper: f64) -> Serve {
        Serve {
            damper,
            stiffness,
            rest: pull / stiffness,
            most: self.most,
        }
    }

    /// Target at a time (m or rad); 0 without one.
    fn place_at(&self, t: f64) -> f64 {
        let place = self.place.as_ref();
        place.map_or(0.0, |place| self.unit * value(place, t))
    }

    /// Rate of the target at a time (m/s or rad/s): the one that is given, or the derivative of the
    /// place by backward differences over two times `step` (s), of second order.
    fn rate_at(&self, t: f64, step: f64) -> f64 {
        if let Some(rate) = &self.rate {
            return self.unit * value(rate, t);
        }
        let [now, then] = [t, t - step].map(|t| self.place_at(t.max(0.0)));
        if t < 2.0 * step {
            return (now - then) / step;
        }
        let earlier = self.place_at(t - 2.0 * step);
        (1.5 * now - 2.0 * then + 0.5 * earlier) / step
    }
}

/// Value of a function of time (s), which does not depend on a place.
fn value(varying: &Varying, t: f64) -> f64 {
    varying.at(Vec2::zeros(), t)
}

impl Serve {
    /// Force at a residual (N or N m).
    pub(super) fn force(&self, residual: f64) -> f64 {
        let asked = self.stiffness * (residual - self.rest);
        asked.clamp(-self.most, self.most)
    }

    /// Derivative of the force (N/m or N m/rad); 0 at its bounds.
    pub(super) fn slope(&self, residual: f64) -> f64 {
        let asked = self.stiffness * (residual - self.rest);
        if asked.abs() > self.most {
            0.0
        } else {
            self.stiffness
        }
    }

    /// Derivative of the force by the residual from which rates count (N/m or N m/rad); 0 at its bounds.
    ///
    /// A damper pushes by `b (c - c_before) / beta`.
    pub(super) fn by_before(&self, residual: f64) -> f64 {
        if self.slope(residual) == 0.0 {
            0.0
        } else {
            -self.damper
        }
    }

    /// Energy at a residual (J).
    pub(super) fn value(&self, residual: f64) -> f64 {
        let way = residual - self.rest;
        let force = self.force(residual);
        force * (way - 0.5 * force / self.stiffness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_math::formula::Formula;

    /// A servo to 2 units of 0.5 m, with 30 N/m, 4 N s/m and at most 6 N.
    fn servo() -> Servo {
        Servo {
            place: Some(Varying::Constant(2.0)),
            rate: None,
            unit: 0.5,
            stiffness: 30.0,
            damping: 4.0,
            most: 6.0,
        }
    }

    #[test]
    fn a_servo_pulls_by_place_and_rate_up_to_its_largest_force() {
        let stage = ServoStage {
            start: 0.9,
            before: 0.9,
            beta: 0.1,
            end: 1.0,
            share: 1.0,
        };
        let serve = servo().act(&stage);
        for residual in [0.93, 1.0, 1.01, 1.4, -3.0] {
            let asked: f64 = 30.0 * (residual - 1.0) + 4.0 * (residual - 0.9) / 0.1;
            let error = serve.force(residual) - asked.clamp(-6.0, 6.0);
            assert!(error.abs() < 1e-12, "{residual}: {error:e}");
        }
    }

    #[test]
    fn a_mean_of_both_ends_has_the_mean_place_and_the_rate_of_the_displacement() {
        let stage = ServoStage {
            start: 0.9,
            before: f64::NAN,
            beta: 0.1,
            end: 1.0,
            share: 0.5,
        };
        let force = servo().act(&stage).force(1.0);
        assert!((force - (30.0 * (0.95 - 1.0) + 4.0 * 0.1 / 0.2)).abs() < 1e-12);
    }

    #[test]
    fn a_target_that_moves_has_its_rate_to_second_order() {
        let place = Varying::Formula(Formula::read("sin(t)").unwrap());
        let moving = Servo {
            place: Some(place),
            unit: 1.0,
            ..servo()
        };
        let error = |step: f64| (moving.rate_at(1.0, step) - 1.0_f64.cos()).abs();
        let ratio = error(0.02) / error(0.01);
        assert!((ratio - 4.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn forces_are_derivatives_of_the_energy_within_and_beyond_the_bounds() {
        let serve = Serve {
            damper: 0.0,
            stiffness: 30.0,
            rest: 0.4,
            most: 6.0,
        };
        for residual in [-2.0, 0.25, 0.4, 0.55, 3.0] {
            let slope = (serve.value(residual + 1e-6) - serve.value(residual - 1e-6)) / 2e-6;
            assert!((slope - serve.force(residual)).abs() < 1e-6);
        }
        assert_eq!([serve.slope(0.5), serve.slope(3.0)], [30.0, 0.0]);
    }
}
