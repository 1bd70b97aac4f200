//! Forces and lengths in contact at both ends of each edge of an outline.

use ipcsim_contact::Surface;
use ipcsim_math::Vec2;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Contact pressure at a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VertexPressure {
    /// Normal force per length of outline (N/m): pressure times thickness.
    pub per_length: f64,
    /// Length of outline in contact that belongs to the vertex (m): half of its edges where they are
    /// in contact. In a body of revolution it is the area of the full turn (m^2), and `per_length` the
    /// pressure (Pa). Sums of `per_length length` are the sizes of the normal forces.
    pub length: f64,
}

/// What an edge bears at one of its ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct End {
    /// Normal force (N).
    pub(super) force: f64,
    /// Length in contact (m), with the weight of the end.
    pub(super) length: f64,
    /// True if contact reaches the half of the edge at this end.
    pub(super) is_reached: bool,
}

impl End {
    /// Adds force and length of another end.
    pub(super) fn add(&mut self, other: &Self) {
        self.force += other.force;
        self.length += other.length;
    }

    /// Adds force and length of another end, which has none afterwards.
    fn take(&mut self, other: &mut Self) {
        self.add(other);
        other.force = 0.0;
        other.length = 0.0;
    }
}

/// Edges of all outlines with what they bear.
#[derive(Clone)]
pub(super) struct Chords<'a> {
    pub(super) surface: &'a Surface,
    pub(super) x: &'a [Vec2],
    /// Number of each edge, by its ends in order.
    numbers: BTreeMap<[usize; 2], usize>,
    /// What each edge bears at its start and at its end, `[edges]`.
    pub(super) ends: Vec<[End; 2]>,
}

impl<'a> Chords<'a> {
    /// Edges at positions `x` (m) that bear nothing yet.
    pub(super) fn new(surface: &'a Surface, x: &'a [Vec2]) -> Self {
        let edges = surface.edges.iter().zip(0..);
        let real = edges.filter(|(edge, _)| edge[0] != edge[1]);
        Self {
            surface,
            x,
            numbers: real.map(|(&edge, k)| (edge, k)).collect(),
            ends: vec![[End::default(); 2]; surface.edges.len()],
        }
    }

    /// Number of the edge with these ends in either order; true if they are in its order.
    pub(super) fn find(&self, [a, b]: [usize; 2]) -> Option<(usize, bool)> {
        let forward = self.numbers.get(&[a, b]).map(|&k| (k, true));
        forward.or_else(|| self.numbers.get(&[b, a]).map(|&k| (k, false)))
    }

    /// Vector along an edge (m).
    pub(super) fn way(&self, k: usize) -> Vec2 {
        let [a, b] = self.surface.edges[k];
        self.x[b] - self.x[a]
    }

    /// Lengths (m) of the part of an edge from `from` to `to` that belong to its two ends, as far as it is
    /// `facing` a force (1); in a body of revolution
    /// areas of the full turn (m^2).
    pub(super) fn shares(&self, k: usize, [from, to]: [f64; 2], facing: f64) -> [f64; 2] {
        let middle = 0.5 * (from + to);
        let length = (to - from) * self.way(k).norm() * facing;
        if !self.surface.is_revolved() {
            return [length * (1.0 - middle), length * middle];
        }
        let [a, b] = self.surface.edges[k].map(|vertex| TAU * self.x[vertex].x);
        let square = (from * from + from * to + to * to) / 3.0;
        let whole = a + (b - a) * middle;
        let last = a * middle + (b - a) * square;
        [length * (whole - last), length * last]
    }

    /// Length of the turn (m) by which a length of an edge at the end `vertex` counts; 1 in the plane.
    pub(super) fn turn(&self, k: usize, vertex: usize) -> f64 {
        if self.surface.is_revolved() {
            let [a, b] = self.surface.edges[k].map(|end| self.x[end].x);
            TAU / 3.0 * (a + b + self.x[vertex].x)
        } else {
            1.0
        }
    }

    /// Part of the length of an edge that counts for a force along `normal` (1).
    pub(super) fn facing(&self, k: usize, normal: Vec2) -> f64 {
        let way = self.way(k);
        let length = way.norm();
        if length > 0.0 {
            way.perp(&normal).abs() / length
        } else {
            0.0
        }
    }

    /// What an edge bears at a vertex, which is one of its ends.
    pub(super) fn end_mut(&mut self, k: usize, vertex: usize) -> &mut End {
        let end = usize::from(self.surface.edges[k][0] != vertex);
        &mut self.ends[k][end]
    }

    /// Edges at each vertex, `[vertices]`.
    pub(super) fn at_vertices(&self) -> Vec<Vec<usize>> {
        let mut at = vec![Vec::new(); self.x.len()];
        for (&[a, b], &k) in &self.numbers {
            at[a].push(k);
            at[b].push(k);
        }
        at
    }

    /// Adds force and length at a vertex to those of the `edges` at it that contact reaches.
    pub(super) fn add_at_vertex(&mut self, vertex: usize, edges: &[usize], mut own: End) {
        let reached: Vec<usize> = edges
            .iter()
            .filter(|&&k| self.end_mut(k, vertex).is_reached)
            .copied()
            .collect();
        let chosen = if reached.is_empty() { edges } else { &reached };
        let share = 1.0 / chosen.len().max(1) as f64;
        own.force *= share;
        own.length *= share;
        for &k in chosen {
            self.end_mut(k, vertex).add(&own);
        }
    }

    /// Counts what an edge bears at one end where contact reaches only the half at the other.
    pub(super) fn settle(&mut self) {
        for [start, end] in &mut self.ends {
            let to_start = match [start.is_reached, end.is_reached] {
                [true, true] => continue,
                [is_first, is_last] if is_first != is_last => is_first,
                _ => start.force >= end.force,
            };
            if to_start {
                start.take(end);
            } else {
                end.take(start);
            }
        }
    }
}
