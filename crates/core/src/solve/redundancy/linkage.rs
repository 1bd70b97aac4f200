//! Joints that share bodies: which of them depend on each other at a state, and a motion to another
//! state in which all of them are closed.

use super::equations::{Equation, Jointed};
use super::row_basis::RowBasis;
use crate::body::Configuration;
use crate::tuning::{REPEATED_CLOSED, REPEATED_CORRECTIONS, REPEATED_LEFT, REPEATED_MOTION};
use ipcsim_math::Vec2;
use ipcsim_math::groups::Groups;
use std::collections::{BTreeMap, BTreeSet};

/// The joints of a linkage, with the coordinates that move them.
pub(super) struct Linkage<'a> {
    /// All joints.
    pub(super) jointed: Jointed<'a>,
    /// Lengths of a unit of each coordinate (m), `[nodes]`.
    pub(super) lengths: &'a [f64],
    /// Its joints.
    pub(super) joints: BTreeSet<usize>,
}

/// Another place of a linkage.
pub(super) enum Elsewhere {
    /// It cannot move, not even to first order.
    Rigid,
    /// It moves to first order only: joints let it back to where it was.
    Locked,
    /// A state in which all joints are closed.
    At(Configuration),
}

/// Equations of a linkage at a state: a basis, and each other row as a sum of rows.
pub(super) struct Dependence {
    /// Joint of each equation.
    pub(super) joints: Vec<usize>,
    /// Rows that are sums of others.
    pub(super) sums: Vec<(usize, Vec<usize>)>,
    /// Independent rows.
    basis: RowBasis,
    /// Coordinates that occur, in ascending order.
    columns: Vec<usize>,
    /// Equations.
    equations: Vec<Equation>,
}

impl Linkage<'_> {
    /// Dependence of the equations of `chosen` joints at a state.
    pub(super) fn dependence(&self, at: &Configuration, chosen: &BTreeSet<usize>) -> Dependence {
        let is_own = |joint| chosen.contains(&joint);
        let equations = self.jointed.equations(at, self.lengths, is_own);
        let slopes = equations.iter().flat_map(|own| &own.slopes);
        let columns: BTreeSet<usize> = slopes.map(|(column, _)| *column).collect();
        let columns: Vec<usize> = columns.into_iter().collect();
        let places: BTreeMap<usize, usize> = columns.iter().copied().zip(0..).collect();

        let mut basis = RowBasis::default();
        let mut sums = Vec::new();
        for (number, equation) in equations.iter().enumerate() {
            let mut row = vec![0.0; columns.len()];
            for (column, by) in &equation.slopes {
                row[places[column]] = *by;
            }
            if let Some(parts) = basis.add(number, &row) {
                sums.push((number, parts));
            }
        }
        Dependence {
            joints: equations.iter().map(|own| own.joint).collect(),
            sums,
            basis,
            columns,
            equations,
        }
    }

    /// Moves the linkage along one of its free motions, which a number chooses, and closes its joints;
    /// `None` if they do not close.
    pub(super) fn elsewhere(
        &self,
        at: &Configuration,
        here: &Dependence,
        number: usize,
    ) -> Option<Elsewhere> {
        let mut motion = scattered(here.columns.len(), number);
        let whole = largest(&motion);
        here.basis.take_out(&mut motion);
        let free = largest(&motion);
        if free < 1e-6 * whole {
            return Some(Elsewhere::Rigid);
        }

        let sizes = here.equations.iter().map(|own| own.unit);
        let size = sizes.sum::<f64>() / here.equations.len() as f64;
        let mut q = at.q.clone();
        self.displace(
            &mut q,
            &here.columns,
            &motion,
            REPEATED_MOTION * size / free,
        );
        let coordinates = &self.jointed.model.coordinates;
        let mut moved = Configuration::of(coordinates, q);
        for _ in 0..REPEATED_CORRECTIONS {
            let there = self.dependence(&moved, &self.joints);
            let excess = there.equations.iter();
            let excess = excess.map(|own| own.residual.abs() / own.unit);
            if excess.fold(0.0, f64::max) < REPEATED_CLOSED {
                let distance = self.distance(&moved, at, &there.columns);
                let is_locked = distance < REPEATED_LEFT * REPEATED_MOTION * size;
                return Some(if is_locked {
                    Elsewhere::Locked
                } else {
                    Elsewhere::At(moved)
                });
            }

            let rows = there.basis.rows.iter();
            let open: Vec<f64> = rows.map(|row| -there.equations[*row].residual).collect();
            let step = there.basis.shortest(&open, there.columns.len());
            let share = (REPEATED_MOTION * size / largest(&step)).min(1.0);
            let mut q = moved.q.clone();
            self.displace(&mut q, &there.columns, &step, share);
            moved = Configuration::of(coordinates, q);
        }
        None
    }

    /// Adds a multiple of a motion of scaled coordinates.
    fn displace(&self, q: &mut [Vec2], columns: &[usize], motion: &[f64], times: f64) {
        for (column, by) in columns.iter().zip(motion) {
            let node = column / 2;
            q[node][column % 2] += times * by / self.lengths[node];
        }
    }

    /// Largest distance of the scaled coordinates of two states (m).
    fn distance(&self, one: &Configuration, other: &Configuration, columns: &[usize]) -> f64 {
        let distances = columns.iter().map(|column| {
            let node = column / 2;
            let moved = one.q[node] - other.q[node];
            (moved[column % 2] * self.lengths[node]).abs()
        });
        distances.fold(0.0, f64::max)
    }
}

/// Groups of joints whose equations have coordinates in common, each in ascending order.
pub(super) fn groups(equations: &[Equation]) -> Vec<BTreeSet<usize>> {
    let count = equations.iter().map(|own| own.joint + 1).max().unwrap_or(0);
    let mut groups = Groups::new(count);
    let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
    for equation in equations {
        for (column, _) in &equation.slopes {
            let known = *seen.entry(*column).or_insert(equation.joint);
            groups.join(known, equation.joint);
        }
    }

    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for equation in equations {
        let root = groups.root(equation.joint);
        found.entry(root).or_default().insert(equation.joint);
    }
    found.into_values().collect()
}

/// Numbers between -1 and 1 without a pattern, the same in every run.
fn scattered(count: usize, number: usize) -> Vec<f64> {
    let value = |k: usize| {
        let golden =
            0.618_033_988_749_895 * (k + 1) as f64 + 0.414_213_562_373_095 * (number + 1) as f64;
        let mixed = (golden * (1.0 + 0.1 * (k % 7) as f64)).fract();
        2.0 * mixed - 1.0
    };
    (0..count).map(value).collect()
}

/// Largest size of a number of a list.
fn largest(values: &[f64]) -> f64 {
    values
        .iter()
        .fold(0.0, |most, value| f64::max(most, value.abs()))
}
