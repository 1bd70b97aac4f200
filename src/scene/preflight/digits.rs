//! Lengths that floating-point numbers cannot tell apart beside others, and turns that nobody can follow: no unit can be meant.

use crate::body::{Body, BodyKind};
use crate::geometry::Aabb;
use crate::math::number::short;
use crate::scene::assemble::Setup;
use crate::scene::problem::Problem;
use std::f64::consts::TAU;

pub(super) fn problems(setup: &Setup) -> Vec<Problem> {
    let bodies = setup.world.bodies.iter().enumerate();
    let of_body = |(k, body)| coordinates(setup, k, body).or_else(|| turns(setup, k, body));
    barrier(setup)
        .into_iter()
        .chain(bodies.filter_map(of_body))
        .collect()
}

/// A barrier so wide that beside it a distance in the scene is nothing.
fn barrier(setup: &Setup) -> Option<Problem> {
    let (d_hat, size) = (setup.world.model.surface.d_hat, scene_size(setup));
    let lost = f64::EPSILON * d_hat;
    (lost > size && size > 0.0).then(|| {
        let message = format!(
            "is {} m, and beside that, rounding loses lengths below {} m, but the whole scene is {} m; use {} m or less, or \
             leave it out",
            short(d_hat),
            short(lost),
            short(size),
            short(1e-3 * size)
        );
        Problem::error("contact.d_hat", message)
    })
}

/// A body so far away, or so fast, that after a step neighbouring numbers are farther apart than contact reaches.
fn coordinates(setup: &Setup, k: usize, body: &Body) -> Option<Problem> {
    // Where the origin of a half-plane is on its line changes nothing.
    if body.kind == BodyKind::HalfPlane {
        return None;
    }
    let d_hat = setup.world.model.surface.d_hat;
    let place = body
        .vertices
        .clone()
        .map(|i| setup.state.x[i].amax())
        .fold(0.0, f64::max);
    let way = way_of_a_step(setup, body);
    let lost = f64::EPSILON * (place + way);
    (lost > d_hat).then(|| {
        let (moves, is) = (format!("moves {} m in a step", short(way)), format!("is {} m from the origin", short(place)));
        let message = format!(
            "\"{}\" {}, where rounding loses lengths below {} m, but contact reaches no farther than contact.d_hat, {} m; give \
             lengths in m and speeds in m/s, and put the scene near the origin",
            body.name,
            if way > place { moves } else { is },
            short(lost),
            short(d_hat)
        );
        Problem::error(setup.paths[k].clone(), message)
    })
}

/// A body that turns so often in a step that nothing can be known of the way but that it leads everywhere.
fn turns(setup: &Setup, k: usize, body: &Body) -> Option<Problem> {
    const MOST_TURNS: f64 = 1000.0;
    let world = &setup.world;
    let spin = setup
        .scene
        .bodies
        .get(k)
        .map_or(0.0, |body| body.spin_deg.to_radians().abs());
    let scripted = world
        .prescribed
        .iter()
        .filter(|p| body.nodes.contains(&p.node))
        .map(|p| p.motion.fastest()[1]);
    let turns = world.h * scripted.fold(spin, f64::max) / TAU;
    (turns > MOST_TURNS).then(|| {
        let message = format!(
            "\"{}\" turns {} times in a step, more than the {MOST_TURNS} that a collision on the way could be searched for; use a \
             time.step of {:.1e} s or less, or check the units: degrees per second",
            body.name,
            short(turns),
            0.01 * world.h / turns,
        );
        Problem::error(setup.paths[k].clone(), message)
    })
}

/// Diagonal of the box around everything at the start (m).
pub(super) fn scene_size(setup: &Setup) -> f64 {
    let (surface, x) = (&setup.world.model.surface, &setup.state.x);
    let around = (0..x.len()).map(|i| Aabb::around([x[i]]).grown(surface.radius[i]));
    around
        .fold(Aabb::EMPTY, |all, one| all.union(&one))
        .extent()
        .norm()
}

/// How far a body moves in the first step at most, if nothing holds it (m).
pub(super) fn way_of_a_step(setup: &Setup, body: &Body) -> f64 {
    let (world, state) = (&setup.world, &setup.state);
    let of_vertices = body
        .vertices
        .clone()
        .map(|i| state.v[i].norm())
        .fold(0.0, f64::max);
    let scripted = world
        .prescribed
        .iter()
        .filter(|p| body.nodes.contains(&p.node))
        .map(|p| p.motion.fastest()[0]);
    let falling = if body.kind == BodyKind::Obstacle || body.kind == BodyKind::HalfPlane {
        0.0
    } else {
        world.loading.gravity.norm()
    };
    world.h * (scripted.fold(of_vertices, f64::max) + world.h * falling)
}
