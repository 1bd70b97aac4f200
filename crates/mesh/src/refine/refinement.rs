//! The refinement itself: which side is halved and which triangle gets a point next.
//!
//! Work is in two lists. Sides on lines that are too long, or that a vertex is too near to, are
//! halved first and in the order in which they were found. Triangles come after them, those with
//! the largest circumcircle first, so that points fill the largest empty places. A job in the list
//! is void once its triangle has changed, which its number of changes tells; whatever changes is
//! looked at again.
//!
//! Every comparison of sizes allows for rounding of 1e-9. Comparisons of places are exact.

use super::start::{On, Start};
use super::triangulation::{NONE, Place, Side, Triangulation};
use super::{Meshed, groups};
use crate::tuning::{SAME_DISTANCE, SHARP_CORNER_COSINE, SHORTEST_SIDE};
use crate::{Domain, Mesh, SizeField, least_angle};
use ipcsim_math::elementary::{exp2, log2, sin};
use ipcsim_math::{Vec2, cross};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

/// A triangle that may need a point.
///
/// Jobs compare by their fields in order, so that the largest circumcircle is the greatest, and of
/// equal ones the first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Job {
    /// Bits of the squared radius of the circumcircle, which sort as the number does.
    radius: u64,
    /// Number of the job; earlier ones come first.
    number: Reverse<usize>,
    /// Number of the triangle.
    triangle: usize,
    /// Number of its changes when the job was made; if it has others, the job is void.
    changes: u32,
}

/// State of a refinement.
///
/// Vertices are only added, never moved or removed, so that numbers stay valid; triangles change.
struct Refinement<'a> {
    triangulation: Triangulation,
    on: Vec<On>,
    domain: &'a Domain,
    field: &'a SizeField,
    /// Largest length of an edge at each vertex (m), `[vertices]`.
    sizes: Vec<f64>,
    /// Squared ratio of circumradius and shortest edge above which a triangle is too sharp (1).
    ratio: f64,
    /// Length below which no side is halved (m).
    shortest: f64,
    /// Whether another line is within 60 degrees at the ends of each line, `[lines]`.
    sharp_ends: Vec<[bool; 2]>,
    /// Triangles that may need a point.
    jobs: BinaryHeap<Job>,
    /// Number of jobs so far.
    count: usize,
    /// Ends of sides to be halved, with a triangle that had the side.
    sides: VecDeque<(usize, [usize; 2])>,
}

/// Refines a triangulation of an area.
///
/// The ratio of the circumradius to the shortest edge of a triangle is `1 / (2 sin alpha)` for its
/// least angle `alpha`, so that the limit of angles is one of this ratio, without any arc function.
pub(super) fn refined(
    start: Start,
    domain: &Domain,
    field: &SizeField,
    least: f64,
    most: usize,
) -> Meshed {
    let Start {
        triangulation,
        on,
        regions,
    } = start;
    let half = 0.5 / sin(least);
    let mut refinement = Refinement {
        sizes: triangulation.x.iter().map(|&x| field.at(x)).collect(),
        triangulation,
        on,
        domain,
        field,
        ratio: half * half,
        shortest: SHORTEST_SIDE * domain.around().extent().norm(),
        sharp_ends: sharp_ends(domain),
        jobs: BinaryHeap::new(),
        count: 0,
        sides: VecDeque::new(),
    };
    refinement.triangulation.changed = (0..refinement.triangulation.triangles.len()).collect();
    refinement.look();
    let is_incomplete = !refinement.run(most);

    let t = &refinement.triangulation;
    let names: Vec<&BTreeSet<String>> = domain.lines.iter().map(|line| &line.names).collect();
    let [vertices, triangles] = groups(t, &names, &regions);
    // Rounding of angles at the limit itself.
    let limit = least * (1.0 - 1e-9);
    let sharp = (0..t.triangles.len()).filter(|&k| least_angle(t.corners(k)) < limit);
    Meshed {
        sharp: sharp
            .map(|k| t.corners(k).iter().sum::<Vec2>() / 3.0)
            .collect(),
        vertices,
        triangles,
        on_lines: on_lines(&refinement.on, domain),
        is_incomplete,
        mesh: Mesh {
            vertices: t.x.clone(),
            triangles: t.triangles.iter().map(|corners| corners.v).collect(),
            ..Mesh::default()
        },
    }
}

