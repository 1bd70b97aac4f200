//! Checks of materials.

use super::report::Report;
use crate::scene::schema::Material;

/// Checks the density of a material and the parameters of its law.
pub(super) fn check(report: &mut Report, path: &str, material: &Material) {
    report.positive(&format!("{path}.density"), material.density, " kg/m^3");

    if let Some(law) = &material.law {
        let law = law.summary();
        for fault in law.faults {
            report.add(
                &format!("{path}.law.{}.{}", law.name, fault.key),
                fault.message,
            );
        }
    }
}
