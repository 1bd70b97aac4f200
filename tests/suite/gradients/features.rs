//! Scenes with what a step remembers or couples: damping, metals that flow, loads that follow bodies, gas, heat, rods,
//! reduced bodies, servos and limits, impacts through joints, cells that repeat, and bodies of revolution.

use super::scenes::{Case, Part};
use serde_json::json;

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    vec![
        damped_soft_block(),
        damped_quadratic_block(),
        damped_rigid_block(),
        pressed_block(),
        pressed_in_statics(),
        turned_block(),
        warm_block(),
        metal_block(),
        metal_in_statics(),
        damped_metal_backwards(),
        tube_with_gas(),
        tube_that_is_filled(),
        polynomial_block(),
        modal_block(),
        servo_of_an_arm(),
        arm_at_its_limit(),
        block_on_a_rod(),
        rod_in_statics(),
        impact_through_a_hinge(),
        impact_against_a_motor(),
        cell_with_a_slit(),
        contact_across_a_period(),
        revolved_block(),
    ]
}

/// Soft block with damping.
fn damped_soft_block() -> Case {
    Case {
        name: "soft block with damping",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}, "damping": {"mass": 2.0, "stiffness": 0.01}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5]}]}),
        of: vec!["block.x"],
        by: vec![
            "materials.rubber.damping.mass",
            "materials.rubber.damping.stiffness",
            "materials.rubber.law.neo_hookean.young",
            "bodies.block.velocity.0",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Damped quadratic triangles by bdf2.
fn damped_quadratic_block() -> Case {
    Case {
        name: "damped quadratic triangles by bdf2",
        scene: json!({"time": {"step": 0.01, "steps": 10, "integrator": "bdf2"}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}, "damping": {"mass": 2.0, "stiffness": 0.01}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5], "elements": "quadratic"}]}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "materials.rubber.damping.mass",
            "materials.rubber.damping.stiffness",
            "bodies.block.velocity.0",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Rigid block with damping.
fn damped_rigid_block() -> Case {
    Case {
        name: "rigid block with damping",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"steel": {"density": 780, "damping": {"mass": 3.0}}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0501], "velocity": [1.0, 0]}]}),
        of: vec!["block.x"],
        by: vec!["materials.steel.damping.mass", "bodies.block.velocity.0"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Block under pressures.
fn pressed_block() -> Case {
    Case {
        name: "block under pressures",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5]}], "loads": [{"body": "block", "on": {"side": "top"}, "pressure": {"times": [0, 0.1], "values": [0, 4000]}}, {"body": "block", "on": {"side": "right"}, "pressure": 300}]}),
        of: vec!["block.x", "block.y"],
        by: vec!["loads.0.pressure.values.1", "loads.1.pressure"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Pressure in statics.
fn pressed_in_statics() -> Case {
    Case {
        name: "pressure in statics",
        scene: json!({"time": {"step": 1, "steps": 2, "integrator": "static"}, "gravity": [0, 0], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [0, 0], "prescribed": [{"vertices": {"side": "left"}}]}], "loads": [{"body": "block", "on": {"side": "top"}, "pressure": {"times": [0, 2], "values": [0, 8000]}}]}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "loads.0.pressure.values.1",
            "materials.rubber.law.neo_hookean.young",
        ],
        part: Part::None,
        is_static: true,
    }
}

/// Torque on vertices.
fn turned_block() -> Case {
    Case {
        name: "torque on vertices",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5]}], "loads": [{"body": "block", "on": {"side": "top"}, "torque": 2}]}),
        of: vec!["block.x", "block.y"],
        by: vec!["loads.0.torque"],
        part: Part::None,
        is_static: false,
    }
}

/// Block that is heated.
fn warm_block() -> Case {
    Case {
        name: "block that is heated",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}, "expansion": 0.001}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5], "temperature": {"times": [0, 0.1], "values": [0, 30]}}]}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "materials.rubber.expansion",
            "bodies.block.temperature.values.1",
            "materials.rubber.law.neo_hookean.young",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Metal that flows in an impact.
