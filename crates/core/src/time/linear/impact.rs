//! Velocities after impacts, to first order.
//!
//! Impacts change velocities after the positions of a step are found, by a small problem of contacts
//! that hit ([`restitution`](crate::time::options::restitution)). Its solution is a smooth function as
//! long as the same contacts hit, stick and slide. Its derivatives by the coordinates and velocities of
//! the bodies that contacts connect are differences of order 4 of it.
//!
//! The velocities after an impact are `v = V(q, q_0, v_0, s_0, l)`, with the coordinates at the end,
//! coordinates and velocities at the start, the slip `s_0` of anchors there, and the forces `l` of motors,
//! which push through an impact. Friction and motors count, since their impulses in the step are taken
//! back before an impact gives them anew. `V` reflects contacts, keeps joints closed and obeys
//! Coulomb's law, and a derivative by hand would repeat each branch of it. Differences cost four
//! evaluations for each input, so that the number of inputs is limited.
//!
//! The quotient is `sum_k w_k V(z + k h) / h` with the weights of order 4. A point at which
//! another number of contacts is found has left the branch, and the difference is narrowed.

use super::equation::StepEquation;
use super::joint_rows::Row;
use super::refused::Refused;
use super::variation::Variation;
use crate::body::BodyKind;
use crate::constraint::ConstraintAction;
use crate::solve::FrictionSlope;
use crate::time::state::State;
use ipcsim_math::{Vec2, parallel};

/// Largest number of components of connected bodies: differences need four evaluations of each.
const MOST: usize = 400;
/// Share of the least reach of contacts by which coordinates differ.
const SHARE: f64 = 1e-3;
/// Number of times that a difference is narrowed, where contacts begin or end near by.
const NARROWED: usize = 8;
/// Factor by which a difference is narrowed: the widest smooth one has the least rounding.
const NARROWER: f64 = 0.3;
/// Curvature of velocities over a difference, relative to their slope, from which on it has a kink.
const BENT: f64 = 0.3;
/// Growth of slopes where a difference is narrowed, from which on it is over a jump.
const LEAST_JUMP: f64 = 1.8;
/// Accuracy of velocities after impacts, relative to the largest one.
const NOISE: f64 = 1e-8;
/// Share of the largest velocity by which velocities differ.
const FASTER: f64 = 1e-3;

/// Number of inputs of a task for one thread.
const TASK: usize = 4;

/// Velocities after impacts, to first order.
#[derive(Debug, Default)]
pub(super) struct Impact {
    /// Components (node, axis) whose velocity impacts have changed.
    pub(super) changed: Vec<(usize, usize)>,
    /// Their velocities after the impacts.
    after: Vec<f64>,
    /// Components that these depend on.
    inputs: Vec<(usize, usize)>,
    /// Derivatives of each changed velocity by the inputs: coordinates at the end, coordinates and
    /// velocities at the start, `[3, inputs, changed]`.
    by: [Vec<f64>; 3],
    /// Numbers of the equations of motors, on whose forces changed velocities depend.
    motors: Vec<usize>,
    /// Derivatives of each changed velocity by these forces, `[motors, changed]`.
    by_forces: Vec<f64>,
    /// Derivatives of each changed velocity by the slip of each anchor at the start, `[anchors, changed]`.
    by_anchors: Vec<f64>,
    /// Number of inputs by which velocities have a kink.
    pub(super) kinks: usize,
}

/// Difference quotients by one input.
///
/// Values are of order 4 where velocities are smooth.
struct Quotients {
    /// Of each changed velocity.
    values: Vec<f64>,
    /// False if slopes of both sides differ.
    is_smooth: bool,
}

/// Largest size of some numbers.
fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// True if a joint is a rope or has limits.
///
/// A rope that is taut, and an arm that rests on its limit, stay so in a run near by. The mean of both sides of
/// their kink would be half wrong.
fn have_stops(equation: &StepEquation) -> bool {
    let mut rows = equation.joints.iter().flat_map(|joint| &joint.rows);
    rows.any(|row| {
        matches!(
            row.action,
            ConstraintAction::Taut | ConstraintAction::Limited(_)
        )
    })
}

