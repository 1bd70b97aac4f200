//! How forces on points of a body reach its nodes.
//!
//! A point moves with the vertices around it, by shares that add up to 1, or with the frame of a
//! body that has an angle. The force on a node is `J^T f`, with the Jacobian of the point. It is
//! constant but for angles, whose part depends on the rotation and is no part of this.

use super::builder::Builder;
use super::load::NewLoad;
use super::turn::breadth;
use crate::problem::Problem;
use ipcsim_core::body::{BodyKind, Hold, Sample};
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::number::short;
use ipcsim_math::{Mat2, Vec2, cross};
use ipcsim_mesh::Point;
use std::collections::BTreeMap;

/// Largest negative share (1) of a vertex in a point that still counts as inside of a triangle.
const ON_EDGE: f64 = 1e-9;

/// A point of a body, and the nodes that feel a force on it.
pub(super) struct Held {
    /// What moves the point.
    pub(super) hold: Hold,
    /// Nodes, with the matrices from the force to that on the node.
    pub(super) nodes: Vec<(usize, Mat2)>,
}

/// Part of the area of a body.
struct Part {
    /// Point that stands for it (m).
    place: Vec2,
    /// Area (m^2).
    area: f64,
    /// Vertices with their shares in the point; empty for a point of a body that moves as a whole.
    shares: Vec<(usize, f64)>,
}

impl Part {
    /// Part of a body that moves as a whole.
    fn of(place: Vec2, area: f64) -> Self {
        let shares = Vec::new();
        Self {
            place,
            area,
            shares,
        }
    }
}

impl Builder {
    /// A vertex of the body of a load.
    pub(super) fn held_vertex(&self, load: &NewLoad, vertex: usize) -> Held {
        self.held_between(load, &[(vertex, 1.0)], load.at.x[vertex])
    }

    /// The point at `place` (m) that is a mean of vertices with these shares.
    pub(super) fn held_between(
        &self,
        load: &NewLoad,
        shares: &[(usize, f64)],
        place: Vec2,
    ) -> Held {
        let body = &self.bodies[load.body];
        let center = body.nodes.start;
        if body.kind.has_angle() {
            return Held {
                hold: Hold::Arm(place - load.at.q[center]),
                nodes: vec![(center, Mat2::identity())],
            };
        }

        let mut nodes: BTreeMap<usize, Mat2> = BTreeMap::new();
        for &(vertex, share) in shares {
            for node in self.coordinates.nodes_of(vertex) {
                let jacobian = self.coordinates.jacobian(load.at, vertex, node);
                *nodes.entry(node).or_default() += jacobian.transpose() * share;
            }
        }
        Held {
            hold: Hold::Vertices(shares.to_vec()),
            nodes: nodes.into_iter().collect(),
        }
    }

    /// The point of a body that is at `place` at the start (m).
    ///
    /// # Errors
    /// A message, if a deformable body has no triangle there.
    pub(super) fn held_at(&self, load: &NewLoad, place: Vec2) -> Result<Held, String> {
        let body = &self.bodies[load.body];
        let x = &load.at.x;
        if body.kind.has_angle() {
            return Ok(self.held_between(load, &[], place));
        }
        // Each point of an affine body is a combination of three vertices.
        if body.kind == BodyKind::Affine {
            let corners = self.corners(load.body, x);
            let shares = shares_in(corners.map(|i| x[i]), place);
            let shares: Vec<_> = corners.into_iter().zip(shares).collect();
            return Ok(self.held_between(load, &shares, place));
        }

        if body.kind == BodyKind::Rod {
            let [a, b] = self.segment_at(load.body, place, x)?;
            let share = point_edge(place, x[a], x[b]).t;
            return Ok(self.held_between(load, &[(a, 1.0 - share), (b, share)], place));
        }

        let triangle = self.triangle_at(load.body, place, x)?;
        let shares = shares_in(triangle.map(|i| x[i]), place);
        let shares: Vec<_> = triangle.into_iter().zip(shares).collect();
        Ok(self.held_between(load, &shares, place))
    }

    /// The triangle of a body that has a point (m) most inside, where vertices are at `x` (m);
    /// `None` without triangles.
    pub(super) fn nearest_triangle(
        &self,
        body: usize,
        place: Vec2,
        x: &[Vec2],
    ) -> Option<([usize; 3], f64)> {
        let own = &self.bodies[body].vertices;
        let mut inmost: Option<([usize; 3], f64)> = None;
        let triangles = self.elements.elastic.triangles.iter();
        for &triangle in triangles.filter(|triangle| own.contains(&triangle[0])) {
            let shares = shares_in(triangle.map(|i| x[i]), place);
            // The least share is negative outside of a triangle, and falls with the distance.
            let least = shares.into_iter().fold(f64::INFINITY, f64::min);
            if inmost.is_none_or(|(_, most)| least > most) {
                inmost = Some((triangle, least));
            }
        }
        inmost
    }

