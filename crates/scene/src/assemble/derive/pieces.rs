//! Pieces that keep their places to each other for a whole run: walls of a slot, tiles of a floor.

use crate::schema::{Axis, Interpolation, Kind, Obstacle, Parameter, Scene};
use std::collections::{BTreeMap, BTreeSet};

/// Motion of a piece, by the bits of its numbers: pieces with the same one move as one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Motion {
    /// Velocity (m/s), and angular velocity (degrees/s).
    speeds: [u64; 3],
    /// Distance to travel (m).
    travel: Option<u64>,
    /// Times (s), displacements (m) and turns (degrees) of keyframes.
    keyframes: Vec<[u64; 4]>,
    /// True if the motion is smooth from keyframe to keyframe.
    is_smooth: bool,
    /// Origin (m) of a motion that turns.
    origin: Option<[u64; 2]>,
    /// Own number of a piece that a change may move.
    number: Option<usize>,
}

/// What else pieces of one floor have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Alike<'a> {
    /// Number of the motion.
    motion: usize,
    /// Bits of the speed of a belt (m/s).
    belt: u64,
    /// Layer.
    layer: Option<u32>,
    /// Name of the material.
    material: Option<&'a str>,
    /// Own number of a piece whose friction or restitution differs.
    number: Option<usize>,
}

/// Group of each body of a `scene`, obstacles last: bodies of one group keep their places to each other.
/// Bodies that forces may move have none.
pub(super) fn by_motion(scene: &Scene) -> Vec<Option<usize>> {
    let moved = scene.changes.iter().filter_map(|change| match &change.set {
        Parameter::Target(shift) => Some(shift.body.as_str()),
        _ => None,
    });
    let moved: BTreeSet<&str> = moved.collect();
    let bodies = scene.bodies.iter().map(|body| {
        let axes = [Axis::X, Axis::Y, Axis::Angle];
        let is_held = axes.iter().all(|axis| body.fixed.contains(axis));
        let is_plain = matches!(body.kind, Kind::Rigid) && body.script.is_none();
        (is_held && is_plain).then(Motion::none)
    });
    let obstacles = scene.obstacles.iter().enumerate().map(|(k, obstacle)| {
        let is_moved = moved.contains(obstacle.name.as_str());
        Some(Motion {
            number: is_moved.then_some(k),
            ..Motion::of(obstacle)
        })
    });
    numbered(bodies.chain(obstacles))
}

/// Groups of [`by_motion`], of pieces that also have the same friction, belt and restitution.
pub(super) fn by_surface(scene: &Scene) -> Vec<Option<usize>> {
    let special = special(scene);
    let bodies = scene.bodies.iter();
    let bodies = bodies.map(|body| {
        let material = Some(body.material.as_str());
        (body.name.as_str(), material, body.layer, 0.0)
    });
    let obstacles = scene.obstacles.iter().map(|obstacle| {
        let material = obstacle.material.as_deref();
        (
            obstacle.name.as_str(),
            material,
            obstacle.layer,
            obstacle.belt,
        )
    });
    let all = bodies.chain(obstacles).zip(by_motion(scene)).enumerate();
    numbered(all.map(|(k, ((name, material, layer, belt), motion))| {
        Some(Alike {
            motion: motion?,
            belt: bits(belt),
            layer,
            material,
            number: special.contains(name).then_some(k),
        })
    }))
}

/// Names of bodies whose friction or restitution differs from others.
fn special(scene: &Scene) -> BTreeSet<&str> {
    let contact = &scene.contact;
    let of_friction = contact.friction.pairs.iter().map(|pair| &pair.between);
    let of_restitution = contact.restitution.pairs.iter().map(|pair| &pair.between);
    let changed = scene.changes.iter().filter_map(|change| match &change.set {
        Parameter::Friction(pair) => Some(&pair.between),
        _ => None,
    });
    let named = of_friction.chain(of_restitution).chain(changed);
    named.flatten().map(String::as_str).collect()
}

impl Motion {
    /// No motion.
    fn none() -> Self {
        Self {
            speeds: [0; 3],
            travel: None,
            keyframes: Vec::new(),
            is_smooth: false,
            origin: None,
            number: None,
        }
    }

    /// Motion of an obstacle.
    fn of(obstacle: &Obstacle) -> Self {
        let [x, y] = obstacle.position;
        let keyframes = obstacle.keyframes.iter().map(|keyframe| {
            let [to_x, to_y] = keyframe.position;
            let turn = keyframe.rotation_deg - obstacle.rotation_deg;
            let [x, y, turn] = [to_x - x, to_y - y, turn].map(rounded);
            [bits(keyframe.time), x, y, turn]
        });
        let keyframes: Vec<[u64; 4]> = keyframes.collect();
        let turns = obstacle.spin_deg != 0.0 || keyframes.iter().any(|keyframe| keyframe[3] != 0);
        let is_smooth = obstacle.interpolation != Interpolation::default();
        let [vx, vy] = obstacle.velocity;
        Self {
            speeds: [vx, vy, obstacle.spin_deg].map(bits),
            travel: obstacle.travel.map(bits),
            is_smooth: is_smooth && !keyframes.is_empty(),
            origin: turns.then_some([x, y].map(bits)),
            keyframes,
            number: None,
        }
    }
}

/// Bits of a number, the same for both zeros.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

/// Bits of a number with half of its digits: sums of a place and a displacement are rounded.
fn rounded(number: f64) -> u64 {
    (bits(number) + (1 << 27)) >> 28
}

/// Number of each key, the same for the same keys.
fn numbered<K: Ord>(keys: impl Iterator<Item = Option<K>>) -> Vec<Option<usize>> {
    let mut numbers = BTreeMap::new();
    let number = |key: Option<K>| {
        let next = numbers.len();
        key.map(|key| *numbers.entry(key).or_insert(next))
    };
    keys.map(number).collect()
}
