//! Reactions: forces and moments by which supports hold or drive prescribed coordinates.
//!
//! At the end of a stage the potential `E(q)` is at a minimum in all free coordinates. In a
//! prescribed coordinate the support must supply its derivative,
//!
//! `R = (dE/dq) / s_c = m M (q - q_tilde) / s_c - f / s_c + s_e/s_c elasticity' + J_c^T lambda +
//! barrier' + friction'`,
//!
//! in the symbols of [`Stage`]. For implicit Euler this is `M (v_1 - v_0) / h` less the loads plus
//! the derivatives of all energies. It is made of the stage itself, so it holds for every
//! integrator with the inertia that this integrator gives. A step of several stages has the
//! reactions of its last one, and a halved step the reactions of its last part.
//!
//! Sums of reactions are the inertia less the loads of all bodies, up to the residual of the solve:
//! energies between bodies cancel.

use super::support::{Support, SupportKind, supports};
use crate::body::Body;
use crate::constraint::ConstraintAction;
use crate::solve::{Stage, Touching};
use crate::time::{State, World, inertia_of};
use ipcsim_contact::{ContactPair, Surface, VertexForces};
use ipcsim_energy::Energy;
use ipcsim_math::{Vec2, cross};
use serde::{Deserialize, Serialize};

/// Force and moment of one support at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reaction {
    /// Number of the body or obstacle that is held.
    pub body: usize,
    /// Held part of the body.
    pub kind: SupportKind,
    /// Force of the support on the body (N); zero along axes that are free.
    pub force: Vec2,
    /// Moment of the support on the body (N m), counter-clockwise, about [`about`](Self::about). 0
    /// if a body may turn.
    pub moment: f64,
    /// Point about which the moment counts (m): the origin of an obstacle, the centre of mass of a
    /// rigid body, the mean position of selected vertices.
    pub about: Vec2,
}

/// Reactions of all supports in a `state` at the end of a step that ended with `last`, in the order
/// of the bodies; none before the first step and after a step that failed.
///
/// An obstacle has no mass. Its reaction is the force by which it acts on all bodies together.
pub fn reactions(world: &World, state: &State, last: &Touching) -> Vec<Reaction> {
    let Some(stage) = &last.stage else {
        return Vec::new();
    };
    let supports = supports(world, stage.end);
    if supports.is_empty() {
        return Vec::new();
    }

    let missing = missing_forces(world, state, stage, last);
    supports
        .iter()
        .map(|support| {
            let body = &world.bodies[support.body];
            if body.kind.is_soft() {
                of_selection(support, state, &missing)
            } else if body.nodes.len() == 1 {
                of_half_plane(support, world, state, last, &missing)
            } else {
                of_whole(support, body, state, &missing)
            }
        })
        .collect()
}

/// Force that each coordinate lacks for balance (N; of an angle N m), `[nodes]`: the derivative of
/// the potential over `s_c`, since a support acts as contact and joints do.
fn missing_forces(world: &World, state: &State, stage: &Stage, last: &Touching) -> Vec<Vec2> {
    let model = &world.model;
    let scale = stage.elasticity.recip();
    let contact = stage.contact * scale;

    // Inertia, and loads that it does not carry.
    let mut by_q = inertia_of(model, stage, &state.q);
    for own in &mut by_q {
        *own *= stage.inertia * scale;
    }
    for (g, load) in by_q.iter_mut().zip(&stage.pull) {
        *g -= load * scale;
    }

    // Friction is a function of positions on tangents.
    let mut by_x = vec![Vec2::zeros(); state.x.len()];
    if !last.friction.is_empty() {
        add(last.friction.energies(), contact, &last.tangents, &mut by_x);
        let tangent_at = last.friction.tangent_at(stage);
        model.coordinates.pull_back(tangent_at, &by_x, &mut by_q);
        by_x.fill(Vec2::zeros());
    }

    // Everything else is a function of the positions.
    for energy in stage.materials.energies(model) {
        energy.add_gradient(&state.x, 1.0, &mut by_x);
    }
    stage.following.add_gradient(&state.x, 1.0, &mut by_x);
    stage.damping.add_gradient(&state.x, 1.0, &mut by_x);
    add_joints(world, state, stage.contact_ratio(), &mut by_x);
    add(last.contacts.energies(), contact, &state.x, &mut by_x);
    model
        .coordinates
        .pull_back(&state.configuration(), &by_x, &mut by_q);
    for energy in &model.own {
        energy.add_gradient(&state.q, 1.0, &mut by_q);
    }
    stage.damping.nodes.add_gradient(&state.q, 1.0, &mut by_q);

    // From elasticity's factor to the factor of contact; 1 for most integrators.
    let share = stage.contact_ratio().recip();
    for force in &mut by_q {
        *force *= share;
    }
    by_q
}

