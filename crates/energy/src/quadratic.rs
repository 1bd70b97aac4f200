//! Elasticity of quadratic triangles.
//!
//! The deformation gradient of a triangle with six nodes varies within it, linearly if its sides
//! are straight at rest. Its energy is a sum over three points. [`guard`] keeps the whole triangle
//! from turning over, which three points do not suffice for.
//!
//! | question | answer of this file |
//! |---|---|
//! | energy, gradient, Hessian | sums over three points, each projected by the law as for a linear triangle |
//! | largest step | a tenth of every coefficient of `J` is left, by roots of six quadratic polynomials |
//! | stored state | all coefficients are positive, with a bound of rounding |
//! | stress | at nodes and in the middles of facets, by the law itself: nothing is extrapolated |
//!
//! A mesh of these triangles and one of linear triangles on the same vertices have about the same
//! number of unknowns, but only the former bends as a continuum does.

mod guard;

use super::distorted::inverse_transposed;
use super::{Batched, LocalEnergy, Pointwise, Stressed};
use crate::material::{Distortable, Distortion, Flow, Hyperelastic, Tangent, twist};
use crate::tuning::JACOBIAN_KEPT;
pub(super) use guard::Guard;
use ipcsim_math::geometry::bernstein::{along, has_positive_coefficients};
use ipcsim_math::roots::first_positive_root;
use ipcsim_math::{Mat2, PlaneTensor, Vec2, cross, outer};
use ipcsim_mesh::{CORNERS_OF_FACETS, Point};

/// Elastic energy of a triangle with six nodes.
///
/// With `F = sum_i x_i b_i^T` at the points `p`, each with the volume `V_p` at rest (m^3), the energy
/// (J) is
///
/// `sum_p V_p psi(F_p) + G`
///
/// with the density `psi` of the law (Pa) and the guard `G`, which is 0 until some coefficient of
/// `J = det F` falls below a tenth of its value at rest. Three points integrate quadratic functions
/// of the place exactly, such as the energy of a linear law in a triangle with straight sides.
///
/// The domain has positive Bernstein coefficients of `J`
/// ([`bernstein`](ipcsim_math::geometry::bernstein)), so that `J > 0` everywhere in the triangle.
/// It leaves out triangles whose sides turn by more than about a right angle from end to end,
/// though in some of them `J` is positive as well.
///
/// Source: Zienkiewicz, Taylor and Zhu, "The Finite Element Method", chapters 3 and 5 for elements and
/// quadrature; a quadrature that is exact for quadratic functions keeps the order of quadratic
/// triangles, also with curved sides (Ciarlet 1978, "The Finite Element Method for Elliptic Problems",
/// section 4.4).
#[derive(Clone, Copy, Debug)]
pub struct QuadraticTriangle<L> {
    /// Law of the material at each point.
    laws: [L; 3],
    /// Nodes at rest (m).
    rest: [Vec2; 6],
    /// Volume of each point (m^3).
    volumes: [f64; 3],
    /// Derivatives `b_i` of `F` at each point (1/m).
    b: [[Vec2; 6]; 3],
    /// Barrier against turning over.
    guard: Guard,
    /// True if the points have distortions.
    is_distorted: bool,
}

impl<L: Hyperelastic> QuadraticTriangle<L> {
    /// Triangle with nodes `rest` (m), counter-clockwise corners first, and a thickness (m).
    pub fn new(law: L, rest: [Vec2; 6], thickness: f64) -> Self {
        let points = Point::of_gauss(&rest);

        // Modulus of uniaxial strain: the largest eigenvalue of the law at rest.
        let modes = law.modes(&Mat2::identity());
        let modulus = modes.iter().map(|mode| mode.0).fold(0.0, f64::max);
        Self {
            laws: [law; 3],
            rest,
            volumes: points.map(|point| point.area * thickness),
            b: points.map(|point| point.b),
            guard: Guard::new(&rest, modulus * thickness),
            is_distorted: false,
        }
    }

    /// Points with their laws, volumes (m^3), derivatives (1/m) and deformation gradients.
    fn points<'a>(&'a self, x: &'a [Vec2; 6]) -> impl Iterator<Item = At<'a, L>> + 'a {
        let points = self.laws.iter().zip(&self.volumes).zip(&self.b);
        points.map(|((law, &volume), b)| At {
            law,
            volume,
            b,
            f: deformation(x, b),
        })
    }

    /// Stress of the points, continued linearly to a place with the shares `l` of the corners (1).
    ///
    /// The points have the shares 2/3, 1/6 and 1/6, so that `sum_k (2 l_k - 1/3) f_k` is the linear
    /// function with the values `f_k` there. A distortion is known only at the points.
    fn continued(stresses: &[PlaneTensor; 3], l: [f64; 3]) -> PlaneTensor {
        let mut sum = PlaneTensor::default();
        for (&stress, share) in stresses.iter().zip(l) {
            sum += stress * (2.0 * share - 1.0 / 3.0);
        }
        sum
    }
}

