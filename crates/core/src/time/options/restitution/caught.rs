//! Bodies that a contact without a coefficient of restitution stops, in integrators that look back.
//!
//! A formula of two steps takes the velocity at the end from three places, and an impact between them
//! for a smooth change: BDF2 gives a body that falls at `v` and is stopped the velocity
//! `(3 q_1 - 4 q_0 + q_-1) / (2 h) = -v / 2`, as a rebound. The trapezoidal rule gives it
//! `2 (q_1 - q_0) / h - v_0`, up to the whole rebound. The body has not moved so. Where a contact changes the
//! speed apart by more than gravity changes the mean of a step, bodies get the velocity `(q_1 - q_0) / h` of
//! their displacement, as after a step of implicit Euler, and to the next step they have always moved so.

use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use crate::tuning::{CAUGHT_FALL, CAUGHT_JUMP};
use ipcsim_contact::SharedVertices;
use ipcsim_math::{Mat2, Vec2};

/// Gives bodies that contacts have stopped the velocity of their displacement in `q_dot` (m/s; of angles
/// rad/s), `[nodes]`. Returns their nodes.
pub(super) fn caught(world: &World, landing: StageEnd, q_dot: &mut [Vec2]) -> Vec<usize> {
    let looks_back = world.integrator.history() > 0;
    let is_of_book = world.model.surface.shared_vertices == SharedVertices::PerEdge;
    if !looks_back || is_of_book || landing.contacts.is_empty() {
        return Vec::new();
    }

    let h = landing.stage.end - landing.from.time;
    let mut nodes = Vec::new();
    let cell = CellMotion::of(world, landing, q_dot, h);
    for body in stopped(world, landing, (q_dot, &cell), h) {
        for node in world.bodies[body].nodes.clone() {
            q_dot[node] = (landing.at.q[node] - landing.from.q[node]) / h;
            if world.model.coordinates.is_place(node) {
                q_dot[node] += cell.missing * landing.at.q[node];
            }
            nodes.push(node);
        }
    }
    nodes
}

/// Mean motion of a scene that repeats; zero in others.
struct CellMotion {
    /// Gradient of the velocity of the periods (1/s).
    whole: Mat2,
    /// What velocities of the periods have more than their displacement in the step has (1/s).
    missing: Mat2,
}

impl CellMotion {
    /// Mean motion in a stage of length `h` (s) that ends with the velocities `q_dot`, `[nodes]`.
    fn of(world: &World, landing: StageEnd, q_dot: &[Vec2], h: f64) -> Self {
        let StageEnd { from, at, .. } = landing;
        let Some(lattice) = world.model.coordinates.lattice() else {
            return Self {
                whole: Mat2::zeros(),
                missing: Mat2::zeros(),
            };
        };
        // A formula may give a period another velocity than its displacement.
        let mut missing = vec![Vec2::zeros(); q_dot.len()];
        for node in lattice.periods() {
            missing[node] = q_dot[node] - (at.q[node] - from.q[node]) / h;
        }
        Self {
            whole: lattice.mean_motion(&at.q, q_dot),
            missing: lattice.mean_motion(&at.q, &missing),
        }
    }
}

/// Numbers of the bodies that a contact has stopped in a stage of length `h` (s), by the jump of its speed
/// apart with the velocities `q_dot`, `[nodes]`; in ascending order.
fn stopped(
    world: &World,
    landing: StageEnd,
    (q_dot, cell): (&[Vec2], &CellMotion),
    h: f64,
) -> Vec<usize> {
    // Velocities of vertices by the formula.
    let StageEnd {
        from, at, contacts, ..
    } = landing;
    let mut v = at.x.clone();
    world.model.coordinates.displacements(at, q_dot, &mut v);

    // A change by gravity of the mean speed of a step is not an impact, nor is a turn on a wheel.
    let small = CAUGHT_FALL * world.loading.gravity.norm() * h;
    let mut bodies: Vec<usize> = Vec::new();
    for contact in contacts.forces(&world.model.surface, &at.x) {
        let [a, b] = contact.bodies;
        let has_law = world.options.restitution.between(a, b).is_some();
        let deforms = contact.bodies.map(|body| world.bodies[body].kind.is_soft());
        if has_law || a == b || deforms != [false; 2] {
            continue;
        }

        // The power of the force over its size is the speed apart.
        let parts = contact.on_vertices.iter();
        let [displaced, apart, fast] =
            parts.fold([0.0; 3], |[displaced, apart, fast], &(i, force)| {
                let way = (at.x[i] - from.x[i]) / h + cell.missing * at.x[i];
                let own = way - cell.whole * at.x[i];
                [
                    displaced + force.dot(&way),
                    apart + force.dot(&v[i]),
                    own.norm().max(fast),
                ]
            });
        let least = contact.force.abs() * small.max(CAUGHT_JUMP * fast);
        if apart - displaced > least {
            bodies.extend([a, b]);
        }
    }

    bodies.sort_unstable();
    bodies.dedup();
    bodies.retain(|&body| !world.bodies[body].kind.is_obstacle());
    bodies
}
