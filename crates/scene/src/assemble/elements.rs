//! Elements of bodies: of their own material, of those of their regions, and of rods.

use super::placement::Placement;
use super::regions::{Share, shares};
use super::turn::{is_revolved, placed};
use crate::schema::{Body, Damping, Dilatation, Scene};
use ipcsim_energy::{Change, ElasticElements, MaterialMesh, Warmth};
use ipcsim_mesh::Mesh;
use std::sync::Arc;

/// Elements of all bodies, with what only scenes know of them.
#[derive(Default)]
pub(crate) struct BodyElements {
    /// Elastic elements and their energies.
    pub elastic: ElasticElements,
    /// Number of the region of its body that each triangle is in, from 1, or 0 without one.
    pub regions: Vec<usize>,
    /// Vertices of every two segments of a rod that follow each other.
    pub bends: Vec<[usize; 3]>,
}

impl BodyElements {
    /// Adds the elements of a body, which are of its own material and of those of its regions. Its
    /// vertices are numbered from `first` on in the world, and its shape at rest has a `change`, if
    /// any.
    pub(crate) fn add_body(
        &mut self,
        body: &Body,
        scene: &Scene,
        mesh: &Mesh,
        first: usize,
        change: Option<&Change>,
    ) {
        for share in shares(body, scene, mesh) {
            let material = share.material;
            let Some(law) = &material.law else { continue };

            // Bodies of revolution need their radii: their meshes are where they are at rest.
            let mut warmth = warmth(body, &share);
            let mut mesh = share.mesh;
            if is_revolved(scene) {
                mesh = placed(&mesh, &Placement::new(body.position, body.rotation_deg));
                if let Some(own) = &mut warmth {
                    own.place = Box::new(|place| place);
                }
            }

            // Plane and thickness are those of the scene. A law of springs ignores the plane.
            self.elastic.add_mesh(
                law,
                MaterialMesh {
                    damping: material.damping.filter(Damping::resists_strain),
                    change: change.cloned(),
                    warmth,
                    mesh: &mesh,
                    first,
                    factors: share.factors,
                    has_mean_dilatation: body.dilatation == Dilatation::Mean,
                    plane: scene.plane,
                    thickness: scene.thickness,
                },
            );
            self.regions
                .resize(self.elastic.triangles.len(), share.region);
        }
    }
}

/// Temperature of a share of a body; `None` if it has none, or does not expand. One that cannot be
/// read has been refused by the checks.
pub(super) fn warmth(body: &Body, share: &Share) -> Option<Warmth> {
    let region = share.region.checked_sub(1).map(|k| &body.regions[k]);
    let own = region.and_then(|region| region.temperature.as_ref());
    let temperature = own.or(body.temperature.as_ref())?.read().ok()?;
    let expansion = share.material.expansion;
    let placement = Placement::new(body.position, body.rotation_deg);
    (expansion != 0.0).then(|| Warmth {
        expansion,
        temperature: Arc::new(temperature),
        place: Box::new(move |point| placement.place(point)),
    })
}
