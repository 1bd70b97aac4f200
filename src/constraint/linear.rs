//! Constraints to first order: what a motion opens, and what forces against openings do to vertices.

use super::acting::Act;
use super::closing::Constraints;
use super::opening::Constraint;
use super::pose::STENCIL;
use crate::math::{Mat2, Vec2};

/// Constraints that forces close, to first order at a state.
///
/// What is not closed by a force that may change has no part in it: limits, springs, and the first
/// component of a tie whose force is at a bound.
#[derive(Debug)]
pub struct Linear {
    /// Vertices of each tie.
    stencils: Vec<[usize; STENCIL]>,
    /// Derivative `J` of each opening by the vertices (1).
    jacobians: Vec<[Mat2; STENCIL]>,
    /// Roots of the stiffness of each tie, `sqrt k` (sqrt(N/m)).
    pub roots: Vec<f64>,
    /// Opening of each tie that forces have to close (m).
    pub openings: Vec<Vec2>,
}

impl Constraints {
    /// The constraints to first order at positions `x` (m).
    pub fn linear(&self, x: &[Vec2]) -> Linear {
        let count = self.ties.elements.len();
        let mut linear = Linear {
            stencils: self.ties.stencils.clone(),
            jacobians: Vec::with_capacity(count),
            roots: Vec::with_capacity(count),
            openings: Vec::with_capacity(count),
        };
        for (stencil, acting) in self.ties.iter() {
            let pose = acting.pose(&stencil.map(|i| x[i]));
            let opening = acting.rule.opening(&pose);
            let Act::Close(multiplier) = &acting.act else {
                linear.jacobians.push([Mat2::zeros(); STENCIL]);
                linear.roots.push(0.0);
                linear.openings.push(Vec2::zeros());
                continue;
            };

            let mut jacobian = acting.ends.jacobian(&acting.rule.slopes(&pose));
            let mut open = Vec2::new(opening.x - multiplier.aim, opening.y);
            if multiplier.slips(opening) {
                open.x = 0.0;
                for by in &mut jacobian {
                    by.row_mut(0).fill(0.0);
                }
            }
            linear.jacobians.push(jacobian);
            linear.roots.push(multiplier.stiffness.sqrt());
            linear.openings.push(open);
        }
        linear
    }
}

impl Linear {
    /// Writes `J^T f` (N), `[vertices]`, for the forces `f` of all ties (N).
    pub fn pull(&self, forces: &[Vec2], out: &mut [Vec2]) {
        out.fill(Vec2::zeros());
        for ((stencil, jacobian), force) in self.stencils.iter().zip(&self.jacobians).zip(forces) {
            for (&vertex, by) in stencil.iter().zip(jacobian) {
                out[vertex] += by.tr_mul(force);
            }
        }
    }

    /// Change `J d` of the opening of each tie (m) by a motion `d` of the vertices (m).
    pub fn open<'a>(&'a self, motion: &'a [Vec2]) -> impl Iterator<Item = Vec2> + 'a {
        let ties = self.stencils.iter().zip(&self.jacobians);
        ties.map(|(stencil, jacobian)| {
            let parts = stencil.iter().zip(jacobian);
            parts.map(|(&vertex, by)| by * motion[vertex]).sum()
        })
    }
}
