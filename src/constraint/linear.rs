//! Constraints to first order: what a motion opens, and what forces against openings do to
//! vertices.

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

/// Hessian of a tie's energy by its vertices (N/m), `psi'' J^T J`, in its parts.
#[derive(Debug)]
pub struct Stiff {
    /// Vertices of the tie.
    pub stencil: [usize; STENCIL],
    /// Derivative `J` of its opening by each of them (1).
    pub jacobian: [Mat2; STENCIL],
    /// Second derivatives `psi''` of the energy by the components of the opening (N/m).
    pub stiffness: Vec2,
}

impl Constraints {
    /// The ties that resist at positions `x` (m), with their Hessians in parts: a solver that knows
    /// how few coordinates move the vertices multiplies these out with less work.
    pub fn stiff<'a>(&'a self, x: &'a [Vec2]) -> impl Iterator<Item = Stiff> + 'a {
        self.ties.iter().filter_map(|(stencil, acting)| {
            let pose = acting.pose(&stencil.map(|i| x[i]));
            let stiffness = Vec2::from(acting.stiffness(acting.rule.opening(&pose)));
            (stiffness != Vec2::zeros()).then(|| Stiff {
                stencil: *stencil,
                jacobian: acting.ends.jacobian(&acting.rule.slopes(&pose)),
                stiffness,
            })
        })
    }

    /// What the curvature of openings adds to the exact Hessians at positions `x` (m): the vertices
    /// of each tie that has such a part, and the part (N/m).
    pub fn bent<'a>(
        &'a self,
        x: &'a [Vec2],
    ) -> impl Iterator<Item = ([usize; STENCIL], [[Mat2; STENCIL]; STENCIL])> + 'a {
        self.ties.iter().filter_map(|(stencil, acting)| {
            let bent = acting.bent(&stencil.map(|i| x[i]))?;
            Some((*stencil, bent))
        })
    }

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
    /// Vertices of each tie, with the derivative of its opening by each of them (1).
    pub fn by_vertices(&self) -> impl Iterator<Item = impl Iterator<Item = (usize, &Mat2)>> {
        let ties = self.stencils.iter().zip(&self.jacobians);
        ties.map(|(stencil, jacobian)| stencil.iter().copied().zip(jacobian))
    }
}
