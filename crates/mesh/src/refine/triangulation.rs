//! A triangulation that points are added to: triangles with their neighbours and fixed sides.
//!
//! Every triangle knows its corners counter-clockwise, the triangle on the other side of each
//! corner, and whether the side there is part of a line that must stay. A point is added inside of
//! a triangle or on a side; then sides around it are flipped until every triangle sees no corner
//! beyond a free side in its circumcircle (Lawson 1977), which makes the triangulation Delaunay as
//! far as lines allow. Both decisions are exact.
//!
//! A side is split where its point is in the list of sides, not by whether rounding leaves the
//! point on it: a line may bend by the last digit, but no triangle is lost.

use ipcsim_math::Vec2;
use robust::{Coord, incircle, orient2d};

/// Stands for no triangle beyond a side, and for a side that is on no line.
pub(super) const NONE: usize = usize::MAX;

/// A triangle and its neighbours beyond its sides.
///
/// Entry `k` of each list belongs to corner `k`, and to the side opposite to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    /// Vertices, counter-clockwise.
    pub(super) v: [usize; 3],
    /// Triangle beyond the side opposite to each vertex, or [`NONE`].
    pub(super) beyond: [usize; 3],
    /// Line that the side opposite to each vertex is part of, or [`NONE`].
    pub(super) line: [usize; 3],
    /// Number of the region that the triangle is in.
    pub(super) region: usize,
    /// Number of changes of the triangle so far.
    pub(super) changes: u32,
}

/// A side of a triangle: the one opposite to a corner.
///
/// An inner side has two names, one from each of its triangles. Its ends come in opposite orders
/// then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    /// Number of the triangle.
    pub(super) triangle: usize,
    /// Number of the corner opposite to it, 0 to 2.
    pub(super) corner: usize,
}

/// Where a point is, as seen from a triangle.
///
/// All answers are exact: a point that is on a side is on no triangle's inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Inside of a triangle.
    Inside(usize),
    /// On a side.
    On(Side),
    /// Behind a line; this side of it is the first one crossed.
    Behind(Side),
    /// At a vertex, or not found.
    Nowhere,
}

/// Triangles that fill an area.
#[derive(Clone, Debug, Default)]
pub(super) struct Triangulation {
    /// Positions of the vertices (m).
    pub(super) x: Vec<Vec2>,
    /// Triangles.
    pub(super) triangles: Vec<Corners>,
    /// Triangles that the last point has changed or made.
    pub(super) changed: Vec<usize>,
}

/// Side of the line from `a` to `b` on which `c` lies: positive to the left. The sign is exact.
pub(super) fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let [a, b, c] = [a, b, c].map(|v| Coord { x: v.x, y: v.y });
    orient2d(a, b, c)
}

impl Triangulation {
    /// Vertices at the ends of a side, with the triangle on the left of the segment between them.
    pub(super) fn ends(&self, side: Side) -> [usize; 2] {
        let v = self.triangles[side.triangle].v;
        [v[(side.corner + 1) % 3], v[(side.corner + 2) % 3]]
    }

    /// The side of a triangle that joins two vertices, if it has one.
    pub(super) fn side_between(&self, triangle: usize, ends: [usize; 2]) -> Option<Side> {
        let sides = (0..3).map(|corner| Side { triangle, corner });
        sides.into_iter().find(|&side| self.ends(side) == ends)
    }

    /// Positions of the corners of a triangle (m).
    pub(super) fn corners(&self, triangle: usize) -> [Vec2; 3] {
        self.triangles[triangle].v.map(|i| self.x[i])
    }

    /// True if `p` is strictly inside of the circumcircle of a triangle. Exact.
    pub(super) fn is_around(&self, triangle: usize, p: Vec2) -> bool {
        let [a, b, c] = self.corners(triangle).map(|v| Coord { x: v.x, y: v.y });
        incircle(a, b, c, Coord { x: p.x, y: p.y }) > 0.0
    }

