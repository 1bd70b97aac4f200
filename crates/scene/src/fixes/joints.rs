//! Repairs of joints that do not fit at the start.
//!
//! A rope that is too short becomes as long as the distance of its ends. Hinges and welds whose points are
//! apart are closed by moving and turning all bodies that joints connect with them, unless something else
//! says where a body is: linkages are assembled from the lengths of their links.

use super::assembly::{Link, Linkage, Nearest, Rule, Shift, Tie};
use super::movable::may_turn;
use crate::error::SceneError;
use crate::locate::with_value;
use crate::problem::Problem;
use crate::schema::{self, Axis, Joint, Scene};
use crate::source::Source;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::rotation;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::groups::Groups;
use ipcsim_math::number::short;
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of bodies of one linkage that is assembled: the effort grows with its third power.
const MOST: usize = 100;

/// Largest number of joints that a message names.
const NAMED: usize = 8;

/// Result of closing joints.
#[derive(Debug, Default)]
pub(super) struct Closed {
    /// Descriptions of the changes.
    pub(super) changes: Vec<String>,
    /// Numbers of the bodies that were moved.
    pub(super) moved: BTreeSet<usize>,
    /// Joints that cannot be closed, one of each linkage.
    pub(super) problems: Vec<Problem>,
    /// Paths of all open joints of these.
    pub(super) explained: BTreeSet<String>,
}

/// Bodies that joints connect, and may move.
#[derive(Default)]
struct Part {
    /// Numbers of the bodies, ascending.
    members: Vec<usize>,
    /// Numbers of the joints that hold one of them.
    joints: Vec<usize>,
    /// True if a joint holds one of them to something that stays.
    is_held: bool,
}

/// Bodies that were moved, by name, and how.
type Poses<'a> = BTreeMap<&'a str, (Link, Shift)>;

/// Makes ropes as long as the distance of their ends that are shorter; returns descriptions of the
/// changes.
///
/// # Errors
/// [`SceneError`] if the text is not a scene.
pub(super) fn lengthen(source: &mut Source) -> Result<Vec<String>, SceneError> {
    let scene = source.scene()?;
    let mut changes = Vec::new();
    for (k, joint) in scene.joints.iter().enumerate() {
        let Joint::Rope(rope) = joint else { continue };
        let [a, b] = rope.ends.map(Vec2::from);
        let distance = (a - b).norm();
        let Some(given) = rope.length.filter(|length| *length < distance) else {
            continue;
        };

        let path = format!("joints[{k}].rope.length");
        source.text = with_value(&source.text, &path, &format!("{distance}"));
        changes.push(format!("{path}: made {distance} m, which was {given} m"));
    }
    Ok(changes)
}

/// Moves and turns bodies so that hinges and welds whose points are apart are closed.
///
/// All bodies that joints connect with an open one may move, except bodies that have a script, a held
/// place, selections or copies. If none of them stays, the first one does.
///
/// # Errors
/// [`SceneError`] if the text is not a scene.
pub(super) fn close(source: &mut Source) -> Result<Closed, SceneError> {
    let scene = source.scene()?;
    let mut closed = Closed::default();
    for part in parts(&scene) {
        let open = part.joints.iter().copied();
        let open: Vec<usize> = open
            .filter(|&k| scene.joints[k].apart().is_some())
            .collect();
        let Some(&first) = open.first() else {
            continue;
        };
        let message = if part.members.len() > MOST {
            format!("belongs to a linkage of more than {MOST} bodies; close it by hand")
        } else {
            let linkage = linkage(&scene, &part);
            match linkage.assemble() {
                Ok(shifts) => {
                    let links = linkage.links.iter().copied().zip(shifts);
                    closed.write(source, &scene, &part, links.collect());
                    continue;
                }
                Err(nearest) => cannot_close(&scene, &nearest),
            }
        };
        let path = |k: usize| format!("joints[{k}].{}.second_at", scene.joints[k].common().kind);
        closed.problems.push(Problem::error(path(first), message));
        closed.explained.extend(open.into_iter().map(path));
    }
    Ok(closed)
}

/// Message about joints that no motion of their bodies closes.
fn cannot_close(scene: &Scene, nearest: &Nearest) -> String {
    let joints = nearest.joints.iter().map(|&k| scene.joints[k].label());
    let joints: Vec<String> = joints.collect();
    let named = if joints.len() > NAMED + 1 {
        let others = joints.len() - NAMED;
        format!("{} and {others} others", joints[..NAMED].join(", "))
    } else {
        joints.join(", ")
    };
    format!(
        "cannot be closed: however the bodies are moved and turned, {} m are missing in the loop of {named}; \
         change the length of a link by as much, or move a support",
        short(nearest.missing)
    )
}