fn metal_block() -> Case {
    Case {
        name: "metal that flows in an impact",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"j2": {"young": 100_000.0, "poisson": 0.3, "yield_stress": 3000, "hardening": 10_000.0}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1, -2]}]}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "materials.rubber.law.j2.yield_stress",
            "materials.rubber.law.j2.young",
            "contact.friction.default",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Metal that is pressed in statics and heated.
fn metal_in_statics() -> Case {
    Case {
        name: "metal that is pressed in statics and heated",
        scene: json!({"time": {"step": 1, "steps": 3, "integrator": "static"}, "gravity": [0, 0], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "expansion": 0.001, "law": {"j2": {"young": 100_000.0, "poisson": 0.3, "yield_stress": 3000, "hardening": 10_000.0}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [0, 0], "elements": "quadratic", "temperature": {"times": [0, 3], "values": [0, 10]}, "prescribed": [{"vertices": {"side": "top"}, "displacement": {"x": {"times": [0, 3], "values": [0, 0.003]}, "y": {"times": [0, 3], "values": [0, -0.012]}}}]}]}),
        of: vec!["block.x", "floor.reaction_y"],
        by: vec![
            "materials.rubber.law.j2.yield_stress",
            "materials.rubber.law.j2.hardening",
            "contact.friction.default",
        ],
        part: Part::Contact,
        is_static: true,
    }
}

/// Damped metal by bdf2.
fn damped_metal_backwards() -> Case {
    Case {
        name: "damped metal by bdf2",
        scene: json!({"time": {"step": 0.01, "steps": 8, "integrator": "bdf2"}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "damping": {"stiffness": 0.005}, "law": {"j2": {"young": 100_000.0, "poisson": 0.3, "yield_stress": 3000}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1, -2]}]}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "materials.rubber.law.j2.yield_stress",
            "materials.rubber.damping.stiffness",
            "contact.friction.default",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Tube with gas that lands.
fn tube_with_gas() -> Case {
    Case {
        name: "tube with gas that lands",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "tube", "shape": {"mesh": {"vertices": [[0.1, 0.0], [0.08, 0.0], [0.09239, 0.03827], [0.07391, 0.03061], [0.07071, 0.07071], [0.05657, 0.05657], [0.03827, 0.09239], [0.03061, 0.07391], [0.0, 0.1], [0.0, 0.08], [-0.03827, 0.09239], [-0.03061, 0.07391], [-0.07071, 0.07071], [-0.05657, 0.05657], [-0.09239, 0.03827], [-0.07391, 0.03061], [-0.1, 0.0], [-0.08, 0.0], [-0.09239, -0.03827], [-0.07391, -0.03061], [-0.07071, -0.07071], [-0.05657, -0.05657], [-0.03827, -0.09239], [-0.03061, -0.07391], [-0.0, -0.1], [-0.0, -0.08], [0.03827, -0.09239], [0.03061, -0.07391], [0.07071, -0.07071], [0.05657, -0.05657], [0.09239, -0.03827], [0.07391, -0.03061]], "triangles": [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5], [4, 6, 5], [5, 6, 7], [6, 8, 7], [7, 8, 9], [8, 10, 9], [9, 10, 11], [10, 12, 11], [11, 12, 13], [12, 14, 13], [13, 14, 15], [14, 16, 15], [15, 16, 17], [16, 18, 17], [17, 18, 19], [18, 20, 19], [19, 20, 21], [20, 22, 21], [21, 22, 23], [22, 24, 23], [23, 24, 25], [24, 26, 25], [25, 26, 27], [26, 28, 27], [27, 28, 29], [28, 30, 29], [29, 30, 31], [30, 0, 31], [31, 0, 1]]}}, "material": "rubber", "position": [0, 0.1004], "velocity": [0.3, -1]}], "chambers": [{"name": "air", "walls": [{"body": "tube"}]}]}),
        of: vec!["tube.x", "tube.y"],
        by: vec![
            "contact.friction.default",
            "materials.rubber.law.neo_hookean.young",
            "bodies.tube.velocity.1",
        ],
        part: Part::Contact,
        is_static: false,
    }
}