/// What a difference varies.
///
/// Velocities after an impact are a function of all of these, which vary one by one.
#[derive(Clone, Copy)]
enum Input {
    /// A component of the coordinates at the end (0), or of coordinates (1) or velocities (2) at the start.
    Of(usize, (usize, usize)),
    /// A component of the force of a row of joints.
    Force((usize, usize)),
    /// Slip of an anchor at the start.
    Slip(usize),
}

impl Impact {
    /// Impacts of a step, if velocities are not those of its displacement.
    ///
    /// Inputs are all components of rigid and affine bodies, which contacts connect, and the
    /// components that have changed.
    ///
    /// # Errors
    /// [`Refused`] if the integrator looks back to the velocities before, or if more than [`MOST`]
    /// components are connected.
    pub(super) fn of(
        equation: &StepEquation,
        end: &State,
        rows: &[Row],
        friction: &[FrictionSlope],
    ) -> Result<Self, Refused> {
        let step = end.step;

        // Components whose velocity is not the one of the displacement, to the bit.
        let plain = equation.stage.velocity(&end.q);
        let (after, struck) = equation.velocities();
        let components = (0..plain.len()).flat_map(|node| [(node, 0), (node, 1)]);
        let changed: Vec<(usize, usize)> = components
            .filter(|&(node, axis)| plain[node][axis].to_bits() != after[node][axis].to_bits())
            .collect();
        if changed.is_empty() {
            return Ok(Self::default());
        }
        let refused = |reason| Refused::Step { step, reason };
        let world = equation.world;
        if struck && world.integrator.mixes_velocities() {
            let reason =
                "an impact rewrites the past that its integrator looks back to; use implicit_euler";
            return Err(refused(reason));
        }

        // Components that the impacts may depend on.
        let mut inputs = Vec::new();
        for body in &world.bodies {
            if !body.kind.is_soft() {
                let components = body.nodes.clone().flat_map(|node| [(node, 0), (node, 1)]);

                // The node of an angle has one component.
                let is_angle =
                    |node: usize| body.kind == BodyKind::Rigid && node > body.nodes.start;
                inputs.extend(components.filter(|&(node, axis)| axis == 0 || !is_angle(node)));
            }
        }
        inputs.extend(changed.iter().copied());
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.len() > MOST {
            return Err(refused("an impact connects too many bodies"));
        }

        // Equations of motors; the force of a closed joint follows from its impulse.
        let of_joints = equation.joints.iter().flat_map(|joint| &joint.rows);
        let is_closed: Vec<bool> = of_joints
            .map(|row| row.action == ConstraintAction::Closed)
            .collect();
        let numbered = rows.iter().enumerate();
        let motors = numbered.filter(|(_, row)| !is_closed[row.place.0]);
        let mut impact = Self {
            after: changed
                .iter()
                .map(|&(node, axis)| after[node][axis])
                .collect(),
            changed,
            inputs,
            motors: motors.map(|(number, _)| number).collect(),
            ..Self::default()
        };
        impact.differ(equation, rows)?;
        impact.differ_by_slip(equation, friction)?;
        Ok(impact)
    }

    /// Finds the derivatives.
    ///
    /// Coordinates differ by a share of the least reach, velocities by a share of the largest
    /// velocity, or of the speed that crosses that distance in a step.
    ///
    /// # Errors
    /// [`Refused`] if contacts begin or end even at the narrowest difference.
    fn differ(&mut self, equation: &StepEquation, rows: &[Row]) -> Result<(), Refused> {
        let surface = &equation.world.model.surface;
        let reach = surface.least_d_hat() * SHARE;
        let start = &equation.start;
        let fastest = start.q_dot.iter().map(Vec2::amax).fold(0.0, f64::max);
        let faster = FASTER * fastest.max(reach / equation.world.h);
        for which in 0..3 {
            let step = if which == 2 { faster } else { reach };
            let inputs = self.inputs.iter();
            let inputs: Vec<_> = inputs
                .map(|&place| (Input::Of(which, place), step))
                .collect();
            self.by[which] = self.all(equation, &inputs)?;
        }

        // Forces differ by a share of the force of their row.
        let motors = self.motors.iter().map(|&motor| {
            let place = rows[motor].place;
            let force = start.memory.multipliers[place.0][place.1];
            let size = if force == 0.0 { 1.0 } else { force.abs() };
            (Input::Force(place), SHARE * size)
        });

        let motors: Vec<_> = motors.collect();
        self.by_forces = self.all(equation, &motors)?;
        Ok(())
    }