/// Parts of a scene. One body of a part that nothing holds is left out, and stays.
fn parts(scene: &Scene) -> Vec<Part> {
    let bodies = scene.bodies.iter().enumerate();
    let movable = bodies.filter(|(_, body)| may_turn(body, scene));
    let numbers: BTreeMap<&str, usize> = movable.map(|(k, body)| (&*body.name, k)).collect();
    let sides = |joint: &Joint| {
        let [first, second] = joint.bodies();
        [first, second].map(|name| numbers.get(&**name).copied())
    };

    let mut groups = Groups::new(scene.bodies.len());
    for joint in scene.joints.iter().filter(|joint| is_tied(joint)) {
        if let [Some(a), Some(b)] = sides(joint) {
            groups.join(a, b);
        }
    }
    let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
    for &number in numbers.values() {
        parts
            .entry(groups.root(number))
            .or_default()
            .members
            .push(number);
    }
    for (k, joint) in scene.joints.iter().enumerate() {
        let sides = sides(joint);
        let Some(one) = sides.iter().flatten().next().filter(|_| is_tied(joint)) else {
            continue;
        };
        let part = parts.entry(groups.root(*one)).or_default();
        part.joints.push(k);
        part.is_held |= sides.contains(&None);
    }

    let mut parts: Vec<Part> = parts.into_values().collect();
    for part in &mut parts {
        part.members.sort_unstable();
        if !part.is_held {
            part.members.remove(0);
        }
    }
    parts
}

/// Equations of a joint between the poses of its bodies; none for a joint that closes anywhere.
fn rules(joint: &Joint) -> Vec<Rule> {
    match joint {
        Joint::Hinge(own) => {
            let points = [own.at, own.second_at.unwrap_or(own.at)];
            vec![Rule::Meet(points.map(Vec2::from))]
        }
        Joint::Weld(own) => {
            let points = [own.at, own.second_at.unwrap_or(own.at)];
            vec![Rule::Meet(points.map(Vec2::from)), Rule::Alike]
        }
        Joint::Rod(own) => {
            let ends = own.ends.map(Vec2::from);
            vec![Rule::Apart(ends, (ends[1] - ends[0]).norm())]
        }
        Joint::Slider(own) => along(own.at, own.axis)
            .into_iter()
            .chain([Rule::Alike])
            .collect(),
        Joint::Slot(own) => along(own.at, own.axis).into_iter().collect(),
        Joint::Wheel(own) => along(own.at, own.axis).into_iter().collect(),
        Joint::Rack(own) => along(own.at, own.axis).into_iter().collect(),
        Joint::Rope(_)
        | Joint::Spring(_)
        | Joint::Cylinder(_)
        | Joint::Gear(_)
        | Joint::Attach(_) => Vec::new(),
    }
}

/// Equation of a point (m) on a line along an axis; `None` for an axis without a length, which the checks
/// report.
fn along(at: [f64; 2], axis: [f64; 2]) -> Option<Rule> {
    let axis = Vec2::from(axis).try_normalize(0.0)?;
    Some(Rule::Along(at.into(), axis))
}

/// True if a joint says how its bodies lie to each other.
fn is_tied(joint: &Joint) -> bool {
    !rules(joint).is_empty()
}

/// The equations of a part.
fn linkage(scene: &Scene, part: &Part) -> Linkage {
    let links = part.members.iter().map(|&k| Link {
        pivot: scene.bodies[k].position.into(),
        turns: !scene.bodies[k].fixed.contains(&Axis::Angle),
    });
    let names = part.members.iter().enumerate();
    let numbers: BTreeMap<&str, usize> = names
        .map(|(link, &k)| (&*scene.bodies[k].name, link))
        .collect();

    let mut ties = Vec::new();
    let mut around = Aabb::EMPTY;
    for &joint in &part.joints {
        let own = &scene.joints[joint];
        let [first, second] = own.bodies();
        let sides = [first, second].map(|name| numbers.get(&**name).copied());
        for rule in rules(own) {
            if let Rule::Meet(points) | Rule::Apart(points, _) = rule {
                around = around.union(&Aabb::around(points));
            }
            ties.push(Tie { joint, sides, rule });
        }
    }
    // An open joint has two points.
    let size = around.extent().norm();
    Linkage {
        links: links.collect(),
        ties,
        size,
    }
}

