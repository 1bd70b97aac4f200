//! Checks of joints.
//!
//! A joint needs two different things, and at least one must be a body that can move. Names are
//! those of bodies, their copies and obstacles. Each reason against a part is a message of its own,
//! with a way out. Numbers of motors, springs and limits are checked in `drive.rs`.

use super::drive;
use super::report::Report;
use super::selection;
use crate::carrier;
use crate::kind::Freedom;
use crate::schema::{Body, Common, GearPair, Joint, Rope, Scene, Shape, Start, WORLD};
use ipcsim_math::Vec2;
use ipcsim_math::number::short;
use std::collections::{BTreeMap, BTreeSet};

/// Share of the distance of its ends by which a rope may be shorter, by rounding (1).
const ROUNDED: f64 = 1e-12;

/// Part of a joint that a name stands for, with what decides whether a joint can hold it.
#[derive(Clone, Copy)]
enum Part<'a> {
    /// A body.
    Body(&'a Body),
    /// An obstacle of this shape.
    Obstacle(&'a Shape),
    /// What never moves.
    World,
}

/// Checks position and bodies of all joints of a scene.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if scene.joints.is_empty() {
        return;
    }

    let parts = parts(scene);
    let mut names = BTreeSet::new();
    for (k, joint) in scene.joints.iter().enumerate() {
        let Common {
            kind, bodies, name, ..
        } = joint.common();
        let path = format!("joints[{k}].{kind}");
        report.ranges(&path);
        check_numbers(report, &path, joint);

        // A state has moved the bodies to each other.
        let is_placed = matches!(scene.start, Start::State(_));
        if let Some(points) = joint.apart().filter(|_| !is_placed) {
            check_apart(report, &format!("{path}.second_at"), points, bodies);
        }
        if let Some(name) = name
            && !names.insert(name)
        {
            let message = format!("\"{name}\" is used twice; names must be unique");
            report.add(&format!("{path}.name"), message);
        }
        check_bodies(report, &format!("{path}.bodies"), bodies, joint, &parts);
        if let Joint::Gear(gear) = joint {
            check_carrier(report, &path, gear, scene, &parts);
        }
    }
}

/// Checks that one part holds both axles of a pair of gears, if one is named or hinges tell it.
fn check_carrier(
    report: &mut Report,
    path: &str,
    gear: &GearPair,
    scene: &Scene,
    parts: &BTreeMap<String, Part>,
) {
    if let Some(carrier) = &gear.carrier {
        let path = format!("{path}.carrier");
        if !parts.contains_key(carrier) {
            let known = parts.keys().map(String::as_str);
            return report.no_such(&path, "body or obstacle", carrier, known);
        }
        if gear.bodies.contains(carrier) {
            let message =
                format!("\"{carrier}\" is one of the gears; name the part that holds both axles");
            return report.add(&path, message);
        }
    }
    if let Err((key, message)) = carrier::frame(scene, gear) {
        report.add(&format!("{path}.{key}"), message);
    }
}

/// Checks that places and numbers of a joint go together.
fn check_numbers(report: &mut Report, path: &str, joint: &Joint) {
    match joint {
        Joint::Hinge(hinge) => drive::hinge(report, path, hinge),
        Joint::Rod(rod) => check_ends(report, &format!("{path}.ends"), rod.ends),
        Joint::Rope(rope) => check_rope(report, path, rope),
        Joint::Spring(spring) => check_ends(report, &format!("{path}.ends"), spring.ends),
        Joint::Cylinder(cylinder) => {
            check_ends(report, &format!("{path}.ends"), cylinder.ends);
            drive::cylinder(report, path, cylinder);
        }
        Joint::Slider(guide) | Joint::Slot(guide) => {
            check_axis(report, path, guide.axis);
            drive::guide(report, path, guide);
        }
        Joint::Wheel(wheel) => {
            check_axis(report, path, wheel.axis);
            drive::wheel(report, path, wheel);
        }
        Joint::Gear(gear) => {
            if gear.ratio == 0.0 {
                let message = "is 0, so that the first body would never turn; use a weld or fix it";
                report.add(&format!("{path}.ratio"), message);
            }
        }
        Joint::Rack(rack) => {
            check_axis(report, path, rack.axis);
            if rack.radius == 0.0 {
                let message =
                    "is 0, so that the pinion would never move along the rack; use a slot";
                report.add(&format!("{path}.radius"), message);
            }
        }
        Joint::Weld(_) | Joint::Attach(_) => {}
    }
}

