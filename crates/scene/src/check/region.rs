//! Checks of regions: their materials and names exist, and their formulas can be read.
//!
//! Whether a region has any triangle is no matter of checks: a curve beside the body gives a region
//! without triangles, which changes nothing.

use super::area::check_curve;
use super::report::Report;
use crate::area_bounds::Asked;
use crate::schema::{Area, Body, Scene, Shape, Where};
use ipcsim_math::formula::Formula;

/// Checks the regions of a body whose JSON path is `path`.
pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    for (k, region) in body.regions.iter().enumerate() {
        let path = format!("{path}.regions[{k}]");
        check_material(report, &format!("{path}.material"), &region.material, scene);
        match &region.place {
            Where::Group(name) => {
                let known = groups(&body.shape);
                if !known.contains(&name.as_str()) {
                    report.no_such(
                        &format!("{path}.where.group"),
                        "group",
                        name,
                        known.into_iter(),
                    );
                }
            }
            Where::Inside(curve) => {
                let path = format!("{path}.where.inside");
                let is_good = report.passes(|report| check_curve(report, &path, curve));
                let excess = is_good.then(|| Asked::of(&Area::new(curve.clone())).excess());
                if let Some(excess) = excess.flatten() {
                    report.add(&path, excess);
                }
            }
            Where::Positive(text) => {
                let path = format!("{path}.where.positive");
                match Formula::read(text) {
                    Err(error) => report.add(&path, error.to_string()),
                    Ok(formula) if formula.has_time() => {
                        report.add(
                            &path,
                            "depends on t, but a region does not change; use x and y",
                        );
                    }
                    Ok(_) => {}
                }
            }
        }
    }
}

/// Checks that the material of a region exists and has a law of triangles.
fn check_material(report: &mut Report, path: &str, name: &str, scene: &Scene) {
    let Some(material) = scene.materials.get(name) else {
        let known = scene.materials.keys().map(String::as_str);
        return report.no_such(path, "material", name, known);
    };

    match &material.law {
        None => {
            let message =
                format!("\"{name}\" has no law, but a region deforms; add a law to the material");
            report.add(path, message);
        }
        Some(law) if !law.summary().is_solid => {
            let message = format!(
                "\"{name}\" is made of springs, but a region has triangles; use an elastic law"
            );
            report.add(path, message);
        }
        Some(_) => {}
    }
}

/// Names of groups of triangles in a shape.
fn groups(shape: &Shape) -> Vec<&str> {
    match shape {
        Shape::Area(area) => area.parts.keys().map(String::as_str).collect(),
        Shape::Mesh(mesh) => {
            let groups = mesh.groups.iter();
            let groups = groups.filter(|(_, group)| !group.triangles.is_empty());
            groups.map(|(name, _)| name.as_str()).collect()
        }
        _ => Vec::new(),
    }
}
