//! Checks of sections at which bodies are tightened: their numbers, and what does not go with them.

use super::load::check_varying;
use super::report::Report;
use crate::schema::{Body, EnergyTarget, Plane, Scene, Scheme};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::rotation;

/// Smallest sine of an angle (1) at which a section of a body of revolution is not across its axis.
const ACROSS: f64 = 1e-9;

/// Checks the section at which a body is tightened, if there is one. Whether it parts the body is found out
/// once the mesh is built.
pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    let Some(preload) = &body.preload else {
        return;
    };
    let path = format!("{path}.preload");
    report.ranges(&path);
    check_varying(report, &format!("{path}.force"), &preload.force, false);

    let [a, b] = preload.section.map(Vec2::from);
    let line = b - a;
    if line == Vec2::zeros() {
        let message = "begins and ends at one point; give the ends of a line across the body";
        report.add(&format!("{path}.section"), message);
    }
    let turned: Vec2 = rotation(body.rotation_deg.to_radians()) * line;
    if scene.plane == Plane::Axisymmetric && turned.y.abs() > ACROSS * turned.norm() {
        let message = "is not across the axis, along which alone a body of revolution is tightened; give both ends \
                       one y";
        report.add(&format!("{path}.section"), message);
    }

    // A length that is new at the start of a step would push by the forces there.
    let time = &scene.time;
    let is_exact = matches!(
        time.integrator,
        Scheme::ImplicitEuler | Scheme::Bdf2 | Scheme::Static
    );
    if !is_exact || time.gamma.is_some() {
        let message = "is for integrators all of whose forces act as they are at the end of a step; choose \
                       \"implicit_euler\", \"bdf2\" or \"static\" as time.integrator";
        report.add(&path, message);
    }

    // Steps that are not one solve from start to end.
    let others = [
        (time.adaptive.is_some(), "time.adaptive"),
        (time.arc_length.is_some(), "time.arc_length"),
        (time.energy == EnergyTarget::Kept, "time.energy"),
        (scene.solver.sleep.is_some(), "solver.sleep"),
        (scene.periodic.is_some(), "periodic"),
    ];
    for (is_given, key) in others {
        if is_given {
            let message = format!(
                "finds its length by solving whole steps again, which does not go with {key} yet; leave one of both \
                 out"
            );
            report.add(&path, message);
        }
    }
}
