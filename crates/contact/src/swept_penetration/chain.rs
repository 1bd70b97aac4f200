//! Outlines at rest as chains of edges, on which the depth of a cut is measured.

use crate::Outlines;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::{Vec2, cross};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// A place on an outline: on an edge of a chain, between its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// Index of the chain.
    pub(super) chain: usize,
    /// Number of the edge in the chain.
    pub(super) edge: usize,
    /// Share of the edge before the place (1), in `[0, 1]`.
    pub(super) share: f64,
}

/// A connected row of edges.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// Body that the chain belongs to.
    pub(super) body: usize,
    /// Positions of the vertices at rest (m), in order.
    pub(super) x: Vec<Vec2>,
    /// True if the last vertex is joined to the first one.
    pub(super) is_closed: bool,
}

/// Where an edge is in its chain.
#[derive(Clone, Copy, Debug, Default)]
struct Seat {
    /// Index of the chain.
    chain: usize,
    /// Number of the edge in the chain.
    edge: usize,
    /// True if the chain runs against the edge.
    is_reversed: bool,
}

/// All outlines as chains.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// The chains.
    pub(super) all: Vec<Chain>,
    /// Place of each edge, `[edges]`; the place of an edge without length has no meaning.
    seats: Vec<Seat>,
}

impl Chain {
    /// Number of edges.
    pub(super) fn edges(&self) -> usize {
        self.x.len() - usize::from(!self.is_closed)
    }

    /// Both ends of an edge at rest (m).
    pub(super) fn ends(&self, edge: usize) -> [Vec2; 2] {
        [self.x[edge], self.x[(edge + 1) % self.x.len()]]
    }

    /// Length at rest (m).
    pub(super) fn length(&self) -> f64 {
        let edges = (0..self.edges()).map(|edge| {
            let [a, b] = self.ends(edge);
            (b - a).norm()
        });
        edges.sum()
    }

    /// Area (m^2) on the left of a closed chain; 0 for an open one.
    fn area(&self) -> f64 {
        if !self.is_closed {
            return 0.0;
        }
        let from = self.x[0];
        let pieces = (0..self.edges()).map(|edge| {
            let [a, b] = self.ends(edge);
            0.5 * cross(a - from, b - from)
        });
        pieces.sum()
    }

    /// Position at rest (m) of a place.
    fn position(&self, place: Place) -> Vec2 {
        let [a, b] = self.ends(place.edge);
        a + (b - a) * place.share
    }

    /// Largest distance (m) from the chord `[a, b]` of `count` vertices after the start of the edge
    /// `first`, in the direction of the chain.
    fn bulge(&self, [a, b]: [Vec2; 2], first: usize, count: usize) -> f64 {
        let vertices = (1..=count).map(|k| self.x[(first + k) % self.x.len()]);
        vertices
            .map(|x| point_edge(x, a, b).distance)
            .fold(0.0, f64::max)
    }
}

impl Chains {
    /// Chains of `outlines` at the positions `rest` (m, `[vertices]`).
    pub(super) fn of(outlines: &Outlines, rest: &[Vec2]) -> Self {
        let mut rows = Rows::of(outlines);
        let mut all = Vec::new();
        let mut seats = vec![Seat::default(); outlines.edges.len()];

        // Open chains begin at their ends, closed ones anywhere.
        let mut starts = rows.ends();
        starts.extend(0..outlines.edges.len());
        for start in starts {
            let Some(row) = rows.walk(start) else {
                continue;
            };
            for (edge, &(side, is_reversed)) in row.edges.iter().enumerate() {
                seats[side] = Seat {
                    chain: all.len(),
                    edge,
                    is_reversed,
                };
            }
            all.push(Chain {
                body: outlines.body[row.vertices[0]],
                x: row.vertices.iter().map(|&vertex| rest[vertex]).collect(),
                is_closed: row.is_closed,
            });
        }

        Self { all, seats }
    }

    /// Width of each body (m), `[bodies]` (see [`super::SweptPenetrations::width`]).
    pub(super) fn widths(&self, outlines: &Outlines) -> Vec<f64> {
        let mut area = vec![0.0; outlines.filled.len()];
        let mut length = vec![0.0; outlines.filled.len()];
        for chain in &self.all {
            area[chain.body] += chain.area();
            length[chain.body] += chain.length();
        }

        let mut widths: Vec<f64> = (0..outlines.filled.len())
            .map(|body| match (outlines.filled[body], length[body]) {
                (_, 0.0) => f64::INFINITY,
                (true, length) => 2.0 * area[body].abs() / length,
                (false, length) => 0.25 * length,
            })
            .collect();
        for (vertex, &radius) in outlines.radius.iter().enumerate() {
            if radius > 0.0 {
                let width = &mut widths[outlines.body[vertex]];
                *width = width.min(radius);
            }
        }
        widths
    }

