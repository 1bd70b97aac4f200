//! Flush pieces: pieces of a floor that keep their places to each other act as one.
//!
//! The energy of contact is a sum over bodies. Where two pieces of a floor meet or overlap, what both
//! have in common would count twice, and lift a body that slides across. So it counts once: an edge that
//! another piece covers in part ends where the other one begins, and a vertex that both have counts once.
//! Sides that two pieces turn to each other are hidden from everything else. A vertex at which the union
//! is straight hardly counts.
//!
//! Pieces keep their places for the whole run, so this is decided once, from their shapes. Collision
//! detection sees all vertices and edges all the same.

use super::Surface;
use super::broad::BroadPhase;
use super::flush::Flush;
use crate::tuning::{FLUSH_ANGLE, FLUSH_JOINT, HIDDEN_WEIGHT};
use ipcsim_math::elementary::atan2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::sort::sort_by;
use ipcsim_math::{Vec2, cross};
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// Makes flush pieces of a surface at `x` (m, `[vertices]`) one.
///
/// Bodies of one `group` keep their places to each other, and bodies without one may move,
/// `[bodies]`.
pub fn join_flush(surface: &mut Surface, x: &[Vec2], group: &[Option<usize>]) {
    let pieces = Pieces::of(surface, x, group);
    if pieces.near.is_empty() && surface.planes.is_empty() {
        return;
    }
    let hidden = pieces.hidden();
    let straight: Vec<usize> = pieces.no_corners();
    let flush = Flush {
        less: pieces.less(&hidden),
        visible: pieces.visible(&hidden),
        hidden,
    };
    let none = Flush::default();
    let is_none = flush.visible.is_empty()
        && !flush.hidden.contains(&true)
        && flush.less.iter().all(|&less| less == 0.0);
    surface.flush = if is_none { none } else { flush };
    for vertex in straight {
        surface.weight[vertex] *= HIDDEN_WEIGHT;
    }
}

/// Pieces that keep their places to each other.
struct Pieces<'a> {
    surface: &'a Surface,
    x: &'a [Vec2],
    group: &'a [Option<usize>],
    /// Edges of the same group near each edge, its neighbours in an outline included, `[edges]`.
    near: BTreeMap<usize, Vec<usize>>,
}

/// A direction in which the outline of a body leads away from a place.
#[derive(Clone, Copy, Debug)]
struct Ray {
    /// Body of the outline.
    body: usize,
    /// Angle (rad).
    angle: f64,
    /// True if an area of the body begins there, counter-clockwise.
    is_first: bool,
}

impl<'a> Pieces<'a> {
    fn of(surface: &'a Surface, x: &'a [Vec2], group: &'a [Option<usize>]) -> Self {
        let fixed = |edge: &[usize; 2]| {
            let is_line = edge[0] != edge[1] && surface.radius[edge[0]] == 0.0;
            is_line && group[surface.body[edge[0]]].is_some()
        };
        let edges = (0..surface.edges.len()).filter(|&k| fixed(&surface.edges[k]));
        let edges: Vec<usize> = edges.collect();
        let mut pieces = Self {
            surface,
            x,
            group,
            near: BTreeMap::new(),
        };
        let boxes: Vec<Aabb> = edges.iter().map(|&k| pieces.box_of(k)).collect();
        for (i, j) in BroadPhase::Auto.self_pairs(&boxes) {
            let [e, f] = [edges[i as usize], edges[j as usize]];
            if pieces.belong_together(pieces.body(e), pieces.body(f)) {
                pieces.near.entry(e).or_default().push(f);
                pieces.near.entry(f).or_default().push(e);
            }
        }
        pieces
    }

    /// Box around an edge, wider by the joint up to which edges are flush.
    fn box_of(&self, k: usize) -> Aabb {
        let joint = self.joint(self.body(k), self.body(k));
        let [a, b] = self.ends(k);
        let room = Vec2::new(joint, joint);
        Aabb {
            min: a.inf(&b) - room,
            max: a.sup(&b) + room,
        }
    }

    /// Body of an edge.
    fn body(&self, k: usize) -> usize {
        self.surface.body[self.surface.edges[k][0]]
    }

