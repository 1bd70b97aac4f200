//! Multipliers of all joints at once, to first order: forces that close them.
//!
//! Near a minimum of the potential with the forces `lambda` of the joints some of them are open by
//! `c`. The Newton direction `p` leads to the minimum with these forces. Other forces `lambda + d`
//! move that by `-s H^-1 J^T d`, with the Newton matrix `H`, the derivative `J` of the residuals
//! and the factor `s` of contact in the potential. All joints are closed there, to first order, by
//! the solution of
//!
//! `S d = c + J p`, `S = s J H^-1 J^T`.
//!
//! This is Newton's method for positions and forces together (Bertsekas, "Constrained Optimization
//! and Lagrange Multiplier Methods", section 4.4), and the direction `p - s H^-1 J^T d` is taken at
//! once.
//!
//! Since `H` contains `s k J^T J`, the eigenvalues of `k S` are `k m / (1 + k m)` for motions that
//! forces move by `m`: at most 1, and near 1 for all but the longest waves of a mechanism. The
//! plain renewal `d = k c` of an augmented Lagrangian leaves the share `1 / (1 + k m)` of a
//! residual. Conjugate gradients close all of it, at the cost of a solution with the factor of `H`
//! each; one or two are enough with a [preconditioner](super::schur_preconditioner) that knows the
//! inertia of bodies. The sum of these solutions is the change of the direction.

use super::constraint_jacobian::ConstraintJacobian;
use super::schur_preconditioner::SchurPreconditioner;
use crate::solve::model::Model;
use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::Iterate;
use crate::solve::newton::problem::Problem;
use crate::solve::newton::systems::Systems;
use crate::solve::potential::Potential;
use crate::solve::system::System;
use crate::tuning::{
    CURVATURE_SHARE, MULTIPLIERS_DEPENDENT, MULTIPLIERS_LEAST_DEPENDENT,
    MULTIPLIERS_LEAST_EIGENVALUE, MULTIPLIERS_LEFT, MULTIPLIERS_MOST_EIGENVALUE,
    MULTIPLIERS_MOST_ITERATIONS, MULTIPLIERS_PATIENCE, MULTIPLIERS_SLOW,
};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::powi;
use ipcsim_math::groups::Groups;
use ipcsim_sparse::LinearSolver;
use std::collections::BTreeSet;

/// Memory of the search for forces, kept from one to the next.
#[derive(Default)]
pub(crate) struct MultiplierUpdate {
    /// Constraints to first order.
    tied: ConstraintJacobian,
    /// Preconditioner of the coupling of rows, once their forces were sought.
    coupling: Option<SchurPreconditioner>,
    /// Eigenvalue that is added to all (1).
    least: f64,
    /// True if rows nearly depend on each other where the solve began: each direction then closes all of
    /// them.
    pub(crate) depend: bool,
    /// Motion `p = -H^-1 g` by the last forces, `[nodes]`.
    p: Vec<Vec2>,
    /// Gradient `g = B^T u` by the last forces, `[nodes]`.
    gradient: Vec<Vec2>,
}

/// Changes `d` of the forces of all rows (N, `[rows]`) that close the joints of a problem to first
/// order at the end of a direction from a state. The direction, with its gradient, becomes the one
/// that these forces make of it. `None` if no system has been factorised.
///
/// The direction must come from the matrix that was factorised last, with the damping that it had.
/// A force at a bound stays there, and its residual counts as closed.
pub(crate) fn closing_forces(
    systems: &mut Systems,
    closing: &mut MultiplierUpdate,
    problem: &Problem,
    iterate: &Iterate,
    direction: &mut Direction,
) -> Option<Vec<Vec2>> {
    let stage = problem.potential.stage;
    let Systems {
        kept,
        fixed,
        linear,
        ..
    } = systems;
    let system = kept.last_mut()?;
    let tied = &mut closing.tied;
    tied.renew(&system.constraints, stage.contact, fixed);
    closing.least = if closing.depend {
        MULTIPLIERS_LEAST_DEPENDENT
    } else {
        least_eigenvalue(problem.potential.constraints.renewals())
    };
    closing.couple(*linear, problem, iterate, direction);
    closing.p.resize(direction.p.len(), Vec2::zeros());
    closing.gradient.resize(direction.p.len(), Vec2::zeros());

    // In the unknowns `u = d / sqrt k`, residuals at the end of the direction.
    let root = stage.contact.sqrt();
    let tied = &closing.tied;
    let moved = tied.open(&direction.p);
    let pairs = tied.residuals.iter().zip(moved);
    let open = pairs.map(|(open, moved)| open + moved * (1.0 / root));
    let open = open.collect();

    let mut answer = Answer {
        system,
        closing,
        direction,
        root,
    };
    let open = answer.without_contradictions(open);
    let u = answer.conjugate_gradients(open);
    let pairs = u.iter().zip(&closing.tied.roots);
    Some(pairs.map(|(u, root)| u * *root).collect())
}

