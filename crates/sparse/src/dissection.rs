//! Nested dissection (George 1973, "Nested dissection of a regular finite element mesh") without
//! coordinates.
//!
//! A separator is a set of nodes without which a graph falls into two sides. If it is eliminated
//! after both sides, the factor has no entries between them. Each side is ordered likewise, until
//! parts are small. In outline, for a connected part:
//!
//! 1. take a node `a` at an end of the part, and a node `b` as far from it as any, the one with the
//!    fewest neighbours;
//! 2. measure each node's distance to `a` less that to `b`, and choose the threshold whose cut
//!    costs least;
//! 3. let single nodes move to make the separator shorter ([`super::separator`]);
//! 4. order the two sides, in parallel if the part is large, and put the separator last.
//!
//! A part of several components is cut between them, without a separator.
#![allow(
    clippy::cast_possible_truncation,
    reason = "the caller checks that 32 bits suffice"
)]

use super::graph::Graph;
use super::separator::{Partition, SEPARATOR, cost};
use super::tuning::{LARGE_PART, LEAF};
use ipcsim_math::parallel;

/// Part of a graph, connected or not.
struct Part {
    /// Edges within the part.
    graph: Graph,
    /// Number of each node in the whole graph.
    nodes: Vec<u32>,
    /// Node that is probably at an end of the part.
    end: usize,
}

/// Cut of a part in two.
struct Cut {
    /// Side of each node: 0, 1, or [`SEPARATOR`].
    side: Vec<u8>,
    /// Node far out on each side.
    ends: [usize; 2],
}

/// Nodes of a graph in order of elimination: of each part its two sides, then the separator.
///
/// `within` orders parts that are small or have no short separator. The result does not depend on
/// the number of threads.
pub(super) fn dissect(graph: Graph, within: &(impl Fn(Graph) -> Vec<u32> + Sync)) -> Vec<u32> {
    let nodes: Vec<u32> = (0..graph.nodes() as u32).collect();
    let mut order = vec![0; nodes.len()];
    let whole = Part {
        graph,
        nodes,
        end: 0,
    };
    order_part(whole, &mut order, within);
    order
}

/// Writes the nodes of a part to `order`, in order of elimination: one side, the other side, and
/// the separator. Parts of at most [`LEAF`] nodes are ordered by `within`.
fn order_part(part: Part, order: &mut [u32], within: &(impl Fn(Graph) -> Vec<u32> + Sync)) {
    let found = if part.nodes.len() > LEAF {
        cut(&part)
    } else {
        None
    };
    let Some(cut) = found else {
        for (place, node) in order.iter_mut().zip(within(part.graph)) {
            *place = part.nodes[node as usize];
        }
        return;
    };

    // The separator is eliminated last.
    let [a, b] = halves(&part, &cut);
    let (sides, separator) = order.split_at_mut(a.nodes.len() + b.nodes.len());
    let last = part
        .nodes
        .iter()
        .zip(&cut.side)
        .filter(|(_, side)| **side == SEPARATOR);
    for (place, (&node, _)) in separator.iter_mut().zip(last) {
        *place = node;
    }

    // The two sides are independent.
    let (first, second) = sides.split_at_mut(a.nodes.len());
    if part.nodes.len() < LARGE_PART {
        order_part(a, first, within);
        order_part(b, second, within);
    } else {
        drop(part);
        parallel::join(
            || order_part(a, first, within),
            || order_part(b, second, within),
        );
    }
}

/// Parts on the two sides of a cut, without the separator.
fn halves(part: &Part, cut: &Cut) -> [Part; 2] {
    let ([first, second], number) = part.graph.halves(&cut.side);
    [
        half(part, cut, 0, first, &number),
        half(part, cut, 1, second, &number),
    ]
}

