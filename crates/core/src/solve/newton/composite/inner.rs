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
//!
//! All is linear in the coordinates, so that vertices have no part: gaps and slips change by their [`Rows`].

use super::loads::Loads;
use super::rows::Rows;
use crate::solve::counts::Count;
use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::Iterate;
use crate::solve::newton::problem::Problem;
use crate::solve::newton::workspace::Newton;
use crate::solve::potential::{Gradient, Potential};
use crate::solve::system::System;
use crate::tuning::{
    COMPOSITE_LEAST, COMPOSITE_POOR, COMPOSITE_SHARE, COMPOSITE_SUBSTITUTIONS, COMPOSITE_TOLERANCE,
};
use ipcsim_contact::{Contacts, LinearGaps, LinearSlips};
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
pub(super) struct Inner {
    /// Gaps of all places.
    pub(super) gaps: LinearGaps,
    /// Derivatives of gaps, and of the two factors by which normals turn, by nodes.
    gap_rows: Rows<3>,
    /// Slips of all friction contacts.
    slips: LinearSlips,
    /// Derivatives of slips by nodes.
    slip_rows: Rows<1>,
    /// Loads of friction.
    loads: Loads,
    /// Factor of energies of contact in the potential (s^2).
    scale: f64,
    /// Number of the Newton system whose pattern holds for all places.
    pub(super) system: usize,
    /// True if friction follows the normal forces.
    follows: bool,
    /// Gradient by positions of the rest: all energies but contacts and friction (N s^2), `[vertices]`.
    pub(super) rest: Vec<Vec2>,
    /// Gradient by coordinates of the rest, and of the contacts less their places (N s^2), `[nodes]`.
    constant: Vec<Vec2>,
    /// Gradient by coordinates at the beginning, without friction (N s^2), `[nodes]`.
    touching: Vec<Vec2>,
    /// Hessian of the rest.
    pub(super) hessian: BlockMatrix,
    /// Direction `d` so far (m; of angles rad), and its product with the Hessian of the rest (N s^2), `[nodes]`.
    d: Vec<Vec2>,
    hessian_d: Vec<Vec2>,
    /// Farthest that a vertex moves for a unit of each node (1; of angles m), `[nodes]`.
    reach: Vec<f64>,
    /// Loads that friction has (N; of rolling N m).
    given: Vec<f64>,
    /// Loads at the end of the last round (N; of rolling N m).
    last: Vec<f64>,
}

/// An inner step of the coordinates (m; of angles rad), `[nodes]`, with its product with the Hessian of the rest, and
/// the changes of gaps and slips along it. A share of the step is the same share of each.
struct Step {
    d: Vec<Vec2>,
    hessian_d: Vec<Vec2>,
    gaps: Vec<[f64; 3]>,
    slips: Vec<[f64; 1]>,
}

impl Inner {
    /// The inner problem at a state, with the gradient of a direction from there.
    pub(super) fn new(
        problem: &mut Problem,
        iterate: &Iterate,
        direction: &Direction,
        (gaps, loads): (LinearGaps, Loads),
        (index, system): (usize, &System),
        follows: bool,
    ) -> Self {
        let at = &iterate.at;
        let nodes = at.q.len();
        let rest = gradient_of_rest(problem, iterate);
        let potential = &*problem.potential;
        let coordinates = &potential.model.coordinates;
        let scale = potential.stage.contact;

        // Gaps by nodes at the state, and slips by nodes where friction is lagged.
        let places = gaps.slopes().iter().map(|place| {
            let [a, c] = place.bend;
            (place.vertices, [place.opening, a, c])
        });
        let gap_rows = Rows::new(places, (coordinates, at), system);
        let slips = potential
            .friction
            .linear_slips(&potential.tangent_positions(at));
        let contacts = slips.slopes().iter().map(|s| (s.vertices, [s.weights]));
        let slip_rows = Rows::new(contacts, (coordinates, potential.tangent_at()), system);

        // What the gradient has besides friction, the rest and places; contacts have nearly that of places.
        let friction = gradient_of_friction(potential, iterate);
        let gradient = direction.gradient.q.iter().zip(&friction);
        let touching: Vec<Vec2> = gradient.map(|(g, f)| g - f).collect();
        let mut places = vec![Vec2::zeros(); nodes];
        gap_rows.add_gradient(scaled(gaps.gradients(), scale), &mut places);
        let constant = touching.iter().zip(&places).map(|(g, p)| g - p).collect();

        let reach = (0..nodes).map(|node| coordinates.reach(at, node).sqrt());
        Self {
            reach: reach.collect(),
            gaps,
            gap_rows,
            slips,
            slip_rows,
            given: loads.lagged().to_vec(),
            loads,
            scale,
            system: index,
            follows,
            rest,
            constant,
            touching,
            hessian: BlockMatrix::new(0, &mut Vec::new()),
            d: vec![Vec2::zeros(); nodes],
            hessian_d: vec![Vec2::zeros(); nodes],
            last: Vec::new(),
        }
    }

