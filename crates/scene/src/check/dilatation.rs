//! Checks of a mean dilatation: laws, plane and temperature of the body.

use super::report::Report;
use crate::schema::{Body, Dilatation, Law, Plane, Scene};
use ipcsim_energy::material::SPLIT_LAWS;

/// Checks that a body with a mean dilatation is in plane strain, has no temperature, and has materials
/// whose laws are a sum of shear and volume.
///
/// `path` is that of the body. A sheet changes its thickness where it keeps its volume, and does not
/// lock. A material that does not exist or has no law is reported elsewhere.
pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    if body.dilatation == Dilatation::Pointwise {
        return;
    }
    let path = format!("{path}.dilatation");
    if scene.plane == Plane::Stress {
        let message = "is \"mean\", but sheets in plane stress do not lock: their thickness follows; \
                       remove it";
        report.add(&path, message);
    }

    let heats = body
        .regions
        .iter()
        .any(|region| region.temperature.is_some());
    if heats || body.temperature.is_some() {
        let message = "is \"mean\", which is for bodies without `temperature`; remove one of them, or \
                       use \"elements\": \"quadratic\" with the dilatation of each point";
        report.add(&path, message);
    }

    // The body's own material, and those of its regions.
    let regions = body.regions.iter().map(|region| &region.material);
    for name in std::iter::once(&body.material).chain(regions) {
        let material = scene.materials.get(name);
        let law = material.and_then(|material| material.law.as_ref());
        let Some(law) = law.map(Law::summary).filter(|law| !law.splits) else {
            continue;
        };
        let message = format!(
            "is \"mean\", but the law {} of \"{name}\" is no sum of an energy of shear and one of the \
             volume; take {SPLIT_LAWS}, or remove it",
            law.name
        );
        return report.add(&path, message);
    }
}
