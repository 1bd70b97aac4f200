//! Derivatives of a run along directions of its parameters, forwards through its steps.
//!
//! A step `F(s_n, s_(n-1), p) = 0` changes to first order by
//!
//! `F_s ds_n = -F_(s-1) ds_(n-1) - F_p dp`
//!
//! where `dp` is the direction. The start gives `ds_0`, and each step one solution for each
//! direction. The cost grows with the number of directions and not with the number of readings,
//! the opposite of the adjoint. So tangents serve sums of squares with many residuals and few
//! parameters, and derivatives of all states along one direction.

use crate::adjoint::{direct, varied};
use crate::error::Error;
use crate::objective::Objective;
use crate::passed::Passed;
use crate::problem::Problem;
use crate::run::Run;
use crate::slopes::Slopes;
use crate::varied::Varied;
use ipcsim::energy::material::Flow;
use ipcsim::math::Vec2;
use ipcsim::time::linear::{Explicit, LinearStep, Omitted, StageMatrix, Variation};

/// Change of a run along a direction of its parameters, to first order.
///
/// Units are the ones of the states, if the direction has the units of the parameters.
#[derive(Clone, Debug)]
pub struct Tangent {
    /// Change of each state, `[steps + 1]`.
    pub states: Vec<Variation>,
    /// Change of the balance of forces on prescribed components at the end of each step.
    pub held: Vec<Vec<Vec2>>,
    /// Change of the readings of objectives, summed over their terms, `[objectives][steps]`.
    pub readings: Vec<Vec<f64>>,
}

/// Change of a run by a change of the parameters of its problem.
///
/// `direction` has one number for each parameter.
///
/// # Errors
/// [`Error`], if a step has no derivative.
pub fn tangent(problem: &Problem, run: &Run, direction: &[f64]) -> Result<Tangent, Error> {
    let directions = [direction.to_vec()];
    let mut found = tangents(problem, run, &[], &directions)?;
    Ok(found.swap_remove(0))
}

/// Changes of a run along some directions, with those of the readings of objectives.
///
/// All directions share one pass through the steps: each costs one solution a step.
///
/// # Errors
/// [`Error`], if a step has no derivative.
pub fn tangents(
    problem: &Problem,
    run: &Run,
    objectives: &[Objective],
    directions: &[Vec<f64>],
) -> Result<Vec<Tangent>, Error> {
    let varied = varied(problem)?;
    let starts = directions.iter();
    let starts = starts.map(|direction| Tangent {
        states: vec![start(problem, &varied, direction)],
        held: vec![problem.no_motion()],
        readings: vec![Vec::new(); objectives.len()],
    });

    let mut found: Vec<Tangent> = starts.collect();
    let mut readings = Vec::new();
    forwards(
        problem,
        run,
        &varied,
        directions,
        |number, passed, to, held| {
            let own = &mut found[number];
            if passed.number == 0 {
                own.states.clear();
                own.held.clear();
            } else {
                // The first direction of a step evaluates what all of them need.
                if number == 0 {
                    readings.clear();
                    for objective in objectives {
                        let weights = objective.factors();
                        readings.push(Reading::of(problem, objective, &weights, passed, &varied)?);
                    }
                }
                for (changes, reading) in own.readings.iter_mut().zip(&readings) {
                    changes.push(reading.change(to, held, &directions[number]));
                }
            }
            own.states.push(to.clone());
            own.held.push(held.to_vec());
            Ok(())
        },
    )?;
    Ok(found)
}

/// A weighted sum of the terms of an objective at the end of a step, to first order.
struct Reading {
    /// Derivatives by the state and by the forces on supports.
    slopes: Slopes,
    /// Derivatives by parameters where the state stays: their numbers, and the derivatives.
    direct: Vec<(usize, f64)>,
}

impl Reading {
    /// The reading with these weights of terms.
    ///
    /// # Errors
    /// [`Error`] of a state at which something touches.
    fn of(
        problem: &Problem,
        objective: &Objective,
        weights: &[f64],
        passed: &Passed,
        varied: &[Varied],
    ) -> Result<Self, Error> {
        let (world, _) = problem.reference();
        let mut own = Vec::new();
        for varied in varied {
            if let Some(number) = varied.whole() {
                own.push((number, direct(problem, objective, weights, passed, varied)?));
            }
        }
        Ok(Self {
            slopes: objective.slopes(world, passed, weights)?,
            direct: own,
        })
    }

    /// Change along a direction of the parameters, by which the state and the balance of forces on prescribed components
    /// change.
    fn change(&self, to: &Variation, held: &[Vec2], direction: &[f64]) -> f64 {
        // Forces on supports, and numbers that states do not have.
        let forces = self.slopes.held.iter().zip(held);
        let forces: f64 = forces.map(|(by, held)| by.dot(held)).sum();
        let direct = self.direct.iter();
        let direct: f64 = direct.map(|(number, by)| by * direction[*number]).sum();
        self.slopes.state.dot(to) + forces + direct
    }
}

/// Derivatives of the readings of objectives by each parameter, `[objectives, steps, terms, parameters]`.
pub type Jacobian = Vec<Vec<Vec<Vec<f64>>>>;

