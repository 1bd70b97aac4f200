//! Scenes with other values, and the derivative of equations between them.
//!
//! The derivative of the equations by a parameter at fixed states is a difference of order 4
//! between scenes:
//!
//! `dF/dp = sum_k w_k F(s, p + k h) / h`, with `k = +-1, +-2` and `w = +-8/12, -+1/12`.
//!
//! Any number of a scene is a parameter by this means, without a derivative by hand in each part
//! of the program. Forces are linear in most parameters, so that the difference is exact but for
//! rounding. States stay fixed, so that no run is needed: a scene is built once for each point,
//! and each step evaluates its equations there.
//!
//! Numbers of elastic laws and coefficients of friction are in no other equation than the balance of forces, and there in
//! the elastic forces or in friction, so that nothing else is evaluated. Forces are linear in a Young's modulus, for
//! which two points are enough.
//!
//! A change of a shape moves vertices. It must stay well below the reach of contacts, where
//! forces vary fast, so that the width shrinks until no vertex moves by more than a small share
//! of that reach.

use crate::error::Error;
use crate::fields::Factor;
use crate::frozen::is_of_contact;
use crate::passed::{Passed, at_state};
use crate::problem::Problem;
use ipcsim::scene::Setup;
use ipcsim::time::linear::{Adjoint, Explicit, StepEquation, Values, Variation};
use ipcsim::time::{State, World};

/// Numbers of steps by which a value differs, and weights of a derivative of order 4 in them.
const POINTS: [(f64, f64); 4] = [
    (1.0, 8.0 / 12.0),
    (-1.0, -8.0 / 12.0),
    (2.0, -1.0 / 12.0),
    (-2.0, 1.0 / 12.0),
];
/// The same of a number in which forces are linear.
const OF_LINEAR: [(f64, f64); 2] = [(1.0, 0.5), (-1.0, -0.5)];
/// Change of a value relative to it. Most equations are linear in a parameter, which has no error by
/// the step, and the error of rounding falls with it.
const CHANGE: f64 = 1e-3;
/// Change of a number of contact relative to it: forces vary fast where a contact begins.
const OF_CONTACT: f64 = 1e-4;
/// Change of a number of a metal relative to it: points near their yield stress begin to flow.
const OF_METAL: f64 = 1e-5;
/// Least change of a value relative to it, below which rounding hides a derivative.
const LEAST: f64 = 1e-10;
/// Change of the factor of a triangle relative to it. Forces are linear in it, so that the width is free.
const OF_FACTOR: f64 = 0.5;
/// Motion of a vertex by a change of a shape, relative to the least reach of a contact.
const MOTION: f64 = 1e-3;

/// A scene with another value.
///
/// All points of a parameter share the derived numbers of the reference scene.
#[derive(Debug)]
pub struct Point {
    /// Its setup.
    pub setup: Setup,
    /// Weight in the derivative (1 over the parameter's unit).
    pub weight: f64,
}

/// Scenes with values around the value of a parameter, or of a group of factors of triangles without a common
/// node, for the derivative of equations where states stay.
#[derive(Debug)]
pub struct Varied {
    /// Scenes with their weights.
    pub points: Vec<Point>,
    /// What varies in them.
    pub(crate) what: What,
    /// Part of the equations that differs in them.
    part: Part,
}

/// Part of the equations of a step that depends on a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Elastic forces.
    Elastic,
    /// Friction, and with it velocities after impacts.
    Friction,
    /// Any.
    Whole,
}

impl Part {
    /// The part that depends on the number of a path, in steps of a world.
    fn of(path: &str, world: &World) -> Self {
        if path.starts_with("materials.") && path.contains(".law.") {
            Self::of_law(world)
        } else if path.starts_with("contact.friction.") {
            Self::Friction
        } else {
            Self::Whole
        }
    }

    /// The part that depends on numbers of laws, in steps of a world: elastic forces, unless a metal flows, viscosity
    /// follows from a law, or a cell repeats.
    fn of_law(world: &World) -> Self {
        let model = &world.model;
        let dampers = &model.dampers;
        let is_viscous = !(dampers.dashpots.is_empty() && dampers.points.is_empty());
        if model.flowing() > 0 || is_viscous || model.coordinates.lattice().is_some() {
            Self::Whole
        } else {
            Self::Elastic
        }
    }

    /// Points and weights of the differences by the number of a path.
    fn points(self, path: &str) -> &'static [(f64, f64)] {
        let key = path.rsplit('.').next();
        if self == Self::Elastic && key == Some("young") {
            &OF_LINEAR
        } else {
            &POINTS
        }
    }
}

