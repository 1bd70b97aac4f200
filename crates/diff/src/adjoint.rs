//! Gradients of numbers of a run, backwards through its steps.
//!
//! A step takes the state `s_(n-1)` to `s_n`, where its equations `F(s_n, s_(n-1), p) = 0` hold
//! to rounding. For a number `J` of all states the adjoint `a_n = dJ/ds_n` counts all later
//! steps, too. One step backwards solves the transposed linear system once:
//!
//! `F_s^T lambda = -a_n`, `a_(n-1) = dJ/ds_(n-1) + F_(s-1)^T lambda`, `dJ/dp += lambda . F_p`
//!
//! with derivatives of `F` by the end `F_s`, by the start `F_(s-1)` and by parameters `F_p` at
//! fixed states. The cost is one solution for each number and step, for any number of parameters;
//! only `F_p` is needed for each of them. Forward tangents are the opposite, see the module
//! `tangents`.
//!
//! States are visited by segments from the last one to the first, see [`Run`]. The matrix of one
//! step gives its pattern and its memory to the step before it.

use crate::error::Error;
use crate::fields::groups;
use crate::objective::Objective;
use crate::passed::{Passed, at_state};
use crate::problem::Problem;
use crate::run::Run;
use crate::slopes::Slopes;
use crate::varied::Varied;
use ipcsim::energy::material::Flow;
use ipcsim::math::Vec2;
use ipcsim::time::linear::{LinearStep, Omitted, StageMatrix, Variation};

/// Derivatives of some numbers by states and by the forces on supports, `[steps + 1]`.
///
/// They are the input of [`pull_back`]: a program with a loss function of the states gives the
/// derivatives of that function.
#[derive(Clone, Debug)]
pub struct Cotangents {
    /// By the state at the end of each step; the first one is the start.
    pub states: Vec<Variation>,
    /// By the balance of forces on prescribed components at the end of each step.
    pub held: Vec<Vec<Vec2>>,
}

/// A number that is a sum of readings of objectives and of products with states.
///
/// Both kinds of derivative add up to one seed of the reverse pass, so that a loss with readings
/// and states costs one pass.
struct Mixed<'a> {
    problem: &'a Problem,
    objectives: &'a [Objective],
    /// Derivatives by the sums of readings, `[objectives][steps]`.
    series: &'a [Vec<f64>],
    states: &'a Cotangents,
}

impl Mixed<'_> {
    /// Weights of the terms of an objective at a step.
    fn weights(&self, objective: usize, passed: &Passed) -> Vec<f64> {
        let by = self.series[objective][passed.number - 1];
        let factors = self.objectives[objective].factors();
        factors.into_iter().map(|factor| factor * by).collect()
    }
}

impl Numbers for Mixed<'_> {
    fn count(&self) -> usize {
        1
    }

    fn at_start(&self, _number: usize) -> Option<&Variation> {
        self.states.states.first()
    }

    fn at_end(&self, _number: usize, passed: &Passed) -> Result<Option<Slopes>, Error> {
        let (world, _) = self.problem.reference();
        let mut sum = Slopes {
            state: self.states.states[passed.number].clone(),
            held: self.states.held[passed.number].clone(),
        };
        for (k, objective) in self.objectives.iter().enumerate() {
            let weights = self.weights(k, passed);
            if weights.iter().all(|weight| *weight == 0.0) {
                continue;
            }
            let own = objective.slopes(world, passed, &weights)?;
            sum.state.add(1.0, &own.state);
            for (sum, own) in sum.held.iter_mut().zip(&own.held) {
                *sum += own;
            }
        }
        Ok(Some(sum))
    }

    fn direct(&self, _number: usize, passed: &Passed, varied: &Varied) -> Result<f64, Error> {
        let mut sum = 0.0;
        for (k, objective) in self.objectives.iter().enumerate() {
            let weights = self.weights(k, passed);
            if weights.iter().any(|weight| *weight != 0.0) {
                sum += direct(self.problem, objective, &weights, passed, varied)?;
            }
        }
        Ok(sum)
    }
}

/// Derivatives by the parameters of a problem of a number whose derivatives by states and by the readings of
/// objectives, `[objectives][steps]`, are given.
///
/// `states` has an entry for each state, `[steps + 1]`, and `series` one for each step. The
/// result has one number for each parameter, in their order.
///
/// # Errors
/// [`Error`], if a step has no derivative.
pub fn pull_back_readings(
    problem: &Problem,
    run: &Run,
    objectives: &[Objective],
    states: &Cotangents,
    series: &[Vec<f64>],
) -> Result<Vec<f64>, Error> {
    let varied = varied(problem)?;
    let mixed = Mixed {
        problem,
        objectives,
        series,
        states,
    };
    let (mut by, _) = backwards(problem, run, &varied, &mixed, Omitted::default())?;
    Ok(by.pop().unwrap_or_default())
}

/// Gradient of a number of a run.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// Value of the number.
    pub value: f64,
    /// Derivative by each parameter.
    pub by: Vec<f64>,
    /// Number of contacts in all steps that were about to slide or to stick, where derivatives are of one
    /// side.
    pub kinks: usize,
}

