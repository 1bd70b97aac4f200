//! Values that double precision cannot resolve: lengths lost to rounding, and too many turns in a
//! step.
//!
//! A number near `p` is known up to `eps p` with `eps = 2.2e-16`. Contact needs differences of
//! positions to be far more accurate than `d_hat`. Four checks follow:
//!
//! - `eps d_hat` exceeds the size of the scene: the barrier would not see any shape;
//! - `eps` times the distance from the origin, plus that of one step, exceeds `d_hat`: neighbouring
//!   floating-point numbers are farther apart than contact reaches;
//! - a body turns so often in a step that the search for collisions on its curved path fails;
//! - a joint is so far from its bodies that rounding opens it by more than [`CLOSED`] of their size.
//!
//! These are errors, since such values make sense in no unit.

use crate::assemble::Setup;
use crate::problem::Problem;
use ipcsim_contact::tuning::MOST_TURNS;
use ipcsim_core::body::{Body, BodyKind};
use ipcsim_core::constraint::Joint;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::number::short;
use std::f64::consts::TAU;

/// Opening of a joint relative to the size of its larger body (1) that rounding may leave: a tenth of the one
/// with which a joint counts as closed.
const CLOSED: f64 = 1e-11;

/// Errors of the barrier, of the bodies and of the joints, at most one for each.
pub(super) fn problems(setup: &Setup) -> Vec<Problem> {
    let mut found: Vec<Problem> = barrier(setup).into_iter().collect();
    for (k, body) in setup.world.bodies.iter().enumerate() {
        let wrong = overflow(setup, k, body).or_else(|| coordinates(setup, k, body));
        found.extend(wrong.or_else(|| turns(setup, k, body)));
    }
    let joints = setup.world.model.joints.iter().enumerate();
    found.extend(joints.filter_map(|(k, joint)| far_joint(setup, k, joint)));
    found
}

/// Error of joint `k` with a point so far from its body that rounding opens it.
///
/// A point is a weighted sum of vertices of its body, whose weights grow with the distance.
fn far_joint(setup: &Setup, k: usize, joint: &Joint) -> Option<Problem> {
    let x = &setup.state.x;
    let row = joint.rows.first()?;
    let parts = row.frames.iter().flat_map(|frame| {
        let weighted = frame.vertices.iter().zip(&frame.point);
        weighted.map(|(&vertex, weight)| weight.amax() * x[vertex].amax())
    });
    let reach = parts.fold(0.0, f64::max);
    let lost = f64::EPSILON * reach;

    // What is not a number is too far, too.
    let is_near = lost <= CLOSED * row.unit;
    (!is_near).then(|| {
        let names = joint.bodies.map(|body| &setup.world.bodies[body].name);
        let message = format!(
            "lies so far from \"{}\" or \"{}\" that rounding opens it by {} m, more than {CLOSED:e} of their \
             size; put it nearer to them",
            names[0],
            names[1],
            short(lost)
        );
        let is_numbered = setup.scene.joints.len() == setup.world.model.joints.len();
        let path = if is_numbered {
            format!("joints[{k}]")
        } else {
            "joints".to_owned()
        };
        Problem::error(path, message)
    })
}

/// Error of a barrier so wide that rounding of `d_hat` exceeds the size of the scene.
fn barrier(setup: &Setup) -> Option<Problem> {
    let d_hat = setup.world.model.surface.reach.most();
    let size = scene_size(setup);
    let lost = f64::EPSILON * d_hat;

    (lost > size && size > 0.0).then(|| {
        let message = format!(
            "is {} m, and beside that, rounding loses lengths below {} m, but the whole scene \
             is {} m; use {} m or less, or leave it out",
            short(d_hat),
            short(lost),
            short(size),
            short(1e-3 * size)
        );
        Problem::error("contact.d_hat", message)
    })
}

/// Error of body `k`, whose places, coordinates or masses are beyond all numbers, as products of its lengths
/// may be.
fn overflow(setup: &Setup, k: usize, body: &Body) -> Option<Problem> {
    let Setup { state, world, .. } = setup;
    let is_finite = |v: &Vec2| v.iter().all(|part| part.is_finite());
    let nodes = body.nodes.clone();
    let all = state.x[body.vertices.clone()]
        .iter()
        .chain(&state.q[nodes.clone()])
        .chain(&world.model.mass[nodes]);
    let is_whole = all.into_iter().all(is_finite);

    (!is_whole && !matches!(body.kind, BodyKind::World)).then(|| {
        let message = format!(
            "\"{}\" has a place, mass or moment of inertia beyond all numbers; give lengths in m, and densities \
             in kg/m^3",
            body.name
        );
        Problem::error(path_of(setup, k), message)
    })
}