/// Finds out whether rows nearly depend on each other at the state where a solve begins, as equations of
/// redundant bars, and of cranks near a dead centre.
///
/// Joints without a loop never do, and a motor that opens by much turns bodies far. The least eigenvalue of
/// the coupling of the others, without rows that only repeat others, follows from two inverse
/// iterations (Golub and Van Loan, "Matrix Computations", section 8.2).
pub(crate) fn sense_dependence(
    systems: &Systems,
    closing: &mut MultiplierUpdate,
    problem: &Problem,
    iterate: &Iterate,
    direction: &Direction,
) {
    closing.depend = false;
    let stage = problem.potential.stage;
    let Some(system) = systems.kept.last() else {
        return;
    };
    let tied = &mut closing.tied;
    tied.renew(&system.constraints, stage.contact, &systems.fixed);
    let open = tied.residuals.iter().zip(&tied.roots);
    let widest = open
        .map(|(open, root)| open.norm() / root)
        .fold(0.0, f64::max);
    let turn = last_turn(problem).max(widest);
    if turn > MULTIPLIERS_SLOW || !has_loop(tied, problem.potential.model) {
        return;
    }

    closing.least = MULTIPLIERS_LEAST_EIGENVALUE;
    closing.couple(systems.linear, problem, iterate, direction);
    let MultiplierUpdate {
        tied,
        coupling: Some(coupling),
        least,
        ..
    } = closing
    else {
        return;
    };

    // Forces of rows that only repeat others are left out: least forces close these well.
    let mut answer = scattered(tied);
    for _ in 0..2 {
        let mut start = answer;
        for _ in 0..2 {
            let solved = coupling.answer(&start);
            add(&mut start, -*least, &solved);
        }
        answer = coupling.answer(&start);
        let ratio = product(&start, &start) / product(&answer, &answer);
        closing.depend = ratio < MULTIPLIERS_DEPENDENT * MULTIPLIERS_DEPENDENT;
    }
}

/// Numbers without a pattern for the equations of all rows. Components without a derivative, such as the
/// second one of a rod, say nothing.
fn scattered(tied: &ConstraintJacobian) -> Vec<Vec2> {
    let starts = (0..tied.len()).map(|row| {
        let squares: Vec2 = tied
            .of(row)
            .map(|(_, by)| (by * by.transpose()).diagonal())
            .sum();
        let start = Vec2::new(1.0, 0.5 + 0.1 * (row % 7) as f64);
        start.zip_map(
            &squares,
            |value, square| if square > 0.0 { value } else { 0.0 },
        )
    });
    starts.collect()
}

/// Largest angle (rad) by which a rigid body turned in the last step.
fn last_turn(problem: &Problem) -> f64 {
    let Potential { model, stage, .. } = &*problem.potential;
    let Some(flight) = &stage.turning else {
        return 0.0;
    };
    let angles = model.coordinates.rigid_nodes();
    let turns = angles.map(|[_, angle]| flight.way[angle].x.abs());
    turns.fold(0.0, f64::max)
}

/// True if rows join bodies to a loop; all fixed bodies count as one.
fn has_loop(tied: &ConstraintJacobian, model: &Model) -> bool {
    if tied.len() == 0 {
        return false;
    }
    let fixed = model.surface.filled.len();
    let mut groups = Groups::new(fixed + 1);
    (0..tied.len()).any(|row| {
        let bodies: BTreeSet<usize> = tied.of(row).map(|(node, _)| model.body_of(node)).collect();
        let mut ends = bodies.into_iter();
        let Some(one) = ends.next() else {
            return false;
        };
        let other = ends.next().unwrap_or(fixed);
        let is_joined = groups.root(one) == groups.root(other);
        groups.join(one, other);
        is_joined
    })
}

/// Eigenvalue that is added to all of `k S` (1) after a number of renewals in a stage. Near a position
/// where bars are in line small eigenvalues come and go, and forces along them help least.
fn least_eigenvalue(renewals: usize) -> f64 {
    let times = i32::try_from(renewals).unwrap_or(i32::MAX) / MULTIPLIERS_PATIENCE;
    let grown = MULTIPLIERS_LEAST_EIGENVALUE * powi(10.0_f64, times);
    grown.min(MULTIPLIERS_MOST_EIGENVALUE)
}

