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

use super::inner_friction::InnerFriction;
use super::loads::Loads;
use super::rows::{Rows, scaled};
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
pub(super) struct Inner {
    /// Gaps of all places.
    pub(super) gaps: LinearGaps,
    /// Derivatives of gaps, and of the two factors by which normals turn, by nodes.
    gap_rows: Rows<3>,
    /// Friction, also of pairs that may meet.
    friction: InnerFriction,
    /// Factor of energies of contact in the potential (s^2).
    scale: f64,
    /// Number of the Newton system whose pattern holds for all places.
    pub(super) system: usize,
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
    /// Changes of gaps (m), a buffer.
    opened: Vec<[f64; 1]>,
}

/// An inner step of the coordinates (m; of angles rad), `[nodes]`, with its product with the Hessian of the rest, and
/// the changes of gaps along it. A share of the step is the same share of each.
struct Step {
    d: Vec<Vec2>,
    hessian_d: Vec<Vec2>,
    gaps: Vec<[f64; 3]>,
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
        let own = InnerFriction::new(potential, at, loads, system, follows);

        // The gradient without friction, and what of it places do not give: the rest, and the little by which contacts
        // differ from their places.
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
            friction: own,
            scale,
            system: index,
            rest,
            constant,
            touching,
            hessian: BlockMatrix::new(0, &mut Vec::new()),
            d: vec![Vec2::zeros(); nodes],
            hessian_d: vec![Vec2::zeros(); nodes],
            opened: Vec::new(),
        }
    }

    /// Adds the Hessian of gaps and friction to the matrix of the inner solves.
    fn add_hessian(&self, system: &mut System) {
        let by_gaps = scaled(self.gaps.curvatures(), self.scale);
        let values = system.matrix_mut().values_mut();
        self.gap_rows
            .add_products([[0, 0], [1, 2]], by_gaps, values);
        self.friction.add_hessian(self.scale, system);
    }

    /// Expects no friction force, as where nothing is known of it yet.
    pub(super) fn forget_forces(&mut self) {
        self.friction.forget_forces();
    }

    /// Gradient of the inner problem without friction (N s^2), `[nodes]`.
    fn gradient(&self) -> Vec<Vec2> {
        let quadratic = self.constant.iter().zip(&self.hessian_d);
        let mut gradient: Vec<Vec2> = quadratic.map(|(g, by_d)| g + by_d).collect();
        let by_gaps = scaled(self.gaps.gradients(), self.scale);
        self.gap_rows.add_gradient(by_gaps, &mut gradient);
        gradient
    }

    /// Gives friction the loads of the present gaps at the end of a round, and returns their change, see
    /// [`InnerFriction::renew`].
    pub(super) fn renew_loads(&mut self) -> f64 {
        self.friction.renew(self.gaps.forces())
    }

    /// Gives friction the loads after a step of the coordinates, to first order. `base` are force and stiffness of
    /// each place (N, N/m) before it.
    fn lead_loads(&mut self, base: &[[f64; 2]], step: &[Vec2]) {
        self.gap_rows.changes(step, &mut self.opened);
        let places = base.iter().zip(&self.opened);
        let after = places.map(|([force, stiffness], [opened])| force - stiffness * opened);
        self.friction.follow(after);
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
        self.friction.hand_back(&mut potential.friction, is_solved);
        if !is_solved {
            return;
        }

        let friction = gradient_of_friction(potential, iterate);
        let gradient = &mut direction.gradient.q;
        for (k, g) in gradient.iter_mut().enumerate() {
            *g = self.touching[k] + friction[k];
        }
        direction.p.copy_from_slice(&self.d);
    }

    /// Longest displacement of a vertex (m) where one node after the other moves by `d`, `[nodes]`.
    fn longest(&self, d: &[Vec2]) -> f64 {
        parallel::max(d.len(), 0.0, |k| self.reach[k] * d[k].amax())
    }

    /// Notes a step as the direction that gaps and slips may go on by.
    fn set_out(&mut self, step: &Step) {
        self.gaps.set_out(&step.gaps);
        self.friction.set_out(&step.d);
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
                smooth + self.scale * (touching + self.friction.value_after(share))
            } else {
                touching
            }
        };

        // Rounding of the whole counts as no growth.
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
        self.friction.advance(share);
        if share < 0.5 * COMPOSITE_POOR {
            self.friction.forget_forces();
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
            if inner.friction.follows() {
                inner.friction.follow(inner.gaps.expected_forces());
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
        inner.friction.add_gradient(inner.scale, &mut gradient);

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

        // Out of all numbers, a step is none.
        if !plain.iter().all(|p| p.x.is_finite() && p.y.is_finite()) {
            return None;
        }
        if !inner.friction.follows() {
            return Some(self.searched(inner, plain));
        }

        // Friction with the loads after the step.
        let before = inner.friction.given().to_vec();
        let mut coupled = plain.clone();
        self.couple_friction(inner, &problem.potential.model.mass, &without, &mut coupled);
        let (step, share) = self.searched(inner, coupled);
        if share >= COMPOSITE_POOR {
            return Some((step, share));
        }

        // Or with those before it, if that leads farther.
        let after = inner.friction.given().to_vec();
        inner.friction.give(&before);
        let (other, farther) = self.searched(inner, plain);
        if farther > share {
            return Some((other, farther));
        }

        // Both are short: back to the first one.
        inner.friction.give(&after);
        inner.set_out(&step);
        Some((step, share))
    }

    /// A step of the coordinates with all that is linear in it, and the share of it that may be taken with the
    /// friction as it is.
    fn searched(&self, inner: &mut Inner, d: Vec<Vec2>) -> (Step, f64) {
        let mut step = Step {
            hessian_d: self.systems.kept[inner.system].product(&inner.hessian, &d),
            gaps: Vec::with_capacity(inner.gaps.len()),
            d,
        };
        inner.gap_rows.changes(&step.d, &mut step.gaps);

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
        let forces = inner.gaps.forces().zip(inner.gaps.curvatures());
        let base: Vec<[f64; 2]> = forces.map(|(force, [by_gap, _])| [force, by_gap]).collect();
        inner.friction.begin();

        // Friction with the normal forces after a step, and where that leads.
        let mut gradient = vec![Vec2::zeros(); d.len()];
        let mut lead = |inner: &mut Inner, p: &[Vec2], to: &mut Vec<Vec2>| {
            inner.lead_loads(&base, p);
            gradient.copy_from_slice(without);
            let scale = inner.scale;
            inner.friction.add_led_gradient(p, scale, &mut gradient);
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
        inner.lead_loads(&base, &anderson.best.from);
        d.copy_from_slice(&anderson.best.to);
    }
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
