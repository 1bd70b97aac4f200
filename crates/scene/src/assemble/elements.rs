//! Elements of bodies: of their own material, of those of their regions, and of rods.

use super::builder::Builder;
use super::new_body::NewBody;
use super::placement::Placement;
use super::regions::{Share, shares};
use crate::check::temperature::{LEAST, MOST, stretched};
use crate::moments::{first_wrong, not_finite};
use crate::problem::Problem;
use crate::schema::{Body, Damping, Dilatation, Scene};
use ipcsim_energy::{ElasticElements, MaterialMesh, Warmth};
use ipcsim_math::Vec2;
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
    /// vertices are numbered from `first` on in the world.
    pub(crate) fn add_body(&mut self, body: &Body, scene: &Scene, mesh: &Mesh, first: usize) {
        for share in shares(body, scene, mesh) {
            let material = share.material;
            let Some(law) = &material.law else { continue };

            // Plane and thickness are those of the scene. A law of springs ignores the plane.
            self.elastic.add_mesh(
                law,
                MaterialMesh {
                    damping: material.damping.filter(Damping::resists_strain),
                    warmth: warmth(body, &share),
                    mesh: &share.mesh,
                    first,
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
fn warmth(body: &Body, share: &Share) -> Option<Warmth> {
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

impl Builder {
    /// Looks at the temperatures of a body with a mesh over the run, and notes one that is not finite, or
    /// stretches a material to nothing.
    pub(super) fn look_at_warmth(&mut self, body: &NewBody, mesh: &Mesh, placement: &Placement) {
        let places: Vec<Vec2> = mesh
            .vertices
            .iter()
            .map(|&at| placement.place(at))
            .collect();
        for share in shares(body.spec, body.scene, mesh) {
            let Some(Warmth {
                expansion,
                temperature,
                ..
            }) = warmth(body.spec, &share)
            else {
                continue;
            };
            let is_right = |value: f64| (LEAST..=MOST).contains(&(1.0 + expansion * value));
            let found = first_wrong(&body.scene.time, &temperature, &places, is_right);
            if let Some(found) = found {
                let region = share.region.checked_sub(1);
                let own = region.filter(|&k| body.spec.regions[k].temperature.is_some());
                let region = own.map_or(String::new(), |k| format!(".regions[{k}]"));
                let path = format!("bodies[{}]{region}.temperature", body.entry);
                let message = if found.value.is_finite() {
                    let factor = 1.0 + expansion * found.value;
                    stretched(found.value, factor, &format!(" at {}", found.at))
                } else {
                    not_finite(&found)
                };
                let problem = Problem::error(path, message).at(found.place);
                return self.problems.push(problem);
            }
        }
    }
}
