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
use crate::varied::Varied;
use ipcsim::energy::material::Flow;
use ipcsim::math::Vec2;
use ipcsim::time::linear::{Explicit, LinearStep, Omitted, StageMatrix, Variation};

/// Change of a run to first order.
///
/// Units are the ones of the states, if the direction has the units of the parameters.
#[derive(Clone, Debug)]
pub struct Tangent {
    /// Change of each state, `[steps + 1]`.
    pub states: Vec<Variation>,
    /// Change of the balance of forces on prescribed components at the end of each step.
    pub held: Vec<Vec<Vec2>>,
}

/// Change of a run by a change of the parameters of its problem.
///
/// `direction` has one number for each parameter.
///
/// # Errors
/// [`Error`], if a step has no derivative.
pub fn tangent(problem: &Problem, run: &Run, direction: &[f64]) -> Result<Tangent, Error> {
    let varied = varied(problem)?;
    let mut found = Tangent {
        states: vec![start(problem, &varied, direction)],
        held: vec![problem.no_motion()],
    };
    let directions = [direction.to_vec()];
    forwards(problem, run, &varied, &directions, |_, passed, to, held| {
        if passed.number == 0 {
            found.states.clear();
            found.held.clear();
        }
        found.states.push(to.clone());
        found.held.push(held.to_vec());
        Ok(())
    })?;
    Ok(found)
}

/// Change of a run by a change of the parameters of its problem, and of the readings of objectives,
/// `[objectives][steps]`.
///
/// The readings come from the derivatives by all parameters, so that this costs one direction for
/// each parameter and one more.
///
/// # Errors
/// [`Error`], if a step has no derivative.
pub fn tangent_of_readings(
    problem: &Problem,
    run: &Run,
    objectives: &[Objective],
    direction: &[f64],
) -> Result<(Tangent, Vec<Vec<f64>>), Error> {
    let change = tangent(problem, run, direction)?;
    if objectives.is_empty() {
        return Ok((change, Vec::new()));
    }

    // Readings, from their derivatives by all parameters.
    let slopes = jacobian(problem, run, objectives)?;
    let along = |by: &[f64]| -> f64 { by.iter().zip(direction).map(|(by, d)| by * d).sum() };
    let mut series = Vec::new();
    for (objective, of_steps) in objectives.iter().zip(&slopes) {
        let factors = objective.factors();
        let sums = of_steps.iter().map(|of_terms| {
            let both = factors.iter().zip(of_terms);
            both.map(|(factor, by)| factor * along(by)).sum()
        });
        series.push(sums.collect());
    }
    Ok((change, series))
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
    let (world, _) = problem.reference();
    let count = problem.parameters.len();

    // Unit directions, one for each parameter.
    let directions: Vec<Vec<f64>> = (0..count)
        .map(|own| (0..count).map(|k| f64::from(u8::from(k == own))).collect())
        .collect();
    let mut slopes: Jacobian = vec![Vec::new(); objectives.len()];
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
            for (objective, slopes) in objectives.iter().zip(&mut slopes) {
                // The first direction of a step makes room for all of them.
                let terms = objective.terms();
                if number == 0 {
                    slopes.push(vec![vec![0.0; count]; terms]);
                }
                for term in 0..terms {
                    let mut weights = vec![0.0; terms];
                    weights[term] = 1.0;
                    let by = objective.slopes(world, passed, &weights)?;
                    let forces = by.held.iter().zip(held);
                    let forces: f64 = forces.map(|(by, held)| by.dot(held)).sum();
                    let whole = varied.iter().find(|varied| varied.whole() == Some(number));
                    let own = whole.map_or(Ok(0.0), |varied| {
                        direct(problem, objective, &weights, passed, varied)
                    })?;
                    slopes[passed.number - 1][term][number] = by.state.dot(to) + forces + own;
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
