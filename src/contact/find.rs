//! Contacts at given positions: all points within the activation distance of an edge, a vertex or a
//! half-plane.
//!
//! The work has two stages. Detection runs in parallel over points and collects a list in a fixed
//! order, whatever the number of threads. The list then fills three sums of energies one after the
//! other. A pair that touches has an infinite energy; it is reported instead.
//!
//! The nearest point of an edge is inside it or at one of its ends. Points over the inside get a
//! [`LineContact`] each. An end mostly belongs to two edges. The ends of all edges near a point are
//! therefore collected first and counted together (see [`SharedVertices`]).

use super::barriers::Barriers;
use super::{
    Candidates, ContactPair, LineContact, PlaneContact, PointContact, SharedVertices, Surface,
};
use crate::energy::{Energy, Summed};
use crate::geometry::distance::{PointEdge, Region, point_edge};
use crate::math::{Vec2, parallel};
use smallvec::SmallVec;

/// All contacts at some positions, each a barrier energy of its vertices.
///
/// Contacts are a snapshot: they hold at the positions at which they were found and nowhere else.
/// Their energies are sums of `w b(g)` with contact length times thickness `w` (m^2), barrier `b`
/// (Pa m) and gap `g` (m).
///
/// ```
/// use ipcsim::contact::barrier::{Barrier, BarrierShape};
/// use ipcsim::contact::{Candidates, Contacts, Surface};
/// use ipcsim::math::Vec2;
///
/// // Vertex 0 lies half of d_hat above the edge from vertex 1 to vertex 2.
/// let surface = Surface {
///     points: vec![0],
///     edges: vec![[1, 2]],
///     weight: vec![0.1; 3],
///     ..Surface::new(vec![0, 1, 1], 0.01)
/// };
/// let barrier = Barrier { shape: BarrierShape::Log, kappa: 1e5 };
/// let x = [Vec2::new(0.0, 0.005), Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
/// let candidates = Candidates::find(&surface, &x, |_| 0.0);
/// let contacts = Contacts::find(&surface, &barrier.into(), &candidates, &x).unwrap();
/// assert_eq!(contacts.lines.stencils, [[0, 1, 2]]);
/// assert!((contacts.min_gap - 0.005).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// Points over the inside of an edge: `[point, edge start, edge end]`. For a half-plane that
    /// turns the edge is `[origin, along]`.
    pub lines: Summed<LineContact, 3>,
    /// Points near a vertex: `[point, vertex]`.
    pub points: Summed<PointContact, 2>,
    /// Points over a half-plane that does not turn: `[point, origin]`.
    pub planes: Summed<PlaneContact, 2>,
    /// Smallest gap of all contacts (m); infinite if there is none.
    pub min_gap: f64,
    /// List of the last detection, kept for its memory.
    detected: Vec<Detected>,
}

/// A contact with its vertices and its gap (m), or a pair that touches.
#[derive(Clone, Debug)]
enum Detected {
    /// A point over the inside of an edge, or over a half-plane that turns.
    Line([usize; 3], LineContact, f64),
    /// A point at a vertex.
    Point([usize; 2], PointContact, f64),
    /// A point over a half-plane that does not turn.
    Plane([usize; 2], PlaneContact, f64),
    /// A pair at a gap of 0 or below.
    Touch(ContactPair),
}

impl Contacts {
    /// Finds all contacts at `x` (m, `[vertices]`), in the order of the surface's half-planes,
    /// points and edges.
    ///
    /// # Errors
    /// Returns the first pair at a gap of 0, or the first vertex on the wrong side of a half-plane.
    pub fn find(
        surface: &Surface,
        barriers: &Barriers,
        candidates: &Candidates,
        x: &[Vec2],
    ) -> Result<Self, ContactPair> {
        let mut contacts = Self::default();
        contacts.renew(surface, barriers, candidates, x)?;
        Ok(contacts)
    }

    /// Replaces these contacts by all contacts at `x` (m, `[vertices]`), in the same memory.
    ///
    /// # Errors
    /// Returns the first pair that touches, as in [`Contacts::find`]. The contacts are then
    /// incomplete.
    pub fn renew(
        &mut self,
        surface: &Surface,
        barriers: &Barriers,
        candidates: &Candidates,
        x: &[Vec2],
    ) -> Result<(), ContactPair> {
        self.lines.clear();
        self.points.clear();
        self.planes.clear();
        self.min_gap = f64::INFINITY;

        let mut detected = std::mem::take(&mut self.detected);
        detected.clear();

        // Every point with every half-plane, then every point with its candidates.
        let count = surface.points.len();
        for index in 0..surface.planes.len() {
            parallel::collect_into(&mut detected, count, |range, list| {
                for k in range {
                    list.extend(over_plane(surface, barriers, index, surface.points[k], x));
                }
            });
        }

        parallel::collect_into(&mut detected, count, |range, list| {
            for k in range {
                around_point(surface, barriers, candidates.edges_near(k), k, x, list);
            }
        });

        let added = self.add_all(&mut detected);
        self.detected = detected;
        added
    }

    /// Takes at least as much memory as `other` has, for contacts that will change places with it.
    pub fn reserve_like(&mut self, other: &Self) {
        self.lines.reserve_like(&other.lines);
        self.points.reserve_like(&other.points);
        self.planes.reserve_like(&other.planes);
        let missing = other
            .detected
            .capacity()
            .saturating_sub(self.detected.len());
        self.detected.reserve(missing);
    }

