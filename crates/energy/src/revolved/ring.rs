//! A point of an element, which turns about the axis as a ring.
//!
//! The deformation gradient in space is block diagonal, `F` in the half-plane and the stretch
//! `1 + g` around the axis with the growth `g = sum_i h_i r_i - 1`. The law is asked at this
//! growth ([`Distortable`]), and gives the stress `P` in the half-plane and `P_33` around the
//! axis. With the volume `V` of the full turn at rest
//!
//! `E = V psi(F, g)`, `dE/dx_i = V (P b_i + P_33 h_i e_r)`.
//!
//! `b_i` and `h_i` belong to the shape at rest and are computed once.

use super::inverse_transposed;
use crate::material::{Distortable, Distortion, Flow};
use ipcsim_math::{Mat2, PlaneTensor, Vec2, outer};
use ipcsim_mesh::Point;
use std::f64::consts::TAU;

/// Point of an element with `N` nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring<L, const N: usize> {
    /// Law of the material there.
    pub(super) law: L,
    /// Volume at rest of the full turn, `2 pi R` times the area of the point (m^3).
    pub(super) volume: f64,
    /// Derivatives `b_i` of the deformation gradient in the half-plane by the nodes (1/m).
    pub(super) b: [Vec2; N],
    /// Derivatives `h_i = N_i / R` of the stretch around the axis by the radii of the nodes (1/m).
    pub(super) h: [f64; N],
}

/// State of a ring at given positions.
///
/// The law is a copy at the growth of the ring, so that its functions need only `F`.
struct At<L> {
    /// Law at the stretch around the axis.
    law: L,
    /// Deformation gradient in the half-plane.
    f: Mat2,
}

/// Deformation gradient `F = sum_i x_i b_i^T`, by positions from node 0.
pub(super) fn deformation<const N: usize>(x: &[Vec2; N], b: &[Vec2; N]) -> Mat2 {
    let parts = x.iter().zip(b).skip(1);
    parts.map(|(node, b)| outer(node - x[0], *b)).sum()
}

impl<L: Distortable> Ring<L, 6> {
    /// Ring at a point of a quadratic triangle with nodes `rest` (m).
    ///
    /// The radius of the point is the sum of the radii of the nodes times its shape functions; it
    /// is not 0, since points are inside of the triangle.
    pub(super) fn of_point(law: L, point: &Point, rest: &[Vec2; 6]) -> Self {
        let parts = rest.iter().zip(point.shapes);
        let radius: f64 = parts.map(|(node, shape)| node.x * shape).sum();
        Self {
            law,
            volume: TAU * radius * point.area,
            b: point.b,
            h: point.shapes.map(|shape| shape / radius),
        }
    }
}

impl<L: Distortable, const N: usize> Ring<L, N> {
    /// Growth `r / R - 1` of the ring (1), of the elastic part where the material is distorted.
    fn growth(&self, x: &[Vec2; N]) -> f64 {
        let parts = x.iter().zip(self.h);
        parts.map(|(node, h)| node.x * h).sum::<f64>() - 1.0
    }

    /// State at the positions `x` (m).
    fn at(&self, x: &[Vec2; N]) -> At<L> {
        At {
            law: self.law.stretched_across(self.growth(x)),
            f: deformation(x, &self.b),
        }
    }

    /// Energy (J) of the full turn, infinite where the ring has no radius.
    ///
    /// A law need not know this bound: it may be finite at a negative stretch.
    pub(super) fn value(&self, x: &[Vec2; N]) -> f64 {
        let growth = self.growth(x);
        if growth <= -1.0 || growth.is_nan() {
            return f64::INFINITY;
        }
        let At { law, f } = self.at(x);
        self.volume * law.energy_density(&f)
    }

    /// Adds the gradient `V (P b_i + P_33 h_i e_r)` of each node (N).
    pub(super) fn add_gradient(&self, x: &[Vec2; N], gradient: &mut [Vec2; N]) {
        let At { law, f } = self.at(x);
        let nominal = law.stress(&f) * self.volume;
        let around = law.stress_across(&f) * self.volume;
        for ((sum, b), h) in gradient.iter_mut().zip(&self.b).zip(self.h) {
            *sum += nominal * b;
            sum.x += around * h;
        }
    }

    /// Adds the Hessian (N/m). Eigenvalues of the law below `least` (Pa) count as `least`.
    ///
    /// A mode with the parts `Q` in the half-plane and `q` around the axis changes by
    /// `(Q b_i + q h_i e_r) . dx` where node `i` moves by `dx`.
    pub(super) fn add_hessian(&self, x: &[Vec2; N], least: f64, hessian: &mut [[Mat2; N]; N]) {
        let At { law, f } = self.at(x);
        for (value, mode, part) in law.space_modes(&f) {
            let weight = value.max(least) * self.volume;
            let moved: [Vec2; N] = std::array::from_fn(|i| {
                let mut along = mode * self.b[i];
                along.x += part * self.h[i];
                along
            });
            for (row, left) in hessian.iter_mut().zip(moved) {
                for (block, right) in row.iter_mut().zip(moved) {
                    *block += outer(left * weight, right);
                }
            }
        }
    }

    /// Cauchy stress (Pa), with the one around the axis across the plane.
    pub(super) fn cauchy(&self, x: &[Vec2; N]) -> PlaneTensor {
        let At { law, f } = self.at(x);
        law.cauchy(&f)
    }

    /// The ring of a material with this distortion `G`: its volume grows by `det G`, `b_i` becomes
    /// `G^-T b_i`, and `h_i` is divided by the part of `G` around the axis.
    pub(super) fn distorted(&self, distortion: &Distortion) -> Self {
        let inverse = inverse_transposed(&distortion.plane);
        Self {
            law: self.law.distorted(distortion),
            volume: self.volume * distortion.volume(),
            b: self.b.map(|b| inverse * b),
            h: self.h.map(|h| h / distortion.across),
        }
    }

    /// Flow of a step that ends at the positions `x` (m).
    pub(super) fn flow(&self, x: &[Vec2; N]) -> Option<Flow> {
        let At { law, f } = self.at(x);
        law.flow(&f)
    }
}