/// Adds the gradients of energies, times a factor.
fn add<const N: usize>(energies: [&dyn Energy; N], factor: f64, at: &[Vec2], out: &mut [Vec2]) {
    for energy in energies {
        energy.add_gradient(at, factor, out);
    }
}

/// Adds `J_c^T lambda` of all joints (N), whose forces `lambda` the state remembers, times a
/// factor.
fn add_joints(world: &World, state: &State, factor: f64, out: &mut [Vec2]) {
    let rows = world.model.joints.iter().flat_map(|joint| &joint.rows);
    for (row, force) in rows.zip(&state.memory.multipliers) {
        // Springs act with the share of elasticity.
        let is_spring = matches!(row.action, ConstraintAction::Sprung(_));
        let factor = if is_spring { 1.0 } else { factor };
        for (vertex, force) in row.forces_by(&state.x, *force) {
            out[vertex] += force * factor;
        }
    }
}

/// Components of a vector that a support holds; 0 for the others.
fn held(force: Vec2, axes: [bool; 2]) -> Vec2 {
    Vec2::new(
        if axes[0] { force.x } else { 0.0 },
        if axes[1] { force.y } else { 0.0 },
    )
}

/// Reaction of selected vertices of a soft body, with the moment about their mean position.
fn of_selection(support: &Support, state: &State, missing: &[Vec2]) -> Reaction {
    let nodes = &support.nodes;
    let about = nodes.iter().map(|p| state.q[p.node]).sum::<Vec2>() / nodes.len() as f64;

    let mut force = Vec2::zeros();
    let mut moment = 0.0;
    for p in nodes {
        let own = held(missing[p.node], p.axes);
        force += own;
        moment += cross(state.q[p.node] - about, own);
    }

    Reaction {
        body: support.body,
        kind: support.kind,
        force,
        moment,
        about,
    }
}

/// Reaction of a body or obstacle with a centre and an angle, with the moment about the centre.
fn of_whole(support: &Support, body: &Body, state: &State, missing: &[Vec2]) -> Reaction {
    let center = body.nodes.start;
    let mut force = Vec2::zeros();
    let mut moment = 0.0;

    for p in &support.nodes {
        if p.node == center {
            force = held(missing[center], p.axes);
        } else {
            moment = missing[p.node].x;
        }
    }

    Reaction {
        body: support.body,
        kind: support.kind,
        force,
        moment,
        about: state.q[center],
    }
}

/// Reaction of a half-plane that does not turn, with the moment about its origin.
///
/// Its only coordinates belong to the origin, so the moment is summed over contacts, from all
/// forces on the vertices of the other side.
fn of_half_plane(
    support: &Support,
    world: &World,
    state: &State,
    last: &Touching,
    missing: &[Vec2],
) -> Reaction {
    let surface = &world.model.surface;
    let body = &world.bodies[support.body];
    let about = state.q[body.nodes.start];
    let origin = body.vertices.start;

    // Normal forces, friction, and couples of rolling resistance.
    let mut moment = 0.0;
    for force in last.contacts.forces(surface, &state.x) {
        if is_on(force.pair, origin, surface) {
            moment += moment_of_others(&force.on_vertices, origin, about, &state.x);
        }
    }
    for force in last.friction.forces(surface, &last.tangents) {
        if is_on(force.pair, origin, surface) {
            moment += moment_of_others(&force.on_vertices, origin, about, &state.x);
        }
    }
    for couple in last.friction.couples(surface, &last.tangents) {
        if is_on(couple.pair, origin, surface) {
            moment += couple.moment;
        }
    }

    Reaction {
        body: support.body,
        kind: support.kind,
        force: missing[body.nodes.start],
        moment,
        about,
    }
}

