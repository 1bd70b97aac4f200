//! Nodes whose motion is prescribed: by a script, or by formulas, and in a window of time.
//!
//! A node is prescribed at the end of a stage or not at all, so that the set of unknowns may change
//! from stage to stage. A node that is let go moves on with its velocity. One that is taken later
//! moves with its script from where it is, which depends only on the state and the time: a resumed
//! run needs nothing else.

use super::{Pose, ScriptedMotion};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::rotation;
use ipcsim_math::varying::Varying;
use std::sync::Arc;

/// Role of a prescribed node: what its coordinates mean for the moving object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    /// A free vertex, or a component that is held: it moves with the origin.
    Point,
    /// The centre of a rigid body, at this place relative to the motion's origin at the start (m).
    Center(Vec2),
    /// The angle of a rigid body.
    Angle,
}

/// A node whose motion is prescribed.
#[derive(Clone, Debug, PartialEq)]
pub struct Prescribed {
    /// Number of the node.
    pub node: usize,
    /// Role of the node.
    pub role: Role,
    /// Coordinates of the node at the start.
    pub start: Vec2,
    /// True for each component that is prescribed; the other one is free.
    pub axes: [bool; 2],
    /// Motion of the object that the node belongs to.
    pub motion: ScriptedMotion,
    /// Displacement of a vertex that formulas or tables give, instead of a motion.
    pub displacement: Option<Arc<Displacement>>,
    /// Time from which the node is prescribed (s): 0, or later for a node that is free before and
    /// is taken along from where it then is.
    pub from: f64,
    /// Number of the entry that selects the node, among the selections of its body; 0 where a body
    /// has none.
    pub selection: usize,
}

/// Displacement of vertices by formulas or tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Displacement {
    /// Displacement (m) along x and y, as functions of the place at the start and of time.
    pub along: [Varying; 2],
    /// Largest speed by tables (m/s); formulas do not count.
    pub fastest: f64,
}

impl Displacement {
    /// Displacement (m) of a vertex that starts at a place (m), at the time `t` (s).
    pub fn at(&self, place: Vec2, t: f64) -> Vec2 {
        let [x, y] = &self.along;
        Vec2::new(x.at(place, t), y.at(place, t))
    }
}

impl Prescribed {
    /// Number in place of [`Prescribed::selection`] for vertices on the axis of a body of revolution.
    pub const ON_AXIS: usize = usize::MAX;
    /// Number in place of [`Prescribed::selection`] for the periods of a scene that repeats, and for the
    /// vertex that says where its pattern is.
    pub const OF_CELL: usize = usize::MAX - 1;

    /// True if the node is prescribed at the time `t` (s), which is the end of a stage: after the
    /// start of its window, and up to its end.
    pub fn is_active(&self, t: f64) -> bool {
        (self.from <= 0.0 || t > self.from) && t <= self.motion.until
    }

    /// Prescribed coordinates at time `t` (s); `None` outside of its window, and for a node that is
    /// taken along from where it is.
    pub fn target(&self, t: f64) -> Option<Vec2> {
        self.target_beside(t, Pose::default())
    }

    /// [`target`](Self::target), with a pose that is set in addition to the script.
    fn target_beside(&self, t: f64, shift: Pose) -> Option<Vec2> {
        (self.is_active(t) && self.from <= 0.0).then(|| self.place(t, shift))
    }

    /// Prescribed coordinates at the time `end` (s) of a stage that begins at the time `now` with
    /// the coordinates `q` of the node; `None` outside of its window.
    ///
    /// A node that is taken along moves as its script does since then,
    /// `q + place(end) - place(now)`. The pose `shift` adds to the script of a node that is
    /// prescribed from the start, and has no meaning for another.
    pub fn goal(&self, end: f64, now: f64, q: Vec2, shift: Pose) -> Option<Vec2> {
        if self.from <= 0.0 {
            return self.target_beside(end, shift);
        }
        let since = now.max(self.from);
        let place = |t| self.place(t, Pose::default());
        self.is_active(end).then(|| q + (place(end) - place(since)))
    }

    /// Place of the node by its script and the additional pose `shift`, at the time `t` (s).
    ///
    /// A point moves by the displacement `d`. A centre at `arm` from the origin moves to
    /// `start - arm + d + R(angle) arm`. An angle turns by the angle of the pose.
    fn place(&self, t: f64, shift: Pose) -> Vec2 {
        if let Some(displacement) = &self.displacement {
            return self.start + displacement.at(self.start, t) + shift.displacement;
        }

        let pose = self.motion.pose(t);
        let displacement = pose.displacement + shift.displacement;
        let angle = pose.angle + shift.angle;
        match self.role {
            Role::Point => self.start + displacement,
            Role::Center(arm) => self.start - arm + displacement + rotation(angle) * arm,
            Role::Angle => self.start + Vec2::new(angle, 0.0),
        }
    }

    /// True if the node never leaves its place at the start while it is prescribed.
    pub fn is_rest(&self) -> bool {
        self.displacement.is_none() && self.motion.is_rest()
    }

    /// Largest speed (m/s), and largest angular speed (rad/s).
    pub fn fastest(&self) -> [f64; 2] {
        let [speed, turning] = self.motion.fastest();
        let own = self.displacement.as_ref().map_or(0.0, |own| own.fastest);
        [speed.max(own), turning]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_turning_body_carries_its_centre_around_its_origin() {
        let motion = ScriptedMotion {
            spin: PI,
            velocity: Vec2::new(1.0, 0.0),
            until: 1.5,
            ..ScriptedMotion::REST
        };

        let role = Role::Center(Vec2::new(0.0, 2.0));
        let center = Prescribed {
            node: 0,
            role,
            start: Vec2::new(0.0, 5.0),
            axes: [true; 2],
            motion,
            displacement: None,
            from: 0.0,
            selection: 0,
        };

        assert!((center.target(1.0).unwrap() - Vec2::new(1.0, 1.0)).norm() < 1e-15);
        assert!(center.target(1.6).is_none());
    }

    #[test]
    fn a_node_that_is_taken_later_moves_from_where_it_is() {
        let taken = Prescribed {
            node: 0,
            role: Role::Point,
            start: Vec2::new(1.0, 1.0),
            axes: [true; 2],
            motion: ScriptedMotion {
                velocity: Vec2::new(2.0, 0.0),
                until: 1.0,
                ..ScriptedMotion::REST
            },
            displacement: None,
            from: 0.5,
            selection: 0,
        };

        let q = Vec2::new(7.0, -3.0);
        assert_eq!(taken.target(0.75), None);
        assert_eq!(taken.goal(0.5, 0.25, q, Pose::default()), None);
        assert_eq!(
            taken.goal(0.75, 0.25, q, Pose::default()),
            Some(q + Vec2::new(0.5, 0.0))
        );
        assert_eq!(
            taken.goal(1.0, 0.75, q, Pose::default()),
            Some(q + Vec2::new(0.5, 0.0))
        );
        assert_eq!(taken.goal(1.25, 1.0, q, Pose::default()), None);
    }
}
