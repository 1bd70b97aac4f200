//! Contacts at given positions: all points within the activation distance of an edge, a vertex or a
//! half-plane.
//!
//! The work has two stages. Detection runs in parallel over points and collects a list in a fixed
//! order, whatever the number of threads. The list then fills three sums of energies one after the
//! other. A pair that touches has an infinite energy; it is reported instead.
//!
//! Contact between two bodies is found along edges where the surface asks for it, and otherwise, as
//! within a body, at vertices.

mod edges;
mod vertices;

use super::barriers::Barriers;
use super::{
    Candidates, ContactPair, CornerContact, FloorContact, LineContact, PlaneContact, PointContact,
    StripContact, Surface,
};
use ipcsim_energy::{Energy, Summed};
use ipcsim_math::{Vec2, parallel};

/// All contacts at some positions, each a barrier energy of its vertices.
///
/// Contacts are a snapshot: they hold at the positions at which they were found and nowhere else.
/// Their energies are sums of `w b(g)` with contact length times thickness `w` (m^2), barrier `b`
/// (Pa m) and gap `g` (m).
///
/// ```
/// use ipcsim_contact::barrier::{Barrier, BarrierShape};
/// use ipcsim_contact::{Candidates, Contacts, Surface};
/// use ipcsim_math::Vec2;
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
    /// Pieces of edges over the inside of an edge: `[start, end, other start, other end]`. For a
    /// half-plane that turns the other edge is `[origin, along]`.
    pub strips: Summed<StripContact, 4>,
    /// Pieces of edges near a vertex or a circle: `[start, end, vertex]`.
    pub corners: Summed<CornerContact, 3>,
    /// Pieces of edges over a half-plane that does not turn: `[start, end, origin]`.
    pub floors: Summed<FloorContact, 3>,
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
    /// A piece of an edge over the inside of another, or over a half-plane that turns.
    Strip([usize; 4], StripContact, f64),
    /// A piece of an edge near a vertex.
    Corner([usize; 3], CornerContact, f64),
    /// A piece of an edge over a half-plane that does not turn.
    Floor([usize; 3], FloorContact, f64),
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
        self.strips.clear();
        self.corners.clear();
        self.floors.clear();
        self.min_gap = f64::INFINITY;

        let mut detected = std::mem::take(&mut self.detected);
        detected.clear();

        // Points with half-planes, then every point with its candidates.
        let count = surface.points.len();
        for index in 0..surface.planes.len() {
            let near = candidates.points_over(index);
            parallel::collect_into(&mut detected, near.len(), |range, list| {
                for &k in &near[range] {
                    let point = surface.points[k as usize];
                    list.extend(vertices::over_plane(surface, barriers, index, point, x));
                }
            });
        }

        parallel::collect_into(&mut detected, count, |range, list| {
            for k in range {
                vertices::around_point(surface, barriers, candidates.edges_near(k), k, x, list);
            }
        });

        if !surface.edge_area.is_empty() {
            detect_along_edges(surface, barriers, candidates, x, &mut detected);
        }

        let added = self.add_all(&mut detected);
        self.detected = detected;
        added
    }

    /// Takes at least as much memory as `other` has, for contacts that will change places with it.
    pub fn reserve_like(&mut self, other: &Self) {
        self.lines.reserve_like(&other.lines);
        self.points.reserve_like(&other.points);
        self.planes.reserve_like(&other.planes);
        self.strips.reserve_like(&other.strips);
        self.corners.reserve_like(&other.corners);
        self.floors.reserve_like(&other.floors);
        let missing = other
            .detected
            .capacity()
            .saturating_sub(self.detected.len());
        self.detected.reserve_exact(missing);
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
                Detected::Strip(stencil, contact, gap) => {
                    self.strips.push(stencil, contact);
                    gap
                }
                Detected::Corner(stencil, contact, gap) => {
                    self.corners.push(stencil, contact);
                    gap
                }
                Detected::Floor(stencil, contact, gap) => {
                    self.floors.push(stencil, contact);
                    gap
                }
                Detected::Touch(pair) => return Err(pair),
            };

            self.min_gap = self.min_gap.min(gap);
        }
        Ok(())
    }

    /// Contact of `body` with the smallest gap at `x`, with another body if there is one: a body
    /// that is pressed flat touches itself because another one presses it. `None` if the body has
    /// no contact.
    pub fn nearest_of(&self, surface: &Surface, x: &[Vec2], body: usize) -> Option<ContactPair> {
        let pairs = self
            .pairs(surface)
            .filter(|pair| pair.bodies(surface).contains(&body));

        // Contacts are few, so their gaps are computed again.
        let is_own = |pair: &ContactPair| pair.bodies(surface) == [body; 2];
        pairs.min_by(|a, b| {
            let gaps = [a, b].map(|pair| pair.gap(surface, x));
            is_own(a).cmp(&is_own(b)).then(gaps[0].total_cmp(&gaps[1]))
        })
    }

    /// The two sides of each contact.
    pub fn pairs<'a>(&'a self, surface: &'a Surface) -> impl Iterator<Item = ContactPair> + 'a {
        let lines = self.lines.stencils.iter().copied();
        let points = self.points.stencils.iter().map(|&[point, v]| [point, v, v]);
        let planes = self.planes.stencils.iter().map(|&[point, o]| [point, o, o]);
        let corners = self.corners.stencils.iter().map(|&[a, b, v]| [v, a, b]);
        let of_vertices = lines.chain(points).chain(planes).chain(corners);

        let strips = self.strips.stencils.iter().copied();
        let floors = self.floors.stencils.iter().map(|&[a, b, o]| [a, b, o, o]);
        let of_edges = strips.chain(floors);
        of_vertices
            .map(|[point, a, b]| ContactPair::new(surface, point, [a, b]))
            .chain(of_edges.map(|[a, b, c, d]| ContactPair::of_edges(surface, [a, b], [c, d])))
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        let of_vertices =
            self.lines.stencils.len() + self.points.stencils.len() + self.planes.stencils.len();
        let of_edges =
            self.strips.stencils.len() + self.corners.stencils.len() + self.floors.stencils.len();
        of_vertices + of_edges
    }

    /// True if nothing is in contact.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Potentials of the positions, to be summed in this order: contacts of points with edges, with
    /// vertices, and with half-planes, then pieces of edges with edges, vertices and half-planes.
    pub fn energies(&self) -> [&dyn Energy; 6] {
        [
            &self.lines,
            &self.points,
            &self.planes,
            &self.strips,
            &self.corners,
            &self.floors,
        ]
    }
}

/// Adds the contacts of all edges with half-planes and with edges of other bodies.
fn detect_along_edges(
    surface: &Surface,
    barriers: &Barriers,
    candidates: &Candidates,
    x: &[Vec2],
    detected: &mut Vec<Detected>,
) {
    for index in 0..surface.planes.len() {
        let near = candidates.edges_over(index);
        parallel::collect_into(detected, near.len(), |range, list| {
            for &k in &near[range] {
                let k = k as usize;
                list.extend(edges::edge_over_plane(surface, barriers, index, k, x));
            }
        });
    }

    parallel::collect_into(detected, surface.edges.len(), |range, list| {
        for k in range {
            let near = candidates.edges_along(k);
            edges::around_edge(surface, barriers, near, k, x, list);
        }
    });
}

#[cfg(test)]
mod tests;
