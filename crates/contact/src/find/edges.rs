//! Detection of contact that is integrated along edges.
//!
//! An edge is cut into pieces by the regions of the edges near it. A place belongs to the inside of
//! another edge, or beyond one of its ends. Places beyond an end count for the vertex there, once
//! for each edge, less the overlaps of edges: with `n` edges at a vertex, places beyond `m` of them
//! count `m - n + 1` times.

use super::Detected;
use crate::barriers::Barriers;
use crate::segments::{Cut, Piece};
use crate::tuning::EMPTY_PIECE;
use crate::{ContactPair, CornerContact, FloorContact, StripContact, Surface};
use ipcsim_math::{Vec2, perp};
use smallvec::SmallVec;

/// A linear function of the place on an edge.
#[derive(Clone, Copy, Debug)]
struct Linear {
    /// Value at the start of the edge.
    start: f64,
    /// Growth along the whole edge.
    growth: f64,
}

impl Linear {
    /// Value at a place.
    fn at(self, place: f64) -> f64 {
        self.start + self.growth * place
    }

    /// Place at which the function is 0; not finite if it does not grow.
    fn root(self) -> f64 {
        -self.start / self.growth
    }

    /// Part of a range where the function is not negative.
    fn keep(self, [from, to]: [f64; 2]) -> [f64; 2] {
        let root = self.root();
        if self.growth > 0.0 {
            [from.max(root), to]
        } else if self.growth < 0.0 {
            [from, to.min(root)]
        } else if self.start < 0.0 {
            [from, from]
        } else {
            [from, to]
        }
    }

    /// The function `value - self`.
    fn below(self, value: f64) -> Self {
        Self {
            start: value - self.start,
            growth: -self.growth,
        }
    }

    /// This function times a factor.
    fn times(self, factor: f64) -> Self {
        Self {
            start: self.start * factor,
            growth: self.growth * factor,
        }
    }
}

/// Places of an edge that are beyond one end of another edge.
#[derive(Clone, Copy, Debug)]
struct Beyond {
    /// That end.
    end: Cut,
    /// Distance beyond the end along the other edge (m); negative before it.
    way: Linear,
}

/// The places of a whole edge.
const WHOLE: [f64; 2] = [0.0, 1.0];

/// True if a range is empty but for rounding.
fn is_empty(range: [f64; 2]) -> bool {
    range[1] - range[0] < EMPTY_PIECE
}

/// An edge that is cut into pieces.
struct Along<'a> {
    surface: &'a Surface,
    barriers: &'a Barriers,
    /// Both ends of the edge.
    edge: [usize; 2],
    /// Length at rest times thickness (m^2).
    area: f64,
    /// See [`Piece::widening`].
    widening: f64,
    /// First and last place.
    range: [f64; 2],
    /// Position of the start (m).
    start: Vec2,
    /// Vector from start to end (m).
    way: Vec2,
}

impl<'a> Along<'a> {
    /// The edge with the number `k` at the positions `x` (m, `[vertices]`).
    fn new(surface: &'a Surface, barriers: &'a Barriers, k: usize, x: &[Vec2]) -> Self {
        let whole = surface.edges[k];
        let edge = u32::try_from(k).map_or(whole, |k| surface.flush.visible(k, whole));
        let [way, all] = [edge, whole].map(|[start, end]| x[end] - x[start]);
        let mut area = surface.edge_area[k];
        let mut widening = surface.widening.get(k).copied().unwrap_or(0.0);
        if edge != whole {
            let share = way.norm() / all.norm();
            area *= share;
            // Only parts of obstacles are hidden, and these keep their radii.
            if surface.is_revolved() {
                let [own, mean] = [edge, whole].map(|[a, b]| x[a].x + x[b].x);
                area *= own / mean;
                widening = 2.0 * way.x / own;
            }
        }
        Self {
            surface,
            barriers,
            edge,
            area,
            widening,
            range: WHOLE,
            start: x[edge[0]],
            way,
        }
    }

    /// Component along `direction` of the vector from `origin` to each place.
    fn component(&self, origin: Vec2, direction: Vec2) -> Linear {
        Linear {
            start: direction.dot(&(self.start - origin)),
            growth: direction.dot(&self.way),
        }
    }

    /// Distance below which the edge and the surface at the vertex `other` repel each other (m).
    fn reach(&self, other: usize) -> f64 {
        let own = self.edge[0];
        let [a, b] = [own, other].map(|vertex| self.surface.body[vertex]);
        self.barriers.reach(self.surface, a, b) + self.surface.separation(own, other)
    }

