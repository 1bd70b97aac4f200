//! Warnings of time steps that are long for the speed of bodies.

use super::digits::{scene_size, way_of_a_step};
use super::proportions::extent;
use crate::body::Body;
use crate::math::Vec2;
use crate::math::number::short;
use crate::scene::assemble::Setup;
use crate::scene::problem::Problem;

/// Sizes of a deformable body (1) that it may move in a step. Beyond it impacts are smeared out; usual
/// motion is below one size.
const OWN_SIZES: f64 = 20.0;

/// Sizes of the whole scene (1) that a body may move in a step. Beyond it a unit is probably wrong.
const SCENES: f64 = 10.0;

/// Angle (rad) by which a body without an angle of its own may turn in a step. Its vertices move on
/// straight lines, and at 0.5 rad they end 12 % too far out.
const TURN: f64 = 0.5;

/// One warning at most for each body.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let scene_size = scene_size(setup);
    let bodies = setup.world.bodies.iter().enumerate();
    bodies
        .filter_map(|(k, body)| speed(setup, k, body, scene_size).or_else(|| spin(setup, k, body)))
        .collect()
}

/// Warning of a body that moves far in a step. No collision is missed, but an impact is smeared over
/// the step.
fn speed(setup: &Setup, k: usize, body: &Body, scene_size: f64) -> Option<Problem> {
    let own = extent(setup, body).norm();
    let way = way_of_a_step(setup, body);
    let is_soft = body.kind.is_soft();
    let (limit, of_what) = if is_soft && OWN_SIZES * own < SCENES * scene_size {
        (OWN_SIZES * own, "times its own size")
    } else {
        (SCENES * scene_size, "times the size of the whole scene")
    };
    (way > limit && limit > 0.0).then(|| {
        let size = if of_what.contains("own") { own } else { scene_size };
        let message = format!(
            "\"{}\" moves {} m in a step, {:.1} {of_what}; nothing passes through anything, but impacts will be smeared over \
             the step; use a time.step of {:.1e} s or less, or check the units",
            body.name,
            short(way),
            way / size,
            setup.world.h * limit / way
        );
        Problem::warning(setup.paths[k].clone(), message).at(setup.state.x[body.vertices.start])
    })
}

/// Warning of a body without an angle of its own that turns fast: its vertices move straight ahead in a
/// step, so that it grows.
fn spin(setup: &Setup, k: usize, body: &Body) -> Option<Problem> {
    let has_no_angle = !body.kind.has_angle();
    let spin = setup.scene.bodies.get(k)?.spin_deg.to_radians();
    let turn = spin.abs() * setup.world.h;
    (has_no_angle && turn > TURN).then(|| {
        let message = format!(
            "\"{}\" turns by {:.0} degrees in a step; implicit Euler will damp that strongly; use a time.step of {:.1e} s or \
             less, or make it rigid",
            body.name,
            turn.to_degrees(),
            setup.world.h * 0.1 * TURN / turn
        );
        let middle: Vec2 = body.vertices.clone().map(|i| setup.state.x[i]).sum::<Vec2>() / body.vertices.len() as f64;
        Problem::warning(format!("{}.spin_deg", setup.paths[k]), message).at(middle)
    })
}
