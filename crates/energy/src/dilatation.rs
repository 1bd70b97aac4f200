//! Mean dilatation: the energy of the volume of a patch as a whole.
//!
//! A nearly incompressible material hardly changes its volume. If every triangle keeps its own, a
//! mesh has about as many conditions as unknowns and locks. So the energy of the volume takes the
//! mean of `J` over a patch: a quadratic triangle, or a few linear ones. The rest of the law, which
//! has only the stiffness of shear ([`Split`](crate::material::Split)), stays an energy of each
//! triangle.
//!
//! The mean of `J` over a patch, weighted by volumes at rest, is the volume of the patch over that at
//! rest. That is a polynomial of the nodes on the outline: the shoelace formula. Three points of
//! quadrature give it exactly in a quadratic triangle as well, since `J` times the area at rest is
//! quadratic there. The energy therefore knows no points and no triangles, only an outline.
//!
//! | question | answer of this file |
//! |---|---|
//! | every `J > 0` | by the other part of the law, at each point; this energy is infinite if the patch has no volume |
//! | gradient, Hessian | exact derivatives: the volume is bilinear in positions |
//! | projection | per patch, in closed form |
//! | stress | the same mean stress in all triangles of the patch, besides their shear |
//!
//! Classical F-bar changes `F` at each point and has stresses of no energy, hence no line search.

use super::{Batched, LocalEnergy, Stressed};
use crate::material::Volumetric;
use ipcsim_math::elementary::{cos, sin};
use ipcsim_math::{Mat2, PlaneTensor, Vec2, outer};
use std::f64::consts::TAU;

/// Sides of a patch between the nodes of its outline, in order counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// Straight sides from each node to the next, as of linear triangles.
    Straight,
    /// Three parabolas: nodes 0, 2, 4 are corners, the others are on the sides. `N` must be 6.
    Parabolas,
}

impl Outline {
    /// Weight `s_ij` in twice the enclosed area, `1/2 sum_ij s_ij x_i x x_j` with `s_ji = -s_ij`, for
    /// the node `ahead = j - i` (modulo `n`) places ahead of node `i`.
    ///
    /// For a chord `a x b`; for a parabola `4/3 (a x m + m x b) - 1/3 a x b`.
    fn weight(self, i: usize, ahead: usize, n: usize) -> f64 {
        let is_corner = i.is_multiple_of(2);
        match self {
            Self::Straight if ahead == 1 => 1.0,
            Self::Straight if ahead + 1 == n => -1.0,
            Self::Parabolas if ahead == 1 => 4.0 / 3.0,
            Self::Parabolas if ahead + 1 == n => -4.0 / 3.0,
            Self::Parabolas if ahead == 2 && is_corner => -1.0 / 3.0,
            Self::Parabolas if ahead + 2 == n && is_corner => 1.0 / 3.0,
            _ => 0.0,
        }
    }

    /// Entry of `A = sqrt(s^T s)`, as for [`Outline::weight`].
    ///
    /// With straight sides `s` is circulant and has the eigenvalues `2 i sin(2 pi k / n)`. With
    /// parabolas it is a 2x2 matrix in each of two waves around the outline, with the eigenvalues
    /// `-i (a +- d) / 2`, where `d = sqrt(65/3)` and the product of both is `-16/3`. Hence
    /// `A = (s^T s + 16/3 P) / d` with the projection `P` on these waves.
    fn magnitude(self, i: usize, ahead: usize, n: usize) -> f64 {
        match self {
            Self::Straight => {
                let waves = (0..n).map(|k| TAU * k as f64 / n as f64);
                let parts = waves.map(|w| 2.0 * sin(w).abs() * cos(w * ahead as f64));
                parts.sum::<f64>() / n as f64
            }
            Self::Parabolas => {
                // Row i of s^T s, which is -s s.
                let parts = (0..n).map(|by| {
                    let between = (i + by) % n;
                    let rest = (ahead + n - by) % n;
                    self.weight(i, by, n) * self.weight(between, rest, n)
                });
                let square = -parts.sum::<f64>();
                let of_waves = match ahead {
                    0 => 2.0 / 3.0,
                    _ if ahead.is_multiple_of(2) => -1.0 / 3.0,
                    _ => 0.0,
                };
                (square + 16.0 / 3.0 * of_waves) / (65.0_f64 / 3.0).sqrt()
            }
        }
    }
}

/// Energy `V U(v / V)` (J) of a patch whose volume is `V` at rest and `v` now (m^3), with the energy
/// density `U` of a change of volume.
///
/// With the thickness `t` the volume is `v = t/4 sum_ij s_ij x_i x x_j` over the `N` nodes of the
/// outline ([`Outline`]). The mean stress is `p = U'(v / V)` (Pa, positive in tension), the gradient
/// `p dv`, and the Hessian
///
/// `U''/V dv dv^T + p t/2 (s (x) T)` with `T = [[0, 1], [-1, 0]]`.
///
/// The second part has the positive part `|p| t/4 (A (x) I) + p t/4 (s (x) T)` with
/// `A = sqrt(s^T s)`, because `(s (x) T)^2 = s^T s (x) I`; the first is positive where `U'' > 0`.
///
/// Source: Nagtegaal, Parks and Rice 1974; Simo, Taylor and Pister 1985, "Variational and projection
/// methods for the volume constraint in finite deformation elasto-plasticity", section 3; for patches
/// of linear triangles de Souza Neto, Andrade Pires and Owen 2005.
#[derive(Clone, Debug)]
pub struct Dilatation<const N: usize> {
    /// Energy density of the change of volume.
    law: Volumetric,
    /// Sides of the patch.
    outline: Outline,
    /// Volume at rest (m^3).
    volume: f64,
    /// Thickness (m).
    thickness: f64,
    /// Rows 0 and 1 of `A`, by the distance from the diagonal; rows repeat with period 2.
    magnitude: [[f64; N]; 2],
    /// Triangles of the patch, facets of a quadratic one included, by numbers of vertices.
    triangles: Vec<[usize; 3]>,
}

