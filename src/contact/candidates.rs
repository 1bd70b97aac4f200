//! The pairs that may come near while vertices stay within a known reach of where they were: found once, good for many
//! evaluations.

use super::Surface;
use crate::geometry::Aabb;
use crate::geometry::distance::point_edge;
use crate::geometry::path::Sweep;
use crate::math::{Vec2, parallel};

/// Point-edge pairs that can be within reach of contact as long as every vertex `i` stays in the box of half-width
/// `margin[i]` around `reference[i]`.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    reference: Vec<Vec2>,
    margin: Vec<f64>,
    /// Edges of the pairs, grouped by point.
    edges: Vec<u32>,
    /// Where the group of each point ends.
    ends: Vec<usize>,
}

impl Candidates {
    /// The pairs within reach when vertex `i` may move by `margin(i)` (m) along each axis from `x`.
    pub fn find(surface: &Surface, x: &[Vec2], margin: impl Fn(usize) -> f64) -> Self {
        let margin: Vec<f64> = (0..x.len()).map(margin).collect();
        let reach = |i: usize| Aabb::around([x[i]]).grown(margin[i]);
        let around = surface.d_hat + surface.min_separation;
        let points: Vec<Aabb> = surface
            .points
            .iter()
            .map(|&i| reach(i).grown(around + surface.radius[i]))
            .collect();
        let boxes: Vec<Aabb> = surface
            .edges
            .iter()
            .map(|&[a, b]| reach(a).union(&reach(b)).grown(surface.radius[a]))
            .collect();
        let mut edges = Vec::new();
        let mut ends = vec![0; surface.points.len()];
        let apart = |point: u32, edge: u32| {
            surface.is_pair(surface.points[point as usize], surface.edges[edge as usize])
        };
        for (point, edge) in surface.broad_phase.pairs_where(&points, &boxes, apart) {
            edges.push(edge);
            ends[point as usize] = edges.len();
        }
        let mut end = 0;
        for e in &mut ends {
            end = end.max(*e);
            *e = end;
        }
        Self {
            reference: x.to_vec(),
            margin,
            edges,
            ends,
        }
    }

    /// Where the vertices were when the pairs were found (m), and how far each may move from there (m): all that the pairs
    /// depend on.
    pub fn found_at(&self) -> (&[Vec2], &[f64]) {
        (&self.reference, &self.margin)
    }

    /// Whether a motion stays within the reach that these pairs were found for.
    pub fn cover(&self, motion: &Sweep) -> bool {
        let Sweep { start, end, .. } = motion;
        let excess = |i: usize| {
            let ends = (start[i] - self.reference[i])
                .amax()
                .max((end[i] - self.reference[i]).amax());
            ends + motion.deviation(i) - self.margin[i]
        };
        start.len() == self.reference.len()
            && parallel::max(start.len(), f64::NEG_INFINITY, excess) <= 0.0
    }

    /// The edges that may come near the point with index `k` in the surface's list.
    pub fn edges_near(&self, k: usize) -> &[u32] {
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.edges[start..self.ends[k]]
    }

    /// Vertex pairs whose blocks of the Hessian a contact fills when points within `reach` times `d_hat` of an edge come into
    /// contact: a matrix that has them serves while contacts change a little.
    pub fn blocks_within(&self, surface: &Surface, x: &[Vec2], reach: f64) -> Vec<[usize; 2]> {
        parallel::collect(surface.points.len(), |range, list| {
            for k in range {
                let point = surface.points[k];
                for [a, b] in self
                    .edges_near(k)
                    .iter()
                    .map(|&e| surface.edges[e as usize])
                {
                    let d_hat = surface.d_hat_between(surface.body[point], surface.body[a]);
                    let gap =
                        point_edge(x[point], x[a], x[b]).distance - surface.separation(point, a);
                    if gap < reach * d_hat {
                        list.extend([[point, a], [point, b]]);
                    }
                }
            }
        })
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether nothing can come near anything.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }
}
