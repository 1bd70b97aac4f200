//! Refinement of a vertex separator by moves of single nodes (Fiduccia and Mattheyses 1982;
//! Ashcraft and Liu 1997).
//!
//! A node that leaves the separator for one side pulls its neighbours on the other side into it.
//! The move that shrinks the separator most is made first, even if it makes it longer: later moves
//! may make up for that. Every node moves at most once, and at the end all moves after the best
//! state are taken back.

use super::graph::Graph;
use super::tuning::{BALANCE, PATIENCE};
use std::collections::BinaryHeap;

/// Mark of the separator's nodes; 0 and 1 are the sides.
pub(super) const SEPARATOR: u8 = 2;

/// Graph whose nodes are on two sides without an edge between them, or in the separator. Moves keep
/// that property.
pub(super) struct Partition<'a> {
    /// Edges between the nodes.
    graph: &'a Graph,
    /// Side of each node: 0, 1, or [`SEPARATOR`].
    side: Vec<u8>,
    /// Number of nodes on each side and in the separator.
    counts: [usize; 3],
    /// True for nodes that have moved already.
    moved: Vec<bool>,
    /// Moves that are offered, some of them out of date.
    moves: BinaryHeap<Move>,
}

/// Move of a node out of the separator. The largest is tried first: by gain, then by balance, then
/// by number of the node.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    /// Number of nodes by which the separator shrinks.
    gain: isize,
    /// True if the side that it moves to was not the larger one.
    to_smaller: bool,
    /// Node that leaves the separator.
    node: usize,
    /// Side that the node moves to.
    to: u8,
}

/// Record of a move, which is needed to take it back.
struct Done {
    /// Node that left the separator.
    node: usize,
    /// Side that it moved to.
    to: u8,
    /// Nodes that went from the other side into the separator.
    pulled: Vec<u32>,
}

/// Cost of a cut with these numbers of nodes on each side and in the separator: `s (1/a + 1/b)`.
///
/// A short separator is good, and so are sides of equal size. Infinite if a side is small, see
/// [`BALANCE`].
pub(super) fn cost(counts: [usize; 3]) -> f64 {
    let smaller = counts[0].min(counts[1]);
    if BALANCE * smaller < counts[0] + counts[1] + counts[2] {
        return f64::INFINITY;
    }
    let [a, b, separator] = counts.map(|count| count as f64);
    separator * (1.0 / a + 1.0 / b)
}

impl<'a> Partition<'a> {
    /// Partition with the given side of each node.
    pub(super) fn new(graph: &'a Graph, side: Vec<u8>) -> Self {
        let mut counts = [0; 3];
        for &side in &side {
            counts[side as usize] += 1;
        }
        Self {
            graph,
            moved: vec![false; side.len()],
            side,
            counts,
            moves: BinaryHeap::new(),
        }
    }

    /// Side of each node at the end, 0, 1 or [`SEPARATOR`].
    pub(super) fn into_sides(self) -> Vec<u8> {
        self.side
    }

    /// Moves each node at most once, and returns to the state of lowest cost so far.
    ///
    /// The search ends if [`PATIENCE`] moves bring nothing better.
    pub(super) fn refine(&mut self) {
        for node in 0..self.side.len() {
            if self.side[node] == SEPARATOR {
                self.offer(node, 0);
                self.offer(node, 1);
            }
        }

        // Best move first, as long as there is progress.
        let mut lowest = cost(self.counts);
        let mut kept = 0;
        let mut done: Vec<Done> = Vec::new();
        while done.len() <= kept + PATIENCE
            && let Some(next) = self.moves.pop()
        {
            let Move { node, to, gain, .. } = next;
            if self.side[node] != SEPARATOR || self.moved[node] {
                continue;
            }
            // Other moves have made this one worse since it was offered.
            if self.gain(node, to) < gain {
                self.offer(node, to);
                continue;
            }

            done.push(self.apply(node, to));
            let cost = cost(self.counts);
            if cost < lowest {
                lowest = cost;
                kept = done.len();
            }
        }

        // The last moves did not pay.
        while done.len() > kept
            && let Some(last) = done.pop()
        {
            self.undo(&last);
        }
    }

    /// Number of nodes by which the separator shrinks if `node` leaves it for side `to`: itself,
    /// less its neighbours on the other side.
    fn gain(&self, node: usize, to: u8) -> isize {
        let other = 1 - to;
        let neighbours = self.graph.neighbours(node).iter();
        1 - neighbours
            .map(|&i| isize::from(self.side[i as usize] == other))
            .sum::<isize>()
    }

    /// Queues the move of `node` to side `to`, with its gain at this moment.
    fn offer(&mut self, node: usize, to: u8) {
        let to_smaller = self.counts[to as usize] <= self.counts[1 - to as usize];
        self.moves.push(Move {
            gain: self.gain(node, to),
            to_smaller,
            node,
            to,
        });
    }

    /// Moves `node` to side `to`, and its neighbours on the other side into the separator. Queues
    /// the moves that this makes possible or better.
    fn apply(&mut self, node: usize, to: u8) -> Done {
        let graph = self.graph;
        let neighbours = graph.neighbours(node).iter().copied();
        let pulled: Vec<u32> = neighbours
            .filter(|&i| self.side[i as usize] == 1 - to)
            .collect();
        self.moved[node] = true;
        self.side[node] = to;
        for &i in &pulled {
            self.side[i as usize] = SEPARATOR;
        }
        self.counts[to as usize] += 1;
        self.counts[1 - to as usize] -= pulled.len();
        self.counts[2] = self.counts[2] + pulled.len() - 1;

        // New moves, and moves that became better.
        for &i in &pulled {
            self.offer(i as usize, 0);
            self.offer(i as usize, 1);
            for &k in graph.neighbours(i as usize) {
                if self.side[k as usize] == SEPARATOR && !self.moved[k as usize] {
                    self.offer(k as usize, to);
                }
            }
        }
        Done { node, to, pulled }
    }

    /// Takes back the last move that is left: the node returns, and the nodes that it pulled leave
    /// again.
    fn undo(&mut self, done: &Done) {
        for &i in &done.pulled {
            self.side[i as usize] = 1 - done.to;
        }
        self.side[done.node] = SEPARATOR;
        self.counts[done.to as usize] -= 1;
        self.counts[1 - done.to as usize] += done.pulled.len();
        self.counts[2] = self.counts[2] + 1 - done.pulled.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crooked_separator_of_a_grid_becomes_straight() {
        let width = 20;
        let height = 9;
        let at = |i: usize, j: usize| i * height + j;
        let right = (0..width - 1).flat_map(|i| (0..height).map(move |j| [at(i, j), at(i + 1, j)]));
        let up = (0..width).flat_map(|i| (0..height - 1).map(move |j| [at(i, j), at(i, j + 1)]));
        let graph = Graph::new(width * height, &right.chain(up).collect::<Vec<_>>());
        // Two columns of the grid; one suffices.
        let side = (0..width)
            .flat_map(|i| vec![if i < 9 { 0 } else { 1 + u8::from(i < 11) }; height])
            .collect();
        let mut partition = Partition::new(&graph, side);
        partition.refine();
        assert_eq!(partition.counts[2], height);
        let side = partition.into_sides();
        for j in 0..graph.nodes() {
            assert!(
                graph
                    .neighbours(j)
                    .iter()
                    .all(|&i| side[j] + side[i as usize] != 1),
                "sides touch"
            );
        }
    }
}