    /// Size of each body (m), `[bodies]` (see [`super::SweptPenetrations::size`]).
    pub(super) fn sizes(&self, outlines: &Outlines) -> Vec<f64> {
        let mut length = vec![0.0; outlines.filled.len()];
        for chain in &self.all {
            length[chain.body] += chain.length();
        }
        for (vertex, radius) in outlines.radius.iter().enumerate() {
            length[outlines.body[vertex]] += TAU * radius;
        }
        length.iter().map(|length| 0.25 * length).collect()
    }

    /// Place on an edge, after the `share` of it (1), and whether its chain runs against the edge.
    pub(super) fn located(&self, edge: usize, share: f64) -> (Place, bool) {
        let seat = self.seats[edge];
        let share = if seat.is_reversed { 1.0 - share } else { share };
        let place = Place {
            chain: seat.chain,
            edge: seat.edge,
            share,
        };
        (place, seat.is_reversed)
    }

    /// Depth (m) of the cut from one place to another: infinite if they are on different chains.
    pub(super) fn cut(&self, from: Place, to: Place) -> f64 {
        if from.chain != to.chain {
            return f64::INFINITY;
        }

        // The piece from the earlier place to the later one, and the rest of a closed chain.
        let chain = &self.all[from.chain];
        let chord = [from, to].map(|place| chain.position(place));
        let is_sorted = (from.edge, from.share) <= (to.edge, to.share);
        let (first, last) = if is_sorted { (from, to) } else { (to, from) };
        let count = last.edge - first.edge;
        let piece = chain.bulge(chord, first.edge, count);
        if !chain.is_closed {
            return piece;
        }
        piece.min(chain.bulge(chord, last.edge, chain.x.len() - count))
    }

    /// Depth (m) of a detour from one side of a wire to the other, round its nearer end: infinite
    /// if the wire is closed.
    pub(super) fn round_end(&self, at: Place) -> f64 {
        let chain = &self.all[at.chain];
        if chain.is_closed {
            return f64::INFINITY;
        }
        let chord = [chain.position(at); 2];
        let before = chain.x[..=at.edge].iter();
        let after = chain.x[at.edge + 1..].iter();
        let farthest = |x: f64, y: &Vec2| x.max((y - chord[0]).norm());
        before.fold(0.0, farthest).min(after.fold(0.0, farthest))
    }
}

/// Edges at each vertex, from which rows are taken.
struct Rows<'a> {
    /// Edges, as pairs of vertices.
    edges: &'a [[usize; 2]],
    /// Edges of each vertex that has some.
    at: BTreeMap<usize, Vec<usize>>,
    /// True for each edge that a row has taken.
    is_taken: Vec<bool>,
}

/// A row of edges that follow each other.
struct Row {
    /// Vertices in order; a closed row names its first one once.
    vertices: Vec<usize>,
    /// Edges in order, and whether the row runs against them.
    edges: Vec<(usize, bool)>,
    /// True if the last vertex is joined to the first one.
    is_closed: bool,
}

impl<'a> Rows<'a> {
    /// Edges of `outlines` with a length.
    fn of(outlines: &Outlines<'a>) -> Self {
        let edges = outlines.edges;
        let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (k, &[a, b]) in edges.iter().enumerate() {
            if a != b {
                at.entry(a).or_default().push(k);
                at.entry(b).or_default().push(k);
            }
        }
        Self {
            edges,
            at,
            is_taken: edges.iter().map(|[a, b]| a == b).collect(),
        }
    }

    /// Edges at which open rows begin: those at a vertex with one edge, or with more than two.
    fn ends(&self) -> Vec<usize> {
        let ends = self.at.values().filter(|edges| edges.len() != 2);
        ends.flatten().copied().collect()
    }

    /// The row from an edge on; `None` if a row has taken it.
    fn walk(&mut self, start: usize) -> Option<Row> {
        if self.is_taken[start] {
            return None;
        }

        // The first edge, from the vertex at which rows end if there is one.
        let [a, b] = self.edges[start];
        let is_reversed = self.continues(a) && !self.continues(b);
        let (first, mut here) = if is_reversed { (b, a) } else { (a, b) };
        let mut row = Row {
            vertices: vec![first],
            edges: vec![(start, is_reversed)],
            is_closed: false,
        };
        self.is_taken[start] = true;

        // On to the next free edge, until the row ends or returns.
        while here != first && self.continues(here) {
            let next = self.at[&here].iter().find(|&&edge| !self.is_taken[edge]);
            let Some(&edge) = next else {
                break;
            };
            let [a, b] = self.edges[edge];
            let is_reversed = b == here;
            self.is_taken[edge] = true;
            row.vertices.push(here);
            row.edges.push((edge, is_reversed));
            here = if is_reversed { a } else { b };
        }

        row.is_closed = here == first;
        if !row.is_closed {
            row.vertices.push(here);
        }
        Some(row)
    }

    /// True if a row goes on at a vertex: if it has two edges.
    fn continues(&self, vertex: usize) -> bool {
        self.at[&vertex].len() == 2
    }
}