    /// Finds the derivatives by the slip of anchors, which differ by a share of the least slip at which
    /// friction is fully developed.
    fn differ_by_slip(
        &mut self,
        equation: &StepEquation,
        friction: &[FrictionSlope],
    ) -> Result<(), Refused> {
        let developed = friction.iter().map(|contact| contact.slid[1]);
        let least = developed.fold(f64::INFINITY, f64::min);
        if !least.is_finite() {
            return Ok(());
        }

        let count = equation.start.memory.options.sticking.anchors.len();
        let anchors: Vec<_> = (0..count)
            .map(|anchor| (Input::Slip(anchor), SHARE * least))
            .collect();
        self.by_anchors = self.all(equation, &anchors)?;
        Ok(())
    }

    /// Difference quotients of the changed velocities by inputs that differ by steps, one after the other.
    /// The result is `[inputs, changed]`.
    ///
    /// They share nothing, and are found next to each other on all threads.
    fn all(
        &mut self,
        equation: &StepEquation,
        inputs: &[(Input, f64)],
    ) -> Result<Vec<f64>, Refused> {
        let none = |_| Ok((Vec::new(), false));
        let mut columns: Vec<Result<(Vec<f64>, bool), Refused>> = inputs.iter().map(none).collect();
        parallel::chunks(&mut columns, TASK, |first, part| {
            for (column, &(input, step)) in part.iter_mut().zip(&inputs[first..]) {
                *column = self.narrowed(equation, input, step);
            }
        });

        // The first one that has no derivative ends all.
        let columns = columns.into_iter().collect::<Result<Vec<_>, _>>()?;
        self.kinks += columns.iter().filter(|(_, is_kink)| *is_kink).count();
        Ok(columns.into_iter().flat_map(|(values, _)| values).collect())
    }

    /// Difference quotients with a step that is narrowed as far as the same contacts hit, stick and slide; and
    /// true for the mean of both sides of a kink, where others do however narrow it is.
    ///
    /// # Errors
    /// [`Refused`] at a jump, and at a kink of ropes and limits, which stay where they are on one side.
    fn narrowed(
        &self,
        equation: &StepEquation,
        input: Input,
        step: f64,
    ) -> Result<(Vec<f64>, bool), Refused> {
        let mut step = step;
        let mut bent: Vec<Quotients> = Vec::new();
        for _ in 0..=NARROWED {
            match self.quotients(equation, input, step)? {
                Some(found) if found.is_smooth => return Ok((found.values, false)),
                Some(found) => bent.push(found),
                None => bent.clear(),
            }
            step *= NARROWER;
        }

        // As the step is narrowed, the slope of a kink stays, and the slope of a jump grows.
        let stays = |pair: &[Quotients]| size(&pair[1].values) < LEAST_JUMP * size(&pair[0].values);
        let is_kink = bent.len() > 1 && bent.windows(2).all(stays);
        if is_kink && !have_stops(equation) {
            let middle = bent.len() / 2;
            return Ok((bent.swap_remove(middle).values, true));
        }
        Err(Refused::Step {
            step: equation.start.step + 1,
            reason: "contacts, ropes or limits of an impact begin to act just there",
        })
    }

