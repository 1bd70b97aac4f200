//! Places of all bodies: the ends of the step segments that a solver accepted.
//!
//! A step goes from one state to the next by segments, and continuous collision detection finds
//! each of them free. To prove that again later, both ends of every segment are stored, and how
//! vertices move in between: on straight lines, or on arcs for bodies that turn. An arc needs
//! centre and angle at both ends, which positions alone do not give.

use ipcsim::body::{Configuration, Coordinates};
use ipcsim::geometry::path::{RigidMotion, Turn};
use ipcsim::math::Vec2;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// One end of a segment: where all bodies are.
///
/// Between two places a vertex moves on a straight line at constant speed. Vertices of a body that
/// turns move on arcs: its centre moves on a straight line and its angle grows in proportion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Positions of all vertices (m), `[vertices]`.
    pub x: Vec<Vec2>,
    /// Centre (m) and angle (rad) of each body that turns, `[turning bodies][3]`.
    pub turns: Vec<[f64; 3]>,
}

/// Numbers of vertices and of turning bodies, common to all places of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of vertices in each state.
    pub vertices: usize,
    /// Vertices of each body that turns, ascending.
    pub turning: Vec<Range<usize>>,
}

/// Centres and angles of the bodies that turn, at the coordinates `q`, each with its number among
/// the bodies whose vertices follow from few coordinates.
fn turned(coordinates: &Coordinates, q: &[Vec2]) -> impl Iterator<Item = (usize, RigidMotion)> {
    // From the origin at angle 0, a motion by `q` leads to `q`.
    let turns = coordinates.turns(q, q).into_iter().enumerate();
    turns.filter_map(|(k, turn)| Some((k, turn?.motion)))
}

impl Place {
    /// Place of a configuration: its positions, and centre and angle of each body that turns.
    pub fn of(coordinates: &Coordinates, at: Configuration) -> Self {
        let turns = turned(coordinates, &at.q)
            .map(|(_, motion)| [motion.center.x, motion.center.y, motion.angle])
            .collect();
        Self { x: at.x, turns }
    }

    /// Motions of the bodies that turn, from here to `end`, `[turning bodies]`.
    pub fn turns_to(&self, end: &Self) -> Vec<Option<Turn>> {
        let mut motions = Vec::with_capacity(self.turns.len());
        for (start, end) in self.turns.iter().zip(&end.turns) {
            let center = Vec2::new(start[0], start[1]);
            let motion = RigidMotion {
                center,
                translation: Vec2::new(end[0], end[1]) - center,
                angle: end[2] - start[2],
            };
            motions.push(Some(motion.into()));
        }
        motions
    }

    /// True if every position is finite. Centres and angles are not tested.
    pub fn is_finite(&self) -> bool {
        self.x.iter().all(|p| p.x.is_finite() && p.y.is_finite())
    }
}

impl Layout {
    /// Layout of a world's states; `q` are the coordinates of any of them, `[nodes]`. Bodies
    /// without vertices are left out.
    pub fn of(coordinates: &Coordinates, q: &[Vec2]) -> Self {
        let vertices = vertices_of_owners(coordinates.turn_of());
        let turning = turned(coordinates, q)
            .filter_map(|(k, _)| vertices.get(k).cloned())
            .filter(|vertices| !vertices.is_empty())
            .collect();
        Self {
            vertices: coordinates.vertices(),
            turning,
        }
    }

    /// For each vertex 0, or one more than the number of its body among those that turn,
    /// `[vertices]`.
    pub fn turn_of(&self) -> Vec<u32> {
        let mut turn_of = vec![0; self.vertices];
        for (k, range) in (1..).zip(&self.turning) {
            turn_of[range.clone()].fill(k);
        }
        turn_of
    }

    /// True if `place` has the numbers of vertices and of turning bodies of this layout.
    pub fn fits(&self, place: &Place) -> bool {
        place.x.len() == self.vertices && place.turns.len() == self.turning.len()
    }
}

/// The consecutive vertices of each body, which counts from 1 among the `owners` of vertices; empty
/// for bodies without vertices.
fn vertices_of_owners(owners: &[u32]) -> Vec<Range<usize>> {
    let last = owners.iter().max().map_or(0, |&last| last as usize);
    let mut vertices = vec![0..0; last];
    for (vertex, &owner) in owners.iter().enumerate() {
        let Some(k) = (owner as usize).checked_sub(1) else {
            continue;
        };
        // The empty range begins at 0, which need not be the first vertex of the body.
        if vertices[k].is_empty() {
            vertices[k] = vertex..vertex;
        }
        vertices[k].end = vertex + 1;
    }
    vertices
}
