//! Triangles in the lanes of a register. Those of laws that have no such form, and those that are inverted or need a projection
//! by modes, are done one by one.
//!
//! There are no closures here: what is not inlined is not compiled for the processor's vectors.

use super::{Batch, Blocks, LocalEnergy, Triangle, blocks, corners, deformation, symmetric, times};
use crate::energy::write_lower;
use crate::material::{Hyperelastic, Lame, Response};
use crate::math::lanes::{Lanes, MOST, Real, Simd, WithSimd};
use crate::math::{Mat2, Vec2};

/// Energies of triangles.
pub(super) struct Values<'a, L> {
    pub(super) batch: Batch<'a, Triangle<L>, 3>,
    pub(super) out: &'a mut [f64],
}

/// Their gradients.
pub(super) struct Gradients<'a, L> {
    pub(super) batch: Batch<'a, Triangle<L>, 3>,
    pub(super) out: &'a mut [[Vec2; 3]],
}

/// `scale` times the lower triangles of their projected Hessians.
pub(super) struct Hessians<'a, L> {
    pub(super) batch: Batch<'a, Triangle<L>, 3>,
    pub(super) scale: f64,
    pub(super) blocks: &'a mut [Mat2],
}

/// Blocks of a triangle's lower triangle.
const LOWER: usize = 6;

/// Triangles side by side.
struct Group<T> {
    /// Derivatives `b` of `F`.
    b: [T; 4],
    volume: T,
    f: [T; 4],
    response: Response<T>,
}

/// As many triangles from `start` on as there are lanes; the last one fills what is left over.
#[inline(always)]
fn group<L: Hyperelastic, S: Simd>(simd: S, batch: &Batch<Triangle<L>, 3>, start: usize) -> Option<Group<Lanes<S>>> {
    let mut numbers = [[0.0; MOST]; 13];
    for l in 0..S::F64_LANES {
        let k = (start + l).min(batch.elements.len() - 1);
        let Triangle { law, volume, b: [b, c] } = &batch.elements[k];
        let ([x0, y0, x1, y1, x2, y2], Lame { mu, lambda }) = (corners(&batch.at(k)), law.lame());
        let own = [x0, y0, x1, y1, x2, y2, b.x, b.y, c.x, c.y, *volume, mu, lambda];
        for (number, own) in numbers.iter_mut().zip(own) {
            number[l] = own;
        }
    }
    let [x0, y0, x1, y1, x2, y2, bx, by, cx, cy, volume, mu, lambda] = Lanes::load_all(simd, &numbers);
    let b = [bx, by, cx, cy];
    let f = deformation(&[x0, y0, x1, y1, x2, y2], &b);
    match L::response([mu, lambda], &f) {
        Some(response) => Some(Group { b, volume, f, response }),
        None => None,
    }
}

impl<L: Hyperelastic> WithSimd for Values<'_, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { batch, out } = self;
        for (c, out) in out.chunks_mut(S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let [values, j] = match group(simd, &batch, start) {
                Some(Group { volume, response, .. }) => Lanes::lists([response.density * volume, response.j]),
                None => [[0.0; MOST]; 2],
            };
            for (l, out) in out.iter_mut().enumerate() {
                *out = if j[l] >= f64::MIN_POSITIVE {
                    values[l]
                } else {
                    batch.elements[start + l].value(&batch.at(start + l))
                };
            }
        }
    }
}

impl<L: Hyperelastic> WithSimd for Gradients<'_, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { batch, out } = self;
        for (c, out) in out.chunks_mut(S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let [x0, y0, x1, y1, x2, y2, j] = match group(simd, &batch, start) {
                Some(Group { b, volume, response, .. }) => {
                    let [p0, p1, p2, p3] = response.stress;
                    let stress = [p0 * volume, p1 * volume, p2 * volume, p3 * volume];
                    let ([x1, y1], [x2, y2]) = (times(&stress, [b[0], b[1]]), times(&stress, [b[2], b[3]]));
                    Lanes::lists([(x1 + x2) * -1.0, (y1 + y2) * -1.0, x1, y1, x2, y2, response.j])
                }
                None => [[0.0; MOST]; 7],
            };
            for (l, out) in out.iter_mut().enumerate() {
                *out = if j[l] >= f64::MIN_POSITIVE {
                    [Vec2::new(x0[l], y0[l]), Vec2::new(x1[l], y1[l]), Vec2::new(x2[l], y2[l])]
                } else {
                    batch.elements[start + l].gradient(&batch.at(start + l))
                };
            }
        }
    }
}

impl<L: Hyperelastic> WithSimd for Hessians<'_, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { batch, scale, blocks: out } = self;
        for (c, out) in out.chunks_mut(LOWER * S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let ([a, b, d], e, [g, h, i], [slack]) = match group(simd, &batch, start) {
                Some(Group { b, volume, f, response }) => {
                    let Blocks { h11, h12, h22 } = blocks(&f, &b, &response.tangent, volume * scale);
                    let tells = response.j.if_below(f64::MIN_POSITIVE, volume * -1.0, response.slack);
                    (Lanes::lists(h11), Lanes::lists(h12), Lanes::lists(h22), Lanes::lists([tells]))
                }
                None => ([[0.0; MOST]; 3], [[0.0; MOST]; 4], [[0.0; MOST]; 3], [[-1.0; MOST]]),
            };
            for (l, out) in out.chunks_exact_mut(LOWER).enumerate() {
                if slack[l] >= 0.0 {
                    let (h11, h22) = (symmetric([a[l], b[l], d[l]]), symmetric([g[l], h[l], i[l]]));
                    let h21 = Mat2::new(e[0][l], e[1][l], e[2][l], e[3][l]);
                    let (h10, h20) = (-h11 - h21.transpose(), -h21 - h22);
                    out.copy_from_slice(&[-h10 - h20, h10, h11, h20, h21, h22]);
                } else {
                    write_lower(&batch.elements[start + l].hessian(&batch.at(start + l)), scale, out);
                }
            }
        }
    }
}
