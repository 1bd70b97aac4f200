//! Triangles in the lanes of a register. Those of laws that have no such form, and those that are inverted or need a projection
//! by modes, are done one by one.
//!
//! There are no closures here: what is not inlined is not compiled for the processor's vectors.

use super::{
    Batch, Blocks, LocalEnergy, Triangle, blocks, corners, deformation, sides, size, spare_area,
    symmetric, times,
};
use crate::energy::side_by_side::{GradientLanes, SideBySide};
use crate::energy::write_lower;
use crate::material::{Hyperelastic, Parameters, Response};
use crate::math::lanes::{Lanes, MOST, Real, Simd, WithSimd, put};
use crate::math::{Mat2, Vec2};

/// `scale` times the lower triangles of triangles' projected Hessians.
pub(super) struct Hessians<'a, L> {
    pub(super) batch: Batch<'a, Triangle<L>, 3>,
    pub(super) scale: f64,
    pub(super) blocks: &'a mut [Mat2],
}

/// The largest fractions of a motion.
pub(super) struct Steps<'a, L> {
    pub(super) batch: Batch<'a, Triangle<L>, 3>,
    pub(super) p: &'a [Vec2],
    pub(super) out: &'a mut [f64],
}

/// Whether none is inverted.
pub(super) struct Admit<'a, L> {
    pub(super) batch: Batch<'a, Triangle<L>, 3>,
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

impl<L: Hyperelastic> SideBySide<3> for Triangle<L> {
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
        let ([x1, y1], [x2, y2]) = (times(&stress, [b[0], b[1]]), times(&stress, [b[2], b[3]]));
        let gradient = [[(x1 + x2) * -1.0, (y1 + y2) * -1.0], [x1, y1], [x2, y2]];
        Some((gradient, response.j - f64::MIN_POSITIVE))
    }
}

impl<L: Hyperelastic> WithSimd for Hessians<'_, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self {
            batch,
            scale,
            blocks: out,
        } = self;
        for (c, out) in out.chunks_mut(LOWER * S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let ([a, b, d], e, [g, h, i], [slack]) = match group(simd, &batch, start) {
                Some(Group {
                    b,
                    volume,
                    f,
                    response,
                }) => {
                    let Blocks { h11, h12, h22 } =
                        blocks(&f, &b, &response.tangent, volume * scale);
                    let tells =
                        response
                            .j
                            .if_below(f64::MIN_POSITIVE, volume * -1.0, response.slack);
                    (
                        Lanes::lists(h11),
                        Lanes::lists(h12),
                        Lanes::lists(h22),
                        Lanes::lists([tells]),
                    )
                }
                None => (
                    [[0.0; MOST]; 3],
                    [[0.0; MOST]; 4],
                    [[0.0; MOST]; 3],
                    [[-1.0; MOST]],
                ),
            };
            for (l, out) in out.chunks_exact_mut(LOWER).enumerate() {
                if slack[l] >= 0.0 {
                    let (h11, h22) = (symmetric([a[l], b[l], d[l]]), symmetric([g[l], h[l], i[l]]));
                    let h21 = Mat2::new(e[0][l], e[1][l], e[2][l], e[3][l]);
                    let (h10, h20) = (-h11 - h21.transpose(), -h21 - h22);
                    out.copy_from_slice(&[-h10 - h20, h10, h11, h20, h21, h22]);
                } else {
                    write_lower(
                        &batch.elements[start + l].hessian(&batch.at(start + l)),
                        scale,
                        out,
                    );
                }
            }
        }
    }
}

/// Corners of triangles from `start` on in a vector field.
#[inline(always)]
fn corners_in<S: Simd>(
    simd: S,
    stencils: &[[usize; 3]],
    field: &[Vec2],
    start: usize,
) -> [Lanes<S>; 6] {
    let mut numbers = [[0.0; MOST]; 6];
    for l in 0..S::F64_LANES {
        let [i, j, k] = stencils[(start + l).min(stencils.len() - 1)];
        put(&mut numbers, l, corners(&[field[i], field[j], field[k]]));
    }
    Lanes::load_all(simd, &numbers)
}

impl<L: Hyperelastic> WithSimd for Steps<'_, L> {
    type Output = ();

    /// Most triangles hardly change: no part of the motion can use up what is to spare.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { batch, p, out } = self;
        for (c, out) in out.chunks_mut(S::F64_LANES).enumerate() {
            let start = c * S::F64_LANES;
            let x = corners_in(simd, batch.stencils, batch.x, start);
            let [spare] =
                Lanes::lists([spare_area(&x, &corners_in(simd, batch.stencils, p, start))]);
            for (l, out) in out.iter_mut().enumerate() {
                *out = if spare[l] > 0.0 {
                    1.0
                } else {
                    let stencil = batch.stencils[start + l];
                    batch.elements[start + l].max_step(
                        &batch.at(start + l),
                        &[p[stencil[0]], p[stencil[1]], p[stencil[2]]],
                    )
                };
            }
        }
    }
}

