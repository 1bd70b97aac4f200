//! The inner problem of a composite direction, and its solves.
//!
//! With the direction `d` so far, the Hessian `H` and gradient `g` of the rest, the barriers `B` of linear gaps
//! with their first derivatives `J`, and friction `F` with given loads, an inner step `p` solves
//!
//! `(H + J^T K J + F'') p = -(g + H d + J^T B' + F')`,
//!
//! where `K` are secants from the present gap to the gap with the pressure that the last step expects. For a
//! single gap under a given force this leads to the minimum at once, whatever the gap was, where tangents grow
//! it by a half each time.
//!
//! A step is shortened so that every gap keeps a part of itself, and halved while the inner potential grows.
//! Loads are fixed for this comparison: the loads after the step where friction follows it.
//!
//! Newton's method on friction force and motion (see [`FrictionContact`](ipcsim_contact::FrictionContact)) is sent
//! far by forces that were expected of another state. So they are forgotten at the beginning, and after a step that
//! was shortened much.

use super::loads::Loads;
use crate::body::Configuration;
use crate::solve::counts::Count;
use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::Iterate;
use crate::solve::newton::problem::Problem;
use crate::solve::newton::workspace::Newton;
use crate::solve::potential::{Gradient, Potential};
use crate::tuning::{
    COMPOSITE_LEAST, COMPOSITE_POOR, COMPOSITE_SHARE, COMPOSITE_SUBSTITUTIONS, COMPOSITE_TOLERANCE,
};
use ipcsim_contact::{Contacts, LinearGaps};
use ipcsim_math::{Vec2, parallel};
use ipcsim_sparse::BlockMatrix;

/// How a round of inner solves ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// At the minimum of the round, as far as a step that is short against the direction tells, or where no share of
    /// a step lowers the inner potential by more than its rounding.
    Round,
    /// At a matrix that is not positive definite.
    Indefinite,
    /// After too many solves.
    OutOfSolves,
}

/// The inner problem, and the direction so far.
///
/// It belongs to one state and one direction, and is dropped with the direction found. Only its matrix is a
/// Newton system of the solver, kept for its pattern: places of later directions mostly fit in.
#[derive(Debug)]
pub(super) struct Inner<'a> {
    /// State where the direction begins.
    at: &'a Configuration,
    /// Gaps of all places.
    pub(super) gaps: LinearGaps,
    /// Loads of friction.
    loads: Loads,
    /// Number of the Newton system whose pattern holds for all places.
    pub(super) system: usize,
    /// True if friction follows the normal forces.
    pub(super) follows: bool,
    /// Gradient by positions of the rest: all energies but contacts and friction (N s^2), `[vertices]`.
    pub(super) rest: Vec<Vec2>,
    /// Gradient by coordinates of the rest, and of the contacts less their places (N s^2), `[nodes]`.
    constant: Vec<Vec2>,
    /// Gradient by coordinates at the beginning, without friction (N s^2), `[nodes]`.
    touching: Vec<Vec2>,
    /// Hessian of the rest.
    pub(super) hessian: BlockMatrix,
    /// Direction `d` so far (m; of angles rad), `[nodes]`.
    d: Vec<Vec2>,
    /// Displacement of the vertices (m), `[vertices]`.
    pub(super) u: Vec<Vec2>,
    /// Positions that friction is a function of (m), `[vertices]`, at the beginning and now.
    pub(super) y: [Vec<Vec2>; 2],
    /// Loads that friction has (N; of rolling N m).
    given: Vec<f64>,
    /// Loads at the end of the last round (N; of rolling N m).
    last: Vec<f64>,
}

/// An inner step: of the coordinates (m; of angles rad), `[nodes]`, of the vertices (m), `[vertices]`, and of the
/// positions that friction is a function of (m), `[vertices]`. All are linear in the first, so that a share of the
/// step is the same share of each.
struct Step {
    d: Vec<Vec2>,
    u: Vec<Vec2>,
    y: Vec<Vec2>,
    /// Product of the Hessian of the rest with `d`.
    hessian_d: Vec<Vec2>,
}

