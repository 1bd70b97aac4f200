//! Scenes whose gradients are compared with differences: kinds of bodies, contact, joints, integrators and
//! parameters, each a few steps long.

use serde_json::{Value, json};

/// Part of the derivative without which a gradient changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// Friction.
    Friction,
    /// Contact.
    Contact,
    /// None, or one that is not looked at.
    None,
}

/// A scene, numbers of its run, and numbers of the scene that they are differentiated by.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) scene: Value,
    pub(super) of: Vec<&'static str>,
    pub(super) by: Vec<&'static str>,
    pub(super) part: Part,
    pub(super) is_static: bool,
}

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    vec![
        slide_of_a_soft_block(),
        slide_of_a_rigid_block(),
        press_in_statics(),
        free_fall_of_a_soft_block(),
        stick_on_a_slope_rigid(),
        pull_in_statics(),
        stick_on_a_slope_soft(),
        roll_of_a_circle(),
        pendulum(),
        creep_of_a_soft_block(),
        bounce_with_restitution(),
        motor_that_slips(),
        soft_block_on_soft_block(),
        rigid_block_on_soft_block(),
        motor_with_a_speed(),
        contact_of_vertices(),
        rigid_block_on_rigid_block(),
        chain_that_lands(),
        contact_of_the_book(),
        squares_that_part(),
        push_by_a_script_rigid(),
        equilibrium_in_a_corner(),
        quadratic_triangles(),
        affine_block(),
        load_on_a_soft_block(),
        backward_differences_soft(),
        backward_differences_rigid(),
        crank_and_spring(),
        shape_of_a_soft_block(),
        shape_of_a_rigid_block(),
        push_by_a_script_soft(),
        edges_of_rigid_blocks(),
        disk_of_edges(),
        bounce_of_a_pair(),
        pile(),
        field_of_linear_triangles(),
        field_of_quadratic_triangles(),
        field_of_regions(),
    ]
}

/// Slide of a soft block.
fn slide_of_a_soft_block() -> Case {
    Case {
        name: "slide of a soft block",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "contact.friction.default",
            "materials.rubber.law.neo_hookean.young",
            "bodies.block.velocity.0",
            "gravity.1",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Slide of a rigid block.
fn slide_of_a_rigid_block() -> Case {
    Case {
        name: "slide of a rigid block",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0501], "velocity": [1.0, 0.0]}], "materials": {"steel": {"density": 780}}}),
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

/// Press in statics.
fn press_in_statics() -> Case {
    Case {
        name: "press in statics",
        scene: json!({"time": {"step": 1, "steps": 2, "integrator": "static"}, "gravity": [0, 0], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0504], "prescribed": [{"vertices": {"side": "top"}, "displacement": {"x": {"times": [0, 4], "values": [0, 0.006]}, "y": {"times": [0, 4], "values": [0, -0.012]}}}]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x", "floor.reaction_y"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "materials.rubber.law.neo_hookean.poisson",
            "bodies.block.prescribed.0.displacement.y.values.1",
        ],
        part: Part::Contact,
        is_static: true,
    }
}