/// Tube that is filled.
fn tube_that_is_filled() -> Case {
    Case {
        name: "tube that is filled",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "tube", "shape": {"mesh": {"vertices": [[0.1, 0.0], [0.08, 0.0], [0.09239, 0.03827], [0.07391, 0.03061], [0.07071, 0.07071], [0.05657, 0.05657], [0.03827, 0.09239], [0.03061, 0.07391], [0.0, 0.1], [0.0, 0.08], [-0.03827, 0.09239], [-0.03061, 0.07391], [-0.07071, 0.07071], [-0.05657, 0.05657], [-0.09239, 0.03827], [-0.07391, 0.03061], [-0.1, 0.0], [-0.08, 0.0], [-0.09239, -0.03827], [-0.07391, -0.03061], [-0.07071, -0.07071], [-0.05657, -0.05657], [-0.03827, -0.09239], [-0.03061, -0.07391], [-0.0, -0.1], [-0.0, -0.08], [0.03827, -0.09239], [0.03061, -0.07391], [0.07071, -0.07071], [0.05657, -0.05657], [0.09239, -0.03827], [0.07391, -0.03061]], "triangles": [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5], [4, 6, 5], [5, 6, 7], [6, 8, 7], [7, 8, 9], [8, 10, 9], [9, 10, 11], [10, 12, 11], [11, 12, 13], [12, 14, 13], [13, 14, 15], [14, 16, 15], [15, 16, 17], [16, 18, 17], [17, 18, 19], [18, 20, 19], [19, 20, 21], [20, 22, 21], [21, 22, 23], [22, 24, 23], [23, 24, 25], [24, 26, 25], [25, 26, 27], [26, 28, 27], [27, 28, 29], [28, 30, 29], [29, 30, 31], [30, 0, 31], [31, 0, 1]]}}, "material": "rubber", "position": [0, 0.1004], "velocity": [0.3, -1]}], "chambers": [{"name": "air", "walls": [{"body": "tube"}], "gamma": 1.4, "fill": {"gauge": {"times": [0, 0.1], "values": [0, 2000]}}}]}),
        of: vec!["tube.x", "tube.y"],
        by: vec![
            "contact.friction.default",
            "materials.rubber.law.neo_hookean.young",
            "chambers.0.fill.gauge.values.1",
        ],
        part: Part::Contact,
        is_static: false,
    }
}

/// Polynomial body.
fn polynomial_block() -> Case {
    Case {
        name: "polynomial body",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 4}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5], "kind": {"polynomial": {"order": 2}}}]}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "contact.friction.default",
            "bodies.block.velocity.0",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Modal body.
fn modal_block() -> Case {
    Case {
        name: "modal body",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 4}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5], "kind": {"modal": {"modes": 8}}}]}),
        of: vec!["block.x"],
        by: vec![
            "contact.friction.default",
            "bodies.block.velocity.0",
            "gravity.1",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Servo of an arm.
fn servo_of_an_arm() -> Case {
    Case {
        name: "servo of an arm",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"steel": {"density": 780}}, "bodies": [{"name": "base", "kind": "rigid", "fixed": ["x", "y", "angle"], "group": "g", "shape": {"circle": {"radius": 0.02}}, "material": "steel", "position": [0, 0.5]}, {"name": "arm", "group": "g", "kind": "rigid", "shape": {"rectangle": {"size": [0.4, 0.04], "segments": [4, 1]}}, "material": "steel", "position": [0.2, 0.5]}], "joints": [{"hinge": {"bodies": ["arm", "base"], "at": [0, 0.5], "motor": {"angle_deg": {"times": [0, 0.3], "values": [0, 30]}, "stiffness": 20, "damping": 0.5, "torque": 50}}}]}),
        of: vec!["arm.x", "arm.angle"],
        by: vec!["gravity.1"],
        part: Part::None,
        is_static: false,
    }
}

