//! Checks of scenes of bodies of revolution: what has no meaning on a full turn is refused with its reason.
//!
//! The turn leaves a body one rigid motion, along the axis. What turns about another axis, pushes to one
//! side, or rolls would need a third dimension.
//!
//! With the section in the half-plane x >= 0, a rigid motion of the full body that keeps its
//! symmetry is a shift along y. Forces, velocities and scripts along x would act in all radial
//! directions at once, and torques would turn the section and not the body. Such numbers are
//! refused when they are not 0, instead of being ignored.

use super::report::Report;
use crate::schema::{Axis, Body, Law, Material, Obstacle, Parameter, Plane, Scene, Script, Shape};

/// Checks a scene with `"plane": "axisymmetric"`.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if scene.plane != Plane::Axisymmetric {
        return;
    }
    let thick = scene.thickness;
    if (thick - 1.0).abs() > 0.0 {
        let message = format!(
            "is {thick} m, but a body of revolution has none: its forces are those of the full turn; \
             remove it"
        );
        report.add("thickness", message);
    }
    let across = scene.gravity[0];
    if across != 0.0 {
        let message = format!(
            "is {across} m/s^2 along x, the radius, which would push apart in all directions; gravity acts \
             along the axis, y"
        );
        report.add("gravity", message);
    }
    if !scene.joints.is_empty() {
        let message = "have no meaning between bodies of revolution, which only move along the axis; \
                       remove them, or use \"prescribed\", \"fixed\" and contact";
        report.add("joints", message);
    }

    for (k, body) in scene.bodies.iter().enumerate() {
        check_kind(report, &format!("bodies[{k}]"), body);
        check_shape(report, &format!("bodies[{k}].shape"), &body.shape);
        check_motion(report, &format!("bodies[{k}]"), body);
        check_prescribed(report, &format!("bodies[{k}]"), body);
    }
    for (k, obstacle) in scene.obstacles.iter().enumerate() {
        check_obstacle(report, &format!("obstacles[{k}]"), obstacle);
    }
    check_materials(report, scene);
    check_loads(report, scene);
    check_friction(report, scene);
}

/// Checks that a body is of a kind that has a form on the full turn.
///
/// Only deformable and rigid bodies have one.
fn check_kind(report: &mut Report, path: &str, body: &Body) {
    let path_of_it = format!("{path}.kind");
    let reason = match body.kind.rules().name() {
        "deformable" | "rigid" => return check_fixed(report, path, body),
        "affine" => {
            "is \"affine\", but a body of revolution that keeps its shape only moves along the axis; use \
             \"rigid\" with \"fixed\": [\"x\", \"angle\"]"
        }
        "rod" => {
            "is a rod, which would be a shell as a body of revolution, and has no stiffness around the \
             axis; use a deformable body of that thickness"
        }
        _ => "is reduced, but its displacements would push the axis apart; use \"deformable\"",
    };
    report.add(&path_of_it, reason);
}

/// Checks that a rigid body can only move along the axis.
///
/// A scripted body moves as its script says, which is checked apart.
fn check_fixed(report: &mut Report, path: &str, body: &Body) {
    let holds = |axis: Axis| body.fixed.contains(&axis);
    let is_free = !holds(Axis::X) || !holds(Axis::Angle);
    if !body.kind.rules().needs_law() && is_free && body.script.is_none() {
        let message = "is free to move across the axis or to turn, but a rigid body of revolution only \
                       moves along the axis; add \"fixed\": [\"x\", \"angle\"]";
        report.add(&format!("{path}.fixed"), message);
    }
}

/// Checks that a shape has a meaning on the full turn.
fn check_shape(report: &mut Report, path: &str, shape: &Shape) {
    let message = match shape {
        Shape::Circle(_) => {
            "is an exact circle, whose contact is integrated in the plane; draw an area with arcs, or half a \
             disk at the axis, for a sphere or a ring"
        }
        Shape::Point(_) => "is a point, which would be a ring without a section; draw a small area",
        _ => return,
    };
    report.add(path, message);
}

/// Checks what moves a body at the start, and by itself.
///
/// Velocities along the axis are allowed.
fn check_motion(report: &mut Report, path: &str, body: &Body) {
    let across = [
        ("velocity", body.velocity[0], "m/s"),
        ("force", body.force[0], "N"),
    ];
    for (key, value, unit) in across {
        if value != 0.0 {
            let message = format!(
                "is {value} {unit} along x, but a body of revolution as a whole only moves along the axis, \
                 y; set x to 0"
            );
            report.add(&format!("{path}.{key}"), message);
        }
    }

    // What would turn it, or put it elsewhere across the axis.
    for (key, value) in [("spin_deg", body.spin_deg), ("torque", body.torque)] {
        if value != 0.0 {
            let message =
                "would turn the section, which a body of revolution does not do; remove it";
            report.add(&format!("{path}.{key}"), message);
        }
    }
    if body.belt != 0.0 {
        let message = "is a belt along an outline, which closes over the axis; remove it";
        report.add(&format!("{path}.belt"), message);
    }
    if body.rest_on.is_some() {
        let message = "would turn the body onto a surface; give \"position\"";
        report.add(&format!("{path}.rest_on"), message);
    }
    if body.pack.is_some() {
        let message = "would put rings at random radii; give \"position\" or \"copies\"";
        report.add(&format!("{path}.pack"), message);
    }
    if let Some(script) = &body.script {
        check_script(
            report,
            &format!("{path}.script"),
            script,
            body.position,
            body.rotation_deg,
        );
    }
}

