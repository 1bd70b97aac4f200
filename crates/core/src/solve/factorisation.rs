//! Factorisation of the Newton matrix, which must be positive definite but on paths of equilibria.
//!
//! If the factorisation fails, the matrix is not positive definite. A projected matrix fails only
//! by rounding, and its diagonal is raised; an exact one gets a multiple of the mass. On the
//! unstable branch of a path of equilibria the exact matrix is wanted as it is: `L D L^T` takes
//! over there.
//!
//! Products of vectors that are part of the matrix ([`LowRank`](super::low_rank::LowRank)) are not
//! factorised. They may make a matrix positive definite whose other part is not; that part is then
//! factorised as `L D L^T`.
//!
//! Each factorisation begins to solve for the right side that the system has
//! ([`System::set_right_side`]), which costs little in comparison.

use super::system::{Indefinite, System};
use super::timings::{Phase, Timings};
use crate::tuning::{DAMPING_GROWTH, FIRST_DAMPING, MOST_DAMPING, MOST_SHIFTS};
use ipcsim_math::Vec2;
use ipcsim_sparse::{Ldl, NotPositiveDefinite, Singular};

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
        let begun = timings.measure(Phase::Factorisation, || {
            self.cholesky.begin(&self.matrix, &self.right_side)
        });
        if self.low_rank.is_empty() {
            return begun;
        }

        // With products the right side is solved at once.
        if begun.is_ok() {
            self.cholesky.finish(&mut self.right_side);
            self.low_rank.is_by_ldl = false;
            let cholesky = &mut self.cholesky;
            self.low_rank.prepare(|column| cholesky.solve(column));
            self.low_rank.correct(&mut self.right_side);
            return begun;
        }
        if self.factorise_products(timings) == Some(0) {
            self.solve_with_products();
            return Ok(());
        }
        begun
    }

    /// Factorises the part of the matrix without products as `L D L^T`, and returns the number of
    /// negative eigenvalues of the whole matrix; `None` if the part is singular, or memory does not
    /// suffice.
    fn factorise_products(&mut self, timings: &mut Timings) -> Option<usize> {
        let negative = self.factorise_indefinite(timings).ok()?;
        let matrix = &self.matrix;
        let ldl = self.ldl.as_mut()?;
        let mut is_solved = true;
        let lifted = self.low_rank.prepare(|column| {
            is_solved &= ldl.solve(matrix, column).is_ok();
        })?;
        self.low_rank.is_by_ldl = true;
        is_solved.then(|| negative.saturating_sub(lifted))
    }

    /// Solves for the right side by the factorisation of the part without products.
    pub(super) fn solve_with_products(&mut self) {
        match self.ldl.as_mut().filter(|_| self.low_rank.is_by_ldl) {
            None => self.cholesky.solve(&mut self.right_side),
            Some(ldl) => {
                if ldl.solve(&self.matrix, &mut self.right_side).is_err() {
                    self.right_side.fill(f64::NAN);
                }
            }
        }
        self.low_rank.correct(&mut self.right_side);
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
        if !self.low_rank.is_empty() {
            let found = self.factorise_products(timings);
            return found.ok_or_else(|| self.indefinite(0));
        }
        let factorised = self.factorise_indefinite(timings);

        // Rounding may hide a negative pivot from one method; then no factor of Cholesky exists to
        // solve with.
        match factorised {
            Ok(negative) if negative > 0 => Ok(negative),
            _ => Err(self.indefinite(0)),
        }
    }

    /// Factorises the matrix without products of vectors as `L D L^T`, and returns the number of its
    /// negative eigenvalues.
    ///
    /// # Errors
    /// [`Singular`], also if memory does not suffice.
    fn factorise_indefinite(&mut self, timings: &mut Timings) -> Result<usize, Singular> {
        let matrix = &self.matrix;
        if self.ldl.is_none() {
            self.ldl = timings.measure(Phase::Symbolic, || Ldl::analyse(matrix));
        }
        let ldl = self.ldl.as_mut().ok_or(Singular)?;
        timings.measure(Phase::Factorisation, || ldl.factorise(matrix))
    }
}