impl Closed {
    /// Writes the poses of bodies, and the places on them of joints, loads, probes and measures.
    fn write(
        &mut self,
        source: &mut Source,
        scene: &Scene,
        part: &Part,
        links: Vec<(Link, Shift)>,
    ) {
        let mut poses = Poses::new();
        for (&k, (link, shift)) in part.members.iter().zip(links) {
            if shift == Shift::default() {
                continue;
            }
            let body = &scene.bodies[k];
            poses.insert(&body.name, (link, shift));
            self.moved.insert(k);

            let [x, y]: [f64; 2] = link.place(&shift, link.pivot).into();
            let path = format!("bodies[{k}].position");
            source.text = with_value(&source.text, &path, &format!("[{x}, {y}]"));
            let turned = if shift.turn == 0.0 {
                String::new()
            } else {
                let angle = body.rotation_deg + shift.turn.to_degrees();
                let path = format!("bodies[{k}].rotation_deg");
                source.text = with_value(&source.text, &path, &format!("{angle}"));
                format!(", turned by {} degrees", short(shift.turn.to_degrees()))
            };
            self.changes.push(format!(
                "{path}: moved \"{}\" from {:?} to [{x}, {y}] m{turned}, so that its joints are closed",
                body.name, body.position
            ));
        }

        for (path, value) in places(scene, &poses) {
            source.text = with_value(&source.text, &path, &value);
        }
    }
}

/// Places and directions of a scene on bodies that were moved, with their paths.
fn places(scene: &Scene, poses: &Poses) -> Vec<(String, String)> {
    let mut places = Vec::new();
    for (k, joint) in scene.joints.iter().enumerate() {
        let path = format!("joints[{k}].{}", joint.common().kind);
        joint_places(joint, &path, poses, &mut places);
    }

    let mut note = |path: String, name: &str, at: Option<[f64; 2]>| {
        if let (Some(at), true) = (at, poses.contains_key(name)) {
            places.push((path, text(moved(poses, name, at))));
        }
    };
    for (k, load) in scene.loads.iter().enumerate() {
        note(format!("loads[{k}].at"), &load.body, load.at);
    }
    for (k, probe) in scene.output.probes.iter().enumerate() {
        note(format!("output.probes[{k}].at"), &probe.body, probe.at);
    }
    for (k, section) in scene.output.sections.iter().enumerate() {
        let path = format!("output.sections[{k}]");
        note(format!("{path}.from"), &section.body, Some(section.from));
        note(format!("{path}.to"), &section.body, Some(section.to));
    }
    for (k, measure) in scene.measure.iter().enumerate() {
        let name = measure.of.as_deref().unwrap_or_default();
        note(format!("measure[{k}].at"), name, measure.at);
    }
    places
}

/// Adds the places and directions of a joint at a path.
fn joint_places(joint: &Joint, path: &str, poses: &Poses, places: &mut Vec<(String, String)>) {
    let names = joint.bodies();
    let has_moved = names.each_ref().map(|name| poses.contains_key(&**name));
    if has_moved == [false; 2] {
        return;
    }
    let at = |side: usize, point: [f64; 2]| moved(poses, &names[side], point);

    match joint {
        Joint::Hinge(schema::Hinge {
            at: first,
            second_at,
            ..
        })
        | Joint::Weld(schema::Weld {
            at: first,
            second_at,
            ..
        }) => {
            // A side that stays has the exact place.
            let met = match (has_moved, second_at) {
                ([true, false], Some(second)) => *second,
                ([true, false], None) => *first,
                _ => at(0, *first),
            };
            places.push((format!("{path}.at"), text(met)));
            if second_at.is_some() {
                places.push((format!("{path}.second_at"), text(met)));
            }
        }
        Joint::Rod(schema::Rod { ends, .. })
        | Joint::Rope(schema::Rope { ends, .. })
        | Joint::Spring(schema::Springy { ends, .. })
        | Joint::Cylinder(schema::Cylinder { ends, .. }) => {
            let ends = [0, 1].map(|side| text(at(side, ends[side])));
            places.push((
                format!("{path}.ends"),
                format!("[{}, {}]", ends[0], ends[1]),
            ));
        }
        Joint::Slider(schema::Guide {
            at: point, axis, ..
        })
        | Joint::Slot(schema::Guide {
            at: point, axis, ..
        })
        | Joint::Wheel(schema::Wheel {
            at: point, axis, ..
        })
        | Joint::Rack(schema::RackPair {
            at: point, axis, ..
        }) => {
            places.push((format!("{path}.at"), text(at(1, *point))));
            if let Some((_, shift)) = poses.get(&*names[0]) {
                let axis = rotation(shift.turn) * Vec2::from(*axis);
                places.push((format!("{path}.axis"), text(axis.into())));
            }
        }
        Joint::Gear(_) | Joint::Attach(_) => {}
    }
}

/// Place of a point (m) of a body after all moves.
fn moved(poses: &Poses, name: &str, point: [f64; 2]) -> [f64; 2] {
    let pose = poses.get(name);
    pose.map_or(point, |(link, shift)| {
        link.place(shift, point.into()).into()
    })
}

/// A point or a direction as JSON.
fn text([x, y]: [f64; 2]) -> String {
    format!("[{x}, {y}]")
}
