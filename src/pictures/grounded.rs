//! The ground of joints: symbols where one side of a joint never moves.

use super::carried::Carried;
use ipcsim::body::BodyKind;
use ipcsim::constraint::{ConstraintRow, Joint, JointFrame, Rule};
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::time::World;
use ipcsim_pictures::diagram::Symbol;

/// Height of a joint above the middle of a body (1), relative to its size, from which on the body hangs.
const HANGS: f64 = 0.2;

/// Side of a joint that is the world, or an obstacle without a motion; `None` if both may move.
pub(super) fn still_side(joint: &Joint, world: &World) -> Option<usize> {
    (0..2).find(|&side| {
        let body = &world.bodies[joint.bodies[side]];
        let mut own = world
            .prescribed
            .iter()
            .filter(|one| body.nodes.contains(&one.node));
        body.kind == BodyKind::World
            || body.kind == BodyKind::Obstacle && own.all(ipcsim::body::Prescribed::is_rest)
    })
}

/// Ground at the points that this side of a joint holds, where vertices start at `x` (m); `None` if it
/// holds none, as gears do. The line of a guide has another symbol.
pub(super) fn ground(
    joint: &Joint,
    side: usize,
    world: &World,
    x: &[Vec2],
) -> Option<Symbol<Carried>> {
    let holds = |row: &&ConstraintRow| match row.rule {
        Rule::Hinge(_) | Rule::Rod(_) => true,
        Rule::Slot(_) | Rule::Slider(_) => side == 1,
        _ => false,
    };
    let frames = joint.rows.iter().filter(holds).map(|row| &row.frames[side]);
    let mut frames: Vec<&JointFrame> = frames.collect();
    frames.dedup();
    if frames.is_empty() {
        return None;
    }

    let around = Aabb::around(frames.iter().map(|frame| frame.place(x)));
    let other = world.bodies[joint.bodies[1 - side]].vertices.clone();
    let own = Aabb::around(other.map(|i| x[i]));
    let above = around.center().y - own.center().y;
    let hangs = above > HANGS * own.extent().norm();
    Some(Symbol::Ground {
        at: frames.into_iter().map(Carried::point_of).collect(),
        outward: Vec2::new(0.0, if hangs { 1.0 } else { -1.0 }),
    })
}

#[cfg(test)]
mod tests {
    use crate::pictures::sketch::Sketch;
    use ipcsim::math::Vec2;
    use ipcsim::scene::{build, parse};
    use ipcsim_pictures::diagram::Symbol;
    use serde_json::json;

    #[test]
    fn what_never_moves_has_ground_below_a_body_that_stands_and_above_one_that_hangs() {
        let bar = |name: &str, x: f64| {
            json!({ "name": name, "kind": "rigid", "material": "steel", "position": [x, 0.0],
                    "shape": { "rectangle": { "size": [0.1, 1.0], "segments": [1, 1] } } })
        };
        let peg = |name: &str, speed: f64| json!({ "name": name, "shape": { "circle": { "radius": 0.01 } }, "velocity": [speed, 0.0] });
        let hinge =
            |names: [&str; 2], at: [f64; 2]| json!({ "hinge": { "bodies": names, "at": at } });
        let scene = json!({
            "time": { "step": 0.01, "steps": 1 }, "materials": { "steel": { "density": 7800.0 } },
            "bodies": [bar("a", 0.0), bar("b", 3.0)], "obstacles": [peg("still", 0.0), peg("moving", 1.0)],
            "joints": [
                hinge(["world", "a"], [0.0, -0.5]), hinge(["b", "still"], [3.0, 0.5]), hinge(["moving", "b"], [3.0, 0.0]),
                { "slider": { "bodies": ["world", "a"], "at": [0.0, 0.0], "axis": [1, 0] } },
                { "slider": { "bodies": ["b", "a"], "at": [0.0, 0.0], "axis": [1, 0] } }
            ],
            "contact": { "collide": "none" }
        });
        let setup = build(parse(&scene.to_string(), &[]).unwrap()).unwrap();
        let diagram = Sketch::of(&setup).at(&setup.state.x, None);

        let grounds = diagram.symbols.iter().filter_map(|symbol| match symbol {
            Symbol::Ground { at, outward } => Some((at[0], outward.y)),
            _ => None,
        });
        let expected = [([0.0, -0.5], -1.0), ([3.0, 0.5], 1.0)];
        let expected = expected.map(|(at, up)| (Vec2::from(at), up));
        assert_eq!(grounds.collect::<Vec<(Vec2, f64)>>(), expected);
        let guides = diagram.symbols.iter().filter_map(|symbol| match symbol {
            Symbol::Guide { is_grounded, .. } => Some(*is_grounded),
            _ => None,
        });
        assert_eq!(guides.collect::<Vec<bool>>(), [true, false]);
    }
}
