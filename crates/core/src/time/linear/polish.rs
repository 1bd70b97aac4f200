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
//! found there. Corrections end where rounding of the forces, or a kink at the balance itself, makes them no
//! shorter. The size of the last one is the error that is left, and it is reported.

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
/// Correction relative to the smallest gap that may be left where the balance is at a kink, as of a motor that just reaches
/// its bound: neither side of it has a shorter one.
const AT_KINK: f64 = 1e-5;
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
    let mut here = Here::new(world, start, end, adapted, matrix.take())?;
    let mut rounds = 0;
    while !here.ends(rounds)? {
        let (next, is_last) = here.corrected()?;
        here = next;
        rounds += 1;
        if is_last {
            break;
        }
    }

    // Velocities, forces and anchors of the final coordinates.
    let Here {
        state,
        equation,
        linear,
        correction,
        ..
    } = here;
    *matrix = Some(linear.into_matrix());
    let slips = equation.slips();
    let state = settled(world, &equation, state);
    Ok(Polished {
        state,
        slips,
        left: correction.size,
    })
}

/// A state on the way to the balance of forces.
struct Here<'a> {
    /// The state.
    state: State,
    /// The equations there.
    equation: StepEquation<'a>,
    /// Their derivatives, or those at a state before.
    linear: LinearStep,
    /// The next correction.
    correction: Correction,
    /// True if the derivatives are of this state.
    is_fresh: bool,
    /// Share of the correction that is tried next.
    share: f64,
}

impl<'a> Here<'a> {
    /// The end of a step, with the matrix of another one.
    ///
    /// # Errors
    /// [`Refused`] if it has no derivative.
    fn new(
        world: &'a World,
        start: &State,
        end: State,
        adapted: &[AdaptedPair],
        matrix: Option<StageMatrix>,
    ) -> Result<Self, Refused> {
        let equation = StepEquation::new(world, start, adapted, &end)?;
        Self::at(equation, end, matrix)
    }

    /// A state with the derivatives of its equations.
    ///
    /// # Errors
    /// [`Refused`] if they have none.
    fn at(
        equation: StepEquation<'a>,
        state: State,
        matrix: Option<StageMatrix>,
    ) -> Result<Self, Refused> {
        let mut linear = LinearStep::without(&equation, &state, OF_POSITIONS, matrix)?;
        let correction = Correction::of(&mut linear, &equation);
        Ok(Self {
            state,
            equation,
            linear,
            correction,
            is_fresh: true,
            share: 1.0,
        })
    }

    /// True if the next correction is within rounding, or no part of it helps at a kink; takes as much of it as gaps
    /// allow.
    ///
    /// # Errors
    /// [`Refused::Step`] if it is neither short nor of any help.
    fn ends(&mut self, rounds: usize) -> Result<bool, Refused> {
        let size = self.correction.size;
        let largest = self.largest();
        let gap = self.equation.iterate.contacts.min_gap;
        if size <= ROUNDING * largest {
            return Ok(true);
        }

        self.share = self.share.min(SHARE * gap / size);
        let is_stuck = self.share < LEAST || rounds >= MOST;
        if is_stuck && size <= AT_KINK * gap.min(largest) {
            return Ok(true);
        }
        if is_stuck || !size.is_finite() {
            return Err(Refused::Step {
                step: self.state.step,
                reason: "its solve has not come near to the balance of forces; lower solver.tolerance or time.step",
            });
        }
        Ok(false)
    }

    /// Largest coordinate (m; of angles rad).
    fn largest(&self) -> f64 {
        self.state.q.iter().map(Vec2::amax).fold(0.0, f64::max)
    }

    /// The state after a share of the correction, and true if it is the last one. If the share does not help, the same
    /// state with new derivatives, one past a kink, or the same with a shorter share.
    ///
    /// # Errors
    /// [`Refused`] if equations have no derivative there.
    fn corrected(mut self) -> Result<(Self, bool), Refused> {
        // The equations where the share leads, and the next correction by the same matrix.
        let there = self.correction.from(&self.state, self.share);
        let there = self.equation.moved(there)?;
        let next = Correction::of(&mut self.linear, &there);
        let ratio = next.length / self.correction.length;

        // It is taken if the next one is shorter, and the last one if forces are within rounding.
        let is_rounding = ratio > STALLED && self.correction.size <= OF_FORCES * self.largest();
        let is_shorter = ratio <= 1.0 - PATH_CONTRACTION * self.share;
        if is_shorter || is_rounding {
            self.state = there.end(self.state);
            self.equation = there;
            self.share = (2.0 * self.share).min(1.0);
            if is_rounding {
                return Ok((self, true));
            }
            if ratio > STALLED {
                return Ok((self.renewed()?, false));
            }
            self.correction = next;
            self.is_fresh = false;
            return Ok((self, false));
        }
        if !self.is_fresh {
            return Ok((self.renewed()?, false));
        }
        if self.share >= 1.0
            && let Some(past) = self.past_kink(there)
        {
            return Ok((past, false));
        }
        self.share *= 0.5;
        Ok((self, false))
    }

    /// The same state with the derivatives of its equations.
    ///
    /// # Errors
    /// [`Refused`] if they have none.
    fn renewed(self) -> Result<Self, Refused> {
        let matrix = Some(self.linear.into_matrix());
        let here = Self::at(self.equation, self.state, matrix)?;
        Ok(Self {
            share: self.share,
            ..here
        })
    }

    /// The end `there` of a whole correction, if the next one by the matrix there is shorter. It leads past a kink then, as
    /// where a motor reaches its bound: derivatives on this side tell nothing about the other one.
    fn past_kink(&self, there: StepEquation<'a>) -> Option<Self> {
        let state = there.end(self.state.clone());
        let past = Self::at(there, state, None).ok()?;
        let most = (1.0 - PATH_CONTRACTION) * self.correction.length;
        (past.correction.length <= most).then_some(past)
    }
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
