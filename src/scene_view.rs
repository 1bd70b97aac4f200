//! View of pictures: the part of a world that they show.
//!
//! A scene may state its view. Otherwise the view holds everything at the start and every place
//! that prescribed motion leads to, with a margin, so that a frame never shows a body leave by a
//! script.

use ipcsim::body::{BodyKind, Prescribed, Role};
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use ipcsim::time::World;

/// Number of times at which displacements by formulas are looked at.
const LOOKS: u32 = 200;

/// Box (m) around all outlines and circles at the positions `x` (m). Half-planes have no extent and are
/// left out.
pub(crate) fn extent(world: &World, x: &[Vec2]) -> Aabb {
    let surface = &world.model.surface;
    let mut all = Aabb::EMPTY;
    for &vertex in surface.edges.iter().flatten() {
        let one = Aabb::around([x[vertex]]).grown(surface.radius[vertex]);
        all = all.union(&one);
    }
    all
}

/// View of a scene's frames (m): the one that the scene states, or the default of its world at the
/// positions `x` of the start (m).
pub(crate) fn scene_view(scene: &Scene, world: &World, x: &[Vec2]) -> Aabb {
    if let Some(view) = scene.output.view {
        return Aabb {
            min: view.min.into(),
            max: view.max.into(),
        };
    }
    let end = scene.time.step * scene.time.steps as f64;
    default_view(world, x, end)
}

/// Part of the box `states` (m) of where bodies have been that a view shows beside its `usual` part, with
/// a margin of a twentieth of its diagonal: at most the width and height of that on each side, so that
/// a body that flies off does not make all others small. Nothing if bodies stay in the usual part.
pub(crate) fn bounded(states: &Aabb, usual: &Aabb) -> Aabb {
    const MARGIN: f64 = 0.05;
    let is_inside = |p: Vec2| usual.min.inf(&p) == usual.min && usual.max.sup(&p) == usual.max;
    if states.min.x > states.max.x || (is_inside(states.min) && is_inside(states.max)) {
        return Aabb::EMPTY;
    }
    let around = states.grown(MARGIN * usual.extent().norm());
    let size = usual.extent();
    Aabb {
        min: around.min.sup(&(usual.min - size)),
        max: around.max.inf(&(usual.max + size)),
    }
}

/// Box (m) around bodies and obstacles at the start (positions `x`, m), and around all places that
/// prescribed motion takes them to until the time `end` (s), with a margin of a tenth of the
/// diagonal.
fn default_view(world: &World, x: &[Vec2], end: f64) -> Aabb {
    // Share of the diagonal that is added on every side.
    const MARGIN: f64 = 0.1;
    let mut view = Aabb::around(world.placed_vertices().map(|i| x[i])).union(&extent(world, x));
    view = view.union(&anchors(world, x));
    for prescribed in &world.prescribed {
        if prescribed.role != Role::Angle && !is_of_world(world, prescribed) {
            view = view.union(&reach(world, prescribed, x, end));
        }
    }
    view.grown(MARGIN * view.extent().norm())
}

/// True if a prescribed node belongs to the world, which has no place.
fn is_of_world(world: &World, prescribed: &Prescribed) -> bool {
    let of_world = world.bodies.iter().find(|own| own.kind == BodyKind::World);
    of_world.is_some_and(|own| own.nodes.contains(&prescribed.node))
}

/// Box (m) around the places at which joints hold bodies to the world.
fn anchors(world: &World, x: &[Vec2]) -> Aabb {
    let mut all = Aabb::EMPTY;
    for joint in &world.model.joints {
        for side in 0..2 {
            if world.bodies[joint.bodies[side]].kind == BodyKind::World {
                let places = joint.rows.iter().map(|row| row.frames[side].place(x));
                all = all.union(&Aabb::around(places));
            }
        }
    }
    all
}

/// Box (m) around all places of what a prescribed node moves: a free vertex, or a whole body that
/// is at `x` (m) at the start.
///
/// Between two keyframes the path is straight, so the keyframes and the end are the extremes. Other
/// displacements are taken at many times.
fn reach(world: &World, prescribed: &Prescribed, x: &[Vec2], end: f64) -> Aabb {
    let start = moved(world, prescribed, x);
    let motion = &prescribed.motion;

    // Times at which the path may turn, and the end.
    let stops = motion
        .keyframes
        .iter()
        .map(|(time, _)| *time)
        .filter(|&time| time < end)
        .chain([end]);

    let mut all = Aabb::EMPTY;
    if let Some(displacement) = &prescribed.displacement {
        for k in 0..=LOOKS {
            let time = end.min(motion.until) * f64::from(k) / f64::from(LOOKS);
            let place = prescribed.start + displacement.at(prescribed.start, time);
            all = all.union(&Aabb::around([place]));
        }
        return all;
    }
    for time in stops {
        let shift = motion.pose(time.min(motion.until)).displacement;
        all = all.union(&Aabb {
            min: start.min + shift,
            max: start.max + shift,
        });
    }
    all
}

