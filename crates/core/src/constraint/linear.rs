//! Constraints to first order: changes of residuals by a motion, and forces of residuals on
//! vertices.

use super::augmented_lagrangian::Act;
use super::ends::Ends;
use super::multipliers::Constraints;
use super::pose::{STENCIL, Slopes};
use super::residual::Constraint;
use ipcsim_math::{Mat2, Vec2};

/// Residual that forces must close of a row at a state; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Open {
    /// For each component of the residual 1 if a force that may change closes it. It is 0 for limits
    /// and springs, and for the first component of a row whose force is at a bound.
    pub part: Vec2,
    /// Root of the stiffness of the row, `sqrt k` (sqrt(N/m)).
    pub root: f64,
    /// Residual that they have to close (m).
    pub residual: Vec2,
}

/// A row to first order at a state, with the Hessian of its energy by its vertices (N/m),
/// `psi'' J^T J`, in parts.
#[derive(Clone, Copy, Debug)]
pub struct Linear<'a> {
    /// Number of the row, in the order of the joints.
    pub number: usize,
    /// Its two bodies.
    ends: &'a Ends,
    /// Derivatives of the residual by vector and arrows.
    slopes: Slopes,
    /// Second derivatives `psi''` of the energy by the components of the residual (N/m).
    pub stiffness: Vec2,
    /// Residual that forces must close.
    pub open: Open,
}

impl Linear<'_> {
    /// Vertices that the residual depends on.
    pub fn vertices(&self) -> &[usize; STENCIL] {
        &self.ends.vertices
    }

    /// Derivative `J` of the residual by each of the vertices (1).
    #[inline]
    pub fn by_vertices(&self) -> [Mat2; STENCIL] {
        self.ends.jacobian(&self.slopes)
    }
}

impl Open {
    /// Part of a residual that forces of the row must close.
    fn of(act: &Act, residual: Vec2) -> Self {
        let Act::Close(multiplier) = act else {
            return Self::default();
        };

        // A bounded force that slips no longer resists the first component.
        let part = if multiplier.slips(residual) {
            Vec2::y()
        } else {
            Vec2::repeat(1.0)
        };

        let from_aim = Vec2::new(residual.x - multiplier.aim, residual.y);
        Self {
            part,
            root: multiplier.stiffness.sqrt(),
            residual: from_aim.component_mul(&part),
        }
    }
}

impl Constraints {
    /// All rows to first order at positions `x` (m), in the order of the joints: a solver that knows
    /// how few coordinates move the vertices multiplies their Hessians out with less work.
    pub fn linear<'a>(&'a self, x: &'a [Vec2]) -> impl Iterator<Item = Linear<'a>> + 'a {
        let rows = self.rows.iter().enumerate();
        rows.map(|(number, (stencil, acting))| {
            let pose = acting.pose(&stencil.map(|i| x[i]));
            let residual = acting.rule.residual(&pose);
            Linear {
                number,
                ends: &acting.ends,
                slopes: acting.rule.slopes(&pose),
                stiffness: Vec2::from(acting.stiffness(residual)),
                open: Open::of(&acting.act, residual),
            }
        })
    }

    /// Part of the exact Hessians by the curvature of residuals at positions `x` (m): the vertices
    /// of each row that has such a part, and the part (N/m).
    pub fn bent<'a>(
        &'a self,
        x: &'a [Vec2],
    ) -> impl Iterator<Item = ([usize; STENCIL], [[Mat2; STENCIL]; STENCIL])> + 'a {
        let count = if self.bend {
            self.rows.elements.len()
        } else {
            0
        };
        self.rows
            .iter()
            .take(count)
            .filter_map(|(stencil, acting)| {
                let bent = acting.bent(&stencil.map(|i| x[i]))?;
                Some((*stencil, bent))
            })
    }
}
