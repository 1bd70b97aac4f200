//! Noise, differences and full matrices: the plain arithmetic that derivatives are compared with.

use crate::body::{Configuration, Coordinates};
use ipcsim_energy::{Curvature, Energy};
use ipcsim_math::{Mat2, Vec2};
use nalgebra::{DMatrix, DVector};

/// Numbers in `[-1, 1]` from a linear congruential generator, the same on every machine.
pub(super) struct Noise(pub(super) u64);

impl Noise {
    /// The next number in `[-1, 1]`.
    fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// A field with noise of the amplitude `by` on top.
    pub(super) fn shaken(&mut self, q: &[Vec2], by: f64) -> Vec<Vec2> {
        q.iter()
            .map(|q| q + Vec2::new(self.number(), self.number()) * by)
            .collect()
    }
}

/// Configuration of the coordinates `q`.
pub(super) fn configuration(coordinates: &Coordinates, q: Vec<Vec2>) -> Configuration {
    let mut x = vec![Vec2::zeros(); coordinates.vertices()];
    coordinates.positions(&q, &mut x);
    Configuration { q, x }
}

/// Components of a vector field, one after another.
pub(super) fn flat(field: &[Vec2]) -> DVector<f64> {
    DVector::from_iterator(2 * field.len(), field.iter().flat_map(|v| [v.x, v.y]))
}

/// `f(q)` with component `k` of `q` moved, once up and once down.
pub(super) fn around<T>(q: &[Vec2], k: usize, step: f64, f: impl Fn(Vec<Vec2>) -> T) -> [T; 2] {
    [step, -step].map(|by| {
        let mut moved = q.to_vec();
        moved[k / 2][k % 2] += by;
        f(moved)
    })
}

/// Jacobian `dx/dq` by central differences.
pub(super) fn jacobian(coordinates: &Coordinates, q: &[Vec2]) -> DMatrix<f64> {
    let step = 1e-6;
    let columns = (0..2 * q.len()).map(|k| {
        let [after, before] = around(q, k, step, |q| flat(&configuration(coordinates, q).x));
        (after - before) / (2.0 * step)
    });
    DMatrix::from_columns(&columns.collect::<Vec<_>>())
}

/// Hessian of an energy with respect to its own variables, as a full matrix.
pub(super) fn dense(energy: &dyn Energy, x: &[Vec2], curvature: Curvature) -> DMatrix<f64> {
    let mut blocks = vec![Mat2::zeros(); energy.block_count()];
    energy.hessian(0..energy.element_count(), x, 1.0, curvature, &mut blocks);
    let mut full = DMatrix::zeros(2 * x.len(), 2 * x.len());

    // Each block, and its transpose on the other side of the diagonal.
    for ([i, j], block) in energy.blocks().into_iter().zip(blocks) {
        let mut place = full.fixed_view_mut::<2, 2>(2 * i, 2 * j);
        place += block;
        if i != j {
            let mut place = full.fixed_view_mut::<2, 2>(2 * j, 2 * i);
            place += block.transpose();
        }
    }
    full
}