/// Derivatives of all readings of objectives by all parameters, in one pass through the steps.
///
/// Each parameter is one direction. The parts of a derivative are the change of the state, the
/// change of the forces on supports, and the change of masses and places at rest at fixed states.
///
/// # Errors
/// [`Error`], if a step has no derivative.
pub fn jacobian(problem: &Problem, run: &Run, objectives: &[Objective]) -> Result<Jacobian, Error> {
    let varied = varied(problem)?;
    let count = problem.parameters.len();

    // Unit directions, one for each parameter.
    let directions: Vec<Vec<f64>> = (0..count)
        .map(|own| (0..count).map(|k| f64::from(u8::from(k == own))).collect())
        .collect();
    let mut slopes: Jacobian = vec![Vec::new(); objectives.len()];
    let mut readings: Vec<Vec<Reading>> = Vec::new();
    forwards(
        problem,
        run,
        &varied,
        &directions,
        |number, passed, to, held| {
            // No number is read at the start.
            if passed.number == 0 {
                return Ok(());
            }

            // The first direction of a step makes room for all of them.
            if number == 0 {
                readings.clear();
                for (objective, slopes) in objectives.iter().zip(&mut slopes) {
                    let terms = 0..objective.terms();
                    let of_terms = terms.clone().map(|term| {
                        let weights = terms.clone().map(|k| f64::from(u8::from(k == term)));
                        let weights: Vec<f64> = weights.collect();
                        Reading::of(problem, objective, &weights, passed, &varied)
                    });
                    readings.push(of_terms.collect::<Result<_, Error>>()?);
                    slopes.push(vec![vec![0.0; count]; terms.len()]);
                }
            }
            for (slopes, readings) in slopes.iter_mut().zip(&readings) {
                for (slopes, reading) in slopes[passed.number - 1].iter_mut().zip(readings) {
                    slopes[number] = reading.change(to, held, &directions[number]);
                }
            }
            Ok(())
        },
    )?;
    Ok(slopes)
}

/// Change of the first state along a direction of the parameters.
///
/// Places and velocities at the start are numbers of the scene, too.
fn start(problem: &Problem, varied: &[Varied], direction: &[f64]) -> Variation {
    let (world, first) = problem.reference();
    let flows = world.model.flowing() * Flow::NUMBERS;
    let mut start = Variation::zero(first.q.len(), 0, flows);
    for varied in varied {
        let by = varied.whole().map_or(0.0, |number| direction[number]);
        if by != 0.0 {
            start.add(by, &varied.start(first));
        }
    }
    start
}

/// Changes of a run along directions, step by step: `each` sees the number of a direction, the step, and the
/// change of its end and of the balance of forces on prescribed components. Where bodies settle at the start, that is
/// the step 0.
///
/// All directions share the factor of the matrix of each step, and the derivatives of its
/// equations by each parameter.
///
/// # Errors
/// [`Error`], if a step has no derivative, or an error of `each`.
fn forwards(
    problem: &Problem,
    run: &Run,
    varied: &[Varied],
    directions: &[Vec<f64>],
    mut each: impl FnMut(usize, &Passed, &Variation, &[Vec2]) -> Result<(), Error>,
) -> Result<(), Error> {
    let starts = directions.iter();
    let starts = starts.map(|direction| start(problem, varied, direction));
    let mut forwards = Forwards {
        problem,
        varied,
        directions,
        changes: starts.collect(),
        matrix: None,
    };
    if let Some(settling) = run.settling() {
        forwards.step(&settling, &mut each)?;
    }
    for of_segment in run.segments() {
        let states = run.states_from(problem, of_segment)?;
        for step in of_segment..of_segment + states.len() - 1 {
            let passed = run.passed(&states, of_segment, step);
            forwards.step(&passed, &mut each)?;
        }
    }
    Ok(())
}

/// Changes along directions on their way through the steps of a run.
struct Forwards<'a> {
    problem: &'a Problem,
    varied: &'a [Varied],
    directions: &'a [Vec<f64>],
    /// Change of the present state along each direction.
    changes: Vec<Variation>,
    /// Matrix of the step before.
    matrix: Option<StageMatrix>,
}

impl Forwards<'_> {
    /// Takes all changes through a step.
    fn step(
        &mut self,
        passed: &Passed,
        each: &mut impl FnMut(usize, &Passed, &Variation, &[Vec2]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (world, _) = self.problem.reference();
        let equation = passed.equation(world)?;
        let whole = Omitted::default();
        let earlier = self.matrix.take();
        let mut linear = LinearStep::without(&equation, passed.end, whole, earlier)?;
        let impacts = linear.has_impacts();
        let here = equation.values_without_forces(impacts);

        // Parameters, where states stay.
        let zero = here.zero();
        let mut by_parameters = vec![zero.clone(); self.problem.parameters.len()];
        for varied in self.varied {
            let explicit = varied.explicit(&equation, passed, &here, impacts)?;
            varied.put_apart(explicit, &zero, &mut by_parameters);
        }

        // The end of the step along each direction.
        for (number, change) in self.changes.iter_mut().enumerate() {
            let sum = along(&by_parameters, &self.directions[number], &zero);
            let (to, held) = linear.push_forward(change, &sum);
            each(number, passed, &to, &held)?;
            *change = to;
        }
        self.matrix = Some(linear.into_matrix());
        Ok(())
    }
}

/// Change of the equations of a step along a direction of the parameters.
///
/// Parameters whose component is 0 are left out.
fn along(by_parameters: &[Explicit], direction: &[f64], zero: &Explicit) -> Explicit {
    let mut sum = zero.clone();
    let parts = by_parameters.iter().zip(direction);
    for (part, by) in parts.filter(|(_, by)| **by != 0.0) {
        sum.add(*by, part);
    }
    sum
}