/// True if the other side of a pair is the half-plane with this vertex at its origin.
fn is_on(pair: ContactPair, origin: usize, surface: &Surface) -> bool {
    match pair {
        ContactPair::Plane { plane, .. } | ContactPair::Floor { plane, .. } => {
            surface.planes[plane].origin == origin
        }
        ContactPair::Edge { .. } | ContactPair::Strip { .. } => false,
    }
}

/// Moment (N m) about a point of the forces on all vertices but `origin`, at positions `x` (m).
fn moment_of_others(forces: &VertexForces, origin: usize, about: Vec2, x: &[Vec2]) -> f64 {
    let others = forces.iter().filter(|(vertex, _)| *vertex != origin);
    others
        .map(|(vertex, force)| cross(x[*vertex] - about, *force))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{GRAVITY, H, MASS, RADIUS, circles, resting_gap};
    use crate::time::{begin, step};

    #[test]
    fn a_ground_carries_the_weight_of_what_rests_on_it_about_its_place() {
        let height = RADIUS + resting_gap();
        let places = [-0.7, 0.4, 1.5];
        let (world, mut state) = circles(&places.map(|x| [x, height]), true, 0.0);
        let mut solver = world.solver();
        begin(&world, &mut solver, &state).unwrap();
        assert!(reactions(&world, &state, solver.last()).is_empty());
        step(&world, &mut solver, &mut state).unwrap();

        let [reaction] = reactions(&world, &state, solver.last())[..] else {
            panic!("one support")
        };
        let weight = MASS * GRAVITY;
        assert_eq!((reaction.body, reaction.kind), (3, SupportKind::Obstacle));
        let error = (reaction.force - Vec2::new(0.0, 3.0 * weight)).norm();
        assert!(error < 1e-6 * weight, "{reaction:?}");
        let moment = places.iter().sum::<f64>() * weight;
        assert!(
            (reaction.moment - moment).abs() < 1e-6 * weight,
            "{reaction:?}"
        );
        assert_eq!(reaction.about, Vec2::zeros());
    }

    #[test]
    fn reactions_are_what_momentum_gains_less_the_weight() {
        // One circle falls on the ground and one on the other circle.
        let places = [[0.0, RADIUS + 0.02], [0.01, 3.0 * RADIUS + 0.05]];
        let (world, mut state) = circles(&places, true, 0.3);
        state.q_dot[0] = Vec2::new(0.4, -1.0);
        state.q_dot[2] = Vec2::new(0.0, -2.0);
        let mut solver = world.solver();
        let momentum = |state: &State| (state.q_dot[0] + state.q_dot[2]) * MASS;
        let mut has_pushed = false;
        for _ in 0..12 {
            let before = momentum(&state);
            step(&world, &mut solver, &mut state).unwrap();
            let [reaction] = reactions(&world, &state, solver.last())[..] else {
                panic!("one support")
            };
            let gained = (momentum(&state) - before) / H;
            let expected = gained + Vec2::new(0.0, 2.0 * MASS * GRAVITY);
            let error = (reaction.force - expected).norm();
            assert!(
                error < 1e-5 * (1.0 + expected.norm()),
                "{reaction:?} {expected}"
            );
            has_pushed |= reaction.force.y > 100.0 && reaction.force.x.abs() > 1.0;
        }
        assert!(has_pushed, "nothing has hit the ground");
    }
}