/// Numbers of a run that are differentiated, by their derivatives by states.
///
/// The reverse pass asks for derivatives step by step, while the states of the step are at hand.
trait Numbers {
    /// How many there are.
    fn count(&self) -> usize;

    /// Derivatives of one of them by the start.
    fn at_start(&self, number: usize) -> Option<&Variation>;

    /// Derivatives of one of them by the end of a step, if it has any.
    fn at_end(&self, number: usize, passed: &Passed) -> Result<Option<Slopes>, Error>;

    /// Derivative of one of them by a parameter, where the states of a step stay.
    fn direct(&self, number: usize, passed: &Passed, varied: &Varied) -> Result<f64, Error>;
}

/// Objectives, with the derivatives of each by its readings.
struct Objectives<'a> {
    problem: &'a Problem,
    list: &'a [Objective],
    /// `[objectives, steps, terms]`.
    weights: Vec<Vec<Vec<f64>>>,
}

impl Objectives<'_> {
    /// Weights of the readings of an objective at a step, unless all are 0.
    fn weights(&self, number: usize, passed: &Passed) -> Option<&[f64]> {
        let weights = &self.weights[number][passed.number - 1];
        weights
            .iter()
            .any(|weight| *weight != 0.0)
            .then_some(weights)
    }
}

impl Numbers for Objectives<'_> {
    fn count(&self) -> usize {
        self.list.len()
    }

    fn at_start(&self, _number: usize) -> Option<&Variation> {
        None
    }

    fn at_end(&self, number: usize, passed: &Passed) -> Result<Option<Slopes>, Error> {
        let (world, _) = self.problem.reference();
        let Some(weights) = self.weights(number, passed) else {
            return Ok(None);
        };
        self.list[number].slopes(world, passed, weights).map(Some)
    }

    fn direct(&self, number: usize, passed: &Passed, varied: &Varied) -> Result<f64, Error> {
        let Some(weights) = self.weights(number, passed) else {
            return Ok(0.0);
        };
        direct(self.problem, &self.list[number], weights, passed, varied)
    }
}

impl Numbers for &[Cotangents] {
    fn count(&self) -> usize {
        self.len()
    }

    fn at_start(&self, number: usize) -> Option<&Variation> {
        self[number].states.first()
    }

    fn at_end(&self, number: usize, passed: &Passed) -> Result<Option<Slopes>, Error> {
        let own = &self[number];
        Ok(Some(Slopes {
            state: own.states[passed.number].clone(),
            held: own.held[passed.number].clone(),
        }))
    }

    fn direct(&self, _number: usize, _passed: &Passed, _varied: &Varied) -> Result<f64, Error> {
        Ok(0.0)
    }
}

/// Derivative by a parameter of the weighted readings of an objective at a step whose states stay. Forces
/// on supports are part of the equations.
///
/// This is `sum_k w_k (dr_k/dp)` at fixed states: masses and places at rest depend on parameters.
/// It is a weighted sum of differences to the scenes of `varied`, of order 4.
pub(crate) fn direct(
    problem: &Problem,
    objective: &Objective,
    weights: &[f64],
    passed: &Passed,
    varied: &Varied,
) -> Result<f64, Error> {
    if !objective.depends_on_masses() {
        return Ok(0.0);
    }
    let (world, _) = problem.reference();

    // Readings here, and with other values.
    let here = objective.masses_at(world, passed)?;
    let mut sum = 0.0;
    for point in &varied.points {
        let other = &point.setup.world;
        let start = at_state(other, passed.start);
        let end = at_state(other, passed.end);
        let there = objective.masses_at(other, &passed.with(&start, &end))?;
        for ((there, here), weight) in there.iter().zip(&here).zip(weights) {
            sum += point.weight * weight * (there - here);
        }
    }
    Ok(sum)
}

/// Gradients of objectives by the parameters of a problem, of a run that was made with them.
///
/// All objectives share one pass and the factor of the matrix at each step. `omitted` leaves
/// parts of the derivative out, to see how much they matter.
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
    let both = objectives.iter().zip(&run.readings);
    let weights = both.map(|(objective, readings)| objective.weights(readings));
    let numbers = Objectives {
        problem,
        list: objectives,
        weights: weights.collect(),
    };
    let (by, kinks) = backwards(problem, run, &varied, &numbers, omitted)?;
    let values = run.values(objectives).into_iter().zip(by);
    let gradients = values.map(|(value, by)| Gradient { value, by, kinks });
    Ok(gradients.collect())
}

/// Scenes around the parameters of a problem.
///
/// Each parameter has four of them; factors of triangles that share no node have two together. They are
/// built once and serve all steps.
///
/// # Errors
/// [`Error`] of such a scene.
pub fn varied(problem: &Problem) -> Result<Vec<Varied>, Error> {
    // Factors of triangles are varied together, all other parameters one by one.
    let groups = groups(problem);
    let mut is_grouped = vec![false; problem.parameters.len()];
    for factor in groups.iter().flatten() {
        is_grouped[factor.number] = true;
    }

    let numbers = (0..is_grouped.len()).filter(|&number| !is_grouped[number]);
    let whole = numbers.map(|number| Varied::new(problem, number));
    let groups = groups.into_iter();
    whole
        .chain(groups.map(|group| Varied::of_factors(problem, group)))
        .collect()
}

