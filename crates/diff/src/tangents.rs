//! Derivatives of a run along one direction of its parameters, forwards through its steps.

use crate::adjoint::{equation, varied};
use crate::error::Error;
use crate::problem::Problem;
use crate::run::Run;
use crate::varied::Varied;
use ipcsim::math::Vec2;
use ipcsim::time::linear::{Explicit, LinearStep, Values, Variation};

/// Change of a run to first order.
#[derive(Clone, Debug)]
pub struct Tangent {
    /// Change of each state, `[steps + 1]`.
    pub states: Vec<Variation>,
    /// Change of the balance of forces on prescribed components at the end of each step.
    pub held: Vec<Vec<Vec2>>,
}

/// Change of a run by a change of the parameters of its problem.
///
/// # Errors
/// [`Error`], if a step has no derivative.
pub fn tangent(problem: &Problem, run: &Run, direction: &[f64]) -> Result<Tangent, Error> {
    let varied = varied(problem)?;
    let (_, first) = problem.reference();
    let mut start = Variation::zero(first.q.len(), 0);
    for (varied, by) in varied.iter().zip(direction) {
        start.add(*by, &varied.start(first));
    }
    let mut states = vec![start];
    let mut held = vec![problem.no_motion()];
    for step in 0..run.states.len() - 1 {
        let equation = equation(problem, run, step)?;
        let mut linear = LinearStep::new(&equation, &run.states[step + 1])?;
        let here = equation.values();
        let change = change(run, step, &varied, direction, &here)?;
        let (to, forces) = linear.push_forward(&states[step], &change);
        states.push(to);
        held.push(forces);
    }
    Ok(Tangent { states, held })
}

/// Change of the equations of a step along a direction of the parameters.
fn change(
    run: &Run,
    step: usize,
    varied: &[Varied],
    direction: &[f64],
    here: &Values,
) -> Result<Explicit, Error> {
    let mut sum = Explicit {
        slope: vec![Vec2::zeros(); here.slope.len()],
        rows: vec![Vec2::zeros(); here.rows.len()],
        targets: vec![Vec2::zeros(); here.targets.len()],
        velocities: vec![Vec2::zeros(); here.velocities.len()],
        anchors: vec![0.0; here.anchors.len()],
    };
    for (varied, by) in varied.iter().zip(direction).filter(|(_, by)| **by != 0.0) {
        let explicit = varied.explicit(run, step, here)?;
        let fields = [
            (&mut sum.slope, &explicit.slope),
            (&mut sum.rows, &explicit.rows),
            (&mut sum.targets, &explicit.targets),
            (&mut sum.velocities, &explicit.velocities),
        ];
        for (sum, part) in fields {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part * *by;
            }
        }
        for (sum, part) in sum.anchors.iter_mut().zip(&explicit.anchors) {
            *sum += by * part;
        }
    }
    Ok(sum)
}
