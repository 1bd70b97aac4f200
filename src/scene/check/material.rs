//! Checks of materials.
//!
//! A law of elasticity knows the ranges of its own parameters and names those that are outside, so
//! that this room holds no list of laws.

use super::report::Report;
use crate::scene::schema::{Material, Plane};

/// Checks that the density of a material is positive, the parameters of its law are in range, and
/// the law has a form in this plane.
pub(super) fn check(report: &mut Report, path: &str, material: &Material, plane: Plane) {
    report.positive(&format!("{path}.density"), material.density, " kg/m^3");
    let Some(law) = &material.law else { return };

    let law = law.summary();
    let not_thin = law.not_thin.filter(|_| plane == Plane::Stress);
    for fault in law.faults.into_iter().chain(not_thin) {
        let path = format!("{path}.law.{}.{}", law.name, fault.key);
        report.add(&path, fault.message);
    }
}
