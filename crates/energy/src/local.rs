//! Energies of a few vertices: the interface that a new energy implements.

use super::{AddProduct, Curvature};
use ipcsim_math::{Mat2, PlaneTensor, Vec2};

/// Cauchy stress in a triangle (Pa).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stressed {
    /// Vertices of the triangle.
    pub triangle: [usize; 3],
    /// Stress at its middle.
    pub middle: PlaneTensor,
    /// Stress at its corners; with constant strain all have the same one.
    pub corners: [PlaneTensor; 3],
}

/// Energy of one element with `N` vertices: all that the author of a new energy writes.
///
/// An energy depends on positions only. The sum over all elements, the threads and the layout of
/// the Hessian are written once, in [`Summed`](super::Summed). To take part in a sum an energy also
/// needs an `impl Batched<N>`, which is empty unless several elements are to be computed at once
/// (see [`Batched`](super::Batched)).
///
/// ```
/// use ipcsim_energy::{Batched, Energy, LocalEnergy, Summed};
/// use ipcsim_math::{Mat2, Vec2};
///
/// /// A vertex pulled to the origin: `k/2 |x|^2`.
/// struct Anchor {
///     k: f64,
/// }
///
/// impl LocalEnergy<1> for Anchor {
///     const NAME: &'static str = "anchor";
///
///     fn value(&self, [x]: &[Vec2; 1]) -> f64 {
///         0.5 * self.k * x.norm_squared()
///     }
///
///     fn gradient(&self, [x]: &[Vec2; 1]) -> [Vec2; 1] {
///         [x * self.k]
///     }
///
///     fn hessian(&self, _: &[Vec2; 1]) -> [[Mat2; 1]; 1] {
///         [[Mat2::identity() * self.k]]
///     }
/// }
///
/// impl Batched<1> for Anchor {}
///
/// let mut anchors = Summed::default();
/// anchors.push([1], Anchor { k: 3.0 });
/// assert_eq!(anchors.value(&[Vec2::zeros(), Vec2::new(0.0, 2.0)]), 6.0);
/// ```
pub trait LocalEnergy<const N: usize>: Send + Sync + Sized {
    /// Name of the energy's column in `energies.csv`.
    const NAME: &'static str;

    /// Energy at the positions `x` (J); infinite outside its domain.
    fn value(&self, x: &[Vec2; N]) -> f64;

    /// Derivative of the energy with respect to each position (N). The force on a vertex is its
    /// negative.
    fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N];

    /// Second derivatives (N/m), projected onto the positive semi-definite matrices: block `[i][j]`
    /// belongs to vertices `i` and `j`.
    fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N];

    /// Second derivatives (N/m) without projection, for bodies whose vertices move on arcs.
    ///
    /// The curvature of arcs is balanced by negative curvature of energies, which projection
    /// removes. The default is the projected Hessian, for energies where the difference is of
    /// little use.
    fn exact_hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        self.hessian(x)
    }

    /// The Hessian of a kind as a sum of few products of vectors,
    ///
    /// `sum_k w_k / 2 (a_k b_k^T + b_k a_k^T)`,
    ///
    /// each added by `add(w, a, b)` with a vector for each vertex. False, and nothing is added, if
    /// it is not such a sum; this is the default. Elements between rigid bodies, of six
    /// coordinates, are assembled from products with less work than from blocks.
    fn products(&self, _x: &[Vec2; N], _curvature: Curvature, _add: &mut AddProduct) -> bool {
        false
    }

    /// Largest fraction in `[0, 1]` of the motion `p` (m) from `x` (m) on which the energy stays in
    /// its domain. The default is 1, for energies that are finite everywhere.
    fn max_step(&self, _x: &[Vec2; N], _p: &[Vec2; N]) -> f64 {
        1.0
    }

    /// True if the stored positions `x` (m) are in the domain of the energy.
    ///
    /// The end of a motion that [`LocalEnergy::max_step`] allows is rounded when it is stored,
    /// possibly to positions outside the domain. The default is true.
    fn admits(&self, _x: &[Vec2; N]) -> bool {
        true
    }

    /// The element whose shape at rest is `factor` (1) times as large, of the same thickness: its energy at
    /// `x` is `factor^2` times that of this element at `x / factor`. The default is `None`, for energies
    /// without such a shape.
    fn resized(&self, _factor: f64) -> Option<Self> {
        None
    }

    /// Appends the Cauchy stress in the triangles of an element with these vertices at positions `x`
    /// (m): one triangle, the four facets of a quadratic one, or none for other elements.
    fn stresses(&self, _stencil: &[usize; N], _x: &[Vec2; N], _out: &mut Vec<Stressed>) {}
}
