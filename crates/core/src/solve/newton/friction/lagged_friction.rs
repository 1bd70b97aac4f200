//! Friction that follows the normal forces within a solve.
//!
//! Lagged friction belongs to the start of a step, and its normal forces may be wrong by any factor
//! at the end: where bodies hit each other, or start inside `d_hat`. The remedy of Li et al. 2020,
//! section 5, is to solve again with newer friction until it no longer changes, which costs 2.3
//! times the directions. Here friction is renewed between the directions of one solve:
//!
//! - each direction begins with the friction of its state, and ends with the friction of the normal
//!   forces that it leads to ([`friction_tangent`](super::friction_tangent)). If forces balance
//!   with the friction of a state, it obeys Coulomb's law at the end, and the solve stops;
//! - after [`FRICTION_LEADING`] directions there may be no fixed point. Among bodies that do not
//!   deform, and have no joints whose forces take directions to settle, [`FRICTION_CIRCLING`]
//!   directions that are not half as long as the shortest one before go round in circles. Then
//!   friction is renewed only near the minimum. Where that does not halve the imbalance, only a
//!   share of the change is taken, which calms friction that pushes a contact open and then lets it
//!   close;
//! - after [`FRICTION_MOST_HELD`] of these friction stays, and the solve converges with it; the
//!   report says so.

use crate::solve::failure::Failure;
use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::Iterate;
use crate::solve::newton::problem::Problem;
use crate::solve::newton::progress::Progress;
use crate::solve::newton::workspace::Newton;
use crate::tuning::{
    FRICTION_CALM, FRICTION_CIRCLING, FRICTION_HELD_SHARE, FRICTION_LEADING, FRICTION_MOST_HELD,
};
use ipcsim_contact::Friction;

