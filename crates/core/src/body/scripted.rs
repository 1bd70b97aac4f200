//! Scripted motion: coordinates that are prescribed as functions of time.
//!
//! A [`ScriptedMotion`] gives the [`Pose`] of an object at any time, either by constant velocities
//! or by keyframes. Obstacles, and vertices or bodies that a scene holds or drives, consist of
//! [`Prescribed`] nodes, whose coordinates follow from the pose by their [`Role`].

use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// Pose of an object relative to its pose at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Displacement of the origin (m).
    pub displacement: Vec2,
    /// Rotation about the origin, counter-clockwise (rad).
    pub angle: f64,
}

/// Motion that is prescribed as a function of time.
///
/// Without keyframes the pose at time `t` is `velocity t` and `spin t`, and the displacement stops
/// after the distance `travel`. With keyframes the pose is interpolated between them. It leaves the
/// pose at the start at `t = 0`, and stays at the last keyframe.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptedMotion {
    /// Velocity of the origin (m/s).
    pub velocity: Vec2,
    /// Distance after which the displacement stops (m); infinite if it never stops.
    pub travel: f64,
    /// Angular velocity (rad/s), counter-clockwise.
    pub spin: f64,
    /// Ascending times (s) with poses, which replace velocity, travel and spin. Empty for motion at
    /// constant velocity.
    pub keyframes: Vec<(f64, Pose)>,
    /// True if motion between keyframes starts and ends at rest (smoothstep).
    pub smooth: bool,
    /// Time at which the script ends (s). Later nothing is prescribed.
    pub until: f64,
}

impl ScriptedMotion {
    /// A motion that never leaves the pose at the start.
    pub const REST: Self = Self {
        velocity: Vec2::new(0.0, 0.0),
        travel: f64::INFINITY,
        spin: 0.0,
        keyframes: Vec::new(),
        smooth: false,
        until: f64::INFINITY,
    };

    /// True if the object never leaves its pose at the start.
    pub fn is_rest(&self) -> bool {
        self.velocity == Vec2::zeros()
            && self.spin == 0.0
            && self
                .keyframes
                .iter()
                .all(|(_, pose)| *pose == Pose::default())
    }

    /// Largest speed of the origin (m/s), and largest angular speed (rad/s).
    ///
    /// Between keyframes the average speed counts; smooth motion is faster in between.
    pub fn fastest(&self) -> [f64; 2] {
        let mut fastest = [self.velocity.norm(), self.spin.abs()];
        let mut before = (0.0, Pose::default());

        // Intervals between keyframes, the first one from the pose at the start.
        for &(time, pose) in self.keyframes.iter().filter(|(time, _)| *time > 0.0) {
            let (start, from) = before;
            let duration = time - start;
            let distance = (pose.displacement - from.displacement).norm();
            let angle = (pose.angle - from.angle).abs();
            fastest = [
                fastest[0].max(distance / duration),
                fastest[1].max(angle / duration),
            ];
            before = (time, pose);
        }
        fastest
    }

    /// True if the angle changes at some time.
    pub fn turns(&self) -> bool {
        self.spin != 0.0 && self.keyframes.is_empty()
            || self.keyframes.iter().any(|(_, pose)| pose.angle != 0.0)
    }

    /// Pose at time `t` (s). Between two keyframes the fraction `s` of the change is linear in
    /// time, or `s^2 (3 - 2 s)` if the motion is smooth.
    pub fn pose(&self, t: f64) -> Pose {
        // Constant velocity, until the object has travelled far enough.
        if self.keyframes.is_empty() {
            let speed = self.velocity.norm();
            let stops = speed * t > self.travel;
            let moving_time = if stops { self.travel / speed } else { t };
            return Pose {
                displacement: self.velocity * moving_time,
                angle: self.spin * t,
            };
        }

        // The keyframes before and after `t`. The pose at the start counts as one at 0.
        let next = self.keyframes.partition_point(|(time, _)| *time <= t);
        let (t0, from) = next
            .checked_sub(1)
            .map_or((0.0, Pose::default()), |last| self.keyframes[last]);
        let Some(&(t1, to)) = self.keyframes.get(next) else {
            return from;
        };

        let s = (t - t0) / (t1 - t0);
        let s = if self.smooth {
            s * s * (3.0 - 2.0 * s)
        } else {
            s
        };
        Pose {
            displacement: from.displacement + (to.displacement - from.displacement) * s,
            angle: from.angle + (to.angle - from.angle) * s,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_motion_stops_where_it_should() {
        let motion = ScriptedMotion {
            velocity: Vec2::new(0.0, -0.5),
            travel: 0.97,
            ..ScriptedMotion::REST
        };

        assert_eq!(motion.pose(1.0).displacement, Vec2::new(0.0, -0.5));
        assert_eq!(motion.pose(1.95).displacement, Vec2::new(0.0, -0.97));
        assert_eq!(ScriptedMotion::REST.pose(1e9), Pose::default());
    }

    #[test]
    fn keyframes_are_reached_and_left_as_asked() {
        let at = |x: f64, angle: f64| Pose {
            displacement: Vec2::new(x, 0.0),
            angle,
        };
        let keyframes = vec![(1.0, at(2.0, PI)), (3.0, at(-2.0, 3.0 * PI))];

        for smooth in [false, true] {
            let motion = ScriptedMotion {
                keyframes: keyframes.clone(),
                smooth,
                ..ScriptedMotion::REST
            };

            assert_eq!(motion.pose(0.0), Pose::default());
            assert_eq!(motion.pose(1.0), at(2.0, PI));
            assert_eq!(motion.pose(2.0), at(0.0, 2.0 * PI));
            assert_eq!(motion.pose(3.0), at(-2.0, 3.0 * PI));
            assert_eq!(motion.pose(1e3), at(-2.0, 3.0 * PI));

            assert_eq!(motion.fastest(), [2.0, PI]);
            let quarter = if smooth { 0.15625 } else { 0.25 };
            assert!((motion.pose(0.25).displacement.x - 2.0 * quarter).abs() < 1e-15);
        }
    }
}
