//! Play: bodies that fit into slots with little room.
//!
//! A peg enters a hole that is wider by twice the *play*. If barriers reached farther than the play,
//! both sides of the hole would squeeze the peg before it touches any of them. So the shapes are
//! measured once: straight parts of outlines that face each other across a body are its widths, and
//! parts that face each other across free space are slots.

use super::Surface;
use crate::tuning::{PLAY_ANGLE, PLAY_MOST_PAIRS, PLAY_STRAIGHT};
use ipcsim_math::elementary::atan2;
use ipcsim_math::sort::sort_by;
use ipcsim_math::{Vec2, cross};
use std::f64::consts::TAU;

/// A body and a slot into which it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// Number of the body.
    pub body: usize,
    /// Numbers of the bodies on both sides of the slot.
    pub sides: [usize; 2],
    /// Half of the room beside the body (m).
    pub play: f64,
    /// Middle of the slot at the start (m).
    pub place: Vec2,
}

/// A straight part of an outline.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Number of the body.
    body: usize,
    /// Both ends (m).
    ends: [Vec2; 2],
    /// Unit vector from the first end to the second.
    along: Vec2,
    /// Unit normal out of the body.
    normal: Vec2,
}

/// A distance between two parts that face each other.
#[derive(Clone, Copy, Debug)]
struct Distance {
    /// Numbers of the bodies of both parts.
    bodies: [usize; 2],
    /// Distance (m).
    length: f64,
    /// Middle between the parts (m).
    place: Vec2,
}

/// All bodies that fit into slots with a play below their usual reach, on a surface at `x` (m,
/// `[vertices]`).
///
/// One of both moves: a peg into a hole, or a hole over a peg. `moves` is true for bodies that forces move,
/// and bodies of one `group` keep their places to each other, both `[bodies]`. A slot is between parts of
/// one group.
pub fn plays(surface: &Surface, x: &[Vec2], moves: &[bool], group: &[usize]) -> Vec<Play> {
    let runs = runs(surface, x);
    let slots = facing(&runs, group, 1.0);
    if slots.is_empty() {
        return Vec::new();
    }

    // Widths across bodies, of circles their diameter.
    let mut widths = facing(&runs, &(0..moves.len()).collect::<Vec<_>>(), -1.0);
    widths.extend(surface.disks.iter().map(|disk| Distance {
        bodies: [surface.body[disk.center]; 2],
        length: 2.0 * disk.radius,
        place: x[disk.center],
    }));
    sort_by(&mut widths, |one, other| {
        one.length.total_cmp(&other.length)
    });

    let mut plays: Vec<Play> = Vec::new();
    let most = 2.0 * surface.reach.most();
    for slot in slots {
        // Widths that are narrower than the slot, but not by more than any reach.
        let first = widths.partition_point(|width| width.length <= slot.length - most);
        let near = widths[first..].iter();
        for width in near.take_while(|width| width.length < slot.length) {
            let body = width.bodies[0];
            if !moves[body] && slot.bodies.iter().all(|&side| !moves[side]) {
                continue;
            }
            let play = 0.5 * (slot.length - width.length);
            let meets = |side: usize| {
                side != body
                    && !surface.are_joined(body, side)
                    && surface.filter.meet(body, side)
                    && play < surface.reach.usual(body, side)
            };
            if slot.bodies.into_iter().all(meets) {
                plays.push(Play {
                    body,
                    sides: slot.bodies,
                    play,
                    place: slot.place,
                });
            }
        }
    }

    // The least play of a body in slots between the same bodies.
    sort_by(&mut plays, |one, other| {
        let key = |play: &Play| (play.body, play.sides);
        key(one)
            .cmp(&key(other))
            .then(one.play.total_cmp(&other.play))
    });
    plays.dedup_by_key(|play| (play.body, play.sides));
    plays
}

/// Straight parts of all outlines at `x` (m, `[vertices]`). Curves without an inside have two sides.
fn runs(surface: &Surface, x: &[Vec2]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // Images are not part of their bodies: the slot between a body and its image moves with the period.
    let at_home = |edge: &&[usize; 2]| edge[0] != edge[1] && surface.images.is_home(edge[0]);
    for &[a, b] in surface.edges.iter().filter(at_home) {
        let body = surface.body[a];
        let Some(along) = (x[b] - x[a]).try_normalize(0.0) else {
            continue;
        };

        // An edge that leads straight on belongs to the part before it.
        if let Some(last) = runs.last_mut()
            && last.body == body
            && last.ends[1] == x[a]
            && cross(last.along, along).abs() < PLAY_STRAIGHT
            && last.along.dot(&along) > 0.0
        {
            last.ends[1] = x[b];
            continue;
        }
        runs.push(Run {
            body,
            ends: [x[a], x[b]],
            along,
            normal: Vec2::new(along.y, -along.x),
        });
    }

    let backs = runs.iter().filter(|run| !surface.filled[run.body]);
    let backs: Vec<Run> = backs
        .map(|run| Run {
            normal: -run.normal,
            ..*run
        })
        .collect();
    runs.extend(backs);
    runs
}