/// Arm that rests on its limit.
fn arm_at_its_limit() -> Case {
    Case {
        name: "arm that rests on its limit",
        scene: json!({"time": {"step": 0.01, "steps": 20}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"model": "book", "d_hat": 0.001, "kappa": 100_000.0}, "materials": {"steel": {"density": 780}}, "bodies": [{"name": "base", "kind": "rigid", "fixed": ["x", "y", "angle"], "group": "g", "shape": {"circle": {"radius": 0.02}}, "material": "steel", "position": [0, 0.5]}, {"name": "arm", "group": "g", "kind": "rigid", "shape": {"rectangle": {"size": [0.4, 0.04], "segments": [4, 1]}}, "material": "steel", "position": [0.2, 0.5]}], "joints": [{"hinge": {"bodies": ["arm", "base"], "at": [0, 0.5], "limits_deg": [-20, 20]}}]}),
        of: vec!["arm.x", "arm.angle"],
        by: vec!["gravity.1", "materials.steel.density"],
        part: Part::None,
        is_static: false,
    }
}

/// Block on a rod.
fn block_on_a_rod() -> Case {
    Case {
        name: "block on a rod",
        scene: json!({"time": {"step": 0.005, "steps": 12}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "rod", "kind": {"rod": {"young": 1_000_000.0, "thickness": 0.01}}, "shape": {"polyline": {"points": [[-0.1, 0.03], [0.1, 0.0302]], "segments": 6}}, "material": "rubber", "velocity": [1, 0]}, {"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0.05, 0.12], "velocity": [0.2, -1]}]}),
        of: vec!["rod.y", "block.x"],
        by: vec![
            "contact.friction.default",
            "bodies.rod.kind.rod.young",
            "bodies.rod.velocity.0",
        ],
        part: Part::Contact,
        is_static: false,
    }
}

/// Rod in statics.
fn rod_in_statics() -> Case {
    Case {
        name: "rod in statics",
        scene: json!({"time": {"step": 1, "steps": 2, "integrator": "static"}, "gravity": [0, -9.81], "obstacles": [], "contact": {"friction": {"default": 0.3}}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "rod", "kind": {"rod": {"young": 1_000_000.0, "thickness": 0.01}}, "shape": {"polyline": {"points": [[-0.3, 0.1], [0.3, 0.1]], "segments": 10}}, "material": "rubber", "velocity": [0, 0], "prescribed": [{"vertices": {"indices": [0, 10]}}]}]}),
        of: vec!["rod.y"],
        by: vec!["bodies.rod.kind.rod.young", "gravity.1"],
        part: Part::None,
        is_static: true,
    }
}

/// Impact through a hinge.
fn impact_through_a_hinge() -> Case {
    Case {
        name: "impact through a hinge",
        scene: json!({"time": {"step": 0.01, "steps": 11}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}, "restitution": {"default": 0.5}}, "materials": {"steel": {"density": 780}}, "bodies": [{"name": "top", "kind": "rigid", "shape": {"rectangle": {"size": [0.3, 0.04], "segments": [1, 1]}}, "material": "steel", "position": [0, 0.3], "velocity": [0.4, -1], "group": "g"}, {"name": "leg", "kind": "rigid", "shape": {"rectangle": {"size": [0.04, 0.2], "segments": [1, 1]}}, "material": "steel", "position": [-0.13, 0.2], "velocity": [0.4, -1], "group": "g", "rotation_deg": 7}], "joints": [{"hinge": {"bodies": ["top", "leg"], "at": [-0.13, 0.3]}}]}),
        of: vec!["top.x", "leg.angle", "top.vy"],
        by: vec![
            "bodies.leg.velocity.1",
            "contact.friction.default",
            "gravity.1",
        ],
        part: Part::Contact,
        is_static: false,
    }
}