impl<L: Hyperelastic> WithSimd for Admit<'_, L> {
    type Output = bool;

    /// Where the determinant is larger than its rounding (Shewchuk 1997, adaptive precision predicates) nothing more is asked.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        const ROUNDING: f64 = 4.0 * f64::EPSILON;
        let batch = self.batch;
        for start in (0..batch.elements.len()).step_by(S::F64_LANES) {
            let [[ux, uy], [vx, vy]] = sides(&corners_in(simd, batch.stencils, batch.x, start));
            let (left, right) = (ux * vy, uy * vx);
            let [sure] = Lanes::lists([left - right - (size(left) + size(right)) * ROUNDING]);
            for (l, sure) in sure[..S::F64_LANES].iter().enumerate() {
                let k = (start + l).min(batch.elements.len() - 1);
                if !(*sure > 0.0 || batch.elements[k].admits(&batch.at(k))) {
                    return false;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::{Energy, Summed};
    use crate::material::{LawVisitor, MassSpring, Plane, SceneLaw, solids};
    use proptest::prelude::*;

    const REST: [Vec2; 3] = [
        Vec2::new(0.1, 0.0),
        Vec2::new(0.4, 0.1),
        Vec2::new(0.2, 0.35),
    ];

    /// Triangles one by one: values, gradients, Hessians and step bounds are those of the batch.
    fn check(law: impl Hyperelastic, places: &[[f64; 6]], p: &[f64]) -> Result<(), TestCaseError> {
        let mut sum = Summed::<Triangle<_>, 3>::default();
        let mut x = Vec::new();
        for (k, place) in places.iter().enumerate() {
            sum.push(
                [3 * k, 3 * k + 1, 3 * k + 2],
                Triangle::new(law, REST, 0.3 + k as f64),
            );
            x.extend((0..3).map(|i| REST[i] + Vec2::new(place[2 * i], place[2 * i + 1])));
        }
        let p: Vec<Vec2> = (0..x.len())
            .map(|i| Vec2::new(p[i % 7], p[i % 5]))
            .collect();
        let count = places.len();
        let batch = || Batch {
            elements: &sum.elements[..],
            stencils: &sum.stencils[..],
            x: &x,
        };
        let (mut values, mut steps) = (vec![0.0; count], vec![0.0; count]);
        let mut gradients = vec![[Vec2::zeros(); 3]; count];
        let mut blocks = vec![Mat2::zeros(); LOWER * count];
        Triangle::values(batch(), &mut values);
        Triangle::gradients(batch(), &mut gradients);
        Triangle::hessians(batch(), 0.7, &mut blocks);
        Triangle::max_steps(batch(), &p, &mut steps);
        let mut admits = true;
        for (k, triangle) in sum.elements.iter().enumerate() {
            let (at, along) = (batch().at(k), sum.stencils[k].map(|i| p[i]));
            prop_assert_eq!(values[k].to_bits(), triangle.value(&at).to_bits());
            prop_assert_eq!(
                format!("{:?}", gradients[k]),
                format!("{:?}", triangle.gradient(&at))
            );
            prop_assert_eq!(steps[k], triangle.max_step(&at, &along));
            admits &= triangle.admits(&at);
            let mut expected = [Mat2::zeros(); LOWER];
            write_lower(&triangle.hessian(&at), 0.7, &mut expected);
            let size: f64 = expected.iter().map(Mat2::norm).sum();
            for (found, expected) in blocks[LOWER * k..].iter().zip(&expected) {
                prop_assert!(
                    !size.is_finite() || (found - expected).norm() <= 1e-13 * size,
                    "{found} {expected}"
                );
            }
        }
        prop_assert_eq!(sum.admits(&x), admits);
        Ok(())
    }

    struct Check<'a> {
        places: &'a [[f64; 6]],
        p: &'a [f64],
    }

    impl LawVisitor for Check<'_> {
        type Output = Result<(), TestCaseError>;

        fn solid<L: SceneLaw>(self, _rank: usize, given: &L::Given) -> Self::Output {
            check(L::new(given, Plane::Strain), self.places, self.p)
        }

        fn springs(self, _rank: usize, _given: &MassSpring) -> Self::Output {
            Ok(())
        }
    }

    proptest! {
        #[test]
        fn a_batch_is_its_triangles_one_by_one(
            places in prop::collection::vec(prop::array::uniform6(-0.3_f64..0.3), 1..20),
            p in prop::collection::vec(-0.2_f64..0.2, 7),
        ) {
            for law in solids() {
                law.visit(Check { places: &places, p: &p })?;
            }
        }
    }
}