    /// Finds `p` by a walk straight from the middle of a triangle.
    ///
    /// The walk leaves each triangle through the side whose ends are on both sides of its line. It
    /// ends where the next side has `p` on its inner side, or is on a line. A point that a line
    /// hides is therefore not found, which suits the refinement: the line hides the point from the
    /// triangle as well.
    pub(super) fn find(&self, start: usize, p: Vec2) -> Place {
        let [a, b, c] = self.corners(start);
        let from = (a + b + c) / 3.0;
        let mut side = None;
        for corner in 0..3 {
            let [x, y] = self
                .ends(Side {
                    triangle: start,
                    corner,
                })
                .map(|i| self.x[i]);
            if turn(x, y, p) < 0.0 && turn(from, p, x) <= 0.0 && turn(from, p, y) >= 0.0 {
                side = Some(Side {
                    triangle: start,
                    corner,
                });
            }
        }
        let Some(mut side) = side else {
            return self.within(start, p);
        };

        // The walk leaves each triangle through one of two sides.
        for _ in 0..self.triangles.len() {
            let here = &self.triangles[side.triangle];
            let next = here.beyond[side.corner];
            if here.line[side.corner] != NONE || next == NONE {
                return Place::Behind(side);
            }
            let [a, b] = self.ends(side);
            let Some(entry) = self.side_between(next, [b, a]) else {
                return Place::Nowhere;
            };
            let apex = self.x[self.triangles[next].v[entry.corner]];
            let is_left = turn(from, p, apex) > 0.0;
            let corner = (entry.corner + if is_left { 1 } else { 2 }) % 3;
            let exit = Side {
                triangle: next,
                corner,
            };
            let [x, y] = self.ends(exit).map(|i| self.x[i]);
            if turn(x, y, p) >= 0.0 {
                return self.within(next, p);
            }
            side = exit;
        }
        Place::Nowhere
    }

    /// Place of a point in a triangle, its sides included.
    fn within(&self, triangle: usize, p: Vec2) -> Place {
        if self.corners(triangle).contains(&p) {
            return Place::Nowhere;
        }

        for corner in 0..3 {
            let side = Side { triangle, corner };
            let [x, y] = self.ends(side).map(|i| self.x[i]);
            let turn = turn(x, y, p);
            if turn < 0.0 {
                return Place::Nowhere;
            }
            if turn == 0.0 {
                return Place::On(side);
            }
        }
        Place::Inside(triangle)
    }

    /// Adds a point inside of a triangle. Returns the number of the vertex.
    ///
    /// The triangle becomes three, in its own region; sides around the vertex are then flipped.
    pub(super) fn add_inside(&mut self, triangle: usize, at: Vec2) -> usize {
        let p = self.x.len();
        self.x.push(at);
        let old = self.triangles[triangle];
        let count = self.triangles.len();
        let pieces = [triangle, count, count + 1];

        // Piece k has the side opposite to corner k.
        for k in 0..3 {
            let [a, b] = [old.v[(k + 1) % 3], old.v[(k + 2) % 3]];
            let piece = Corners {
                v: [p, a, b],
                beyond: [old.beyond[k], pieces[(k + 1) % 3], pieces[(k + 2) % 3]],
                line: [old.line[k], NONE, NONE],
                region: old.region,
                changes: old.changes + 1,
            };
            if k == 0 {
                self.triangles[triangle] = piece;
            } else {
                self.triangles.push(piece);
                self.redirect(old.beyond[k], triangle, pieces[k], [a, b]);
            }
        }
        self.flip_around(pieces.to_vec());
        p
    }

    /// Replaces the neighbour `old` of a triangle beyond its side from `b` to `a` by `new`.
    fn redirect(&mut self, triangle: usize, old: usize, new: usize, [a, b]: [usize; 2]) {
        if triangle == NONE {
            return;
        }
        if let Some(side) = self.side_between(triangle, [b, a]) {
            let beyond = &mut self.triangles[triangle].beyond[side.corner];
            debug_assert_eq!(*beyond, old);
            *beyond = new;
        }
    }

    /// True if a point between `b` and `c` makes two triangles with `a`, and with `d` on the other
    /// side, that all have area.
    fn has_areas(&self, [a, b, c]: [usize; 3], d: Option<usize>, at: Vec2) -> bool {
        let has_area = |u: usize, v: usize| turn(self.x[u], self.x[v], at) > 0.0;
        let is_good = d.is_none_or(|d| has_area(d, c) && has_area(b, d));
        is_good && has_area(a, b) && has_area(c, a)
    }