/// What varies around the scene of a problem.
#[derive(Debug)]
pub(crate) enum What {
    /// The parameter with this number.
    Whole(usize),
    /// Factors of triangles, with the reciprocals of their values.
    Factors(Vec<(Factor, f64)>),
}

impl Varied {
    /// Scenes around the value of a parameter, by its number.
    ///
    /// The width is relative to the value, or to 1 if it is 0. It shrinks tenfold if a scene
    /// cannot be built, and as far as vertices must not move.
    ///
    /// # Errors
    /// [`Error`] of such a scene.
    pub fn new(problem: &Problem, number: usize) -> Result<Self, Error> {
        let value = problem.parameters[number].value;
        let scale = if value == 0.0 { 1.0 } else { value.abs() };
        let path = &problem.parameters[number].path;
        let mut step = scale * relative_change(path);

        // A change of shapes moves vertices by less than contacts reach.
        let (reference, state) = problem.reference();
        let reach = reference.model.surface.least_d_hat();
        let mut values = problem.values();
        loop {
            values[number] = value + step;
            let moved = problem.with(&values);
            if moved.is_err() && step > 1e-9 * scale {
                step *= 0.1;
                continue;
            }
            let moved = moved?;
            let there = at_state(&moved.world, state);
            let others = [&there.x, &moved.state.x];
            let pairs = others
                .into_iter()
                .flat_map(|other| other.iter().zip(&state.x));
            let moved_by = pairs.map(|(a, b)| (a - b).amax());

            // A radius in contact moves a surface, too.
            let [radii, of_reference] =
                [&moved.world, reference].map(|world| &world.model.surface.radius);
            let grown = radii.iter().zip(of_reference).map(|(a, b)| (a - b).abs());
            let most = moved_by.chain(grown).fold(0.0, f64::max);
            if most <= 2.0 * MOTION * reach {
                break;
            }
            step *= MOTION * reach / most;
            if step < LEAST * scale {
                return Err(Error::OtherMesh {
                    path: problem.parameters[number].path.clone(),
                    value: values[number],
                    what: "coordinates jump: an affine body whose moments of inertia are equal may take any axes, so make it a little oblong",
                });
            }
        }

        // The points of the difference, with the width over which vertices hardly move.
        let part = Part::of(path, reference);
        let mut points = Vec::new();
        for &(far, weight) in part.points(path) {
            values[number] = value + far * step;
            points.push(Point {
                setup: problem.with(&values)?,
                weight: weight / step,
            });
        }
        Ok(Self {
            points,
            what: What::Whole(number),
            part,
        })
    }

    /// Scenes around the values of factors of triangles that share no node.
    ///
    /// All of them grow or shrink by half at once. Weights are those of a derivative by the relative
    /// change.
    ///
    /// # Errors
    /// [`Error`] of such a scene.
    pub(crate) fn of_factors(problem: &Problem, factors: Vec<Factor>) -> Result<Self, Error> {
        // Central differences have no error where forces are linear.
        let mut points = Vec::new();
        for sign in [1.0, -1.0] {
            let mut values = problem.values();
            for factor in &factors {
                values[factor.number] *= 1.0 + sign * OF_FACTOR;
            }
            points.push(Point {
                setup: problem.with(&values)?,
                weight: sign / (2.0 * OF_FACTOR),
            });
        }

        // A derivative by a factor is the one by its relative change over its value.
        let factors = factors.into_iter().map(|factor| {
            let reciprocal = 1.0 / problem.parameters[factor.number].value;
            (factor, reciprocal)
        });
        Ok(Self {
            points,
            what: What::Factors(factors.collect()),
            part: Part::of_law(problem.reference().0),
        })
    }

    /// Adds the derivatives of a number by parameters, from those by the equations of a step and `explicit`,
    /// and `direct` of a whole parameter.
    ///
    /// # Errors
    /// An error of `direct`.
    pub(crate) fn add_derivatives(
        &self,
        by: &Adjoint,
        explicit: &Explicit,
        direct: impl FnOnce() -> Result<f64, Error>,
        gradient: &mut [f64],
    ) -> Result<(), Error> {
        match &self.what {
            What::Whole(number) => gradient[*number] += by.dot(explicit) + direct()?,
            What::Factors(factors) => {
                // Each triangle has its nodes to itself.
                for (factor, reciprocal) in factors {
                    let nodes = factor.nodes.iter();
                    let work = nodes.map(|&node| by.slope[node].dot(&explicit.slope[node]));
                    gradient[factor.number] += reciprocal * work.sum::<f64>();
                }
            }
        }
        Ok(())
    }

