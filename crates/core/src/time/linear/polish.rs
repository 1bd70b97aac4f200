//! Ends of steps at which forces balance to rounding.
//!
//! A solve ends where forces balance within its tolerance. Gradients are those of the exact balance,
//! and differences that check them need it to ten digits. So the end of a step is moved there by the
//! inverse of its linearised equations, a few times: by far less than any gap.
//!
//! A correction solves `[H C^T; C 0] [dq; dl] = -[f; c]` with the matrix of an earlier state, as long as each
//! correction is at most [`STALLED`] of the one before. Friction has kinks where contacts begin to slide, and a
//! solve may have ended with the friction of an earlier state. So a correction is taken only as far as the next
//! one, by the same matrix, is shorter by a quarter of that share (natural monotonicity test, Deuflhard, "Newton
//! Methods for Nonlinear Problems", section 3.3): friction that changes its side within a part of a correction is
//! found there. Corrections end where rounding of the forces makes them no shorter. The size of the last one is
//! the error that is left, and it is reported.

use super::equation::{Course, Place, StepEquation};
use super::linear_step::{LinearStep, Omitted};
use super::refused::Refused;
use crate::solve::StageMatrix;
use crate::time::state::State;
use crate::time::world::World;
use crate::tuning::PATH_CONTRACTION;
use ipcsim_contact::AdaptedPair;
use ipcsim_math::Vec2;

/// Largest number of corrections and shares of them that are tried. Most steps need two or three, those in which
/// contacts begin to slide up to fifty.
const MOST: usize = 200;
/// Correction relative to the one before from which on the equations are linearised anew.
const STALLED: f64 = 0.3;
/// Correction relative to the largest coordinate up to which it is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Correction relative to the largest coordinate up to which one that is not much shorter is rounding of forces.
const OF_FORCES: f64 = 1e-10;
/// Least share of a correction that is tried.
const LEAST: f64 = 1e-6;
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
    let mut equation = StepEquation::new(world, start, adapted, &state)?;
    let mut linear = LinearStep::without(&equation, &state, OF_POSITIONS, matrix.take())?;

    // Corrections until one is within rounding.
    let mut correction = Correction::of(&mut linear, &equation);
    let mut is_fresh = true;
    let mut share: f64 = 1.0;
    let mut rounds = 0;
    loop {
        // A correction within rounding ends it.
        let size = correction.size;
        let largest = state.q.iter().map(Vec2::amax).fold(0.0, f64::max);
        if size <= ROUNDING * largest {
            break;
        }

        // As much of it as gaps allow.
        let room = SHARE * equation.iterate.contacts.min_gap / size;
        share = share.min(room);
        rounds += 1;
        if !size.is_finite() || share < LEAST || rounds > MOST {
            return Err(Refused::Step {
                step: state.step,
                reason: "its solve has not come near to the balance of forces; lower solver.tolerance or time.step",
            });
        }

        // The equations where a share of it leads, and the next correction by the same matrix.
        let place = correction.from(&state, share);
        let there = equation.moved(place)?;
        let next = Correction::of(&mut linear, &there);
        let ratio = next.length / correction.length;

        // It is taken if the next one is shorter, and the last one if forces are within rounding.
        let is_rounding = ratio > STALLED && size <= OF_FORCES * largest;
        let is_shorter = ratio <= 1.0 - PATH_CONTRACTION * share;
        if is_shorter || is_rounding {
            equation = there;
            state = equation.end(state);
            share = (2.0 * share).min(1.0);
        }
        if is_rounding {
            break;
        }

        // Linearised anew where the matrix is not good enough any more, and else a shorter share.
        if is_shorter && ratio <= STALLED {
            correction = next;
            is_fresh = false;
        } else if is_shorter || !is_fresh {
            let earlier = Some(linear.into_matrix());
            linear = LinearStep::without(&equation, &state, OF_POSITIONS, earlier)?;
            correction = Correction::of(&mut linear, &equation);
            is_fresh = true;
        } else {
            share *= 0.5;
        }
    }

    // Velocities, forces and anchors of the final coordinates.
    *matrix = Some(linear.into_matrix());
    let slips = equation.slips();
    let state = settled(world, &equation, state);
    Ok(Polished {
        state,
        slips,
        left: correction.size,
    })
}

