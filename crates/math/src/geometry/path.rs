//! Path of a point over a step, `t` in `[0, 1]`, and its distance from its chord.
//!
//! A curved path is made piecewise linear (Ferguson et al. 2021, "Intersection-free Rigid Body
//! Dynamics", section on nonlinear CCD). A piece `[t0, t1]` is replaced by the motion along its
//! chord, `l(t) = x(t0) + (t - t0) / (t1 - t0) (x(t1) - x(t0))`. The error is therefore the
//! distance at equal times, `|x(t) - l(t)|`. The smaller distance between curve and chord as sets
//! of points does not suffice: a second point may be near `l(t)` at one instant and far from the
//! rest of the chord.
//!
//! # A uniform turn
//!
//! With the arm `r`, half the turn `a = |dtheta| / 2 <= pi`, the angle `phi` in `[-a, a]` from the
//! middle of the arc, and `S = sin(a) / a`, the squared distance at equal times over `r^2` is
//!
//! `f(phi) = (cos phi - cos a)^2 + (sin phi - S phi)^2`.
//!
//! Its derivative is `f' / (2 phi) = (sin phi / phi) (cos a - S) - S (cos phi - S)`. For
//! `0 < phi <= a` we have `sin phi / phi >= S >= 0`, `cos a <= S` and `cos phi >= cos a`, so
//! `f' / (2 phi) <= S (cos a - cos phi) <= 0`: the largest distance is in the middle, and it is
//! exactly `r (1 - cos a)`. Beyond a full turn both points are in the disk of radius `r`, whose
//! diameter `2 r` bounds the distance and is nearly reached.

use crate::Vec2;
use crate::elementary::{rotation, sin};
use nalgebra::Rotation2;
use std::f64::consts::TAU;

/// Position of a point at every time of a step.
///
/// The crate `ipcsim-contact` finds the time of impact of such points, and has an example.
pub trait Trajectory {
    /// Position (m) at `t` in `[0, 1]`; continuous.
    fn position(&self, t: f64) -> Vec2;

    /// Upper bound (m) of the distance between the point and its image on the chord at equal times,
    /// `max |x(t) - l(t)|` over `t0 <= t <= t1`. It must go to 0 with `t1 - t0`; the faster it
    /// does, the fewer pieces are needed.
    fn chord_deviation(&self, t0: f64, t1: f64) -> f64;
}

/// Motion along a straight line at constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Straight {
    /// Position at `t = 0` (m).
    pub start: Vec2,
    /// Position at `t = 1` (m).
    pub end: Vec2,
}

impl Straight {
    /// Path of a point that rests at a position (m).
    #[inline]
    pub fn still(at: Vec2) -> Self {
        Self { start: at, end: at }
    }
}

impl Trajectory for Straight {
    /// Position `start + t (end - start)`.
    #[inline]
    fn position(&self, t: f64) -> Vec2 {
        self.start + (self.end - self.start) * t
    }

    /// A straight path is its own chord.
    #[inline]
    fn chord_deviation(&self, _t0: f64, _t1: f64) -> f64 {
        0.0
    }
}

/// Motion of a rigid body over a step: the centre moves on a straight line, the angle grows
/// linearly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// Centre of mass at `t = 0` (m).
    pub center: Vec2,
    /// Displacement of the centre over the step (m).
    pub translation: Vec2,
    /// Turn over the step (rad), counter-clockwise positive; any number of full turns.
    pub angle: f64,
}

impl RigidMotion {
    /// Path of the point of the body that is at `center + arm` (m) at `t = 0`.
    #[inline]
    pub fn carry(self, arm: Vec2) -> RigidPath {
        RigidPath { motion: self, arm }
    }

    /// Rotation of the body at time `t`, from its orientation at `t = 0`.
    #[inline]
    pub fn rotation(&self, t: f64) -> Rotation2<f64> {
        rotation(self.angle * t)
    }
}

/// Path of a point of a rigid body, `x(t) = center + t translation + R(t angle) arm`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidPath {
    /// Motion of the body.
    pub motion: RigidMotion,
    /// Position relative to the centre at `t = 0` (m).
    pub arm: Vec2,
}

impl Trajectory for RigidPath {
    /// Position `center + t translation + R(t angle) arm`.
    #[inline]
    fn position(&self, t: f64) -> Vec2 {
        self.motion.center + self.motion.translation * t + self.motion.rotation(t) * self.arm
    }