    /// Difference quotients of the changed velocities by one input; `None` if other contacts are near.
    fn quotients(
        &self,
        equation: &StepEquation,
        input: Input,
        step: f64,
    ) -> Result<Option<Quotients>, Refused> {
        const POINTS: [(f64, f64); 4] = [
            (1.0, 8.0 / 12.0),
            (-1.0, -8.0 / 12.0),
            (2.0, -1.0 / 12.0),
            (-2.0, 1.0 / 12.0),
        ];

        // Each point is a full evaluation of the impacts.
        let contacts = equation.iterate.contacts.len();
        let mut sums = vec![0.0; self.changed.len()];
        let mut bent = vec![0.0; self.changed.len()];
        for (far, weight) in POINTS {
            let mut q = equation.iterate.at.q.clone();
            let mut from = equation.start.clone();
            let memory = &mut from.memory;
            let number = match input {
                Input::Of(0, (node, axis)) => &mut q[node][axis],
                Input::Of(1, (node, axis)) => &mut from.q[node][axis],
                Input::Of(_, (node, axis)) => &mut from.q_dot[node][axis],
                Input::Force((row, axis)) => &mut memory.multipliers[row][axis],
                Input::Slip(anchor) => &mut memory.options.sticking.anchors[anchor].slip,
            };
            *number += far * step;
            let there = equation.again(from, q)?;
            if there.iterate.contacts.len() != contacts {
                return Ok(None);
            }
            let (after, _) = there.velocities();
            let outputs = self.changed.iter().zip(&self.after);
            for (k, (&(node, axis), here)) in outputs.enumerate() {
                sums[k] += weight / step * after[node][axis];
                bent[k] += (after[node][axis] - here) / step;
            }
        }

        // Where it is smooth, all four points together add up to almost nothing.
        let speeds = equation.start.q_dot.iter().map(Vec2::amax);
        let fastest = speeds.fold(size(&self.after), f64::max);
        let unit = match input {
            Input::Of(0 | 1, _) => 1.0 / equation.world.h,
            Input::Of(..) => 1.0,
            Input::Force(_) | Input::Slip(_) => 0.0,
        };

        // Velocities are differences of coordinates, with the rounding of these.
        let largest = equation.start.q.iter().map(Vec2::amax).fold(0.0, f64::max);
        let rounding = 8.0 * f64::EPSILON * largest / equation.world.h;
        let noise = (NOISE * fastest + rounding) / step + NOISE * unit;
        let is_smooth = size(&bent) <= BENT * size(&sums) + noise;
        Ok(Some(Quotients {
            values: sums,
            is_smooth,
        }))
    }

    /// Changes of the changed velocities by changes of the coordinates at the end, of the start, and of the
    /// forces of all equations of joints (N).
    pub(super) fn times(&self, q: &[Vec2], from: &Variation, forces: &[f64]) -> Vec<f64> {
        let count = self.changed.len();
        let mut out = vec![0.0; count];
        if count == 0 {
            return out;
        }
        for (by, field) in self.by.iter().zip([q, &from.q, &from.q_dot]) {
            for (by, &(node, axis)) in by.chunks_exact(count).zip(&self.inputs) {
                for (out, by) in out.iter_mut().zip(by) {
                    *out += by * field[node][axis];
                }
            }
        }
        for (by, &motor) in self.by_forces.chunks_exact(count).zip(&self.motors) {
            for (out, by) in out.iter_mut().zip(by) {
                *out += by * forces[motor];
            }
        }

        for (by, slip) in self.by_anchors.chunks_exact(count).zip(&from.anchors) {
            for (out, by) in out.iter_mut().zip(by) {
                *out += by * slip;
            }
        }
        out
    }

    /// Adds the transposed of [`Impact::times`].
    pub(super) fn add_transposed(
        &self,
        by_velocity: &[f64],
        q: &mut [Vec2],
        from: &mut Variation,
        forces: &mut [f64],
    ) {
        let count = self.changed.len();
        if count == 0 {
            return;
        }
        let fields = [q, &mut from.q[..], &mut from.q_dot[..]];
        for (by, field) in self.by.iter().zip(fields) {
            for (by, &(node, axis)) in by.chunks_exact(count).zip(&self.inputs) {
                let parts = by.iter().zip(by_velocity);
                field[node][axis] += parts.map(|(by, v)| by * v).sum::<f64>();
            }
        }
        for (by, &motor) in self.by_forces.chunks_exact(count).zip(&self.motors) {
            let parts = by.iter().zip(by_velocity);
            forces[motor] += parts.map(|(by, v)| by * v).sum::<f64>();
        }
        for (by, slip) in self.by_anchors.chunks_exact(count).zip(&mut from.anchors) {
            let parts = by.iter().zip(by_velocity);
            *slip += parts.map(|(by, v)| by * v).sum::<f64>();
        }
    }
}
