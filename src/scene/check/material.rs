//! Checks of materials.
//!
//! A law of elasticity knows the ranges of its own parameters and names those that are outside, so
//! that this room holds no list of laws.

use super::report::Report;
use crate::scene::schema::Material;

/// Checks that the density of a material is positive and the parameters of its law are in range.
pub(super) fn check(report: &mut Report, path: &str, material: &Material) {
    report.positive(&format!("{path}.density"), material.density, " kg/m^3");
    let Some(law) = &material.law else { return };

    let law = law.summary();
    for fault in law.faults {
        let path = format!("{path}.law.{}.{}", law.name, fault.key);
        report.add(&path, fault.message);
    }
}
