//! Pairs of points and edges that may come near each other.
//!
//! The broad phase compares boxes, which is the only search over the whole surface. Boxes are grown
//! by margins, so that the pairs hold while vertices move inside; a step searches again only when a
//! vertex leaves its margin. Larger margins give rarer searches and longer lists.
//!
//! Most directions of a step are much shorter than the step itself. They look at a list with smaller
//! margins, which [`Candidates::narrow_to`] picks from the one of the step without a search.

mod groups;
mod over_plane;

use self::groups::Groups;
use self::over_plane::OverPlane;
use super::Surface;
use super::sliced_candidates::SlicedCandidates;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::geometry::path::Sweep;
use ipcsim_math::{Vec2, parallel};
use std::sync::Arc;

/// Pairs of points and edges of a [`Surface`], and of both with its half-planes, that may come into
/// contact while vertices stay within margins.
///
/// One search by the broad phase serves many evaluations: the pairs hold as long as every vertex
/// `i` stays in the box of half-width `margin[i]` around `reference[i]`. [`super::Contacts::find`],
/// [`super::max_step`], [`super::is_free`] and [`super::keeps_gaps`] look at these pairs only, so
/// [`Candidates::cover`] must hold for positions and motions given to them.
///
/// ```
/// use ipcsim_contact::{Candidates, Surface};
/// use ipcsim_math::geometry::path::Sweep;
/// use ipcsim_math::Vec2;
///
/// // Vertex 0 lies 5 cm above the edge from vertex 1 to vertex 2; d_hat is 1 cm.
/// let surface = Surface {
///     points: vec![0],
///     edges: vec![[1, 2]],
///     ..Surface::new(vec![0, 1, 1], 0.01)
/// };
/// let x = [Vec2::new(0.0, 0.05), Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
/// assert!(Candidates::find(&surface, &x, |_| 0.0).is_empty());
///
/// // With margins of 10 cm the pair may come near.
/// let candidates = Candidates::find(&surface, &x, |_| 0.1);
/// assert_eq!(candidates.edges_near(0), [0]);
/// let end = [Vec2::new(0.0, 0.01), x[1], x[2]];
/// assert!(candidates.cover(&Sweep::straight(&x, &end)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Where the pairs were found.
    found_at: Arc<FoundAt>,
    /// Edges near each point, grouped by point.
    edges: Groups,
    /// Edges of other bodies near each edge, grouped by edge; empty unless contact is integrated, and
    /// until [`Candidates::pair_edges`].
    along: Groups,
    /// Number of each vertex in [`Surface::points`], `[vertices]`; [`NO_POINT`] for others. A buffer.
    number: Vec<u32>,
    /// Points and edges that may come near each half-plane, `[half-planes]`.
    planes: Vec<OverPlane>,
    /// Boxes of this list, a buffer.
    boxes: Boxes,
}

/// Number of a vertex that is not a point of the surface.
const NO_POINT: u32 = u32::MAX;

/// Boxes in which points and edges stay, and where they give force to each other.
#[derive(Clone, Debug, Default)]
struct Boxes {
    /// Boxes of the points with the largest distance at which they repel an edge, `[points]`.
    points: Vec<Aabb>,
    /// Boxes of the edges, `[edges]`.
    edges: Vec<Aabb>,
}

/// Where the pairs of [`Candidates`] were found, and how far they hold. The pairs depend on nothing
/// else.
#[derive(Clone, Debug, Default)]
pub struct FoundAt {
    /// Positions at which the pairs were found (m), `[vertices]`.
    pub reference: Vec<Vec2>,
    /// Distance that each vertex may move from there along each axis (m), `[vertices]`.
    pub margin: Vec<f64>,
}

impl Candidates {
    /// Finds all pairs that may come within `d_hat` while vertex `i` moves by at most `margin(i)`
    /// (m) along each axis from `x`.
    pub fn find(surface: &Surface, x: &[Vec2], margin: impl Fn(usize) -> f64) -> Self {
        let mut found = Self::default();
        found.renew(surface, x, margin);
        found.pair_edges(surface);
        found
    }

