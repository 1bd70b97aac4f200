//! The time step against how fast things move.

use super::digits::{scene_size, way_of_a_step};
use super::proportions::extent;
use crate::body::{Body, BodyKind};
use crate::math::Vec2;
use crate::math::number::short;
use crate::scene::assemble::Setup;
use crate::scene::problem::Problem;

/// Sizes of a deformable body that it may move in a step.
const OWN_SIZES: f64 = 20.0;

/// Sizes of the whole scene that anything may move in a step.
const SCENES: f64 = 10.0;

/// Angle by which bodies may turn in a step that do not know that they turn (rad).
const TURN: f64 = 0.5;

pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let scene_size = scene_size(setup);
    let bodies = setup.world.bodies.iter().enumerate();
    bodies
        .filter_map(|(k, body)| speed(setup, k, body, scene_size).or_else(|| spin(setup, k, body)))
        .collect()
}

/// What moves far in a step. That is safe, as nothing is missed on the way, but an impact is smeared over the step.
fn speed(setup: &Setup, k: usize, body: &Body, scene_size: f64) -> Option<Problem> {
    let (own, way) = (extent(setup, body).norm(), way_of_a_step(setup, body));
    let is_soft = matches!(
        body.kind,
        BodyKind::Solid | BodyKind::Springs | BodyKind::Reduced
    );
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

/// What turns fast without an angle of its own: its vertices go straight ahead in a step, so that it grows.
fn spin(setup: &Setup, k: usize, body: &Body) -> Option<Problem> {
    let has_no_angle = matches!(
        body.kind,
        BodyKind::Solid | BodyKind::Springs | BodyKind::Reduced | BodyKind::Affine
    );
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