    /// Both ends of an edge (m).
    fn ends(&self, k: usize) -> [Vec2; 2] {
        self.surface.edges[k].map(|vertex| self.x[vertex])
    }

    /// Unit vector along an edge.
    fn along(&self, k: usize) -> Vec2 {
        let [a, b] = self.ends(k);
        (b - a).try_normalize(0.0).unwrap_or_default()
    }

    /// Largest joint between two flush bodies (m).
    fn joint(&self, a: usize, b: usize) -> f64 {
        let reach = &self.surface.reach;
        FLUSH_JOINT * reach.most_of(a).min(reach.most_of(b))
    }

    /// True if two bodies keep their places to each other, and the same bodies meet them.
    fn belong_together(&self, a: usize, b: usize) -> bool {
        let filter = &self.surface.filter;
        let others = 0..self.group.len();
        let mut moving = others.filter(|&other| self.group[other] != self.group[a]);
        self.group[a] == self.group[b]
            && (a == b || moving.all(|other| filter.meet(a, other) == filter.meet(b, other)))
    }

    /// True if a place is on an edge.
    fn is_on(&self, place: Vec2, edge: usize, joint: f64) -> bool {
        let [a, b] = self.ends(edge);
        point_edge(place, a, b).distance <= joint
    }

    /// True if the bodies of two edges are on the same side of them, or one encloses no area.
    fn face_alike(&self, e: usize, f: usize) -> bool {
        let filled = [e, f].map(|edge| self.surface.filled[self.body(edge)]);
        !filled[0] || !filled[1] || self.along(e).dot(&self.along(f)) > 0.0
    }

    /// True if two edges lie on one line.
    fn are_level(&self, e: usize, f: usize) -> bool {
        cross(self.along(e), self.along(f)).abs() <= FLUSH_ANGLE
    }

    /// Edges that other pieces cover, `[edges]`.
    fn hidden(&self) -> Vec<bool> {
        let edges = &self.surface.edges;
        let mut hidden = vec![false; edges.len()];
        for k in (0..edges.len()).filter(|&k| self.group[self.body(k)].is_some()) {
            hidden[k] = self.is_below_plane(k);
        }
        for (&e, near) in &self.near {
            hidden[e] |= near.iter().any(|&f| self.covers(f, e)) || self.is_within(e, near);
        }
        hidden
    }

    /// True if an edge lies on or below a half-plane of its group.
    fn is_below_plane(&self, k: usize) -> bool {
        let body = self.body(k);
        self.surface.planes.iter().any(|plane| {
            let floor = self.surface.body[plane.origin];
            let normal = plane.normal_at(self.x);
            let height = |end: Vec2| normal.dot(&(end - self.x[plane.origin]));
            body != floor
                && self.belong_together(body, floor)
                && self
                    .ends(k)
                    .into_iter()
                    .all(|end| height(end) <= self.joint(body, floor))
        })
    }

    /// True if an edge `f` of another piece covers the whole edge `e`. Of two that cover each other,
    /// and face the same side, the first one stays.
    fn covers(&self, f: usize, e: usize) -> bool {
        let [own, other] = [self.body(e), self.body(f)];
        let joint = self.joint(own, other);
        let on = |edge: usize, by: usize| {
            let mut ends = self.ends(edge).into_iter();
            ends.all(|end| self.is_on(end, by, joint))
        };
        if own == other || !self.are_level(e, f) || !on(e, f) {
            return false;
        }
        !self.face_alike(e, f) || f < e || !on(f, e)
    }

