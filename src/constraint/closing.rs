//! How constraints are closed: their forces during one stage.
//!
//! A stage begins with the forces `lambda` of the last step and a first stiffness `k`. Newton's
//! method minimises the potential with them; if a joint is open at the minimum,
//!
//! `lambda <- lambda + k c`
//!
//! for all joints, and the minimisation continues. If the largest opening has shrunk by less than
//! the factor [`SLOW`], `k` grows. Openings count relative to what rounding and the size of the
//! bodies allow.

use super::tuning::{CLOSED, FIRST_STIFFNESS, GROWTH, MOST_RENEWALS, ROUNDINGS, SLOW};
use super::{Augmented, Joint};
use crate::energy::{Energy, Summed};
use crate::math::Vec2;

/// The constraints of a stage as energies, with the forces that close them.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// Augmented Lagrangian of each joint, in the order of the joints.
    joints: Summed<Augmented, 4>,
    /// Opening (m) below which each joint counts as closed, rounding aside.
    closed: Vec<f64>,
    /// Number of renewals of the forces in this stage.
    renewals: usize,
    /// Largest opening at the last renewal, relative to the one that counts as closed.
    widest: Option<f64>,
}

/// The constraint that is farthest from being closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// First vertex of the constraint.
    pub vertex: usize,
    /// Opening `|c|` of the constraint (m).
    pub distance: f64,
    /// Opening relative to the one that counts as closed.
    excess: f64,
}

impl Constraints {
    /// Constraints of `joints` at the start of a stage.
    ///
    /// They begin with the forces `multipliers` (N) of the last step, or with none if there was no
    /// step. `scale` is the factor `s_e` of energies in the potential (s^2).
    pub fn new(joints: &[Joint], multipliers: &[Vec2], scale: f64) -> Self {
        let mut constraints = Self::default();
        for (k, joint) in joints.iter().enumerate() {
            let multiplier = multipliers.get(k).copied();

            // The force of the last step, and the stiffness of the inertia that moves.
            let augmented = Augmented {
                constraint: joint.constraint.clone(),
                multiplier: multiplier.unwrap_or_else(Vec2::zeros),
                stiffness: FIRST_STIFFNESS * joint.mass / scale,
            };

            constraints.joints.push(joint.vertices, augmented);
            constraints.closed.push(CLOSED * joint.size);
        }
        constraints
    }

    /// Sum of the augmented Lagrangians, an energy of positions.
    pub fn energy(&self) -> &dyn Energy {
        &self.joints
    }

    /// True if all constraints are closed at the positions `x` (m), as far as rounding allows; true
    /// without constraints.
    pub fn are_closed(&self, x: &[Vec2]) -> bool {
        self.widest(x).is_none_or(|opening| opening.excess <= 1.0)
    }

    /// Constraint that is farthest from being closed at the positions `x` (m); `None` without
    /// constraints.
    pub fn widest(&self, x: &[Vec2]) -> Option<Opening> {
        let joints = self.joints.iter().zip(&self.closed);
        let openings = joints.map(|((stencil, augmented), closed)| {
            // Rounding of positions opens a joint, too.
            let at = stencil.map(|i| x[i]);
            let rounding = at.iter().map(Vec2::amax).fold(0.0, f64::max) * f64::EPSILON;

            let distance = augmented.constraint.opening(&at).norm();
            Opening {
                vertex: stencil[0],
                distance,
                excess: distance / (closed + ROUNDINGS * rounding),
            }
        });

        openings.max_by(|a, b| a.excess.total_cmp(&b.excess))
    }

    /// Renews the forces at the positions `x` (m) of a minimum.
    ///
    /// The stiffness grows if the last renewal has closed the constraints by little.
    ///
    /// # Errors
    /// The constraint that is farthest from being closed, if they have been renewed too often.
    pub fn renew(&mut self, x: &[Vec2]) -> Result<(), Opening> {
        let Some(widest) = self.widest(x) else {
            return Ok(());
        };
        let is_slow = self.widest.is_some_and(|last| widest.excess > SLOW * last);
        self.widest = Some(widest.excess);
        self.renewals += 1;

        // All forces, and the stiffness if the openings shrink slowly.
        let growth = if is_slow { GROWTH } else { 1.0 };
        for (augmented, stencil) in self.joints.elements.iter_mut().zip(&self.joints.stencils) {
            let opening = augmented.constraint.opening(&stencil.map(|i| x[i]));
            augmented.multiplier = augmented.force(opening);
            augmented.stiffness *= growth;
        }
        if self.renewals <= MOST_RENEWALS {
            Ok(())
        } else {
            Err(widest)
        }
    }

    /// Force (N) of each constraint on its second body at the positions `x` (m), in the order of
    /// the joints.
    ///
    /// The first body feels the opposite force.
    pub fn forces(&self, x: &[Vec2]) -> Vec<Vec2> {
        let joints = self.joints.iter();
        joints
            .map(|(stencil, augmented)| {
                let opening = augmented.constraint.opening(&stencil.map(|i| x[i]));
                augmented.force(opening)
            })
            .collect()
    }
}
