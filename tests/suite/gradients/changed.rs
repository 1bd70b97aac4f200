//! Scenes with changes between steps.

use super::scenes::{Case, Part};
use serde_json::json;

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    vec![changed_between_steps(), motor_that_is_reversed()]
}

/// Soft block with changes of friction, a load, gravity, a hand and a force.
fn changed_between_steps() -> Case {
    Case {
        name: "soft block with changes",
        scene: json!({"time": {"step": 0.01, "steps": 14}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5]}], "loads": [{"name": "pull", "body": "block", "force": [3, 0]}], "changes": [{"after": 3, "set": {"friction": {"between": ["floor", "block"], "coefficient": 0.5}}}, {"after": 5, "set": {"load": {"name": "pull", "factor": 2.5}}}, {"after": 7, "set": {"gravity": [0.5, -8]}}, {"after": 7, "set": {"hand": {"body": "block", "at": [0.05, 0.1], "to": [0.2, 0.3], "stiffness": 300}}}, {"after": 9, "set": {"force": {"body": "block", "force": [1, 2]}}}]}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "changes.0.set.friction.coefficient",
            "changes.1.set.load.factor",
            "changes.2.set.gravity.0",
            "changes.3.set.hand.stiffness",
            "changes.4.set.force.force.1",
            "contact.friction.default",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Motor whose speed changes, by bdf2.
fn motor_that_is_reversed() -> Case {
    Case {
        name: "motor whose speed changes",
        scene: json!({"time": {"step": 0.01, "steps": 20, "integrator": "bdf2"}, "gravity": [0, -9.81], "materials": {"stone": {"density": 1000}}, "bodies": [{"name": "arm", "kind": "rigid", "shape": {"rectangle": {"size": [0.4, 0.04], "segments": [1, 1]}}, "material": "stone"}, {"name": "top", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.04], "segments": [1, 1]}}, "material": "stone", "position": [0, 0.0405]}], "obstacles": [{"name": "plate", "shape": {"rectangle": {"size": [0.4, 0.04], "segments": [1, 1]}}, "position": [0.5, 0.5]}], "joints": [{"hinge": {"name": "axle", "bodies": ["arm", "world"], "at": [0, 0], "motor": {"speed_deg": 170, "torque": 50}}}], "contact": {"friction": {"default": 0.5}}, "changes": [{"after": 6, "set": {"joint": {"name": "axle", "motor": {"speed_deg": -110}}}}, {"after": 8, "set": {"target": {"body": "plate", "by": [0.1, 0]}}}, {"after": 12, "set": {"joint": {"name": "axle", "motor": {"speed_deg": 60}}}}]}),
        of: vec!["top.x", "arm.angle"],
        by: vec![
            "changes.0.set.joint.motor.speed_deg",
            "changes.2.set.joint.motor.speed_deg",
            "materials.stone.density",
        ],
        part: Part::Friction,
        is_static: false,
    }
}
