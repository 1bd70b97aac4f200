//! Elements in the lanes of a register, and one by one where a lane does not tell.
//!
//! There are no closures here: what is not inlined is not compiled for the processor's vectors.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vectors"
)]

use super::{Batch, LocalEnergy};
use crate::math::Vec2;
use crate::math::lanes::{Arch, Lanes, MOST, Simd, WithSimd};

/// An energy with a form that does as many elements from `start` on as there are lanes; the last one of a batch fills what is
/// left over.
pub trait SideBySide<const N: usize>: LocalEnergy<N> {
    /// Values, and numbers that are not negative where they hold. `None` if these elements have no such form.
    fn value_lanes<S: Simd>(simd: S, batch: &Batch<Self, N>, start: usize)
    -> Option<[Lanes<S>; 2]>;

    /// Gradients, and the same numbers.
    fn gradient_lanes<S: Simd>(
        simd: S,
        batch: &Batch<Self, N>,
        start: usize,
    ) -> Option<GradientLanes<S, N>>;
}

/// Gradients vertex by vertex, and numbers that are not negative where they hold.
pub type GradientLanes<S, const N: usize> = ([[Lanes<S>; 2]; N], Lanes<S>);

/// [`LocalEnergy::values`] of an energy that has lanes.
pub fn values<E: SideBySide<N>, const N: usize>(batch: Batch<E, N>, out: &mut [f64]) {
    Arch::new().dispatch(Values { batch, out });
}

/// [`LocalEnergy::gradients`] of an energy that has lanes.
pub fn gradients<E: SideBySide<N>, const N: usize>(batch: Batch<E, N>, out: &mut [[Vec2; N]]) {
    Arch::new().dispatch(Gradients { batch, out });
}

struct Values<'a, E, const N: usize> {
    batch: Batch<'a, E, N>,
    out: &'a mut [f64],
}

struct Gradients<'a, E, const N: usize> {
    batch: Batch<'a, E, N>,
    out: &'a mut [[Vec2; N]],
}

impl<E: SideBySide<N>, const N: usize> WithSimd for Values<'_, E, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { batch, out } = self;
        for (c, out) in out.chunks_mut(S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let [values, tells] = match E::value_lanes(simd, &batch, start) {
                Some(lanes) => Lanes::lists(lanes),
                None => [[-1.0; MOST]; 2],
            };
            for (l, out) in out.iter_mut().enumerate() {
                let k = start + l;
                *out = if tells[l] >= 0.0 {
                    values[l]
                } else {
                    batch.elements[k].value(&batch.at(k))
                };
            }
        }
    }
}

impl<E: SideBySide<N>, const N: usize> WithSimd for Gradients<'_, E, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { batch, out } = self;
        for (c, out) in out.chunks_mut(S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let (mut parts, mut tells) = ([[[0.0; MOST]; 2]; N], [-1.0; MOST]);
            if let Some((lanes, tell)) = E::gradient_lanes(simd, &batch, start) {
                for (part, lanes) in parts.iter_mut().zip(lanes) {
                    *part = Lanes::lists(lanes);
                }
                tell.store(&mut tells);
            }
            for (l, out) in out.iter_mut().enumerate() {
                if tells[l] >= 0.0 {
                    for (vertex, part) in out.iter_mut().zip(&parts) {
                        *vertex = Vec2::new(part[0][l], part[1][l]);
                    }
                } else {
                    *out = batch.elements[start + l].gradient(&batch.at(start + l));
                }
            }
        }
    }
}
