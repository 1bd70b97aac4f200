//! Translations that separate overlapping bodies.
//!
//! A scene whose bodies overlap at the start is refused. The refusal is more useful with a remedy:
//! how far to move one of the bodies. For each of a set of directions the search finds the shortest
//! slide that frees the body, and keeps the best direction.
//!
//! Between two edges the lengths of a slide at which they touch are an interval. A body is free at
//! a length that no interval covers, if it is also outside and not inside the other body. For
//! bodies with very large outlines the search moves one body past the whole of the other instead.

use super::Surface;
use super::tuning::{TRANSLATION_DIRECTIONS, TRANSLATION_EVEN_DIRECTIONS, TRANSLATION_MAX_PAIRS};
use ipcsim_math::elementary::sin_cos;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::predicates::inside;
use ipcsim_math::geometry::slide::touching;
use ipcsim_math::{Vec2, perp};
use std::f64::consts::TAU;

/// Search for the shortest translations out of overlaps, at one state.
#[derive(Debug)]
pub struct MinTranslations<'a> {
    /// Bodies and their edges.
    surface: &'a Surface,
    /// Positions (m), `[vertices]`.
    x: &'a [Vec2],
    /// Edges of each body, `[bodies]`.
    edges: Vec<Vec<[usize; 2]>>,
}

impl<'a> MinTranslations<'a> {
    /// Prepares searches at the positions `x` (m, `[vertices]`).
    pub fn new(surface: &'a Surface, x: &'a [Vec2]) -> Self {
        let mut edges = vec![Vec::new(); surface.filled.len()];
        for &edge in &surface.edges {
            edges[surface.body[edge[0]]].push(edge);
        }
        Self { surface, x, edges }
    }

    /// The shortest translation (m) found after which `body` touches `other` from outside and has
    /// room for another `clearance` (m) in the same direction. `None` if no direction gives one.
    ///
    /// Directions are the normals of edges and others spread evenly, so the result is the
    /// shortest translation among these and not among all. Pairs of bodies with more than
    /// [`TRANSLATION_MAX_PAIRS`] pairs of edges in all directions are treated as their convex
    /// hulls.
    pub fn of(&self, body: usize, other: usize, clearance: f64) -> Option<Vec2> {
        let directions = self.directions(body, other);
        let pairs = self.edges[body]
            .len()
            .saturating_mul(self.edges[other].len());
        let is_small = pairs.saturating_mul(directions.len()) <= TRANSLATION_MAX_PAIRS;

        let mut shortest: Option<(f64, Vec2)> = None;
        for u in directions {
            let length = if is_small {
                self.slide_length(body, other, u, clearance)
            } else {
                self.pass_length(body, other, u)
            };
            if shortest.is_none_or(|(least, _)| length.total_cmp(&least).is_lt()) {
                shortest = Some((length, u));
            }
        }

        let (length, u) = shortest?;
        length.is_finite().then(|| u * length.max(0.0))
    }

    /// Unit vectors along which to search: apart from the middle of the other body, evenly around
    /// the circle, and along normals of edges.
    fn directions(&self, body: usize, other: usize) -> Vec<Vec2> {
        let apart = (self.middle(body) - self.middle(other)).try_normalize(0.0);
        let mut found: Vec<Vec2> = apart.into_iter().collect();

        for k in 0..TRANSLATION_EVEN_DIRECTIONS {
            let (sin, cos) = sin_cos(TAU * k as f64 / TRANSLATION_EVEN_DIRECTIONS as f64);
            found.push(Vec2::new(cos, sin));
        }

        // Both normals of every n-th edge.
        let count = self.edges[body].len() + self.edges[other].len();
        let most = TRANSLATION_DIRECTIONS - TRANSLATION_EVEN_DIRECTIONS;
        let step = (2 * count).div_ceil(most).max(1);
        let edges = self.edges[body].iter().chain(&self.edges[other]);
        let normals = edges.filter_map(|&[a, b]| perp(self.x[b] - self.x[a]).try_normalize(0.0));
        for normal in normals.step_by(step) {
            found.extend([normal, -normal]);
        }
        found
    }

    /// Middle of the box around a body (m).
    fn middle(&self, body: usize) -> Vec2 {
        Aabb::around(self.edges[body].iter().map(|edge| self.x[edge[0]])).center()
    }