    /// Replaces these pairs by the pairs that [`find`](Self::find) finds, in the same memory, but
    /// for pairs of edges: [`pair_edges`](Self::pair_edges) adds them.
    pub fn renew(&mut self, surface: &Surface, x: &[Vec2], margin: impl Fn(usize) -> f64) {
        let margin = (0..x.len()).map(margin).collect();
        let found_at = FoundAt::new(x, margin);
        if surface.points.is_empty() {
            *self = Self {
                found_at,
                ..Self::default()
            };
            return;
        }
        self.found_at = found_at;
        let mut boxes = Boxes::default();
        boxes.renew(surface, self);

        // Pairs are sorted by point.
        let Boxes { points, edges } = &boxes;
        let pairs = surface
            .broad_phase
            .pairs_where(points, edges, |point, edge| {
                surface.is_pair(surface.points[point as usize], surface.edges[edge as usize])
            });
        self.edges.take_sorted(surface.points.len(), &pairs);
        self.along.clear();

        let mut planes = std::mem::take(&mut self.planes);
        planes.resize_with(surface.planes.len(), OverPlane::default);
        for (index, plane) in planes.iter_mut().enumerate() {
            plane.find(surface, index, self);
        }
        self.planes = planes;
    }

    /// Makes this the part of the list `wide` that holds while vertex `i` moves by at most
    /// `margin(i)` (m) along each axis from `x`, in memory that has been used before. It has no pairs
    /// of edges, until [`pair_edges`](Self::pair_edges).
    ///
    /// `margin(i, most)` gets the largest margin for which `wide` has all pairs. Beyond that margin
    /// the list is only as complete as `wide`.
    pub fn narrow_to(
        &mut self,
        wide: &Self,
        surface: &Surface,
        x: &[Vec2],
        margin: impl Fn(usize, f64) -> f64,
    ) {
        let all = &*wide.found_at;
        let most = |i: usize| all.margin[i] - (x[i] - all.reference[i]).amax();
        let found_at = Arc::make_mut(&mut self.found_at);
        found_at.reference.clear();
        found_at.reference.extend_from_slice(x);
        found_at.margin.clear();
        found_at
            .margin
            .extend((0..x.len()).map(|i| margin(i, most(i))));

        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.renew(surface, self);
        let Boxes { points, edges } = &boxes;
        self.edges.pick(&wide.edges, |point, edge| {
            points[point].overlaps(&edges[edge as usize])
        });
        self.along.clear();
        self.boxes = boxes;

        let mut planes = std::mem::take(&mut self.planes);
        planes.resize_with(wide.planes.len(), OverPlane::default);
        for (index, (plane, wide)) in planes.iter_mut().zip(&wide.planes).enumerate() {
            plane.pick(wide, surface, index, self);
        }
        self.planes = planes;
    }

