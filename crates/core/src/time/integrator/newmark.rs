//! Newmark's method for elasticity, damping, loads and springs in joints, with contact, friction and
//! the equations of joints implicit
//! (Newmark 1959; Hughes, "The Finite Element Method", chapter 9; Kane, Repetto, Ortiz, Marsden
//! 1999).
//!
//! One stage; only slip looks back. Forces that appear and vanish suddenly act as they are at the end: a
//! contact force in the explicit half would push where nothing touches any more.

use super::even_motion::{beyond_flight, carried};
use super::{Departure, Integrator, joints_before};
use crate::body::Configuration;
use crate::constraint::{WarmStart, first_changes};
use crate::solve::{Materials, Stage};
use crate::time::loading::Loads;
use crate::time::span::Span;
use ipcsim_energy::{Before, Dissipation, Energy, Reference};
use ipcsim_math::Vec2;

/// Newmark's method with the parameter `gamma`, and `gamma / 2` for the other one, `beta`.
///
/// With the elastic force `f(q) = -V'(q)`, that of springs and dampers in joints included, the load
/// `l`, `g` for `gamma` and the force `r` of contact, friction and all other rows of joints at the end
///
/// `v = v_n + h M^-1 ((1 - g) (f(q_n) + l_n) + g (f(q) + l) + r)`, `q = q_n + h (v_n + v) / 2`
///
/// so that `s_e = g h^2/2`, `s_c = h^2/2`, `beta = h/2` of the stage and `q_ref = q_n + h/2 v_n`.
/// The explicit part of the elastic force is a linear term of the potential: as a part of
/// `q_tilde` it would throw stiff bodies far away.
///
/// `g = 1/2` is the [`Trapezoid`](super::Trapezoid), of second order and without damping. A
/// larger one is of first order: a vibration of the angular frequency `w` that steps resolve
/// loses about `(g - 1/2) (w h)^2 / 2` of its amplitude in a step. One that they do not resolve
/// hardly does. None grows in a linear body, whatever the step.
///
/// The other parameter is not free. Only with `beta = gamma / 2` the displacement of a step is the
/// mean velocity times `h`. With any other `beta` it would be longer by `(1/2 - beta / gamma) h^2`
/// times the acceleration of the start by loads and elasticity, without the contact that balances
/// it: a body at rest on the ground would not stay at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newmark {
    /// The parameter (1), from 1/2 to 1: the share of the force at the end of the step.
    pub gamma: f64,
}

/// Damping of a stage from a reference, by rates that begin as at the start; velocities count over the time
/// `beta` (s).
fn damping(from: Departure, reference: &Configuration, beta: f64) -> Dissipation {
    let strains = Before {
        states: &[(1.0, &from.start.x)],
        moving: Some((&from.start.v, beta)),
    };
    let from_reference = Reference {
        x: &reference.x,
        q: &reference.q,
        beta,
    };
    from.model.dampers.stage(&strains, from_reference)
}

impl Integrator for Newmark {
    /// Slip of friction counts less a share of the step before: velocities along
    /// an arc are wrong in the second order.
    fn history(&self) -> usize {
        1
    }

    fn mixes_velocities(&self) -> bool {
        false
    }

    fn order(&self) -> usize {
        if self.gamma > 0.5 { 1 } else { 2 }
    }

