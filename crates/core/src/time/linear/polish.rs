//! Ends of steps at which forces balance to rounding.
//!
//! A solve ends where forces balance within its tolerance. Gradients are those of the exact balance,
//! and differences that check them need it to ten digits. So the end of a step is moved there by the
//! inverse of its linearised equations, a few times: by far less than any gap.
//!
//! A correction solves `[H C^T; C 0] [dq; dl] = -[f; c]` with the matrix of an earlier round: the
//! matrix is renewed only if several rounds have not reached rounding. Rounds end where a
//! correction is no smaller than [`STALLED`] of the one before, which is where rounding of the
//! forces dominates. The size of the last correction is the error that is left, and it is
//! reported.

use super::equation::StepEquation;
use super::linear_step::{LinearStep, Omitted};
use super::refused::Refused;
use crate::body::Configuration;
use crate::solve::StageMatrix;
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_contact::AdaptedPair;
use ipcsim_math::Vec2;

/// Largest number of corrections. Most steps need two or three.
const MOST: usize = 12;
/// Number of corrections after which the equations are linearised anew.
const RENEWED: usize = 6;
/// Correction relative to the one before from which on rounding is reached.
const STALLED: f64 = 0.3;
/// Correction relative to the largest coordinate up to which it is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Share of the smallest gap that a correction may move a vertex by.
const SHARE: f64 = 0.3;

/// Positions do not depend on impacts, which change velocities after them.
const OF_POSITIONS: Omitted = Omitted {
    friction: false,
    contact: false,
    impacts: true,
    start: true,
};

/// A polished end of a step.
///
/// No correction moves a vertex by as much as the smallest gap, so that nothing passes through
/// anything.
pub struct Polished {
    /// The state.
    pub state: State,
    /// Rows of joints whose force is at a bound, see [`StepEquation::slips`].
    pub slips: Vec<i8>,
    /// Largest motion of the last correction (m; of angles rad): the error that is left.
    pub left: f64,
}

/// Moves the `end` of a step from `start`, in which these pairs have `adapted` barriers, to where forces
/// balance to rounding. `matrix` comes from another step, and becomes the one of this step.
///
/// # Errors
/// [`Refused`] if the step has no derivative, or corrections are too large.
pub fn polish(
    world: &World,
    start: &State,
    end: State,
    adapted: &[AdaptedPair],
    matrix: &mut Option<StageMatrix>,
) -> Result<Polished, Refused> {
    let mut state = end;
    let forces = &state.memory.multipliers;
    let mut equation = StepEquation::new(world, start, adapted, forces, state.q.clone())?;
    let mut linear = LinearStep::without(&equation, &state, OF_POSITIONS, matrix.take())?;
    let mut last = f64::INFINITY;
    for round in 0..MOST {
        if round > 0 && round % RENEWED == 0 {
            let earlier = Some(linear.into_matrix());
            linear = LinearStep::without(&equation, &state, OF_POSITIONS, earlier)?;
        }

        // A correction; one that is not small against gaps means that the solve has stopped too
        // early.
        let values = equation.balance();
        let (way, forces) = linear.correction(&values);
        let size = way.iter().map(Vec2::amax).fold(0.0, f64::max);
        if !size.is_finite() || size > SHARE * equation.iterate.contacts.min_gap {
            return Err(Refused::Step {
                step: state.step,
                reason: "its solve has not come near to the balance of forces, or many contacts are about to slide; lower solver.tolerance or time.step",
            });
        }
        if size >= STALLED * last {
            break;
        }

        // The equations there, with the corrected forces of joints.
        let mut q = state.q.clone();
        for (q, way) in q.iter_mut().zip(&way) {
            *q += way;
        }
        for (force, change) in state.memory.multipliers.iter_mut().zip(&forces) {
            *force += change;
        }
        state = moved(world, state, q);
        equation = equation.moved(&state.memory.multipliers, state.q.clone())?;
        last = size;
        let largest = state.q.iter().map(Vec2::amax).fold(0.0, f64::max);
        if size <= ROUNDING * largest {
            break;
        }
    }

    // Velocities, forces and anchors of the final coordinates.
    *matrix = Some(linear.into_matrix());
    let slips = equation.slips();
    let state = settled(world, &equation, state);
    Ok(Polished {
        state,
        slips,
        left: last,
    })
}

/// The end of a step with other coordinates.
///
/// Velocities stay: `settled` sets them once coordinates are final.
fn moved(world: &World, end: State, q: Vec<Vec2>) -> State {
    let coordinates = &world.model.coordinates;
    let at = Configuration::of(coordinates, q);
    let q_dot = end.q_dot;
    State {
        step: end.step,
        time: end.time,
        memory: end.memory,
        parameters: end.parameters,
        ..State::new(coordinates, at.q, q_dot)
    }
}

/// The end of a step with the forces of joints, turns and anchors of its coordinates.
fn settled(world: &World, equation: &StepEquation, end: State) -> State {
    let mut end = end;
    let at = &equation.iterate.at;
    let potential = equation.potential();
    let (q_dot, _) = equation.velocities();
    let coordinates = &world.model.coordinates;
    coordinates.displacements(at, &q_dot, &mut end.v);
    end.q_dot = q_dot;
    end.memory.multipliers = potential.constraints.forces(&at.x);
    if !end.memory.turned.is_empty() {
        let count = world.model.joints.len();
        end.memory.turned = potential.constraints.turned(count);
    }
    end.memory.options.plasticity.flowed = equation.flow();
    if equation.table.sticks {
        let y = potential.tangent_positions(at);
        let anchors = potential.friction.anchors(&world.model.surface, &y);
        end.memory.options.sticking.anchors = anchors;
    }
    end
}
