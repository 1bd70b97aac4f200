//! Sums of the energies of patches, for outlines of any length.
//!
//! The number of vertices on the outline of a patch is not a parameter of its type. With one type for
//! each length, and 14 lengths, these energies were most of the program's code for elasticity. So one
//! type serves all lengths: loops run over slices.
//!
//! Elements of an [`Energy`] have equally many vertices, hence there is a sum for each length.

use crate::material::Volumetric;
use crate::{Curvature, Energy, StepBound, Stressed};
use ipcsim_math::parallel::BATCH;
use ipcsim_math::{Mat2, PlaneTensor, Vec2, parallel};
use smallvec::SmallVec;
use std::ops::Range;

/// Largest number of vertices on the outline of a patch of linear triangles. Most have 6 to 10.
pub(super) const LONGEST_OUTLINE: usize = 16;

/// One vector for each node of an outline.
pub(super) type Nodes = SmallVec<[Vec2; LONGEST_OUTLINE]>;

/// Energy `V U(v / V)` (J) of the volume `v` of one patch, at the positions (m) of the nodes on its
/// outline.
pub(super) trait PatchEnergy: Clone + Send + Sync + 'static {
    /// Energy density `U` of the change of volume.
    fn law(&self) -> &Volumetric;

    /// Volume `V` at rest (m^3).
    fn volume(&self) -> f64;

    /// Volume `v` within the outline (m^3).
    fn enclosed(&self, x: &[Vec2]) -> f64;

    /// Derivative of the volume with respect to each node (m^2).
    fn slopes(&self, x: &[Vec2]) -> Nodes;

    /// Writes `scale` times the lower triangle of the Hessian (N/m) to `blocks`, row by row.
    ///
    /// Projected ones are positive semi-definite: the part along the change of volume and the part of the
    /// curvature of the volume, each by itself.
    fn hessian(&self, x: &[Vec2], curvature: Curvature, scale: f64, blocks: &mut [Mat2]);

    /// Triangles of the patch, facets of a quadratic one included, by numbers of vertices.
    fn triangles(&self) -> &[[usize; 3]];

    /// The patch whose shape at rest is `factor` (1) times as large; `None` if it has no such form.
    fn resized(&self, factor: f64) -> Option<Self>;

    /// Energy (J), infinite if the patch has no volume.
    fn value(&self, x: &[Vec2]) -> f64 {
        self.volume() * self.law().value(self.enclosed(x) / self.volume())
    }

    /// Mean stress (Pa), positive in tension, and its derivative by the ratio of volumes (Pa).
    fn stress_and_slope(&self, x: &[Vec2]) -> [f64; 2] {
        self.law().slopes(self.enclosed(x) / self.volume())
    }

    /// Mean stress (Pa), positive in tension.
    fn mean_stress(&self, x: &[Vec2]) -> f64 {
        let [stress, _] = self.stress_and_slope(x);
        stress
    }

    /// Derivative of the energy with respect to each node (N).
    fn gradient(&self, x: &[Vec2]) -> Nodes {
        let stress = self.mean_stress(x);
        let mut slopes = self.slopes(x);
        for slope in &mut slopes {
            *slope *= stress;
        }
        slopes
    }
}

/// Sum of the energies of patches with equally many vertices.
///
/// As [`Summed`](crate::Summed), whose elements have their number of vertices as a parameter. Batches,
/// threads and the order of all sums are the same.
#[derive(Clone, Debug)]
pub(super) struct SumOfPatches<P> {
    /// Number of vertices of each patch.
    length: usize,
    /// Vertices of each patch, `[patches * length]`.
    stencils: Vec<usize>,
    /// The patches, in the order in which they were added.
    patches: Vec<P>,
}

impl<P> Default for SumOfPatches<P> {
    fn default() -> Self {
        Self {
            length: 0,
            stencils: Vec::new(),
            patches: Vec::new(),
        }
    }
}

impl<P> SumOfPatches<P> {
    /// Adds a patch with these vertices on its outline, as many as those before have.
    pub(super) fn push(&mut self, stencil: &[usize], patch: P) {
        self.length = stencil.len();
        self.stencils.extend(stencil);
        self.patches.push(patch);
    }

    /// Vertices of patch `k`.
    fn vertices(&self, k: usize) -> &[usize] {
        &self.stencils[k * self.length..(k + 1) * self.length]
    }

    /// Positions (m) of the nodes of patch `k`.
    fn at(&self, k: usize, x: &[Vec2]) -> Nodes {
        self.vertices(k).iter().map(|&i| x[i]).collect()
    }
}

impl<P: PatchEnergy> SumOfPatches<P> {
    /// Writes the energy (J) of each patch of a range to `out`.
    fn write_values(&self, range: Range<usize>, x: &[Vec2], out: &mut [f64]) {
        for (k, out) in range.zip(out) {
            *out = self.patches[k].value(&self.at(k, x));
        }
    }
}

