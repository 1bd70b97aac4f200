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
            || body.kind == BodyKind::Obstacle && own.all(|one| one.is_rest())
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
