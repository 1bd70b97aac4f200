//! How far a motion goes before a joint gets near one of its limits, or turns can no longer be
//! counted.
//!
//! Points and arrows of bodies with an angle move on arcs, all others on straight lines; an angle
//! is not a linear function of coordinates in general. So the change of a residual is bounded by
//! its fastest rate in the rest of the motion (Li et al. 2021, "Codimensional Incremental Potential
//! Contact", additive CCD): where the residual is `g` away from a limit and its rate is at most
//! `R`, nothing happens within `g / R`. Steps of that length approach the limit from one side and
//! never pass it.

use super::augmented_lagrangian::{Act, Acting};
use super::ends::Ends;
use super::pose::{JointFrame, RelativePose};
use super::residual::Constraint;
use super::rule::Rule;
use crate::tuning::{COUNTED_MOST_TURN, LIMIT_GAP_KEPT, LIMIT_LEAST_PART, LIMIT_MOST_ADVANCES};
use ipcsim_math::geometry::path::{RigidMotion, Sweep, Trajectory};
use ipcsim_math::{Vec2, cross};
use serde::{Deserialize, Serialize};

/// Motion of a frame with its body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ride {
    /// Point and arrow at the start (m and 1).
    start: [Vec2; 2],
    /// Their changes on straight lines.
    change: [Vec2; 2],
    /// The motion of a body with an angle; `None` where both move on straight lines.
    turn: Option<RigidMotion>,
}

impl Ride {
    /// Motion of a frame in a sweep of all vertices.
    pub(super) fn of(frame: &JointFrame, motion: &Sweep) -> Self {
        let start = [frame.place(motion.start), frame.arrow(motion.start)];
        let end = [frame.place(motion.end), frame.arrow(motion.end)];
        Self {
            start,
            change: [end[0] - start[0], end[1] - start[1]],
            turn: motion.turning(frame.vertices[0]).map(|path| path.motion),
        }
    }

    /// Point and arrow at the time `t` in `[0, 1]`.
    fn at(&self, t: f64) -> [Vec2; 2] {
        let [point, arrow] = self.start;
        match self.turn {
            Some(motion) => {
                let path = motion.carry(point - motion.center);
                [path.position(t), motion.rotation(t) * arrow]
            }
            None => [point + self.change[0] * t, arrow + self.change[1] * t],
        }
    }

    /// Upper bounds of the speed of the point (m) and of the rate of the arrow's angle (rad).
    fn rates(&self) -> [f64; 2] {
        if let Some(motion) = self.turn {
            let arm = (self.start[0] - motion.center).norm();
            let turning = motion.angle.abs();
            return [motion.translation.norm() + turning * arm, turning];
        }

        // The angle of an arrow `a` on a straight line has the rate `a x da / |a|^2`.
        let [arrow, change] = [self.start[1], self.change[1]];
        let shortest = shortest(arrow, change);
        let sweep = cross(arrow, change).abs();
        let turning = if sweep == 0.0 {
            0.0
        } else {
            sweep / (shortest * shortest)
        };
        [self.change[0].norm(), turning]
    }

    /// Part of the point's velocity that is the same in the whole motion (m).
    fn drift(&self) -> Vec2 {
        self.turn
            .map_or(self.change[0], |motion| motion.translation)
    }

    /// Speed of the point about the centre of its body (m); 0 on straight lines.
    fn swing(&self) -> f64 {
        self.turn.map_or(0.0, |motion| {
            motion.angle.abs() * (self.start[0] - motion.center).norm()
        })
    }

    /// Change of the arrow's angle over the whole motion (rad), if the body has an angle; others
    /// turn by less than half a turn.
    fn turned(&self) -> f64 {
        self.turn.map_or(0.0, |motion| motion.angle.abs())
    }
}

