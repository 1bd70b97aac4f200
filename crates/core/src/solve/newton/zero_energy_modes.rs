//! Zero-energy modes at an equilibrium: motions without resistance.
//!
//! A body that nothing holds, and a mechanism, leave the matrix of equilibrium singular: some
//! motion costs no energy. The softest motion is found by inverse iteration with a small mass added
//! to the stiffness (Golub and Van Loan, "Matrix Computations", section 8.2.2).

use super::iterate::Iterate;
use super::problem::Problem;
use super::solver::Solver;
use super::strategy::Search;
use crate::solve::dirichlet::Target;
use crate::solve::failure::Failure;
use crate::solve::potential::Potential;
use crate::tuning::{ZERO_ENERGY, ZERO_ENERGY_ITERATIONS};
use ipcsim_math::{Vec2, parallel};

impl Solver {
    /// Vertex that moves most in a motion without resistance at a minimum; `None` if every motion
    /// is resisted. Motions of `idle` nodes do not count, `[nodes]`; empty if
    /// none is idle.
    ///
    /// The stage of the potential has a mass, without which there would be no factorisation.
    ///
    /// # Errors
    /// [`Failure`], if the matrix has no factorisation in spite of that.
    pub fn zero_energy_modes(
        &mut self,
        potential: &mut Potential,
        targets: &[Target],
        iterate: &Iterate,
        idle: &[bool],
    ) -> Result<Option<usize>, Failure> {
        let Self {
            newton, direction, ..
        } = self;
        let model = potential.model;
        let share = potential.stage.inertia;
        let mut problem = Problem::new(potential, targets, &iterate.at);
        newton.find_gradient(&problem, iterate, direction)?;
        newton.find_direction(&mut problem, Search::Exact, iterate, direction)?;
        let Some(system) = newton.systems.kept.last_mut() else {
            return Ok(None);
        };

        // `y <- (H + m M)^-1 M y`, of length 1 in the metric of the mass; any start will do that has
        // a share of every motion, and this one is the same on every machine.
        let mass = &model.mass;
        let product = |a: &[Vec2], b: &[Vec2]| {
            let weighted = |i: usize| mass[i].component_mul(&a[i]).dot(&b[i]);
            parallel::sum(a.len(), weighted)
        };
        let spare: Vec<usize> = model
            .coordinates
            .curvatures(&iterate.at, &direction.gradient.x)
            .map(|(angle, _)| angle)
            .collect();
        let odd = |i: usize| (i as f64 * 0.754_877).fract() - 0.4;
        let mut y: Vec<Vec2> = (0..mass.len())
            .map(|i| Vec2::new(odd(2 * i), odd(2 * i + 1)))
            .collect();
        for (y, _) in y.iter_mut().zip(idle).filter(|(_, idle)| **idle) {
            *y = Vec2::zeros();
        }
        let mut energy = 0.0;
        for _ in 0..ZERO_ENERGY_ITERATIONS {
            let pushed: Vec<Vec2> = y
                .iter()
                .zip(mass)
                .map(|(y, m)| -y.component_mul(m))
                .collect();
            system.direction(&pushed, &mut direction.p);
            // Next to an angle is a number without meaning, which nothing resists.
            for &angle in &spare {
                direction.p[angle].y = 0.0;
            }
            let squared = product(&direction.p, &direction.p);
            if squared <= 0.0 {
                return Ok(None);
            }
            energy = product(&direction.p, &y) / squared - share;
            let length = squared.sqrt();
            y.iter_mut()
                .zip(&direction.p)
                .for_each(|(y, p)| *y = p / length);
        }

        // Its energy against the sum over all coordinates one by one. A motion that sets energy
        // free is not a mechanism: friction, which has no potential, may have such a motion where
        // bodies are held.
        let apart = parallel::sum(y.len(), |i| {
            system.diagonal_of(i).component_mul(&y[i]).dot(&y[i])
        });
        if energy.abs() > ZERO_ENERGY * apart {
            return Ok(None);
        }
        direction.p = y;
        direction.displace(&model.coordinates, &iterate.at);
        Ok(Some(direction.farthest(|_| 1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Configuration;
    use crate::solve::model::Model;
    use crate::solve::stage::Stage;
    use crate::solve::test_problems::{Small, barriers, potential, started, statics};

    /// Vertex that moves most in a motion without resistance, where these components of nodes are held.
    fn loose(model: &Model, at: &Configuration, held: &[(usize, [bool; 2])]) -> Option<usize> {
        let stage = Stage {
            inertia: 1e-6,
            ..statics(at, &[])
        };
        let barriers = barriers();
        let mut potential = potential(model, &stage, &barriers);
        let (mut solver, iterate) = started(model, at);
        let targets: Vec<Target> = held
            .iter()
            .map(|&(node, axes)| Target {
                node,
                position: at.q[node],
                axes,
            })
            .collect();
        solver
            .zero_energy_modes(&mut potential, &targets, &iterate, &[])
            .unwrap()
    }

    #[test]
    fn a_free_rigid_body_has_three_motions_without_resistance_and_a_held_one_none() {
        let mut small = Small::default();
        let arms = [[-1.0, 0.0], [2.0, 0.0]];
        small.rigid([[0.5, 0.5], [0.3, 0.0]], &arms, [2.0, 0.7]);
        let (model, at) = small.model();

        // Each motion that is held leaves the others, in any order.
        let motions = [(0, [true, false]), (0, [false, true]), (1, [true, false])];
        for mask in 0..8 {
            let held: Vec<_> = (0..3)
                .filter(|k| mask >> k & 1 == 1)
                .map(|k| motions[k])
                .collect();
            let found = loose(&model, &at, &held);
            assert_eq!(found.is_some(), held.len() < 3, "{held:?}");
        }

        // About its centre the longer arm moves most.
        assert_eq!(loose(&model, &at, &[(0, [true, true])]), Some(1));
    }

    #[test]
    fn a_truss_is_held_by_a_pin_and_a_support_across_its_turn_but_not_along_it() {
        let mut small = Small::default();
        let first = small.soft(&[[0.0, 0.0], [1.0, 0.0], [0.0, 3.0]], 1.0);
        for [a, b] in [[0, 1], [1, 2], [2, 0]] {
            small.spring([first + a, first + b], 50.0);
        }
        let (model, at) = small.model();
        assert!(loose(&model, &at, &[]).is_some());

        // About the pin at vertex 0, vertex 1 turns along y and the farthest one is vertex 2.
        let pin = (0, [true, true]);
        assert_eq!(loose(&model, &at, &[pin]), Some(2));
        assert_eq!(loose(&model, &at, &[pin, (1, [true, false])]), Some(2));
        assert_eq!(loose(&model, &at, &[pin, (1, [false, true])]), None);
    }
}
