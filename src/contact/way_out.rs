//! The smallest way by which a body leaves another one that it overlaps.

use super::Surface;
use crate::geometry::Aabb;
use crate::geometry::predicates::inside;
use crate::geometry::slide::touching;
use crate::math::{Vec2, perp};
use std::f64::consts::TAU;

/// Directions that are tried at most, of which these are spread evenly.
const DIRECTIONS: (usize, usize) = (64, 16);

/// Pairs of edges that are looked at for all directions together; beyond, bodies count as their convex hulls.
const PAIRS: usize = 20_000_000;

/// The edges of every body at one state.
pub struct WaysOut<'a> {
    surface: &'a Surface,
    x: &'a [Vec2],
    edges: Vec<Vec<[usize; 2]>>,
}

impl<'a> WaysOut<'a> {
    /// The edges of the surface at the positions `x` (m).
    pub fn new(surface: &'a Surface, x: &'a [Vec2]) -> Self {
        let mut edges = vec![Vec::new(); surface.filled.len()];
        for &edge in &surface.edges {
            edges[surface.body[edge[0]]].push(edge);
        }
        Self { surface, x, edges }
    }

    /// A translation (m) of `body` by which it comes to touch `other` from outside, with room for another `clearance` (m) that
    /// way: the shortest along any of the directions that are tried, which are the normals of edges and others in between.
    pub fn of(&self, body: usize, other: usize, clearance: f64) -> Option<Vec2> {
        let (own, others) = (&self.edges[body], &self.edges[other]);
        let directions = self.directions(body, other);
        let is_small = own
            .len()
            .saturating_mul(others.len())
            .saturating_mul(directions.len())
            <= PAIRS;
        let ways = directions.into_iter().map(|u| {
            let way = if is_small {
                self.slide(body, other, u, clearance)
            } else {
                self.pass(body, other, u)
            };
            (way, u)
        });
        let (way, u) = ways.min_by(|a, b| a.0.total_cmp(&b.0))?;
        way.is_finite().then(|| u * way.max(0.0))
    }

    fn directions(&self, body: usize, other: usize) -> Vec<Vec2> {
        let middle = |body: usize| {
            Aabb::around(self.edges[body].iter().map(|edge| self.x[edge[0]])).center()
        };
        let mut found: Vec<Vec2> = (middle(body) - middle(other))
            .try_normalize(0.0)
            .into_iter()
            .collect();
        let (most, even) = DIRECTIONS;
        found.extend(
            (0..even)
                .map(|k| (TAU * k as f64 / even as f64).sin_cos())
                .map(|(sin, cos)| Vec2::new(cos, sin)),
        );
        let edges = self.edges[body].iter().chain(&self.edges[other]);
        let normals = edges.filter_map(|&[a, b]| perp(self.x[b] - self.x[a]).try_normalize(0.0));
        let count = self.edges[body].len() + self.edges[other].len();
        let normals = normals.step_by((2 * count).div_ceil(most - even).max(1));
        found.extend(normals.flat_map(|normal| [normal, -normal]));
        found
    }

    /// How far the body slides along `u` until it is free.
    fn slide(&self, body: usize, other: usize, u: Vec2, clearance: f64) -> f64 {
        let ends = |[a, b]: [usize; 2]| [self.x[a], self.x[b]];
        let radius =
            |a: [usize; 2], b: [usize; 2]| self.surface.radius[a[0]] + self.surface.radius[b[0]];
        let pairs = self.edges[body]
            .iter()
            .flat_map(|&a| self.edges[other].iter().map(move |&b| (a, b)));
        let intervals = pairs.filter_map(|(a, b)| touching(ends(a), ends(b), radius(a, b), u));
        let mut intervals: Vec<[f64; 2]> = intervals.filter(|[_, to]| *to >= 0.0).collect();
        intervals.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let mut way = 0.0_f64;
        for [from, to] in intervals {
            let room = from - way;
            if room > 2.0 * clearance
                && room > 0.0
                && self.is_outside(body, other, u * (way + 0.5 * room))
            {
                return way;
            }
            way = way.max(to);
        }
        way
    }

