//! Detection of contact that is a sum over vertices.
//!
//! The nearest point of an edge is inside it or at one of its ends. Points over the inside get a
//! [`LineContact`] each. An end mostly belongs to two edges. The ends of all edges near a point are
//! therefore collected first and counted together (see [`SharedVertices`]).
//!
//! Stiff bodies use this sum. They feel only resultants and moments, and two weights at the ends of
//! a face give both exactly. Their corners stay sharp, whereas an integral along a leaning face
//! makes them soft (see `docs/contact.md`).

use super::{Detected, edges};
use crate::barriers::Barriers;
use crate::{ContactPair, LineContact, PlaneContact, PointContact, SharedVertices, Surface};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::distance::{PointEdge, Region, point_edge};
use smallvec::SmallVec;

/// Contact of a point with the half-plane of this index; `None` unless they are near and may
/// collide.
pub(super) fn over_plane(
    surface: &Surface,
    barriers: &Barriers,
    index: usize,
    point: usize,
    x: &[Vec2],
) -> Option<Detected> {
    let plane = &surface.planes[index];
    let [own, other] = [point, plane.origin].map(|vertex| surface.body[vertex]);
    if barriers.leave_out(own, other) || !surface.images.is_home(point) {
        return None;
    }

    // Where contact is integrated along edges, only points without an edge have one.
    let is_integrated = surface.is_integrated(point, plane.origin);
    if is_integrated && !surface.isolated[point] {
        return None;
    }

    let separation = surface.separation(point, plane.origin);
    let normal = plane.normal_at(x);
    let gap = normal.dot(&(x[point] - x[plane.origin])) - separation;
    let d_hat = barriers.d_hat_between(surface, point, plane.origin);
    if gap >= d_hat || !surface.meet(point, plane.origin) {
        return None;
    }

    if gap <= 0.0 || gap.is_nan() {
        let plane = index;
        return Some(Detected::Touch(ContactPair::Plane { point, plane }));
    }

    // A half-plane that turns is a line through two vertices.
    let weight = surface.weight[point];
    let barrier = if is_integrated {
        barriers.along_edges(own, other)
    } else {
        barriers.between(own, other)
    };
    let curvature = surface.curvature(point, plane.origin);
    if let Some(tip) = plane.along {
        if curvature > 0.0 {
            let line = [plane.origin, tip];
            return edges::circle_over_line(surface, barriers, line, point, x);
        }
        let contact = LineContact {
            weight,
            barrier,
            d_hat,
            separation,
            one_sided: true,
        };
        return Some(Detected::Line([point, plane.origin, tip], contact, gap));
    }
    let contact = PlaneContact {
        normal,
        weight: if curvature > 0.0 {
            surface.thickness
        } else {
            weight
        },
        barrier,
        d_hat,
        separation,
        curvature,
    };
    Some(Detected::Plane([point, plane.origin], contact, gap))
}

/// Edges near a point; few enough to need no allocation.
type Nearby = SmallVec<[Near; 12]>;

/// An edge within the activation distance of a point.
struct Near {
    /// Start and end of the edge.
    edge: [usize; 2],
    /// Nearest point of the edge.
    at: PointEdge,
    /// Activation distance of the pair (m).
    d_hat: f64,
    /// Distance at which the pair touches (m).
    separation: f64,
}

/// Adds the contacts of the point with index `k` in [`Surface::points`] with its candidates
/// `edges`.
pub(super) fn around_point(
    surface: &Surface,
    barriers: &Barriers,
    edges: &[u32],
    k: usize,
    x: &[Vec2],
    list: &mut Vec<Detected>,
) {
    let point = surface.points[k];
    let at = x[point];
    let reach = surface.reach.most_of(surface.body[point]) + surface.min_separation;
    let most = reach + barriers.beyond() + surface.radius[point];
    let mut nearby = Nearby::new();

    for &e in edges {
        // Most edges are too far away for anything that follows.
        let edge = surface.flush.visible(e, surface.edges[e as usize]);
        let [a, b] = edge.map(|end| x[end]);
        let apart = (a.inf(&b) - at).sup(&(at - a.sup(&b))).max();
        if apart > most + surface.radius[edge[0]] {
            continue;
        }

        let bodies = [point, edge[0]].map(|vertex| surface.body[vertex]);
        if barriers.leave_out(bodies[0], bodies[1])
            || !surface.meets_as_point(point, edge)
            || surface.flush.hides(e as usize)
        {
            continue;
        }
        let d_hat = barriers.d_hat_to(surface, point, edge);
        let at = point_edge(at, a, b);
        let separation = surface.separation_to(point, edge);
        if at.distance - separation < d_hat {
            nearby.push(Near {
                edge,
                at,
                d_hat,
                separation,
            });
        }
    }

    if nearby.is_empty() {
        return;
    }

    // Edges whose nearest point is inside come first; their ends follow together.
    for near in &nearby {
        let gap = near.at.distance - near.separation;
        if gap <= 0.0 {
            list.push(Detected::Touch(ContactPair::Edge {
                point,
                edge: near.edge,
            }));
        } else if near.at.region == Region::Interior {
            let contact = LineContact {
                weight: surface.weight[point],
                barrier: barriers.between(surface.body[point], surface.body[near.edge[0]]),
                d_hat: near.d_hat,
                separation: near.separation,
                one_sided: false,
            };
            let [a, b] = near.edge;
            list.push(Detected::Line([point, a, b], contact, gap));
        }
    }

    around_vertices(surface, barriers, point, x, &nearby, list);
}