/// Part on side `own` of a cut, with its `graph` and the `number` of each node in that.
///
/// The node far out on the side becomes the end of the part, or any node if refinement has moved
/// that one into the separator.
fn half(part: &Part, cut: &Cut, own: u8, graph: Graph, number: &[u32]) -> Part {
    let mut nodes = Vec::with_capacity(graph.nodes());
    for (&node, &side) in part.nodes.iter().zip(&cut.side) {
        if side == own {
            nodes.push(node);
        }
    }

    let end = cut.ends[own as usize];
    let end = if cut.side[end] == own {
        number[end] as usize
    } else {
        0
    };
    Part { graph, nodes, end }
}

/// Cuts a part in two. `None` if every cut leaves sides of very different size.
fn cut(part: &Part) -> Option<Cut> {
    // Two ends of the part, unless it is not connected.
    let graph = &part.graph;
    let a = part.end;
    let from_a = graph.distances(a);
    if from_a.reached.len() < graph.nodes() {
        return Some(Cut {
            side: components(graph),
            ends: [0; 2],
        });
    }
    let b = from_a
        .farthest()
        .min_by_key(|&j| graph.neighbours(j).len())?;
    let from_b = graph.distances(b);

    // Difference of the two distances, moved to the range from 0 at `a` to `2 far` at `b`.
    let far = from_a.distance[b];
    let between: Vec<u32> = from_a
        .distance
        .iter()
        .zip(&from_b.distance)
        .map(|(&x, &y)| far + x - y)
        .collect();
    let threshold = best_threshold(graph, &between, 2 * far as usize + 1)?;

    // Nodes up to the threshold with a neighbour above it separate the sides.
    let mut side: Vec<u8> = between.iter().map(|&f| u8::from(f > threshold)).collect();
    for j in 0..graph.nodes() {
        if side[j] == 0 && graph.neighbours(j).iter().any(|&i| side[i as usize] == 1) {
            side[j] = SEPARATOR;
        }
    }

    let mut partition = Partition::new(graph, side);
    partition.refine();
    Some(Cut {
        side: partition.into_sides(),
        ends: [a, b],
    })
}

/// Threshold of `values`, all below `end`, that cuts the graph at the lowest [`cost`].
///
/// Nodes above the threshold are on one side. Nodes up to it are on the other, except for those
/// with a neighbour above it, which are the separator. `None` if all cuts leave a small side.
fn best_threshold(graph: &Graph, values: &[u32], end: usize) -> Option<u32> {
    let mut count = vec![0; end];
    // Change, at each threshold, of the number of nodes up to it with a neighbour above it.
    let mut change = vec![0_isize; end];
    for (j, &own) in values.iter().enumerate() {
        let highest = graph
            .neighbours(j)
            .iter()
            .map(|&i| values[i as usize])
            .fold(own, u32::max);
        count[own as usize] += 1;
        change[own as usize] += 1;
        change[highest as usize] -= 1;
    }

    // Sums of the changes give the separator of each threshold.
    let mut counts = [0, values.len()];
    let mut separator = 0;
    let mut best = None;
    let mut lowest = f64::INFINITY;
    for (threshold, (count, change)) in (0..).zip(count.iter().zip(&change)) {
        counts = [counts[0] + count, counts[1] - count];
        separator += change;
        let separator = separator.unsigned_abs();
        let cost = cost([counts[0] - separator, counts[1], separator]);
        if cost < lowest {
            lowest = cost;
            best = Some(threshold);
        }
    }
    best
}

/// Sides of a graph of several components, each of them on one side as a whole. No separator is
/// needed.
fn components(graph: &Graph) -> Vec<u8> {
    let mut side = vec![SEPARATOR; graph.nodes()];
    let mut counts = [0; 2];
    let mut stack = Vec::new();
    for start in 0..graph.nodes() {
        if side[start] != SEPARATOR {
            continue;
        }

        // The next component goes to the smaller side.
        let own = u8::from(counts[1] < counts[0]);
        side[start] = own;
        stack.push(start as u32);
        while let Some(j) = stack.pop() {
            counts[own as usize] += 1;
            for &i in graph.neighbours(j as usize) {
                if side[i as usize] == SEPARATOR {
                    side[i as usize] = own;
                    stack.push(i);
                }
            }
        }
    }
    side
}