    /// Leaves out pairs of points and edges that a motion does not bring near each other at one
    /// time. From then on the pairs hold only for this motion. Nothing happens where that would
    /// cost more than it saves.
    ///
    /// This concerns bodies that turn far: boxes around their paths hold nearly all of them.
    pub fn keep_on_way(&mut self, surface: &Surface, motion: &Sweep) {
        let Some(way) = SlicedCandidates::of(motion) else {
            return;
        };
        let turns = |point: usize, edge: usize| {
            way.turns(surface.points[point]) || way.turns(surface.edges[edge][0])
        };

        // Pairs of bodies that turn far are searched for, the others stay.
        let all = self.edges.pairs();
        let (searched, mut kept): (Vec<_>, Vec<_>) =
            all.partition(|&(point, edge)| turns(point as usize, edge as usize));
        let members = |member: fn(&(u32, u32)) -> u32| {
            let mut members: Vec<u32> = searched.iter().map(member).collect();
            members.sort_unstable();
            members.dedup();
            members
        };
        let (points, edges) = (members(|pair| pair.0), members(|pair| pair.1));
        if !SlicedCandidates::is_worth(searched.len(), points.len(), edges.len()) {
            return;
        }

        let vertices: Vec<usize> = points.iter().map(|&k| surface.points[k as usize]).collect();
        let ends: Vec<[usize; 2]> = edges.iter().map(|&e| surface.edges[e as usize]).collect();
        let room = |i: usize| reach_of(surface, i) + surface.radius[i];
        let found = way.pairs(&vertices, &ends, room, |i, j| {
            let (point, edge) = (points[i as usize] as usize, edges[j as usize] as usize);
            turns(point, edge) && surface.is_pair(surface.points[point], surface.edges[edge])
        });
        let found = found
            .into_iter()
            .map(|(i, j)| (points[i as usize], edges[j as usize]));
        kept.extend(found);
        parallel::sort(&mut kept);

        self.edges.take_sorted(surface.points.len(), &kept);
        Arc::make_mut(&mut self.found_at).reference.clear();
    }

    /// Where the pairs were found.
    pub fn found_at(&self) -> &Arc<FoundAt> {
        &self.found_at
    }

    /// True if all vertices stay within their margins throughout a motion, or if nothing collides.
    /// False if the motion has another number of vertices.
    pub fn cover(&self, motion: &Sweep) -> bool {
        let Sweep { start, end, .. } = motion;
        let FoundAt { reference, margin } = &*self.found_at;
        if start.len() != reference.len() {
            return false;
        }
        if self.edges.has_no_owners() {
            return true;
        }

        // A curved path deviates from the chord between its ends.
        let excess = parallel::max(start.len(), f64::NEG_INFINITY, |i| {
            let at_start = (start[i] - reference[i]).amax();
            let at_end = (end[i] - reference[i]).amax();
            at_start.max(at_end) + motion.deviation(i) - margin[i]
        });
        excess <= 0.0
    }

    /// Finds the pairs of edges from pairs of points and edges, if contact is integrated along
    /// edges: where two edges are nearest to each other, one of them has an end.
    pub fn pair_edges(&mut self, surface: &Surface) {
        if surface.edge_area.is_empty() {
            return;
        }
        let near = EdgesNearEnds::new(surface, &self.edges, &mut self.number);
        let edges = surface.edges.len();
        let is_isolated = |k: u32| {
            let [a, b] = surface.edges[k as usize];
            a == b
        };
        self.along.renew(edges, |visit| {
            // Isolated vertices have no length to integrate along.
            near.for_each(|_, own, other| {
                if !is_isolated(own) {
                    visit(own, other);
                }
                if !is_isolated(other) {
                    visit(other, own);
                }
            });
        });
    }

    /// Edges of other bodies that may come near the edge with index `k` in [`Surface::edges`], as
    /// indices there. Empty unless contact is integrated along edges.
    pub fn edges_along(&self, k: usize) -> &[u32] {
        self.along.of(k)
    }

    /// Edges that may come near the point with index `k` in [`Surface::points`], as indices into
    /// [`Surface::edges`].
    pub fn edges_near(&self, k: usize) -> &[u32] {
        self.edges.of(k)
    }

    /// Points that may come near the half-plane with this index, as indices into
    /// [`Surface::points`].
    pub fn points_over(&self, plane: usize) -> &[u32] {
        self.planes.get(plane).map_or(&[], |over| &over.points)
    }

    /// Edges that may come near the half-plane with this index, as indices into
    /// [`Surface::edges`]. Empty unless contact is integrated along edges.
    pub fn edges_over(&self, plane: usize) -> &[u32] {
        self.planes.get(plane).map_or(&[], |over| &over.edges)
    }

