//! Interface of a hyperelastic law: energy density, stress and the eigenpairs of its derivative.
//!
//! Every law has the three functions for one `F`. A law that is evaluated often adds
//! [`Hyperelastic::response`]: all three at once in a form without branches, which also runs in the
//! lanes of a register. Its tangent is projected in closed form, where at most the twist needs
//! projection; the slack says where that holds. Elsewhere the eigenpairs are used.

use ipcsim_math::lanes::{Lanes, MOST, Real, Simd, put};
use ipcsim_math::{Mat2, PlaneTensor};

/// Derivative `dP/dF`, a symmetric operator on 2x2 matrices, as four eigenvalues (Pa) with
/// orthonormal eigenmatrices.
///
/// If negative eigenvalues are replaced by zero, the operator is positive semi-definite, and so is
/// any Hessian made of it.
pub type Modes = [(f64, Mat2); 4];

/// Second derivative of an energy by `F` and the stretch across the plane, as five eigenvalues (Pa)
/// with the parts of the eigenvector in the plane and across, which are orthonormal together.
pub type SpaceModes = [(f64, Mat2, f64); 5];

/// Projected derivative of stress,
/// `dP = identity dF + cofactor cof(dF) + volume C (C : dF) + twist T (T : dF)`.
///
/// Here `C = cof F`, and `T` is the twist: the unit mode of an infinitesimal rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent<T> {
    /// Factor of `dF` itself (Pa).
    pub identity: T,
    /// Factor of the cofactor matrix of `dF` (Pa).
    pub cofactor: T,
    /// Factor of the change of volume, `C (C : dF)` (Pa).
    pub volume: T,
    /// Factor of the twist (Pa). It lifts the twist's eigenvalue `identity + cofactor` to 0 where
    /// that is negative.
    pub twist: T,
}

/// Response of a law to one deformation gradient with `J > 0`, or to several side by side.
#[derive(Clone, Copy, Debug)]
pub struct Response<T> {
    /// Ratio of volumes `J = det F` (1).
    pub j: T,
    /// Energy density `psi` (Pa).
    pub density: T,
    /// First Piola-Kirchhoff stress `P` (Pa), column by column.
    pub stress: [T; 4],
    /// Projected derivative of stress; not valid where the slack is negative.
    pub tangent: Tangent<T>,
    /// Negative where an eigenvalue besides the twist may be negative.
    pub slack: T,
}

/// List of numbers `[f64; P]` that a law depends on, and the same list in lanes of a register.
pub trait Parameters {
    /// List with another type of entry: `[T; P]`.
    type Of<T: Copy>: Copy;

    /// Lists for every lane, all zero.
    const ZERO: Self::Of<[f64; MOST]>;

    /// Writes the parameters of one element to a lane.
    fn put(lists: &mut Self::Of<[f64; MOST]>, lane: usize, own: Self::Of<f64>);

    /// Loads the parameters of several elements into registers.
    fn load<S: Simd>(simd: S, lists: &Self::Of<[f64; MOST]>) -> Self::Of<Lanes<S>>;
}

impl<const P: usize> Parameters for [f64; P] {
    type Of<T: Copy> = [T; P];

    const ZERO: [[f64; MOST]; P] = [[0.0; MOST]; P];

    #[inline(always)]
    fn put(lists: &mut [[f64; MOST]; P], lane: usize, own: [f64; P]) {
        put(lists, lane, own);
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, lists: &[[f64; MOST]; P]) -> [Lanes<S>; P] {
        Lanes::load_all(simd, lists)
    }
}

/// Hyperelastic law: stress is the derivative of an energy density.
pub trait Hyperelastic: Copy + Send + Sync {
    /// Type of the parameters of [`Hyperelastic::response`]: `[f64; P]`, and `[f64; 0]` for a law
    /// without that form.
    type Parameters: Parameters;

    /// Energy per rest area and thickness `psi(F)` (Pa); infinite outside the law's domain.
    fn energy_density(&self, f: &Mat2) -> f64;