/// Renewals of friction in one solve.
#[derive(Debug)]
pub(crate) struct Renewals {
    /// Number of directions so far.
    directions: usize,
    /// Shortest direction so far, to half of its length (m/s).
    shortest: f64,
    /// Number of directions since that one.
    circling: usize,
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
            shortest: f64::INFINITY,
            circling: 0,
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
        self.follow || self.count >= FRICTION_MOST_HELD
    }

    /// True if friction leads: it takes the normal forces that a direction leads to.
    pub(crate) fn couples_friction(&self) -> bool {
        self.directions <= FRICTION_LEADING && self.circling < FRICTION_CIRCLING
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
        if potential.is_loose() && self.couples_friction() {
            self.note_length(progress.last);
        }
        let is_near = progress.is_near(potential.stage.tolerance);
        let may_follow = self.couples_friction() || is_near && self.count < FRICTION_MOST_HELD;
        if potential.following.is_none() || !may_follow {
            return;
        }

        self.follow = true;
        self.is_new = potential.renew_friction(&iterate.contacts, &iterate.at, older);
        if self.is_new {
            progress.change_potential();
        }
    }

    /// Notes the length of a direction (m/s) with which friction leads; infinite if it tells nothing.
    fn note_length(&mut self, length: f64) {
        if length < 0.5 * self.shortest {
            self.shortest = length;
            self.circling = 0;
        } else if length.is_finite() {
            self.circling += 1;
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
        if imbalance <= FRICTION_CALM * before {
            return Ok(());
        }

        problem
            .potential
            .friction
            .mix(&self.older, FRICTION_HELD_SHARE);
        renewals.follow = false;
        renewals.count += 1;
        self.find_gradient(problem, iterate, direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Configuration;
    use crate::solve::Model;
    use crate::solve::newton::progress::Searched;
    use crate::solve::newton::solver::Solver;
    use crate::solve::test_problems::{
        D_HAT, Small, barriers, from_rest, gap_under, potential, rubbing, slid, solver,
    };
    use ipcsim_contact::{Candidates, Contacts, FrictionTable};
    use ipcsim_math::Vec2;

    /// Acceleration by weight (m/s^2).
    const GRAVITY: f64 = 9.81;
    /// Speed at which friction is fully developed (m/s).
    const EPS_V: f64 = 1e-3;
    /// Length of a step (s).
    const H: f64 = 0.01;

    /// A point of this mass (kg) at rest over a slope with this angle (rad) that rises along x.
    fn on_a_slope(angle: f64, mass: f64) -> (Model, Configuration) {
        let normal = [-angle.sin(), angle.cos()];
        let gap = gap_under(mass * GRAVITY * angle.cos());
        let mut small = Small::default();
        let point = small.point(normal.map(|n| n * gap), mass);
        small.touch(point);
        small.plane(normal, [0.0, 0.0]);
        small.model()
    }

    /// Speed (m/s) down the slope after a step from rest.
    fn speed_after_a_step(angle: f64, coefficient: f64, mass: f64) -> f64 {
        let (model, at) = on_a_slope(angle, mass);
        let table = FrictionTable::uniform(coefficient, EPS_V);
        let stage = from_rest(&model, &at, H, [0.0, -GRAVITY]);
        let (end, solved) = slid(&model, &at, &stage, &table);
        assert!(solved.follows);
        -stage.velocity(&end.q)[0].dot(&Vec2::new(angle.cos(), angle.sin()))
    }

    #[test]
    fn a_block_slides_down_a_slope_with_the_acceleration_of_coulomb_s_law() {
        for (angle, coefficient, mass) in [(0.5, 0.2, 2.0), (0.5, 0.4, 2.0), (0.9, 0.4, 0.3)] {
            let found = speed_after_a_step(angle, coefficient, mass);
            let expected = H * GRAVITY * (f64::sin(angle) - coefficient * f64::cos(angle));
            assert!(
                (found - expected).abs() < 1e-6 * expected,
                "{angle} {coefficient}: {found} {expected}"
            );
        }
    }

    #[test]
    fn a_block_on_a_slope_below_the_angle_of_friction_sticks_up_to_the_speed_of_creep() {
        // The share of full friction that holds the block determines how far it creeps.
        let (angle, coefficient) = (0.3_f64, 0.6);
        let found = speed_after_a_step(angle, coefficient, 2.0);
        let share = found / EPS_V;
        assert!(share > 0.0 && share < 1.0, "{share}");
        let held = coefficient * angle.cos() * (2.0 * share - share * share);
        let left = angle.sin() - found / (H * GRAVITY);
        assert!((held - left).abs() < 1e-6, "{held} {left}");
    }

    /// A state with the point of [`on_a_slope`] at this gap (m) over level ground.
    fn at_gap(model: &Model, gap: f64) -> Iterate {
        let q = vec![Vec2::new(0.0, gap), Vec2::zeros()];
        let at = Configuration::of(&model.coordinates, q);
        let candidates = Candidates::find(&model.surface, &at.x, |_| 1.0);
        let contacts = Contacts::find(&model.surface, &barriers(), &candidates, &at.x).unwrap();
        Iterate { at, contacts }
    }

    /// Result of a line search that took the whole direction, or a part of it.
    fn searched(was_whole: bool) -> Searched {
        Searched {
            value: 0.0,
            lost: false,
            fraction: 1.0,
            was_whole,
        }
    }

    #[test]
    fn friction_leads_for_some_directions_and_is_renewed_near_the_minimum_after_them() {
        let (model, at) = on_a_slope(0.0, 1.0);
        let stage = from_rest(&model, &at, H, [0.0, -GRAVITY]);
        let table = FrictionTable::uniform(0.5, EPS_V);
        let barriers = barriers();
        let mut potential = rubbing(&model, &stage, &barriers, &table);
        let mut problem = Problem::new(&mut potential, &[], &at);
        let iterate = at_gap(&model, 0.5 * D_HAT);

        let mut renewals = Renewals::default();
        let mut progress = Progress::default();
        let mut older = Friction::default();
        for _ in 0..FRICTION_LEADING {
            assert!(renewals.couples_friction());
            renewals.renew(&mut problem, &iterate, &mut progress, &mut older);
            assert!(renewals.follow && renewals.are_done());
        }

        // Later directions renew friction after a whole direction that is nearly short.
        let tolerance = stage.tolerance;
        for (residual, was_whole, renews) in [
            (f64::INFINITY, true, false),
            (99.0 * tolerance, true, true),
            (101.0 * tolerance, true, false),
            (tolerance, false, false),
        ] {
            progress.note(residual, true, &searched(was_whole));
            renewals.renew(&mut problem, &iterate, &mut progress, &mut older);
            assert!(!renewals.couples_friction());
            assert_eq!(renewals.follow, renews, "{residual} {was_whole}");
        }
    }

    #[test]
    fn friction_that_does_not_follow_is_never_renewed() {
        let (model, at) = on_a_slope(0.0, 1.0);
        let stage = from_rest(&model, &at, H, [0.0, -GRAVITY]);
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let mut problem = Problem::new(&mut potential, &[], &at);
        let mut renewals = Renewals::default();
        renewals.begin_known(&problem);
        let iterate = at_gap(&model, 0.5 * D_HAT);
        let (mut progress, mut older) = (Progress::default(), Friction::default());
        renewals.renew(&mut problem, &iterate, &mut progress, &mut older);
        assert!(!renewals.follow && !renewals.are_done());
        assert!(problem.potential.friction.is_empty());
    }

    #[test]
    fn a_renewal_that_does_not_halve_the_imbalance_takes_half_of_the_change_and_four_of_them_end_it()
     {
        let (model, at) = on_a_slope(0.0, 1.0);
        let stage = from_rest(&model, &at, H, [0.0, -GRAVITY]);
        let table = FrictionTable::uniform(0.5, EPS_V);
        let barriers = barriers();
        let mut potential = rubbing(&model, &stage, &barriers, &table);
        let mut problem = Problem::new(&mut potential, &[], &at);
        let mut solver = solver(&model);
        let Solver {
            newton, direction, ..
        } = &mut solver;
        let mut renewals = Renewals {
            directions: FRICTION_LEADING,
            ..Renewals::default()
        };
        let mut progress = Progress::default();
        progress.note(0.0, true, &searched(true));

        // Friction force (N) of a slide, which is half of the normal force.
        let states = [0.5, 0.3, 0.6].map(|share| at_gap(&model, share * D_HAT));
        let normal = states.each_ref().map(|state| {
            let forces = state.contacts.forces(&model.surface, &state.at.x);
            forces.map(|pair| pair.force).sum::<f64>()
        });
        let slid = [stage.reference.x[0] + Vec2::x(), stage.reference.x[1]];
        let mut renewed = |imbalance: f64, state: &Iterate, renewals: &mut Renewals| {
            renewals.renew(&mut problem, state, &mut progress, &mut newton.older);
            newton
                .hold_back_friction(&mut problem, state, renewals, imbalance, direction)
                .unwrap();
            let mut forces = problem.potential.friction.forces(&model.surface, &slid);
            forces.next().unwrap().force.norm()
        };

        // The second imbalance is less than half of the first one, the third is not.
        for (k, (imbalance, load)) in [
            (1.0, normal[0]),
            (0.4, normal[1]),
            (0.3, 0.5 * (normal[1] + normal[2])),
        ]
        .into_iter()
        .enumerate()
        {
            let found = renewed(imbalance, &states[k], &mut renewals);
            assert!((found - 0.5 * load).abs() < 1e-9 * load, "{k}: {found}");
            assert_eq!(renewals.follow, k < 2);
            assert_eq!(renewals.are_done(), k < 2);
        }
        for _ in 1..FRICTION_MOST_HELD {
            assert!(!renewals.are_done());
            renewed(0.3, &states[0], &mut renewals);
        }
        assert!(renewals.are_done() && !renewals.follow);
        renewed(0.0, &states[1], &mut renewals);
        assert!(!renewals.follow, "friction stays from now on");
    }
}
