//! Contacts at given positions: every point nearer than `d_hat` to an edge, a vertex or a half-plane.

use super::{
    Candidates, ContactPair, LineContact, PlaneContact, PointContact, SharedVertices, Surface,
};
use crate::contact::barrier::Barrier;
use crate::energy::{Energy, Summed};
use crate::geometry::distance::{PointEdge, Region, point_edge};
use crate::math::{Vec2, parallel};
use smallvec::SmallVec;

/// The barrier energy of everything in contact at some positions.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// Points over the inside of an edge: `[point, edge start, edge end]`.
    pub lines: Summed<LineContact, 3>,
    /// Points at a vertex: `[point, vertex]`.
    pub points: Summed<PointContact, 2>,
    /// Points over a half-plane: `[point, origin]`.
    pub planes: Summed<PlaneContact, 2>,
    /// The smallest distance among them (m), infinite without contact.
    pub min_gap: f64,
    found: Vec<Found>,
}

#[derive(Clone, Debug)]
enum Found {
    Line([usize; 3], LineContact, f64),
    Point([usize; 2], PointContact, f64),
    Plane([usize; 2], PlaneContact, f64),
    Touch(ContactPair),
}

impl Contacts {
    /// All contacts at `x`, in the order of the surface's half-planes, points and edges.
    ///
    /// # Errors
    /// The first pair at distance 0, or the first vertex on the wrong side of a half-plane.
    pub fn find(
        surface: &Surface,
        barrier: Barrier,
        candidates: &Candidates,
        x: &[Vec2],
    ) -> Result<Self, ContactPair> {
        let mut contacts = Self::default();
        contacts.renew(surface, barrier, candidates, x)?;
        Ok(contacts)
    }

    /// Replaces these contacts by all those at `x`, in the same memory.
    ///
    /// # Errors
    /// As [`Contacts::find`]; then these are not all.
    pub fn renew(
        &mut self,
        surface: &Surface,
        barrier: Barrier,
        candidates: &Candidates,
        x: &[Vec2],
    ) -> Result<(), ContactPair> {
        self.lines.clear();
        self.points.clear();
        self.planes.clear();
        self.min_gap = f64::INFINITY;
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        for (index, _) in surface.planes.iter().enumerate() {
            parallel::collect_into(&mut found, surface.points.len(), |range, list| {
                list.extend(
                    range.filter_map(|k| over_plane(surface, barrier, index, surface.points[k], x)),
                );
            });
        }
        parallel::collect_into(&mut found, surface.points.len(), |range, list| {
            for k in range {
                around_point(surface, barrier, candidates.edges_near(k), k, x, list);
            }
        });
        let taken = self.take(&mut found);
        self.found = found;
        taken
    }

    fn take(&mut self, found: &mut Vec<Found>) -> Result<(), ContactPair> {
        for one in found.drain(..) {
            let gap = match one {
                Found::Line(stencil, contact, gap) => {
                    self.lines.push(stencil, contact);
                    gap
                }
                Found::Point(stencil, contact, gap) => {
                    self.points.push(stencil, contact);
                    gap
                }
                Found::Plane(stencil, contact, gap) => {
                    self.planes.push(stencil, contact);
                    gap
                }
                Found::Touch(touch) => return Err(touch),
            };
            self.min_gap = self.min_gap.min(gap);
        }
        Ok(())
    }

    /// The contact of `body` with the smallest gap.
    pub fn nearest_of(&self, surface: &Surface, x: &[Vec2], body: usize) -> Option<ContactPair> {
        let touch = |point: usize, edge: [usize; 2]| {
            ([point, edge[0]], ContactPair::new(surface, point, edge))
        };
        let lines = self
            .lines
            .stencils
            .iter()
            .map(|&[point, a, b]| touch(point, [a, b]));
        let points = self
            .points
            .stencils
            .iter()
            .map(|&[point, v]| touch(point, [v, v]));
        let planes = self
            .planes
            .stencils
            .iter()
            .map(|&[point, origin]| touch(point, [origin, origin]));
        let own = lines
            .chain(points)
            .chain(planes)
            .filter(|(pair, _)| pair.iter().any(|&i| surface.body[i] == body));
        own.map(|(_, touch)| (touch.gap(surface, x), touch))
            .min_by(|(a, _), (b, _)| a.total_cmp(b))
            .map(|(_, t)| t)
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.lines.stencils.len() + self.points.stencils.len() + self.planes.stencils.len()
    }

    /// Whether nothing is in contact.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Renamed [`Contacts::energies`].
    pub fn parts(&self) -> [&dyn Energy; 3] {
        self.energies()
    }

