//! Checks of materials.
//!
//! A law of elasticity knows which of its parameters do not go together, so that this
//! room holds no list of laws.

use super::report::Report;
use crate::schema::{Material, Plane};

/// Checks that the numbers of a material are in range, the parameters of its law go together, and the
/// law has a form in this plane.
pub(super) fn check(report: &mut Report, path: &str, material: &Material, plane: Plane) {
    report.ranges(path);
    damping(report, path, material);
    let Some(law) = &material.law else { return };
    if !report.ranges(&format!("{path}.law")) {
        return;
    }

    let law = law.summary();
    let no_plane_stress = law.no_plane_stress.filter(|_| plane == Plane::Stress);
    for fault in law.faults.into_iter().chain(no_plane_stress) {
        let path = format!("{path}.law.{}.{}", law.name, fault.path);
        report.add(&path, fault.message);
    }
}

/// Checks that springs have no damping that resists strain: they have no strain.
fn damping(report: &mut Report, path: &str, material: &Material) {
    let Some(damping) = &material.damping else {
        return;
    };
    let springs = material.law.filter(|law| !law.summary().is_solid);
    if springs.is_some() && damping.resists_strain() {
        let message = "resists rates of strain, which springs do not have; use `mass` alone, or a \
                       law of triangles";
        report.add(&format!("{path}.damping"), message);
    }
}
