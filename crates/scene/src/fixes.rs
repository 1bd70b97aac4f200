//! Repairs of a scene that do not change its meaning.
//!
//! Some mistakes have an obvious correction: triangles listed clockwise, a `d_hat` that is too
//! large for a body, joints that do not fit, and bodies that overlap at the start. The text of the
//! author is edited in place, so that formatting and order stay, and every change is described.
//!
//! Overlapping bodies are moved in rounds. In a round each body moves at most once, out of an
//! overlap by the shortest way and then by `d_hat`; the world is built again and searched for what
//! remains. In a pile the bodies near the ground must stay, or a body would be pushed back and
//! forth. Hence the number of bodies between a body and something fixed is remembered, and of two
//! bodies the one with more between moves.

mod assembly;
mod joints;
mod movable;

use super::assemble::Setup;
use super::error::SceneError;
use super::locate::with_value;
use super::overlap::overlaps;
use super::preflight::ways_away;
use super::preflight::{Assembled, Preflight, assemble, build, preflight};
use super::problem::Problem;
use super::schema::{Body, InlineMesh, Scene, Shape};
use super::source::Source;
use ipcsim_math::elementary::powf;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::{Vec2, cross};
use movable::may_move;
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of rounds in which overlapping bodies are moved.
///
/// Piles of some hundred bodies take 10 to 100 rounds; a scene that has not settled then has no
/// room.
const ROUNDS: usize = 200;

/// Share (1) of `d_hat` that bodies keep from each other after they are moved apart. Above 1 they
/// start out of reach of the barrier.
const ROOM: f64 = 1.05;

/// Share (1) of `d_hat` to which new positions are rounded.
const ROUNDED: f64 = 0.01;

/// Largest number of decimals of a position: more are beyond double precision for lengths near 1 m.
const MOST: usize = 15;

/// A scene after repairs.
#[derive(Clone, Debug)]
pub struct Mended {
    /// Text of the author, with the values replaced that were repaired.
    pub text: String,
    /// Description of each change: the path, what was done, and the old and new value.
    pub changes: Vec<String>,
    /// Errors and warnings that remain, with their places in the new text.
    pub problems: Vec<Problem>,
}

/// Repairs a scene as far as its meaning does not change.
///
/// Makes triangles counter-clockwise, lowers a `d_hat` that is too large for a body, closes joints by
/// moving and turning bodies, lengthens ropes to the distance of their ends, and moves bodies apart that
/// overlap or are too near. Overrides become a part of the text.
///
/// # Errors
/// [`SceneError`] if the text is not a scene.
pub fn mended(source: &Source) -> Result<Mended, SceneError> {
    if source.scene()?.units.is_some() {
        let message = "mends nothing in a scene with \"units\", as it writes numbers in SI; write units at \
                       the numbers instead";
        return Err(SceneError::Invalid(vec![Problem::error("units", message)]));
    }
    let mut source = source.settled()?;
    let mut changes = turn_over(&mut source)?;
    changes.extend(shrink_reach(&mut source)?);
    let closed = joints::close(&mut source)?;
    changes.extend(closed.changes);
    changes.extend(joints::lengthen(&mut source)?);
    changes.extend(separate(&mut source, closed.moved)?);

    // Problems that are left, of joints with the reason why they cannot be closed.
    let Preflight { mut problems, .. } = preflight(source.scene()?);
    problems.retain(|left| !closed.explained.contains(&left.path));
    problems.splice(..0, closed.problems);
    source.locate(&mut problems);
    Ok(Mended {
        text: source.text,
        changes,
        problems,
    })
}