/// Vertices on lines of an area, with the ends of their lines (m).
fn on_lines(on: &[On], domain: &Domain) -> Vec<(usize, [Vec2; 2])> {
    let on = on.iter().enumerate();
    let found = on.filter_map(|(vertex, on)| match on {
        On::Line(line) => {
            let ends = domain.lines[*line].ends.map(|end| domain.x[end]);
            Some((vertex, ends))
        }
        On::Corner | On::Area => None,
    });
    found.collect()
}

impl Refinement<'_> {
    /// Adds points until nothing is left to do. False if there were too many vertices before.
    ///
    /// Sides come before triangles, since a point inside is only placed where no side on a line is
    /// too near.
    fn run(&mut self, most: usize) -> bool {
        while self.triangulation.x.len() < most {
            if let Some((triangle, ends)) = self.sides.pop_front() {
                if let Some(side) = self.triangulation.side_between(triangle, ends) {
                    self.halve(side);
                }
            } else if let Some(job) = self.jobs.pop() {
                // A job is void if its triangle has changed since.
                if self.triangulation.triangles[job.triangle].changes == job.changes {
                    self.improve(job.triangle);
                }
            } else {
                return true;
            }
        }
        self.sides.is_empty() && self.jobs.is_empty()
    }

    /// Notes sides and triangles among the changed ones that need a point.
    fn look(&mut self) {
        for triangle in std::mem::take(&mut self.triangulation.changed) {
            for corner in 0..3 {
                let side = Side { triangle, corner };
                if self.triangulation.triangles[triangle].line[corner] != NONE && self.asks(side) {
                    self.sides
                        .push_back((triangle, self.triangulation.ends(side)));
                }
            }
            self.note(triangle);
        }
    }

    /// True if a side on a line is too long, or has the opposite corner within the circle around
    /// it.
    fn asks(&self, side: Side) -> bool {
        let t = &self.triangulation;
        let [a, b] = t.ends(side);
        let apex = t.x[t.triangles[side.triangle].v[side.corner]];
        let [xa, xb] = [t.x[a], t.x[b]];
        let mean = 0.5 * (self.sizes[a] + self.sizes[b]);
        (xb - xa).norm() > mean * (1.0 + 1e-9) || (xa - apex).dot(&(xb - apex)) < 0.0
    }

    /// Adds a job for a triangle that is too large or too sharp.
    ///
    /// With the squares `a^2`, `b^2`, `c^2` of its edges and twice its area `D`, the squared
    /// circumradius is `a^2 b^2 c^2 / (4 D^2)`.
    fn note(&mut self, triangle: usize) {
        let t = &self.triangulation;
        let [a, b, c] = t.corners(triangle);
        let squares = [(c - b), (a - c), (b - a)].map(|side| side.norm_squared());
        let doubled = cross(b - a, c - a);
        let radius = squares.iter().product::<f64>() / (4.0 * doubled * doubled);
        let least = squares.into_iter().fold(f64::INFINITY, f64::min);

        let is_sharp = radius > self.ratio * least && !self.must_be_sharp(triangle);
        if is_sharp || self.is_large(triangle) {
            self.count += 1;
            self.jobs.push(Job {
                radius: radius.to_bits(),
                number: Reverse(self.count),
                triangle,
                changes: t.triangles[triangle].changes,
            });
        }
    }

    /// True if an edge of a triangle is longer than the mean size at its ends.
    fn is_large(&self, triangle: usize) -> bool {
        let t = &self.triangulation;
        (0..3).any(|corner| {
            let [a, b] = t.ends(Side { triangle, corner });
            (t.x[b] - t.x[a]).norm() > 0.5 * (self.sizes[a] + self.sizes[b]) * (1.0 + 1e-9)
        })
    }

    /// True if the shortest edge of a triangle joins points of two lines at the same distance from
    /// the sharp corner where these meet.
    fn must_be_sharp(&self, triangle: usize) -> bool {
        let t = &self.triangulation;
        let mut shortest = (f64::INFINITY, [0; 2]);
        for corner in 0..3 {
            let ends = t.ends(Side { triangle, corner });
            let length = (t.x[ends[1]] - t.x[ends[0]]).norm_squared();
            if length < shortest.0 {
                shortest = (length, ends);
            }
        }

        // Both ends must be on lines that share a corner.
        let [p, q] = shortest.1;
        let (On::Line(one), On::Line(two)) = (self.on[p], self.on[q]) else {
            return false;
        };
        let [one, two] = [one, two].map(|line| self.domain.lines[line].ends);
        let Some(&corner) = one.iter().find(|end| two.contains(end)) else {
            return false;
        };

        let corner = self.domain.x[corner];
        let [u, v] = [t.x[p] - corner, t.x[q] - corner];
        let [a, b] = [u.norm(), v.norm()];
        one != two
            && u.dot(&v) > SHARP_CORNER_COSINE * a * b
            && (a - b).abs() <= SAME_DISTANCE * a.max(b)
    }

    /// Adds a vertex at the centre of a triangle's circumcircle, or has the sides that hide it
    /// halved.
    fn improve(&mut self, triangle: usize) {
        let center = self.center(triangle);
        if !(center.x.is_finite() && center.y.is_finite()) {
            return;
        }
        let place = self.triangulation.find(triangle, center);
        let near = match place {
            Place::Inside(found) => self.around(found, center),
            Place::On(side) => self.around(side.triangle, center),
            Place::Behind(side) => vec![side],
            Place::Nowhere => return,
        };

        if near.is_empty() {
            match place {
                Place::Inside(found) => {
                    self.triangulation.add_inside(found, center);
                    self.added(On::Area);
                }
                // A side that is free, or a line right below the point.
                Place::On(side) => self.divide(side, center),
                Place::Behind(_) | Place::Nowhere => {}
            }
            return;
        }

        // Lines at sharp corners are not halved for the sake of a triangle with longer sides.
        let [a, b, c] = self.triangulation.corners(triangle);
        let shortest = (b - a).norm().min((c - b).norm()).min((a - c).norm());
        let is_large = self.is_large(triangle);
        let mut is_halved = false;
        for side in near {
            let ends = self.triangulation.ends(side);
            let [p, q] = ends.map(|i| self.triangulation.x[i]);
            let at = self.middle(side);
            let part = (at - p).norm().min((at - q).norm());
            if is_large || !self.is_at_sharp_corner(side) || part >= shortest {
                self.sides.push_back((side.triangle, ends));
                is_halved = true;
            }
        }
        if is_halved {
            self.note(triangle);
        }
    }

    /// Centre of the circumcircle of a triangle (m), by the cross and dot products of the two edges
    /// at its first corner; not finite if the triangle has no area.
    fn center(&self, triangle: usize) -> Vec2 {
        let [a, b, c] = self.triangulation.corners(triangle);
        let [u, v] = [b - a, c - a];
        let twice = 2.0 * cross(u, v);
        let [uu, vv] = [u.norm_squared(), v.norm_squared()];
        a + Vec2::new(v.y * uu - u.y * vv, u.x * vv - v.x * uu) / twice
    }

    /// Sides on lines that have a point within the circles around them, among the visible ones:
    /// sides of triangles whose circumcircles have it.
    fn around(&self, start: usize, p: Vec2) -> Vec<Side> {
        let t = &self.triangulation;
        let mut near = Vec::new();
        let mut open = vec![start];
        let mut next = 0;

        while let Some(&triangle) = open.get(next) {
            next += 1;
            for corner in 0..3 {
                let side = Side { triangle, corner };

                // A line ends the search: points behind it are not visible.
                let here = &t.triangles[triangle];
                if here.line[corner] != NONE {
                    let [a, b] = t.ends(side).map(|i| t.x[i]);
                    if (a - p).dot(&(b - p)) < 0.0 {
                        near.push(side);
                    }
                    continue;
                }

                let beyond = here.beyond[corner];
                if beyond != NONE && !open.contains(&beyond) && t.is_around(beyond, p) {
                    open.push(beyond);
                }
            }
        }
        near
    }

    /// Halves a side on a line, unless it is too short.
    fn halve(&mut self, side: Side) {
        let ends = self.triangulation.ends(side);
        let [a, b] = ends.map(|i| self.triangulation.x[i]);
        if (b - a).norm() > self.shortest {
            let at = self.middle(side);
            self.divide(side, at);
        }
    }

    /// Splits a side at a point.
    fn divide(&mut self, side: Side, at: Vec2) {
        let line = self.triangulation.triangles[side.triangle].line[side.corner];
        let on = if line == NONE {
            On::Area
        } else {
            On::Line(line)
        };
        if self.triangulation.split(side, at).is_some() {
            self.added(on);
        }
    }

    /// Notes the line or area of the last vertex, and the triangles that it has changed.
    fn added(&mut self, on: On) {
        self.on.push(on);
        let x = &self.triangulation.x;
        self.sizes.extend(x.last().map(|&at| self.field.at(at)));
        self.look();
    }

    /// Where a side on a line is divided: in the middle, or near it at a power of two from a sharp
    /// corner.
    fn middle(&self, side: Side) -> Vec2 {
        let [a, b] = self.triangulation.ends(side);
        let [xa, xb] = [a, b].map(|i| self.triangulation.x[i]);
        let line = self.triangulation.triangles[side.triangle].line[side.corner];
        let (from, to) = match [a, b].map(|end| self.is_sharp(end, line)) {
            [true, false] => (xa, xb),
            [false, true] => (xb, xa),
            _ => return (xa + xb) * 0.5,
        };
        let length = (to - from).norm();
        // Between a third and two thirds of the side.
        let share = exp2(log2(length * 2.0 / 3.0).floor()) / length;
        from + (to - from) * share
    }

    /// True if one end of a side is a sharp corner of its line.
    fn is_at_sharp_corner(&self, side: Side) -> bool {
        let line = self.triangulation.triangles[side.triangle].line[side.corner];
        let ends = self.triangulation.ends(side);
        ends.iter().any(|&end| self.is_sharp(end, line))
    }

    /// True if a vertex is a corner at which another line is within 60 degrees of a line.
    fn is_sharp(&self, vertex: usize, line: usize) -> bool {
        if self.on[vertex] != On::Corner || line == NONE {
            return false;
        }
        let at = self.triangulation.x[vertex];
        let ends = self.domain.lines[line].ends.map(|i| self.domain.x[i]);
        let sharp = self.sharp_ends[line];
        (0..2).any(|k| sharp[k] && ends[k] == at)
    }
}

/// For each line of an area, whether another one is within 60 degrees of it at its ends, `[lines]`.
fn sharp_ends(domain: &Domain) -> Vec<[bool; 2]> {
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); domain.x.len()];
    for (k, line) in domain.lines.iter().enumerate() {
        for end in line.ends {
            at[end].push(k);
        }
    }

    let direction = |k: usize, from: usize| {
        let [a, b] = domain.lines[k].ends;
        let to = if a == from { b } else { a };
        (domain.x[to] - domain.x[from]).normalize()
    };

    let lines = domain.lines.iter().enumerate();
    let ends = lines.map(|(k, line)| {
        line.ends.map(|end| {
            let along = direction(k, end);
            let others = at[end].iter().filter(|&&other| other != k);
            others
                .into_iter()
                .any(|&other| along.dot(&direction(other, end)) > SHARP_CORNER_COSINE)
        })
    });
    ends.collect()
}