impl MultiplierUpdate {
    /// Factorises the coupling of rows at a state; there is none in statics, where nothing resists
    /// by inertia.
    fn couple(
        &mut self,
        linear: LinearSolver,
        problem: &Problem,
        iterate: &Iterate,
        direction: &Direction,
    ) {
        let Potential { model, stage, .. } = &*problem.potential;
        let Self {
            tied,
            coupling,
            least,
            ..
        } = self;
        let kept = coupling.take().filter(|kept| kept.fits(tied));
        if stage.inertia <= 0.0 {
            return;
        }

        // The inverse of inertia, with the stiffness that forces on a body add to the inertia of
        // its angle.
        let mut yields: Vec<Vec2> = model.mass.iter().map(|mass| mass * stage.inertia).collect();
        let bends = model
            .coordinates
            .curvatures(&iterate.at, &direction.gradient.x);
        for (node, bend) in bends {
            yields[node].x += bend.max(-CURVATURE_SHARE * yields[node].x);
        }
        for by in &mut yields {
            *by = by.map(|by| if by > 0.0 { 1.0 / by } else { 0.0 });
        }

        let new = || SchurPreconditioner::new(tied, yields.len(), linear);
        let Some(mut found) = kept.or_else(new) else {
            return;
        };

        // Rounding may make a matrix indefinite that is nearly singular.
        let mut has_factor = found.factorise(tied, &yields, *least);
        while !has_factor && *least < MULTIPLIERS_LEAST_EIGENVALUE {
            *least *= 10.0;
            has_factor = found.factorise(tied, &yields, *least);
        }
        if has_factor {
            *coupling = Some(found);
        }
    }
}

/// The map from forces to the residuals that they close, and the direction that they change.
struct Answer<'a> {
    /// Factorised matrix.
    system: &'a mut System,
    /// Constraints to first order, with the last preconditioner.
    closing: &'a mut MultiplierUpdate,
    /// The direction.
    direction: &'a mut Direction,
    /// Root `sqrt s` of the factor of contact.
    root: f64,
}