/// Free fall of a soft block.
fn free_fall_of_a_soft_block() -> Case {
    Case {
        name: "free fall of a soft block",
        scene: json!({"time": {"step": 0.01, "steps": 5}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.2], "velocity": [0.5, 0.3]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.y", "block.kinetic"],
        by: vec![
            "gravity.1",
            "bodies.block.position.1",
            "bodies.block.velocity.1",
        ],
        part: Part::None,
        is_static: false,
    }
}

/// Stick on a slope, rigid.
fn stick_on_a_slope_rigid() -> Case {
    Case {
        name: "stick on a slope, rigid",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [3, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.6}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0501]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec!["gravity.0", "contact.friction.default"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Pull in statics.
fn pull_in_statics() -> Case {
    Case {
        name: "pull in statics",
        scene: json!({"time": {"step": 1, "steps": 2, "integrator": "static"}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.6}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0504], "prescribed": [{"vertices": {"side": "top"}, "displacement": {"y": {"times": [0, 4], "values": [0, -0.008]}}}]}], "loads": [{"body": "block", "on": {"side": "right"}, "force": [{"times": [0, 10], "values": [0, 20]}, 0]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x"],
        by: vec![
            "loads.0.force.0.values.1",
            "materials.rubber.law.neo_hookean.young",
        ],
        part: Part::Friction,
        is_static: true,
    }
}

/// Stick on a slope, soft.
fn stick_on_a_slope_soft() -> Case {
    Case {
        name: "stick on a slope, soft",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [2, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.6}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0504]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x"],
        by: vec![
            "gravity.0",
            "materials.rubber.law.neo_hookean.young",
            "materials.rubber.density",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Roll of a circle.
fn roll_of_a_circle() -> Case {
    Case {
        name: "roll of a circle",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"circle": {"radius": 0.05}}, "material": "steel", "position": [0, 0.0501], "velocity": [1.0, 0.0], "spin_deg": 100}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x", "block.angle"],
        by: vec!["contact.friction.default", "bodies.block.velocity.0"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Pendulum.
fn pendulum() -> Case {
    Case {
        name: "pendulum",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.2, 0]}], "joints": [{"hinge": {"bodies": ["block", "world"], "at": [0, 0]}}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec!["bodies.block.position.0", "gravity.1"],
        part: Part::None,
        is_static: false,
    }
}

/// Creep of a soft block.
fn creep_of_a_soft_block() -> Case {
    Case {
        name: "creep of a soft block",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [2, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.6, "stick": "creep"}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0504]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x"],
        by: vec!["gravity.0", "contact.friction.default"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Bounce with restitution.
fn bounce_with_restitution() -> Case {
    Case {
        name: "bounce with restitution",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}, "restitution": {"default": 0.5}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"circle": {"radius": 0.05}}, "material": "steel", "position": [0, 0.08], "velocity": [3.0, -1.0]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "contact.restitution.default",
            "bodies.block.velocity.1",
            "contact.friction.default",
        ],
        part: Part::None,
        is_static: false,
    }
}

/// Motor that slips.
fn motor_that_slips() -> Case {
    Case {
        name: "motor that slips",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.2, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.2, 0.3]}], "joints": [{"hinge": {"bodies": ["block", "world"], "at": [0.1, 0.3], "motor": {"speed_deg": 400, "torque": 2}}}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.angle"],
        by: vec!["joints.0.hinge.motor.torque", "materials.steel.density"],
        part: Part::None,
        is_static: false,
    }
}

/// Soft block on soft block.
fn soft_block_on_soft_block() -> Case {
    Case {
        name: "soft block on soft block",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "lower", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0504]}, {"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "soft", "position": [0.02, 0.153], "velocity": [0.5, -0.3]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}, "soft": {"density": 900, "law": {"stable_neo_hookean": {"young": 40000.0, "poisson": 0.35}}}}}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "materials.soft.law.stable_neo_hookean.young",
            "contact.friction.default",
            "bodies.block.velocity.0",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Rigid block on soft block.
fn rigid_block_on_soft_block() -> Case {
    Case {
        name: "rigid block on soft block",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "lower", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0504]}, {"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.02, 0.152], "velocity": [0.5, -0.3]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}, "steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "contact.friction.default",
            "materials.steel.density",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Motor with a speed.
fn motor_with_a_speed() -> Case {
    Case {
        name: "motor with a speed",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.2, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.2, 0.3]}], "joints": [{"hinge": {"bodies": ["block", "world"], "at": [0.1, 0.3], "motor": {"speed_deg": 90, "torque": 1000}}}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x", "block.angle"],
        by: vec!["joints.0.hinge.motor.speed_deg"],
        part: Part::None,
        is_static: false,
    }
}

/// Contact of vertices.
fn contact_of_vertices() -> Case {
    Case {
        name: "contact of vertices",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"model": "vertices", "friction": {"default": 0.3}}, "bodies": [{"name": "lower", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0504]}, {"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "soft", "position": [0.02, 0.153], "velocity": [0.5, -0.3]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}, "soft": {"density": 900, "law": {"stable_neo_hookean": {"young": 40000.0, "poisson": 0.35}}}}}),
        of: vec!["block.x", "lower.x"],
        by: vec![
            "materials.soft.law.stable_neo_hookean.poisson",
            "contact.friction.default",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Rigid block on rigid block.
fn rigid_block_on_rigid_block() -> Case {
    Case {
        name: "rigid block on rigid block",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "a", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0501]}, {"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.03, 0.1505], "velocity": [0.6, -0.1]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec!["contact.friction.default", "bodies.block.velocity.0"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Chain that lands.
fn chain_that_lands() -> Case {
    Case {
        name: "chain that lands",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "a", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.2, 0.5]}, {"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.45, 0.5]}], "joints": [{"hinge": {"bodies": ["a", "world"], "at": [0.05, 0.5]}}, {"rod": {"bodies": ["a", "block"], "ends": [[0.25, 0.5], [0.4, 0.52]]}}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x", "block.angle"],
        by: vec!["bodies.block.position.1", "gravity.1"],
        part: Part::None,
        is_static: false,
    }
}

/// Contact of the book.
fn contact_of_the_book() -> Case {
    Case {
        name: "contact of the book",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"model": "book", "friction": {"default": 0.3}, "d_hat": 0.005}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.054], "velocity": [0.5, -0.1]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "contact.friction.default",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Squares of the book that part: contacts begin to slide within a step, so that its solve ends with other friction.
fn squares_that_part() -> Case {
    Case {
        name: "squares that part",
        scene: json!({"time": {"step": 0.01, "steps": 30}, "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.4}}}}, "bodies": [{"name": "upper", "shape": {"square": {"side": 0.45, "segments": 12}}, "material": "rubber", "lumping": "uniform"}, {"name": "lower", "shape": {"square": {"side": 0.45, "segments": 12}}, "material": "rubber", "lumping": "uniform", "position": [0.045, -0.495]}], "obstacles": [{"name": "ground", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, -1]}}}, {"name": "ceiling", "shape": {"half_plane": {"normal": [0, -1], "origin": [0, 0.27]}}, "velocity": [0, -0.5], "travel": 0.97}], "contact": {"model": "book", "d_hat": 0.01, "friction": {"pairs": [{"between": ["ground", "upper"], "coefficient": 0.4}, {"between": ["ground", "lower"], "coefficient": 0.4}, {"between": ["upper", "lower"], "coefficient": 0.4}]}}}),
        of: vec!["upper.y", "lower.x"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "materials.rubber.density",
        ],
        part: Part::Contact,
        is_static: false,
    }
}

/// Push by a script, rigid.
fn push_by_a_script_rigid() -> Case {
    Case {
        name: "push by a script, rigid",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}, {"name": "pusher", "shape": {"rectangle": {"size": [0.05, 0.05], "segments": [1, 1]}}, "position": [-0.0755, 0.06], "velocity": [0.5, 0]}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0505]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec!["obstacles.pusher.velocity.0", "contact.friction.default"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Equilibrium in a corner.
fn equilibrium_in_a_corner() -> Case {
    Case {
        name: "equilibrium in a corner",
        scene: json!({"time": {"step": 1, "steps": 1, "integrator": "static"}, "gravity": [1, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0504], "prescribed": [{"vertices": {"side": "left"}, "axis": "x"}]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.y", "block.x"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "materials.rubber.density",
        ],
        part: Part::Contact,
        is_static: true,
    }
}

/// Quadratic triangles.
fn quadratic_triangles() -> Case {
    Case {
        name: "quadratic triangles",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5], "elements": "quadratic"}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x", "block.y"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "materials.rubber.law.neo_hookean.poisson",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Affine block.
fn affine_block() -> Case {
    Case {
        name: "affine block",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": {"affine": {}}, "shape": {"rectangle": {"size": [0.1, 0.08], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0402], "velocity": [1.0, -0.2]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec![
            "contact.friction.default",
            "materials.steel.density",
            "bodies.block.velocity.0",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Load on a soft block.
fn load_on_a_soft_block() -> Case {
    Case {
        name: "load on a soft block",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0504]}], "loads": [{"body": "block", "on": {"side": "top"}, "force": [3.0, 0]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x"],
        by: vec!["loads.0.force.0", "contact.friction.default"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Backward differences, soft.
fn backward_differences_soft() -> Case {
    Case {
        name: "backward differences, soft",
        scene: json!({"time": {"step": 0.01, "steps": 10, "integrator": "bdf2"}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x"],
        by: vec![
            "materials.rubber.law.neo_hookean.young",
            "bodies.block.velocity.0",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Backward differences, rigid.
fn backward_differences_rigid() -> Case {
    Case {
        name: "backward differences, rigid",
        scene: json!({"time": {"step": 0.01, "steps": 10, "integrator": "bdf2"}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0501], "velocity": [1.0, 0.0]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec!["contact.friction.default", "bodies.block.velocity.0"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Crank and spring.
fn crank_and_spring() -> Case {
    Case {
        name: "crank and spring",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "crank", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.02], "segments": [2, 2]}}, "material": "steel", "position": [0.05, 0.5]}, {"name": "link", "kind": "rigid", "shape": {"rectangle": {"size": [0.2, 0.02], "segments": [2, 2]}}, "material": "steel", "position": [0.2, 0.5]}, {"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.3, 0.2]}], "joints": [{"hinge": {"bodies": ["crank", "world"], "at": [0, 0.5], "motor": {"speed_deg": 120, "torque": 1000}}}, {"hinge": {"bodies": ["crank", "link"], "at": [0.1, 0.5]}}, {"spring": {"bodies": ["link", "block"], "ends": [[0.3, 0.5], [0.3, 0.2]], "stiffness": 2000, "damping": 5}}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec!["joints.0.hinge.motor.speed_deg", "gravity.1"],
        part: Part::None,
        is_static: false,
    }
}

/// Shape of a soft block.
fn shape_of_a_soft_block() -> Case {
    Case {
        name: "shape of a soft block",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x", "block.y"],
        by: vec!["bodies.block.shape.square.side", "contact.friction.default"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Shape of a rigid block.
fn shape_of_a_rigid_block() -> Case {
    Case {
        name: "shape of a rigid block",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0505], "velocity": [1.0, 0.0]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x", "block.angle"],
        by: vec![
            "bodies.block.shape.rectangle.size.0",
            "bodies.block.shape.rectangle.size.1",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Push by a script, soft.
fn push_by_a_script_soft() -> Case {
    Case {
        name: "push by a script, soft",
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}, {"name": "pusher", "shape": {"rectangle": {"size": [0.05, 0.05], "segments": [1, 1]}}, "position": [-0.0755, 0.06], "velocity": [0.5, 0]}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505]}], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}}}),
        of: vec!["block.x"],
        by: vec![
            "obstacles.pusher.velocity.0",
            "materials.rubber.law.neo_hookean.young",
        ],
        part: Part::Contact,
        is_static: false,
    }
}

/// Edges of rigid blocks.
fn edges_of_rigid_blocks() -> Case {
    Case {
        name: "edges of rigid blocks",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"model": "edges", "friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0501], "velocity": [1.0, 0.0]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec!["contact.friction.default", "bodies.block.velocity.0"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Disk of edges.
fn disk_of_edges() -> Case {
    Case {
        name: "disk of edges",
        scene: json!({"time": {"step": 0.01, "steps": 10}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "block", "kind": "rigid", "shape": {"disk": {"radius": 0.05, "segments": 12}}, "material": "steel", "position": [0, 0.0502], "velocity": [1.0, 0.0]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec!["contact.friction.default", "bodies.block.velocity.0"],
        part: Part::Friction,
        is_static: false,
    }
}

/// Bounce of a pair.
fn bounce_of_a_pair() -> Case {
    Case {
        name: "bounce of a pair",
        scene: json!({"time": {"step": 0.01, "steps": 6}, "gravity": [0, 0], "contact": {"friction": {"default": 0.2}, "restitution": {"default": 0.6}}, "bodies": [{"name": "a", "kind": "rigid", "shape": {"circle": {"radius": 0.05}}, "material": "steel", "position": [0.12, 0]}, {"name": "block", "kind": "rigid", "shape": {"circle": {"radius": 0.05}}, "material": "steel", "position": [0, 0.01], "velocity": [1.0, 0.0]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x", "a.x"],
        by: vec!["contact.restitution.default", "bodies.block.velocity.0"],
        part: Part::None,
        is_static: false,
    }
}

/// Pile.
fn pile() -> Case {
    Case {
        name: "pile",
        scene: json!({"time": {"step": 0.01, "steps": 6}, "gravity": [1, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [{"name": "a", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0, 0.0505]}, {"name": "b", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.12, 0.0505]}, {"name": "block", "kind": "rigid", "shape": {"rectangle": {"size": [0.1, 0.1], "segments": [2, 2]}}, "material": "steel", "position": [0.06, 0.1515]}], "materials": {"steel": {"density": 780}}}),
        of: vec!["block.x"],
        by: vec!["gravity.0", "contact.friction.default"],
        part: Part::Friction,
        is_static: false,
    }
}

/// A block that slides, with a factor of stiffness for each of its triangles, and these keys.
fn graded(name: &'static str, keys: &Value) -> Case {
    let factors: Vec<f64> = (0..8).map(|k| 0.5 + 0.25 * f64::from(k % 5)).collect();
    let mut block = json!({"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber", "position": [0, 0.0505], "velocity": [1.0, -0.5], "relative_stiffness": factors});
    for (key, value) in keys.as_object().into_iter().flatten() {
        block[key] = value.clone();
    }
    Case {
        name,
        scene: json!({"time": {"step": 0.01, "steps": 8}, "gravity": [0, -9.81], "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}], "contact": {"friction": {"default": 0.3}}, "bodies": [block], "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 100_000.0, "poisson": 0.3}}}, "foam": {"density": 500, "law": {"neo_hookean": {"young": 60_000.0, "poisson": 0.2}}}}}),
        of: vec!["block.x", "floor.reaction_y"],
        by: vec![
            "bodies.block.relative_stiffness.0",
            "bodies.block.relative_stiffness.1",
            "bodies.0.relative_stiffness.4",
            "bodies.block.relative_stiffness.7",
            "contact.friction.default",
        ],
        part: Part::Friction,
        is_static: false,
    }
}

/// Factors of linear triangles, in groups.
fn field_of_linear_triangles() -> Case {
    graded("field of linear triangles", &json!({}))
}

/// Factors of quadratic triangles.
fn field_of_quadratic_triangles() -> Case {
    graded(
        "field of quadratic triangles",
        &json!({"elements": "quadratic"}),
    )
}

/// Factors of a body of two materials, which are varied one by one.
fn field_of_regions() -> Case {
    graded(
        "field of regions",
        &json!({"regions": [{"material": "foam", "where": {"positive": "x"}}]}),
    )
}
