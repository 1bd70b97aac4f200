//! Tables with a row for each pair, joint or body and step, whose numbers of rows are limited.
//!
//! A table that would exceed its limit has every second step from then on, and so on, until it fits:
//! it always reaches to the end of the run. Steps between rows grow from 1 to those between written
//! states, and then to twice as many each time, so that written states have their rows as long as
//! possible. A step counts once it is recorded, so that a resumed run thins out like a whole one.

use ipcsim::forces::{JointState, Sums, joint_states};
use ipcsim::scene::Setup;
use ipcsim::scene::schema::Output;
use ipcsim::solve::Touching;
use ipcsim::time::State;
use ipcsim_store::body_table::{BodyNumbers, numbers};
use ipcsim_store::journal::Entry;

/// Steps of a table whose number of rows is limited.
#[derive(Clone, Debug, Default)]
pub(super) struct Thinning {
    /// Largest number of rows; 0 if there is no table.
    limit: usize,
    /// Steps between written states.
    every: usize,
    /// Steps from one to the next that the table has.
    stride: usize,
    /// Steps that the table has, each with its rows; steps without rows are left out.
    kept: Vec<(usize, usize)>,
    /// Number of rows.
    rows: usize,
}

impl Thinning {
    /// A table without rows.
    fn new(limit: usize, every: usize) -> Self {
        Self {
            limit,
            every,
            stride: 1,
            ..Self::default()
        }
    }

    /// True if the table may have a step.
    fn wants(&self, step: usize) -> bool {
        self.limit > 0 && step.is_multiple_of(self.stride)
    }

    /// Counts the rows of a step, and thins the table out until they fit. A single step always does.
    fn count(&mut self, step: usize, rows: usize) {
        if rows == 0 || !self.wants(step) {
            return;
        }

        // Written states keep their rows as long as possible.
        self.kept.push((step, rows));
        self.rows += rows;
        while self.rows > self.limit && self.kept.len() > 1 {
            self.stride = self.every.max(2 * self.stride);
            self.kept
                .retain(|(step, _)| step.is_multiple_of(self.stride));
            self.rows = self.kept.iter().map(|(_, rows)| rows).sum();
        }
    }
}

/// The tables of a run that are thinned out.
#[derive(Clone, Debug, Default)]
pub(super) struct Thinned {
    /// Sums of forces.
    forces: Thinning,
    /// Joints.
    joints: Thinning,
    /// Bodies.
    bodies: Thinning,
}

/// Steps from one to the next that each table has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strides {
    /// Sums of forces.
    pub(super) forces: usize,
    /// Joints.
    pub(super) joints: usize,
    /// Bodies.
    pub(super) bodies: usize,
}

/// Rows of a step, as far as tables have it.
pub(super) struct Sampled {
    /// Sums of forces.
    pub(super) forces: Option<Sums>,
    /// Joints.
    pub(super) joints: Option<Vec<JointState>>,
    /// Bodies.
    pub(super) bodies: Option<Vec<BodyNumbers>>,
}

impl Thinned {
    /// Tables without rows, with the limits of a scene.
    pub(super) fn new(output: &Output) -> Self {
        let limited = |rows| Thinning::new(rows, output.every.max(1));
        Self {
            forces: limited(output.force_rows),
            joints: limited(output.joint_rows),
            bodies: limited(output.body_rows),
        }
    }

    /// Rows of a `state` at the end of a step that ended with `last`, for the tables that may have
    /// them. The start has no forces.
    pub(super) fn sample(&self, setup: &Setup, state: &State, last: &Touching) -> Sampled {
        let world = &setup.world;
        let step = state.step;
        let acts = |table: &Thinning| step > 0 && table.wants(step);
        let has_joints = !world.model.joints.is_empty() && acts(&self.joints);
        Sampled {
            forces: acts(&self.forces).then(|| Sums::of(world, state, last)),
            joints: has_joints.then(|| joint_states(world, state)),
            bodies: self.bodies.wants(step).then(|| numbers(world, state)),
        }
    }

    /// Counts the rows of an entry.
    pub(super) fn count(&mut self, entry: &Entry) {
        let step = entry.report.record.step;

        // An entry without a table's rows counts for none.
        let joints = entry.joints.as_ref().map_or(0, Vec::len);
        let bodies = entry.bodies.as_ref().map_or(0, Vec::len);
        self.forces
            .count(step, entry.forces.as_ref().map_or(0, Sums::rows));
        self.joints.count(step, joints);
        self.bodies.count(step, bodies);
    }

    /// Steps from one to the next that each table has.
    pub(super) fn strides(&self) -> Strides {
        Strides {
            forces: self.forces.stride,
            joints: self.joints.stride,
            bodies: self.bodies.stride,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of a table after a run whose steps have these numbers of rows.
    fn steps(limit: usize, every: usize, rows: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut table = Thinning::new(limit, every);
        for (step, rows) in rows.enumerate() {
            if table.wants(step) {
                table.count(step, rows);
            }
        }
        assert!(table.rows <= limit || table.kept.len() == 1, "{table:?}");
        table.kept.iter().map(|(step, _)| *step).collect()
    }

    #[test]
    fn a_full_table_has_every_second_step_and_reaches_to_the_end() {
        let two = |count| std::iter::repeat_n(2, count);
        assert_eq!(steps(10, 1, two(5)), [0, 1, 2, 3, 4]);
        assert_eq!(steps(10, 1, two(6)), [0, 2, 4]);
        assert_eq!(steps(10, 1, two(40)), [0, 8, 16, 24, 32]);
        // Written states keep their rows.
        assert_eq!(steps(10, 3, two(13)), [0, 3, 6, 9, 12]);
        assert_eq!(steps(10, 3, two(16)), [0, 6, 12]);
    }

    #[test]
    fn one_step_is_left_even_if_it_has_more_rows_than_the_table_may_have() {
        assert_eq!(steps(3, 1, [0, 1, 1, 7, 0].into_iter()), [2]);
        assert_eq!(steps(3, 1, [7, 7, 7].into_iter()), [0]);
        assert!(steps(0, 1, [7].into_iter()).is_empty());
    }
}