    /// Adds the contacts of a list until one of them touches.
    ///
    /// # Errors
    /// Returns the first pair that touches.
    fn add_all(&mut self, detected: &mut Vec<Detected>) -> Result<(), ContactPair> {
        for one in detected.drain(..) {
            let gap = match one {
                Detected::Line(stencil, contact, gap) => {
                    self.lines.push(stencil, contact);
                    gap
                }
                Detected::Point(stencil, contact, gap) => {
                    self.points.push(stencil, contact);
                    gap
                }
                Detected::Plane(stencil, contact, gap) => {
                    self.planes.push(stencil, contact);
                    gap
                }
                Detected::Touch(pair) => return Err(pair),
            };

            self.min_gap = self.min_gap.min(gap);
        }
        Ok(())
    }

    /// Contact of `body` with the smallest gap at `x`; `None` if the body has no contact.
    pub fn nearest_of(&self, surface: &Surface, x: &[Vec2], body: usize) -> Option<ContactPair> {
        let is_own =
            |[point, a, _]: &[usize; 3]| [point, a].iter().any(|&&i| surface.body[i] == body);
        let own = self.stencils().filter(is_own);
        let pairs = own.map(|[point, a, b]| ContactPair::new(surface, point, [a, b]));

        // Contacts are few, so their gaps are computed again.
        pairs.min_by(|a, b| a.gap(surface, x).total_cmp(&b.gap(surface, x)))
    }

    /// Vertices of each contact: the point, and both ends of an edge, or twice a vertex or the origin
    /// of a half-plane.
    pub fn stencils(&self) -> impl Iterator<Item = [usize; 3]> {
        let lines = self.lines.stencils.iter().copied();
        let points = self.points.stencils.iter().map(|&[point, v]| [point, v, v]);
        let planes = self.planes.stencils.iter().map(|&[point, o]| [point, o, o]);
        lines.chain(points).chain(planes)
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.lines.stencils.len() + self.points.stencils.len() + self.planes.stencils.len()
    }

    /// True if nothing is in contact.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Potentials of the positions, to be summed in this order: contacts of points with edges, with
    /// vertices, and with half-planes.
    pub fn energies(&self) -> [&dyn Energy; 3] {
        [&self.lines, &self.points, &self.planes]
    }
}

/// Contact of a point with the half-plane of this index; `None` unless they are near and may
/// collide.
fn over_plane(
    surface: &Surface,
    barriers: &Barriers,
    index: usize,
    point: usize,
    x: &[Vec2],
) -> Option<Detected> {
    let plane = &surface.planes[index];
    let separation = surface.separation(point, plane.origin);
    let normal = plane.normal_at(x);
    let gap = normal.dot(&(x[point] - x[plane.origin])) - separation;
    let d_hat = surface.d_hat_between(point, plane.origin);
    if gap >= d_hat || !surface.meet(point, plane.origin) {
        return None;
    }

    if gap <= 0.0 || gap.is_nan() {
        let plane = index;
        return Some(Detected::Touch(ContactPair::Plane { point, plane }));
    }

    // A half-plane that turns is a line through two vertices.
    let weight = surface.weight[point];
    let barrier = barriers.between(surface.body[point], surface.body[plane.origin]);
    if let Some(tip) = plane.along {
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
        weight,
        barrier,
        d_hat,
        separation,
    };
    Some(Detected::Plane([point, plane.origin], contact, gap))
}

/// Edges near a point; few enough to need no memory of their own.
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
fn around_point(
    surface: &Surface,
    barriers: &Barriers,
    edges: &[u32],
    k: usize,
    x: &[Vec2],
    list: &mut Vec<Detected>,
) {
    let point = surface.points[k];
    let mut nearby = Nearby::new();

    for &e in edges {
        let edge = surface.edges[e as usize];
        let d_hat = surface.d_hat_between(point, edge[0]);
        let at = point_edge(x[point], x[edge[0]], x[edge[1]]);
        let separation = surface.separation(point, edge[0]);
        if at.distance - separation < d_hat {
            nearby.push(Near {
                edge,
                at,
                d_hat,
                separation,
            });
        }
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
    let mut ends: SmallVec<[End; 24]> = nearby.iter().flat_map(Near::ends).collect();
    ends.sort_unstable();
    for around in ends.chunk_by(|a, b| a.vertex == b.vertex) {
        // The vertex counts once for each edge whose nearest point it is, less the overlaps of
        // edges.
        let End { vertex, beside, .. } = around[0];
        let nearest = around.iter().filter(|end| end.is_nearest).count();
        let count = match surface.shared_vertices {
            SharedVertices::PerEdge => nearest as f64,
            SharedVertices::Once => nearest as f64 - around.len() as f64 + 1.0,
        };

        let separation = surface.separation(point, vertex);
        let gap = (x[point] - x[vertex]).norm() - separation;
        let d_hat = surface.d_hat_between(point, vertex);
        if gap < d_hat && count != 0.0 {
            // Two isolated vertices are found from one side only.
            let other = if surface.isolated[vertex] {
                surface.weight[vertex]
            } else {
                0.0
            };
            let contact = PointContact {
                weight: (surface.weight[point] + other) * count,
                barrier: barriers.between(surface.body[point], surface.body[vertex]),
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
    /// Vertex at the other end of the edge.
    beside: usize,
    /// True if the vertex is the point of the edge that is nearest.
    is_nearest: bool,
}

impl Near {
    /// Ends of the edge. An isolated vertex has one end.
    fn ends(&self) -> impl Iterator<Item = End> {
        let [a, b] = self.edge;
        let start = End {
            vertex: a,
            beside: b,
            is_nearest: self.at.region == Region::Start,
        };
        let end = End {
            vertex: b,
            beside: a,
            is_nearest: self.at.region == Region::End,
        };
        std::iter::once(start).chain((a != b).then_some(end))
    }
}
