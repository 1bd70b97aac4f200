//! Constraints to first order: what a motion opens, and what forces against openings do to
//! vertices.

use super::acting::Act;
use super::closing::Constraints;
use super::ends::Ends;
use super::opening::Constraint;
use super::pose::{STENCIL, Slopes};
use crate::math::{Mat2, Vec2};

/// A constraint that forces close, to first order at a state.
///
/// What is not closed by a force that may change has no part in it: the derivative of limits and springs
/// is zero, and so is that of the first component of a tie whose force is at a bound.
#[derive(Clone, Copy, Debug)]
pub struct Linear<'a> {
    /// Its two bodies.
    ends: &'a Ends,
    /// Derivatives of the opening by way and arrows.
    slopes: Slopes,
    /// Root of the stiffness of the tie, `sqrt k` (sqrt(N/m)).
    pub root: f64,
    /// Opening of the tie that forces have to close (m).
    pub opening: Vec2,
}

/// Hessian of a tie's energy by its vertices (N/m), `psi'' J^T J`, in its parts.
#[derive(Clone, Copy, Debug)]
pub struct Stiff<'a> {
    /// Number of the tie, in the order of the joints.
    pub number: usize,
    /// Its two bodies.
    ends: &'a Ends,
    /// Derivatives of the opening by way and arrows.
    slopes: Slopes,
    /// Second derivatives `psi''` of the energy by the components of the opening (N/m).
    pub stiffness: Vec2,
}

impl Linear<'_> {
    /// Vertices that the opening depends on, with its derivative `J` by each of them (1).
    #[inline]
    pub fn by_vertices(&self) -> impl Iterator<Item = (usize, Mat2)> {
        self.ends.slopes(&self.slopes)
    }
}

impl Stiff<'_> {
    /// Vertices that the opening depends on, with its derivative `J` by each of them (1).
    #[inline]
    pub fn by_vertices(&self) -> impl Iterator<Item = (usize, Mat2)> {
        self.ends.slopes(&self.slopes)
    }
}

impl Constraints {
    /// The ties that resist at positions `x` (m), with their Hessians in parts: a solver that knows
    /// how few coordinates move the vertices multiplies these out with less work.
    pub fn stiff<'a>(&'a self, x: &'a [Vec2]) -> impl Iterator<Item = Stiff<'a>> + 'a {
        let ties = self.ties.iter().enumerate();
        ties.filter_map(|(number, (stencil, acting))| {
            let pose = acting.pose(&stencil.map(|i| x[i]));
            let stiffness = Vec2::from(acting.stiffness(acting.rule.opening(&pose)));
            (stiffness != Vec2::zeros()).then(|| Stiff {
                number,
                ends: &acting.ends,
                slopes: acting.rule.slopes(&pose),
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
        let count = if self.bend {
            self.ties.elements.len()
        } else {
            0
        };
        self.ties
            .iter()
            .take(count)
            .filter_map(|(stencil, acting)| {
                let bent = acting.bent(&stencil.map(|i| x[i]))?;
                Some((*stencil, bent))
            })
    }

    /// The constraints to first order at positions `x` (m), in the order of the joints.
    pub fn linear<'a>(&'a self, x: &'a [Vec2]) -> impl ExactSizeIterator<Item = Linear<'a>> + 'a {
        let ties = self.ties.stencils.iter().zip(&self.ties.elements);
        ties.map(|(stencil, acting)| {
            let Act::Close(multiplier) = &acting.act else {
                return Linear {
                    ends: &acting.ends,
                    slopes: [[Vec2::zeros(); 3]; 2],
                    root: 0.0,
                    opening: Vec2::zeros(),
                };
            };

            let pose = acting.pose(&stencil.map(|i| x[i]));
            let opening = acting.rule.opening(&pose);
            let mut slopes = acting.rule.slopes(&pose);
            let mut open = Vec2::new(opening.x - multiplier.aim, opening.y);
            if multiplier.slips(opening) {
                open.x = 0.0;
                slopes[0] = [Vec2::zeros(); 3];
            }
            Linear {
                ends: &acting.ends,
                slopes,
                root: multiplier.stiffness.sqrt(),
                opening: open,
            }
        })
    }
}
