//! Triangles in the lanes of a register.
//!
//! The numbers of several triangles are gathered into registers ([`group`]), and the law's response
//! is computed for all of them at once. Triangles of laws without a form for lanes are computed one
//! by one, as are triangles that are inverted or need a projection by eigenmodes.
//!
//! Functions here have no closures: only what is inlined is compiled for the processor's vectors.

use super::formulas::{Blocks, blocks, corners, deformation, sides, size, spare_area, times};
use super::{Batch, LocalEnergy, Triangle, symmetric};
use crate::batched::write_lower;
use crate::material::{Hyperelastic, Parameters, Response};
use crate::simd::{GradientLanes, LaneEnergy};
use ipcsim_math::lanes::{Lanes, MOST, Real, Simd, WithSimd, put};
use ipcsim_math::{Mat2, Vec2};

/// Number of 2x2 blocks in the lower triangle of a triangle's Hessian.
const LOWER: usize = 6;

/// Rounding error of a determinant of differences relative to the sum of its products' sizes
/// (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric
/// predicates").
const DETERMINANT_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Arguments of [`Batched::hessians`](crate::Batched::hessians), for the dispatch to a
/// processor's vectors.
pub(super) struct Hessians<'a, L> {
    /// Triangles to evaluate, and the positions.
    pub(super) batch: Batch<'a, Triangle<L>, 3>,
    /// Factor of all blocks.
    pub(super) scale: f64,
    /// Lower triangle of each Hessian (N/m), row by row.
    pub(super) blocks: &'a mut [Mat2],
}

/// Arguments of [`Batched::max_steps`](crate::Batched::max_steps), for the dispatch.
pub(super) struct Steps<'a, L> {
    /// Triangles whose step is bounded, at its start.
    pub(super) batch: Batch<'a, Triangle<L>, 3>,
    /// Motion of all vertices (m).
    pub(super) p: &'a [Vec2],
    /// Largest fraction of the motion for each triangle.
    pub(super) out: &'a mut [f64],
}

/// Argument of [`Batched::admit`](crate::Batched::admit), for the dispatch.
pub(super) struct Admit<'a, L> {
    /// Triangles to test, at their stored positions.
    pub(super) batch: Batch<'a, Triangle<L>, 3>,
}

/// Triangles in lanes: their gathered numbers, and the response of their law.
#[derive(Clone, Copy)]
struct Group<T> {
    /// Derivatives `b_1` and `b_2` of `F` (1/m).
    b: [T; 4],
    /// Rest area times thickness, `A t` (m^3).
    volume: T,
    /// Deformation gradient, column by column.
    f: [T; 4],
    /// Energy density, stress and tangent.
    response: Response<T>,
}

/// Triangles from `start` on, one per lane; the last triangle of the batch fills lanes that are
/// left over. `None` if the law has no form for lanes.
#[inline(always)]
fn group<L: Hyperelastic, S: Simd>(
    simd: S,
    batch: &Batch<Triangle<L>, 3>,
    start: usize,
) -> Option<Group<Lanes<S>>> {
    let mut numbers = [[0.0; MOST]; 11];
    let mut parameters = L::Parameters::ZERO;
    for lane in 0..S::F64_LANES {
        let k = (start + lane).min(batch.elements.len() - 1);
        let Triangle {
            law,
            volume,
            b: [b, c],
        } = &batch.elements[k];
        let [x0, y0, x1, y1, x2, y2] = corners(&batch.at(k));
        let own = [x0, y0, x1, y1, x2, y2, b.x, b.y, c.x, c.y, *volume];
        put(&mut numbers, lane, own);
        L::Parameters::put(&mut parameters, lane, law.parameters());
    }

    let [x0, y0, x1, y1, x2, y2, bx, by, cx, cy, volume] = Lanes::load_all(simd, &numbers);
    let b = [bx, by, cx, cy];
    let f = deformation(&[x0, y0, x1, y1, x2, y2], &b);
    let response = L::response(L::Parameters::load(simd, &parameters), &f)?;
    Some(Group {
        b,
        volume,
        f,
        response,
    })
}

impl<L: Hyperelastic> LaneEnergy<3> for Triangle<L> {
    /// Energies `A t psi` (J); valid where `J` is a normal positive number.
    #[inline(always)]
    fn value_lanes<S: Simd>(
        simd: S,
        batch: &Batch<Self, 3>,
        start: usize,
    ) -> Option<[Lanes<S>; 2]> {
        let Group {
            volume, response, ..
        } = group(simd, batch, start)?;
        Some([response.density * volume, response.j - f64::MIN_POSITIVE])
    }

    /// Gradients `A t P b_i` (N); valid where `J` is a normal positive number.
    #[inline(always)]
    fn gradient_lanes<S: Simd>(
        simd: S,
        batch: &Batch<Self, 3>,
        start: usize,
    ) -> Option<GradientLanes<S, 3>> {
        let Group {
            b,
            volume,
            response,
            ..
        } = group(simd, batch, start)?;
        let [p0, p1, p2, p3] = response.stress;
        let stress = [p0 * volume, p1 * volume, p2 * volume, p3 * volume];
        let [x1, y1] = times(&stress, [b[0], b[1]]);
        let [x2, y2] = times(&stress, [b[2], b[3]]);
        let gradient = [[(x1 + x2) * -1.0, (y1 + y2) * -1.0], [x1, y1], [x2, y2]];
        Some((gradient, response.j - f64::MIN_POSITIVE))
    }
}