    /// True if an edge is inside of another piece, with the edges `near` to it.
    fn is_within(&self, e: usize, near: &[usize]) -> bool {
        let others = near.iter().map(|&f| self.body(f));
        let mut others: Vec<usize> = others.filter(|&other| other != self.body(e)).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|&other| self.surface.filled[other]);
        others.into_iter().any(|other| {
            let joint = self.joint(self.body(e), other);
            let own = near.iter().copied().filter(|&f| self.body(f) == other);
            let mut own: Vec<usize> = own.collect();
            let [a, b] = self.ends(e);

            // No edge of the other piece crosses it, and none of its vertices is on the inside of it.
            let is_free = own.iter().all(|&f| {
                let on = self.ends(f).map(|end| {
                    let near = point_edge(end, a, b);
                    near.distance <= joint && near.t > 0.0 && near.t < 1.0
                });
                !on[0] && !on[1] && !self.cross_inside(e, f, joint)
            });
            if !is_free || own.iter().any(|&f| self.are_level(e, f)) {
                return false;
            }
            own = (0..self.surface.edges.len())
                .filter(|&f| self.body(f) == other)
                .collect();
            self.encloses(&own, 0.5 * (a + b))
        })
    }

    /// True if the inside of an edge crosses another edge, farther than `joint` (m) from its ends.
    fn cross_inside(&self, e: usize, f: usize, joint: f64) -> bool {
        let [[a, b], [c, d]] = [e, f].map(|edge| self.ends(edge));
        if self.is_on(a, f, joint) || self.is_on(b, f, joint) {
            return false;
        }
        let sides = |p: Vec2, q: Vec2, r: Vec2| cross(q - p, r - p);
        let apart = sides(a, b, c) * sides(a, b, d) <= 0.0;
        apart && sides(c, d, a) * sides(c, d, b) <= 0.0
    }

    /// True if a closed outline goes around a place.
    fn encloses(&self, outline: &[usize], place: Vec2) -> bool {
        let crossings = outline.iter().filter(|&&f| {
            let [a, b] = self.ends(f);
            if (a.y > place.y) == (b.y > place.y) {
                return false;
            }
            let x = a.x + (place.y - a.y) / (b.y - a.y) * (b.x - a.x);
            x > place.x
        });
        crossings.count() % 2 == 1
    }

    /// How often less each vertex counts, `[vertices]`: where the ends of `n` pieces meet, each of them
    /// counts `(n - 1) / n` times less.
    fn less(&self, hidden: &[bool]) -> Vec<f64> {
        let mut less = vec![0.0; self.surface.body.len()];
        for (&e, near) in self.near.iter().filter(|&(&e, _)| !hidden[e]) {
            for vertex in self.surface.edges[e] {
                let own = self.body(e);
                let visible = near.iter().filter(|&&f| !hidden[f] && self.body(f) != own);
                let others = visible.filter(|&&f| {
                    let joint = self.joint(own, self.body(f));
                    let mut ends = self.ends(f).into_iter();
                    ends.any(|end| (end - self.x[vertex]).norm() <= joint)
                });
                let mut others: Vec<usize> = others.map(|&f| self.body(f)).collect();
                others.sort_unstable();
                others.dedup();
                let others = others.len() as f64;
                less[vertex] = f64::max(less[vertex], others / (others + 1.0));
            }
        }
        less
    }

    /// Visible parts of edges that pieces with smaller numbers cover in part.
    fn visible(&self, hidden: &[bool]) -> BTreeMap<u32, [usize; 2]> {
        let mut visible = BTreeMap::new();
        for (&e, near) in self.near.iter().filter(|&(&e, _)| !hidden[e]) {
            let ends = self.surface.edges[e];
            let mut part = ends;
            for &f in near.iter().filter(|&&f| f < e && !hidden[f]) {
                let is_alike =
                    self.body(f) != self.body(e) && self.are_level(e, f) && self.face_alike(e, f);
                if is_alike {
                    part = self.uncovered(e, part, f);
                }
            }
            if let Ok(e) = u32::try_from(e)
                && part != ends
            {
                visible.insert(e, part);
            }
        }
        visible
    }

    /// What an edge `f` on the same line leaves of a `part` of the edge `e`: one of its ends moves to
    /// the end of `f`.
    fn uncovered(&self, e: usize, part: [usize; 2], f: usize) -> [usize; 2] {
        let joint = self.joint(self.body(e), self.body(f));
        let along = self.along(e);
        let start = self.x[self.surface.edges[e][0]];
        let place = |vertex: usize| along.dot(&(self.x[vertex] - start));
        let [from, to] = part.map(place);
        let mut by = self.surface.edges[f];
        if place(by[0]) > place(by[1]) {
            by.reverse();
        }
        if !by.iter().any(|&end| self.is_on(self.x[end], e, joint)) {
            return part;
        }

        let [first, last] = by.map(place);
        if first <= from + joint && last > from + joint && last < to - joint {
            [by[1], part[1]]
        } else if last >= to - joint && first < to - joint && first > from + joint {
            [part[0], by[0]]
        } else {
            part
        }
    }

    /// Vertices at which the union of all pieces has no corner.
    fn no_corners(&self) -> Vec<usize> {
        let mut incident: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (k, edge) in self.surface.edges.iter().enumerate() {
            let is_fixed = self.group[self.body(k)].is_some();
            for &vertex in edge.iter().filter(|_| is_fixed && edge[0] != edge[1]) {
                incident.entry(vertex).or_default().push(k);
            }
        }
        let flat = incident.iter().filter(|&(&vertex, own)| {
            let mut edges = own.clone();
            edges.extend(own.iter().filter_map(|e| self.near.get(e)).flatten());
            edges.sort_unstable();
            edges.dedup();
            self.is_flat(vertex, &edges)
        });
        flat.map(|(&vertex, _)| vertex).collect()
    }

    /// True if the outlines of all pieces at a vertex, which are among these edges, leave no free angle
    /// that is wider than a straight one.
    fn is_flat(&self, vertex: usize, edges: &[usize]) -> bool {
        let place = self.x[vertex];
        let own = self.surface.body[vertex];
        let mut rays = Vec::new();
        for &e in edges {
            let joint = self.joint(own, self.body(e));
            let [a, b] = self.ends(e);
            let near = point_edge(place, a, b);
            if near.distance > joint {
                continue;
            }
            let along = self.along(e);
            let body = self.body(e);
            let angle = atan2(along.y, along.x);
            if (place - b).norm() > joint {
                let is_first = self.surface.filled[body];
                rays.push(Ray {
                    body,
                    angle,
                    is_first,
                });
            }
            if (place - a).norm() > joint {
                rays.push(Ray {
                    body,
                    angle: turned(angle),
                    is_first: false,
                });
            }
        }
        for plane in &self.surface.planes {
            let floor = self.surface.body[plane.origin];
            if floor == own || !self.belong_together(own, floor) {
                continue;
            }
            let normal = plane.normal_at(self.x);
            let height = normal.dot(&(place - self.x[plane.origin]));
            let joint = self.joint(own, floor);
            if height < -joint {
                return true;
            }
            if height <= joint {
                let angle = atan2(normal.x, -normal.y);
                rays.push(Ray {
                    body: floor,
                    angle,
                    is_first: true,
                });
                rays.push(Ray {
                    body: floor,
                    angle: turned(angle),
                    is_first: false,
                });
            }
        }
        let is_own = rays.iter().all(|ray| ray.body == own);
        let widest = widest_free(&mut rays);
        widest <= PI + FLUSH_ANGLE && (!is_own || widest >= PI - FLUSH_ANGLE)
    }
}