    /// True if the boxes around the edge and another one are farther apart than the barrier
    /// reaches. Both edges at a vertex within reach are nearer, so that none of them is missed
    /// there.
    fn is_far_from(&self, other: [usize; 2], x: &[Vec2]) -> bool {
        let reach = self.reach(other[0]);
        let [a, b] = [x[other[0]], x[other[1]]];
        let end = self.start + self.way;
        let apart = self.start.inf(&end) - a.sup(&b);
        let below = a.inf(&b) - self.start.sup(&end);
        apart.sup(&below).max() > reach
    }

    /// A piece that counts with a `share` against the surface at the vertex `other`. `cuts` are the
    /// geometry that moves its ends.
    fn piece(&self, range: [f64; 2], cuts: [Option<Cut>; 2], share: f64, other: usize) -> Piece {
        let own = self.edge[0];
        let bodies = [own, other].map(|vertex| self.surface.body[vertex]);
        Piece {
            range,
            cuts,
            weight: self.area * share,
            widening: self.widening,
            barrier: self.barriers.along_edges(bodies[0], bodies[1]),
            d_hat: self.barriers.reach(self.surface, bodies[0], bodies[1]),
            separation: self.surface.separation(own, other),
        }
    }

    /// Adds the piece over the inside of the edge `other`, and the places beyond its ends.
    fn over_edge(
        &self,
        other: [usize; 2],
        x: &[Vec2],
        list: &mut Vec<Detected>,
        ends: &mut SmallVec<[Beyond; 16]>,
    ) {
        let [b0, b1] = other.map(|vertex| x[vertex]);
        let length = (b1 - b0).norm();
        let tangent = (b1 - b0) / length;
        let along = self.component(b0, tangent);
        let inside = along.below(length).keep(along.keep(WHOLE));
        let [first, last] = [other, [other[1], other[0]]].map(|[vertex, far]| Cut { vertex, far });
        ends.push(Beyond {
            end: first,
            way: along.times(-1.0),
        });
        ends.push(Beyond {
            end: last,
            way: self.component(b1, tangent),
        });
        if is_empty(inside) {
            return;
        }

        // Heights on the side of the middle; an edge that crosses the other is on both sides.
        let height = self.component(b0, perp(tangent));
        let middle = height.at(0.5 * (inside[0] + inside[1]));
        let height = height.times(1.0_f64.copysign(middle));
        let near = height.below(self.reach(other[0])).keep(inside);
        if is_empty(near) {
            return;
        }

        // Ends inside the edge at which the barrier does not end are over an end of the other edge.
        let cuts = [0, 1].map(|end| {
            let is_cut = if end == 0 {
                near[0] <= inside[0] && near[0] > WHOLE[0]
            } else {
                near[1] >= inside[1] && near[1] < WHOLE[1]
            };
            let is_first = along.at(near[end]) < 0.5 * length;
            is_cut.then_some(if is_first { first } else { last })
        });
        let piece = self.piece(near, cuts, 0.5, other[0]);
        let gap = height.at(inside[0]).min(height.at(inside[1])) - piece.separation;
        if gap <= 0.0 || gap.is_nan() {
            let edge = self.edge;
            list.push(Detected::Touch(ContactPair::Strip { edge, other }));
        } else {
            let [p, q] = self.edge;
            let contact = StripContact { piece };
            list.push(Detected::Strip([p, q, other[0], other[1]], contact, gap));
        }
    }

