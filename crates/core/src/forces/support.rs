//! Supports, which hold or drive prescribed coordinates of a scene.
//!
//! The world has one flat list of prescribed nodes. A support is the part of it that belongs
//! together for a reader: an obstacle, a selection of vertices, the fixed coordinates of a body.

use crate::body::{Prescribed, Role};
use crate::time::World;
use serde::{Deserialize, Serialize};

/// Kind of a support: the part of a body that is held or driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SupportKind {
    /// A whole obstacle, at rest or with a script.
    Obstacle,
    /// A rigid body with a script.
    Script,
    /// Coordinates of a rigid body that are fixed.
    Fixed,
    /// Vertices of a soft body, by the number of their entry in the body's list `prescribed`.
    Selection(usize),
    /// Vertices of a body of revolution on the axis, which stay on it.
    Axis,
}

impl SupportKind {
    /// Name in tables: `obstacle`, `script`, `fixed`, `prescribed 0` or `axis`.
    pub fn label(self) -> String {
        match self {
            Self::Obstacle => "obstacle".to_owned(),
            Self::Script => "script".to_owned(),
            Self::Fixed => "fixed".to_owned(),
            Self::Selection(entry) => format!("prescribed {entry}"),
            Self::Axis => "axis".to_owned(),
        }
    }

    /// Kind of the support of a prescribed node of the body with this number.
    fn of(world: &World, body: usize, prescribed: &Prescribed) -> Self {
        let kind = world.bodies[body].kind;
        if kind.is_obstacle() {
            Self::Obstacle
        } else if prescribed.selection == Prescribed::ON_AXIS {
            Self::Axis
        } else if kind.is_soft() {
            Self::Selection(prescribed.selection)
        } else if prescribed.role == Role::Point {
            Self::Fixed
        } else {
            Self::Script
        }
    }
}

/// A support with the coordinates that it holds.
pub(super) struct Support<'a> {
    /// Number of the body or obstacle.
    pub(super) body: usize,
    /// Held part of the body.
    pub(super) kind: SupportKind,
    /// Nodes that are held, with their components.
    pub(super) nodes: Vec<&'a Prescribed>,
}

/// All supports at the time `t` (s), in the order of the bodies. A support outside of
/// its window of time is left out, and so are the periods of a scene that repeats, whose forces are its
/// mean stress.
pub(super) fn supports(world: &World, t: f64) -> Vec<Support<'_>> {
    let mut supports: Vec<Support> = Vec::new();
    let prescribed = world.prescribed.iter();
    let supports_bodies = prescribed.filter(|p| p.selection != Prescribed::OF_CELL);
    let active = supports_bodies.filter(|p| p.is_active(t));
    for prescribed in active {
        // Bodies own ascending ranges of nodes.
        let node = prescribed.node;
        let body = world.bodies.partition_point(|b| b.nodes.end <= node);
        let kind = SupportKind::of(world, body, prescribed);

        match supports.last_mut() {
            Some(last) if last.body == body && last.kind == kind => last.nodes.push(prescribed),
            _ => supports.push(Support {
                body,
                kind,
                nodes: vec![prescribed],
            }),
        }
    }
    supports
}
