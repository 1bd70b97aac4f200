//! Static and kinematic bodies as obstacles.
//!
//! A static body is an obstacle at rest. A kinematic body moves by a list of poses, one per time
//! step, then with a constant velocity, and stops after a time. All of this becomes keyframes at
//! the ends of steps, unless a constant velocity for the whole run says it in fewer words.
//! Coordinates that the file fixes keep their values of the start.

use super::format::Kind;
use super::numbers::whole;
use super::placed::Placed;
use ipcsim_math::Vec2;
use ipcsim_scene::schema::{self, Keyframe, Obstacle, Time};

impl Placed {
    /// Scene obstacle for a static or kinematic body.
    ///
    /// A kinematic body rotates about its centre of mass, which becomes the shape's origin.
    pub(super) fn obstacle(&self, time: &Time, group: Option<String>) -> Obstacle {
        let is_static = self.kind != Kind::Kinematic;
        let origin = if is_static {
            Vec2::zeros()
        } else {
            self.centre()
        };
        let mut obstacle = Obstacle {
            rotation_deg: self.rotation_deg,
            group,
            ..Obstacle::new(self.name(), self.shape(origin))
        };

        if is_static {
            obstacle.position = self.position.into();
            return obstacle;
        }

        // Keyframes, or a velocity for the whole run.
        let start = self.world(origin);
        obstacle.position = start.into();
        obstacle.keyframes = self.keyframes(start, time);
        if obstacle.keyframes.is_empty() {
            obstacle.velocity = self.velocity.into();
            obstacle.spin_deg = self.spin_deg;
        }
        obstacle
    }

    /// Scene body for a static or kinematic body, held or with a script.
    ///
    /// It is for scenes without a dynamic body, since a scene must have a body.
    pub(super) fn held(
        &self,
        material: String,
        time: &Time,
        group: Option<String>,
    ) -> schema::Body {
        if self.kind == Kind::Static {
            return self.body(material, group);
        }

        // A script holds all coordinates, so that none is fixed besides.
        let obstacle = self.obstacle(time, group);
        let script = obstacle.script();
        schema::Body {
            shape: obstacle.shape,
            position: obstacle.position,
            fixed: Vec::new(),
            script: Some(script),
            ..self.body(material, obstacle.group)
        }
    }

    /// Keyframes after each step, from `start` (m), of a body that has poses or stops during the
    /// run.
    ///
    /// As in rigid-ipc the body takes one pose in each step, moves with its velocity after the last
    /// one, and stops at the first step that begins after `max_time`. Empty if the body has no
    /// poses and never stops.
    fn keyframes(&self, start: Vec2, time: &Time) -> Vec<Keyframe> {
        let moves = steps_begun(self.max_time, time);
        if self.poses.is_empty() && moves == time.steps {
            return Vec::new();
        }

        // Poses of the file.
        let poses = &self.poses[..self.poses.len().min(moves)];
        let mut frames = Vec::with_capacity(poses.len() + 1);
        for (&(x, turn), step) in poses.iter().zip(1_usize..) {
            let time = step as f64 * time.step;
            frames.push(self.keyframe(time, start, x, turn));
        }

        // Then constant velocity.
        if moves > poses.len() {
            let (x, turn) = poses.last().copied().unwrap_or((start, 0.0));
            let rest = (moves - poses.len()) as f64 * time.step;
            let x = x + rest * self.velocity;
            let turn = turn + rest * self.spin_deg;
            frames.push(self.keyframe(moves as f64 * time.step, start, x, turn));
        }
        frames
    }

    /// Keyframe at `time` (s) at `position` (m), turned by `turn_deg` (degrees) since the start.
    ///
    /// Fixed coordinates are those of the start instead.
    fn keyframe(&self, time: f64, start: Vec2, position: Vec2, turn_deg: f64) -> Keyframe {
        let [x_is_fixed, y_is_fixed, angle_is_fixed] = self.fixed;
        Keyframe {
            time,
            position: [
                if x_is_fixed { start.x } else { position.x },
                if y_is_fixed { start.y } else { position.y },
            ],
            rotation_deg: self.rotation_deg + if angle_is_fixed { 0.0 } else { turn_deg },
        }
    }
}

/// Number of steps that begin not later than `end` (s), at most all of them.
fn steps_begun(end: f64, time: &Time) -> usize {
    whole((end / time.step).floor())
        .saturating_add(1)
        .min(time.steps)
}
