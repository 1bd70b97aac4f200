//! Temperatures of bodies over a run, looked at before it begins.

use super::builder::Builder;
use super::elements::warmth;
use super::new_body::NewBody;
use super::placement::Placement;
use super::regions::shares;
use crate::check::temperature::{LEAST, MOST, stretched};
use crate::moments::{first_wrong, not_finite};
use crate::problem::Problem;
use ipcsim_energy::Warmth;
use ipcsim_math::Vec2;
use ipcsim_mesh::Mesh;

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
