//! Factorisation of the Newton matrix, which must be positive definite but on paths of equilibria.
//!
//! If the factorisation fails, the matrix is not positive definite. A projected matrix fails only
//! by rounding, and its diagonal is raised; an exact one gets a multiple of the mass. On the
//! unstable branch of a path of equilibria the exact matrix is wanted as it is: `L D L^T` takes
//! over there.
//!
//! Each factorisation begins to solve for the right side that the system has
//! ([`System::set_right_side`]), which costs little in comparison.

use super::system::{Indefinite, System};
use super::timings::{Phase, Timings};
use crate::tuning::{DAMPING_GROWTH, FIRST_DAMPING, MOST_DAMPING, MOST_SHIFTS};
use ipcsim_math::Vec2;
use ipcsim_sparse::{Ldl, NotPositiveDefinite};

impl System {
    /// Factorises the assembled matrix, and begins to solve for its right side; true if it is positive
    /// definite.
    pub(super) fn try_factorise(&mut self, timings: &mut Timings) -> bool {
        self.begin(timings).is_ok()
    }

    /// Factorises the assembled matrix, and begins to solve for its right side.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    fn begin(&mut self, timings: &mut Timings) -> Result<(), NotPositiveDefinite> {
        timings.measure(Phase::Factorisation, || {
            self.cholesky.begin(&self.matrix, &self.right_side)
        })
    }

    /// Factorises the assembled matrix. If rounding has made it indefinite its diagonal is raised,
    /// a little first.
    ///
    /// # Errors
    /// [`Indefinite`], if [`MOST_SHIFTS`] shifts do not help.
    pub(super) fn factorise(&mut self, timings: &mut Timings) -> Result<(), Indefinite> {
        let mut shift = 1e-14 * self.largest_stiffness();
        for _ in 0..MOST_SHIFTS {
            let Err(failed) = self.begin(timings) else {
                return Ok(());
            };

            if shift <= 0.0 || !shift.is_finite() {
                return Err(self.indefinite(failed.row));
            }
            self.matrix.shift_diagonal(shift);
            shift *= 10.0;
        }
        Err(self.indefinite(0))
    }

    /// Factorises `H + c M` with the smallest `c` of the sequence [`FIRST_DAMPING`], ten times
    /// that, and so on, that makes it positive definite; returns `c`.
    ///
    /// # Errors
    /// [`Indefinite`], if no damping below [`MOST_DAMPING`] helps.
    pub(super) fn factorise_damped(
        &mut self,
        mass: &[Vec2],
        timings: &mut Timings,
    ) -> Result<f64, Indefinite> {
        // The matrix keeps earlier additions: `more` is the difference to the next damping.
        let mut damping = FIRST_DAMPING;
        let mut more = FIRST_DAMPING;
        while damping < MOST_DAMPING {
            self.add_mass(mass, more);
            if self.try_factorise(timings) {
                return Ok(damping);
            }

            more = (DAMPING_GROWTH - 1.0) * damping;
            damping *= DAMPING_GROWTH;
        }
        Err(self.indefinite(0))
    }

    /// Factorises the assembled matrix as it is, and returns the number of its negative eigenvalues:
    /// by Cholesky if there are none, otherwise as `L D L^T`.
    ///
    /// # Errors
    /// [`Indefinite`], if the matrix is singular, or memory does not suffice.
    pub(super) fn factorise_any(&mut self, timings: &mut Timings) -> Result<usize, Indefinite> {
        if self.try_factorise(timings) {
            return Ok(0);
        }
        let matrix = &self.matrix;
        if self.ldl.is_none() {
            self.ldl = timings.measure(Phase::Symbolic, || Ldl::analyse(matrix));
        }
        let Some(ldl) = &mut self.ldl else {
            return Err(self.indefinite(0));
        };
        let factorised = timings.measure(Phase::Factorisation, || ldl.factorise(matrix));

        // Rounding may hide a negative pivot from one method; then no factor of Cholesky exists to
        // solve with.
        match factorised {
            Ok(negative) if negative > 0 => Ok(negative),
            _ => Err(self.indefinite(0)),
        }
    }
}
