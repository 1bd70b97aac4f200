//! Start of an increment of statics: bodies go on as in the last one.
//!
//! Prescribed coordinates go to their targets and all others along with them, by the displacement that the
//! stage expects. A support that moved alone would leave its body behind, or meet it after the width of a
//! gap. Where material flows and contacts slide, the end of the last increment says in which direction.

use super::direction::Direction;
use super::iterate::{Iterate, Trial};
use super::problem::Problem;
use super::workspace::Newton;
use crate::solve::failure::Failure;

impl Newton {
    /// Moves a state, whose free coordinates are still those of the start, by the displacement that its stage
    /// expects, as far as the path is free; a stage that expects nothing leaves it where it is. Where prescribed coordinates have
    /// arrived before, the potential decides. `direction` and `trial` are buffers.
    ///
    /// # Errors
    /// [`Failure::Touching`], if things touch at the end.
    pub(super) fn go_on_as_before(
        &mut self,
        problem: &mut Problem,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<(), Failure> {
        if problem.potential.stage.expected.is_empty() {
            return Ok(());
        }
        problem.pins.mark_met(&mut self.systems.fixed);
        let mut most = f64::INFINITY;

        // All coordinates together, if some have not arrived; else only where that lowers the potential.
        if problem.pins.all_met() {
            most = problem.value(iterate);
        } else {
            self.aim_as_before(problem, iterate, direction, trial);
            if self.moves_to(problem, direction, trial, iterate)? {
                problem.pins.meet(&iterate.at.q);
                return Ok(());
            }
        }

        // As far as the path is free.
        self.aim_as_before(problem, iterate, direction, trial);
        let bound = self.shorten(problem, iterate, direction);
        let fraction = bound.contact.fraction;
        self.try_at(problem, &iterate.at, direction, fraction, trial);
        let is_lower = trial.moved && trial.value < most;
        let proved = bound.proves(problem.potential.model, fraction);
        if is_lower && self.is_safe(problem, &iterate.at, trial, proved) {
            self.accept(trial, iterate);
            problem.potential.constraints.follow(&iterate.at.x);
        }
        Ok(())
    }

    /// Writes the expected direction from a state, and its end into `trial`.
    fn aim_as_before(
        &self,
        problem: &Problem,
        iterate: &Iterate,
        direction: &mut Direction,
        trial: &mut Trial,
    ) {
        let at = &iterate.at;
        let end = &mut trial.iterate.at;
        problem.pins.way(&at.q, &mut direction.p, &mut end.q);
        direction
            .p
            .copy_from_slice(&problem.potential.stage.expected);
        self.aim_together(problem, 1.0, at, direction, end);
    }
}

#[cfg(test)]
mod tests {
    use crate::solve::Target;
    use crate::solve::stage::Stage;
    use crate::solve::test_problems::{D_HAT, Small, barriers, held, potential, solver, statics};
    use ipcsim_math::Vec2;

    /// Place of a point over level ground after a start that expects this displacement (m), while another
    /// point, whose place follows, is prescribed to go 1 m along x.
    fn started(height: f64, expected: [f64; 2]) -> [Vec2; 2] {
        let mut small = Small::default();
        let point = small.point([0.0, height], 1.0);
        small.touch(point);
        small.point([5.0, 5.0], 1.0);
        small.plane([0.0, 1.0], [0.0, 0.0]);
        let (model, at) = small.model();
        let mut way = vec![Vec2::new(7.0, 7.0); at.q.len()];
        way[0] = expected.into();
        let stage = Stage {
            expected: way,
            ..statics(&at, &[])
        };
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let mut solver = solver(&model);
        let mut iterate = solver
            .iterate_at(&model, &barriers, at.clone(), &at.x)
            .unwrap();
        let goal = Target {
            position: Vec2::new(6.0, 5.0),
            ..held(&at, 1)
        };
        let targets = [goal, held(&at, 2)];
        solver
            .go_on_as_before(&mut potential, &targets, &mut iterate)
            .unwrap();
        [iterate.at.q[0], iterate.at.q[1]]
    }

    #[test]
    fn bodies_go_on_by_the_expected_displacement_and_prescribed_ones_to_their_targets() {
        let [free, prescribed] = started(1.0, [0.3, -0.5]);
        assert!((free - Vec2::new(0.3, 0.5)).norm() < 1e-15, "{free}");
        assert_eq!(prescribed, Vec2::new(6.0, 5.0));
    }

    #[test]
    fn a_way_into_the_ground_is_gone_in_part_by_all() {
        let gap = 2.0 * D_HAT;
        let [free, prescribed] = started(gap, [1.0, -2.0 * gap]);
        assert!((free.y - 0.1 * gap).abs() < 1e-12, "{free}");
        assert!((free.x - 0.45).abs() < 1e-12, "{free}");
        assert!(
            (prescribed - Vec2::new(5.45, 5.0)).norm() < 1e-12,
            "{prescribed}"
        );
    }
}