    /// Adds the Hessian of gaps and friction to the matrix of the inner solves.
    pub(super) fn add_hessian(&self, system: &mut System) {
        let values = system.matrix_mut().values_mut();
        let by_gaps = scaled(self.gaps.curvatures(), self.scale);
        self.gap_rows
            .add_products([[0, 0], [1, 2]], by_gaps, values);
        let by_slips = scaled(self.slips.curvatures().map(|by| [by]), self.scale);
        self.slip_rows.add_products([[0, 0]], by_slips, values);
    }

    /// Expects no friction force, as where nothing is known of it yet.
    pub(super) fn forget_forces(&mut self) {
        self.slips.forget_forces();
    }

    /// Gradient of the inner problem without friction (N s^2), `[nodes]`.
    fn gradient(&self) -> Vec<Vec2> {
        let quadratic = self.constant.iter().zip(&self.hessian_d);
        let mut gradient: Vec<Vec2> = quadratic.map(|(g, by_d)| g + by_d).collect();
        let by_gaps = scaled(self.gaps.gradients(), self.scale);
        self.gap_rows.add_gradient(by_gaps, &mut gradient);
        gradient
    }

    /// Adds derivatives by slips (N) to a gradient by coordinates (N s^2), `[nodes]`.
    fn add_friction(&self, by_slips: impl Iterator<Item = f64>, gradient: &mut [Vec2]) {
        let by_slips = scaled(by_slips.map(|by| [by]), self.scale);
        self.slip_rows.add_gradient(by_slips, gradient);
    }

    /// Gives friction loads (N; of rolling N m).
    fn give_loads(&mut self, loads: Vec<f64>) {
        self.slips.give_loads(&loads);
        self.given = loads;
    }

