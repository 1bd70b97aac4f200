//! Repairs of a scene that do not change its meaning.

use super::assemble::Setup;
use super::error::SceneError;
use super::locate::with_value;
use super::overlap::overlaps;
use super::preflight::clearance::ways_away;
use super::preflight::{Assembled, Preflight, assemble, build, preflight};
use super::problem::Problem;
use super::schema::{Axis, Body, InlineMesh, Scene, Shape};
use super::source::Source;
use crate::geometry::Aabb;
use crate::math::{Vec2, cross};
use std::collections::BTreeMap;

/// Largest number of rounds in which overlapping bodies are moved. Piles of some hundred bodies take 10
/// to 100 rounds; a scene that has not settled then has no room.
const ROUNDS: usize = 200;

/// A scene after repairs.
pub struct Mended {
    /// Text of the author, with the values replaced that were repaired.
    pub text: String,
    /// Description of each change.
    pub changes: Vec<String>,
    /// Errors and warnings that remain.
    pub problems: Vec<Problem>,
}

/// Repairs a scene: makes triangles counter-clockwise, lowers a `d_hat` that is too large for a body, and
/// moves bodies apart that overlap or are too near.
///
/// # Errors
/// [`SceneError`] if the text is not a scene.
pub fn mended(source: &Source) -> Result<Mended, SceneError> {
    let mut source = source.clone();
    let mut changes = turn_over(&mut source)?;
    changes.extend(shrink_reach(&mut source)?);
    changes.extend(separate(&mut source)?);
    let Preflight { mut problems, .. } = preflight(source.scene()?);
    source.locate(&mut problems);
    Ok(Mended {
        text: source.text,
        changes,
        problems,
    })
}

/// Makes all triangles of meshes in the scene counter-clockwise.
fn turn_over(source: &mut Source) -> Result<Vec<String>, SceneError> {
    let scene = source.scene()?;
    let bodies = scene
        .bodies
        .iter()
        .enumerate()
        .map(|(k, body)| (format!("bodies[{k}]"), &body.shape));
    let obstacles = scene
        .obstacles
        .iter()
        .enumerate()
        .map(|(k, thing)| (format!("obstacles[{k}]"), &thing.shape));
    let mut changes = Vec::new();
    for (path, shape) in bodies.chain(obstacles) {
        let Shape::Mesh(mesh) = shape else { continue };
        let (triangles, count) = counter_clockwise(mesh);
        if count > 0 {
            let path = format!("{path}.shape.mesh.triangles");
            let list: Vec<String> = triangles
                .iter()
                .map(|[a, b, c]| format!("[{a}, {b}, {c}]"))
                .collect();
            source.text = with_value(&source.text, &path, &format!("[{}]", list.join(", ")));
            changes.push(format!("{path}: turned {count} clockwise triangles over"));
        }
    }
    Ok(changes)
}

/// Triangles of a mesh, all counter-clockwise, and the number of those that were clockwise.
fn counter_clockwise(mesh: &InlineMesh) -> (Vec<[usize; 3]>, usize) {
    let corner = |i: usize| mesh.vertices.get(i).map(|&corner| Vec2::from(corner));
    let is_clockwise = |&[a, b, c]: &[usize; 3]| match (corner(a), corner(b), corner(c)) {
        (Some(a), Some(b), Some(c)) => cross(b - a, c - a) < 0.0,
        _ => false,
    };
    let turned = |triangle: &[usize; 3]| {
        let [a, b, c] = *triangle;
        if is_clockwise(triangle) {
            [a, c, b]
        } else {
            [a, b, c]
        }
    };
    let count = mesh
        .triangles
        .iter()
        .filter(|triangle| is_clockwise(triangle))
        .count();
    (mesh.triangles.iter().map(turned).collect(), count)
}

/// Replaces a `d_hat` that is too large for a body by the default.
fn shrink_reach(source: &mut Source) -> Result<Vec<String>, SceneError> {
    const PATH: &str = "contact.d_hat";
    let mut scene = source.scene()?;
    let problems = preflight(scene.clone()).problems;
    let given = scene
        .contact
        .d_hat
        .take()
        .filter(|_| problems.iter().any(|p| p.path == PATH && !p.is_error()));
    let derived = build(scene)
        .ok()
        .and_then(|setup| setup.scene.contact.d_hat);
    let (Some(given), Some(derived)) = (given, derived) else {
        return Ok(Vec::new());
    };
    source.text = with_value(&source.text, PATH, &format!("{derived:.1e}"));
    Ok(vec![format!(
        "{PATH}: made {derived:.1e} m, which was {given:e} m"
    )])
}