    /// Splits a side at a point near it; both parts are on the line that the side is on.
    ///
    /// `None`, and nothing is changed, if a triangle would lose its area or turn around.
    pub(super) fn split(&mut self, side: Side, at: Vec2) -> Option<usize> {
        let [b, c] = self.ends(side);
        let here = self.triangles[side.triangle];
        let a = here.v[side.corner];
        let other = here.beyond[side.corner];
        let opposite = if other == NONE {
            None
        } else {
            Some(self.side_between(other, [c, b])?)
        };
        let across = opposite.map(|opposite| self.triangles[other].v[opposite.corner]);
        if !self.has_areas([a, b, c], across, at) {
            return None;
        }

        let p = self.x.len();
        self.x.push(at);
        let line = here.line[side.corner];
        let [first, second] = [side.triangle, self.triangles.len()];
        let [third, fourth] = match opposite {
            Some(_) => [other, second + 1],
            None => [NONE; 2],
        };

        // This side of the line: p a b and p c a.
        let [opposite_b, opposite_c] = [(side.corner + 1) % 3, (side.corner + 2) % 3];
        self.triangles[first] = Corners {
            v: [p, a, b],
            beyond: [here.beyond[opposite_c], fourth, second],
            line: [here.line[opposite_c], line, NONE],
            region: here.region,
            changes: here.changes + 1,
        };
        self.triangles.push(Corners {
            v: [p, c, a],
            beyond: [here.beyond[opposite_b], first, third],
            line: [here.line[opposite_b], NONE, line],
            region: here.region,
            changes: 0,
        });
        self.redirect(here.beyond[opposite_b], first, second, [c, a]);

        let mut pieces = vec![first, second];
        if let Some(opposite) = opposite {
            self.split_beyond(opposite, p, [first, second]);
            pieces.extend([third, fourth]);
        }
        self.flip_around(pieces);
        Some(p)
    }

    /// Splits the triangle beyond a side that the vertex `p` splits; `first` and `second` are the
    /// triangles on this side of it. With the side from `c` to `b` the parts are `p d c` and
    /// `p b d`.
    fn split_beyond(&mut self, side: Side, p: usize, [first, second]: [usize; 2]) {
        let [c, b] = self.ends(side);
        let [third, fourth] = [side.triangle, self.triangles.len()];
        let there = self.triangles[third];
        let line = there.line[side.corner];
        let d = there.v[side.corner];
        let [opposite_c, opposite_b] = [(side.corner + 1) % 3, (side.corner + 2) % 3];

        // The first part takes the number of the whole triangle, the second a new one.
        self.triangles[third] = Corners {
            v: [p, d, c],
            beyond: [there.beyond[opposite_b], second, fourth],
            line: [there.line[opposite_b], line, NONE],
            region: there.region,
            changes: there.changes + 1,
        };
        self.triangles.push(Corners {
            v: [p, b, d],
            beyond: [there.beyond[opposite_c], third, first],
            line: [there.line[opposite_c], NONE, line],
            region: there.region,
            changes: 0,
        });

        self.redirect(there.beyond[opposite_c], third, fourth, [b, d]);
    }

    /// Flips free sides opposite to the new vertex, which is the first of all these triangles,
    /// until all triangles at it are Delaunay. Notes all triangles at it as changed.
    fn flip_around(&mut self, mut open: Vec<usize>) {
        self.changed.clear();
        while let Some(t) = open.pop() {
            let here = self.triangles[t];
            let [p, b, c] = here.v;
            let u = here.beyond[0];
            let flips = here.line[0] == NONE && u != NONE && self.is_around(u, self.x[p]);
            let other = if flips {
                self.side_between(u, [c, b])
            } else {
                None
            };
            let Some(other) = other else {
                self.changed.push(t);
                continue;
            };

            // The triangles p b c and q c b become p b q and p q c.
            let there = self.triangles[u];
            let q = there.v[other.corner];
            let [opposite_c, opposite_b] = [(other.corner + 1) % 3, (other.corner + 2) % 3];
            self.triangles[t] = Corners {
                v: [p, b, q],
                beyond: [there.beyond[opposite_c], u, here.beyond[2]],
                line: [there.line[opposite_c], NONE, here.line[2]],
                region: here.region,
                changes: here.changes + 1,
            };
            self.triangles[u] = Corners {
                v: [p, q, c],
                beyond: [there.beyond[opposite_b], here.beyond[1], t],
                line: [there.line[opposite_b], here.line[1], NONE],
                region: here.region,
                changes: there.changes + 1,
            };
            self.redirect(there.beyond[opposite_c], u, t, [b, q]);
            self.redirect(here.beyond[1], t, u, [c, p]);
            open.extend([t, u]);
        }

        self.changed.sort_unstable();
        self.changed.dedup();
    }
}

#[cfg(test)]
mod tests;