impl<const N: usize> Dilatation<N> {
    /// Patch with nodes `rest` (m) on its outline, a thickness (m), and the `triangles` in it.
    pub fn new(
        law: Volumetric,
        outline: Outline,
        rest: &[Vec2; N],
        thickness: f64,
        triangles: Vec<[usize; 3]>,
    ) -> Self {
        let row = |i| std::array::from_fn(|ahead| outline.magnitude(i, ahead, N));
        let mut made = Self {
            law,
            outline,
            volume: 0.0,
            thickness,
            magnitude: [row(0), row(1)],
            triangles,
        };
        made.volume = made.enclosed(rest);
        made
    }

    /// Weight `s_ij` of two nodes.
    fn weight(&self, i: usize, j: usize) -> f64 {
        self.outline.weight(i, (j + N - i) % N, N)
    }

    /// Derivative of the volume with respect to each node (m^2): `t/2 sum_j s_ij T x_j`, by positions
    /// from node 0, so that the distance from the origin adds no rounding.
    fn slopes(&self, x: &[Vec2; N]) -> [Vec2; N] {
        std::array::from_fn(|i| {
            let parts = (0..N).map(|j| (x[j] - x[0]) * self.weight(i, j));
            turned(parts.sum()) * (0.5 * self.thickness)
        })
    }

    /// Volume (m^3), half of the sum of `x_i . dv_i`: it is bilinear.
    fn enclosed(&self, x: &[Vec2; N]) -> f64 {
        let parts = x.iter().zip(self.slopes(x));
        0.5 * parts
            .map(|(x_i, slope)| (x_i - x[0]).dot(&slope))
            .sum::<f64>()
    }

    /// Mean stress (Pa), positive in tension.
    fn mean_stress(&self, x: &[Vec2; N]) -> f64 {
        let [slope, _] = self.law.slopes(self.enclosed(x) / self.volume);
        slope
    }

    /// Hessian with the curvature `bent` (Pa) of the law along `dv`, plus `even` times `A (x) I`
    /// and `uneven` times `s (x) T` (both N/m).
    fn second(&self, x: &[Vec2; N], bent: f64, even: f64, uneven: f64) -> [[Mat2; N]; N] {
        let slopes = self.slopes(x);
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let own = self.magnitude[i % 2][(j + N - i) % N] * even;
                let turn = self.weight(i, j) * uneven;
                let steep = outer(slopes[i] * (bent / self.volume), slopes[j]);
                steep + Mat2::new(own, turn, -turn, own)
            })
        })
    }
}

/// `T v` with `T = [[0, 1], [-1, 0]]`.
fn turned(v: Vec2) -> Vec2 {
    Vec2::new(v.y, -v.x)
}

impl<const N: usize> LocalEnergy<N> for Dilatation<N> {
    const NAME: &'static str = "elastic";

    /// Energy (J), infinite if the patch has no volume.
    fn value(&self, x: &[Vec2; N]) -> f64 {
        self.volume * self.law.value(self.enclosed(x) / self.volume)
    }

    fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N] {
        let stress = self.mean_stress(x);
        self.slopes(x).map(|slope| slope * stress)
    }

    fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        let [stress, bent] = self.law.slopes(self.enclosed(x) / self.volume);
        let force = 0.25 * self.thickness * stress;
        // Both parts are projected by themselves, and a law that softens counts as 0.
        self.second(x, bent.max(0.0), force.abs(), force)
    }

    fn exact_hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        let [stress, bent] = self.law.slopes(self.enclosed(x) / self.volume);
        self.second(x, bent, 0.0, 0.5 * self.thickness * stress)
    }

    /// The volume at rest grows by the square of the factor.
    fn resized(&self, factor: f64) -> Option<Self> {
        Some(Self {
            volume: self.volume * (factor * factor),
            ..self.clone()
        })
    }

    /// Mean stress in the triangles of the patch, in all directions: the part of their stress that is
    /// not of shear.
    fn stresses(&self, _stencil: &[usize; N], x: &[Vec2; N], out: &mut Vec<Stressed>) {
        let stress = self.mean_stress(x);
        let even = PlaneTensor::new(&(Mat2::identity() * stress), stress);
        out.extend(self.triangles.iter().map(|&triangle| Stressed {
            triangle,
            middle: even,
            corners: [even; 3],
        }));
    }
}

impl<const N: usize> Batched<N> for Dilatation<N> {}

#[cfg(test)]
mod tests;