/// Makes all triangles of meshes in the scene counter-clockwise; returns descriptions of the
/// changes.
///
/// # Errors
/// [`SceneError`] if the text is not a scene.
fn turn_over(source: &mut Source) -> Result<Vec<String>, SceneError> {
    let scene = source.scene()?;
    let bodies = scene.bodies.iter().enumerate();
    let bodies = bodies.map(|(k, body)| (format!("bodies[{k}]"), &body.shape));
    let obstacles = scene.obstacles.iter().enumerate();
    let obstacles = obstacles.map(|(k, thing)| (format!("obstacles[{k}]"), &thing.shape));

    let mut changes = Vec::new();
    for (owner, shape) in bodies.chain(obstacles) {
        let Shape::Mesh(mesh) = shape else { continue };
        if mesh.quadratic {
            // Facets of six-node triangles have an order.
            continue;
        }
        let (triangles, count) = counter_clockwise(mesh);
        if count == 0 {
            continue;
        }

        let path = format!("{owner}.shape.mesh.triangles");
        let list = triangles.iter().map(|[a, b, c]| format!("[{a}, {b}, {c}]"));
        let list = list.collect::<Vec<String>>().join(", ");
        source.text = with_value(&source.text, &path, &format!("[{list}]"));
        changes.push(format!("{path}: turned {count} clockwise triangles over"));
    }
    Ok(changes)
}

/// Triangles of a mesh, all counter-clockwise, and the number of those that were clockwise.
fn counter_clockwise(mesh: &InlineMesh) -> (Vec<[usize; 3]>, usize) {
    let mut triangles = mesh.triangles.clone();
    let mut count = 0;
    for triangle in &mut triangles {
        let [a, b, c] = *triangle;
        if is_clockwise(mesh, *triangle) {
            *triangle = [a, c, b];
            count += 1;
        }
    }
    (triangles, count)
}

/// True if a triangle is clockwise. False if it names vertices that do not exist.
fn is_clockwise(mesh: &InlineMesh, triangle: [usize; 3]) -> bool {
    let corners = triangle.map(|i| mesh.vertices.get(i).map(|&corner| Vec2::from(corner)));
    let [Some(a), Some(b), Some(c)] = corners else {
        return false;
    };
    cross(b - a, c - a) < 0.0
}

/// Replaces a `d_hat` that is too large for a body by the default; returns a description of the
/// change, if there is one.
///
/// # Errors
/// [`SceneError`] if the text is not a scene.
fn shrink_reach(source: &mut Source) -> Result<Vec<String>, SceneError> {
    const PATH: &str = "contact.d_hat";
    let mut scene = source.scene()?;
    let problems = preflight(scene.clone()).problems;
    let is_too_large = problems.iter().any(|p| p.path == PATH && !p.is_error());

    // The default of the scene without the value.
    let given = scene.contact.d_hat.take().filter(|_| is_too_large);
    let setup = build(scene).ok();
    let derived = setup.map(|setup| setup.world.model.surface.reach.least_of_bodies());
    let (Some(given), Some(derived)) = (given, derived) else {
        return Ok(Vec::new());
    };

    source.text = with_value(&source.text, PATH, &format!("{derived:.1e}"));
    Ok(vec![format!(
        "{PATH}: made {derived:.1e} m, which was {given:e} m"
    )])
}

/// Moves bodies apart, each at most once in a round, until none overlap or none can be moved.
///
/// Bodies that `stay` are where joints have them. Returns descriptions of the changes. A scene with
/// copies is left alone, as copies have no position of their own.
///
/// # Errors
/// [`SceneError`] if the text is not a scene.
fn separate(source: &mut Source, stay: BTreeSet<usize>) -> Result<Vec<String>, SceneError> {
    let mut scene = source.scene()?;
    if scene.bodies.iter().any(Body::is_many) {
        return Ok(Vec::new());
    }

    // Positions before any move, by the number of the body.
    let mut from: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    let mut steps = Steps {
        counted: BTreeMap::new(),
        stay,
    };
    for _ in 0..ROUNDS {
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
            let d_hat = setup.world.model.surface.reach.most_of(body);
            *position = rounded(Vec2::from(*position) + by, d_hat);
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
            "{path}: moved \"{name}\" from {before:?} to [{x}, {y}] m, free of what it \
             overlapped or touched"
        ));
    }
    Ok(changes)
}

/// Steps from bodies to something that does not move.
struct Steps {
    /// Number of steps of a body, by its number, where it is known. A body that rests against a wall is
    /// one step away from it.
    counted: BTreeMap<usize, usize>,
    /// Bodies that stay, though nothing in the scene holds them.
    stay: BTreeSet<usize>,
}

impl Steps {
    /// True if a body or an obstacle of this number may move.
    fn may_move(&self, body: usize, scene: &Scene) -> bool {
        let own = scene.bodies.get(body);
        own.is_some_and(|own| may_move(own, scene)) && !self.stay.contains(&body)
    }
}

