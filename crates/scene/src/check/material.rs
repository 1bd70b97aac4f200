//! Checks of materials.
//!
//! A law of elasticity knows the ranges of its own parameters and names those that are outside, so
//! that this room holds no list of laws.

use super::report::Report;
use crate::schema::{Material, Plane};

/// Checks that the density of a material is positive, the parameters of its law are in range, and
/// the law has a form in this plane.
pub(super) fn check(report: &mut Report, path: &str, material: &Material, plane: Plane) {
    report.positive(&format!("{path}.density"), material.density, " kg/m^3");
    damping(report, path, material);
    report.finite(&format!("{path}.expansion"), material.expansion);
    let Some(law) = &material.law else { return };

    let law = law.summary();
    let no_plane_stress = law.no_plane_stress.filter(|_| plane == Plane::Stress);
    for fault in law.faults.into_iter().chain(no_plane_stress) {
        let path = format!("{path}.law.{}.{}", law.name, fault.key);
        report.add(&path, fault.message);
    }
}

/// Checks that no factor of damping is negative, and that springs have none that resists strain:
/// they have no strain.
fn damping(report: &mut Report, path: &str, material: &Material) {
    let Some(damping) = &material.damping else {
        return;
    };
    for (key, value, unit) in [
        ("mass", damping.mass, " 1/s"),
        ("stiffness", damping.stiffness, " s"),
        ("shear_viscosity", damping.shear_viscosity, " Pa s"),
        ("bulk_viscosity", damping.bulk_viscosity, " Pa s"),
    ] {
        report.not_negative(&format!("{path}.damping.{key}"), value, unit);
    }

    let springs = material.law.filter(|law| !law.summary().is_solid);
    if springs.is_some() && damping.resists_strain() {
        let message = "resists rates of strain, which springs do not have; use `mass` alone, or a \
                       law of triangles";
        report.add(&format!("{path}.damping"), message);
    }
}