/// Reports two points of a joint that are apart at the start.
fn check_apart(report: &mut Report, path: &str, points: [[f64; 2]; 2], bodies: &[String; 2]) {
    let [first, second] = points.map(Vec2::from);
    // A distance between numbers that are out of range says nothing.
    if !report.ranges(path) {
        return;
    }
    let way = first - second;
    let message = format!(
        "is {} m away from at; move \"{}\" by [{}, {}] m, or let check --fix move and turn the bodies \
         that joints connect",
        short(way.norm()),
        bodies[1],
        short(way.x),
        short(way.y)
    );
    report.add(path, message);
}

/// Checks that a rod, a spring or a cylinder has a length.
fn check_ends(report: &mut Report, path: &str, ends: [[f64; 2]; 2]) {
    if Vec2::from(ends[0]) == Vec2::from(ends[1]) {
        report.add(path, "are one point; use a hinge");
    }
}

/// Checks that a rope is as long as the distance of its ends.
fn check_rope(report: &mut Report, path: &str, rope: &Rope) {
    let [a, b] = rope.ends.map(Vec2::from);
    let distance = (a - b).norm();

    match rope.length {
        None if distance == 0.0 => {
            let message = "are one point; give the rope a length";
            report.add(&format!("{path}.ends"), message);
        }
        Some(length)
            if report.ranges(&format!("{path}.length")) && length < distance * (1.0 - ROUNDED) =>
        {
            let missing = distance - length;
            let message = format!(
                "is {length} m, {missing:.3e} m less than the distance of its ends at the start, \
                 {distance} m; lengthen it, or move the bodies closer"
            );
            report.add(&format!("{path}.length"), message);
        }
        _ => {}
    }
}

/// Checks that a direction has a length.
fn check_axis(report: &mut Report, path: &str, axis: [f64; 2]) {
    let path = format!("{path}.axis");
    if report.ranges(&path) && Vec2::from(axis).try_normalize(0.0).is_none() {
        report.add(&path, "has length 0; give the direction of the line");
    }
}

/// Checks that a joint names two different things that it can hold, and that one can move.
fn check_bodies(
    report: &mut Report,
    path: &str,
    names: &[String; 2],
    joint: &Joint,
    parts: &BTreeMap<String, Part>,
) {
    let [first, second] = names;
    if first == second {
        let message =
            format!("names \"{first}\" twice; name two bodies, or a body and \"{WORLD}\"");
        return report.add(path, message);
    }

    let mut obstacles = 0;
    for (side, name) in names.iter().enumerate() {
        let Some(&part) = parts.get(name) else {
            let known = parts.keys().map(String::as_str);
            report.no_such(path, "body or obstacle", name, known);
            continue;
        };
        obstacles += usize::from(matches!(part, Part::Obstacle(_) | Part::World));
        if let Some(reason) = unfit(&part, joint, side) {
            report.add(path, format!("\"{name}\" {reason}"));
        }
        if let (Joint::Attach(attach), 0, Part::Body(body)) = (joint, side, &part) {
            let on = path.replace(".bodies", ".on");
            selection::check(report, &on, &attach.on, &body.selection_names());
        }
    }

    // Nothing would move.
    if obstacles == 2 {
        let message = "names two things that no force moves; name a body";
        report.add(path, message);
    }
}

/// Bodies, their copies, obstacles and the world by name; of equal names, which are an error, the first.
fn parts(scene: &Scene) -> BTreeMap<String, Part<'_>> {
    let bodies = scene.bodies.iter();
    let bodies = bodies.flat_map(|body| body.names().map(move |name| (name, Part::Body(body))));
    let obstacles = scene.obstacles.iter();
    let obstacles = obstacles.map(|own| (own.name.clone(), Part::Obstacle(&own.shape)));

    let mut parts = BTreeMap::new();
    for (name, part) in bodies.chain(obstacles) {
        parts.entry(name).or_insert(part);
    }
    parts.entry(WORLD.to_owned()).or_insert(Part::World);
    parts
}

/// Reason why one of the two sides of a joint cannot be this part; `None` if it can.
fn unfit(part: &Part, joint: &Joint, side: usize) -> Option<&'static str> {
    let is_glued = matches!(joint, Joint::Attach(_)) && side == 0;

    match part {
        Part::Body(Body {
            shape: Shape::Point(_),
            ..
        })
        | Part::Obstacle(Shape::Point(_)) => {
            Some("is a point, which has no orientation; use a small circle")
        }
        Part::Obstacle(Shape::HalfPlane(_)) => {
            Some("is a half-plane; join the body to \"world\", or to an obstacle with an outline")
        }
        Part::Obstacle(_) | Part::World if is_glued => {
            Some("never deforms; name the body that is glued first")
        }
        Part::Body(body) if is_glued && body.kind.rules().freedom() != Freedom::Vertices => Some(
            "is not deformable, so that a weld holds it; use weld, or name the deformable body first",
        ),
        _ => None,
    }
}
