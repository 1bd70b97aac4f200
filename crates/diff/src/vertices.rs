//! Changes of positions and velocities of vertices, and derivatives by them, instead of coordinates.
//!
//! Positions are `x(q)` and velocities `v = J(q) q_dot`. Only the arcs of rigid bodies make velocities depend
//! on coordinates: by the angle `theta` of a body around `c`, `dv/dtheta = -theta_dot (x - c)`.
//!
//! Programs outside see vertices, and the steps of a run solve for coordinates. [`of_vertices`]
//! takes changes of coordinates to vertices (for tangents), and [`by_state`] takes derivatives by
//! vertices to coordinates (for adjoints). Each one is the transposed map of the other:
//! `<by, of(change)> = <by_state(by), change>`.

use ipcsim::body::BodyKind;
use ipcsim::math::Vec2;
use ipcsim::time::linear::Variation;
use ipcsim::time::{State, World};

/// Changes of positions (m) and velocities (m/s) of all vertices by a change of a state.
///
/// The result is the changes of `x` and of `v`, each `[vertices]`.
pub fn of_vertices(world: &World, state: &State, change: &Variation) -> [Vec<Vec2>; 2] {
    // The linear part, at a fixed Jacobian.
    let coordinates = &world.model.coordinates;
    let at = state.configuration();
    let mut x = vec![Vec2::zeros(); state.x.len()];
    let mut v = vec![Vec2::zeros(); state.x.len()];
    coordinates.displacements(&at, &change.q, &mut x);
    coordinates.displacements(&at, &change.q_dot, &mut v);
    each_arc(world, state, |vertex, angle, arc| {
        v[vertex] += arc * change.q[angle].x;
    });
    [x, v]
}

/// Derivative by a state, from derivatives by the positions and velocities of all vertices.
///
/// Both lists are `[vertices]`. Derivatives by the state before and by anchors are 0.
pub fn by_state(world: &World, state: &State, by_x: &[Vec2], by_v: &[Vec2]) -> Variation {
    let coordinates = &world.model.coordinates;
    let at = state.configuration();
    let anchors = state.memory.options.sticking.anchors.len();
    let mut by = Variation::zero(state.q.len(), anchors, 0);
    for (vertex, (by_x, by_v)) in by_x.iter().zip(by_v).enumerate() {
        for node in coordinates.nodes_of(vertex) {
            let jacobian = coordinates.jacobian(&at, vertex, node);
            by.q[node] += jacobian.tr_mul(by_x);
            by.q_dot[node] += jacobian.tr_mul(by_v);
        }
    }
    each_arc(world, state, |vertex, angle, arc| {
        by.q[angle].x += arc.dot(&by_v[vertex]);
    });
    by
}

/// Calls a function with each vertex of a rigid body, the node of its angle, and the derivative of its velocity
/// by the angle.
fn each_arc(world: &World, state: &State, mut each: impl FnMut(usize, usize, Vec2)) {
    for body in &world.bodies {
        if !matches!(body.kind, BodyKind::Rigid | BodyKind::Obstacle) {
            continue;
        }
        let centre = body.nodes.start;
        let spin = state.q_dot[centre + 1].x;
        for vertex in body.vertices.clone() {
            each(
                vertex,
                centre + 1,
                (state.q[centre] - state.x[vertex]) * spin,
            );
        }
    }
}