impl<'a> Inner<'a> {
    /// The inner problem at a state, with the gradient of a direction from there.
    pub(super) fn new(
        problem: &mut Problem,
        iterate: &'a Iterate,
        direction: &Direction,
        (gaps, loads): (LinearGaps, Loads),
        system: usize,
        follows: bool,
    ) -> Self {
        let at = &iterate.at;
        let (nodes, vertices) = (at.q.len(), at.x.len());
        let rest = gradient_of_rest(problem, iterate);

        let potential = &*problem.potential;
        let y = potential.tangent_positions(at).into_owned();

        // What the gradient has besides the rest and friction; places have nearly the same.
        let mut by_x = vec![Vec2::zeros(); vertices];
        let mut friction = vec![Vec2::zeros(); nodes];
        potential.friction_gradient(&y, &mut by_x, &mut friction);
        let gradient = direction.gradient.q.iter().zip(&friction);
        let touching: Vec<Vec2> = gradient.map(|(g, f)| g - f).collect();

        let u = vec![Vec2::zeros(); vertices];
        let places = gradient_of_places(&gaps, &u, potential, at);
        let constant = touching.iter().zip(&places).map(|(g, p)| g - p).collect();

        Self {
            at,
            gaps,
            given: loads.lagged().to_vec(),
            loads,
            system,
            follows,
            rest,
            constant,
            touching,
            hessian: BlockMatrix::new(0, &mut Vec::new()),
            d: vec![Vec2::zeros(); nodes],
            u,
            y: [y.clone(), y],
            last: Vec::new(),
        }
    }

    /// Gradient of the inner problem without friction (N s^2), `[nodes]`, from the product of the Hessian of the
    /// rest with the direction so far.
    fn gradient(&self, potential: &Potential, hessian_d: &[Vec2]) -> Vec<Vec2> {
        let mut gradient = gradient_of_places(&self.gaps, &self.u, potential, self.at);

        // The quadratic part.
        for (k, g) in gradient.iter_mut().enumerate() {
            *g += self.constant[k] + hessian_d[k];
        }
        gradient
    }

    /// Gives friction the loads after a step of the coordinates, to first order, where places press with the
    /// forces `base` (N) before it. `moved` is a buffer, `[vertices]`.
    fn lead_loads(
        &mut self,
        potential: &mut Potential,
        base: &[f64],
        step: &[Vec2],
        moved: &mut [Vec2],
    ) {
        let coordinates = &potential.model.coordinates;
        coordinates.displacements(self.at, step, moved);
        let changes = self.gaps.force_changes(moved);
        let forces: Vec<f64> = base.iter().zip(changes).map(|(f, df)| f + df).collect();
        self.give_loads(potential, self.loads.with(&forces));
    }

    /// Gives friction loads (N; of rolling N m).
    fn give_loads(&mut self, potential: &mut Potential, loads: Vec<f64>) {
        potential.friction.give_loads(&loads);
        self.given = loads;
    }

    /// Gives friction the loads of the present gaps, and returns by how much they differ from loads of the
    /// round before, relative to their size; infinite in the first round.
    pub(super) fn renew_loads(&mut self, problem: &mut Problem) -> f64 {
        let forces: Vec<f64> = self.gaps.forces().collect();
        let loads = self.loads.with(&forces);
        if self.follows {
            self.give_loads(problem.potential, loads.clone());
        }

        // The change, compared with the loads themselves.
        let size: f64 = loads.iter().map(|load| load * load).sum();
        let changes = loads.iter().zip(&self.last);
        let change: f64 = changes.map(|(a, b)| (a - b) * (a - b)).sum();
        let is_first = self.last.is_empty() && !loads.is_empty();
        self.last = loads;
        if is_first {
            f64::INFINITY
        } else {
            (change / size.max(f64::MIN_POSITIVE)).sqrt()
        }
    }

