//! How two overlapping bodies lie to each other: how deep they overlap, and what a hole of one has to
//! do with it.
//!
//! A shaft that is too large for its bore overlaps by a hair, while no short move ends that. The
//! message names the hair, not the move.

use ipcsim_contact::{Intersection, Surface};
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::geometry::predicates::inside;
use ipcsim_math::{Vec2, cross};
use std::collections::BTreeMap;

/// Most pairs of a vertex and an edge that are compared; larger bodies have the depth of crossing edges only.
const MOST_PAIRS: usize = 4_000_000;

/// Turns from one edge to the next (rad) between which an outline stands for a round one.
const ROUND: [f64; 2] = [1e-3, 0.7];

/// Outlines of two bodies.
pub(super) struct Fit<'a> {
    /// Bodies and their edges.
    surface: &'a Surface,
    /// Positions (m), `[vertices]`.
    x: &'a [Vec2],
    /// The bodies.
    bodies: [usize; 2],
    /// Edges of each body.
    edges: [Vec<[usize; 2]>; 2],
}

impl<'a> Fit<'a> {
    /// Outlines of two bodies at the positions `x` (m, `[vertices]`).
    pub(super) fn new(bodies: [usize; 2], surface: &'a Surface, x: &'a [Vec2]) -> Self {
        let edges = bodies.map(|body| {
            let edges = surface.edges.iter().copied();
            edges.filter(|edge| surface.body[edge[0]] == body).collect()
        });
        Self {
            surface,
            x,
            bodies,
            edges,
        }
    }

    /// Depth (m) of the overlap with these `intersections`: the largest distance of a vertex inside the
    /// other body from the outline of that, or by which the nearest end of two crossing edges has to move.
    /// 0 if neither is known.
    pub(super) fn depth<'i>(&self, intersections: impl Iterator<Item = &'i Intersection>) -> f64 {
        let cuts = intersections.map(|intersection| match *intersection {
            Intersection::Edges(a, b) => cut([a, b], self.surface, self.x),
            Intersection::Inside { .. } | Intersection::Plane { .. } => 0.0,
        });
        let least = cuts.fold(0.0, f64::max);
        self.reach_into(0, 1).max(self.reach_into(1, 0)).max(least)
    }

    /// Largest distance (m) of a vertex of one of the two that is inside the other from the outline of that.
    fn reach_into(&self, inner: usize, outer: usize) -> f64 {
        let outline = &self.edges[outer];
        let is_large = self.edges[inner].len().saturating_mul(outline.len()) > MOST_PAIRS;
        if !self.surface.filled[self.bodies[outer]] || is_large {
            return 0.0;
        }

        let ends = |&[a, b]: &[usize; 2]| (self.x[a], self.x[b]);
        let mut deepest: f64 = 0.0;
        for &[vertex, _] in &self.edges[inner] {
            let at = self.x[vertex];
            if inside(at, outline.iter().map(ends)) {
                let far = outline.iter().map(ends);
                let depth = far.map(|(a, b)| point_edge(at, a, b).distance);
                deepest = deepest.max(depth.fold(f64::INFINITY, f64::min));
            }
        }
        deepest
    }

    /// True if a vertex of one of the two is on the outline of a hole, which goes round clockwise.
    pub(super) fn is_on_hole(&self, vertex: usize) -> bool {
        let body = self.surface.body[vertex];
        let Some(own) = self.bodies.iter().position(|&one| one == body) else {
            return false;
        };

        // Once round, with the area inside.
        let next: BTreeMap<usize, usize> = self.edges[own].iter().map(|&[a, b]| (a, b)).collect();
        let mut twice_the_area = 0.0;
        let mut at = vertex;
        for _ in 0..next.len() {
            let Some(&to) = next.get(&at) else {
                return false;
            };
            let [a, b] = [at, to].map(|end| self.x[end] - self.x[vertex]);
            twice_the_area += cross(a, b);
            at = to;
            if at == vertex {
                return twice_the_area < 0.0;
            }
        }
        false
    }

    /// True if the outline that an edge is part of bends by a little at one of its ends, as a polygon does that
    /// stands for a round outline.
    pub(super) fn is_round_at(&self, [a, b]: [usize; 2]) -> bool {
        let along = |[from, to]: [usize; 2]| self.x[to] - self.x[from];
        let of_body = self.edges.iter().flatten();
        let mut beside = of_body.filter(|edge| edge[0] == b || edge[1] == a);
        beside.any(|&other| {
            let [one, two] = [along([a, b]), along(other)];
            let turn = cross(one, two).abs();
            let [least, most] = ROUND.map(|angle| angle * one.norm() * two.norm());
            one.dot(&two) > 0.0 && (least..most).contains(&turn)
        })
    }
}

/// Distance (m) by which the nearest end of two crossing edges has to move until they do not cross. A point
/// is an edge from a vertex to itself, and a circle has a radius.
fn cut(edges: [[usize; 2]; 2], surface: &Surface, x: &[Vec2]) -> f64 {
    let [one, other] = edges;
    let mut least = f64::INFINITY;
    for (edge, line) in [(one, other), (other, one)] {
        let [from, to] = line.map(|vertex| x[vertex]);
        for vertex in edge {
            let reach = surface.radius[vertex] + surface.radius[line[0]];
            let gap = point_edge(x[vertex], from, to).distance;
            let depth = if reach > 0.0 { reach - gap } else { gap };
            least = least.min(depth.abs());
        }
    }
    least
}
