//! Checks of factors of the energy of triangles: the body has elements that take them.

use super::report::Report;
use crate::schema::{Body, Dilatation, Law, Plane, Scene};

/// Checks that a body with factors has elements that take them.
///
/// `path` is that of the body. Whether there is one for each triangle is known where the mesh is.
pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    if body.relative_stiffness.is_empty() {
        return;
    }
    let path = format!("{path}.relative_stiffness");

    // What has other elements.
    let regions = body.regions.iter().map(|region| &region.material);
    let materials = std::iter::once(&body.material).chain(regions);
    let laws = materials.filter_map(|name| scene.materials.get(name)?.law.as_ref());
    let mut summaries = laws.map(Law::summary);
    let mut regions = body.regions.iter();
    let heats = body.temperature.is_some() || regions.any(|own| own.temperature.is_some());
    let others = [
        (body.dilatation == Dilatation::Mean, "a mean dilatation"),
        (scene.plane == Plane::Axisymmetric, "bodies of revolution"),
        (heats, "a temperature"),
        (
            summaries.any(|own| own.flows || !own.is_solid),
            "springs or a metal that flows",
        ),
    ];
    for (_, what) in others.iter().filter(|(is, _)| *is) {
        let message = format!("is for elastic triangles, and not for {what}; remove one of them");
        report.add(&path, message);
    }
}
