//! Notes on tables that will leave out steps, since they would have more rows than the scene allows.

use crate::assemble::Setup;
use crate::problem::Problem;

/// Pairs in contact for each body that moves, in a pile of equal disks.
const PAIRS_OF_BODY: f64 = 2.0;

/// Notes on all tables whose rows are limited.
pub(super) fn notes(setup: &Setup) -> Vec<Problem> {
    let output = &setup.scene.output;
    let bodies = setup.world.bodies.len() as f64;
    let joints = setup.world.model.joints.len() as f64;
    let tables = [
        ("forces.csv", "force_rows", output.force_rows, forces(setup)),
        ("joints.csv", "joint_rows", output.joint_rows, joints),
        ("bodies.csv", "body_rows", output.body_rows, bodies),
    ];

    // Steps that the run may have at most.
    let steps = setup.scene.time.steps as f64;
    let long = tables.into_iter().filter(|&(.., limit, per_step)| {
        // A table that is not wanted leaves out nothing.
        limit > 0 && per_step * steps > limit as f64
    });
    long.map(|(name, key, limit, per_step)| {
        let message = format!(
            "is {limit}, but {name} may have {:.0} rows, about {per_step:.0} a step; it then has every \
             second step, or fewer; raise it if you need all of them",
            per_step * steps
        );
        Problem::warning(format!("output.{key}"), message)
    })
    .collect()
}

/// Rows of `forces.csv` for a step: pairs that may touch, joints, supports and loads.
fn forces(setup: &Setup) -> f64 {
    let world = &setup.world;
    let held = world.bodies.iter().filter(|body| {
        let mut prescribed = world.prescribed.iter();
        prescribed.any(|one| body.nodes.contains(&one.node))
    });

    // Bodies in a pile touch their neighbours.
    let moving = world
        .bodies
        .iter()
        .filter(|body| !body.kind.is_obstacle())
        .count() as f64;
    let pairs = PAIRS_OF_BODY * moving;
    let others = held.count() + world.model.joints.len() + world.loading.applied.len();
    pairs + others as f64
}