impl Answer<'_> {
    /// Solution `u` of `(sqrt k S sqrt k + r) u = b`, to the share [`MULTIPLIERS_LEFT`], by
    /// conjugate gradients with a preconditioner (Golub and Van Loan, "Matrix Computations",
    /// section 11.5). The direction becomes the one with these forces.
    fn conjugate_gradients(&mut self, b: Vec<Vec2>) -> Vec<Vec2> {
        let enough = MULTIPLIERS_LEFT * MULTIPLIERS_LEFT * product(&b, &b);
        let mut u = vec![Vec2::zeros(); b.len()];
        let mut left = b;
        let mut along: Vec<Vec2> = Vec::new();
        let mut weighted = 0.0;
        for _ in 0..MULTIPLIERS_MOST_ITERATIONS {
            if product(&left, &left) <= enough {
                break;
            }

            // The next direction, conjugate to those before.
            let next = self.precondition(&left);
            let before = std::mem::replace(&mut weighted, product(&left, &next));
            if along.is_empty() {
                along = next;
            } else {
                let ratio = weighted / before;
                for (along, next) in along.iter_mut().zip(&next) {
                    *along = next + *along * ratio;
                }
            }

            let moved = self.to(&along);
            let curvature = product(&along, &moved);
            if curvature <= 0.0 {
                break;
            }
            let step = weighted / curvature;
            add(&mut u, step, &along);
            add(&mut left, -step, &moved);
            self.take(step);
        }
        u
    }

    /// Residuals without the part that no motion closes to first order, because rows depend on each
    /// other: forces against it would pull joints against each other for ever.
    ///
    /// With the coupling `A` of rows it is `A (A + r)^-1 b = b - r (A + r)^-1 b`.
    fn without_contradictions(&mut self, b: Vec<Vec2>) -> Vec<Vec2> {
        let Some(coupling) = &mut self.closing.coupling else {
            return b;
        };
        let solved = coupling.answer(&b);
        let least = self.closing.least;
        let pairs = b.iter().zip(&solved);
        pairs.map(|(b, solved)| b - solved * least).collect()
    }

    /// Forces that close residuals `left`, if bodies are coupled only by rows.
    fn precondition(&mut self, left: &[Vec2]) -> Vec<Vec2> {
        match &mut self.closing.coupling {
            Some(coupling) => coupling.solve(left),
            None => left.to_vec(),
        }
    }

    /// `(sqrt k S sqrt k + r) u` with the eigenvalue `r` that is added to all.
    fn to(&mut self, u: &[Vec2]) -> Vec<Vec2> {
        let MultiplierUpdate {
            tied,
            p,
            gradient,
            least,
            ..
        } = &mut *self.closing;
        tied.pull(u, gradient);
        self.system.direction(gradient, p);
        let opened = tied.open(p).zip(u);
        opened.map(|(open, u)| u * *least - open).collect()
    }

    /// Adds a multiple of the last forces to the direction: they need no further solution.
    fn take(&mut self, times: f64) {
        let factor = self.root * times;
        add(&mut self.direction.p, factor, &self.closing.p);
        let gradient = &self.closing.gradient;
        add(&mut self.direction.gradient.q, factor, gradient);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Configuration;
    use crate::solve::newton::solver::Solver;
    use crate::solve::newton::strategy::{Search, Strategy};
    use crate::solve::newton::workspace::Newton;
    use crate::solve::test_problems::{
        Small, barriers, from_rest, held, potential, solver, started,
    };

    /// Acceleration by weight (m/s^2).
    const GRAVITY: f64 = 9.81;
    /// Masses (kg) of the bars of a chain, from above.
    const MASSES: [f64; 4] = [2.0, 0.5, 1.0, 3.0];

    /// A chain of bars of 1 m that hangs from a vertex.
    fn chain() -> (Model, Configuration) {
        let mut small = Small::default();
        let mut end = small.point([0.0, 0.0], 1.0);
        for (k, mass) in MASSES.into_iter().enumerate() {
            let center = [0.0, -0.5 - k as f64];
            let arms = [[0.0, 0.5], [0.0, -0.5]];
            let top = small.rigid([center, [0.0; 2]], &arms, [mass, mass / 12.0]);
            small.hinge([end, top]);
            end = top + 1;
        }
        small.model()
    }

    /// Weight (N) below each hinge of the chain.
    fn weights() -> impl Iterator<Item = f64> {
        (0..MASSES.len()).map(|k| GRAVITY * MASSES[k..].iter().sum::<f64>())
    }

    #[test]
    fn forces_of_a_hanging_chain_are_the_weights_below_each_hinge() {
        let (model, at) = chain();
        let stage = from_rest(&model, &at, 0.01, [0.0, -GRAVITY]);
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let (mut solver, mut iterate) = started(&model, &at);
        solver
            .minimise(
                &mut potential,
                &[held(&at, 0)],
                Strategy::USUAL,
                &mut iterate,
            )
            .unwrap();

        // Nothing moves, and each hinge pulls its upper side down.
        let forces = potential.constraints.forces(&iterate.at.x);
        for (force, weight) in forces.iter().zip(weights()) {
            assert!(
                (force - Vec2::new(0.0, weight)).norm() < 1e-5 * weight,
                "{force} {weight}"
            );
        }
        let moved = iterate
            .at
            .q
            .iter()
            .zip(&at.q)
            .map(|(q, start)| (q - start).norm());
        assert!(moved.fold(0.0, f64::max) < 1e-9);
    }

    #[test]
    fn one_search_closes_a_hanging_chain_and_turns_its_fall_into_rest() {
        let (model, at) = chain();
        let stage = from_rest(&model, &at, 0.01, [0.0, -GRAVITY]);
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let mut problem = Problem::new(&mut potential, &[held(&at, 0)], &at);
        let (mut solver, iterate) = started(&model, &at);
        let Solver {
            newton, direction, ..
        } = &mut solver;
        newton.find_gradient(&problem, &iterate, direction).unwrap();
        newton
            .find_direction(&mut problem, Search::Newton, &iterate, direction)
            .unwrap();
        let length = |p: &[Vec2]| p.iter().map(Vec2::norm).fold(0.0, f64::max);
        let before = length(&direction.p);

        let Newton {
            systems, closing, ..
        } = newton;
        let found = closing_forces(systems, closing, &problem, &iterate, direction).unwrap();
        assert_eq!(found.len(), MASSES.len());
        for (change, weight) in found.iter().zip(weights()) {
            assert!(
                (change - Vec2::new(0.0, weight)).norm() < 1e-3 * weight,
                "{change} {weight}"
            );
        }

        // The direction and its gradient are those with these forces.
        assert!(
            length(&direction.p) < 1e-2 * before,
            "{:?} {before}",
            direction.p
        );
        let heaviest = GRAVITY * 3.0 * stage.contact;
        assert!(length(&direction.gradient.q[1..]) < 1e-2 * heaviest);
    }

    #[test]
    fn a_system_that_was_never_made_has_no_forces() {
        let (model, at) = chain();
        let stage = from_rest(&model, &at, 0.01, [0.0, -GRAVITY]);
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let problem = Problem::new(&mut potential, &[], &at);
        let mut solver = solver(&model);
        let iterate = Iterate::default();
        let Solver {
            newton, direction, ..
        } = &mut solver;
        let Newton {
            systems, closing, ..
        } = newton;
        assert!(closing_forces(systems, closing, &problem, &iterate, direction).is_none());
    }
}