    /// Potentials of the positions, to be summed in this order: contacts of points with edges, with vertices, and with
    /// half-planes.
    pub fn energies(&self) -> [&dyn Energy; 3] {
        [&self.lines, &self.points, &self.planes]
    }
}

fn over_plane(
    surface: &Surface,
    barrier: Barrier,
    index: usize,
    point: usize,
    x: &[Vec2],
) -> Option<Found> {
    let plane = &surface.planes[index];
    let separation = surface.separation(point, plane.origin);
    let normal = plane.normal_at(x);
    let gap = normal.dot(&(x[point] - x[plane.origin])) - separation;
    if gap >= surface.d_hat || !surface.meet(point, plane.origin) {
        return None;
    }
    if gap > 0.0 {
        let (weight, d_hat) = (surface.weight[point], surface.d_hat);
        Some(if let Some(tip) = plane.along {
            let contact = LineContact {
                weight,
                barrier,
                d_hat,
                separation,
                one_sided: true,
            };
            Found::Line([point, plane.origin, tip], contact, gap)
        } else {
            Found::Plane(
                [point, plane.origin],
                PlaneContact {
                    normal,
                    weight,
                    barrier,
                    d_hat,
                    separation,
                },
                gap,
            )
        })
    } else {
        Some(Found::Touch(ContactPair::Plane {
            point,
            plane: index,
        }))
    }
}

/// Edges in reach of a point, which are few.
type Nearby = SmallVec<[Near; 12]>;

/// An edge in reach of a point.
struct Near {
    edge: [usize; 2],
    at: PointEdge,
    d_hat: f64,
    separation: f64,
}

fn around_point(
    surface: &Surface,
    barrier: Barrier,
    edges: &[u32],
    k: usize,
    x: &[Vec2],
    list: &mut Vec<Found>,
) {
    let point = surface.points[k];
    let mut near = Nearby::new();
    for &e in edges {
        let edge = surface.edges[e as usize];
        let d_hat = surface.d_hat_between(surface.body[point], surface.body[edge[0]]);
        let at = point_edge(x[point], x[edge[0]], x[edge[1]]);
        let separation = surface.separation(point, edge[0]);
        if at.distance - separation < d_hat {
            near.push(Near {
                edge,
                at,
                d_hat,
                separation,
            });
        }
    }
    let weight = surface.weight[point];
    for &Near {
        edge,
        at,
        d_hat,
        separation,
    } in &near
    {
        let gap = at.distance - separation;
        if gap <= 0.0 {
            list.push(Found::Touch(ContactPair::Edge { point, edge }));
        } else if at.region == Region::Interior {
            let contact = LineContact {
                weight,
                barrier,
                d_hat,
                separation,
                one_sided: false,
            };
            list.push(Found::Line([point, edge[0], edge[1]], contact, gap));
        }
    }
    around_vertices(surface, barrier, point, x, &near, list);
}

/// Adds the contacts of `point` with the vertices of the edges near it.
fn around_vertices(
    surface: &Surface,
    barrier: Barrier,
    point: usize,
    x: &[Vec2],
    near: &[Near],
    list: &mut Vec<Found>,
) {
    // Each end of each edge, and whether it is the nearest point of the edge; a isolated vertex has one end.
    let mut ends: SmallVec<[(usize, bool); 24]> = near.iter().flat_map(Near::ends).collect();
    ends.sort_unstable();
    for beside in ends.chunk_by(|a, b| a.0 == b.0) {
        let vertex = beside[0].0;
        let nearest = beside.iter().filter(|end| end.1).count();
        let count = match surface.shared_vertices {
            SharedVertices::PerEdge => nearest as f64,
            SharedVertices::Once => nearest as f64 - beside.len() as f64 + 1.0,
        };
        let separation = surface.separation(point, vertex);
        let gap = (x[point] - x[vertex]).norm() - separation;
        let d_hat = surface.d_hat_between(surface.body[point], surface.body[vertex]);
        if gap < d_hat && count != 0.0 {
            // Two isolated vertices are found from one side only.
            let own = surface.weight[point]
                + if surface.isolated[vertex] {
                    surface.weight[vertex]
                } else {
                    0.0
                };
            let contact = PointContact {
                weight: own * count,
                barrier,
                d_hat,
                separation,
            };
            list.push(Found::Point([point, vertex], contact, gap));
        }
    }
}

impl Near {
    fn ends(&self) -> impl Iterator<Item = (usize, bool)> {
        let [a, b] = self.edge;
        let end = (a != b).then_some((b, self.at.region == Region::End));
        std::iter::once((a, self.at.region == Region::Start)).chain(end)
    }
}