/// Blocks of the Hessians of triangles as lists of lanes, and their validity.
struct BlockLists {
    /// Block of vertex 1, its lower triangle.
    h11: [[f64; MOST]; 3],
    /// Block of vertices 1 and 2.
    h12: [[f64; MOST]; 4],
    /// Block of vertex 2, its lower triangle.
    h22: [[f64; MOST]; 3],
    /// Negative where the blocks are not valid.
    validity: [f64; MOST],
}

impl BlockLists {
    /// Lists without a valid block.
    const NONE: Self = Self {
        h11: [[0.0; MOST]; 3],
        h12: [[0.0; MOST]; 4],
        h22: [[0.0; MOST]; 3],
        validity: [-1.0; MOST],
    };

    /// Blocks times `scale`, with a negative validity where a triangle is inverted or the slack of
    /// the law is negative.
    #[inline(always)]
    fn new<S: Simd>(group: Group<Lanes<S>>, scale: f64) -> Self {
        let Group {
            b,
            volume,
            f,
            response,
        } = group;

        let Blocks { h11, h12, h22 } = blocks(&f, &b, &response.tangent, volume * scale);

        let inverted = volume * -1.0;
        let validity = response
            .j
            .if_below(f64::MIN_POSITIVE, inverted, response.slack);
        let [validity] = Lanes::lists([validity]);

        Self {
            h11: Lanes::lists(h11),
            h12: Lanes::lists(h12),
            h22: Lanes::lists(h22),
            validity,
        }
    }

    /// Lower triangle of the Hessian in one lane, row by row. The blocks of each row add up to
    /// zero.
    #[inline(always)]
    fn lower(&self, lane: usize) -> [Mat2; LOWER] {
        let [a, b, d] = self.h11;
        let h11 = symmetric([a[lane], b[lane], d[lane]]);
        let [a, b, d] = self.h22;
        let h22 = symmetric([a[lane], b[lane], d[lane]]);
        let e = &self.h12;
        let h21 = Mat2::new(e[0][lane], e[1][lane], e[2][lane], e[3][lane]);
        let h10 = -h11 - h21.transpose();
        let h20 = -h21 - h22;
        [-h10 - h20, h10, h11, h20, h21, h22]
    }
}

impl<L: Hyperelastic> WithSimd for Hessians<'_, L> {
    type Output = ();

    /// Writes the blocks of the Hessians: from lanes where they are valid, others one by one.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self {
            batch,
            scale,
            blocks: out,
        } = self;
        for (c, out) in out.chunks_mut(LOWER * S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let lists = match group(simd, &batch, start) {
                Some(group) => BlockLists::new(group, scale),
                None => BlockLists::NONE,
            };

            for (lane, out) in out.chunks_exact_mut(LOWER).enumerate() {
                if lists.validity[lane] >= 0.0 {
                    out.copy_from_slice(&lists.lower(lane));
                } else {
                    let k = start + lane;
                    write_lower(&batch.elements[k].hessian(&batch.at(k)), scale, out);
                }
            }
        }
    }
}

/// Vectors of a field at the vertices of triangles from `start` on, coordinate by coordinate.
#[inline(always)]
fn corners_in<S: Simd>(
    simd: S,
    stencils: &[[usize; 3]],
    field: &[Vec2],
    start: usize,
) -> [Lanes<S>; 6] {
    let mut numbers = [[0.0; MOST]; 6];
    for lane in 0..S::F64_LANES {
        let [i, j, k] = stencils[(start + lane).min(stencils.len() - 1)];
        put(&mut numbers, lane, corners(&[field[i], field[j], field[k]]));
    }
    Lanes::load_all(simd, &numbers)
}

impl<L: Hyperelastic> WithSimd for Steps<'_, L> {
    type Output = ();

    /// Bounds the steps. Most triangles hardly change: all that their motion could lose of the area
    /// is to spare, and the bound is 1. The others are computed one by one.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { batch, p, out } = self;
        for (c, out) in out.chunks_mut(S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let x = corners_in(simd, batch.stencils, batch.x, start);
            let motion = corners_in(simd, batch.stencils, p, start);
            let [spare] = Lanes::lists([spare_area(&x, &motion)]);

            for (lane, out) in out.iter_mut().enumerate() {
                *out = if spare[lane] > 0.0 {
                    1.0
                } else {
                    let k = start + lane;
                    let [a, b, c] = batch.stencils[k];
                    batch.elements[k].max_step(&batch.at(k), &[p[a], p[b], p[c]])
                };
            }
        }
    }
}

impl<L: Hyperelastic> WithSimd for Admit<'_, L> {
    type Output = bool;

    /// A determinant above its rounding error has the right sign; all others are decided exactly.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let batch = self.batch;
        for start in (0..batch.elements.len()).step_by(S::F64_LANES) {
            let [[ux, uy], [vx, vy]] = sides(&corners_in(simd, batch.stencils, batch.x, start));
            let left = ux * vy;
            let right = uy * vx;
            let error = (size(left) + size(right)) * DETERMINANT_ROUNDING;
            let [margin] = Lanes::lists([left - right - error]);

            for (lane, margin) in margin[..S::F64_LANES].iter().enumerate() {
                let k = (start + lane).min(batch.elements.len() - 1);
                if !(*margin > 0.0 || batch.elements[k].admits(&batch.at(k))) {
                    return false;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