    /// Puts the derivatives of equations by each of the parameters into their list.
    pub(crate) fn put_apart(&self, explicit: Explicit, zero: &Explicit, list: &mut [Explicit]) {
        match &self.what {
            What::Whole(number) => list[*number] = explicit,
            What::Factors(factors) => {
                for (factor, reciprocal) in factors {
                    let mut own = zero.clone();
                    for &node in &factor.nodes {
                        own.slope[node] = explicit.slope[node] * *reciprocal;
                    }
                    list[factor.number] = own;
                }
            }
        }
    }

    /// Number of the parameter, if it is a single one, whose start and readings may depend on it.
    pub(crate) fn whole(&self) -> Option<usize> {
        match &self.what {
            What::Whole(number) => Some(*number),
            What::Factors(_) => None,
        }
    }

    /// Derivative of the first state.
    ///
    /// It is a difference of coordinates and velocities at the start, per unit of the parameter.
    pub fn start(&self, reference: &State) -> Variation {
        let mut start = Variation::zero(reference.q.len(), 0, 0);
        for Point { setup, weight } in &self.points {
            let fields = [
                (&mut start.q, &setup.state.q, &reference.q),
                (&mut start.q_dot, &setup.state.q_dot, &reference.q_dot),
            ];
            for (sum, there, here) in fields {
                for (sum, (there, here)) in sum.iter_mut().zip(there.iter().zip(here)) {
                    *sum += (there - here) * *weight;
                }
            }
        }
        start
    }

    /// Derivative of the equations of a step where states stay, from their values `here`; of velocities
    /// after impacts only if these count.
    ///
    /// Weights of points add up to 0, so that forces and rows of joints count from 0 and need no values here.
    /// Pairs of the reference equation are used again, so that each point evaluates forces and
    /// does not search for contacts. Anchors of friction are matched by their vertices; one that
    /// another scene does not have counts as unchanged.
    ///
    /// # Errors
    /// [`Error::Refused`] if something touches with another value.
    pub(crate) fn explicit(
        &self,
        equation: &StepEquation,
        passed: &Passed,
        here: &Values,
        impacts: bool,
    ) -> Result<Explicit, Error> {
        let mut explicit = here.zero();
        for Point { setup, weight } in &self.points {
            // Forces of the part that differs, where nothing else does.
            let forces = match self.part {
                Part::Elastic => Some(equation.elastic_slope(&setup.world)),
                Part::Friction if !impacts => Some(equation.friction_slope(&setup.world)),
                Part::Friction | Part::Whole => None,
            };
            if let Some(forces) = forces {
                for (sum, force) in explicit.slope.iter_mut().zip(&forces) {
                    *sum += force * *weight;
                }
                continue;
            }

            let start = at_state(&setup.world, passed.start);

            // Joints slip as in the run: a row at its bound stays there.
            let there = equation.of_other(&setup.world, &start)?;
            let there = there.slipping(&passed.note.slips).values(impacts);
            let fields = [
                (&mut explicit.slope, &there.slope, &here.slope),
                (&mut explicit.rows, &there.rows, &here.rows),
                (&mut explicit.targets, &there.targets, &here.targets),
                (
                    &mut explicit.velocities,
                    &there.velocities,
                    &here.velocities,
                ),
            ];
            for (sum, there, here) in fields {
                for (sum, (there, here)) in sum.iter_mut().zip(there.iter().zip(here)) {
                    *sum += (there - here) * *weight;
                }
            }
            explicit.length += (there.length - here.length) * *weight;
            let flows = there.flows.iter().zip(&here.flows);
            for (sum, (there, here)) in explicit.flows.iter_mut().zip(flows) {
                *sum += (there - here) * *weight;
            }
            for (sum, (vertices, slip)) in explicit.anchors.iter_mut().zip(&here.anchors) {
                let anchors = &there.anchors;
                if let Ok(k) = anchors.binary_search_by_key(vertices, |anchor| anchor.0) {
                    *sum += (anchors[k].1 - slip) * weight;
                }
            }
        }
        Ok(explicit)
    }
}

/// Change of the number of a path relative to it, in differences.
fn relative_change(path: &str) -> f64 {
    if is_of_contact(path) {
        OF_CONTACT
    } else if path.contains(".law.j2.") {
        OF_METAL
    } else {
        CHANGE
    }
}
