//! Warnings of time steps that are long for the speed of bodies.
//!
//! Contact is safe at any speed: the search for collisions covers the whole way of a step. But an
//! impact is resolved no finer than a step, and most integrators damp fast rotation of a body that
//! has no angle among its coordinates. A body that moves many times its own size in a step, or many
//! times the size of the scene, usually has a wrong unit.

use super::digits::{scene_size, way_of_a_step};
use super::proportions::extent;
use crate::assemble::Setup;
use crate::problem::Problem;
use crate::schema::Scheme;
use ipcsim_core::body::Body;
use ipcsim_math::Vec2;
use ipcsim_math::number::short;

/// Sizes of a deformable body (1) that it may move in a step.
///
/// Beyond it impacts are smeared out; usual motion is below one size.
const OWN_SIZES: f64 = 20.0;

/// Sizes of the whole scene (1) that a body may move in a step. Beyond it a unit is probably wrong.
const SCENES: f64 = 10.0;

/// Angle (rad) by which a body without an angle as its coordinate may turn in a step.
///
/// Vertices of such a body move on straight lines, and at 0.5 rad they end 12 % too far out.
const TURN: f64 = 0.5;

/// Distance that a body may move in a step, as a multiple of a length.
struct Limit {
    /// Length that the way is compared with (m).
    size: f64,
    /// Largest way of a step without a warning (m).
    way: f64,
    /// Description of the length in messages.
    unit: &'static str,
}

/// Warnings of bodies that move or turn too far in a step, at most one for each body; none in
/// statics, whose time is that of loads.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    if setup.world.integrator.is_static() {
        return Vec::new();
    }
    let scene_size = scene_size(setup);
    let mut found = Vec::new();
    for (k, body) in setup.world.bodies.iter().enumerate() {
        found.extend(speed(setup, k, body, scene_size).or_else(|| spin(setup, k, body)));
    }
    found
}

/// Warning of body `k` that moves far in a step, in a scene of the given size (m).
///
/// No collision is missed, but an impact is smeared over the step.
fn speed(setup: &Setup, k: usize, body: &Body, scene_size: f64) -> Option<Problem> {
    let own = extent(setup, body).norm();
    let way = way_of_a_step(setup, body);
    let limit = if body.kind.is_soft() && OWN_SIZES * own < SCENES * scene_size {
        Limit {
            size: own,
            way: OWN_SIZES * own,
            unit: "times its own size",
        }
    } else {
        Limit {
            size: scene_size,
            way: SCENES * scene_size,
            unit: "times the size of the whole scene",
        }
    };

    // A scene of one point has no size to compare with.
    (way > limit.way && limit.way > 0.0).then(|| {
        let message = format!(
            "\"{}\" moves {} m in a step, {:.1} {}; nothing passes through anything, but impacts \
             will be smeared over the step; use a time.step of {:.1e} s or less, or check the \
             units",
            body.name,
            short(way),
            way / limit.size,
            limit.unit,
            setup.world.h * limit.way / way
        );
        let place = setup.state.x[body.vertices.start];
        Problem::warning(setup.paths[k].clone(), message).at(place)
    })
}

/// Warning of body `k` without an angle of its own that turns fast.
///
/// The vertices move straight ahead in a step, so that the body grows, and elasticity takes energy
/// from the rotation. `None` for obstacles and bodies whose vertices move on arcs.
fn spin(setup: &Setup, k: usize, body: &Body) -> Option<Problem> {
    let spin = setup.scene.bodies.get(k)?.spin_deg.to_radians();
    let turn = spin.abs() * setup.world.h;

    (!body.kind.has_angle() && turn > TURN).then(|| {
        let message = format!(
            "\"{}\" turns by {:.0} degrees in a step; {}; use a time.step of {:.1e} s or less, or \
             make it rigid",
            body.name,
            turn.to_degrees(),
            fate(setup.scene.time.integrator),
            setup.world.h * 0.1 * TURN / turn
        );
        let vertices = body.vertices.clone();
        let sum: Vec2 = vertices.map(|i| setup.state.x[i]).sum();
        let middle = sum / body.vertices.len() as f64;
        Problem::warning(format!("{}.spin_deg", setup.paths[k]), message).at(middle)
    })
}

/// What becomes of a fast rotation by an integrator, as a clause.
fn fate(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::ImplicitEuler => "implicit Euler will damp that strongly",
        Scheme::Bdf2 => "bdf2 will damp that",
        Scheme::Trapezoid => "the trapezoid may let it gain energy",
        Scheme::TrBdf2 => "tr_bdf2 will damp that",
        Scheme::Static => "statics has no vibrations",
    }
}