    /// How far the body goes along `u` until all of it is beyond all of the other.
    fn pass(&self, body: usize, other: usize, u: Vec2) -> f64 {
        let vertices = |body: usize| self.edges[body].iter().flatten().copied();
        let along = |vertex: usize| u.dot(&self.x[vertex]);
        let last = vertices(other)
            .map(|i| along(i) + self.surface.radius[i])
            .fold(f64::NEG_INFINITY, f64::max);
        last - vertices(body)
            .map(|i| along(i) - self.surface.radius[i])
            .fold(f64::INFINITY, f64::min)
    }

    /// Whether neither of two bodies whose edges do not cross is inside the other once `body` is moved.
    fn is_outside(&self, body: usize, other: usize, by: Vec2) -> bool {
        let holds = |outer: usize, inner: usize, by: Vec2| {
            let first = self.edges[inner].first().map(|edge| self.x[edge[0]] + by);
            let outline = || {
                self.edges[outer]
                    .iter()
                    .map(|&[a, b]| (self.x[a], self.x[b]))
            };
            let around = |&[a, _]: &[usize; 2], point: Vec2| {
                (self.x[a] - point).norm() < self.surface.radius[a]
            };
            let within_circle =
                |point: Vec2| self.edges[outer].iter().any(|edge| around(edge, point));
            first.is_some_and(|point| {
                self.surface.filled[outer] && (inside(point, outline()) || within_circle(point))
            })
        };
        !holds(other, body, by) && !holds(body, other, -by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies that are closed curves through the given points, or circles: one point and a radius.
    fn surface(bodies: &[(&[[f64; 2]], f64)]) -> (Surface, Vec<Vec2>) {
        let (mut x, mut body, mut edges, mut radius) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (index, (points, r)) in bodies.iter().enumerate() {
            let (first, count) = (x.len(), points.len());
            x.extend(points.iter().map(|&point| Vec2::from(point)));
            body.extend(vec![index; count]);
            radius.extend(vec![*r; count]);
            edges.extend((0..count).map(|i| [first + i, first + (i + 1) % count]));
        }
        (
            Surface {
                edges,
                radius,
                ..Surface::new(body, 1e-3)
            },
            x,
        )
    }

    fn way_out(bodies: &[(&[[f64; 2]], f64)], clearance: f64) -> Vec2 {
        let (surface, x) = surface(bodies);
        WaysOut::new(&surface, &x).of(0, 1, clearance).unwrap()
    }

    fn assert_near(found: Vec2, expected: [f64; 2]) {
        assert!((found - Vec2::from(expected)).norm() < 1e-12, "{found:?}");
    }

    const BOX: [[f64; 2]; 4] = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];

    #[test]
    fn boxes_and_circles_leave_by_the_shortest_way() {
        let small = [[3.5, 1.0], [4.5, 1.0], [4.5, 2.0], [3.5, 2.0]];
        assert_near(way_out(&[(&small, 0.0), (&BOX, 0.0)], 0.0), [0.5, 0.0]);
        let inner = [[1.0, 0.5], [2.0, 0.5], [2.0, 1.5], [1.0, 1.5]];
        assert_near(way_out(&[(&inner, 0.0), (&BOX, 0.0)], 0.0), [0.0, -1.5]);
        assert_near(
            way_out(&[(&[[0.6, 0.8]], 1.0), (&[[0.0, 0.0]], 0.5)], 0.0),
            [0.3, 0.4],
        );
        assert_near(
            way_out(&[(&[[2.0, 4.25]], 0.5), (&BOX, 0.0)], 0.0),
            [0.0, 0.25],
        );
        assert_near(
            way_out(&[(&[[2.0, 3.0]], 0.5), (&BOX, 0.0)], 0.0),
            [0.0, 1.5],
        );
    }

    #[test]
    fn a_body_may_go_into_a_bay_only_if_there_is_room() {
        // A U, whose bay is between x = 1 and x = 3, and a box that cuts into its left arm.
        let u = [
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 9.0],
            [3.0, 9.0],
            [3.0, 1.0],
            [1.0, 1.0],
            [1.0, 9.0],
            [0.0, 9.0],
        ];
        let block = [[0.75, 4.0], [2.25, 4.0], [2.25, 5.0], [0.75, 5.0]];
        assert_near(way_out(&[(&block, 0.0), (&u, 0.0)], 0.01), [0.25, 0.0]);
        // With 2 m on both sides it does not fit, and has to leave on the left.
        assert_near(way_out(&[(&block, 0.0), (&u, 0.0)], 2.0), [-2.25, 0.0]);
    }
}