/// Widest angle (rad) between rays that no filled body takes up.
fn widest_free(rays: &mut [Ray]) -> f64 {
    sort_by(rays, |one, other| one.angle.total_cmp(&other.angle));
    let count = rays.len();
    let mut widest = 0.0;
    for k in 0..count {
        let next = rays[(k + 1) % count].angle;
        let wide = if k + 1 == count {
            next + TAU - rays[k].angle
        } else {
            next - rays[k].angle
        };
        let middle = rays[k].angle + 0.5 * wide;
        if wide > FLUSH_ANGLE && !is_taken(rays, middle) {
            widest = f64::max(widest, wide);
        }
    }
    widest
}

/// True if a filled body takes up a direction (rad) between its rays.
fn is_taken(rays: &[Ray], direction: f64) -> bool {
    rays.iter().any(|ray| {
        // The ray of the body that comes before the direction, counter-clockwise.
        let back = |other: &Ray| (direction - other.angle).rem_euclid(TAU);
        let own = rays.iter().filter(|other| other.body == ray.body);
        let is_last = own.map(back).all(|turn| turn >= back(ray));
        ray.is_first && is_last
    })
}

/// The opposite direction of an angle (rad), from -pi to pi.
fn turned(angle: f64) -> f64 {
    if angle > 0.0 { angle - PI } else { angle + PI }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::{Barrier, BarrierShape};
    use crate::{Candidates, Contacts, PairScale};

    /// Reach of all pairs (m).
    const REACH: f64 = 0.01;

    /// A box over rectangles with these ranges along x, whose tops are level, and its positions (m).
    fn over(ranges: &[[f64; 2]], box_at: Vec2, is_integrated: bool) -> (Surface, Vec<Vec2>) {
        let mut x = Vec::new();
        let mut owner = Vec::new();
        let mut edges = Vec::new();
        let mut add = |number: usize, [left, right]: [f64; 2], [low, high]: [f64; 2]| {
            let first = x.len();
            x.extend([[left, low], [right, low], [right, high], [left, high]].map(Vec2::from));
            owner.extend([number; 4]);
            edges.extend((0..4).map(|k| [first + k, first + (k + 1) % 4]));
        };
        add(0, [box_at.x, box_at.x + 0.5], [box_at.y, box_at.y + 0.2]);
        for (k, &range) in ranges.iter().enumerate() {
            add(k + 1, range, [-0.5, 0.0]);
        }
        let length = |edge: &[usize; 2]| (x[edge[1]] - x[edge[0]]).norm();
        let mut surface = Surface {
            points: (0..x.len()).collect(),
            edge_area: edges.iter().map(length).collect(),
            edges,
            reach: PairScale::of_bodies(vec![REACH; ranges.len() + 1]),
            ..Surface::new(owner, REACH)
        };
        surface.integrated = vec![is_integrated; ranges.len() + 1];
        surface.weight = vec![0.5; x.len()];
        let group: Vec<Option<usize>> = (0..=ranges.len()).map(|k| (k > 0).then_some(0)).collect();
        join_flush(&mut surface, &x, &group);
        (surface, x)
    }

    /// Energy of the contacts of the box (J).
    fn energy(ranges: &[[f64; 2]], box_at: Vec2, is_integrated: bool) -> f64 {
        let (surface, x) = over(ranges, box_at, is_integrated);
        let barrier = Barrier {
            shape: BarrierShape::Inverse,
            kappa: 1e5,
        };
        // Pieces do not collide with each other.
        let mut candidates = Candidates::find(&surface, &x, |_| 0.0);
        candidates.pair_edges(&surface);
        let barriers = crate::Barriers::from(barrier)
            .between_moving((0..=ranges.len()).map(|body| body > 0).collect());
        let contacts = Contacts::find(&surface, &barriers, &candidates, &x).unwrap();
        contacts.energies().iter().map(|one| one.value(&x)).sum()
    }

    #[test]
    fn pieces_have_the_energy_of_their_union() {
        let pieces: [&[[f64; 2]]; 4] = [
            &[[-2.0, 0.0], [0.0, 2.0]],
            &[[-2.0, 0.1], [-0.03, 2.0]],
            &[[-2.0, 2.0], [-0.3, 0.2]],
            &[[-2.0, -0.1], [-0.1, 0.1], [0.1, 2.0]],
        ];
        for is_integrated in [false, true] {
            for at in [-0.5, -0.499, -0.45, -0.103, -0.001, 0.0, 0.004, 0.2] {
                let place = Vec2::new(at, 0.004);
                let one = energy(&[[-2.0, 2.0]], place, is_integrated);
                for ranges in pieces {
                    let sum = energy(ranges, place, is_integrated);
                    assert!(
                        (sum - one).abs() < 1e-5 * one,
                        "{ranges:?}, box at {at}, integrated {is_integrated}: {sum} instead of {one}"
                    );
                }
            }
        }
    }

    #[test]
    fn corners_of_the_union_stay() {
        let (surface, _) = over(&[[-2.0, 0.0], [0.0, 2.0]], Vec2::new(5.0, 5.0), false);
        let corners: Vec<usize> = (4..12).filter(|&v| surface.weight[v] > 0.1).collect();
        assert_eq!(corners, [4, 7, 9, 10]);

        // Pieces at a distance, or at different heights, stay as they are.
        let (surface, _) = over(&[[-2.0, 0.0], [1e-4, 2.0]], Vec2::new(5.0, 5.0), false);
        assert_eq!(surface.flush, Flush::default());
        assert!(surface.weight.iter().all(|&weight| weight > 0.1));
    }
}
