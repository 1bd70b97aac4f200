//! Gradients of numbers of a run, backwards through its steps.

use crate::error::Error;
use crate::objective::Objective;
use crate::problem::Problem;
use crate::run::Run;
use crate::varied::{Varied, at_state};
use ipcsim::math::Vec2;
use ipcsim::time::linear::{LinearStep, Omitted, StepEquation, Variation};

/// Derivatives of some numbers by states and by the forces on supports, `[steps + 1]`.
#[derive(Clone, Debug)]
pub struct Cotangents {
    /// By the state at the end of each step; the first one is the start.
    pub states: Vec<Variation>,
    /// By the balance of forces on prescribed components at the end of each step.
    pub held: Vec<Vec<Vec2>>,
}

/// Gradient of a number of a run.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// Value of the number.
    pub value: f64,
    /// Derivative by each parameter.
    pub by: Vec<f64>,
}

/// Gradients of objectives of a run by the parameters of a problem.
///
/// # Errors
/// [`Error`], if a step has no derivative.
pub fn gradient(
    problem: &Problem,
    run: &Run,
    objectives: &[Objective],
    omitted: Omitted,
) -> Result<Vec<Gradient>, Error> {
    let varied = varied(problem)?;
    let (world, _) = problem.reference();
    let mut seeds = Vec::new();
    let mut found = Vec::new();
    let steps = problem.steps;
    for objective in objectives {
        let mut states = Vec::new();
        let mut held = Vec::new();
        for (step, state) in run.states.iter().enumerate() {
            let weight = if step == 0 {
                0.0
            } else {
                objective.weight(step, steps)
            };
            if weight == 0.0 {
                let anchors = state.memory.options.sticking.anchors.len();
                states.push(Variation::zero(state.q.len(), anchors));
                held.push(problem.no_motion());
            } else {
                let slopes = objective.slopes(world, run, step, weight)?;
                states.push(slopes.state);
                held.push(slopes.held);
            }
        }
        seeds.push(Cotangents { states, held });
        found.push(Gradient {
            value: objective.value(world, run)?,
            by: direct(problem, run, objective, &varied)?,
        });
    }
    let by = pull_back(problem, run, &varied, &seeds, omitted)?;
    for (gradient, by) in found.iter_mut().zip(by) {
        for (sum, by) in gradient.by.iter_mut().zip(by) {
            *sum += by;
        }
    }
    Ok(found)
}

/// Scenes around each parameter of a problem.
///
/// # Errors
/// [`Error`] of such a scene.
pub fn varied(problem: &Problem) -> Result<Vec<Varied>, Error> {
    let numbers = 0..problem.parameters.len();
    numbers.map(|number| Varied::new(problem, number)).collect()
}

/// Derivatives of an objective by the parameters where states stay. Forces on supports are part of the
/// equations.
fn direct(
    problem: &Problem,
    run: &Run,
    objective: &Objective,
    varied: &[Varied],
) -> Result<Vec<f64>, Error> {
    let mut direct = vec![0.0; varied.len()];
    if objective.is_force() {
        return Ok(direct);
    }
    let (reference, _) = problem.reference();
    let here = objective.value(reference, run)?;
    for (sum, varied) in direct.iter_mut().zip(varied) {
        for point in &varied.points {
            let world = &point.setup.world;
            let states = run.states.iter().map(|state| at_state(world, state));
            let there = Run {
                states: states.collect(),
                adapted: run.adapted.clone(),
                slips: run.slips.clone(),
                events: run.events,
                left: run.left,
            };
            *sum += point.weight * (objective.value(world, &there)? - here);
        }
    }
    Ok(direct)
}

/// Derivatives by the parameters of a problem of numbers whose derivatives by states are given.
///
/// # Errors
/// [`Error`], if a step has no derivative.
pub fn pull_back(
    problem: &Problem,
    run: &Run,
    varied: &[Varied],
    seeds: &[Cotangents],
    omitted: Omitted,
) -> Result<Vec<Vec<f64>>, Error> {
    let (_, first) = problem.reference();
    let steps = run.states.len() - 1;
    let mut gradients = vec![vec![0.0; varied.len()]; seeds.len()];
    let mut adjoints: Vec<Variation> = seeds
        .iter()
        .map(|seed| seed.states[steps].clone())
        .collect();
    for step in (0..steps).rev() {
        let end = &run.states[step + 1];
        let equation = equation(problem, run, step)?;
        let mut linear = LinearStep::without(&equation, end, omitted)?;
        let here = equation.values();
        let mut by_equations = Vec::new();
        for (adjoint, seed) in adjoints.iter_mut().zip(seeds) {
            let (mut from, by) = linear.pull_back(adjoint, &seed.held[step + 1]);
            from.add(1.0, &seed.states[step]);
            *adjoint = from;
            by_equations.push(by);
        }
        for (number, varied) in varied.iter().enumerate() {
            let explicit = varied.explicit(run, step, &here)?;
            for (gradient, by) in gradients.iter_mut().zip(&by_equations) {
                gradient[number] += by.dot(&explicit);
            }
        }
    }
    for (number, varied) in varied.iter().enumerate() {
        let start = varied.start(first);
        for (gradient, adjoint) in gradients.iter_mut().zip(&adjoints) {
            gradient[number] += adjoint.dot(&start);
        }
    }
    Ok(gradients)
}

/// Equations of a step of a run at its end, by its number from 0.
pub(crate) fn equation<'a>(
    problem: &'a Problem,
    run: &Run,
    step: usize,
) -> Result<StepEquation<'a>, Error> {
    let (world, _) = problem.reference();
    let start = &run.states[step];
    let end = &run.states[step + 1];
    let forces = &end.memory.multipliers;
    let adapted = &run.adapted[step];
    Ok(StepEquation::new(
        world,
        start,
        adapted,
        forces,
        end.q.clone(),
    )?)
}