/// One step of Newton's method towards the balance of forces.
struct Correction {
    /// Change of coordinates, `[nodes]`.
    way: Vec<Vec2>,
    /// Change of the forces of joints (N), `[rows]`.
    forces: Vec<Vec2>,
    /// Change of the load time of a path (s).
    time: f64,
    /// Largest change of a coordinate (m; of angles rad).
    size: f64,
    /// Root of the sum of the squares of all changes of coordinates (m).
    length: f64,
}

impl Correction {
    /// The correction by a matrix where the equations are evaluated.
    fn of(linear: &mut LinearStep, equation: &StepEquation) -> Self {
        let (way, forces, time) = linear.correction(&equation.balance());
        // An undefined coordinate must not hide among others.
        let is_finite = way.iter().all(|way| (way.x + way.y).is_finite());
        let size = way.iter().map(Vec2::amax).fold(0.0, f64::max);
        let squares: f64 = way.iter().map(Vec2::norm_squared).sum();
        Self {
            way,
            forces,
            time,
            size: if is_finite { size } else { f64::INFINITY },
            length: squares.sqrt(),
        }
    }

    /// The place at a share of the correction of a state.
    fn from(&self, state: &State, share: f64) -> Place {
        let along = |(from, way): (&Vec2, &Vec2)| from + way * share;
        let q = state.q.iter().zip(&self.way).map(along).collect();
        let forces = state.memory.multipliers.iter().zip(&self.forces);
        Place {
            q,
            forces: forces.map(along).collect(),
            time: state.time + share * self.time,
            step: state.step,
        }
    }
}

impl StepEquation<'_> {
    /// The end of a step at the place of its equations.
    ///
    /// Velocities stay: `settled` sets them once coordinates are final.
    fn end(&self, end: State) -> State {
        let coordinates = &self.world.model.coordinates;
        let mut memory = end.memory;
        memory
            .multipliers
            .clone_from(&self.start.memory.multipliers);
        let time = if matches!(self.course, Course::Path(_)) {
            self.stage.end
        } else {
            end.time
        };
        let gained = &mut memory.options.arc_length.gained;
        *gained = gained.map(|_| time - self.start.time);
        State {
            step: end.step,
            time,
            memory,
            parameters: end.parameters,
            ..State::new(coordinates, self.iterate.at.q.clone(), end.q_dot)
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Solver;
    use crate::time::step;
    use crate::time::testing::{RADIUS, circles};

    #[test]
    fn the_balance_is_found_from_ends_that_have_slid_too_far() {
        // Two circles that rub at each other and at the ground, one step.
        let places = [[0.0, RADIUS + 0.004], [0.15, 0.24]];
        let (world, mut start) = circles(&places, true, 0.5);
        start.q_dot[0].x = 0.1;
        let mut end = start.clone();

        let mut solver: Solver = world.solver();
        let report = step(&world, &mut solver, &mut end).unwrap().report;
        let exact = polish(&world, &start, end, &report.adapted, &mut None).unwrap();

        // From farther than friction needs to change its side, the same balance.
        let coordinates = &world.model.coordinates;
        for far in [1e-6, 1e-5, 1e-4, -1e-4] {
            let mut q = exact.state.q.clone();
            q[0].x += far;
            q[2].x -= 0.5 * far;
            q[1].x += far / RADIUS;

            let there = State {
                step: exact.state.step,
                time: exact.state.time,
                memory: exact.state.memory.clone(),
                parameters: exact.state.parameters.clone(),
                ..State::new(coordinates, q, exact.state.q_dot.clone())
            };
            let found = polish(&world, &start, there, &report.adapted, &mut None).unwrap();
            for (found, exact) in found.state.q.iter().zip(&exact.state.q) {
                assert!((found - exact).amax() < 1e-12, "{far}: {found} {exact}");
            }
        }
    }
}