    /// First Piola-Kirchhoff stress `P = dpsi/dF` (Pa), force for each length at rest and
    /// thickness. It is arbitrary outside the law's domain.
    fn stress(&self, f: &Mat2) -> Mat2;

    /// First Piola-Kirchhoff stress across the plane, `P_33 = dpsi/dF_33` (Pa), of the law's energy
    /// in space at `F_33 = 1`: it keeps a body in plane strain from changing its thickness. Of a
    /// law in plane stress it has no meaning: that stress is 0.
    fn stress_across(&self, f: &Mat2) -> f64;

    /// Elastic stretch across the plane, `F_33` (1): in plane strain 1, unless heat or flow has
    /// changed the thickness that the material has without stress; in plane stress the stretch that
    /// leaves no stress across, but 1 for `linear`, whose stress does not tell areas from those at
    /// rest.
    fn thickness(&self, _f: &Mat2) -> f64 {
        1.0
    }

    /// Cauchy stress `P F^T / (t J)` (Pa) with `J = det F` and the stretch `t` across, and across the
    /// plane `P_33 / J`.
    ///
    /// It follows from the stress whose products with gradients are the forces on vertices, so that
    /// fields and forces cannot differ. Of a law that is not invariant under rotation, `linear`, it
    /// is the symmetric part; the other part is smaller by the product of a strain and a rotation.
    fn cauchy(&self, f: &Mat2) -> PlaneTensor {
        let j = f.determinant();
        let volume = j * self.thickness(f);
        let in_plane = self.stress(f) * f.transpose() / volume;
        PlaneTensor::new(&in_plane, self.stress_across(f) / j)
    }

    /// Eigenvalues (Pa) and eigenmatrices of `dP/dF`, in any order.
    fn modes(&self, f: &Mat2) -> Modes;

    /// Parameters that [`Hyperelastic::response`] takes, the same for every `F`.
    fn parameters(&self) -> <Self::Parameters as Parameters>::Of<f64>;

    /// Projected derivative of stress in closed form, where at most the twist has a negative
    /// eigenvalue. `None` elsewhere, and if the law has no [`Hyperelastic::response`].
    #[inline]
    fn tangent(&self, f: &Mat2) -> Option<Tangent<f64>> {
        self.respond(f)
            .filter(|response| response.slack >= 0.0)
            .map(|response| response.tangent)
    }

    /// [`Hyperelastic::response`] to one deformation gradient; `None` unless `J > 0`.
    #[inline]
    fn respond(&self, f: &Mat2) -> Option<Response<f64>> {
        Self::response(self.parameters(), &[f.m11, f.m21, f.m12, f.m22])
            .filter(|response| response.j >= f64::MIN_POSITIVE)
    }

    /// Energy density, stress and projected tangent at `F` (column by column), in a form without
    /// branches that runs in the lanes of a register. `None` if the law has no such form.
    #[inline(always)]
    fn response<T: Real>(
        _parameters: <Self::Parameters as Parameters>::Of<T>,
        _f: &[T; 4],
    ) -> Option<Response<T>> {
        None
    }
}

/// Cofactor matrix `cof F = J F^-T`, the derivative of `J = det F`.
#[inline]
pub(crate) fn cofactor(f: &Mat2) -> Mat2 {
    Mat2::new(f.m22, -f.m21, -f.m12, f.m11)
}

/// Multiple of the twist `T = U [[0,-1],[1,0]] V^T / sqrt 2` of `F = U diag(s) V^T`, and its
/// squared norm `2 (s_0 + s_1)^2`.
///
/// `F` is the sum of a scaled rotation `[[a,-b],[b,a]]` and a part orthogonal to all of these. `T`
/// is the scaled rotation, turned by a quarter.
#[inline(always)]
pub(crate) fn twist<T: Real>(f: &[T; 4]) -> ([T; 4], T) {
    let a = f[0] + f[3];
    let b = f[1] - f[2];
    ([b * -1.0, a, a * -1.0, b * -1.0], (a * a + b * b) * 2.0)
}