/// Box (m) around what a prescribed node moves, at the start.
fn moved(world: &World, prescribed: &Prescribed, x: &[Vec2]) -> Aabb {
    let body = world
        .bodies
        .iter()
        .find(|body| body.nodes.contains(&prescribed.node));

    // Only the centre of a body moves all of it.
    let (Role::Center(_), Some(body)) = (prescribed.role, body) else {
        return Aabb::around([prescribed.start]);
    };

    // Circles reach beyond their vertices.
    let mut all = Aabb::around(x[body.vertices.clone()].iter().copied());
    for disk in &world.model.surface.disks {
        if body.vertices.contains(&disk.center) {
            all = all.union(&Aabb::around([x[disk.center]]).grown(disk.radius));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim::scene::{build, parse};

    /// Default view, over 2 s, of a circle of radius 1 at (3, 4) with more keys.
    fn view(more: &str) -> Aabb {
        let text = format!(
            r#"{{ "time": {{ "step": 0.1, "steps": 20 }}, "materials": {{ "steel": {{ "density": 7800 }} }},
                "bodies": [{{ "name": "a", "kind": "rigid", "shape": {{ "circle": {{ "radius": 1 }} }}, "material": "steel",
                "position": [3, 4]{more} }}] }}"#
        );
        let setup = build(parse(&text, &[]).unwrap()).unwrap();
        default_view(&setup.world, &setup.state.x, 2.0)
    }

    /// Checks that a view is the box from `min` to `max` with the margin.
    fn assert_view(found: Aabb, min: [f64; 2], max: [f64; 2]) {
        let expected = Aabb {
            min: min.into(),
            max: max.into(),
        };
        let expected = expected.grown(0.1 * expected.extent().norm());
        assert!(
            (found.min - expected.min).norm() < 1e-12 && (found.max - expected.max).norm() < 1e-12,
            "{found:?}"
        );
    }

    #[test]
    fn a_view_grows_with_what_leaves_it_but_not_without_end() {
        let square = |low: f64, high: f64| Aabb {
            min: Vec2::repeat(low),
            max: Vec2::repeat(high),
        };
        let usual = square(0.0, 10.0);
        assert_eq!(
            usual.union(&bounded(&square(1.0, 9.0), &usual)).max,
            usual.max
        );

        let margin = 0.05 * usual.extent().norm();
        let grown = usual.union(&bounded(&square(1.0, 12.0), &usual));
        assert_eq!(
            (grown.min, grown.max),
            (usual.min, Vec2::repeat(12.0 + margin))
        );

        // A view grows by at most its size on each side.
        let far = usual.union(&bounded(&square(-1e6, 1e9), &usual));
        assert_eq!(
            (far.min, far.max),
            (Vec2::repeat(-10.0), Vec2::repeat(20.0))
        );
        assert_eq!(usual.union(&bounded(&Aabb::EMPTY, &usual)).max, usual.max);
    }

    #[test]
    fn a_view_holds_circles_and_all_that_a_script_moves() {
        assert_view(view(""), [2.0, 3.0], [4.0, 5.0]);
        assert_view(
            view(r#", "script": { "velocity": [1, 0] }"#),
            [2.0, 3.0],
            [6.0, 5.0],
        );
        assert_view(
            view(r#", "script": { "velocity": [1, 0], "until": 0.5 }"#),
            [2.0, 3.0],
            [4.5, 5.0],
        );

        // A way there and back; the last keyframe is after the end.
        let there = r#"{ "time": 1, "position": [3, 9] }"#;
        let back = r#"{ "time": 2, "position": [3, 4] }, { "time": 3, "position": [30, 4] }"#;
        assert_view(
            view(&format!(
                r#", "script": {{ "keyframes": [{there}, {back}] }}"#
            )),
            [2.0, 3.0],
            [4.0, 10.0],
        );
    }
}