/// Derivatives by the parameters of a problem of numbers whose derivatives by states are given.
///
/// The result is `[seeds, parameters]`. Scenes of `varied` can be reused for several runs of the
/// same problem.
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
    Ok(backwards(problem, run, varied, &seeds, omitted)?.0)
}

/// Derivatives of numbers by the parameters of a problem, all steps from the last to the first; and the number
/// of contacts near a kink.
///
/// Gradients are `[numbers, parameters]`. For each step the order is: the derivatives by its end
/// are added to the adjoint, the transposed equations give the adjoint of its start, and the
/// multipliers meet the derivatives of the equations by each parameter.
fn backwards(
    problem: &Problem,
    run: &Run,
    varied: &[Varied],
    numbers: &impl Numbers,
    omitted: Omitted,
) -> Result<(Vec<Vec<f64>>, usize), Error> {
    let (world, first) = problem.reference();
    let flows = world.model.flowing() * Flow::NUMBERS;
    let anchors = run.end().memory.options.sticking.anchors.len();

    // Nothing comes after the last step.
    let nothing = Variation::zero(first.q.len(), anchors, flows);
    let mut backwards = Backwards {
        problem,
        varied,
        numbers,
        omitted,
        adjoints: vec![nothing; numbers.count()],
        gradients: vec![vec![0.0; problem.parameters.len()]; numbers.count()],
        kinks: 0,
        matrix: None,
    };
    for of_segment in run.segments().rev() {
        // Segments whose states were dropped are computed again.
        let states = run.states_from(problem, of_segment)?;
        for step in (of_segment..of_segment + states.len() - 1).rev() {
            let passed = run.passed(&states, of_segment, step);
            backwards.step(&passed, |number, adjoint| {
                let slopes = numbers.at_end(number, &passed)?;
                Ok(slopes.map_or_else(
                    || problem.no_motion(),
                    |slopes| {
                        adjoint.add(1.0, &slopes.state);
                        slopes.held
                    },
                ))
            })?;
        }
    }

    // The start, and the equilibrium there.
    for (k, adjoint) in backwards.adjoints.iter_mut().enumerate() {
        if let Some(start) = numbers.at_start(k) {
            adjoint.add(1.0, start);
        }
    }
    if let Some(settling) = run.settling() {
        backwards.step(&settling, |_, _| Ok(problem.no_motion()))?;
    }
    for (k, adjoint) in backwards.adjoints.iter_mut().enumerate() {
        for varied in varied {
            if let Some(number) = varied.whole() {
                backwards.gradients[k][number] += adjoint.dot(&varied.start(first));
            }
        }
    }
    Ok((backwards.gradients, backwards.kinks))
}

/// Derivatives of numbers on their way back through the steps of a run.
struct Backwards<'a, N> {
    problem: &'a Problem,
    varied: &'a [Varied],
    numbers: &'a N,
    omitted: Omitted,
    /// Derivative of each number by the present state.
    adjoints: Vec<Variation>,
    /// Derivatives by parameters so far, `[numbers, parameters]`.
    gradients: Vec<Vec<f64>>,
    /// Contacts near a kink so far.
    kinks: usize,
    /// Matrix of the step after.
    matrix: Option<StageMatrix>,
}

impl<N: Numbers> Backwards<'_, N> {
    /// Takes all derivatives through a step, from its end to its start.
    ///
    /// `seed` adds the derivatives of a number by the end to an adjoint, and returns those by the forces on prescribed
    /// components.
    fn step(
        &mut self,
        passed: &Passed,
        seed: impl Fn(usize, &mut Variation) -> Result<Vec<Vec2>, Error>,
    ) -> Result<(), Error> {
        let (world, _) = self.problem.reference();
        let equation = passed.equation(world)?;
        let earlier = self.matrix.take();
        let mut linear = LinearStep::without(&equation, passed.end, self.omitted, earlier)?;
        self.kinks += linear.kinks();

        // The numbers, and then the start of the step.
        let mut by_equations = Vec::new();
        for (number, adjoint) in self.adjoints.iter_mut().enumerate() {
            let held = seed(number, adjoint)?;
            let (from, by) = linear.pull_back(adjoint, &held);
            *adjoint = from;
            by_equations.push(by);
        }

        // Parameters, where states stay; nothing is read at the start of a run.
        let impacts = linear.has_impacts();
        let here = equation.values_without_forces(impacts);
        for varied in self.varied {
            let explicit = varied.explicit(&equation, passed, &here, impacts)?;
            for (k, (gradient, by)) in self.gradients.iter_mut().zip(&by_equations).enumerate() {
                let direct = || match passed.number {
                    0 => Ok(0.0),
                    _ => self.numbers.direct(k, passed, varied),
                };
                varied.add_derivatives(by, &explicit, direct, gradient)?;
            }
        }
        self.matrix = Some(linear.into_matrix());
        Ok(())
    }
}
