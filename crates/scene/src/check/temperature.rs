//! Checks of temperatures: they can be read, somebody expands by them, and nothing shrinks to nothing.

use super::load::check_varying;
use super::report::Report;
use crate::schema::{Body, Material, Scene, Varying};

/// Smallest factor by which temperature may stretch a material (1).
///
/// Real materials melt at an expansion of a few hundredths. Far below 1 a unit is wrong, at 0 nothing
/// is left of the material.
pub(crate) const LEAST: f64 = 0.5;

/// Largest factor by which temperature may stretch a material (1).
pub(crate) const MOST: f64 = 2.0;

/// Checks the temperatures of a body and of its regions, whose JSON path is `path`.
pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    let own = body.temperature.iter();
    let mut all: Vec<(String, &Varying, Vec<&String>)> = own
        .map(|own| {
            // Regions without a temperature take it from the body.
            let inherits = body
                .regions
                .iter()
                .filter(|region| region.temperature.is_none());
            let materials = inherits.map(|region| &region.material);
            let names = std::iter::once(&body.material).chain(materials);
            (format!("{path}.temperature"), own, names.collect())
        })
        .collect();

    for (k, region) in body.regions.iter().enumerate() {
        let path = format!("{path}.regions[{k}].temperature");
        let own = region.temperature.as_ref();
        all.extend(own.map(|own| (path, own, vec![&region.material])));
    }

    for (path, temperature, names) in all {
        check_varying(report, &path, temperature, true);
        let known = names.iter().filter_map(|name| scene.materials.get(*name));
        let materials: Vec<&Material> = known.collect();
        check_materials(report, &path, &materials, &names);
        check_size(report, &path, temperature, &materials);
    }
}

/// Checks that some material expands, and that none is made of springs.
fn check_materials(report: &mut Report, path: &str, materials: &[&Material], names: &[&String]) {
    let name = names.first().map_or("", |name| name.as_str());
    if !materials.is_empty() && materials.iter().all(|material| material.expansion == 0.0) {
        let message = format!(
            "changes nothing: \"{name}\" does not expand; add `expansion` (1/K) to the material, or \
             remove the temperature"
        );
        report.add(path, message);
    }

    let is_sprung = |material: &&Material| material.law.is_some_and(|law| !law.summary().is_solid);
    if materials.iter().any(is_sprung) {
        let message = "is for triangles, but the material is made of springs, which do not expand; use \
                       an elastic law";
        report.add(path, message);
    }
}

/// Checks that the values that the temperature takes stretch no material by less than [`LEAST`] or more
/// than [`MOST`]. Those of a formula are looked at where the mesh is known.
fn check_size(report: &mut Report, path: &str, temperature: &Varying, materials: &[&Material]) {
    let values = match temperature {
        Varying::Constant(value) => std::slice::from_ref(value),
        Varying::Table(table) => table.values.as_slice(),
        Varying::Formula(_) => &[],
    };

    for material in materials {
        for value in values {
            let factor = 1.0 + material.expansion * value;
            if factor.is_finite() && !(LEAST..=MOST).contains(&factor) {
                return report.add(path, stretched(*value, factor, ""));
            }
        }
    }
}

/// Sentence about a temperature (K) that stretches a material by a factor, at some place and time in words.
pub(crate) fn stretched(value: f64, factor: f64, at: &str) -> String {
    format!(
        "reaches {value} K{at}, which stretches the material by the factor {factor}, outside of {LEAST} to \
         {MOST}; expansion is in 1/K: that of steel is 1.2e-5"
    )
}