    fn stage(&self, from: Departure) -> Stage {
        let Departure {
            model, start, span, ..
        } = from;
        let Span { end, h } = span;
        let beta = 0.5 * h;
        let contact = h * beta;
        let shares = [1.0 - self.gamma, self.gamma];
        let [explicit, elasticity] = shares.map(|share| share * h * beta);

        // Free motion under the mean loads, and the place from which velocity counts.
        let [before, after] = [start.time, end].map(|t| from.loads(t));
        let ends = before.acceleration.iter().zip(&after.acceleration);
        let [first, last] = shares.map(|share| 2.0 * share);
        let push: Vec<Vec2> = ends
            .map(|(a, b)| (a * first + b * last) * (0.5 * contact))
            .collect();
        let flown = (0..push.len()).map(|i| start.q[i] + start.q_dot[i] * h + push[i]);
        let mut predicted: Vec<Vec2> = flown.collect();
        let moved = start.q.iter().zip(&start.q_dot);
        let mut reference: Vec<Vec2> = moved.map(|(q, v)| q + v * beta).collect();
        move_evenly(from, &mut predicted, &mut reference);
        for entry in 0..from.prescribed.len() {
            steady(from, entry, &push, &mut predicted, &mut reference);
        }

        // Damping, and residuals of joints by their rates at the start.
        let reference = Configuration::of(&model.coordinates, reference);
        let damping = damping(from, &reference, beta);
        let residuals = moved_residuals(from, &reference);

        // What acts at the start, and loads that inertia does not carry.
        let at_start = AtStart {
            damping: &damping,
            residuals: &residuals,
            beta,
        };
        let mut pull = explicit_forces(from, at_start, explicit);
        for (share, loads) in shares.into_iter().zip([before, after]) {
            add_massless(&loads, share * contact, &mut pull);
        }

        Stage {
            end,
            predicted: Configuration::of(&model.coordinates, predicted),
            expected: Vec::new(),
            push,
            pull,
            materials: from.materials(end),
            following: from.following(end),
            damping,
            residuals,
            inertia: 1.0,
            reference,
            beta: Some(beta),
            clock: beta,
            elasticity,
            explicit,
            contact,
            slip: None,
            turning: None,
            slip_time: beta,
            tolerance: from.tolerance,
        }
    }
}

/// Adds the part of `loads` that inertia does not carry, with its factor (s^2).
fn add_massless(loads: &Loads, factor: f64, pull: &mut Vec<Vec2>) {
    let massless = &loads.massless;
    pull.resize(pull.len().max(massless.len()), Vec2::zeros());
    for (pull, force) in pull.iter_mut().zip(massless) {
        *pull += force * factor;
    }
}

/// Residuals of joints from which rates count (m or rad), `[rows]`: those of the start, changed by the
/// rates there in the time in which coordinates reach the `reference`. Empty if nothing asks for them.
fn moved_residuals(from: Departure, reference: &Configuration) -> Vec<f64> {
    let Departure { model, start, .. } = from;
    let mut residuals = from.residuals();
    if !residuals.is_empty() {
        let way: Vec<Vec2> = (0..start.q.len())
            .map(|i| reference.q[i] - start.q[i])
            .collect();
        let mut by = vec![Vec2::zeros(); start.x.len()];
        let at = start.configuration();
        model.coordinates.displacements(&at, &way, &mut by);
        let changes = first_changes(&model.joints, &start.x, &by);
        for (residual, change) in residuals.iter_mut().zip(changes) {
            *residual += change;
        }
    }
    from.residuals_from(residuals, &reference.x)
}

/// Dampers and joints of a stage, as their forces at its start need them.
#[derive(Clone, Copy)]
struct AtStart<'a> {
    /// Energies of damping.
    damping: &'a Dissipation,
    /// Residuals of joints from which rates count (m or rad), `[rows]`.
    residuals: &'a [f64],
    /// Time in which the rates of the start lead to these (s).
    beta: f64,
}

/// Explicit part of the forces of elasticity, of loads that follow bodies, of damping and of springs
/// in joints, with their factor (N s^2), `[nodes]`.
fn explicit_forces(from: Departure, at_start: AtStart, factor: f64) -> Vec<Vec2> {
    let Departure { model, start, .. } = from;
    let materials = Materials::of(model, start.conditions());
    let mut pull = materials.gradient(model, &start.configuration());
    add_following(from, &mut pull);
    add_damping(from, at_start.damping, &mut pull);
    let outset = WarmStart {
        forces: &start.memory.multipliers,
        turned: &start.memory.turned,
        broken: &start.memory.broken,
        before: at_start.residuals,
        beta: at_start.beta,
        ..WarmStart::START
    };
    let joined = joints_before(model, start, &outset);
    pull.resize(pull.len().max(joined.len()), Vec2::zeros());
    for (pull, force) in pull.iter_mut().zip(joined) {
        *pull += force;
    }
    for force in &mut pull {
        *force *= -factor;
    }
    pull
}

