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
use crate::Curvature;
use crate::dilatation::Outline;
use crate::material::Volumetric;
use crate::patch_sum::{Nodes, PatchEnergy};
use ipcsim_math::{Mat2, Vec2, outer};
use nalgebra::{DMatrix, SymmetricEigen};

/// Energy `V U(v / V)` (J) of a patch whose volume of the full turn is `V` at rest and `v` now (m^3).
///
/// As [`Dilatation`](crate::Dilatation), with the volume of revolution within the outline, a cubic
/// polynomial of its nodes. It is the exact volume of linear and of quadratic triangles, whatever points
/// the rest of the law is taken at. The Hessian is projected by its eigenvalues.
#[derive(Clone, Debug)]
pub struct RevolvedDilatation {
    /// Energy density of the change of volume.
    law: Volumetric,
    /// Sides of the patch.
    outline: Outline,
    /// Volume at rest (m^3).
    volume: f64,
    /// Triangles of the patch, facets of a quadratic one included, by numbers of vertices.
    triangles: Vec<[usize; 3]>,
}

/// Nodes of the straight side that begins at node `i` of `n`.
///
/// The last side ends at node 0.
fn straight(i: usize, n: usize) -> [usize; 2] {
    [i, (i + 1) % n]
}

/// Nodes of the parabola that begins at corner `i`.
///
/// Corners and middles take turns along the outline: corner, middle, corner.
fn parabola(i: usize, n: usize) -> [usize; 3] {
    [i, i + 1, (i + 2) % n]
}

impl RevolvedDilatation {
    /// Patch with nodes `rest` (m) on its outline and the `triangles` in it.
    pub fn new(
        law: Volumetric,
        outline: Outline,
        rest: &[Vec2],
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

    /// Second derivatives of the volume (m), row by row.
    fn curvature(&self, x: &[Vec2]) -> Vec<Mat2> {
        let n = x.len();
        let mut sums = vec![Mat2::zeros(); n * n];
        match self.outline {
            Outline::Straight => {
                for own in (0..n).map(|i| straight(i, n)) {
                    add_blocks(&own, &side::curvature(&own.map(|k| x[k])), n, &mut sums);
                }
            }
            Outline::Parabolas => {
                for own in (0..n).step_by(2).map(|i| parabola(i, n)) {
                    add_blocks(&own, &side::curvature(&own.map(|k| x[k])), n, &mut sums);
                }
            }
        }
        sums
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

/// Adds blocks of the nodes of a side to those of all `n` nodes.
fn add_blocks<const K: usize>(
    nodes: &[usize; K],
    own: &[[Mat2; K]; K],
    n: usize,
    sums: &mut [Mat2],
) {
    for (&i, row) in nodes.iter().zip(own) {
        for (&j, block) in nodes.iter().zip(row) {
            sums[i * n + j] += block;
        }
    }
}

/// Positive semi-definite part of `scale` times a symmetric matrix of blocks, of elements of any size.
pub(crate) fn positive_part<const N: usize>(blocks: &[[Mat2; N]; N], scale: f64) -> [[Mat2; N]; N] {
    let part = positive_part_of(blocks.as_flattened(), N, scale);
    std::array::from_fn(|i| std::array::from_fn(|j| part[i * N + j]))
}

/// Positive semi-definite part of `scale` times a symmetric matrix of `n` rows of blocks, row by row.
fn positive_part_of(blocks: &[Mat2], n: usize, scale: f64) -> Vec<Mat2> {
    let whole = DMatrix::from_fn(2 * n, 2 * n, |i, j| {
        blocks[i / 2 * n + j / 2][(i % 2, j % 2)] * scale
    });
    if !whole.iter().all(|entry| entry.is_finite()) {
        return vec![Mat2::repeat(f64::NAN); n * n];
    }

    // Products of the modes with a positive eigenvalue.
    let eigen = SymmetricEigen::new(whole);
    let mut sums = vec![Mat2::zeros(); n * n];
    for (k, &value) in eigen.eigenvalues.iter().enumerate() {
        if value <= 0.0 {
            continue;
        }
        let mode = eigen.eigenvectors.column(k);
        let part = |i: usize| Vec2::new(mode[2 * i], mode[2 * i + 1]);
        for (i, row) in sums.chunks_exact_mut(n).enumerate() {
            for (j, block) in row.iter_mut().enumerate() {
                *block += outer(part(i) * value, part(j));
            }
        }
    }
    sums
}

/// Blocks times a factor.
pub(crate) fn scaled<const N: usize>(blocks: &[[Mat2; N]; N], scale: f64) -> [[Mat2; N]; N] {
    blocks.map(|row| row.map(|block| block * scale))
}

impl PatchEnergy for RevolvedDilatation {
    fn law(&self) -> &Volumetric {
        &self.law
    }

    fn volume(&self) -> f64 {
        self.volume
    }

    /// Volume within the outline (m^3).
    ///
    /// It is the sum over the sides of `pi int r^2 y' ds`, for an outline that runs
    /// counter-clockwise.
    fn enclosed(&self, x: &[Vec2]) -> f64 {
        let n = x.len();
        match self.outline {
            Outline::Straight => (0..n)
                .map(|i| side::volume(&straight(i, n).map(|k| x[k])))
                .sum(),
            Outline::Parabolas => (0..n)
                .step_by(2)
                .map(|i| side::volume(&parabola(i, n).map(|k| x[k])))
                .sum(),
        }
    }

    /// Derivative of the volume with respect to each node (m^2).
    fn slopes(&self, x: &[Vec2]) -> Nodes {
        let n = x.len();
        let mut sums = Nodes::from_elem(Vec2::zeros(), n);
        match self.outline {
            Outline::Straight => {
                for own in (0..n).map(|i| straight(i, n)) {
                    add(&own, &side::slopes(&own.map(|k| x[k])), &mut sums);
                }
            }
            Outline::Parabolas => {
                for own in (0..n).step_by(2).map(|i| parabola(i, n)) {
                    add(&own, &side::slopes(&own.map(|k| x[k])), &mut sums);
                }
            }
        }
        sums
    }

    fn hessian(&self, x: &[Vec2], curvature: Curvature, scale: f64, blocks: &mut [Mat2]) {
        let n = x.len();
        let [stress, bent] = self.stress_and_slope(x);

        // A law that softens counts as 0 where its part is projected.
        let mut rest = self.curvature(x);
        let bent = match curvature {
            Curvature::Projected => {
                rest = positive_part_of(&rest, n, stress);
                bent.max(0.0)
            }
            Curvature::Exact => {
                for block in &mut rest {
                    *block *= stress;
                }
                bent
            }
        };

        // The lower triangle, row by row.
        let slopes = self.slopes(x);
        let mut slots = blocks.iter_mut();
        for i in 0..n {
            let steep = slopes[i] * (bent / self.volume);
            for (j, slot) in (0..=i).zip(&mut slots) {
                *slot = (outer(steep, slopes[j]) + rest[i * n + j]) * scale;
            }
        }
    }

    fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    fn resized(&self, _factor: f64) -> Option<Self> {
        None
    }
}
