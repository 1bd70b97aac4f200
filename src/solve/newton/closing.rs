//! Forces that close joints: all of them at once, to first order.
//!
//! At a minimum of the potential with the forces `lambda` of the joints some of them are open by `c`.
//! Other forces `lambda + d` move the minimum by `-s H^-1 J^T d`, with the Newton matrix `H`, the
//! derivative `J` of the openings and the factor `s` of contact in the potential. All joints are
//! closed, to first order, by the solution of
//!
//! `S d = c`, `S = s J H^-1 J^T`,
//!
//! which is Newton's method for the dual problem (Bertsekas, "Constrained Optimization and Lagrange
//! Multiplier Methods", section 2.3). Since `H` contains `s k J^T J`, the eigenvalues of `k S` are
//! `k m / (1 + k m)` for motions that forces move by `m`: at most 1, and near 1 for all but the longest
//! waves of a mechanism. Conjugate gradients find those few, at the cost of a solution with the factor
//! of `H` each. The first of them, `d = k c`, is the renewal of an augmented Lagrangian, which alone
//! leaves the share `1 / (1 + k m)` of an opening.

use super::direction::Direction;
use super::iterate::Iterate;
use super::problem::Problem;
use super::systems::Systems;
use crate::constraint::Linear;
use crate::math::Vec2;
use crate::solve::system::System;

/// Share of the openings that may be left, to first order (1).
///
/// Usually 1e-4. Larger: more renewals. Smaller: iterations for what the next renewal closes anyway.
const LEFT: f64 = 1e-4;
/// Largest number of iterations. Usually 60: a chain of 10,000 links takes them all at first.
const MOST: usize = 60;
/// Eigenvalue of `k S` below which forces move nothing (1): joints that repeat each other can pull
/// against each other, and those that contradict each other have no solution along such forces.
///
/// Usually 1e-12. The longest wave of a million links is above it; rounding is below.
const NOTHING: f64 = 1e-12;

/// Changes `d` of the forces of all ties (N) that close the joints of a problem at a state to first
/// order; `None` if no system has been factorised.
pub(super) fn closing_forces(
    systems: &mut Systems,
    problem: &Problem,
    iterate: &Iterate,
    direction: &mut Direction,
) -> Option<Vec<Vec2>> {
    let linear = problem.potential.constraints.linear(&iterate.at.x);
    let mut answer = Answer {
        system: systems.kept.last_mut()?,
        problem,
        iterate,
        linear: &linear,
        direction,
    };

    // In the unknowns `u = d / sqrt k`, from `d = k c`.
    let scaled = |values: &[Vec2]| -> Vec<Vec2> {
        let pairs = values.iter().zip(&linear.roots);
        pairs.map(|(value, root)| value * *root).collect()
    };
    let asked = scaled(&linear.openings);
    let mut u = asked.clone();
    let mut left = asked.clone();
    add(&mut left, -1.0, &answer.to(&u));
    let mut along = left.clone();
    let mut squared = product(&left, &left);
    let enough = LEFT * LEFT * product(&asked, &asked);

    for _ in 0..MOST {
        if squared <= enough {
            break;
        }
        let moved = answer.to(&along);
        let curvature = product(&along, &moved);
        if curvature <= NOTHING * product(&along, &along) {
            break;
        }
        let step = squared / curvature;
        add(&mut u, step, &along);
        add(&mut left, -step, &moved);
        let next = product(&left, &left);
        let ratio = next / squared;
        squared = next;
        for (along, left) in along.iter_mut().zip(&left) {
            *along = left + *along * ratio;
        }
    }
    Some(scaled(&u))
}

/// The map from forces to the openings that they close.
struct Answer<'a, 'p, 'm> {
    /// Factorised matrix.
    system: &'a mut System,
    /// Potential.
    problem: &'a Problem<'p, 'm>,
    /// State.
    iterate: &'a Iterate,
    /// Constraints to first order.
    linear: &'a Linear,
    /// Buffers.
    direction: &'a mut Direction,
}

impl Answer<'_, '_, '_> {
    /// `sqrt k S sqrt k u`.
    fn to(&mut self, u: &[Vec2]) -> Vec<Vec2> {
        let potential = &self.problem.potential;
        let coordinates = &potential.model.coordinates;
        let at = &self.iterate.at;
        let Direction { p, gradient, .. } = &mut *self.direction;

        let roots = &self.linear.roots;
        let factor = potential.stage.contact;
        let forces = u.iter().zip(roots).map(|(u, root)| u * (root * factor));
        let forces: Vec<Vec2> = forces.collect();
        self.linear.pull(&forces, &mut gradient.x);
        gradient.q.fill(Vec2::zeros());
        coordinates.pull_back(at, &gradient.x, &mut gradient.q);
        self.system.direction(&gradient.q, p);
        self.direction.displace(coordinates, at);

        let opened = self.linear.open(&self.direction.displacement);
        opened.zip(roots).map(|(open, root)| open * -root).collect()
    }
}

/// Sum of the products of two lists.
fn product(a: &[Vec2], b: &[Vec2]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

/// Adds `factor` times a list to another one.
fn add(to: &mut [Vec2], factor: f64, other: &[Vec2]) {
    for (to, other) in to.iter_mut().zip(other) {
        *to += other * factor;
    }
}