/// Moves bodies apart, each at most once in a round, until none overlap or none can be moved.
fn separate(source: &mut Source) -> Result<Vec<String>, SceneError> {
    let mut from: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    let mut scene = source.scene()?;
    let mut steps = BTreeMap::new();
    // Copies have no position of their own.
    let rounds = if scene.bodies.iter().any(|body| body.copies.is_some()) {
        0
    } else {
        ROUNDS
    };

    for _ in 0..rounds {
        let Assembled {
            setup: Some(setup),
            is_whole: true,
            ..
        } = assemble(scene.clone())
        else {
            break;
        };

        let moves = moves(&setup, &scene, &mut steps);
        if moves.is_empty() {
            break;
        }
        for (body, by) in moves {
            let position = &mut scene.bodies[body].position;
            from.entry(body).or_insert(*position);
            *position = rounded(Vec2::from(*position) + by, setup.world.model.surface.d_hat);
        }
    }

    // The text, with the positions of bodies that were moved.
    let mut changes = Vec::new();
    for (body, before) in from {
        let path = format!("bodies[{body}].position");
        let Body { name, position, .. } = &scene.bodies[body];
        let [x, y] = position;
        source.text = with_value(&source.text, &path, &format!("[{x}, {y}]"));
        changes.push(format!(
            "{path}: moved \"{name}\" from {before:?} to [{x}, {y}] m, free of what it overlapped or touched"
        ));
    }
    Ok(changes)
}

/// Translations (m) of the bodies that move: out of the overlap, and then by `d_hat`.
///
/// `steps` counts the bodies between a body and something that does not move, where it is known. Of two
/// bodies the one with more steps moves, so that none is pushed back and forth.
fn moves(
    setup: &Setup,
    scene: &Scene,
    steps: &mut BTreeMap<usize, usize>,
) -> BTreeMap<usize, Vec2> {
    let surface = &setup.world.model.surface;
    let room = 1.05 * surface.d_hat + surface.min_separation;
    let overlaps = overlaps(setup);

    // Ways out of overlaps, then ways away from what is too near.
    let overlapping = overlaps
        .iter()
        .filter_map(|overlap| Some((overlap.bodies, overlap.way_out?)));
    let overlapping = overlapping.map(|(pair, way)| {
        let away = way.try_normalize(0.0).unwrap_or_else(|| apart(pair, setup));
        (pair, way + away * room)
    });
    let near = ways_away(&overlaps, setup)
        .into_iter()
        .map(|(pair, away)| (pair, away * room));

    let mut moves = BTreeMap::new();
    for ([one, other], by) in overlapping.chain(near) {
        let Some(mover) = mover([one, other], setup, scene, steps) else {
            continue;
        };
        if moves.contains_key(&one) || moves.contains_key(&other) {
            continue;
        }

        // One step more than the body that stays.
        let stays = if mover == one { other } else { one };
        let is_free = scene.bodies.get(stays).is_some_and(may_move);
        let behind = if is_free {
            steps.get(&stays).copied()
        } else {
            Some(0)
        };
        if let Some(behind) = behind {
            let own = steps.entry(mover).or_insert(behind + 1);
            *own = (*own).min(behind + 1);
        }
        moves.insert(mover, if mover == one { by } else { -by });
    }
    moves
}

/// Body of a pair that moves: if both can, the one with more steps, then the smaller one.
fn mover(
    pair: [usize; 2],
    setup: &Setup,
    scene: &Scene,
    steps: &BTreeMap<usize, usize>,
) -> Option<usize> {
    let size = |body: usize| {
        let vertices = setup.world.bodies[body].vertices.clone();
        Aabb::around(vertices.map(|i| setup.state.x[i]))
            .extent()
            .norm()
    };

    let is_free = |body: &usize| scene.bodies.get(*body).is_some_and(may_move);
    let mut movable: Vec<usize> = pair.into_iter().filter(is_free).collect();
    let steps = |body: usize| steps.get(&body).copied().unwrap_or(usize::MAX);
    movable.sort_by(|&a, &b| steps(b).cmp(&steps(a)).then(size(a).total_cmp(&size(b))));
    if pair[0] == pair[1] {
        None
    } else {
        movable.first().copied()
    }
}

/// True if nothing in the scene fixes where a body starts.
fn may_move(body: &Body) -> bool {
    let is_held = body.fixed.iter().any(|axis| *axis != Axis::Angle);
    body.script.is_none() && body.prescribed.is_empty() && !is_held
}

/// Unit vector from the middle of the second body to that of the first; upwards if they coincide.
fn apart([one, other]: [usize; 2], setup: &Setup) -> Vec2 {
    let middle = |body: usize| {
        let vertices = setup.world.bodies[body].vertices.clone();
        Aabb::around(vertices.map(|i| setup.state.x[i])).center()
    };
    (middle(one) - middle(other))
        .try_normalize(0.0)
        .unwrap_or_else(|| Vec2::new(0.0, 1.0))
}

/// Largest number of decimals of a position: more are beyond double precision for lengths near 1 m.
const MOST: usize = 15;

/// A position, rounded to a hundredth of `d_hat` (m).
fn rounded(position: Vec2, d_hat: f64) -> [f64; 2] {
    let digits = (0..MOST)
        .find(|&digits| 0.1_f64.powf(digits as f64) <= 0.01 * d_hat)
        .unwrap_or(MOST);
    let round = |value: f64| format!("{value:.digits$}").parse().unwrap_or(value);
    [round(position.x), round(position.y)]
}
