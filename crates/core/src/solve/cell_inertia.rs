//! Inertia of a cell whose periods are free: bodies count from the mean motion of the cell.
//!
//! A body at `q` and its image at `q + n a` must have the same acceleration, whichever of both is
//! drawn. So inertia is relative to the even motion that the periods make beyond their flight:
//!
//! `m/2 |q - q_tilde - (a - a_tilde) s|^2` with `s = A_tilde^-1 q_tilde`,
//!
//! the place of the body in periods. For an image `s` grows by `n` and `q` by `n a`, and nothing changes.
//! The periods have a mass, too. By the minimum, `m (q - q_tilde - ...)` is the force on a
//! body, and its product with `s` is a force on the periods: contacts and elements act on them by
//! their branches (Parrinello, Rahman 1981, "Polymorphic transitions in single crystals", with
//! places in periods as unknowns).
//!
//! Periods that are prescribed need none of this: an integrator knows their motion, and predicts
//! bodies with it.

use super::model::Model;
use super::stage::Stage;
use super::system::System;
use crate::body::Lattice;
use ipcsim_math::{Mat2, Vec2};

/// Inertia relative to free periods, in a stage.
///
/// It is made anew where it is asked for, since it depends on the stage only.
pub(crate) struct CellInertia<'a> {
    /// Periods and images.
    lattice: &'a Lattice,
    /// Stage with the predicted places of all nodes.
    stage: &'a Stage,
    /// Masses of all nodes (kg), `[nodes]`.
    mass: &'a [Vec2],
    /// Map from predicted places (m) to multiples of the periods after their flight without loads (1/m).
    inverse: Mat2,
}

impl<'a> CellInertia<'a> {
    /// Inertia of a stage; `None` without free periods, and in statics.
    pub(crate) fn of(model: &'a Model, stage: &'a Stage) -> Option<Self> {
        let lattice = model.coordinates.lattice()?;
        if lattice.carried().is_empty() || stage.beta.is_none() {
            return None;
        }
        let flown = lattice
            .periods()
            .map(|node| stage.predicted.q[node] - stage.push[node]);
        let inverse = Mat2::from_columns(&flown).try_inverse()?;
        Some(Self {
            lattice,
            stage,
            mass: &model.mass,
            inverse,
        })
    }

    /// Free components of both periods among the values of all nodes, `[nodes]`; 0 for others.
    fn free(&self, of_nodes: &[Vec2]) -> [Vec2; 2] {
        let masks = self.lattice.masks();
        [0, 1].map(|k: usize| of_nodes[self.lattice.periods()[k]].component_mul(&masks[k]))
    }

    /// Takes the even motion of both periods away from the values of all nodes, `[nodes]`.
    fn less(&self, [first, second]: [Vec2; 2], of_nodes: &mut [Vec2]) {
        for &node in self.lattice.carried() {
            let place = self.place(node);
            of_nodes[node] -= first * place.x + second * place.y;
        }
    }

    /// Predicted place of a node, in periods (1).
    ///
    /// For an image it is that place and whole numbers of periods.
    fn place(&self, node: usize) -> Vec2 {
        self.inverse * self.stage.predicted.q[node]
    }

    /// Displacements from where nodes are predicted to `q` (`[nodes]`, m; of angles rad), relative to the
    /// even motion.
    pub(crate) fn ahead(&self, q: &[Vec2]) -> Vec<Vec2> {
        let Stage {
            predicted, push, ..
        } = self.stage;
        let mut ahead: Vec<Vec2> = q.iter().zip(&predicted.q).map(|(q, p)| q - p).collect();

        // Periods count from their flight without loads.
        let of_flight: Vec<Vec2> = ahead.iter().zip(push).map(|(a, push)| a + push).collect();
        self.less(self.free(&of_flight), &mut ahead);
        ahead
    }

    /// Displacements `p` of nodes (`[nodes]`, m; of angles rad), relative to the even motion.
    pub(super) fn relative(&self, p: &[Vec2]) -> Vec<Vec2> {
        let mut own = p.to_vec();
        self.less(self.free(p), &mut own);
        own
    }

    /// Adds the forces that inertia of bodies has on the periods, for forces of inertia of all nodes,
    /// `[nodes]`.
    pub(crate) fn add_to_periods(&self, by_nodes: &mut [Vec2]) {
        // The force on a body at the place `s` acts on the periods with the factors `s`.
        let mut sums = [Vec2::zeros(); 2];
        for &node in self.lattice.carried() {
            let place = self.place(node);
            sums[0] += by_nodes[node] * place.x;
            sums[1] += by_nodes[node] * place.y;
        }

        // Prescribed components do not feel it.
        let masks = self.lattice.masks();
        for ((period, sum), mask) in self.lattice.periods().into_iter().zip(sums).zip(masks) {
            by_nodes[period] -= sum.component_mul(&mask);
        }
    }

    /// Adds the second derivatives by periods to a matrix.
    ///
    /// Between a body and a period it is `-m s`, between two periods the sum of `m s s`; the mass of a node
    /// by itself is there already.
    pub(super) fn add_hessian(&self, system: &mut System) {
        let periods = self.lattice.periods();
        let masks = self.lattice.masks();
        let mut squares = [Vec2::zeros(); 3];

        // Between each body and both periods.
        for &node in self.lattice.carried() {
            let mass = self.mass[node] * self.stage.inertia;
            let place = self.place(node);
            for (k, &period) in periods.iter().enumerate() {
                let block = mass.component_mul(&masks[k]) * -place[k];
                system.add([node, period], &Mat2::from_diagonal(&block));
            }
            squares[0] += mass * (place.x * place.x);
            squares[1] += mass * (place.y * place.y);
            squares[2] += mass * (place.x * place.y);
        }

        // And between the periods.
        for (square, [j, k]) in squares.into_iter().zip([[0, 0], [1, 1], [1, 0]]) {
            let block = square.component_mul(&masks[j]).component_mul(&masks[k]);
            system.add([periods[j], periods[k]], &Mat2::from_diagonal(&block));
        }
    }
}