    /// Writes the direction with the gradient of its friction, or takes friction back if there is none.
    pub(super) fn finish(self, problem: &mut Problem, direction: &mut Direction, is_solved: bool) {
        let potential = &mut *problem.potential;
        if !is_solved {
            potential.friction.give_loads(self.loads.lagged());
            return;
        }

        let mut by_x = vec![Vec2::zeros(); self.u.len()];
        let friction = &mut direction.gradient.q;
        potential.friction_gradient(&self.y[0], &mut by_x, friction);
        for (g, touching) in friction.iter_mut().zip(&self.touching) {
            *g += touching;
        }
        direction.p.copy_from_slice(&self.d);
    }

    /// Potential of the inner problem (J s^2) after a share of a step, with the friction as it is.
    fn value_after(&self, potential: &Potential, base: [f64; 3], step: &Step, share: f64) -> f64 {
        let [value, slope, curvature] = base;
        let smooth = value + share * (slope + 0.5 * share * curvature);

        // Barriers, and friction with the loads that it has.
        let mut touching = self.gaps.value_after(share);
        if !potential.friction.is_empty() && touching.is_finite() {
            let moved = self.y[1].iter().zip(&step.y);
            let y: Vec<Vec2> = moved.map(|(y, dy)| y + dy * share).collect();
            let parts = potential.friction.energies();
            touching += parts.iter().map(|part| part.value(&y)).sum::<f64>();
        }
        smooth + potential.stage.contact * touching
    }

    /// Takes a share of a step. Friction expects the forces after the whole of it, as the primal-dual method
    /// does after directions, or none if little of it was taken.
    fn advance(&mut self, potential: &mut Potential, step: &Step, share: f64) {
        if share < 0.5 * COMPOSITE_POOR {
            potential.friction.forget_forces();
        } else {
            potential.friction.predict(&self.y[1], &step.y);
        }
        self.gaps.advance(share);
        let fields = [
            (&mut self.d, &step.d),
            (&mut self.u, &step.u),
            (&mut self.y[1], &step.y),
        ];
        for (field, by) in fields {
            for (value, by) in field.iter_mut().zip(by) {
                *value += by * share;
            }
        }
    }
}

impl Newton {
    /// Solves the inner problem until steps are short. `left` is the number of solves that are left.
    pub(super) fn solve_round(
        &mut self,
        inner: &mut Inner,
        problem: &mut Problem,
        iterate: &Iterate,
        left: &mut usize,
    ) -> Solved {
        let stage = problem.potential.stage;
        let beta = stage.beta.unwrap_or(1.0);
        let tolerance = COMPOSITE_TOLERANCE * stage.tolerance * beta;
        let mut hessian_d = self.systems.kept[inner.system].product(&inner.hessian, &inner.d);
        loop {
            if *left == 0 {
                return Solved::OutOfSolves;
            }
            *left -= 1;

            // Newton step with secants of barriers, as far as gaps stay open and the inner potential falls.
            self.log.counts.note(Count::Inner);
            inner.gaps.stiffen();
            let Some((step, share)) = self.inner_step(inner, problem, iterate, &hessian_d) else {
                return Solved::Indefinite;
            };

            inner.advance(problem.potential, &step, share);
            for (product, by) in hessian_d.iter_mut().zip(&step.hessian_d) {
                *product += by * share;
            }

            // Pressures that the whole step leads to.
            if inner.follows {
                let expected: Vec<f64> = inner.gaps.expected_forces().collect();
                inner.give_loads(problem.potential, inner.loads.with(&expected));
            }

            let longest = |u: &[Vec2]| parallel::max(u.len(), 0.0, |i| u[i].amax());
            let is_short = longest(&step.u) < tolerance.max(COMPOSITE_SHARE * longest(&inner.u));
            if is_short && share >= 1.0 || share < COMPOSITE_LEAST {
                return Solved::Round;
            }
        }
    }