/// Shortest length of a vector between `a` and `a + change`.
fn shortest(a: Vec2, change: Vec2) -> f64 {
    let squared = change.norm_squared();
    let t = if squared > 0.0 {
        (-a.dot(&change) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (a + change * t).norm()
}

/// Two bodies of a row in motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Motions of the two frames.
    rides: [Ride; 2],
    /// Angles at the start (rad), over turns.
    near: [f64; 2],
}

impl Pair {
    /// Motion of two frames in a sweep, from these angles (rad).
    pub(super) fn of(frames: &[JointFrame; 2], near: [f64; 2], motion: &Sweep) -> Self {
        Self {
            rides: [0, 1].map(|side| Ride::of(&frames[side], motion)),
            near,
        }
    }

    /// Pose at the time `t` in `[0, 1]`. Angles are counted over turns.
    fn pose(&self, t: f64) -> RelativePose {
        let [first, second] = self.rides.map(|ride| ride.at(t));
        let near = [0, 1].map(|side| {
            let turn = self.rides[side].turn.map_or(0.0, |motion| motion.angle);
            self.near[side] + turn * t
        });
        RelativePose::new(first[0] - second[0], [first[1], second[1]], near)
    }

    /// Upper bound of the rate of the vector between the two points (m).
    fn line_speed(&self) -> f64 {
        let [first, second] = self.rides;
        let apart = first.drift() - second.drift();
        apart.norm() + first.swing() + second.swing()
    }

    /// First component of a residual at the time `t` in `[0, 1]`.
    pub(super) fn residual(&self, rule: Rule, t: f64) -> f64 {
        rule.residual(&self.pose(t)).x
    }

    /// Upper bound of the rate of a residual over the whole motion (m or rad).
    pub(super) fn rate(&self, rule: Rule) -> f64 {
        let [[fast, turning], [other_fast, other_turning]] = self.rides.map(|ride| ride.rates());
        let speed = fast + other_fast;
        match rule {
            Rule::Turned(_) => turning + other_turning,
            // The distance of the points is nowhere more than this.
            Rule::Along(_) => speed + turning * (self.pose(0.0).way.norm() + speed),
            _ => speed,
        }
    }
}

/// Fraction of a motion that a row allows.
pub(super) fn passage(acting: &Acting, motion: &Sweep) -> f64 {
    let counts = acting.rule.counts_turns();
    let Act::Stay(stay) = &acting.act else {
        return if counts { counted(acting, motion) } else { 1.0 };
    };
    let pair = Pair::of(&acting.ends.frames(), acting.near, motion);
    let rate = pair.rate(acting.rule);
    let first = stay.gap(pair.residual(acting.rule, 0.0));
    let kept = LIMIT_GAP_KEPT * first.min(stay.reach);

    // Each advance leaves the kept gap, as in additive CCD.
    let mut t = 0.0;
    for _ in 0..LIMIT_MOST_ADVANCES {
        let gap = stay.gap(pair.residual(acting.rule, t)) - kept;
        if gap <= kept || !rate.is_finite() {
            break;
        }
        t += gap / rate;
        if t >= 1.0 {
            t = 1.0;
            break;
        }
    }

    if counts {
        t.min(counted(acting, motion))
    } else {
        t
    }
}

/// Fraction of a motion on which no body of a row turns by more than its ends tell.
fn counted(acting: &Acting, motion: &Sweep) -> f64 {
    let pair = Pair::of(&acting.ends.frames(), acting.near, motion);
    let most = pair.rides.iter().map(Ride::turned).fold(0.0, f64::max);
    let mut fraction = 1.0_f64;
    if most > COUNTED_MOST_TURN {
        fraction = COUNTED_MOST_TURN / most;
    }

    // The line of centres turns by at most 30 degrees more.
    if matches!(acting.rule, Rule::Epicyclic(_)) {
        let length = pair.pose(0.0).way.norm();
        let speed = pair.line_speed();
        if speed > 0.5 * length {
            fraction = fraction.min(0.5 * length / speed);
        }
    }
    fraction
}

/// True if it is proved that a residual stays between two limits on a motion, where the bodies have
/// turned by these angles (rad) at its start.
///
/// The motion is halved until its middle and the fastest rate show that no part of it reaches a
/// limit. Shares no decision with the bound of a step, which goes from one end to the other.
pub fn keeps(row: &Held, near: [f64; 2], range: [f64; 2], motion: &Sweep) -> bool {
    let pair = Pair::of(&row.frames, near, motion);
    let rate = pair.rate(row.rule);
    if !rate.is_finite() {
        return false;
    }

    let mut parts = vec![[0.0, 1.0]];
    while let Some([from, until]) = parts.pop() {
        let half = 0.5 * (until - from);
        let middle = from + half;
        let residual = pair.residual(row.rule, middle);
        let gap = (residual - range[0]).min(range[1] - residual);

        // Within the part the residual cannot use up the gap at its middle.
        if gap > rate * half {
            continue;
        }

        if gap <= 0.0 || half < LIMIT_LEAST_PART {
            return false;
        }
        parts.extend([[from, middle], [middle, until]]);
    }
    true
}

/// Angles by which both bodies have turned after a motion (rad), over turns, from those at its
/// start.
pub fn turned_after(row: &Held, near: [f64; 2], motion: &Sweep) -> [f64; 2] {
    row.rule
        .counted(&Pair::of(&row.frames, near, motion).pose(1.0))
}

/// Data of a row for proofs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// The residual.
    pub rule: Rule,
    /// Frames of the two bodies.
    pub frames: [JointFrame; 2],
}