/// A point of a triangle in a state.
struct At<'a, L> {
    /// Law of the material there.
    law: &'a L,
    /// Volume of the point (m^3).
    volume: f64,
    /// Derivatives of the deformation gradient by the nodes (1/m).
    b: &'a [Vec2; 6],
    /// Deformation gradient, without the distortion of the material.
    f: Mat2,
}

/// Deformation gradient `F = sum_i x_i b_i^T`, by the displacements from node 0, so that the distance
/// from the origin adds no rounding.
fn deformation(x: &[Vec2; 6], b: &[Vec2; 6]) -> Mat2 {
    let parts = x.iter().zip(b).skip(1);
    parts.map(|(node, b)| outer(node - x[0], *b)).sum()
}

/// Adds `weight (Q b_i)(Q b_j)^T` to all blocks, for a mode `Q` (2x2) of the derivative of stress.
///
/// A motion `dx` of node `i` changes `F` by `dx b_i^T`, whose part along the mode is `Q b_i . dx`. The
/// weight is an eigenvalue (Pa) times a volume (m^3).
fn add_mode(hessian: &mut [[Mat2; 6]; 6], mode: &Mat2, b: &[Vec2; 6], weight: f64) {
    let moved = b.map(|b| mode * b);
    for (row, left) in hessian.iter_mut().zip(moved) {
        for (block, right) in row.iter_mut().zip(moved) {
            *block += outer(left * weight, right);
        }
    }
}

/// Adds the Hessian of a point from the derivative of stress in closed form, see [`Tangent`]:
/// `identity (b_i . b_j) I + cofactor (b_i x b_j) K + volume g_i g_j^T + twist t_i t_j^T` with
/// `g_i = C b_i`, `t_i = T b_i` and `K = [[0, 1], [-1, 0]]`.
fn add_tangent(
    hessian: &mut [[Mat2; 6]; 6],
    f: &Mat2,
    b: &[Vec2; 6],
    tangent: &Tangent<f64>,
    volume: f64,
) {
    let swap = Mat2::new(0.0, 1.0, -1.0, 0.0);
    for (row, &left) in hessian.iter_mut().zip(b) {
        for (block, &right) in row.iter_mut().zip(b) {
            *block += Mat2::identity() * (tangent.identity * volume * left.dot(&right));
            *block += swap * (tangent.cofactor * volume * cross(left, right));
        }
    }

    let cofactor = Mat2::new(f.m22, -f.m21, -f.m12, f.m11);
    add_mode(hessian, &cofactor, b, tangent.volume * volume);
    if tangent.twist != 0.0 {
        let (mode, norm) = twist(&[f.m11, f.m21, f.m12, f.m22]);
        let mode = Mat2::from_column_slice(&mode);
        add_mode(hessian, &mode, b, tangent.twist * volume / norm);
    }
}

impl<L: Hyperelastic> LocalEnergy<6> for QuadraticTriangle<L> {
    const NAME: &'static str = "elastic";

    /// Energy (J), infinite where a coefficient of `J` is not positive.
    fn value(&self, x: &[Vec2; 6]) -> f64 {
        let guard = self.guard.value(x);
        // Laws need not have a value where the triangle turns over.
        if guard.is_infinite() {
            return guard;
        }
        let parts = self.points(x);
        let elastic: f64 = parts
            .map(|at| at.volume * at.law.energy_density(&at.f))
            .sum();
        elastic + guard
    }

    /// Gradient `sum_p V_p P b_i` for each node (N), and the gradient of the guard.
    fn gradient(&self, x: &[Vec2; 6]) -> [Vec2; 6] {
        let mut gradient = self.guard.gradient(x);
        for At { law, volume, b, f } in self.points(x) {
            let nominal = law.stress(&f) * volume;
            for (sum, b) in gradient.iter_mut().zip(b) {
                *sum += nominal * b;
            }
        }
        gradient
    }

    /// Hessian (N/m), projected point by point: from the closed form of the law where it has one,
    /// otherwise from its eigenmodes.
    fn hessian(&self, x: &[Vec2; 6]) -> [[Mat2; 6]; 6] {
        let mut hessian = self.guard.hessian(x);
        for At { law, volume, b, f } in self.points(x) {
            if let Some(tangent) = law.tangent(&f) {
                add_tangent(&mut hessian, &f, b, &tangent, volume);
                continue;
            }
            for (value, mode) in law.modes(&f) {
                add_mode(&mut hessian, &mode, b, value.max(0.0) * volume);
            }
        }
        hessian
    }