/// Adds the derivative at the start of the energies of loads that follow bodies (N; of angles N m),
/// `[nodes]`, to the derivative of elasticity, which is 0 if `by_q` is empty.
fn add_following(from: Departure, by_q: &mut Vec<Vec2>) {
    let following = from.following(from.start.time);
    if !following.is_empty() {
        add_pulled_back(from, by_q, |x, by_x| following.add_gradient(x, 1.0, by_x));
    }
}

/// Adds the derivative of the forces of damping at the start (N; of angles N m), `[nodes]`.
///
/// At the start the energy of the stage has the rates of strain, and the velocities, of the start
/// with the other sign: `(x_n - x_ref) / beta = -v_n`.
fn add_damping(from: Departure, damping: &Dissipation, by_q: &mut Vec<Vec2>) {
    if !damping.is_empty() {
        add_pulled_back(from, by_q, |x, by_x| damping.add_gradient(x, -1.0, by_x));
        damping.nodes.add_gradient(&from.start.q, -1.0, by_q);
    }
}

/// Adds derivatives by the positions of the start (N), which `add` adds up, as derivatives by
/// coordinates (N; of angles N m), `[nodes]`.
fn add_pulled_back(from: Departure, by_q: &mut Vec<Vec2>, add: impl Fn(&[Vec2], &mut [Vec2])) {
    let start = from.start;
    let mut by_x = vec![Vec2::zeros(); start.x.len()];
    add(&start.x, &mut by_x);
    by_q.resize(start.q.len(), Vec2::zeros());
    let coordinates = &from.model.coordinates;
    coordinates.pull_back(&start.configuration(), &by_x, by_q);
}

/// Lets inertia count from the mean motion of a scene that repeats, and velocities with it: what prescribed
/// periods move beyond their flight, all bodies are taken along evenly.
///
/// The velocity of such a period is its mean over the step, `(a - a_n) / h`, and not
/// `2 (a - a_n) / h - v_n`: the difference counts for bodies as well, by half of the way.
fn move_evenly(from: Departure, predicted: &mut [Vec2], reference: &mut [Vec2]) {
    if from.model.coordinates.lattice().is_none() {
        return;
    }
    let Span { end, .. } = from.span;
    let beyond = beyond_flight(from, end, predicted);
    let ways = carried(from, predicted, &beyond);
    for ((predicted, reference), way) in predicted.iter_mut().zip(reference).zip(ways) {
        *predicted += way;
        *reference += way * 0.5;
    }
}

/// Gives the components that an `entry` prescribes the mean velocity of the step,
/// `(q - q_n) / h`, and the inertia of its change, `M (v - v_n) / h`.
///
/// `v = 2 (q - q_n) / h - v_n` would alternate between 0 and twice the velocity of a script that
/// starts at once, and friction on it with it.
fn steady(
    from: Departure,
    entry: usize,
    push: &[Vec2],
    predicted: &mut [Vec2],
    reference: &mut [Vec2],
) {
    let Span { end, h } = from.span;
    let prescribed = &from.prescribed[entry];
    let node = prescribed.node;
    let start = from.start;
    let shift = start.parameters.shift(entry);
    let Some(target) = prescribed.goal(end, start.time, start.q[node], shift) else {
        return;
    };

    for axis in (0..2).filter(|&axis| prescribed.axes[axis]) {
        let [q, v] = [from.start.q[node][axis], from.start.q_dot[node][axis]];
        let mean = (target[axis] - q) / h;
        reference[node][axis] = 0.5 * (q + target[axis]);
        predicted[node][axis] = target[axis] - 0.5 * h * (mean - v) + push[node][axis];
    }
}
