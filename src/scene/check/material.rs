//! Checks of materials.

use super::report::Report;
use crate::scene::schema::{Elastic, Law, Material};

pub(super) fn check(report: &mut Report, path: &str, material: &Material) {
    report.positive(&format!("{path}.density"), material.density, " kg/m^3");
    let Some(law) = &material.law else { return };
    let (law, elastic) = match law {
        Law::MassSpring(spring) => {
            return report.positive(
                &format!("{path}.law.mass_spring.stiffness"),
                spring.stiffness,
                " Pa",
            );
        }
        Law::NeoHookean(elastic) => ("neo_hookean", elastic),
        Law::FixedCorotated(elastic) => ("fixed_corotated", elastic),
        Law::StVenantKirchhoff(elastic) => ("st_venant_kirchhoff", elastic),
        Law::Linear(elastic) => ("linear", elastic),
    };
    let Elastic { young, poisson } = *elastic;
    report.positive(&format!("{path}.law.{law}.young"), young, " Pa");
    if !(poisson > -1.0 && poisson < 0.5) {
        let message = format!(
            "Poisson's ratio is {poisson}, but must be above -1 and below 0.5, where the material would be incompressible; \
             for rubber use 0.45 to 0.495"
        );
        report.add(&format!("{path}.law.{law}.poisson"), message);
    }
}
