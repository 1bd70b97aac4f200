//! Eigenstructure of `dP/dF` that all isotropic laws share.
//!
//! With `F = U diag(s) V^T` and `psi = psi(s_0, s_1)`, four orthonormal matrices diagonalise
//! `dP/dF`:
//!
//! - two stretches `U diag(.,.) V^T`, by the eigenvectors of the Hessian of `psi` in `s`,
//! - the twist `U [[0,-1],[1,0]] V^T / sqrt 2`,
//! - the flip `U [[0,1],[1,0]] V^T / sqrt 2`.
//!
//! With `psi_0` and `psi_1` the slopes of `psi`, the twist has the eigenvalue
//! `(psi_0 + psi_1) / (s_0 + s_1)` and the flip `(psi_0 - psi_1) / (s_0 - s_1)`. A law states both
//! in a form that holds where the denominators vanish.
//!
//! Source: Smith, De Goes, Kim 2019, "Analytic Eigensystems for Isotropic Distortion Energies".

use super::{Modes, SpaceModes};
use ipcsim_math::Mat2;
use ipcsim_math::definite::symmetric_eigen2;
use ipcsim_math::polar::Polar;
use nalgebra::{Matrix3, Matrix4, Matrix5, SymmetricEigen};
use std::f64::consts::FRAC_1_SQRT_2;

/// Second derivatives of `psi` at given stretches (Pa).
pub(super) struct Principal {
    /// Hessian of `psi` in the stretches (Pa): `[psi_00, psi_01, psi_11]`.
    pub(super) hessian: [f64; 3],
    /// Eigenvalue of the twist (Pa): `(psi_0 + psi_1) / (s_0 + s_1)`.
    pub(super) twist: f64,
    /// Eigenvalue of the flip (Pa): `(psi_0 - psi_1) / (s_0 - s_1)`, in a form that does not
    /// cancel.
    pub(super) flip: f64,
}

/// Eigenpairs of `dP/dF` at `F = U diag(s) V^T`: eigenvalues (Pa) and orthonormal matrices.
#[inline]
pub(super) fn modes(polar: &Polar, principal: &Principal) -> Modes {
    let [a, b, d] = principal.hessian;
    let [(first, e), (second, g)] = symmetric_eigen2(a, b, d);

    // Two stretches, the twist and the flip.
    [
        (first, polar.diagonal(e.x, e.y)),
        (second, polar.diagonal(g.x, g.y)),
        (principal.twist, polar.twist() * FRAC_1_SQRT_2),
        (principal.flip, polar.flip() * FRAC_1_SQRT_2),
    ]
}

/// Second derivatives of `psi` at given stretches in space (Pa).
pub(super) struct PrincipalInSpace {
    /// Hessian of `psi` in the two stretches in the plane and the one across (Pa).
    pub(super) hessian: Matrix3<f64>,
    /// As in [`Principal`].
    pub(super) twist: f64,
    /// As in [`Principal`].
    pub(super) flip: f64,
}

/// Eigenpairs of the second derivative by `F = U diag(s) V^T` and the stretch across. NaN where an entry
/// is not finite.
///
/// Without shear across the plane the twists and flips of the third direction have no part in it: three
/// stretches, one twist and one flip are left.
pub(super) fn space_modes(polar: &Polar, principal: &PrincipalInSpace) -> SpaceModes {
    let hessian = &principal.hessian;
    if !hessian.iter().all(|entry| entry.is_finite()) {
        return [(f64::NAN, Mat2::zeros(), 0.0); 5];
    }
    let eigen = SymmetricEigen::new(*hessian);
    let stretch = |k: usize| {
        let along = eigen.eigenvectors.column(k);
        let plane = polar.diagonal(along[0], along[1]);
        (eigen.eigenvalues[k], plane, along[2])
    };
    [
        stretch(0),
        stretch(1),
        stretch(2),
        (principal.twist, polar.twist() * FRAC_1_SQRT_2, 0.0),
        (principal.flip, polar.flip() * FRAC_1_SQRT_2, 0.0),
    ]
}

/// Eigenpairs of a symmetric operator on 2x2 matrices, column by column, and one more number. NaN where
/// an entry is not finite.
pub(super) fn space_modes_of(matrix: &Matrix5<f64>) -> SpaceModes {
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return [(f64::NAN, Mat2::zeros(), 0.0); 5];
    }
    let eigen = SymmetricEigen::new((matrix + matrix.transpose()) * 0.5);
    std::array::from_fn(|k| {
        let mode = eigen.eigenvectors.column(k);
        let plane = Mat2::from_iterator(mode.iter().copied().take(4));
        (eigen.eigenvalues[k], plane, mode[4])
    })
}

/// Eigenpairs of a symmetric operator on 2x2 matrices, from the matrix that maps their entries,
/// column by column: eigenvalues (Pa) and orthonormal matrices. NaN where an entry is not finite.
pub(super) fn modes_of(matrix: &Matrix4<f64>) -> Modes {
    // An iteration for eigenvalues would not end with numbers that are not finite.
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return [(f64::NAN, Mat2::zeros()); 4];
    }
    let eigen = SymmetricEigen::new((matrix + matrix.transpose()) * 0.5);
    std::array::from_fn(|k| {
        let mode = eigen.eigenvectors.column(k);
        let mode = Mat2::from_iterator(mode.iter().copied());
        (eigen.eigenvalues[k], mode)
    })
}
