//! What part of a world a picture shows.

use crate::body::{Prescribed, Role};
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::time::World;

/// The box around all that collides at the positions `x` (m), half-planes left out.
pub(in crate::commands) fn extent(world: &World, x: &[Vec2]) -> Aabb {
    let surface = &world.model.surface;
    let around = |&vertex: &usize| Aabb::around([x[vertex]]).grown(surface.radius[vertex]);
    surface
        .points
        .iter()
        .map(around)
        .fold(Aabb::EMPTY, |all, one| all.union(&one))
}

/// What frames show unless a scene says otherwise: bodies at the start, obstacles, and as far as either is prescribed to
/// move, with a margin.
pub(in crate::commands) fn default_view(world: &World, x: &[Vec2], end: f64) -> Aabb {
    const MARGIN: f64 = 0.1;
    let reach = world
        .prescribed
        .iter()
        .filter(|p| p.role != Role::Angle)
        .map(|p| reach(world, p, x, end));
    let start = Aabb::around(x.iter().copied()).union(&extent(world, x));
    let view = reach.fold(start, |all, one| all.union(&one));
    view.grown(MARGIN * view.extent().norm())
}

/// Where a prescribed node takes what it moves, a free vertex itself or a whole body that is at `x` (m) at the start.
fn reach(world: &World, prescribed: &Prescribed, x: &[Vec2], end: f64) -> Aabb {
    let body = world
        .bodies
        .iter()
        .find(|body| body.nodes.contains(&prescribed.node));
    let moved = match (prescribed.role, body) {
        (Role::Center(_), Some(body)) => {
            let own = body.vertices.clone();
            let disks = world
                .model
                .surface
                .disks
                .iter()
                .filter(|disk| own.contains(&disk.center));
            let rounds = disks.map(|disk| Aabb::around([x[disk.center]]).grown(disk.radius));
            rounds.fold(Aabb::around(x[own.clone()].iter().copied()), |all, one| {
                all.union(&one)
            })
        }
        _ => Aabb::around([prescribed.start]),
    };
    let motion = &prescribed.motion;
    let stops = motion
        .keyframes
        .iter()
        .map(|(time, _)| *time)
        .filter(|&time| time < end)
        .chain([end]);
    let shifts = stops.map(|time| motion.pose(time.min(motion.until)).displacement);
    let shifted = shifts.map(|by| Aabb {
        min: moved.min + by,
        max: moved.max + by,
    });
    shifted.fold(Aabb::EMPTY, |all, one| all.union(&one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{build, parse};

    /// A circle of radius 1 at (3, 4), and what is added to it, seen for 2 s.
    fn view(more: &str) -> Aabb {
        let text = format!(
            r#"{{ "time": {{ "step": 0.1, "steps": 20 }}, "materials": {{ "steel": {{ "density": 7800 }} }},
                "bodies": [{{ "name": "a", "kind": "rigid", "shape": {{ "circle": {{ "radius": 1 }} }}, "material": "steel",
                "position": [3, 4]{more} }}] }}"#
        );
        let setup = build(parse(&text, &[]).unwrap()).unwrap();
        default_view(&setup.world, &setup.state.x, 2.0)
    }

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
