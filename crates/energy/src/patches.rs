//! Energies of the volumes of patches, for bodies with a mean dilatation.
//!
//! An element of a sum has a fixed number of vertices, while outlines of patches are of any length. So
//! there is a sum for each length. All laws share these sums: an element knows its own energy of the
//! volume.

use crate::material::Volumetric;
use crate::{Dilatation, Outline, RevolvedDilatation, Summed};
use ipcsim_math::Vec2;
use ipcsim_mesh::Mesh;

/// Rank of the sums, after the ranks of all laws.
pub(super) const RANK: usize = 500;

/// Largest number of vertices on the outline of a patch of linear triangles: the longest outline
/// that [`Patches::add`] has a sum for. Most have 6 to 10.
const LONGEST_OUTLINE: usize = 16;

/// Sums of patches, one for each number of vertices on an outline.
pub(super) trait SumsOfPatches {
    /// Sum of the patches with `N` vertices, which is made if there is none.
    fn of_length<const N: usize>(&mut self) -> Option<&mut Summed<Dilatation<N>, N>>;

    /// Sum of the patches of bodies of revolution with `N` vertices, which is made if there is none.
    fn turned_of_length<const N: usize>(&mut self)
    -> Option<&mut Summed<RevolvedDilatation<N>, N>>;
}

/// A patch, before its number of vertices becomes a parameter of a type.
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

/// Adds the patches of each of these lengths to the sum of that length.
macro_rules! add_each {
    ($add:ident, $patches:expr, $sums:expr, $($length:literal)*) => {
        $( $patches.$add::<$length>($sums); )*
    };
}

impl Patches {
    /// Adds the energies of all patches.
    pub(super) fn add(self, sums: &mut impl SumsOfPatches) {
        add_each!(add_of, self, sums, 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    }

    /// Adds the energies of all patches of a body of revolution.
    pub(super) fn add_turned(self, sums: &mut impl SumsOfPatches) {
        add_each!(add_turned_of, self, sums, 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    }

    /// As [`Patches::add_of`], for a body of revolution.
    fn add_turned_of<const N: usize>(&self, sums: &mut impl SumsOfPatches) {
        for patch in &self.list {
            let rest: Result<[Vec2; N], _> = patch.rest.as_slice().try_into();
            let stencil: Result<[usize; N], _> = patch.stencil.as_slice().try_into();
            let (Ok(rest), Ok(stencil)) = (rest, stencil) else {
                continue;
            };
            let triangles = patch.triangles.clone();
            let own = RevolvedDilatation::new(self.law, self.outline, &rest, triangles);
            if let Some(sum) = sums.turned_of_length() {
                sum.push(stencil, own);
            }
        }
    }

    /// Adds the energies of the patches with `N` vertices on their outlines.
    fn add_of<const N: usize>(&self, sums: &mut impl SumsOfPatches) {
        for patch in &self.list {
            let rest: Result<[Vec2; N], _> = patch.rest.as_slice().try_into();
            let stencil: Result<[usize; N], _> = patch.stencil.as_slice().try_into();
            // A patch of another length belongs to another sum.
            let (Ok(rest), Ok(stencil)) = (rest, stencil) else {
                continue;
            };
            let triangles = patch.triangles.clone();
            let own = Dilatation::new(self.law, self.outline, &rest, self.thickness, triangles);
            if let Some(sum) = sums.of_length() {
                sum.push(stencil, own);
            }
        }
    }
}
