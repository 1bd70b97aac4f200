//! Checks of static scenes: keys that mean nothing where no body has a velocity.
//!
//! They are refused rather than ignored, since somebody who writes them expects a motion.

use super::report::Report;
use crate::schema::{Scene, Scheme};
use ipcsim_math::Vec2;

/// Checks that a static scene has no initial velocities, no restitution and no dampers.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if scene.time.integrator != Scheme::Static {
        return;
    }
    let remedy = "statics has no velocities; leave it out, or choose another time.integrator";
    for (k, body) in scene.bodies.iter().enumerate() {
        let moves = Vec2::from(body.velocity) != Vec2::zeros();
        let keys = [
            ("velocity", moves),
            ("spin_deg", body.spin_deg != 0.0),
            ("damping", body.damping.is_some()),
        ];
        for (key, moves) in keys {
            if moves {
                report.add(&format!("bodies[{k}].{key}"), remedy);
            }
        }
    }

    for (name, material) in &scene.materials {
        if material.damping.is_some() {
            report.add(&format!("materials.{name}.damping"), remedy);
        }
    }

    for (k, joint) in scene.joints.iter().enumerate() {
        for key in [joint.damper(), joint.servo_damper()].into_iter().flatten() {
            let kind = joint.common().kind;
            report.add(&format!("joints[{k}].{kind}.{key}"), remedy);
        }
    }
    if scene.contact.restitution.acts() {
        report.add("contact.restitution", remedy);
    }
}
