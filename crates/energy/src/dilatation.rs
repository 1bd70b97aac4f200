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

use super::Curvature;
use crate::material::Volumetric;
use crate::patch_sum::{LONGEST_OUTLINE, Nodes, PatchEnergy};
use ipcsim_math::elementary::{cos, sin};
use ipcsim_math::{Mat2, Vec2, outer};
use std::f64::consts::TAU;

/// Sides of a patch between the nodes of its outline, in order counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// Straight sides from each node to the next, as of linear triangles.
    Straight,
    /// Three parabolas: of six nodes 0, 2, 4 are corners, the others are on the sides.
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
/// With the thickness `t` the volume is `v = t/4 sum_ij s_ij x_i x x_j` over the nodes of the
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
pub struct Dilatation {
    /// Energy density of the change of volume.
    law: Volumetric,
    /// Sides of the patch.
    outline: Outline,
    /// Volume at rest (m^3).
    volume: f64,
    /// Thickness (m).
    thickness: f64,
    /// Rows 0 and 1 of `A`, by the distance from the diagonal; rows repeat with period 2.
    magnitude: [[f64; LONGEST_OUTLINE]; 2],
    /// Triangles of the patch, facets of a quadratic one included, by numbers of vertices.
    triangles: Vec<[usize; 3]>,
}

impl Dilatation {
    /// Patch with nodes `rest` (m) on its outline, at most 16, a thickness (m), and the `triangles` in
    /// it.
    pub fn new(
        law: Volumetric,
        outline: Outline,
        rest: &[Vec2],
        thickness: f64,
        triangles: Vec<[usize; 3]>,
    ) -> Self {
        let n = rest.len();

        // Two rows of the circulant matrix suffice: corners and middles of sides take turns.
        let mut magnitude = [[0.0; LONGEST_OUTLINE]; 2];
        for (i, row) in magnitude.iter_mut().enumerate() {
            for (ahead, entry) in row.iter_mut().enumerate().take(n) {
                *entry = outline.magnitude(i, ahead, n);
            }
        }
        let mut made = Self {
            law,
            outline,
            volume: 0.0,
            thickness,
            magnitude,
            triangles,
        };
        made.volume = made.enclosed(rest);
        made
    }
}

/// Number of places from node `i` ahead to node `j` of an outline with `n` nodes.
fn ahead(i: usize, j: usize, n: usize) -> usize {
    if j >= i { j - i } else { j + n - i }
}

/// `T v` with `T = [[0, 1], [-1, 0]]`.
fn turned(v: Vec2) -> Vec2 {
    Vec2::new(v.y, -v.x)
}

impl PatchEnergy for Dilatation {
    fn law(&self) -> &Volumetric {
        &self.law
    }

    fn volume(&self) -> f64 {
        self.volume
    }

    /// Derivative of the volume with respect to each node (m^2): `t/2 sum_j s_ij T x_j`, by positions
    /// from node 0, so that the distance from the origin adds no rounding.
    fn slopes(&self, x: &[Vec2]) -> Nodes {
        let n = x.len();
        let slope = |i: usize| {
            let weights = (0..n).map(|j| self.outline.weight(i, ahead(i, j, n), n));
            // A node has few neighbours with a weight. A zero less in the sum does not change its bits.
            let near = x.iter().zip(weights).filter(|(_, weight)| *weight != 0.0);
            let parts = near.map(|(x_j, weight)| (x_j - x[0]) * weight);
            turned(parts.sum()) * (0.5 * self.thickness)
        };
        (0..n).map(slope).collect()
    }

    /// Volume (m^3), half of the sum of `x_i . dv_i`: it is bilinear.
    fn enclosed(&self, x: &[Vec2]) -> f64 {
        let parts = x.iter().zip(self.slopes(x));
        0.5 * parts
            .map(|(x_i, slope)| (x_i - x[0]).dot(&slope))
            .sum::<f64>()
    }

    /// The curvature of the law along `dv`, plus `even` times `A (x) I` and `uneven` times `s (x) T` (both
    /// N/m). Both parts are projected by themselves, and a law that softens counts as 0.
    fn hessian(&self, x: &[Vec2], curvature: Curvature, scale: f64, blocks: &mut [Mat2]) {
        let [stress, bent] = self.stress_and_slope(x);
        let force = 0.25 * self.thickness * stress;
        let (bent, even, uneven) = match curvature {
            Curvature::Projected => (bent.max(0.0), force.abs(), force),
            Curvature::Exact => (bent, 0.0, 0.5 * self.thickness * stress),
        };

        // The lower triangle, row by row.
        let n = x.len();
        let slopes = self.slopes(x);
        let mut slots = blocks.iter_mut();
        for i in 0..n {
            let steep = slopes[i] * (bent / self.volume);
            for (j, slot) in (0..=i).zip(&mut slots) {
                let ahead = ahead(i, j, n);
                let own = self.magnitude[i % 2][ahead] * even;
                let turn = self.outline.weight(i, ahead, n) * uneven;
                *slot = (outer(steep, slopes[j]) + Mat2::new(own, turn, -turn, own)) * scale;
            }
        }
    }

    fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    /// The volume at rest grows by the square of the factor.
    fn resized(&self, factor: f64) -> Option<Self> {
        Some(Self {
            volume: self.volume * (factor * factor),
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests;