    /// Largest distance `r (1 - cos(|dtheta| / 2)) = 2 r sin^2(dtheta / 4)`; the second form does
    /// not cancel. It is `2 r` beyond a full turn. The translation is its own chord and adds
    /// nothing.
    #[inline]
    fn chord_deviation(&self, t0: f64, t1: f64) -> f64 {
        let sine = sine_of_quarter(self.motion.angle * (t1 - t0));
        2.0 * self.arm.norm() * sine * sine
    }
}

/// Sine of a quarter of a turn (rad) up to a full one, else 1: twice its square is the deviation of
/// a point from its chord, relative to its arm.
#[inline]
fn sine_of_quarter(turn: f64) -> f64 {
    if turn.abs() < TAU {
        sin(0.25 * turn)
    } else {
        1.0
    }
}

/// Paths of all vertices over a step: straight, or paths of points of a turning body.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// Positions at `t = 0` (m), `[vertices]`.
    pub start: &'a [Vec2],
    /// Positions at `t = 1` (m), `[vertices]`.
    pub end: &'a [Vec2],
    /// For each vertex 0 if its path is straight, otherwise one more than the index of its body in
    /// `turns`. Empty if all paths are straight.
    pub turn_of: &'a [u32],
    /// Motion of each body, `[bodies]`; `None` if it does not turn.
    pub turns: &'a [Option<Turn>],
}

/// Motion of a body that turns, with numbers that serve all points of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Translation and rotation over the step.
    pub motion: RigidMotion,
    /// Rotation over the whole step.
    rotation: Rotation2<f64>,
    /// Sine of a quarter of the angle; 1 beyond a full turn.
    sine: f64,
    /// Largest distance (1) of a point from its chord at equal times, relative to its arm.
    bend: f64,
}

impl From<RigidMotion> for Turn {
    fn from(motion: RigidMotion) -> Self {
        Self {
            motion,
            rotation: motion.rotation(1.0),
            sine: sine_of_quarter(motion.angle),
            bend: motion.carry(Vec2::x()).chord_deviation(0.0, 1.0),
        }
    }
}

impl<'a> Sweep<'a> {
    /// Straight paths from `start` to `end` for all vertices.
    #[inline]
    pub fn straight(start: &'a [Vec2], end: &'a [Vec2]) -> Self {
        Self {
            start,
            end,
            turn_of: &[],
            turns: &[],
        }
    }

    /// Path of `vertex` if it is not straight; `None` if it is.
    #[inline]
    pub fn turning(&self, vertex: usize) -> Option<RigidPath> {
        let Turn { motion, .. } = self.turn(vertex)?;
        Some(self.carried(*motion, vertex))
    }

    /// Path of a vertex of a body that moves so.
    #[inline]
    fn carried(&self, motion: RigidMotion, vertex: usize) -> RigidPath {
        motion.carry(self.start[vertex] - motion.center)
    }

    /// Motion of the body that turns `vertex`; `None` if the path of the vertex is straight.
    #[inline]
    fn turn(&self, vertex: usize) -> Option<&Turn> {
        // 0 stands for a straight path.
        let turn = (*self.turn_of.get(vertex)? as usize).checked_sub(1)?;

        self.turns
            .get(turn)?
            .as_ref()
            .filter(|turn| turn.bend != 0.0)
    }

    /// Path of `vertex` over the step, straight or on an arc.
    #[inline]
    pub fn path(&self, vertex: usize) -> VertexPath {
        match self.turn(vertex) {
            Some(&turn) => VertexPath::Turning(WholeTurn {
                path: self.carried(turn.motion, vertex),
                rotation: turn.rotation,
                sine: turn.sine,
            }),
            None => VertexPath::Straight(Straight {
                start: self.start[vertex],
                end: self.end[vertex],
            }),
        }
    }

    /// Largest distance of `vertex` from its chord at equal times (m); 0 on a straight path.
    #[inline]
    pub fn deviation(&self, vertex: usize) -> f64 {
        self.turn(vertex).map_or(0.0, |turn| {
            turn.bend * (self.start[vertex] - turn.motion.center).norm()
        })
    }
}

/// Path of one vertex over a step, straight or on an arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VertexPath {
    /// Path of a free vertex, or of a body that does not turn.
    Straight(Straight),
    /// Path of a point of a turning body.
    Turning(WholeTurn),
}

/// Path of a point of a turning body, with the numbers of its body for the whole step. Most pairs
/// are decided there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WholeTurn {
    /// The path.
    path: RigidPath,
    /// Rotation of the body over the step.
    rotation: Rotation2<f64>,
    /// Sine of a quarter of the angle; 1 beyond a full turn.
    sine: f64,
}