    /// Vertex pairs whose blocks of the Hessian are filled once all points within `reach` times
    /// `d_hat` of an edge are in contact. A matrix with these blocks serves while contacts change a
    /// little.
    pub fn blocks_within(&self, surface: &Surface, x: &[Vec2], reach: f64) -> Vec<[usize; 2]> {
        let mut blocks = self.blocks_of_points(surface, x, reach);
        let mut number = Vec::new();
        let near = EdgesNearEnds::new(surface, &self.edges, &mut number);
        near.for_each(|point, own, other| {
            let [own, other] = [own, other].map(|k| surface.edges[k as usize]);
            let d_hat = surface.most_d_hat(own[0], other[0]);
            if gap_to(surface, x, point, other) < reach * d_hat {
                blocks.extend(own.map(|end| [end, other[0]]));
                blocks.extend(own.map(|end| [end, other[1]]));
            }
        });
        blocks
    }

    /// Blocks of points that are within `reach` times `d_hat` of an edge.
    fn blocks_of_points(&self, surface: &Surface, x: &[Vec2], reach: f64) -> Vec<[usize; 2]> {
        parallel::collect(surface.points.len(), |range, list| {
            for k in range {
                let point = surface.points[k];
                for &e in self.edges_near(k) {
                    let [a, b] = surface.edges[e as usize];
                    let d_hat = surface.most_d_hat_to(point, [a, b]);
                    if gap_to(surface, x, point, [a, b]) < reach * d_hat {
                        list.extend([[point, a], [point, b]]);
                    }
                }
            }
        })
    }

    /// Number of pairs of a point and an edge.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// True without pairs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Boxes {
    /// Makes these the boxes in which points and edges stay within the margins of `candidates`.
    fn renew(&mut self, surface: &Surface, candidates: &Candidates) {
        let FoundAt { reference, margin } = &*candidates.found_at;
        let within = |i: usize| Aabb::around([reference[i]]).grown(margin[i]);

        self.points.clear();
        self.points.extend(surface.points.iter().map(|&i| {
            let reach = reach_of(surface, i) + surface.radius[i];
            within(i).grown(reach)
        }));

        self.edges.clear();
        self.edges.extend(surface.edges.iter().map(|&[a, b]| {
            let both = within(a).union(&within(b));
            both.grown(surface.radius[a])
        }));
    }
}

/// Gap between a point and an edge (m).
fn gap_to(surface: &Surface, x: &[Vec2], point: usize, [a, b]: [usize; 2]) -> f64 {
    point_edge(x[point], x[a], x[b]).distance - surface.separation_to(point, [a, b])
}

/// Largest distance at which a vertex repels others, without the radii of strands (m).
fn reach_of(surface: &Surface, vertex: usize) -> f64 {
    surface.reach.most_of(surface.body[vertex]) + surface.min_separation
}

impl FoundAt {
    /// Positions `x` (m) with the margin of each vertex (m), both `[vertices]`.
    fn new(x: &[Vec2], margin: Vec<f64>) -> Arc<Self> {
        Arc::new(Self {
            reference: x.to_vec(),
            margin,
        })
    }
}

/// Pairs of edges where an end of one is near the other, from pairs of points and edges.
struct EdgesNearEnds<'a> {
    surface: &'a Surface,
    /// Edges near each point, grouped by point.
    edges: &'a Groups,
    /// Number of each vertex in [`Surface::points`]; none has one unless contact is integrated.
    number: &'a [u32],
}

impl<'a> EdgesNearEnds<'a> {
    /// Pairs from the `edges` near each point, with the numbers of all points in the buffer `number`.
    fn new(surface: &'a Surface, edges: &'a Groups, number: &'a mut Vec<u32>) -> Self {
        number.clear();
        if !surface.edge_area.is_empty() {
            number.resize(surface.body.len(), NO_POINT);
            for (k, &point) in (0..).zip(&surface.points) {
                number[point] = k;
            }
        }
        Self {
            surface,
            edges,
            number,
        }
    }