    /// Adds the pieces around the vertex `v`, from the places beyond the edges there. A circle has
    /// no edges, and counts in full.
    fn around_vertex(&self, v: usize, beyond: &[Beyond], x: &[Vec2], list: &mut Vec<Detected>) {
        let squared = self.way.norm_squared();
        let from = self.start - x[v];
        let foot = -self.way.dot(&from) / squared;
        let height = (from + self.way * foot).norm_squared();
        let reach = self.reach(v);
        if height >= reach * reach {
            return;
        }
        let half = ((reach * reach - height) / squared).sqrt();
        let first = (foot - half).max(self.range[0]);
        let last = (foot + half).min(self.range[1]);
        if is_empty([first, last]) {
            return;
        }
        let share = if beyond.is_empty() { 1.0 } else { 0.5 };
        let separation = self.surface.separation(self.edge[0], v);

        // Cuts where an edge begins or ends to be nearer than the vertex.
        let roots = beyond.iter().map(|end| (end.way.root(), Some(end.end)));
        let mut cuts: SmallVec<[(f64, Option<Cut>); 8]> =
            roots.filter(|&(at, _)| at > first && at < last).collect();
        cuts.extend([(first, None), (last, None)]);
        cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));

        for pair in cuts.windows(2) {
            let range = [pair[0].0, pair[1].0];
            let middle = 0.5 * (range[0] + range[1]);
            let nearer = beyond.iter().filter(|end| end.way.at(middle) > 0.0).count();
            let count = nearer as f64 - beyond.len() as f64 + 1.0;
            let count = count - self.surface.flush.less(v);
            if count == 0.0 || is_empty(range) {
                continue;
            }

            let nearest = from + self.way * foot.clamp(range[0], range[1]);
            let gap = nearest.norm() - separation;
            let edge = self.edge;
            if gap <= 0.0 || gap.is_nan() {
                list.push(Detected::Touch(ContactPair::Edge { point: v, edge }));
                return;
            }
            let cuts = [pair[0].1, pair[1].1];
            let piece = self.piece(range, cuts, share * count, v);
            list.push(Detected::Corner(
                [edge[0], edge[1], v],
                CornerContact { piece },
                gap,
            ));
        }
    }

    /// The piece over a half-plane with this `normal` and `origin` (a vertex).
    fn over_plane(&self, index: usize, x: &[Vec2]) -> Option<Detected> {
        let plane = &self.surface.planes[index];
        let normal = plane.normal_at(x);
        let height = self.component(x[plane.origin], normal);
        let gap = height.at(0.0).min(height.at(1.0))
            - self.surface.separation(self.edge[0], plane.origin);
        if gap <= 0.0 || gap.is_nan() {
            let edge = self.edge;
            return Some(Detected::Touch(ContactPair::Floor { edge, plane: index }));
        }

        let near = height.below(self.reach(plane.origin)).keep(self.range);
        if is_empty(near) {
            return None;
        }
        let piece = self.piece(near, [None; 2], 1.0, plane.origin);
        let [p, q] = self.edge;
        Some(match plane.along {
            Some(tip) => Detected::Strip([p, q, plane.origin, tip], StripContact { piece }, gap),
            None => Detected::Floor([p, q, plane.origin], FloorContact { piece, normal }, gap),
        })
    }
}

/// True if an edge is on the axis of a body of revolution, where it has no area and bears nothing.
fn is_on_axis(surface: &Surface, k: usize) -> bool {
    surface.is_revolved() && surface.edge_area[k] == 0.0
}

/// Adds the contacts of the edge with the number `k` with the edges of these numbers.
pub(super) fn around_edge(
    surface: &Surface,
    barriers: &Barriers,
    near: &[u32],
    k: usize,
    x: &[Vec2],
    list: &mut Vec<Detected>,
) {
    if near.is_empty() || surface.flush.hides(k) || is_on_axis(surface, k) {
        return;
    }
    if !surface.images.is_home(surface.edges[k][0]) {
        return;
    }
    let along = Along::new(surface, barriers, k, x);
    let mut ends: SmallVec<[Beyond; 16]> = SmallVec::new();
    for &e in near {
        let other = surface.flush.visible(e, surface.edges[e as usize]);
        let bodies = [along.edge[0], other[0]].map(|vertex| surface.body[vertex]);
        if barriers.leave_out(bodies[0], bodies[1])
            || surface.flush.hides(e as usize)
            || along.is_far_from(other, x)
        {
            continue;
        }
        if other[0] == other[1] {
            along.around_vertex(other[0], &[], x, list);
        } else {
            along.over_edge(other, x, list, &mut ends);
        }
    }

    // Ends of edges side by side at one vertex.
    ends.sort_unstable_by_key(|beyond| beyond.end.vertex);
    for beyond in ends.chunk_by(|a, b| a.end.vertex == b.end.vertex) {
        along.around_vertex(beyond[0].end.vertex, beyond, x, list);
    }
}

/// Contact of the edge with the number `k` with the half-plane of this index; `None` unless they
/// are near and may collide.
pub(super) fn edge_over_plane(
    surface: &Surface,
    barriers: &Barriers,
    index: usize,
    k: usize,
    x: &[Vec2],
) -> Option<Detected> {
    let [start, end] = surface.edges[k];
    let origin = surface.planes[index].origin;
    if start == end || !surface.is_integrated(start, origin) || !surface.meet(start, origin) {
        return None;
    }
    if !surface.images.is_home(start) {
        return None;
    }
    if barriers.leave_out(surface.body[start], surface.body[origin]) || is_on_axis(surface, k) {
        return None;
    }
    Along::new(surface, barriers, k, x).over_plane(index, x)
}

/// Contact of the circle around the vertex `v` with the line of a half-plane that turns, which goes
/// on beyond its two vertices.
pub(super) fn circle_over_line(
    surface: &Surface,
    barriers: &Barriers,
    line: [usize; 2],
    v: usize,
    x: &[Vec2],
) -> Option<Detected> {
    let way = x[line[1]] - x[line[0]];

    let along = Along {
        surface,
        barriers,
        edge: line,
        area: way.norm() * surface.thickness,
        widening: 0.0,
        range: [f64::NEG_INFINITY, f64::INFINITY],
        start: x[line[0]],
        way,
    };

    let mut list = Vec::new();
    along.around_vertex(v, &[], x, &mut list);
    list.pop()
}
