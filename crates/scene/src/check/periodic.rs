//! Checks of scenes that repeat: what has no meaning across a period, or is not there, is refused with its
//! reason.
//!
//! The cell is a function of time: a strain begins at 0, since the drawn cell is the one at rest,
//! and stays above -1 along a period. Each component has a strain or a stress, never both.
//!
//! Features that refer to bodies and not to images are refused, instead of giving a result in
//! which the images do not take part.

use super::report::Report;
use crate::moments::{LOOKS, times};
use crate::schema::{
    Body, EnergyTarget, Kind, Parameter, Periodic, Plane, RodJoin, Scene, Scheme, Shape, Start,
    Varying,
};
use ipcsim_math::Vec2;

/// Names of the components of a mean strain or stress.
const COMPONENTS: [&str; 3] = ["xx", "yy", "xy"];

/// Component of a normal along a period that counts as 0 (1).
const PARALLEL: f64 = 1e-12;

/// Checks a scene with the key `periodic`.
///
/// Scenes without the key pass.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    let Some(periodic) = &scene.periodic else {
        return;
    };
    report.ranges("periodic");
    if periodic.periods() == [None; 2] {
        let message = "has no period: give \"x\", \"y\" or both (m), or remove it";
        report.add("periodic", message);
        return;
    }
    check_components(report, periodic);
    check_time(report, scene);
    check_whole(report, scene, periodic);
    check_impulses(report, scene, periodic);
    check_rods(report, scene, periodic);
    for (k, body) in scene.bodies.iter().enumerate() {
        check_body(report, &format!("bodies[{k}]"), body);
    }
    for (k, obstacle) in scene.obstacles.iter().enumerate() {
        let normal = match &obstacle.shape {
            Shape::HalfPlane(plane) => Some(plane.direction()),
            _ => None,
        };
        check_obstacle(report, &format!("obstacles[{k}]"), normal, periodic);
    }
}

/// Checks that each component is given once, and along a period.
///
/// A shear needs both periods: it moves one along the other.
fn check_components(report: &mut Report, periodic: &Periodic) {
    let strains = periodic.strains();
    let stresses = periodic.stresses();
    let [along_x, along_y] = periodic.periods().map(|period| period.is_some());
    let has = [along_x, along_y, along_x && along_y];
    for (k, component) in COMPONENTS.into_iter().enumerate() {
        let both = [("strain", strains[k]), ("stress", stresses[k])];
        for (key, _) in both.iter().filter(|(_, given)| given.is_some() && !has[k]) {
            let message = if component == "xy" {
                "is a shear of the cell, which needs a period along x and one along y; remove it"
            } else {
                "is along an axis without a period; remove it"
            };
            report.add(&format!("periodic.{key}.{component}"), message);
        }
        if both.iter().all(|(_, given)| given.is_some()) {
            let message = "is given as well as the strain of the same component, which follows from it; leave \
                           one of both out";
            report.add(&format!("periodic.stress.{component}"), message);
        }
        for (key, given) in both {
            let Some(given) = given else { continue };
            let path = format!("periodic.{key}.{component}");
            check_number(report, &path, given, key == "strain" && component != "xy");
        }
    }
}

/// Checks a number that may vary in time: it is finite at all times, and a strain begins at 0 and leaves
/// a period.
///
/// It is evaluated at some times of the run, so that a fault between them may stay unseen.
fn check_number(report: &mut Report, path: &str, given: &Varying, is_length: bool) {
    let number = match given.read() {
        Ok(number) => number,
        Err(error) => return report.add(path, format!("{error}")),
    };
    if number.has_place() {
        return report.add(
            path,
            "depends on the place, but is the same in the whole cell; use t only",
        );
    }
    let Some(time) = report.time.clone() else {
        return;
    };

    // Values at some times of the run.
    let is_strain = path.contains("strain");
    for t in times(&time, LOOKS) {
        let value = number.at(Vec2::zeros(), t);
        if !value.is_finite() {
            let message = format!("is {value} at t = {t} s, but must be finite at all times");
            return report.add(path, message);
        }
        if is_strain && t == 0.0 && value.abs() > 0.0 {
            let message = format!("is {value} at the start, but must begin at 0; subtract that");
            return report.add(path, message);
        }
        if is_length && value <= -1.0 {
            let message =
                format!("is {value} at t = {t} s, which leaves no period; keep it above -1");
            return report.add(path, message);
        }
    }
}

/// Checks options of steps.
fn check_time(report: &mut Report, scene: &Scene) {
    let time = &scene.time;
    let is_static = time.integrator == Scheme::Static;
    if time.arc_length.is_some() {
        let message = "follows loads, and not yet the mean strain or stress of a cell; remove it";
        report.add("time.arc_length", message);
    }
    if time.energy == EnergyTarget::Kept {
        let message = "corrects velocities of bodies, and not yet those of images; remove it";
        report.add("time.energy", message);
    }
    if scene.start == Start::Equilibrium && !is_static {
        let message = "has no meaning where a cell may move on along its period; remove it";
        report.add("start", message);
    }
}