    /// The triangle of a body that a point (m) is in, where vertices are at `x` (m).
    ///
    /// # Errors
    /// A message, if there is none.
    pub(super) fn triangle_at(
        &self,
        body: usize,
        place: Vec2,
        x: &[Vec2],
    ) -> Result<[usize; 3], String> {
        let inmost = self.nearest_triangle(body, place, x);
        let inside = inmost.filter(|(_, least)| *least >= -ON_EDGE);
        match inside {
            Some((triangle, _)) => Ok(triangle),
            None => Err(self.outside(body, place, x, inmost.is_none())),
        }
    }

    /// The segment of a rod that is nearest to a point (m), where vertices are at `x` (m), and its
    /// distance (m); `None` without segments.
    pub(super) fn nearest_segment(
        &self,
        body: usize,
        place: Vec2,
        x: &[Vec2],
    ) -> Option<([usize; 2], f64)> {
        let away = |[a, b]: [usize; 2]| ([a, b], point_edge(place, x[a], x[b]).distance);
        let segments = self.edges_of(body).map(away);
        segments.min_by(|first, second| first.1.total_cmp(&second.1))
    }

    /// The segment of a rod that a point (m) is on, where vertices are at `x` (m).
    ///
    /// # Errors
    /// A message, if there is none.
    pub(super) fn segment_at(
        &self,
        body: usize,
        place: Vec2,
        x: &[Vec2],
    ) -> Result<[usize; 2], String> {
        let size = self.diameter(body, x);
        let found = self.nearest_segment(body, place, x);
        match found.filter(|(_, distance)| *distance <= ON_EDGE * size) {
            Some((segment, _)) => Ok(segment),
            None => Err(self.outside(body, place, x, false)),
        }
    }

    /// Message of a point that no triangle of a body has, with the nearest vertex.
    fn outside(&self, body: usize, place: Vec2, x: &[Vec2], is_springs: bool) -> String {
        let name = &self.bodies[body].name;
        let vertices = self.bodies[body].vertices.clone();
        let away = |i: &usize| (x[*i] - place).norm();
        let first = vertices.start;
        let nearest = vertices.min_by(|i, j| away(i).total_cmp(&away(j)));
        let nearest = nearest.unwrap_or(first);

        let [px, py] = [place.x, place.y];
        let [vx, vy, distance] = [x[nearest].x, x[nearest].y, away(&nearest)].map(short);
        let number = nearest - first;
        if is_springs {
            return format!(
                "\"{name}\" is made of springs between vertices; use on, for example {{\"indices\": \
                 [{number}]}}, the vertex nearest to ({px}, {py}), {distance} m away"
            );
        }
        format!(
            "({px}, {py}) is outside of \"{name}\"; the nearest vertex is {number} at ({vx}, {vy}), \
             {distance} m away"
        )
    }

    /// Three vertices of an affine body that are far from one line.
    pub(super) fn corners(&self, body: usize, x: &[Vec2]) -> [usize; 3] {
        let [a, b] = self.ends(body, x);
        let area = |i: &usize| cross(x[b] - x[a], x[*i] - x[a]).abs();
        let vertices = self.bodies[body].vertices.clone();
        let farthest = vertices.max_by(|i, j| area(i).total_cmp(&area(j)));
        [a, b, farthest.unwrap_or(b)]
    }

    /// The whole body: its centre (m), and the force on each node of a force that is spread by
    /// mass.
    pub(super) fn held_as_a_whole(&self, load: &NewLoad) -> (Vec2, Held) {
        let body = &self.bodies[load.body];
        let center = body.nodes.start;
        if body.kind.has_angle() {
            let place = load.at.q[center];
            return (place, self.held_between(load, &[], place));
        }

        // A uniform force acts on nodes as a uniform acceleration does.
        let masses: Vec<Vec2> = self.nodes.iter().map(|node| node.mass).collect();
        let reduced = self.reduced_mass.get(&load.body);
        let whole = reduced.copied().unwrap_or_else(|| body.mass(&masses));
        let nodes = body.nodes.clone().map(|node| {
            let mass = Mat2::from_diagonal(&masses[node]);
            (node, mass * self.coordinates.lift(node) / whole)
        });
        let nodes: Vec<(usize, Mat2)> = nodes.filter(|(_, a)| *a != Mat2::zeros()).collect();

        // Its centre by vertices.
        if body.kind == BodyKind::Affine {
            let place = load.at.q[center];
            let corners = self.corners(load.body, &load.at.x);
            let shares = shares_in(corners.map(|i| load.at.x[i]), place);
            let hold = Hold::Vertices(corners.into_iter().zip(shares).collect());
            return (place, Held { hold, nodes });
        }
        let count = body.vertices.len() as f64;
        let share = |i: usize| {
            if reduced.is_some() {
                1.0 / count
            } else {
                masses[center + i - body.vertices.start].x / whole
            }
        };
        let shares: Vec<(usize, f64)> = body.vertices.clone().map(|i| (i, share(i))).collect();
        let place = shares.iter().map(|&(i, share)| load.at.x[i] * share).sum();
        let hold = Hold::Vertices(shares);
        (place, Held { hold, nodes })
    }