    /// Hessian (N/m) without projection.
    fn exact_hessian(&self, x: &[Vec2; 6]) -> [[Mat2; 6]; 6] {
        let mut hessian = self.guard.exact_hessian(x);
        for At { law, volume, b, f } in self.points(x) {
            // Without a closed form the law gives eigenpairs.
            if let Some(response) = law.respond(&f) {
                // The twist is the lift of the projection, which the exact form goes without.
                let tangent = Tangent {
                    twist: 0.0,
                    ..response.tangent
                };
                add_tangent(&mut hessian, &f, b, &tangent, volume);
                continue;
            }
            for (value, mode) in law.modes(&f) {
                add_mode(&mut hessian, &mode, b, value * volume);
            }
        }

        hessian
    }

    /// Largest fraction of the motion that leaves a tenth of each coefficient of `J`, hence a tenth
    /// of the bound of its smallest value.
    fn max_step(&self, x: &[Vec2; 6], p: &[Vec2; 6]) -> f64 {
        let steps = along(x, p).map(|[start, slope, curve]| {
            first_positive_root(curve, slope, (1.0 - JACOBIAN_KEPT) * start, 1.0).unwrap_or(1.0)
        });
        steps.into_iter().fold(1.0, f64::min)
    }

    /// True if `J > 0` on the whole triangle by its coefficients, in spite of rounding.
    fn admits(&self, x: &[Vec2; 6]) -> bool {
        has_positive_coefficients(x)
    }

    /// Volumes and the guard grow by the square of the factor, and `b_i` shrinks by the factor.
    fn resized(&self, factor: f64) -> Option<Self> {
        let square = factor * factor;
        Some(Self {
            rest: self.rest.map(|node| node * factor),
            volumes: self.volumes.map(|volume| volume * square),
            b: self.b.map(|own| own.map(|b| b / factor)),
            guard: self.guard.resized(square),
            ..*self
        })
    }

    /// Cauchy stress of the facets: at their middles and at their corners, which are nodes. It
    /// comes from the law there, or if the material is distorted, from the points by linear
    /// extrapolation.
    fn stresses(&self, nodes: &[usize; 6], x: &[Vec2; 6], out: &mut Vec<Stressed>) {
        let (at_nodes, at_middles) = Point::of_nodes_and_facets(&self.rest);
        let at_points = self.points(x).map(|at| at.law.cauchy(&at.f));
        let mut of_points = [PlaneTensor::default(); 3];
        for (own, stress) in of_points.iter_mut().zip(at_points) {
            *own = stress;
        }

        let stress_at = |point: &Point| {
            if self.is_distorted {
                Self::continued(&of_points, point.corners())
            } else {
                self.laws[0].cauchy(&deformation(x, &point.b))
            }
        };

        let at_nodes = at_nodes.map(|point| stress_at(&point));
        for (facet, point) in CORNERS_OF_FACETS.iter().zip(at_middles) {
            out.push(Stressed {
                triangle: facet.map(|i| nodes[i]),
                middle: stress_at(&point),
                corners: facet.map(|i| at_nodes[i]),
            });
        }
    }
}

impl<L: Distortable> Pointwise<6> for QuadraticTriangle<L> {
    const POINTS: usize = 3;

    fn flows(&self) -> bool {
        self.laws[0].flows()
    }

    /// The triangle with another shape at rest around each of its points. The guard against turning
    /// over still refers to the triangle at rest.
    fn distorted(&self, distortions: &[Distortion]) -> Self {
        let mut made = *self;
        for (k, distortion) in distortions.iter().enumerate().take(3) {
            let inverse = inverse_transposed(&distortion.plane);
            made.laws[k] = self.laws[k].distorted(distortion);
            made.volumes[k] *= distortion.volume();
            made.b[k] = self.b[k].map(|b| inverse * b);
            made.is_distorted = true;
        }
        made
    }

    fn flow(&self, x: &[Vec2; 6]) -> Vec<Option<Flow>> {
        self.points(x).map(|at| at.law.flow(&at.f)).collect()
    }

    /// The points are the middles of the facets at the corners; the facet between has their mean.
    fn in_triangles(values: &[f64]) -> Vec<f64> {
        let mean = values.iter().sum::<f64>() / 3.0;
        values.iter().copied().chain([mean]).collect()
    }
}

impl<L: Hyperelastic> Batched<6> for QuadraticTriangle<L> {}

#[cfg(test)]
mod tests;
