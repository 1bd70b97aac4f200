//! Mean dilatation of patches of a body of revolution.
//!
//! With `J = v / V` the derivatives are
//!
//! `dE/dx = U'(J) dv/dx`, `d2E/dx2 = U''(J) / V (dv/dx)(dv/dx)^T + U'(J) d2v/dx2`
//!
//! and `U'(J)` is the mean stress in the patch (Pa). The second part of the Hessian is
//! indefinite, since the volume is a cubic polynomial. One constraint on the volume for each
//! patch, instead of one for each point, keeps nearly incompressible materials from locking.

use super::side;
use crate::dilatation::Outline;
use crate::material::Volumetric;
use crate::{Batched, LocalEnergy, Stressed};
use ipcsim_math::{Mat2, PlaneTensor, Vec2, outer};
use nalgebra::{DMatrix, SymmetricEigen};

/// Energy `V U(v / V)` (J) of a patch whose volume of the full turn is `V` at rest and `v` now (m^3).
///
/// As [`Dilatation`](crate::Dilatation), with the volume of revolution within the outline, a cubic
/// polynomial of its nodes. It is the exact volume of linear and of quadratic triangles, whatever points
/// the rest of the law is taken at. The Hessian is projected by its eigenvalues.
#[derive(Clone, Debug)]
pub struct RevolvedDilatation<const N: usize> {
    /// Energy density of the change of volume.
    law: Volumetric,
    /// Sides of the patch.
    outline: Outline,
    /// Volume at rest (m^3).
    volume: f64,
    /// Triangles of the patch, facets of a quadratic one included, by numbers of vertices.
    triangles: Vec<[usize; 3]>,
}

impl<const N: usize> RevolvedDilatation<N> {
    /// Patch with nodes `rest` (m) on its outline and the `triangles` in it.
    pub fn new(
        law: Volumetric,
        outline: Outline,
        rest: &[Vec2; N],
        triangles: Vec<[usize; 3]>,
    ) -> Self {
        let mut made = Self {
            law,
            outline,
            volume: 0.0,
            triangles,
        };
        made.volume = made.enclosed(rest);
        made
    }

    /// Nodes of the straight side that begins at node `i`.
    ///
    /// The last side ends at node 0.
    fn straight(i: usize) -> [usize; 2] {
        [i, (i + 1) % N]
    }

    /// Nodes of the parabola that begins at corner `i`.
    ///
    /// Corners and middles take turns along the outline: corner, middle, corner.
    fn parabola(i: usize) -> [usize; 3] {
        [i, i + 1, (i + 2) % N]
    }

    /// Volume within the outline (m^3).
    ///
    /// It is the sum over the sides of `pi int r^2 y' ds`, for an outline that runs
    /// counter-clockwise.
    fn enclosed(&self, x: &[Vec2; N]) -> f64 {
        match self.outline {
            Outline::Straight => {
                let sides = (0..N).map(|i| side::volume(&Self::straight(i).map(|k| x[k])));
                sides.sum()
            }
            Outline::Parabolas => {
                let corners = (0..N).step_by(2);
                let sides = corners.map(|i| side::volume(&Self::parabola(i).map(|k| x[k])));
                sides.sum()
            }
        }
    }

    /// Derivative of the volume with respect to each node (m^2).
    fn slopes(&self, x: &[Vec2; N]) -> [Vec2; N] {
        let mut sums = [Vec2::zeros(); N];
        match self.outline {
            Outline::Straight => {
                for own in (0..N).map(Self::straight) {
                    add(&own, &side::slopes(&own.map(|k| x[k])), &mut sums);
                }
            }
            Outline::Parabolas => {
                for own in (0..N).step_by(2).map(Self::parabola) {
                    add(&own, &side::slopes(&own.map(|k| x[k])), &mut sums);
                }
            }
        }
        sums
    }

    /// Second derivatives of the volume (m).
    fn curvature(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        let mut sums = [[Mat2::zeros(); N]; N];
        match self.outline {
            Outline::Straight => {
                for own in (0..N).map(Self::straight) {
                    add_blocks(&own, &side::curvature(&own.map(|k| x[k])), &mut sums);
                }
            }
            Outline::Parabolas => {
                for own in (0..N).step_by(2).map(Self::parabola) {
                    add_blocks(&own, &side::curvature(&own.map(|k| x[k])), &mut sums);
                }
            }
        }
        sums
    }