impl Held {
    /// Residual where all vertices are at `x` (m), for angles near these (rad).
    pub fn residual(&self, x: &[Vec2], near: [f64; 2]) -> Vec2 {
        let ends = Ends::of(&self.frames);
        let pose = ends.pose(&ends.vertices.map(|i| x[i]), near);
        self.rule.residual(&pose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::augmented_lagrangian::Stay;
    use crate::constraint::{Along, Turned};
    use ipcsim_math::geometry::path::Turn;
    use nalgebra::Rotation2;

    /// Two vertices of a body that turns about the origin from one angle to another (rad), and two
    /// of one that stays.
    fn places(angle: f64) -> [Vec2; 4] {
        let arm = Rotation2::new(angle) * Vec2::x();
        [Vec2::zeros(), arm, Vec2::x(), Vec2::new(2.0, 0.0)]
    }

    /// Frames of both, with points at the origin and at (1, 0), where the first has not turned.
    fn frames() -> [JointFrame; 2] {
        let x = places(0.0);
        [
            JointFrame::turning([0, 1], [x[0], x[1]], x[0], Vec2::x()),
            JointFrame::turning([2, 3], [x[2], x[3]], x[2], Vec2::x()),
        ]
    }

    /// Calls a function with the motion from one angle to another (rad).
    fn turning<T>(from: f64, to: f64, f: impl Fn(&Sweep) -> T) -> T {
        let turns = [Some(Turn::from(RigidMotion {
            center: Vec2::zeros(),
            translation: Vec2::zeros(),
            angle: to - from,
        }))];
        f(&Sweep {
            start: &places(from),
            end: &places(to),
            turn_of: &[1, 1, 0, 0],
            turns: &turns,
        })
    }

    /// A row of a rule between limits.
    fn limited(rule: Rule, range: [f64; 2], near: [f64; 2]) -> Acting {
        Acting {
            rule,
            ends: Ends::of(&frames()),
            near,
            act: Act::Stay(Stay {
                range,
                reach: 0.05,
                stiffness: 1.0,
            }),
        }
    }

    #[test]
    fn a_limit_that_is_passed_on_the_way_alone_bounds_the_motion() {
        // The distance along the line is cos(a), from 0.54 through 1 to 0.54.
        let row = limited(Rule::Along(Along), [-0.8, 0.8], [-1.0, 0.0]);
        let fraction = turning(-1.0, 1.0, |motion| passage(&row, motion));
        let reached = 0.5 * (1.0 - 0.8_f64.acos());
        assert!(
            0.5 * reached < fraction && fraction < reached,
            "{fraction} {reached}"
        );

        let held = Held {
            rule: row.rule,
            frames: frames(),
        };
        let proved = |limit: f64| {
            turning(-1.0, 1.0, |motion| {
                keeps(&held, [-1.0, 0.0], [-limit, limit], motion)
            })
        };
        assert!(!proved(0.8) && !proved(0.999_999) && proved(1.000_001));
    }

    #[test]
    fn limits_of_angles_count_turns_on_the_way() {
        // Three turns and a half towards a limit at three turns.
        let turns = |count: f64| count * std::f64::consts::TAU;
        let row = limited(Rule::Turned(Turned), [-turns(3.0), 1.0], [0.0; 2]);
        let fraction = turning(0.0, turns(3.5), |motion| passage(&row, motion));
        assert!(fraction * turns(3.5) <= COUNTED_MOST_TURN.min(turns(3.0)));

        let held = Held {
            rule: row.rule,
            frames: frames(),
        };
        turning(0.0, turns(3.5), |motion| {
            assert!(keeps(&held, [0.0; 2], [-turns(3.6), 1.0], motion));
            assert!(!keeps(&held, [0.0; 2], [-turns(3.4), 1.0], motion));
            let after = turned_after(&held, [0.0; 2], motion);
            assert!((after[0] - turns(3.5)).abs() < 1e-12 && after[1] == 0.0);
        });
    }

    #[test]
    fn a_rotating_pair_stops_just_before_the_angle_of_its_limit() {
        let kept = LIMIT_GAP_KEPT * 0.05;
        for limit in [0.3, 1.0, 1.5] {
            // The first body turns forwards, so the second turns backwards against it.
            let row = limited(Rule::Turned(Turned), [-limit, 9.0], [0.0; 2]);
            let fraction = turning(0.0, 1.6, |motion| passage(&row, motion));
            let left = limit - 1.6 * fraction;
            assert!(0.99 * kept < left && left < 2.01 * kept, "{limit}: {left}");
        }
        let row = limited(Rule::Turned(Turned), [-1.7, 9.0], [0.0; 2]);
        assert_eq!(turning(0.0, 1.6, |motion| passage(&row, motion)), 1.0);
    }

    #[test]
    fn a_sliding_pair_stops_just_before_the_way_of_its_limit() {
        let kept = LIMIT_GAP_KEPT * 0.05;
        let start = places(0.0);
        let shift = Vec2::new(1.0, 0.0);
        let end = [start[0], start[1], start[2] + shift, start[3] + shift];
        let motion = Sweep {
            start: &start,
            end: &end,
            turn_of: &[],
            turns: &[],
        };
        // The distance along the line grows from 1 m to 2 m.
        for limit in [1.1, 1.6, 1.95] {
            let row = limited(Rule::Along(Along), [-9.0, limit], [0.0; 2]);
            let left = limit - (1.0 + passage(&row, &motion));
            assert!(0.99 * kept < left && left < 2.01 * kept, "{limit}: {left}");
        }
        let row = limited(Rule::Along(Along), [-9.0, 2.1], [0.0; 2]);
        assert_eq!(passage(&row, &motion), 1.0);
    }

    #[test]
    fn limits_are_proved_to_be_kept_where_no_place_on_the_way_is_beyond() {
        let held = Held {
            rule: Rule::Along(Along),
            frames: frames(),
        };
        for (from, to) in [(-1.0, 1.0), (0.2, 1.9), (-3.0, -0.5), (2.0, 2.5)] {
            // Residuals at many times of the motion.
            let near = [from, 0.0];
            let ways = (0..=2000).map(|k| {
                let angle = from + (to - from) * f64::from(k) / 2000.0;
                held.residual(&places(angle), [angle, 0.0]).x
            });
            let [least, most] = ways.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], way| {
                [a.min(way), b.max(way)]
            });
            let proved = |range| turning(from, to, |motion| keeps(&held, near, range, motion));
            assert!(proved([least - 1e-3, most + 1e-3]), "{from} {to}");
            assert!(!proved([least + 1e-3, most + 1e-3]), "{from} {to}");
            assert!(!proved([least - 1e-3, most - 1e-3]), "{from} {to}");
        }
    }
}