/// Checks that a scripted motion is along the axis.
fn check_script(
    report: &mut Report,
    path: &str,
    script: &Script,
    position: [f64; 2],
    rotation_deg: f64,
) {
    let moves = script.velocity[0] != 0.0 || script.spin_deg != 0.0;
    let keyframes = script.keyframes.iter();
    let mut leaves = keyframes.map(|own| {
        differs(own.position[0], position[0]) || differs(own.rotation_deg, rotation_deg)
    });
    if moves || leaves.any(|leaves| leaves) {
        let message = "moves across the axis or turns, but what is rigid on a full turn only moves along \
                       the axis, y";
        report.add(path, message);
    }
}

/// Checks that no vertices are prescribed as a rigid motion across the axis.
fn check_prescribed(report: &mut Report, path: &str, body: &Body) {
    for (k, entry) in body.prescribed.iter().enumerate() {
        let leaves = |own: &crate::schema::Keyframe| {
            differs(own.position[0], body.position[0])
                || differs(own.rotation_deg, body.rotation_deg)
        };
        if entry.keyframes.iter().any(leaves) {
            let message = "turns or shifts a section as a whole; prescribe a displacement of the radius, \
                           or one along y";
            report.add(&format!("{path}.prescribed[{k}]"), message);
        }
    }
}

/// Checks that an obstacle stays where it is across the axis.
fn check_obstacle(report: &mut Report, path: &str, obstacle: &Obstacle) {
    check_shape(report, &format!("{path}.shape"), &obstacle.shape);
    let [place, angle] = match &obstacle.shape {
        Shape::HalfPlane(plane) => [plane.origin, [0.0; 2]],
        _ => [obstacle.position, [obstacle.rotation_deg; 2]],
    };
    check_script(report, path, &obstacle.script(), place, angle[0]);
    if obstacle.belt != 0.0 {
        let message = "is a belt along an outline, which closes over the axis; remove it";
        report.add(&format!("{path}.belt"), message);
    }
}

/// Checks that the materials of soft bodies have a form on the full turn.
///
/// The material of the body and the ones of its regions count.
fn check_materials(report: &mut Report, scene: &Scene) {
    for (k, body) in scene.bodies.iter().enumerate() {
        let regions = body.regions.iter().map(|region| &region.material);
        let names = std::iter::once(&body.material).chain(regions);
        for name in names.filter(|_| body.kind.rules().needs_law()) {
            if let Some(material) = scene.materials.get(name) {
                check_material(
                    report,
                    &format!("bodies[{k}]"),
                    (name.as_str(), material),
                    body,
                );
            }
        }
    }
}

/// Checks a material of a body at a path.
fn check_material(
    report: &mut Report,
    path: &str,
    (name, material): (&str, &Material),
    body: &Body,
) {
    if let Some(Law::MassSpring(_)) = material.law {
        let message = format!(
            "\"{name}\" is of springs, which do not resist a stretch around the axis; take a law of \
             triangles"
        );
        report.add(&format!("{path}.material"), message);
    }

    // Viscous stresses have no part around the axis.
    if material.damping.is_some_and(|own| own.resists_strain()) {
        let message = format!(
            "\"{name}\" resists rates of strain, which has no form around the axis yet; use only \"mass\" \
             in its damping, or the damping of implicit Euler"
        );
        report.add(&format!("{path}.material"), message);
    }
    if let Some(Law::Orthotropic(_)) = material.law
        && body.rotation_deg != 0.0
    {
        let message = "would turn the axes of the material; draw the section as it is, and turn the axes by \
                       \"angle_deg\"";
        report.add(&format!("{path}.rotation_deg"), message);
    }
}

/// True if two numbers of a scene are not the same.
fn differs(a: f64, b: f64) -> bool {
    (a - b).abs() > 0.0
}

/// Checks that loads have a meaning on the full turn.
fn check_loads(report: &mut Report, scene: &Scene) {
    for (k, load) in scene.loads.iter().enumerate() {
        if load.torque.is_some() {
            let message =
                "would turn the section, which a body of revolution does not do; remove it";
            report.add(&format!("loads[{k}].torque"), message);
        }
    }
}

/// Checks that a parameter that changes between steps leaves bodies their motion along the axis.
pub(super) fn check_parameter(
    report: &mut Report,
    path: &str,
    parameter: &Parameter,
    scene: &Scene,
) {
    if scene.plane != Plane::Axisymmetric {
        return;
    }
    let is_across = match parameter {
        Parameter::Gravity(gravity) => gravity[0] != 0.0,
        Parameter::Force(own) => own.force[0] != 0.0,
        Parameter::Target(shift) => shift.by[0] != 0.0 || shift.turn_deg != 0.0,
        Parameter::Friction(pair) => pair.rolling != 0.0,
        Parameter::Load(_) | Parameter::Joint(_) | Parameter::Hand(_) => false,
    };
    if is_across {
        let message = "acts across the axis, turns or rolls, but a body of revolution as a whole only moves \
                       along the axis, y";
        report.add(path, message);
    }
}

/// Checks that nothing rolls.
///
/// Rolling friction of the scene, of pairs and of materials must be 0.
fn check_friction(report: &mut Report, scene: &Scene) {
    let friction = &scene.contact.friction;
    let mut rolling = vec![("contact.friction.rolling".to_owned(), friction.rolling)];
    for (k, pair) in friction.pairs.iter().enumerate() {
        rolling.push((format!("contact.friction.pairs[{k}].rolling"), pair.rolling));
    }
    for (k, pair) in friction.materials.iter().enumerate() {
        let path = format!("contact.friction.materials[{k}].rolling");
        rolling.push((path, pair.rolling));
    }

    for (path, arm) in rolling {
        if arm != 0.0 {
            let message =
                "resists rolling, but the section of a body of revolution does not roll; remove it";
            report.add(&path, message);
        }
    }
}