/// Translations (m) of the bodies that move: out of the overlap, and then by `d_hat`.
///
/// Of two bodies the one with more `steps` moves, so that none is pushed back and forth. Steps that
/// become known are added.
fn moves(setup: &Setup, scene: &Scene, steps: &mut Steps) -> BTreeMap<usize, Vec2> {
    let surface = &setup.world.model.surface;
    let room = |[a, b]: [usize; 2]| ROOM * surface.reach.usual(a, b) + surface.min_separation;
    let overlaps = overlaps(setup);

    // Ways out of overlaps, then ways away from what is too near.
    let mut ways = Vec::new();
    for overlap in &overlaps {
        if let Some(way) = overlap.way_out {
            let away = way.try_normalize(0.0);
            let away = away.unwrap_or_else(|| apart(overlap.bodies, setup));
            ways.push((overlap.bodies, way + away * room(overlap.bodies)));
        }
    }
    for (pair, away) in ways_away(&overlaps, setup) {
        ways.push((pair, away * room(pair)));
    }

    let mut moves = BTreeMap::new();
    for ([one, other], by) in ways {
        let Some(mover) = mover([one, other], setup, scene, steps) else {
            continue;
        };
        // Another round looks at pairs of a body that has moved.
        if moves.contains_key(&one) || moves.contains_key(&other) {
            continue;
        }
        let stays = if mover == one { other } else { one };
        count_steps(mover, stays, scene, steps);
        moves.insert(mover, if mover == one { by } else { -by });
    }
    moves
}

/// Gives a body that moves one step more than the body that stays, unless it has fewer already.
///
/// A body that cannot move counts as 0 steps. Nothing is known if `stays` can move and has no
/// number.
fn count_steps(mover: usize, stays: usize, scene: &Scene, steps: &mut Steps) {
    let behind = if steps.may_move(stays, scene) {
        steps.counted.get(&stays).copied()
    } else {
        Some(0)
    };

    if let Some(behind) = behind {
        let own = steps.counted.entry(mover).or_insert(behind + 1);
        *own = (*own).min(behind + 1);
    }
}

/// Body of a pair that moves: if both can, the one with more steps, then the smaller one.
///
/// `None` if neither can move, or the pair is one body.
fn mover(pair: [usize; 2], setup: &Setup, scene: &Scene, steps: &Steps) -> Option<usize> {
    if pair[0] == pair[1] {
        return None;
    }

    let is_free = pair.map(|body| steps.may_move(body, scene));
    match (is_free, pair) {
        ([false, false], _) => None,
        ([true, false], [body, _]) | ([false, true], [_, body]) => Some(body),
        ([true, true], [one, other]) => {
            // A body of unknown steps is far from everything fixed.
            let [of_one, of_other] =
                pair.map(|body| steps.counted.get(&body).copied().unwrap_or(usize::MAX));
            let [size, other_size] = pair.map(|body| box_of(body, setup).extent().norm());
            let order = of_other.cmp(&of_one).then(size.total_cmp(&other_size));
            Some(if order.is_gt() { other } else { one })
        }
    }
}

/// Unit vector from the middle of the second body to that of the first; upwards if they coincide.
fn apart([one, other]: [usize; 2], setup: &Setup) -> Vec2 {
    let apart = box_of(one, setup).center() - box_of(other, setup).center();
    apart
        .try_normalize(0.0)
        .unwrap_or_else(|| Vec2::new(0.0, 1.0))
}

/// Box around the vertices of a body at the start.
fn box_of(body: usize, setup: &Setup) -> Aabb {
    let vertices = setup.world.bodies[body].vertices.clone();
    Aabb::around(vertices.map(|i| setup.state.x[i]))
}

/// A position (m), rounded to a decimal place below [`ROUNDED`] of `d_hat` (m).
fn rounded(position: Vec2, d_hat: f64) -> [f64; 2] {
    let digits = (0..MOST)
        .find(|&digits| powf(0.1_f64, digits as f64) <= ROUNDED * d_hat)
        .unwrap_or(MOST);
    let round = |value: f64| format!("{value:.digits$}").parse().unwrap_or(value);
    [round(position.x), round(position.y)]
}
