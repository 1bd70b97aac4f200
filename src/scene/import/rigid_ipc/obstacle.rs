//! Static and kinematic bodies as obstacles.

use super::format::Kind;
use super::placed::Placed;
use crate::math::Vec2;
use crate::scene::schema::{self, Interpolation, Keyframe, Obstacle, Script, Time};

impl Placed {
    /// Scene obstacle for a static or kinematic body. A kinematic body rotates about its centre of mass,
    /// which becomes the shape's origin.
    pub(super) fn obstacle(&self, time: Time, group: Option<String>) -> Obstacle {
        let moves = self.kind == Kind::Kinematic;
        let origin = if moves { self.centre() } else { Vec2::zeros() };
        let position = if moves {
            self.world(origin)
        } else {
            self.position
        };
        let keyframes = if moves {
            self.keyframes(position, time)
        } else {
            Vec::new()
        };

        let steady = moves && keyframes.is_empty();
        Obstacle {
            name: self.name(),
            shape: self.shape(origin),
            position: position.into(),
            rotation_deg: self.rotation_deg,
            velocity: if steady {
                self.velocity.into()
            } else {
                [0.0, 0.0]
            },
            travel: None,
            spin_deg: if steady { self.spin_deg } else { 0.0 },
            keyframes,
            interpolation: Interpolation::Linear,
            group,
        }
    }

    /// Scene body for a static or kinematic body, held or with a script.
    pub(super) fn held(&self, material: String, time: Time, group: Option<String>) -> schema::Body {
        if self.kind == Kind::Static {
            return self.body(material, group);
        }

        let Obstacle {
            shape,
            position,
            velocity,
            spin_deg,
            keyframes,
            group,
            ..
        } = self.obstacle(time, group);

        let script = Script {
            velocity,
            spin_deg,
            keyframes,
            ..Script::default()
        };
        schema::Body {
            shape,
            position,
            fixed: Vec::new(),
            script: Some(script),
            ..self.body(material, group)
        }
    }

    /// Keyframes after each step, from `start` (m), of a body that has poses or stops during the run.
    ///
    /// As in rigid-ipc the body takes one pose in each step, moves with its velocity after the last one,
    /// and stops at the first step that begins after `max_time`.
    fn keyframes(&self, start: Vec2, time: Time) -> Vec<Keyframe> {
        let moves = steps_begun(self.max_time, time);
        if self.poses.is_empty() && moves == time.steps {
            return Vec::new();
        }

        let frame = |step: usize, position: Vec2, turn_deg: f64| Keyframe {
            time: step as f64 * time.step,
            position: [
                if self.fixed[0] { start.x } else { position.x },
                if self.fixed[1] { start.y } else { position.y },
            ],
            rotation_deg: self.rotation_deg + if self.fixed[2] { 0.0 } else { turn_deg },
        };

        // Poses of the file.
        let poses = &self.poses[..self.poses.len().min(moves)];
        let mut frames: Vec<Keyframe> = poses
            .iter()
            .zip(1..)
            .map(|((x, turn), step)| frame(step, *x, *turn))
            .collect();

        // Then constant velocity.
        if moves > poses.len() {
            let (x, turn) = poses.last().copied().unwrap_or((start, 0.0));
            let rest = (moves - poses.len()) as f64 * time.step;
            frames.push(frame(
                moves,
                x + rest * self.velocity,
                turn + rest * self.spin_deg,
            ));
        }
        frames
    }
}

/// Number of steps that begin not later than `end` (s).
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; the cast saturates"
)]
fn steps_begun(end: f64, time: Time) -> usize {
    ((end / time.step).floor() as usize)
        .saturating_add(1)
        .min(time.steps)
}