    /// Gives friction the loads of the present gaps, and returns by how much they differ from loads of the
    /// round before, relative to their size; infinite in the first round.
    pub(super) fn renew_loads(&mut self) -> f64 {
        let forces: Vec<f64> = self.gaps.forces().collect();
        let loads = self.loads.with(&forces);
        if self.follows {
            self.give_loads(loads.clone());
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
    pub(super) fn finish(
        self,
        problem: &mut Problem,
        iterate: &Iterate,
        direction: &mut Direction,
        is_solved: bool,
    ) {
        let potential = &mut *problem.potential;
        if !is_solved {
            potential.friction.give_loads(self.loads.lagged());
            return;
        }

        potential.friction.take_slips(&self.slips);
        let friction = gradient_of_friction(potential, iterate);
        let gradient = &mut direction.gradient.q;
        for (k, g) in gradient.iter_mut().enumerate() {
            *g = self.touching[k] + friction[k];
        }
        direction.p.copy_from_slice(&self.d);
    }

    /// Longest way of a vertex (m) where nodes move by `d`, `[nodes]`, each alone.
    fn longest(&self, d: &[Vec2]) -> f64 {
        parallel::max(d.len(), 0.0, |k| self.reach[k] * d[k].amax())
    }

    /// Notes a step as the way that gaps and slips may go on by.
    fn set_out(&mut self, step: &Step) {
        self.gaps.set_out(&step.gaps);
        self.slips.set_out(step.slips.as_flattened());
    }

    /// Share of a step on which gaps stay open and the inner potential does not grow, with the friction as it is.
    fn search(&mut self, step: &Step) -> f64 {
        self.set_out(step);
        let nodes = self.d.len();
        let linear = |k: usize| self.constant[k] + self.hessian_d[k];
        let slope = parallel::sum(nodes, |k| step.d[k].dot(&linear(k)));
        let curvature = parallel::sum(nodes, |k| step.d[k].dot(&step.hessian_d[k]));

        // Potential (J s^2) after a share of the step, less the quadratic part at its beginning.
        let value_after = |share: f64| {
            let touching = self.gaps.value_after(share);
            let smooth = share * (slope + 0.5 * share * curvature);
            if touching.is_finite() {
                smooth + self.scale * (touching + self.slips.value_after(share))
            } else {
                touching
            }
        };
        let before = value_after(0.0);
        let quadratic = |k: usize| self.d[k].dot(&(self.constant[k] + self.hessian_d[k] * 0.5));
        let size = before.abs() + parallel::sum(nodes, quadratic).abs();

        // Halved until it does not grow.
        let mut share = self.gaps.open_share();
        while share >= COMPOSITE_LEAST {
            if value_after(share) <= before + 1e-12 * size {
                break;
            }
            share *= 0.5;
        }
        share
    }

    /// Takes a share of a step. Friction expects the forces after the whole of it, as the primal-dual method
    /// does after directions, or none if little of it was taken.
    fn advance(&mut self, step: &Step, share: f64) {
        self.slips.advance(share);
        if share < 0.5 * COMPOSITE_POOR {
            self.slips.forget_forces();
        }
        self.gaps.advance(share);
        let fields = [
            (&mut self.d, &step.d),
            (&mut self.hessian_d, &step.hessian_d),
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
        problem: &Problem,
        left: &mut usize,
    ) -> Solved {
        let stage = problem.potential.stage;
        let beta = stage.beta.unwrap_or(1.0);
        let tolerance = COMPOSITE_TOLERANCE * stage.tolerance * beta;
        inner.hessian_d = self.systems.kept[inner.system].product(&inner.hessian, &inner.d);
        loop {
            if *left == 0 {
                return Solved::OutOfSolves;
            }
            *left -= 1;

            // Newton step with secants of barriers, as far as gaps stay open and the inner potential falls.
            self.log.counts.note(Count::Inner);
            inner.gaps.stiffen();
            let Some((step, share)) = self.inner_step(inner, problem) else {
                return Solved::Indefinite;
            };
            inner.advance(&step, share);

            // Pressures that the whole step leads to.
            if inner.follows {
                let expected: Vec<f64> = inner.gaps.expected_forces().collect();
                inner.give_loads(inner.loads.with(&expected));
            }

            let longest = inner.longest(&step.d);
            let is_short = longest < tolerance.max(COMPOSITE_SHARE * inner.longest(&inner.d));
            if is_short && share >= 1.0 || share < COMPOSITE_LEAST {
                return Solved::Round;
            }
        }
    }

    /// Finds an inner step, and the share of it that may be taken; `None` if the matrix is not positive definite.
    ///
    /// Friction follows the step. The loads that a long step leads to may be wrong by any factor, and the inner
    /// potential then grows along it. Then the step with the loads so far is better.
    fn inner_step(&mut self, inner: &mut Inner, problem: &Problem) -> Option<(Step, f64)> {
        let without = inner.gradient();
        let mut gradient = without.clone();
        inner.add_friction(inner.slips.gradients(), &mut gradient);

        // Matrix, and the step with the friction as it is.
        let system = &mut self.systems.kept[inner.system];
        system.matrix_mut().copy_values(&inner.hessian);
        inner.add_hessian(system);
        system.isolate_fixed();
        system.set_right_side(&gradient);
        if !system.try_factorise(&mut self.log.timings) {
            return None;
        }

        let mut plain = vec![Vec2::zeros(); gradient.len()];
        system.first_direction(&mut plain);
        if !inner.follows || inner.slips.is_empty() {
            return Some(self.searched(inner, plain));
        }

        // Friction with the loads after the step.
        let before = inner.given.clone();
        let mut coupled = plain.clone();
        self.couple_friction(inner, &problem.potential.model.mass, &without, &mut coupled);
        let (step, share) = self.searched(inner, coupled);
        if share >= COMPOSITE_POOR {
            return Some((step, share));
        }

        // Or with those before it, if that leads farther.
        let after = std::mem::take(&mut inner.given);
        inner.give_loads(before);
        let (other, farther) = self.searched(inner, plain);
        if farther > share {
            return Some((other, farther));
        }

        // Both are short: back to the first one.
        inner.give_loads(after);
        inner.set_out(&step);
        Some((step, share))
    }

    /// A step of the coordinates with all that is linear in it, and the share of it that may be taken with the
    /// friction as it is.
    fn searched(&self, inner: &mut Inner, d: Vec<Vec2>) -> (Step, f64) {
        let mut step = Step {
            hessian_d: self.systems.kept[inner.system].product(&inner.hessian, &d),
            gaps: Vec::with_capacity(inner.gaps.len()),
            slips: Vec::with_capacity(inner.slips.len()),
            d,
        };
        inner.gap_rows.changes(&step.d, &mut step.gaps);
        inner.slip_rows.changes(&step.d, &mut step.slips);

        let share = inner.search(&step);
        (step, share)
    }

    /// Mixes inner steps until friction has the loads that the step leads to, as
    /// [`look_ahead`](Newton::look_ahead) does for directions, in the metric of the `mass`; `without` is the
    /// gradient without friction.
    fn couple_friction(
        &mut self,
        inner: &mut Inner,
        mass: &[Vec2],
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
        let base: Vec<f64> = inner.gaps.forces().collect();
        let stiffness: Vec<f64> = inner.gaps.curvatures().map(|[by_gap, _]| by_gap).collect();
        inner.slips.begin();

        // Gives friction the normal forces after a step, to first order.
        let mut opened: Vec<[f64; 1]> = Vec::new();
        let mut forces = Vec::new();
        let mut lead_loads = |inner: &mut Inner, p: &[Vec2]| {
            inner.gap_rows.changes(p, &mut opened);
            let after = |(k, [by]): (usize, &[f64; 1])| base[k] - stiffness[k] * by;
            forces.clear();
            forces.extend(opened.iter().enumerate().map(after));
            inner.give_loads(inner.loads.with(&forces));
        };

        // Where a step with them leads.
        let mut slid: Vec<[f64; 1]> = Vec::new();
        let mut gradient = vec![Vec2::zeros(); d.len()];
        let mut lead = |inner: &mut Inner, p: &[Vec2], to: &mut Vec<Vec2>| {
            lead_loads(inner, p);
            inner.slip_rows.changes(p, &mut slid);
            gradient.copy_from_slice(without);
            let by_slips = inner.slips.led_gradients(slid.as_flattened());
            inner.add_friction(by_slips, &mut gradient);
            to.resize(p.len(), Vec2::zeros());
            system.direction(&gradient, to);
            log.counts.note(Count::Substitutions);
        };

        // The step so far is the first of the mixture.
        let mut to = Vec::new();
        lead(inner, d, &mut to);
        anderson.begin_from(mass, d, &to);
        for _ in 1..COMPOSITE_SUBSTITUTIONS {
            anderson.mix(mass);
            let mut to = std::mem::take(&mut anderson.next.to);
            lead(inner, &anderson.next.from, &mut to);
            anderson.next.to = to;
            if anderson.note(mass) {
                break;
            }
        }

        // The friction that changed least, and where it leads.
        lead_loads(inner, &anderson.best.from);
        d.copy_from_slice(&anderson.best.to);
    }
}

/// Multiplies the derivatives of each place.
fn scaled<const N: usize>(
    by_places: impl Iterator<Item = [f64; N]>,
    scale: f64,
) -> impl Iterator<Item = [f64; N]> {
    by_places.map(move |by| by.map(|by| by * scale))
}

/// The gradient of friction at a state (N s^2), `[nodes]`.
fn gradient_of_friction(potential: &Potential, iterate: &Iterate) -> Vec<Vec2> {
    let at = &iterate.at;
    let mut by_x = vec![Vec2::zeros(); at.x.len()];
    let mut by_q = vec![Vec2::zeros(); at.q.len()];
    potential.friction_gradient(&potential.tangent_positions(at), &mut by_x, &mut by_q);
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
