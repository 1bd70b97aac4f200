//! Energies of the volumes of patches, for bodies with a mean dilatation.
//!
//! The patches of a mesh are found here, and added to the sums of their lengths ([`SumOfPatches`]). All
//! laws share these sums: a patch knows its own energy of the volume.

use crate::material::Volumetric;
use crate::patch_sum::{LONGEST_OUTLINE, PatchEnergy, SumOfPatches};
use crate::{Dilatation, Outline, RevolvedDilatation};
use ipcsim_math::Vec2;
use ipcsim_mesh::Mesh;

/// Rank of the sums, after the ranks of all laws.
pub(super) const RANK: usize = 500;

/// Sums of patches, one for each number of vertices on an outline.
pub(super) trait SumsOfPatches {
    /// Sum of the patches `P` with this number of vertices, which is made if there is none.
    fn of_length<P: PatchEnergy>(&mut self, length: usize) -> Option<&mut SumOfPatches<P>>;
}

/// A patch of a mesh.
///
/// Its outline runs counter-clockwise, with the nodes on sides of quadratic triangles.
struct Patch {
    /// Vertices on its outline in the world.
    stencil: Vec<usize>,
    /// Their places at rest (m).
    rest: Vec<Vec2>,
    /// Its triangles or facets, by vertices in the world.
    triangles: Vec<[usize; 3]>,
}

/// Patches of a mesh, with the common parameters of their energies.
pub(super) struct Patches {
    /// The patches, which cover each triangle once.
    list: Vec<Patch>,
    /// Energy of the change of volume.
    law: Volumetric,
    /// Shape of their sides.
    outline: Outline,
    /// Thickness across the plane (m).
    thickness: f64,
}

/// Patches of a mesh whose vertices are numbered from `first` on in the world: its quadratic triangles,
/// or disks of linear ones.
pub(super) fn of(mesh: &Mesh, first: usize, law: Volumetric, thickness: f64) -> Patches {
    let patch = |ring: Vec<usize>, triangles: Vec<[usize; 3]>| Patch {
        rest: ring.iter().map(|&i| mesh.vertices[i]).collect(),
        stencil: ring.iter().map(|i| first + i).collect(),
        triangles: triangles.iter().map(|own| own.map(|i| first + i)).collect(),
    };

    // A quadratic triangle is a patch itself.
    let mut list = Vec::new();
    if mesh.is_quadratic {
        for curved in mesh.curved() {
            let [a, b, c, d, e, f] = curved.nodes;
            list.push(patch(vec![a, d, b, e, c, f], curved.facets().into()));
        }
    } else {
        for found in ipcsim_mesh::patches(&mesh.triangles, LONGEST_OUTLINE) {
            let own = found.triangles.iter().map(|&k| mesh.triangles[k]);
            list.push(patch(found.ring, own.collect()));
        }
    }

    Patches {
        list,
        law,
        outline: if mesh.is_quadratic {
            Outline::Parabolas
        } else {
            Outline::Straight
        },
        thickness,
    }
}

impl Patches {
    /// Adds the energies of all patches.
    pub(super) fn add(self, sums: &mut impl SumsOfPatches) {
        for patch in self.list {
            let own = Dilatation::new(
                self.law,
                self.outline,
                &patch.rest,
                self.thickness,
                patch.triangles,
            );
            add(&patch.stencil, own, sums);
        }
    }

    /// Adds the energies of all patches of a body of revolution.
    pub(super) fn add_turned(self, sums: &mut impl SumsOfPatches) {
        for patch in self.list {
            let own = RevolvedDilatation::new(self.law, self.outline, &patch.rest, patch.triangles);
            add(&patch.stencil, own, sums);
        }
    }
}

/// Adds a patch to the sum of its length.
///
/// The sum is the same for all laws and bodies.
fn add(stencil: &[usize], patch: impl PatchEnergy, sums: &mut impl SumsOfPatches) {
    if let Some(sum) = sums.of_length(stencil.len()) {
        sum.push(stencil, patch);
    }
}
