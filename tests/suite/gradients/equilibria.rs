//! Scenes with equilibria that joints hold, that a run begins with, and along a path through limit points.

use super::scenes::{Case, Part};
use serde_json::json;

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    vec![
        arch_beyond_its_limit(),
        arch_under_a_plate(),
        pressed_arch(),
        slide_from_equilibrium(),
        push_from_equilibrium(),
        pendulum_from_equilibrium(),
        hinged_in_statics(),
    ]
}

/// Arch under a load, beyond its limit point.
fn arch_beyond_its_limit() -> Case {
    Case {
        name: "arch beyond its limit point",
        scene: json!({"time": {"step": 0.1, "steps": 11, "integrator": "static", "arc_length": {"length": 0.002}}, "gravity": [0, 0], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 1_000_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "arch", "material": "rubber", "shape": {"area": {"outline": {"path": {"points": [[-0.1, 0], [-0.05, 0.012], [0, 0.016], [0.052, 0.012], [0.1, 0], [0.1, 0.005], [0.051, 0.017], [0, 0.021], [-0.05, 0.017], [-0.1, 0.005]]}}, "mesh": {"size": 0.008}}}, "prescribed": [{"vertices": {"side": "left"}}, {"vertices": {"side": "right"}}]}], "obstacles": [], "loads": [{"body": "arch", "on": {"box": {"min": [-0.006, 0.02], "max": [0.006, 0.03]}}, "force": [0, {"times": [0, 1], "values": [0, -10]}]}], "measure": [{"name": "sag", "value": "displacement_y", "of": "arch", "at": [0, 0.021]}]}),
        of: vec!["sag", "max of time"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "loads.0.force.1.values.1",
            "time.arc_length.length",
        ],
        part: Part::None,
        is_static: true,
    }
}

/// Arch under a plate, by arc length.
fn arch_under_a_plate() -> Case {
    Case {
        name: "arch under a plate by arc length",
        scene: json!({"time": {"step": 0.1, "steps": 8, "integrator": "static", "arc_length": {"length": 0.002}}, "gravity": [0, 0], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 1_000_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "arch", "material": "rubber", "shape": {"area": {"outline": {"path": {"points": [[-0.1, 0], [-0.05, 0.012], [0, 0.016], [0.052, 0.012], [0.1, 0], [0.1, 0.005], [0.051, 0.017], [0, 0.021], [-0.05, 0.017], [-0.1, 0.005]]}}, "mesh": {"size": 0.008}}}, "prescribed": [{"vertices": {"side": "left"}}, {"vertices": {"side": "right"}}]}], "obstacles": [{"name": "plate", "shape": {"half_plane": {"normal": [0, -1], "origin": [0, 0.0222]}}, "velocity": [0, -0.02]}], "measure": [{"name": "sag", "value": "displacement_y", "of": "arch", "at": [0, 0.021]}], "contact": {"d_hat": 0.001, "kappa": 100_000.0}}),
        of: vec!["sag", "time", "plate.reaction_y"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "obstacles.plate.velocity.1",
        ],
        part: Part::Contact,
        is_static: true,
    }
}

/// Arch under a plate and a pressure that follows it, by arc length.
fn pressed_arch() -> Case {
    Case {
        name: "arch under a plate and a pressure by arc length",
        scene: json!({"time": {"step": 0.1, "steps": 8, "integrator": "static", "arc_length": {"length": 0.002}}, "gravity": [0, 0], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 1_000_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "arch", "material": "rubber", "shape": {"area": {"outline": {"path": {"points": [[-0.1, 0], [-0.05, 0.012], [0, 0.016], [0.052, 0.012], [0.1, 0], [0.1, 0.005], [0.051, 0.017], [0, 0.021], [-0.05, 0.017], [-0.1, 0.005]]}}, "mesh": {"size": 0.008}}}, "prescribed": [{"vertices": {"side": "left"}}, {"vertices": {"side": "right"}}]}], "obstacles": [{"name": "plate", "shape": {"half_plane": {"normal": [0, -1], "origin": [0, 0.0222]}}, "velocity": [0, -0.02]}], "measure": [{"name": "sag", "value": "displacement_y", "of": "arch", "at": [0, 0.021]}], "contact": {"d_hat": 0.001, "kappa": 100_000.0}, "loads": [{"body": "arch", "on": {"box": {"min": [-0.04, -1], "max": [0.04, 0.0165]}}, "pressure": {"times": [0, 1], "values": [0, 300]}}]}),
        of: vec!["sag", "time"],
        by: vec!["loads.0.pressure.values.1", "obstacles.plate.velocity.1"],
        part: Part::Contact,
        is_static: true,
    }
}

/// Soft block that slides from its equilibrium.
fn slide_from_equilibrium() -> Case {
    Case {
        name: "soft block from its equilibrium",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "start": "equilibrium", "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0.2, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.4}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 20_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0612], "velocity": [0.5, 0.0]}]}),
        of: vec!["block.x", "mean of block.y"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "materials.rubber.density",
            "contact.friction.default",
            "bodies.block.velocity.0",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Soft block that is pushed from its equilibrium, in statics.
fn push_from_equilibrium() -> Case {
    Case {
        name: "soft block from its equilibrium in statics",
        scene: json!({"time": {"step": 0.1, "steps": 5, "integrator": "static"}, "start": "equilibrium", "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0.2, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.4}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 20_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0612], "velocity": [0, 0]}], "loads": [{"body": "block", "on": {"side": "top"}, "force": [{"times": [0, 0.5], "values": [0.5, 2.0]}, -5]}]}),
        of: vec!["block.x"],
        by: vec![
            "materials.rubber.density",
            "contact.friction.default",
            "loads.0.force.1",
        ],
        part: Part::Friction,
        is_static: true,
    }
}

/// Rigid block on a hinge, from its equilibrium.
fn pendulum_from_equilibrium() -> Case {
    Case {
        name: "pendulum from its equilibrium",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "start": "equilibrium", "gravity": [0, -9.81], "obstacles": [], "contact": {"friction": {"default": 0.4}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 20_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0612], "velocity": [0.5, 0.0], "kind": "rigid"}], "joints": [{"hinge": {"name": "s", "bodies": ["block", "world"], "at": [0.05, 0.1112]}}]}),
        of: vec!["block.x", "mean of block.y"],
        by: vec!["gravity.0", "bodies.block.velocity.0"],
        part: Part::None,
        is_static: false,
    }
}

/// Rigid block on a hinge, in statics.
fn hinged_in_statics() -> Case {
    Case {
        name: "rigid block on a hinge in statics",
        scene: json!({"time": {"step": 0.1, "steps": 3, "integrator": "static"}, "gravity": [0, -9.81], "obstacles": [], "contact": {"friction": {"default": 0.4}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 20_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0612], "velocity": [0, 0], "kind": "rigid"}], "joints": [{"hinge": {"name": "s", "bodies": ["block", "world"], "at": [0.05, 0.1112]}}], "loads": [{"body": "block", "on": {"side": "top"}, "force": [{"times": [0, 0.3], "values": [0.5, 2.0]}, -5]}]}),
        of: vec!["block.x", "block.y"],
        by: vec!["materials.rubber.density", "gravity.0", "loads.0.force.1"],
        part: Part::None,
        is_static: true,
    }
}