/// Distances between parts of one group that face each other: with a `side` of 1 across free space,
/// of -1 across a body.
fn facing(runs: &[Run], group: &[usize], side: f64) -> Vec<Distance> {
    // Parts by the direction of their normal, so that opposite ones are found together.
    let angle = |normal: Vec2| atan2(normal.y, normal.x);
    let mut order: Vec<usize> = (0..runs.len()).collect();
    sort_by(&mut order, |&one, &other| {
        angle(runs[one].normal).total_cmp(&angle(runs[other].normal))
    });
    let angles: Vec<f64> = order.iter().map(|&k| angle(runs[k].normal)).collect();

    let mut found = Vec::new();
    let mut pairs = 0;
    for run in runs {
        let opposite = angle(-run.normal);
        let within = |turn: f64| {
            let first = angles.partition_point(|&other| other < opposite + turn - PLAY_ANGLE);
            let end = angles.partition_point(|&other| other <= opposite + turn + PLAY_ANGLE);
            &order[first..end]
        };

        // An angle of pi is one of -pi, too.
        for &k in [-TAU, 0.0, TAU].into_iter().flat_map(within) {
            let other = &runs[k];
            pairs += 1;
            if pairs > PLAY_MOST_PAIRS {
                return found;
            }
            if group[run.body] != group[other.body] || run.body > other.body {
                continue;
            }

            // Each pair is seen from both of its parts.
            let length = side * run.normal.dot(&(other.ends[0] - run.ends[0]));
            let is_first = run.body < other.body
                || run.ends[0]
                    .x
                    .total_cmp(&other.ends[0].x)
                    .then(run.ends[0].y.total_cmp(&other.ends[0].y))
                    .is_lt();
            if length > 0.0 && is_first && overlap(run, other) {
                found.push(Distance {
                    bodies: [run.body, other.body],
                    length,
                    place: run.ends[0] + run.normal * (0.5 * side * length),
                });
            }
        }
    }
    found
}

/// True if two parts lie opposite each other along the first one.
fn overlap(run: &Run, other: &Run) -> bool {
    let at = |place: Vec2| run.along.dot(&(place - run.ends[0]));
    let [a, b] = other.ends.map(at);
    let length = at(run.ends[1]);
    a.min(b) < length && a.max(b) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairScale;

    /// Outlines with these corners (m), a body each; all can touch each other.
    fn outlines(bodies: &[&[[f64; 2]]]) -> (Surface, Vec<Vec2>) {
        let mut x = Vec::new();
        let mut owner = Vec::new();
        let mut edges = Vec::new();
        for (number, corners) in bodies.iter().enumerate() {
            let first = x.len();
            let count = corners.len();
            x.extend(corners.iter().map(|&corner| Vec2::from(corner)));
            owner.extend(vec![number; count]);
            edges.extend((0..count).map(|k| [first + k, first + (k + 1) % count]));
        }
        let surface = Surface {
            points: (0..x.len()).collect(),
            edges,
            reach: PairScale::of_bodies(vec![1e-4; bodies.len()]),
            ..Surface::new(owner, 1e-4)
        };
        (surface, x)
    }

    /// A box with these corners (m).
    fn block([x, y]: [f64; 2], [width, height]: [f64; 2]) -> [[f64; 2]; 4] {
        [
            [x, y],
            [x + width, y],
            [x + width, y + height],
            [x, y + height],
        ]
    }

    #[test]
    fn a_peg_before_a_hole_between_two_blocks_has_half_of_the_room() {
        let peg = block([-0.01, 0.5], [0.02, 0.06]);
        let walls = [[-1.0, -1.0], [0.010_002, -1.0]].map(|place| block(place, [0.99, 1.0]));
        let (surface, x) = outlines(&[&peg, &walls[0], &walls[1]]);
        let found = plays(&surface, &x, &[true, false, false], &[1, 0, 0]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].body, found[0].sides), (0, [1, 2]));
        assert!(
            (found[0].play - 0.5 * 2e-6 - 0.0).abs() < 1e-15,
            "{found:?}"
        );

        // Walls that may move against each other make no slot, nor does one that is far wider.
        assert_eq!(plays(&surface, &x, &[true, false, false], &[1, 0, 2]), []);
        let wide = [[-1.0, -1.0], [0.0105, -1.0]].map(|place| block(place, [0.99, 1.0]));
        let (surface, x) = outlines(&[&peg, &wide[0], &wide[1]]);
        assert_eq!(plays(&surface, &x, &[true, false, false], &[1, 0, 0]), []);
    }

    #[test]
    fn a_slot_in_one_outline_counts_and_its_walls_do_not() {
        let peg = block([-0.01, 0.5], [0.02, 0.06]);
        let part = [
            [-1.0, -1.0],
            [1.0, -1.0],
            [1.0, 0.0],
            [0.010_01, 0.0],
            [0.010_01, -0.5],
            [-0.010_01, -0.5],
            [-0.010_01, 0.0],
            [-1.0, 0.0],
        ];
        let (surface, x) = outlines(&[&peg, &part]);
        let found = plays(&surface, &x, &[true, true], &[0, 1]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].body, found[0].sides), (0, [1, 1]));
        assert!((found[0].play - 1e-5).abs() < 1e-15, "{found:?}");
        assert!((found[0].place.x).abs() < 1e-15);
    }
}