impl Trajectory for WholeTurn {
    /// Position of the path, with the same bits.
    #[inline]
    fn position(&self, t: f64) -> Vec2 {
        let RigidPath { motion, arm } = self.path;
        if t <= 0.0 {
            motion.center + arm
        } else if t >= 1.0 {
            motion.center + motion.translation + self.rotation * arm
        } else {
            self.path.position(t)
        }
    }

    /// Deviation of the path, with the same bits.
    #[inline]
    fn chord_deviation(&self, t0: f64, t1: f64) -> f64 {
        if t1 - t0 >= 1.0 {
            2.0 * self.path.arm.norm() * self.sine * self.sine
        } else {
            self.path.chord_deviation(t0, t1)
        }
    }
}

impl VertexPath {
    /// Upper bound of the speed (m per unit of `t`).
    #[inline]
    pub fn speed(&self) -> f64 {
        match self {
            Self::Straight(path) => (path.end - path.start).norm(),
            Self::Turning(turn) => {
                let RigidPath { motion, arm } = turn.path;
                motion.translation.norm() + motion.angle.abs() * arm.norm()
            }
        }
    }
}

impl Trajectory for VertexPath {
    #[inline]
    fn position(&self, t: f64) -> Vec2 {
        match self {
            Self::Straight(path) => path.position(t),
            Self::Turning(path) => path.position(t),
        }
    }

    #[inline]
    fn chord_deviation(&self, t0: f64, t1: f64) -> f64 {
        match self {
            Self::Straight(_) => 0.0,
            Self::Turning(path) => path.chord_deviation(t0, t1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Largest distance (m) at equal times among many samples.
    fn sampled_deviation(path: &dyn Trajectory, t0: f64, t1: f64) -> f64 {
        let x0 = path.position(t0);
        let x1 = path.position(t1);
        let mut largest = 0.0;
        for k in 0..=2000 {
            let s = f64::from(k) / 2000.0;
            let along = path.position(t0 + s * (t1 - t0)) - (x0 + (x1 - x0) * s);
            largest = along.norm().max(largest);
        }
        largest
    }

    /// A point at a distance of 1 m from the centre of a body that turns.
    fn turning(angle: f64) -> RigidPath {
        let motion = RigidMotion {
            center: Vec2::new(0.3, -0.2),
            translation: Vec2::new(2.0, 1.0),
            angle,
        };
        motion.carry(Vec2::new(0.6, -0.8))
    }

    proptest! {
        #[test]
        fn the_deviation_of_a_turn_is_attained_up_to_a_full_turn(
            angle in -TAU..TAU, t0 in 0.0..0.5, dt in 0.1..0.5
        ) {
            let path = turning(angle / dt);
            let bound = path.chord_deviation(t0, t0 + dt);
            let sampled = sampled_deviation(&path, t0, t0 + dt);
            prop_assert!((bound - sampled).abs() < 1e-12, "{} {}", bound, sampled);
        }

        #[test]
        fn the_deviation_of_many_turns_is_below_the_diameter(
            angle in 6.2_f64..600.0, negative in any::<bool>()
        ) {
            let path = turning(if negative { -angle } else { angle });
            let bound = path.chord_deviation(0.0, 1.0);
            let sampled = sampled_deviation(&path, 0.0, 1.0);
            prop_assert!(sampled <= bound + 1e-12 && bound <= 2.0, "{} {}", bound, sampled);
        }

        #[test]
        fn a_path_of_a_sweep_has_the_bits_of_the_path_alone(
            angle in -20.0..20.0, t in 0.0..1.0, arm in -1.0..1.0
        ) {
            let motion = RigidMotion {
                angle,
                ..turning(0.0).motion
            };
            let start = [motion.center + Vec2::new(arm, 0.7)];
            let sweep = Sweep {
                start: &start,
                end: &start,
                turn_of: &[1],
                turns: &[Some(motion.into())],
            };
            let (path, alone) = (sweep.path(0), sweep.turning(0).unwrap());
            for t in [0.0, t, 1.0] {
                prop_assert_eq!(path.position(t), alone.position(t));
                prop_assert_eq!(path.chord_deviation(0.0, t), alone.chord_deviation(0.0, t));
            }
        }
    }

    #[test]
    fn the_deviation_of_a_tiny_turn_keeps_its_digits() {
        let bound = turning(1e-9).chord_deviation(0.0, 1.0);
        assert!((bound / 1.25e-19 - 1.0).abs() < 1e-12, "{bound}");
    }
}