impl<P: PatchEnergy> Energy for SumOfPatches<P> {
    fn name(&self) -> &'static str {
        "elastic"
    }

    fn value(&self, x: &[Vec2]) -> f64 {
        parallel::sum_of_batches(self.patches.len(), |range, out| {
            self.write_values(range, x, out);
        })
    }

    fn values(&self, x: &[Vec2]) -> Vec<f64> {
        let mut values = vec![0.0; self.patches.len()];
        self.write_values(0..values.len(), x, &mut values);
        values
    }

    fn add_gradient(&self, x: &[Vec2], scale: f64, gradient: &mut [Vec2]) {
        parallel::scan(
            self.patches.len(),
            [Vec2::zeros(); LONGEST_OUTLINE],
            |range, out| {
                for (k, out) in range.zip(out) {
                    let own = self.patches[k].gradient(&self.at(k, x));
                    out[..own.len()].copy_from_slice(&own);
                }
            },
            |k, local| {
                for (&i, g) in self.vertices(k).iter().zip(local) {
                    gradient[i] += g * scale;
                }
            },
        );
    }

    fn element_count(&self) -> usize {
        self.patches.len()
    }

    fn stencil(&self, k: usize) -> &[usize] {
        self.vertices(k)
    }

    /// The lower triangle for as many nodes as each patch has.
    fn blocks_each(&self) -> usize {
        self.length * (self.length + 1) / 2
    }

    fn hessian(
        &self,
        elements: Range<usize>,
        x: &[Vec2],
        scale: f64,
        curvature: Curvature,
        blocks: &mut [Mat2],
    ) {
        let each = self.blocks_each();

        // Every patch has its own blocks, so threads write without an order.
        parallel::chunks(blocks, BATCH * each, |start, blocks| {
            let first = elements.start + start / each;
            for (k, own) in (first..).zip(blocks.chunks_exact_mut(each)) {
                self.patches[k].hessian(&self.at(k, x), curvature, scale, own);
            }
        });
    }

    /// A patch without volume is refused by its value, and each triangle in it by the rest of the law.
    fn max_step(&self, _x: &[Vec2], _p: &[Vec2]) -> StepBound {
        StepBound::FULL
    }

    fn admits(&self, _x: &[Vec2]) -> bool {
        true
    }

    fn resized(&self, factor: f64) -> Option<Box<dyn Energy>> {
        let patches = self.patches.iter().map(|patch| patch.resized(factor));
        Some(Box::new(Self {
            length: self.length,
            stencils: self.stencils.clone(),
            patches: patches.collect::<Option<Vec<P>>>()?,
        }))
    }

    /// Mean stress in the triangles of each patch, in all directions: the part of their stress that is
    /// not of shear.
    fn stresses(&self, x: &[Vec2]) -> Vec<Stressed> {
        let mut stresses = Vec::new();
        for (k, patch) in self.patches.iter().enumerate() {
            let stress = patch.mean_stress(&self.at(k, x));
            let even = PlaneTensor::new(&(Mat2::identity() * stress), stress);
            stresses.extend(patch.triangles().iter().map(|&triangle| Stressed {
                triangle,
                middle: even,
                corners: [even; 3],
            }));
        }
        stresses
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! A patch as an energy of a fixed number of vertices, for the checks of all energies.

    use super::{Curvature, PatchEnergy};
    use crate::LocalEnergy;
    use ipcsim_math::{Mat2, Vec2};

    /// A patch with as many nodes as the positions it is evaluated at.
    pub(crate) struct OnePatch<P>(pub(crate) P);

    impl<P: PatchEnergy> OnePatch<P> {
        fn whole<const N: usize>(&self, x: &[Vec2; N], curvature: Curvature) -> [[Mat2; N]; N] {
            let mut blocks = vec![Mat2::zeros(); N * (N + 1) / 2];
            self.0.hessian(x, curvature, 1.0, &mut blocks);
            let lower = |i: usize, j: usize| blocks[i * (i + 1) / 2 + j];
            let row = |i: usize, j: usize| {
                if j <= i {
                    lower(i, j)
                } else {
                    lower(j, i).transpose()
                }
            };
            std::array::from_fn(|i| std::array::from_fn(|j| row(i, j)))
        }
    }

    impl<P: PatchEnergy, const N: usize> LocalEnergy<N> for OnePatch<P> {
        const NAME: &'static str = "elastic";

        fn value(&self, x: &[Vec2; N]) -> f64 {
            self.0.value(x)
        }

        fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N] {
            let own = self.0.gradient(x);
            std::array::from_fn(|i| own[i])
        }

        fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
            self.whole(x, Curvature::Projected)
        }

        fn exact_hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
            self.whole(x, Curvature::Exact)
        }
    }
}
