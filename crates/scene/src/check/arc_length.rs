//! Checks of paths of equilibria: what has no meaning where the load time may fall again.
//!
//! A path needs forces that are functions of places and of the load time alone. What remembers how a
//! state was reached, or acts from one time on, is refused rather than followed wrongly.

use super::report::Report;
use crate::schema::{Friction, Joint, Scene, Scheme};

/// Checks that the scene is static, and that nothing in it depends on the
/// way by which a state is reached.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if scene.time.arc_length.is_none() {
        return;
    }

    let path = "time.arc_length";
    if scene.time.integrator != Scheme::Static {
        let message = "follows equilibria, which only statics has; leave it out, or choose \
                       \"integrator\": \"static\"";
        report.add(path, message);
    }
    if rubs(&scene.contact.friction) {
        let message = "follows a path on which loads may fall again, and friction depends on the way; \
                       leave one of both out";
        report.add("contact.friction", message);
    }
    if !scene.changes.is_empty() {
        let message = "happen at times, which come again on a path of equilibria; leave them out, or \
                       time.arc_length";
        report.add("changes", message);
    }

    // Joints, and windows of time.
    for (k, joint) in scene.joints.iter().enumerate() {
        let is_spring = matches!(joint, Joint::Spring(spring) if spring.break_force.is_none());
        if !is_spring {
            let message = "is no spring, or can break; with time.arc_length springs are the only \
                           joints, so use a stiff one, or leave time.arc_length out";
            report.add(&format!("joints[{k}]"), message);
        }
    }

    let remedy = "is a window of time, which a path of equilibria may enter and leave; leave it out, or \
                  time.arc_length";
    for (k, body) in scene.bodies.iter().enumerate() {
        for (n, prescribed) in body.prescribed.iter().enumerate() {
            let keys = [("from", prescribed.from), ("until", prescribed.until)];
            for (key, _) in keys.iter().filter(|(_, time)| time.is_some()) {
                report.add(&format!("bodies[{k}].prescribed[{n}].{key}"), remedy);
            }
        }
        if body
            .script
            .as_ref()
            .is_some_and(|script| script.until.is_some())
        {
            report.add(&format!("bodies[{k}].script.until"), remedy);
        }
    }
}

/// True if any pair has friction or rolling resistance.
fn rubs(friction: &Friction) -> bool {
    let mut pairs = friction.pairs.iter().chain(&friction.materials);
    friction.default > 0.0
        || friction.rolling > 0.0
        || pairs.any(|pair| pair.coefficient > 0.0 || pair.rolling > 0.0)
}