/// Error of body `k`, so far from the origin or so fast that neighbouring floating-point numbers
/// are farther apart than `d_hat`.
fn coordinates(setup: &Setup, k: usize, body: &Body) -> Option<Problem> {
    // The origin of a half-plane may be anywhere on its line, and nothing touches the world.
    if matches!(body.kind, BodyKind::HalfPlane | BodyKind::World) {
        return None;
    }

    let d_hat = setup.world.model.surface.reach.most_of(k);
    let vertices = body.vertices.clone();
    let place = vertices
        .map(|i| setup.state.x[i].amax())
        .fold(0.0, f64::max);
    let way = way_of_a_step(setup, body);
    let lost = f64::EPSILON * (place + way);

    (lost > d_hat).then(|| {
        let cause = if way > place {
            format!("moves {} m in a step", short(way))
        } else {
            format!("is {} m from the origin", short(place))
        };
        let reach = if setup.scene.contact.d_hat.is_some() {
            "contact.d_hat, "
        } else {
            ""
        };
        let message = format!(
            "\"{}\" {cause}, where rounding loses lengths below {} m, but contact reaches no \
             farther than {reach}{} m; give lengths in m and speeds in m/s, and put the \
             scene near the origin",
            body.name,
            short(lost),
            short(d_hat)
        );
        Problem::error(path_of(setup, k), message)
    })
}

/// Error of body `k` that turns more than [`MOST_TURNS`] times in a step, by its spin at the start
/// or by its script.
fn turns(setup: &Setup, k: usize, body: &Body) -> Option<Problem> {
    let world = &setup.world;
    let of_scene = setup.scene.bodies.get(k);
    let spin = of_scene.map_or(0.0, |body| body.spin_deg.to_radians().abs());

    let own = world
        .prescribed
        .iter()
        .filter(|p| body.nodes.contains(&p.node));
    let scripted = own.map(|p| p.fastest()[1]);
    let turns = world.h * scripted.fold(spin, f64::max) / TAU;

    (turns > MOST_TURNS).then(|| {
        let message = format!(
            "\"{}\" turns {} times in a step, more than the {MOST_TURNS} that a collision on \
             the way could be searched for; use a time.step of {:.1e} s or less, or check the \
             units: degrees per second",
            body.name,
            short(turns),
            0.01 * world.h / turns,
        );
        Problem::error(path_of(setup, k), message)
    })
}

/// JSON path of body `k`; that of all bodies for one that the program adds, as the cell of a scene that
/// repeats.
fn path_of(setup: &Setup, k: usize) -> String {
    let path = setup.paths.get(k);
    path.map_or_else(|| "bodies".to_owned(), String::clone)
}

/// Diagonal of the box around all bodies and obstacles at the start, circles included (m).
pub(super) fn scene_size(setup: &Setup) -> f64 {
    let surface = &setup.world.model.surface;
    let x = &setup.state.x;
    let vertices = setup.world.placed_vertices();
    let around = vertices.map(|i| Aabb::around([x[i]]).grown(surface.radius[i]));
    around
        .fold(Aabb::EMPTY, |all, one| all.union(&one))
        .extent()
        .norm()
}

/// Largest distance that a vertex of a body moves in the first step without contact (m).
///
/// It is `h (max(v, v_s) + h |g|)` with the speed `v` at the start, the speed `v_s` of scripts, and
/// gravity `g` for bodies that fall.
pub(super) fn way_of_a_step(setup: &Setup, body: &Body) -> f64 {
    let world = &setup.world;
    let vertices = body.vertices.clone();
    let of_vertices = vertices
        .map(|i| setup.state.v[i].norm())
        .fold(0.0, f64::max);

    // Scripts, and gravity where nothing else moves the body.
    let own = world
        .prescribed
        .iter()
        .filter(|p| body.nodes.contains(&p.node));
    let scripted = own.map(|p| p.fastest()[0]);
    let falling = if body.kind.is_obstacle() {
        0.0
    } else {
        world.loading.gravity.norm()
    };
    world.h * (scripted.fold(of_vertices, f64::max) + world.h * falling)
}
