//! Checks of scenes that keep their energy: what has no energy of its own, or moves as prescribed.

use super::report::Report;
use crate::schema::{Body, EnergyTarget, Scene, Scheme};

/// Checks that a scene with `"energy": "kept"` has kinetic energy, and that nothing in it has the
/// velocities of a script or of joints. What drives a body gives it any energy that its velocity
/// needs, so that nothing is lost there; a hinge would have to keep together what velocities part.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if scene.time.energy != EnergyTarget::Kept {
        return;
    }
    if scene.time.integrator == Scheme::Static {
        let message = "statics has no kinetic energy, and its increments take none; leave it out, or \
                       choose another time.integrator";
        report.add("time.energy", message);
    }

    if !scene.joints.is_empty() {
        let message = "are closed by positions, and \"energy\": \"kept\" changes velocities without \
                       them; leave one of both out";
        report.add("joints", message);
    }

    let remedy = "moves vertices as it says, whatever energy that takes; leave it or \"energy\": \
                  \"kept\" out";
    for (k, body) in scene.bodies.iter().enumerate() {
        if body.script.is_some() {
            report.add(&format!("bodies[{k}].script"), remedy);
        }
        for n in moving(body) {
            report.add(&format!("bodies[{k}].prescribed[{n}]"), remedy);
        }
    }
}

/// Numbers of the prescribed motions of a body that are no rest.
fn moving(body: &Body) -> impl Iterator<Item = usize> {
    let all = body.prescribed.iter().enumerate();
    let moves = all.filter(|(_, prescribed)| {
        let speed = prescribed.velocity.iter().any(|v| *v != 0.0);
        speed || prescribed.displacement.is_some() || !prescribed.keyframes.is_empty()
    });
    moves.map(|(n, _)| n)
}