    /// `bent / V dv dv^T` and the blocks `rest` together (N/m).
    fn second(&self, x: &[Vec2; N], bent: f64, rest: &[[Mat2; N]; N]) -> [[Mat2; N]; N] {
        let slopes = self.slopes(x);
        std::array::from_fn(|i| {
            std::array::from_fn(|j| outer(slopes[i] * (bent / self.volume), slopes[j]) + rest[i][j])
        })
    }
}

/// Adds vectors of the nodes of a side.
///
/// `nodes` are their numbers on the outline.
fn add<const K: usize>(nodes: &[usize; K], own: &[Vec2; K], sums: &mut [Vec2]) {
    for (&node, part) in nodes.iter().zip(own) {
        sums[node] += part;
    }
}

/// Adds blocks of the nodes of a side.
fn add_blocks<const K: usize, const N: usize>(
    nodes: &[usize; K],
    own: &[[Mat2; K]; K],
    sums: &mut [[Mat2; N]; N],
) {
    for (&i, row) in nodes.iter().zip(own) {
        for (&j, block) in nodes.iter().zip(row) {
            sums[i][j] += block;
        }
    }
}

/// Positive semi-definite part of `scale` times a symmetric matrix of blocks.
pub(crate) fn positive_part<const N: usize>(blocks: &[[Mat2; N]; N], scale: f64) -> [[Mat2; N]; N] {
    let whole = DMatrix::from_fn(2 * N, 2 * N, |i, j| {
        blocks[i / 2][j / 2][(i % 2, j % 2)] * scale
    });
    if !whole.iter().all(|entry| entry.is_finite()) {
        return [[Mat2::repeat(f64::NAN); N]; N];
    }

    // Products of the modes with a positive eigenvalue.
    let eigen = SymmetricEigen::new(whole);
    let mut sums = [[Mat2::zeros(); N]; N];
    for (k, &value) in eigen.eigenvalues.iter().enumerate() {
        if value <= 0.0 {
            continue;
        }
        let mode = eigen.eigenvectors.column(k);
        let parts: [Vec2; N] = std::array::from_fn(|i| Vec2::new(mode[2 * i], mode[2 * i + 1]));
        for (row, left) in sums.iter_mut().zip(parts) {
            for (block, right) in row.iter_mut().zip(parts) {
                *block += outer(left * value, right);
            }
        }
    }
    sums
}

/// Blocks times a factor.
pub(crate) fn scaled<const N: usize>(blocks: &[[Mat2; N]; N], scale: f64) -> [[Mat2; N]; N] {
    blocks.map(|row| row.map(|block| block * scale))
}

impl<const N: usize> LocalEnergy<N> for RevolvedDilatation<N> {
    const NAME: &'static str = "elastic";

    /// Energy (J), infinite if the patch has no volume.
    fn value(&self, x: &[Vec2; N]) -> f64 {
        self.volume * self.law.value(self.enclosed(x) / self.volume)
    }

    fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N] {
        let [stress, _] = self.law.slopes(self.enclosed(x) / self.volume);
        self.slopes(x).map(|slope| slope * stress)
    }

    fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        let [stress, bent] = self.law.slopes(self.enclosed(x) / self.volume);
        let curved = positive_part(&self.curvature(x), stress);
        self.second(x, bent.max(0.0), &curved)
    }

    fn exact_hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        let [stress, bent] = self.law.slopes(self.enclosed(x) / self.volume);
        self.second(x, bent, &scaled(&self.curvature(x), stress))
    }

    /// Mean stress in the triangles of the patch, in all directions.
    fn stresses(&self, _stencil: &[usize; N], x: &[Vec2; N], out: &mut Vec<Stressed>) {
        let [stress, _] = self.law.slopes(self.enclosed(x) / self.volume);
        let even = PlaneTensor::new(&(Mat2::identity() * stress), stress);
        out.extend(self.triangles.iter().map(|&triangle| Stressed {
            triangle,
            middle: even,
            corners: [even; 3],
        }));
    }
}

impl<const N: usize> Batched<N> for RevolvedDilatation<N> {}