    /// Finds an inner step, and the share of it that may be taken; `None` if the matrix is not positive definite.
    ///
    /// Friction follows the step. The loads that a long step leads to may be wrong by any factor, and the inner
    /// potential then grows along it. Then the step with the loads so far is better.
    fn inner_step(
        &mut self,
        inner: &mut Inner,
        problem: &mut Problem,
        iterate: &Iterate,
        hessian_d: &[Vec2],
    ) -> Option<(Step, f64)> {
        let nodes = inner.d.len();
        let without = inner.gradient(problem.potential, hessian_d);
        let mut by_x = vec![Vec2::zeros(); inner.u.len()];
        let mut friction = vec![Vec2::zeros(); nodes];
        let potential = &*problem.potential;
        potential.friction_gradient(&inner.y[1], &mut by_x, &mut friction);
        let gradient: Vec<Vec2> = without.iter().zip(&friction).map(|(g, f)| g + f).collect();

        // Matrix, and the step with the friction as it is.
        self.assemble_inner(inner, problem, iterate);
        let system = &mut self.systems.kept[inner.system];
        system.set_right_side(&gradient);
        if !system.try_factorise(&mut self.log.timings) {
            return None;
        }

        let mut plain = vec![Vec2::zeros(); nodes];
        system.first_direction(&mut plain);
        if !inner.follows || problem.potential.friction.is_empty() {
            return Some(self.searched(inner, problem, hessian_d, plain));
        }

        // Friction with the loads after the step.
        let before = inner.given.clone();
        let mut coupled = plain.clone();
        self.couple_friction(inner, problem, &without, &mut coupled);
        let (step, share) = self.searched(inner, problem, hessian_d, coupled);
        if share >= COMPOSITE_POOR {
            return Some((step, share));
        }

        // Or with those before it, if that leads farther.
        let after = std::mem::take(&mut inner.given);
        inner.give_loads(problem.potential, before);
        let (other, farther) = self.searched(inner, problem, hessian_d, plain);
        if farther > share {
            return Some((other, farther));
        }

        // Both are short: back to the first one.
        inner.give_loads(problem.potential, after);
        inner.gaps.set_out(&step.u);
        Some((step, share))
    }

    /// A step of the coordinates with all that is linear in it, and the share of it that may be taken with the
    /// friction as it is.
    fn searched(
        &self,
        inner: &mut Inner,
        problem: &Problem,
        hessian_d: &[Vec2],
        d: Vec<Vec2>,
    ) -> (Step, f64) {
        let potential = &*problem.potential;
        let coordinates = &potential.model.coordinates;
        let mut step = Step {
            hessian_d: self.systems.kept[inner.system].product(&inner.hessian, &d),
            u: vec![Vec2::zeros(); inner.u.len()],
            y: vec![Vec2::zeros(); inner.u.len()],
            d,
        };

        // Vertices move to first order, and friction on the tangents where it is lagged.
        coordinates.displacements(inner.at, &step.d, &mut step.u);
        coordinates.displacements(potential.tangent_at(), &step.d, &mut step.y);
        inner.gaps.set_out(&step.u);

        let share = inner_search(inner, potential, &step, hessian_d);
        (step, share)
    }