    /// Calls `visit(end, edge, other)` for each end of an edge and each other edge near it whose contact
    /// with the first is integrated.
    fn for_each(&self, mut visit: impl FnMut(usize, u32, u32)) {
        if self.number.is_empty() {
            return;
        }

        for (own, &[a, b]) in (0..).zip(&self.surface.edges) {
            let ends = if a == b { &[a][..] } else { &[a, b][..] };
            for &end in ends.iter().filter(|&&end| self.number[end] != NO_POINT) {
                for &other in self.edges.of(self.number[end] as usize) {
                    let [first, _] = self.surface.edges[other as usize];
                    if self.surface.is_integrated(end, first) {
                        visit(end, own, other);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::{Barrier, BarrierShape};
    use crate::{Contacts, HalfPlane, max_step};
    use proptest::prelude::*;

    fn vec2() -> impl Strategy<Value = Vec2> {
        (-1.0_f64..1.0, 0.0_f64..2.0).prop_map(|(x, y)| Vec2::new(x, y))
    }

    proptest! {
        #[test]
        fn the_near_part_of_a_list_has_the_same_contacts_and_bounds(
            x in prop::collection::vec(vec2(), 13..=13),
            way in prop::collection::vec(vec2(), 13..=13),
            share in 0.0_f64..0.2,
            along_edges: bool,
        ) {
            // Six edges of two bodies over a half-plane, whose origin is the last vertex. Contact
            // acts at points, or is integrated along edges.
            let surface = Surface {
                points: (0..12).collect(),
                edges: (0..6).map(|k| [2 * k, 2 * k + 1]).collect(),
                weight: vec![0.1; 13],
                edge_area: vec![0.1; if along_edges { 6 } else { 0 }],
                integrated: vec![along_edges; 3],
                planes: vec![HalfPlane { normal: Vec2::y(), origin: 12, along: None }],
                ..Surface::new((0..13).map(|i| i / 6).collect(), 0.2)
            };
            let mut x = x;
            x[12] = Vec2::new(0.0, -0.01);
            let step = |i: usize| if i < 12 { (way[i] - Vec2::y()) * share } else { Vec2::zeros() };
            let end: Vec<Vec2> = (0..13).map(|i| x[i] + step(i)).collect();
            let motion = Sweep::straight(&x, &end);

            let wide = Candidates::find(&surface, &x, |_| 1.0);
            let mut near = Candidates::default();
            near.narrow_to(&wide, &surface, &x, |i, most| (end[i] - x[i]).amax().min(most));
            near.pair_edges(&surface);
            prop_assert!(near.cover(&motion) && near.len() <= wide.len());

            prop_assert_eq!(max_step(&surface, &near, &motion), max_step(&surface, &wide, &motion));
            let barrier = Barrier { shape: BarrierShape::Log, kappa: 1e5 };
            for x in [&x, &end] {
                let [all, some] = [&wide, &near]
                    .map(|list| Contacts::find(&surface, &barrier.into(), list, x));
                match (all, some) {
                    (Ok(all), Ok(some)) => {
                        prop_assert_eq!(&all.lines.stencils, &some.lines.stencils);
                        prop_assert_eq!(&all.points.stencils, &some.points.stencils);
                        prop_assert_eq!(&all.planes.stencils, &some.planes.stencils);
                        prop_assert_eq!(&all.strips.stencils, &some.strips.stencils);
                        prop_assert_eq!(&all.corners.stencils, &some.corners.stencils);
                        prop_assert_eq!(&all.floors.stencils, &some.floors.stencils);
                        prop_assert_eq!(all.min_gap, some.min_gap);
                    }
                    // Edges that cross may have no end near each other, and are never met by steps.
                    (Err(_), _) if along_edges => {}
                    (all, some) => prop_assert_eq!(all.err(), some.err()),
                }
            }
        }
    }
}
