//! Nested dissection (George 1973) without coordinates: a part of the graph is cut where nodes are as far from one end as from
//! the other, give or take, and the cut is then shortened.
#![allow(
    clippy::cast_possible_truncation,
    reason = "whoever makes a graph checks that 32 bits suffice"
)]

use super::graph::Graph;
use super::separator::{Partition, SEPARATOR};
use crate::math::parallel;

/// Parts with at most so many nodes are not cut any more: minimum degree is as good there.
const LEAF: usize = 1000;

/// Parts with fewer nodes are ordered on one thread.
const LARGE: usize = 4000;

/// A connected part or not, and where its nodes are in the whole.
struct Part {
    graph: Graph,
    nodes: Vec<u32>,
    /// A node that is probably at an end of the part.
    end: usize,
}

/// The nodes of a graph in order of elimination: of each part its two sides, then the separator. Parts that are small or
/// have no short separator are ordered by `within`.
pub(super) fn dissect(graph: Graph, within: &(impl Fn(Graph) -> Vec<u32> + Sync)) -> Vec<u32> {
    let nodes: Vec<u32> = (0..graph.nodes() as u32).collect();
    let mut order = vec![0; nodes.len()];
    order_part(
        Part {
            graph,
            nodes,
            end: 0,
        },
        &mut order,
        within,
    );
    order
}

fn order_part(part: Part, order: &mut [u32], within: &(impl Fn(Graph) -> Vec<u32> + Sync)) {
    let Some((side, ends)) = Some(&part)
        .filter(|part| part.nodes.len() > LEAF)
        .and_then(cut)
    else {
        for (place, node) in order.iter_mut().zip(within(part.graph)) {
            *place = part.nodes[node as usize];
        }
        return;
    };
    let [a, b] = halves(&part, &side, ends);
    let (sides, separator) = order.split_at_mut(a.nodes.len() + b.nodes.len());
    let last = part
        .nodes
        .iter()
        .zip(&side)
        .filter(|(_, side)| **side == SEPARATOR);
    for (place, (&node, _)) in separator.iter_mut().zip(last) {
        *place = node;
    }
    let (first, second) = sides.split_at_mut(a.nodes.len());
    if part.nodes.len() < LARGE {
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

fn halves(part: &Part, side: &[u8], ends: [usize; 2]) -> [Part; 2] {
    let (graphs, number) = part.graph.halves(side);
    let mut own = 0;
    graphs.map(|graph| {
        let nodes = part
            .nodes
            .iter()
            .zip(side)
            .filter(|(_, side)| **side == own)
            .map(|(&node, _)| node)
            .collect();
        let end = ends[own as usize];
        let end = if side[end] == own {
            number[end] as usize
        } else {
            0
        };
        own += 1;
        Part { graph, nodes, end }
    })
}

/// The side of each node, and one node far out on each side. `None` if the part falls into sides of very different size or
/// not at all.
fn cut(part: &Part) -> Option<(Vec<u8>, [usize; 2])> {
    let graph = &part.graph;
    let a = part.end;
    let (from_a, reached) = graph.distances(a);
    if reached.len() < graph.nodes() {
        return Some((components(graph), [0; 2]));
    }
    let b = last_level(&reached, &from_a).min_by_key(|&j| graph.neighbours(j).len())?;
    let (from_b, _) = graph.distances(b);
    // From 0 at one end to twice the distance at the other.
    let far = from_a[b];
    let between: Vec<u32> = from_a
        .iter()
        .zip(&from_b)
        .map(|(&x, &y)| far + x - y)
        .collect();
    let threshold = best_threshold(graph, &between, 2 * far as usize + 1)?;
    let mut side: Vec<u8> = between.iter().map(|&f| u8::from(f > threshold)).collect();
    for j in 0..graph.nodes() {
        if side[j] == 0 && graph.neighbours(j).iter().any(|&i| side[i as usize] == 1) {
            side[j] = SEPARATOR;
        }
    }
    let mut partition = Partition::new(graph, side);
    partition.refine();
    Some((partition.into_sides(), [a, b]))
}

/// The nodes at the largest distance, the last reached first.
fn last_level<'a>(reached: &'a [u32], distance: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
    let farthest = reached.last().map_or(0, |&j| distance[j as usize]);
    reached
        .iter()
        .rev()
        .map(|&j| j as usize)
        .take_while(move |&j| distance[j] == farthest)
}

/// Which cut between nodes with values up to a threshold and those above is best, of those that leave each side a quarter of
/// the nodes.
fn best_threshold(graph: &Graph, values: &[u32], end: usize) -> Option<u32> {
    let mut count = vec![0; end];
    // Changes of the number of nodes up to the threshold that have a neighbour above it.
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
    let (mut counts, mut separator) = ([0, values.len()], 0);
    let mut best = (f64::INFINITY, None);
    for (threshold, (count, change)) in (0..).zip(count.iter().zip(&change)) {
        counts = [counts[0] + count, counts[1] - count];
        separator += change;
        let separator = separator.unsigned_abs();
        let cost = cost([counts[0] - separator, counts[1], separator]);
        if cost < best.0 {
            best = (cost, Some(threshold));
        }
    }
    best.1
}

/// The size of the separator over that of the sides, to be small, for the numbers of nodes on each side and between.
/// Infinite if a side is small.
pub(super) fn cost(counts: [usize; 3]) -> f64 {
    let smaller = counts[0].min(counts[1]);
    if 4 * smaller < counts[0] + counts[1] + counts[2] {
        return f64::INFINITY;
    }
    let [a, b, separator] = counts.map(|count| count as f64);
    separator * (1.0 / a + 1.0 / b)
}

/// Puts whole components on either side.
fn components(graph: &Graph) -> Vec<u8> {
    let mut side = vec![SEPARATOR; graph.nodes()];
    let mut counts = [0; 2];
    let mut stack = Vec::new();
    for start in 0..graph.nodes() {
        if side[start] != SEPARATOR {
            continue;
        }
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
