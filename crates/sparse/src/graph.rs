//! Graphs of nodes that share a block of the matrix, for orders of elimination.
//!
//! Adjacency lists lie one after the other in a single vector of 32-bit numbers. Neighbours keep
//! the order in which their edges were given, so that results depend on the input only.
#![allow(
    clippy::cast_possible_truncation,
    reason = "the caller checks that 32 bits suffice"
)]

/// Symmetric adjacency without the diagonal: both nodes of an edge list each other.
pub(super) struct Graph {
    /// First neighbour of each node in the list, `[nodes + 1]`.
    pub(super) starts: Vec<u32>,
    /// Neighbours of all nodes, one node after the other.
    pub(super) neighbours: Vec<u32>,
}

impl Graph {
    /// Graph with the edges `pairs`, which may repeat, in either order. Pairs of a node with itself
    /// are ignored.
    pub(super) fn new(nodes: usize, pairs: &[[usize; 2]]) -> Self {
        let edges = || pairs.iter().filter(|[a, b]| a != b);
        // Numbers of neighbours, summed to starts.
        let mut starts = vec![0_u32; nodes + 1];
        for &[a, b] in edges() {
            starts[a + 1] += 1;
            starts[b + 1] += 1;
        }
        for j in 0..nodes {
            starts[j + 1] += starts[j];
        }

        // Both directions of each edge.
        let mut next = starts.clone();
        let mut neighbours = vec![0; starts[nodes] as usize];
        for &[a, b] in edges() {
            neighbours[next[a] as usize] = b as u32;
            neighbours[next[b] as usize] = a as u32;
            next[a] += 1;
            next[b] += 1;
        }
        Self { starts, neighbours }.without_repetitions()
    }

    /// Removes repeated neighbours. The first of each stays, in its order.
    fn without_repetitions(mut self) -> Self {
        let mut seen = vec![u32::MAX; self.nodes()];
        let mut kept = 0;
        let mut start = 0;
        for j in 0..self.nodes() {
            let end = self.starts[j + 1] as usize;
            for k in start..end {
                let neighbour = self.neighbours[k];
                if seen[neighbour as usize] != j as u32 {
                    seen[neighbour as usize] = j as u32;
                    self.neighbours[kept] = neighbour;
                    kept += 1;
                }
            }

            // The old start of the next node is gone once the new one is written.
            start = end;
            self.starts[j + 1] = kept as u32;
        }
        self.neighbours.truncate(kept);
        self
    }

    /// Number of nodes, isolated ones included.
    pub(super) fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// Nodes that share an edge with node `j`.
    pub(super) fn neighbours(&self, j: usize) -> &[u32] {
        &self.neighbours[self.starts[j] as usize..self.starts[j + 1] as usize]
    }

    /// Subgraphs of the nodes on side 0 and on side 1, and the number of each node within its side.
    pub(super) fn halves(&self, side: &[u8]) -> ([Self; 2], Vec<u32>) {
        let mut number = vec![0_u32; self.nodes()];
        let mut counts = [0; 3];
        for (number, &side) in number.iter_mut().zip(side) {
            *number = counts[side as usize];
            counts[side as usize] += 1;
        }

        // Edges within a side, by the numbers there.
        let graphs = [0, 1].map(|own| {
            let mut graph = Self {
                starts: Vec::with_capacity(counts[own as usize] as usize + 1),
                neighbours: Vec::new(),
            };
            graph.neighbours.reserve(self.neighbours.len() / 2);
            graph.starts.push(0);
            for j in (0..self.nodes()).filter(|&j| side[j] == own) {
                for &i in self.neighbours(j) {
                    if side[i as usize] == own {
                        graph.neighbours.push(number[i as usize]);
                    }
                }
                graph.starts.push(graph.neighbours.len() as u32);
            }
            graph
        });
        (graphs, number)
    }

    /// Breadth-first search from the node `from`, along edges of length 1.
    pub(super) fn distances(&self, from: usize) -> Distances {
        let mut distance = vec![u32::MAX; self.nodes()];
        let mut reached = Vec::with_capacity(self.nodes());
        distance[from] = 0;
        reached.push(from as u32);

        // The list of reached nodes is the queue.
        let mut k = 0;
        while k < reached.len() {
            let j = reached[k] as usize;
            let next = distance[j] + 1;
            for &i in self.neighbours(j) {
                if distance[i as usize] == u32::MAX {
                    distance[i as usize] = next;
                    reached.push(i);
                }
            }
            k += 1;
        }
        Distances { distance, reached }
    }
}

/// Result of a breadth-first search: numbers of edges from one node to all others.
pub(super) struct Distances {
    /// Distance of each node; `u32::MAX` where no path leads.
    pub(super) distance: Vec<u32>,
    /// Nodes that a path leads to, in the order of their discovery.
    pub(super) reached: Vec<u32>,
}

impl Distances {
    /// Nodes at the largest distance, the last discovered first: candidates for the other end of a
    /// part.
    pub(super) fn farthest(&self) -> impl Iterator<Item = usize> {
        let largest = self
            .reached
            .last()
            .map_or(0, |&j| self.distance[j as usize]);
        self.reached
            .iter()
            .rev()
            .map(|&j| j as usize)
            .take_while(move |&j| self.distance[j] == largest)
    }
}
