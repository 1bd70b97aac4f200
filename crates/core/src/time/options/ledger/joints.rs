//! Work of joints over a stage.

use crate::body::Configuration;
use crate::constraint::{Course, JointWork};
use crate::solve::Potential;
use crate::time::state::State;
use crate::time::step::joint_memory::outset;
use ipcsim_math::Vec2;

/// Work of the joints of a `potential` over its stage, which has led from a state to the configuration
/// `at` by this displacement of all nodes (m; of angles rad), `[nodes]`.
pub(super) fn work(
    from: &State,
    potential: &Potential,
    at: &Configuration,
    way: &[Vec2],
) -> JointWork {
    let Potential { model, stage, .. } = potential;
    if model.joints.is_empty() {
        return JointWork::default();
    }

    let start = from.configuration();
    let by = [&start, at].map(|at| {
        let mut by = vec![Vec2::zeros(); at.x.len()];
        model.coordinates.displacements(at, way, &mut by);
        by
    });
    let course = Course {
        x: [&start.x, &at.x],
        by: [&by[0], &by[1]],
    };
    let constraints = &potential.constraints;
    constraints.work(&model.joints, &outset(stage, from), &course)
}