    /// Length (m) by which the body slides along `u` until it is free, with room for twice the
    /// `clearance` ahead; at least 0.
    ///
    /// Every pair of edges blocks an interval of lengths. The answer is the end of the intervals
    /// that overlap from 0 on, or a later end if the body is inside the other there.
    fn slide_length(&self, body: usize, other: usize, u: Vec2, clearance: f64) -> f64 {
        // Lengths at which an edge of one touches an edge of the other.
        let radius = &self.surface.radius;
        let mut blocked: Vec<[f64; 2]> = Vec::new();
        for a in &self.edges[body] {
            for b in &self.edges[other] {
                let one = a.map(|i| self.x[i]);
                let two = b.map(|i| self.x[i]);
                let interval = touching(one, two, radius[a[0]] + radius[b[0]], u);
                blocked.extend(interval.filter(|[_, to]| *to >= 0.0));
            }
        }
        blocked.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));

        // The first room between two intervals that is wide enough and outside.
        let mut length = 0.0_f64;
        for [from, to] in blocked {
            let room = from - length;
            if room > 2.0 * clearance
                && room > 0.0
                && self.is_outside(body, other, u * (length + 0.5 * room))
            {
                return length;
            }
            length = length.max(to);
        }
        length
    }

    /// Length (m) by which the body moves along `u` until all of it is beyond all of the other:
    /// `max u . x_j + r_j` over vertices `j` of the other, less `min u . x_i - r_i` over its own.
    fn pass_length(&self, body: usize, other: usize, u: Vec2) -> f64 {
        let radius = &self.surface.radius;

        // Farthest extent of the other along `u`, and nearest extent of the body.
        let mut last = f64::NEG_INFINITY;
        for &i in self.edges[other].iter().flatten() {
            last = last.max(u.dot(&self.x[i]) + radius[i]);
        }
        let mut first = f64::INFINITY;
        for &i in self.edges[body].iter().flatten() {
            first = first.min(u.dot(&self.x[i]) - radius[i]);
        }
        last - first
    }

    /// True if neither of two bodies without crossing edges is inside the other once `body` is
    /// moved by `by` (m).
    fn is_outside(&self, body: usize, other: usize, by: Vec2) -> bool {
        !self.holds(other, body, by) && !self.holds(body, other, -by)
    }

    /// True if body `outer` holds the first vertex of body `inner`, which is moved by `by` (m).
    /// Only filled bodies and circles hold anything.
    fn holds(&self, outer: usize, inner: usize, by: Vec2) -> bool {
        let Some(edge) = self.edges[inner].first() else {
            return false;
        };
        if !self.surface.filled[outer] {
            return false;
        }

        let point = self.x[edge[0]] + by;
        let edges = &self.edges[outer];
        let within_circle = edges
            .iter()
            .any(|&[a, _]| (self.x[a] - point).norm() < self.surface.radius[a]);
        within_circle || inside(point, edges.iter().map(|&[a, b]| (self.x[a], self.x[b])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies that are closed curves through the given points, or circles: one point and a radius.
    fn surface(bodies: &[(&[[f64; 2]], f64)]) -> (Surface, Vec<Vec2>) {
        let mut x = Vec::new();
        let mut body = Vec::new();
        let mut edges = Vec::new();
        let mut radius = Vec::new();
        for (index, (points, r)) in bodies.iter().enumerate() {
            let first = x.len();
            let count = points.len();
            x.extend(points.iter().map(|&point| Vec2::from(point)));
            body.extend(vec![index; count]);
            radius.extend(vec![*r; count]);
            edges.extend((0..count).map(|i| [first + i, first + (i + 1) % count]));
        }

        let surface = Surface {
            edges,
            radius,
            ..Surface::new(body, 1e-3)
        };
        (surface, x)
    }

    /// Translation of the first of two bodies out of the second.
    fn translation(bodies: &[(&[[f64; 2]], f64)], clearance: f64) -> Vec2 {
        let (surface, x) = surface(bodies);
        MinTranslations::new(&surface, &x)
            .of(0, 1, clearance)
            .unwrap()
    }

    fn assert_near(found: Vec2, expected: [f64; 2]) {
        assert!((found - Vec2::from(expected)).norm() < 1e-12, "{found:?}");
    }

    /// A square with sides of 4 m.
    const BOX: [[f64; 2]; 4] = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];

    #[test]
    fn boxes_and_circles_are_separated_by_the_shortest_translation() {
        // A box that sticks out on the right, and one near the bottom.
        let small = [[3.5, 1.0], [4.5, 1.0], [4.5, 2.0], [3.5, 2.0]];
        assert_near(translation(&[(&small, 0.0), (&BOX, 0.0)], 0.0), [0.5, 0.0]);
        let inner = [[1.0, 0.5], [2.0, 0.5], [2.0, 1.5], [1.0, 1.5]];
        assert_near(translation(&[(&inner, 0.0), (&BOX, 0.0)], 0.0), [0.0, -1.5]);

        // Two circles, a circle across the top, and one below it.
        assert_near(
            translation(&[(&[[0.6, 0.8]], 1.0), (&[[0.0, 0.0]], 0.5)], 0.0),
            [0.3, 0.4],
        );
        assert_near(
            translation(&[(&[[2.0, 4.25]], 0.5), (&BOX, 0.0)], 0.0),
            [0.0, 0.25],
        );
        assert_near(
            translation(&[(&[[2.0, 3.0]], 0.5), (&BOX, 0.0)], 0.0),
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
        assert_near(translation(&[(&block, 0.0), (&u, 0.0)], 0.01), [0.25, 0.0]);

        // With 2 m on both sides it does not fit, and has to leave on the left.
        assert_near(translation(&[(&block, 0.0), (&u, 0.0)], 2.0), [-2.25, 0.0]);
    }
}
