//! Several elements at once, one in each lane of a vector register.
//!
//! An energy that has such a form implements [`LaneEnergy`], and its [`Batched`](super::Batched)
//! calls [`values`] and [`gradients`]. These go through a batch register by register. Some elements
//! need decisions that lanes cannot make, such as inverted triangles. They are flagged by a
//! negative validity and computed one by one.
//!
//! Functions here have no closures: only what is inlined is compiled for the processor's vectors.

use super::{Batch, LocalEnergy};
use ipcsim_math::Vec2;
use ipcsim_math::lanes::{Lanes, MOST, Simd, WithSimd, arch};

/// Energy with a form that computes several elements in the lanes of registers.
///
/// Functions compute as many elements of a batch from `start` on as there are lanes; where the
/// batch ends earlier its last element fills the other lanes. They return `None` if these elements
/// have no common form.
///
/// Each result comes with a number per lane, which is negative or NaN where the result is not
/// valid; such elements are computed by [`LocalEnergy`] instead. Valid results must have the same
/// bits as the results of [`LocalEnergy`].
pub trait LaneEnergy<const N: usize>: LocalEnergy<N> {
    /// Energies (J) and their validity, in this order.
    fn value_lanes<S: Simd>(simd: S, batch: &Batch<Self, N>, start: usize)
    -> Option<[Lanes<S>; 2]>;

    /// Gradients (N) and their validity.
    fn gradient_lanes<S: Simd>(
        simd: S,
        batch: &Batch<Self, N>,
        start: usize,
    ) -> Option<GradientLanes<S, N>>;
}

/// Gradients vertex by vertex and axis by axis (N), and their validity.
pub type GradientLanes<S, const N: usize> = ([[Lanes<S>; 2]; N], Lanes<S>);

/// Writes the energy (J) of each element to `out`, as [`Batched::values`](super::Batched::values)
/// does.
pub fn values<E: LaneEnergy<N>, const N: usize>(batch: Batch<E, N>, out: &mut [f64]) {
    arch().dispatch(Values { batch, out });
}

/// Writes the gradient (N) of each element to `out`, as
/// [`Batched::gradients`](super::Batched::gradients) does.
pub fn gradients<E: LaneEnergy<N>, const N: usize>(batch: Batch<E, N>, out: &mut [[Vec2; N]]) {
    arch().dispatch(Gradients { batch, out });
}

/// Arguments of [`values`], for the dispatch to a processor's vectors.
struct Values<'a, E, const N: usize> {
    /// Elements to evaluate, and the positions.
    batch: Batch<'a, E, N>,
    /// Energy of each element (J).
    out: &'a mut [f64],
}

/// Arguments of [`gradients`], for the dispatch to a processor's vectors.
struct Gradients<'a, E, const N: usize> {
    /// Elements to evaluate, and the positions.
    batch: Batch<'a, E, N>,
    /// Gradient of each element (N).
    out: &'a mut [[Vec2; N]],
}

impl<E: LaneEnergy<N>, const N: usize> WithSimd for Values<'_, E, N> {
    type Output = ();

    /// Evaluates the batch by registers, and elements without a valid result one by one.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { batch, out } = self;
        for (c, out) in out.chunks_mut(S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let [values, validity] = match E::value_lanes(simd, &batch, start) {
                Some(lanes) => Lanes::lists(lanes),
                // Without a common form a negative validity has them computed one by one.
                None => [[-1.0; MOST]; 2],
            };

            for (lane, out) in out.iter_mut().enumerate() {
                let k = start + lane;
                *out = if validity[lane] >= 0.0 {
                    values[lane]
                } else {
                    batch.elements[k].value(&batch.at(k))
                };
            }
        }
    }
}

impl<E: LaneEnergy<N>, const N: usize> WithSimd for Gradients<'_, E, N> {
    type Output = ();

    /// Evaluates the batch by registers, and elements without a valid result one by one.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { batch, out } = self;
        for (c, out) in out.chunks_mut(S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let mut parts = [[[0.0; MOST]; 2]; N];
            let mut validity = [-1.0; MOST];
            if let Some((lanes, valid)) = E::gradient_lanes(simd, &batch, start) {
                for (part, lanes) in parts.iter_mut().zip(lanes) {
                    *part = Lanes::lists(lanes);
                }
                valid.store(&mut validity);
            }

            for (lane, out) in out.iter_mut().enumerate() {
                if validity[lane] >= 0.0 {
                    for (vertex, part) in out.iter_mut().zip(&parts) {
                        *vertex = Vec2::new(part[0][lane], part[1][lane]);
                    }
                } else {
                    *out = batch.elements[start + lane].gradient(&batch.at(start + lane));
                }
            }
        }
    }
}