/// Checks what concerns the whole scene.
///
/// Gravity along a period would accelerate the pattern without end.
fn check_whole(report: &mut Report, scene: &Scene, periodic: &Periodic) {
    if scene.plane == Plane::Axisymmetric {
        let message = "repeats along the radius or the axis, but bodies of revolution have no images there; \
                       use \"plane\": \"strain\" or \"stress\"";
        report.add("periodic", message);
    }
    for (axis, name) in ["x", "y"].into_iter().enumerate() {
        let pull = scene.gravity[axis];
        if periodic.periods()[axis].is_some() && pull != 0.0 {
            let message = format!(
                "is {pull} m/s^2 along {name}, along which the scene repeats, so that nothing could carry the \
                 weight; set it to 0"
            );
            report.add("gravity", message);
        }
    }
    check_absent(report, scene);
    for (k, change) in scene.changes.iter().enumerate() {
        if matches!(change.set, Parameter::Gravity(_)) {
            let message = "changes gravity, which a scene that repeats does not have along its periods; \
                           remove it";
            report.add(&format!("changes[{k}]"), message);
        }
    }
}

/// Checks that keys are left out which know no images.
///
/// Each has the reason in its message.
fn check_absent(report: &mut Report, scene: &Scene) {
    let absent = [
        (
            "contact.interference",
            !scene.contact.interference.is_empty(),
            "resizes bodies, and not their images",
        ),
        (
            "solver.sleep",
            scene.solver.sleep.is_some(),
            "leaves out forces between bodies at rest, which the mean stress needs",
        ),
    ];
    for (path, is_there, reason) in absent {
        if is_there {
            report.add(path, format!("{reason}, where a scene repeats; remove it"));
        }
    }
}

/// Checks that joints hold two bodies, and that velocities jump only where periods are prescribed.
///
/// An impulse between two bodies also changes the velocity of a free period, by the inertia of all bodies.
fn check_impulses(report: &mut Report, scene: &Scene, periodic: &Periodic) {
    let is_free = periodic.stresses().iter().any(Option::is_some);
    let jumps = is_free && scene.time.integrator != Scheme::Static;
    for (k, joint) in scene.joints.iter().enumerate() {
        let kind = joint.common().kind;
        let fixed = joint.bodies().iter().find(|name| scene.is_obstacle(name));
        if let Some(name) = fixed {
            let message = format!(
                "holds a body at {name:?}, which has no images where a scene repeats; join two bodies"
            );
            report.add(&format!("joints[{k}].{kind}.bodies"), message);
        }
        if jumps && joint.has_stops() {
            let message = "stops bodies by an impulse, which would change the velocity of a free period too; \
                           prescribe strains instead of periodic.stress, or remove the limits or the rope";
            report.add(&format!("joints[{k}].{kind}"), message);
        }
    }

    let restitution = &scene.contact.restitution;
    if jumps && (restitution.default.is_some() || !restitution.pairs.is_empty()) {
        let message = "changes velocities by impulses, which would change the velocity of a free period too; \
                       prescribe strains instead of periodic.stress, or remove it";
        report.add("contact.restitution", message);
    }
}

/// Checks that rods which share vertices are lines for contact: near a corner they are nearer to each other
/// than two radii.
fn check_rods(report: &mut Report, scene: &Scene, periodic: &Periodic) {
    if periodic.rods == RodJoin::Apart {
        return;
    }
    for (k, body) in scene.bodies.iter().enumerate() {
        if let Kind::Rod(rod) = &body.kind {
            let radius = rod.contact_radius();
            if radius > 0.0 {
                let message = format!(
                    "is {radius:e} m, but rods that share vertices (\"periodic.rods\") are nearer to each \
                     other than two radii next to these; set it to 0"
                );
                report.add(&format!("bodies[{k}].kind.rod.radius"), message);
            }
        }
    }
}

/// Checks that a body may have images.
///
/// Bodies by a basis of fields have none: a uniform motion is no shift of one of their nodes.
fn check_body(report: &mut Report, path: &str, body: &Body) {
    let rules = body.kind.rules();
    if matches!(rules.name(), "polynomial" | "modal") {
        let message = format!(
            "is {:?}, whose images are not there yet where a scene repeats; use \"deformable\", \"affine\" \
             or \"rigid\"",
            rules.name()
        );
        report.add(&format!("{path}.kind"), message);
    }
    let is_stretched = body
        .stretch
        .iter()
        .any(|stretch| (stretch - 1.0).abs() > 0.0);
    let absent = [(
        "stretch",
        is_stretched,
        "would tear the body at the period: use periodic.strain",
    )];
    for (key, is_there, reason) in absent {
        if is_there {
            report.add(&format!("{path}.{key}"), format!("{reason}; remove it"));
        }
    }
}

/// Checks that an obstacle is the same in all cells: a half-plane along the only period.
fn check_obstacle(report: &mut Report, path: &str, normal: Option<Vec2>, periodic: &Periodic) {
    let [x, y] = periodic.periods().map(|period| period.is_some());
    if x && y {
        let message =
            "is there once, but the scene repeats along x and y; use a body, or one period only";
        return report.add(path, message);
    }
    let across = usize::from(!x);
    match normal {
        Some(normal) if normal[across].abs() < PARALLEL => {}
        Some(_) => {
            let message = format!(
                "leans against the period along {}, so that it would cut its images; make it parallel to the \
                 period",
                ["x", "y"][across]
            );
            report.add(&format!("{path}.shape.half_plane.normal"), message);
        }
        None => {
            let message =
                "has no images yet where a scene repeats; use a half_plane along the period";
            report.add(&format!("{path}.shape"), message);
        }
    }
}
