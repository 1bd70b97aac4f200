//! Pairs of points and edges that may come near each other.
//!
//! The broad phase compares boxes, which is the only search over the whole surface. Boxes are grown
//! by margins, so that the pairs hold while vertices move inside; a step searches again only when a
//! vertex leaves its margin. Larger margins give rarer searches and longer lists.

use super::{ContactPair, Surface};
use crate::geometry::Aabb;
use crate::geometry::distance::point_edge;
use crate::geometry::path::Sweep;
use crate::math::{Vec2, parallel};
use std::sync::Arc;

/// Pairs of points and edges of a [`Surface`] that may come into contact while vertices stay within
/// margins.
///
/// One search by the broad phase serves many evaluations: the pairs hold as long as every vertex
/// `i` stays in the box of half-width `margin[i]` around `reference[i]`. [`super::Contacts::find`],
/// [`super::max_step`], [`super::is_free`] and [`super::keeps_gaps`] look at these pairs only, so
/// [`Candidates::cover`] must hold for positions and motions given to them.
///
/// ```
/// use ipcsim::contact::{Candidates, Surface};
/// use ipcsim::geometry::path::Sweep;
/// use ipcsim::math::Vec2;
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
    /// Edges of all pairs, `[pairs]`, grouped by point.
    edges: Vec<u32>,
    /// End of each point's group in `edges`, `[points]`.
    ends: Vec<usize>,
    /// Edges of other bodies near each edge, grouped by edge; empty unless contact is integrated.
    along: Vec<u32>,
    /// End of each edge's group in `along`, `[edges]`.
    along_ends: Vec<usize>,
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
        let margin: Vec<f64> = (0..x.len()).map(margin).collect();
        if surface.points.is_empty() {
            return Self {
                found_at: FoundAt::new(x, margin),
                ..Self::default()
            };
        }
        let reach = |i: usize| Aabb::around([x[i]]).grown(margin[i]);

        // Boxes of points have the activation distance on top, those of edges have not.
        let around = |i: usize| surface.reach.most_of(surface.body[i]) + surface.min_separation;
        let points: Vec<Aabb> = surface
            .points
            .iter()
            .map(|&i| reach(i).grown(around(i) + surface.radius[i]))
            .collect();
        let boxes: Vec<Aabb> = surface
            .edges
            .iter()
            .map(|&[a, b]| reach(a).union(&reach(b)).grown(surface.radius[a]))
            .collect();

        // Pairs are sorted by point.
        let mut edges = Vec::new();
        let mut ends = vec![0; surface.points.len()];
        let pairs = surface
            .broad_phase
            .pairs_where(&points, &boxes, |point, edge| {
                surface.is_pair(surface.points[point as usize], surface.edges[edge as usize])
            });
        for (point, edge) in pairs {
            edges.push(edge);
            ends[point as usize] = edges.len();
        }

        // Points without a pair end where the point before them ends.
        let mut last = 0;
        for end in &mut ends {
            last = last.max(*end);
            *end = last;
        }

        let mut found = Self {
            found_at: FoundAt::new(x, margin),
            edges,
            ends,
            ..Self::default()
        };
        if !surface.edge_area.is_empty() {
            found.group_by_edge(surface);
        }
        found
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
        if self.ends.is_empty() {
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

    /// Finds the pairs of edges from those of points and edges: where two edges are nearest to each
    /// other, one of them has an end.
    fn group_by_edge(&mut self, surface: &Surface) {
        let near = EdgesNearEnds::new(self, surface);

        // Lengths of the lists, with what is found twice.
        let count = surface.edges.len();
        let mut starts = vec![0; count + 1];
        near.for_each(|edge, _| starts[edge as usize + 1] += 1);
        for edge in 0..count {
            starts[edge + 1] += starts[edge];
        }

        // Lists side by side, each sorted.
        let mut next = starts.clone();
        let mut along = vec![0; starts[count]];
        near.for_each(|edge, other| {
            along[next[edge as usize]] = other;
            next[edge as usize] += 1;
        });
        self.along.clear();
        self.along_ends.clear();
        for range in starts.windows(2) {
            let list = &mut along[range[0]..range[1]];
            list.sort_unstable();
            let first = self.along.len();
            for &other in list.iter() {
                if self.along[first..].last() != Some(&other) {
                    self.along.push(other);
                }
            }
            self.along_ends.push(self.along.len());
        }
    }

    /// Edges of other bodies that may come near the edge with index `k` in [`Surface::edges`], as
    /// indices there. Empty unless contact is integrated along edges.
    pub fn edges_along(&self, k: usize) -> &[u32] {
        let Some(&end) = self.along_ends.get(k) else {
            return &[];
        };
        let start = if k == 0 { 0 } else { self.along_ends[k - 1] };
        &self.along[start..end]
    }

    /// Edges that may come near the point with index `k` in [`Surface::points`], as indices into
    /// [`Surface::edges`].
    pub fn edges_near(&self, k: usize) -> &[u32] {
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.edges[start..self.ends[k]]
    }

    /// Vertex pairs whose blocks of the Hessian are filled once all points within `reach` times
    /// `d_hat` of an edge are in contact. A matrix with these blocks serves while contacts change a
    /// little.
    pub fn blocks_within(&self, surface: &Surface, x: &[Vec2], reach: f64) -> Vec<[usize; 2]> {
        let mut blocks = self.blocks_of_points(surface, x, reach);
        for (k, &edge) in surface.edges.iter().enumerate() {
            for &other in self.edges_along(k) {
                // Each pair of edges comes twice, in both orders.
                let other = surface.edges[other as usize];
                let pair = ContactPair::Strip { edge, other };
                let d_hat = surface.d_hat_between(edge[0], other[0]);
                if edge < other && pair.gap(surface, x) < reach * d_hat {
                    blocks.extend(edge.map(|own| [own, other[0]]));
                    blocks.extend(edge.map(|own| [own, other[1]]));
                }
            }
        }
        blocks
    }

    /// Blocks of points that are within `reach` times `d_hat` of an edge.
    fn blocks_of_points(&self, surface: &Surface, x: &[Vec2], reach: f64) -> Vec<[usize; 2]> {
        parallel::collect(surface.points.len(), |range, list| {
            for k in range {
                let point = surface.points[k];
                for &e in self.edges_near(k) {
                    let [a, b] = surface.edges[e as usize];

                    let d_hat = surface.d_hat_to(point, [a, b]);
                    let distance = point_edge(x[point], x[a], x[b]).distance;
                    let gap = distance - surface.separation_to(point, [a, b]);
                    if gap < reach * d_hat {
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

    /// True if there is no pair.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }
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
    candidates: &'a Candidates,
    surface: &'a Surface,
    /// Number of each vertex in [`Surface::points`], `[vertices]`; `None` for others.
    number: Vec<Option<u32>>,
}

impl<'a> EdgesNearEnds<'a> {
    fn new(candidates: &'a Candidates, surface: &'a Surface) -> Self {
        let mut number = vec![None; surface.body.len()];
        for (k, &point) in (0..).zip(&surface.points) {
            number[point] = Some(k);
        }
        Self {
            candidates,
            surface,
            number,
        }
    }

    /// Calls `visit` with an edge and another one whose contact is integrated along the first, for
    /// both edges of a pair, some of them several times. Isolated vertices have no length to
    /// integrate along.
    fn for_each(&self, mut visit: impl FnMut(u32, u32)) {
        for (own, &edge) in (0..).zip(&self.surface.edges) {
            let is_isolated = edge[0] == edge[1];
            let ends = if is_isolated { &edge[..1] } else { &edge[..] };
            for k in ends.iter().filter_map(|&point| self.number[point]) {
                let point = self.surface.points[k as usize];
                for &other in self.candidates.edges_near(k as usize) {
                    let [a, b] = self.surface.edges[other as usize];
                    if !self.surface.is_integrated(point, a) {
                        continue;
                    }
                    if !is_isolated {
                        visit(own, other);
                    }
                    if a != b {
                        visit(other, own);
                    }
                }
            }
        }
    }
}