/// Impact against a motor.
fn impact_against_a_motor() -> Case {
    Case {
        name: "impact against a motor",
        scene: json!({"time": {"step": 0.01, "steps": 14}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "materials": {"steel": {"density": 780}}, "bodies": [{"name": "top", "kind": "rigid", "shape": {"rectangle": {"size": [0.3, 0.04], "segments": [1, 1]}}, "material": "steel", "position": [0, 0.3], "velocity": [0.4, -1], "group": "g"}, {"name": "leg", "kind": "rigid", "shape": {"rectangle": {"size": [0.04, 0.2], "segments": [1, 1]}}, "material": "steel", "position": [-0.13, 0.2], "velocity": [0.4, -1], "group": "g"}], "joints": [{"hinge": {"bodies": ["top", "leg"], "at": [-0.13, 0.3], "motor": {"speed_deg": 40, "torque": 5}}}]}),
        of: vec!["top.x", "leg.angle", "top.vy"],
        by: vec![
            "bodies.leg.velocity.1",
            "joints.0.hinge.motor.speed_deg",
            "contact.friction.default",
            "gravity.1",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Cell with a slit that rubs.
fn cell_with_a_slit() -> Case {
    Case {
        name: "cell with a slit that rubs",
        scene: json!({"periodic": {"x": 0.02, "y": 0.02, "strain": {"yy": {"times": [0, 1], "values": [0, -0.3]}, "xy": {"times": [0, 1], "values": [0, 0.2]}}, "stress": {"xx": 0}}, "time": {"step": 0.1, "steps": 6, "integrator": "static"}, "gravity": [0, 0], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 2_000_000.0, "poisson": 0.4}}}}, "bodies": [{"name": "matrix", "material": "rubber", "shape": {"area": {"outline": {"path": {"points": [[0, 0], [0.02, 0], [0.02, 0.02], [0, 0.02]]}}, "holes": [{"path": {"points": [[0.004, 0.0095], [0.016, 0.0095], [0.016, 0.0105], [0.004, 0.0105]]}}], "mesh": {"size": 0.003}}}}], "measure": [{"name": "stress", "value": "cell_stress_yy"}, {"name": "exx", "value": "cell_strain_xx"}, {"name": "sxy", "value": "cell_stress_xy"}], "contact": {"friction": {"default": 0.3}, "d_hat": 0.0002, "kappa": 100_000.0}}),
        of: vec!["stress", "sxy", "exx"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "contact.friction.default",
            "periodic.strain.xy.values.1",
        ],
        part: Part::Contact,
        is_static: true,
    }
}

/// Cell that rubs across its period.
fn contact_across_a_period() -> Case {
    Case {
        name: "cell that rubs across its period",
        scene: json!({"periodic": {"x": 0.02, "y": 0.02, "strain": {"yy": {"times": [0, 1], "values": [0, -0.3]}, "xy": {"times": [0, 1], "values": [0, 0.2]}}, "stress": {"xx": 0}}, "time": {"step": 0.1, "steps": 6, "integrator": "static"}, "gravity": [0, 0], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 2_000_000.0, "poisson": 0.4}}}}, "bodies": [{"name": "matrix", "material": "rubber", "shape": {"area": {"outline": {"path": {"points": [[0, 0], [0.004, 0], [0.0045, 0.0004], [0.0155, 0.0004], [0.016, 0], [0.02, 0], [0.02, 0.02], [0.016, 0.02], [0.0155, 0.0196], [0.0045, 0.0196], [0.004, 0.02], [0, 0.02]]}}, "mesh": {"size": 0.003}}}}], "measure": [{"name": "stress", "value": "cell_stress_yy"}, {"name": "exx", "value": "cell_strain_xx"}, {"name": "sxy", "value": "cell_stress_xy"}], "contact": {"friction": {"default": 0.3}, "d_hat": 0.0002, "kappa": 100_000.0}}),
        of: vec!["stress", "sxy", "exx"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "contact.friction.default",
            "periodic.strain.xy.values.1",
        ],
        part: Part::Contact,
        is_static: true,
    }
}

/// Body of revolution under pressure.
fn revolved_block() -> Case {
    Case {
        name: "body of revolution under pressure",
        scene: json!({"plane": "axisymmetric", "time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}, "bodies": [{"name": "ball", "material": "rubber", "shape": {"area": {"outline": {"path": {"points": [[0, 0.001], [0.1, 0.02], [0.1, 0.1], [0, 0.1]]}}, "mesh": {"size": 0.03}}}, "velocity": [0, -1]}], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "loads": [{"body": "ball", "on": {"side": "top"}, "pressure": 1000}]}),
        of: vec!["ball.y", "ball.vy"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "loads.0.pressure",
            "materials.rubber.density",
        ],
        part: Part::Contact,
        is_static: false,
    }
}