    /// Mixes inner steps until friction has the loads that the step leads to, as
    /// [`look_ahead`](Newton::look_ahead) does for directions; `without` is the gradient without friction.
    fn couple_friction(
        &mut self,
        inner: &mut Inner,
        problem: &mut Problem,
        without: &[Vec2],
        d: &mut [Vec2],
    ) {
        let Self {
            anderson,
            systems,
            log,
            ..
        } = self;
        let system = &mut systems.kept[inner.system];
        let potential = &mut *problem.potential;
        let mass = &potential.model.mass;
        let base: Vec<f64> = inner.gaps.forces().collect();
        potential.friction.set_out(&inner.y[1]);

        // Friction with the normal forces after a step, and where that leads.
        let mut buffers = [(); 2].map(|()| vec![Vec2::zeros(); inner.u.len()]);
        let mut gradient = vec![Vec2::zeros(); d.len()];
        let mut lead = |potential: &mut Potential, p: &[Vec2], to: &mut Vec<Vec2>| {
            let [moved, by_x] = &mut buffers;
            inner.lead_loads(potential, &base, p, moved);
            potential.led_gradient(p, [moved, by_x], &mut gradient);
            for (g, rest) in gradient.iter_mut().zip(without) {
                *g += rest;
            }
            to.resize(p.len(), Vec2::zeros());
            system.direction(&gradient, to);
            log.counts.note(Count::Substitutions);
        };

        // The step so far is the first of the mixture.
        let mut to = Vec::new();
        lead(potential, d, &mut to);
        anderson.begin_from(mass, d, &to);
        for _ in 1..COMPOSITE_SUBSTITUTIONS {
            anderson.mix(mass);
            let mut to = std::mem::take(&mut anderson.next.to);
            lead(potential, &anderson.next.from, &mut to);
            anderson.next.to = to;
            if anderson.note(mass) {
                break;
            }
        }

        // The friction that changed least, and where it leads.
        let [moved, _] = &mut buffers;
        inner.lead_loads(potential, &base, &anderson.best.from, moved);
        d.copy_from_slice(&anderson.best.to);
    }
}

/// The gradient of places after the displacement `u` (m), `[vertices]`, by coordinates (N s^2), `[nodes]`.
fn gradient_of_places(
    gaps: &LinearGaps,
    u: &[Vec2],
    potential: &Potential,
    at: &Configuration,
) -> Vec<Vec2> {
    let mut by_x = vec![Vec2::zeros(); u.len()];
    let scale = potential.stage.contact;
    gaps.energy().add_gradient(u, scale, &mut by_x);
    let mut by_q = vec![Vec2::zeros(); at.q.len()];
    let coordinates = &potential.model.coordinates;
    coordinates.pull_back(at, &by_x, &mut by_q);
    by_q
}

/// The gradient at a state without contacts and friction, by positions (N s^2), `[vertices]`.
fn gradient_of_rest(problem: &mut Problem, iterate: &Iterate) -> Vec<Vec2> {
    let at = &iterate.at;
    let friction = std::mem::take(&mut problem.potential.friction);
    let mut rest = Gradient {
        x: vec![Vec2::zeros(); at.x.len()],
        q: vec![Vec2::zeros(); at.q.len()],
    };
    problem.gradient(&Contacts::default(), at, &mut rest);
    problem.potential.friction = friction;
    rest.x
}

/// Share of a step on which gaps stay open and the inner potential does not grow.
fn inner_search(inner: &Inner, potential: &Potential, step: &Step, hessian_d: &[Vec2]) -> f64 {
    let nodes = inner.d.len();
    let value = |k: usize| inner.d[k].dot(&(inner.constant[k] + hessian_d[k] * 0.5));
    let slope = |k: usize| step.d[k].dot(&(inner.constant[k] + hessian_d[k]));
    let base = [
        parallel::sum(nodes, value),
        parallel::sum(nodes, slope),
        parallel::sum(nodes, |k| step.d[k].dot(&step.hessian_d[k])),
    ];

    let before = inner.value_after(potential, base, step, 0.0);

    // Halved until it does not grow.
    let mut share = inner.gaps.open_share();
    while share >= COMPOSITE_LEAST {
        let after = inner.value_after(potential, base, step, share);
        if after <= before + 1e-12 * before.abs() {
            break;
        }
        share *= 0.5;
    }
    share
}