/// Adds the contacts of a point with the vertices of the edges near it.
///
/// With `m` of the `n` edges at a vertex nearest to the point there, the contact counts `m` times
/// ([`SharedVertices::PerEdge`]) or `m - n + 1` times ([`SharedVertices::Once`]), which may be
/// negative or 0.
fn around_vertices(
    surface: &Surface,
    barriers: &Barriers,
    point: usize,
    x: &[Vec2],
    nearby: &[Near],
    list: &mut Vec<Detected>,
) {
    // Edges side by side in the list end at one vertex.
    let mut ends: SmallVec<[End; 24]> = SmallVec::new();
    for near in nearby {
        ends.extend(near.ends(surface, point));
    }
    ends.sort_unstable();
    for around in ends.chunk_by(End::is_beside) {
        // The vertex counts once for each edge whose nearest point it is, less the overlaps of
        // edges.
        let End { vertex, beside, .. } = around[0];
        let nearest = around.iter().filter(|end| end.is_nearest).count();
        let count = match surface.shared_vertices {
            SharedVertices::PerEdge => nearest as f64,
            SharedVertices::Once => nearest as f64 - around.len() as f64 + 1.0,
        };
        let count = count - surface.flush.less(vertex);

        let separation = surface.separation_to(point, [vertex, beside]);
        let gap = (x[point] - x[vertex]).norm() - separation;
        let d_hat = barriers.d_hat_to(surface, point, [vertex, beside]);
        if gap < d_hat && count != 0.0 {
            // Two isolated vertices are found from one side only.
            let other = if surface.isolated[vertex] {
                surface.weight[vertex]
            } else {
                0.0
            };
            let curvature = surface.curvature_between(point, vertex);
            let weight = if curvature > 0.0 {
                surface.thickness
            } else {
                (surface.weight[point] + other) * count
            };
            let contact = PointContact {
                weight,
                curvature,
                barrier: if curvature > 0.0 {
                    barriers.along_edges(surface.body[point], surface.body[vertex])
                } else {
                    barriers.between(surface.body[point], surface.body[vertex])
                },
                d_hat,
                separation,
                beside,
            };
            list.push(Detected::Point([point, vertex], contact, gap));
        }
    }
}

/// An end of an edge near a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    /// Vertex there.
    vertex: usize,
    /// True if the edge and the point are neighbours along a rod. Its other edges are not counted
    /// together with it, since they touch at another distance.
    is_neighbour: bool,
    /// Vertex at the other end of the edge.
    beside: usize,
    /// True if the vertex is the point of the edge that is nearest.
    is_nearest: bool,
}

impl End {
    /// True if both are counted together: they are one vertex of edges that touch the point at one
    /// distance.
    fn is_beside(&self, other: &Self) -> bool {
        self.vertex == other.vertex && self.is_neighbour == other.is_neighbour
    }
}

impl Near {
    /// Ends of the edge near a point. An isolated vertex has one end.
    fn ends(&self, surface: &Surface, point: usize) -> impl Iterator<Item = End> + use<> {
        let [a, b] = self.edge;
        let is_neighbour = surface.are_neighbours(point, self.edge);

        let start = End {
            vertex: a,
            is_neighbour,
            beside: b,
            is_nearest: self.at.region == Region::Start,
        };
        let end = End {
            vertex: b,
            is_neighbour,
            beside: a,
            is_nearest: self.at.region == Region::End,
        };

        std::iter::once(start).chain((a != b).then_some(end))
    }
}