    /// Parts of the mesh of a body by its areas at rest: of triangles the middles of their sides, of
    /// quadratic ones the points of their energy. None for a body without triangles.
    fn parts_of_mesh(&self, load: &NewLoad) -> Vec<Part> {
        let own = &self.bodies[load.body].vertices;
        let mut parts = Vec::new();
        let curved = self.elements.elastic.curved.iter();
        for curved in curved.filter(|curved| own.contains(&curved.nodes[0])) {
            let rest = curved.nodes.map(|i| self.vertices[i].rest);
            for point in Point::of_gauss(&rest) {
                let shares = curved.nodes.into_iter().zip(point.shapes);
                let place = shares.clone().map(|(i, share)| load.at.x[i] * share).sum();
                parts.push(Part {
                    place,
                    area: point.area,
                    shares: shares.collect(),
                });
            }
        }
        // The list below has the facets of quadratic triangles, which must not count again.
        if !parts.is_empty() {
            return parts;
        }

        let triangles = self.elements.elastic.triangles.iter();
        for &[i, j, k] in triangles.filter(|triangle| own.contains(&triangle[0])) {
            let [a, b, c] = [i, j, k].map(|i| self.vertices[i].rest);
            // Each of the three middles has a third of the area.
            let area = cross(b - a, c - a) / 6.0;
            for side in [[i, j], [j, k], [k, i]] {
                let place = side.iter().map(|&i| load.at.x[i] * 0.5).sum();
                let shares = side.map(|i| (i, 0.5)).to_vec();
                parts.push(Part {
                    place,
                    area,
                    shares,
                });
            }
        }
        parts
    }

    /// Points that stand for the volume of a body, each with its part of it (m^3); `None`, and a
    /// problem, for a body without one.
    ///
    /// Triangles of a mesh have the middles of their sides. Outlines are cut into triangles from
    /// one point, and circles have four points: sums of forces and moments are exact where the
    /// force is linear in the place.
    pub(super) fn in_volume(&mut self, load: &NewLoad) -> Option<Vec<Sample>> {
        let own = self.bodies[load.body].vertices.clone();
        let mut parts = self.parts_of_mesh(load);

        // An outline, or a circle.
        let disk = self.disks.iter().find(|disk| own.contains(&disk.center));
        if let Some(disk) = disk {
            let center = load.at.x[disk.center];
            let area = 0.25 * std::f64::consts::PI * disk.radius * disk.radius;
            // At this distance the four points have the second moments of the disk.
            let reach = disk.radius * std::f64::consts::FRAC_1_SQRT_2;
            for (x, y) in [(reach, 0.0), (0.0, reach), (-reach, 0.0), (0.0, -reach)] {
                parts.push(Part::of(center + Vec2::new(x, y), area));
            }
        } else if parts.is_empty() && self.filled[load.body] {
            let origin = load.at.x[own.start];
            for [a, b] in self.edges_of(load.body) {
                let [a, b] = [a, b].map(|i| load.at.x[i]);
                let area = cross(a - origin, b - origin) / 6.0;
                for middle in [(a + b) * 0.5, (a + origin) * 0.5, (b + origin) * 0.5] {
                    parts.push(Part::of(middle, area));
                }
            }
        }

        if parts.is_empty() {
            let message = format!("\"{}\" has no volume; use a force", load.name());
            let problem = Problem::error(load.path("body_force"), message);
            self.problems.push(problem);
            return None;
        }

        let mut samples = Vec::with_capacity(parts.len());
        for Part {
            place,
            area,
            shares,
        } in parts
        {
            let held = if shares.is_empty() {
                self.held_at(load, place).ok()?
            } else {
                self.held_between(load, &shares, place)
            };
            samples.push(held.sample(place, area * breadth(load.scene, place)));
        }
        Some(samples)
    }
}

/// Shares of the corners of a triangle in a point `p` (m). They add up to 1 and are positive
/// inside.
pub(super) fn shares_in([a, b, c]: [Vec2; 3], p: Vec2) -> [f64; 3] {
    let area = cross(b - a, c - a);
    let [of_b, of_c] = [cross(p - a, c - a) / area, cross(b - a, p - a) / area];
    [1.0 - of_b - of_c, of_b, of_c]
}

impl Held {
    /// The sample of a held point at a place (m), with this measure.
    pub(super) fn sample(self, place: Vec2, measure: f64) -> Sample {
        Sample {
            place,
            measure,
            normal: Vec2::zeros(),
            hold: self.hold,
            nodes: self.nodes,
        }
    }
}
