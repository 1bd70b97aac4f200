//! Approximate minimum degree: an order of elimination for small parts of a graph.
//!
//! P. R. Amestoy, T. A. Davis, I. S. Duff 1996, "An approximate minimum degree ordering algorithm",
//! SIAM J. Matrix Anal. Appl. 17, 886-905. In outline, until all nodes are eliminated:
//!
//! 1. take the variable of least approximate degree as pivot;
//! 2. its neighbours become an element, which absorbs the elements next to it (section 2);
//! 3. for each of these variables, bound its degree by the sizes of its elements outside of the new
//!    one (section 5); absorb elements that lie inside of the new one;
//! 4. merge variables with the same neighbours, which a hash finds (section 4).
//!
//! The tree of elements is then walked in postorder. Ties go to the variable that was listed last,
//! so the result depends only on the graph.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "nodes have 32 bits, and a count of nodes is not negative"
)]

use super::graph::Graph;
use super::tuning::{DENSE_ROW, LEAST_DENSE_ROW};

/// No node.
const NONE: u32 = u32::MAX;

/// Nodes of a graph in order of elimination, `[nodes]`.
pub(super) fn minimum_degree(graph: Graph) -> Vec<u32> {
    let mut quotient = Quotient::new(graph);
    while quotient.eliminated < quotient.nodes {
        let pivot = quotient.take_pivot();
        quotient.eliminate(pivot);
    }
    quotient.order()
}

/// Quotient graph: variables that are not yet eliminated, and elements, each of which stands for
/// eliminated variables and lists the variables that they joined.
struct Quotient {
    /// Number of nodes of the graph.
    nodes: usize,
    /// Number of nodes that are eliminated or stand at the end of the order.
    eliminated: usize,
    /// Lists of all nodes. That of a variable has elements first, then variables; that of an
    /// element has variables.
    lists: Vec<u32>,
    /// First entry of each node's list, `[nodes]`.
    start: Vec<usize>,
    /// Length of each node's list, `[nodes]`.
    length: Vec<usize>,
    /// Number of elements in the list of each variable, `[nodes]`.
    elements: Vec<usize>,
    /// Number of nodes that each node stands for, `[nodes]`: 0 once another one stands for it,
    /// negative while it is in the element that is being made.
    weight: Vec<i64>,
    /// Bound of the degree of each variable; size of each element, `[nodes]`.
    degree: Vec<i64>,
    /// Node that each node was absorbed by, [`NONE`] for others, `[nodes]`.
    parent: Vec<u32>,
    /// Size of the front of each pivot when it was eliminated, `[nodes]`.
    front: Vec<i64>,
    /// Variables by degree.
    queue: DegreeLists,
    /// Marks of nodes, `[nodes]`: 0 for an absorbed element, values from `flag` on for those of now.
    mark: Vec<i64>,
    /// Least mark of the present comparison.
    flag: i64,
    /// Largest size of an element so far.
    largest: i64,
    /// Last variable of each hash, `[nodes]`.
    bucket: Vec<u32>,
    /// Hash of each variable of the present element, `[nodes]`.
    hash: Vec<usize>,
    /// Next variable of the same hash, `[nodes]`.
    same_hash: Vec<u32>,
}

/// Lists of the variables of each degree, the newest first.
struct DegreeLists {
    /// First variable of each degree, `[nodes]`.
    head: Vec<u32>,
    /// Next variable of the same degree, `[nodes]`.
    next: Vec<u32>,
    /// Previous variable of the same degree, `[nodes]`.
    previous: Vec<u32>,
    /// No variable has a lower degree.
    least: usize,
}

impl DegreeLists {
    /// Lists without variables.
    fn new(nodes: usize) -> Self {
        Self {
            head: vec![NONE; nodes],
            next: vec![NONE; nodes],
            previous: vec![NONE; nodes],
            least: 0,
        }
    }

    /// Adds variable `i`.
    fn add(&mut self, i: u32, degree: usize) {
        let after = self.head[degree];
        if after != NONE {
            self.previous[after as usize] = i;
        }
        self.next[i as usize] = after;
        self.previous[i as usize] = NONE;
        self.head[degree] = i;
        self.least = self.least.min(degree);
    }

    /// Removes variable `i`.
    fn remove(&mut self, i: u32, degree: usize) {
        let before = self.previous[i as usize];
        let after = self.next[i as usize];
        if after != NONE {
            self.previous[after as usize] = before;
        }
        if before == NONE {
            self.head[degree] = after;
        } else {
            self.next[before as usize] = after;
        }
    }

    /// The newest variable of least degree. There must be one.
    fn first(&mut self) -> u32 {
        while self.head[self.least] == NONE {
            self.least += 1;
        }
        self.head[self.least]
    }
}

impl Quotient {
    /// Quotient graph in which no node is eliminated, but for those without neighbours and those
    /// with so many that they stand at the end.
    fn new(graph: Graph) -> Self {
        let nodes = graph.nodes();
        let Graph {
            starts,
            neighbours: mut lists,
        } = graph;
        for ends in starts.windows(2) {
            lists[ends[0] as usize..ends[1] as usize].sort_unstable();
        }

        let length: Vec<usize> = starts
            .windows(2)
            .map(|ends| (ends[1] - ends[0]) as usize)
            .collect();
        let mut quotient = Self {
            nodes,
            eliminated: 0,
            lists,
            start: starts[..nodes]
                .iter()
                .map(|&start| start as usize)
                .collect(),
            degree: length.iter().map(|&length| length as i64).collect(),
            length,
            elements: vec![0; nodes],
            weight: vec![1; nodes],
            parent: vec![NONE; nodes],
            front: vec![1; nodes],
            queue: DegreeLists::new(nodes),
            mark: vec![1; nodes],
            flag: 2,
            largest: 0,
            bucket: vec![NONE; nodes],
            hash: vec![0; nodes],
            same_hash: vec![NONE; nodes],
        };

        let dense = (DENSE_ROW * (nodes as f64).sqrt()) as usize;
        let dense = dense.max(LEAST_DENSE_ROW).min(nodes);
        for i in 0..nodes {
            let degree = quotient.length[i];
            if degree == 0 {
                quotient.mark[i] = 0;
                quotient.eliminated += 1;
            } else if degree > dense {
                quotient.weight[i] = 0;
                quotient.eliminated += 1;
            } else {
                quotient.queue.add(i as u32, degree);
            }
        }
        quotient
    }

    /// Takes the variable of least degree out of the queue.
    fn take_pivot(&mut self) -> usize {
        let pivot = self.queue.first();
        self.queue.remove(pivot, self.queue.least);
        pivot as usize
    }

    /// Eliminates a variable: it becomes an element, and the variables next to it get new degrees.
    fn eliminate(&mut self, pivot: usize) {
        self.eliminated += self.weight[pivot] as usize;
        self.weight[pivot] = -self.weight[pivot];
        let members = self.neighbours_of_pivot(pivot);
        let size: i64 = members.iter().map(|&i| -self.weight[i as usize]).sum();
        self.degree[pivot] = size;
        self.front[pivot] = size - self.weight[pivot];

        self.count_outside(&members);
        for &i in &members {
            self.bound_degree(i as usize, pivot);
        }
        self.largest = self.largest.max(self.degree[pivot]);
        self.flag += self.largest;
        for &i in &members {
            self.merge_same(i as usize);
        }
        self.close_element(pivot, members);
    }

    /// Variables next to the pivot, which leave the queue. Elements next to it are absorbed.
    fn neighbours_of_pivot(&mut self, pivot: usize) -> Vec<u32> {
        let start = self.start[pivot];
        let own = start + self.elements[pivot]..start + self.length[pivot];
        let mut members = Vec::with_capacity(self.length[pivot]);
        for k in start..own.start {
            let element = self.lists[k] as usize;
            let listed = self.start[element]..self.start[element] + self.length[element];
            self.collect(listed, &mut members);
            self.parent[element] = pivot as u32;
            self.mark[element] = 0;
        }
        self.collect(own, &mut members);
        members
    }

    /// Adds the variables in a range of lists to `members`, each once.
    fn collect(&mut self, range: std::ops::Range<usize>, members: &mut Vec<u32>) {
        for k in range {
            let i = self.lists[k];
            if self.weight[i as usize] > 0 {
                self.weight[i as usize] = -self.weight[i as usize];
                self.queue.remove(i, self.degree[i as usize] as usize);
                members.push(i);
            }
        }
    }

    /// Marks each element next to a member with `flag` plus the size of its part outside of the new
    /// element.
    fn count_outside(&mut self, members: &[u32]) {
        for &i in members {
            let i = i as usize;
            let weight = -self.weight[i];
            for &element in &self.lists[self.start[i]..self.start[i] + self.elements[i]] {
                let element = element as usize;
                let mark = &mut self.mark[element];
                if *mark >= self.flag {
                    *mark -= weight;
                } else if *mark != 0 {
                    *mark = self.degree[element] + self.flag - weight;
                }
            }
        }
    }

    /// Bounds the degree of a member outside of the new element, shortens its list, and hashes what
    /// is left. A member without anything else is eliminated with the pivot.
    fn bound_degree(&mut self, i: usize, pivot: usize) {
        let start = self.start[i];
        let mut end = start;
        let mut hash = 0_usize;
        let mut degree = 0;

        // Elements with a part outside; others lie in the new one.
        for k in start..start + self.elements[i] {
            let element = self.lists[k];
            let mark = self.mark[element as usize];
            if mark == 0 {
                continue;
            }
            let outside = mark - self.flag;
            if outside > 0 {
                degree += outside;
                hash = hash.wrapping_add(element as usize);
                self.lists[end] = element;
                end += 1;
            } else {
                self.parent[element as usize] = pivot as u32;
                self.mark[element as usize] = 0;
            }
        }

        // Variables outside.
        let variables = end;
        for k in start + self.elements[i]..start + self.length[i] {
            let j = self.lists[k];
            let weight = self.weight[j as usize];
            if weight > 0 {
                degree += weight;
                hash = hash.wrapping_add(j as usize);
                self.lists[end] = j;
                end += 1;
            }
        }

        if end == start {
            let weight = -self.weight[i];
            self.parent[i] = pivot as u32;
            self.degree[pivot] -= weight;
            self.weight[pivot] -= weight;
            self.eliminated += weight as usize;
            self.weight[i] = 0;
            return;
        }

        // The new element becomes the first one of the list, which has room for it.
        self.degree[i] = self.degree[i].min(degree);
        self.lists[end] = self.lists[variables];
        self.lists[variables] = self.lists[start];
        self.lists[start] = pivot as u32;
        self.elements[i] = variables - start + 1;
        self.length[i] = end - start + 1;

        let hash = hash % self.nodes;
        self.hash[i] = hash;
        self.same_hash[i] = self.bucket[hash];
        self.bucket[hash] = i as u32;
    }

    /// Merges the variables of the hash of a member that have the same list.
    fn merge_same(&mut self, member: usize) {
        if self.weight[member] >= 0 {
            return;
        }
        let bucket = &mut self.bucket[self.hash[member]];
        let mut first = std::mem::replace(bucket, NONE);
        while first != NONE && self.same_hash[first as usize] != NONE {
            let i = first as usize;
            for k in self.start[i] + 1..self.start[i] + self.length[i] {
                self.mark[self.lists[k] as usize] = self.flag;
            }

            let mut before = i;
            let mut other = self.same_hash[i];
            while other != NONE {
                let j = other as usize;
                other = self.same_hash[j];
                if self.is_marked(j, i) {
                    self.parent[j] = i as u32;
                    self.weight[i] += self.weight[j];
                    self.weight[j] = 0;
                    self.same_hash[before] = other;
                } else {
                    before = j;
                }
            }
            self.flag += 1;
            first = self.same_hash[i];
        }
    }

    /// True if the list of `j` has the lengths of that of `i`, and all of it is marked.
    fn is_marked(&self, j: usize, i: usize) -> bool {
        let rest = self.start[j] + 1..self.start[j] + self.length[j];
        self.length[j] == self.length[i]
            && self.elements[j] == self.elements[i]
            && self.lists[rest]
                .iter()
                .all(|&k| self.mark[k as usize] == self.flag)
    }

    /// Lists the members that are left in the new element, and queues them by their new degrees.
    fn close_element(&mut self, pivot: usize, mut members: Vec<u32>) {
        let left = (self.nodes - self.eliminated) as i64;
        members.retain(|&i| self.weight[i as usize] < 0);
        for &i in &members {
            let own = &mut self.weight[i as usize];
            *own = -*own;
            let degree = (self.degree[i as usize] + self.degree[pivot] - *own).min(left - *own);
            self.degree[i as usize] = degree;
            self.queue.add(i, degree as usize);
        }
        self.weight[pivot] = -self.weight[pivot];
        if members.is_empty() {
            self.mark[pivot] = 0;
        }

        // The list takes the place of the pivot's own if there is room.
        if members.len() <= self.length[pivot] {
            let start = self.start[pivot];
            self.lists[start..start + members.len()].copy_from_slice(&members);
        } else {
            self.start[pivot] = self.lists.len();
            self.lists.extend_from_slice(&members);
        }
        self.length[pivot] = members.len();
    }

    /// Nodes in order: pivots in postorder of their tree, each after the nodes that it stands for;
    /// nodes with many neighbours last.
    fn order(mut self) -> Vec<u32> {
        self.compress();
        let mut place = vec![NONE; self.nodes];
        let mut count = 0;
        for pivot in self.postorder() {
            place[pivot as usize] = count;
            count += self.weight[pivot as usize] as u32;
        }
        for i in 0..self.nodes {
            if self.weight[i] == 0 {
                let next = match self.parent[i] {
                    NONE => &mut count,
                    parent => &mut place[parent as usize],
                };
                let own = *next;
                *next += 1;
                place[i] = own;
            }
        }

        let mut order = vec![0; self.nodes];
        for (node, &place) in place.iter().enumerate() {
            order[place as usize] = node as u32;
        }
        order
    }

    /// Makes the pivot that stands for a node its parent, for all nodes that are not pivots.
    fn compress(&mut self) {
        for i in 0..self.nodes {
            if self.weight[i] != 0 || self.parent[i] == NONE {
                continue;
            }
            let mut pivot = self.parent[i];
            while self.weight[pivot as usize] == 0 {
                pivot = self.parent[pivot as usize];
            }
            let mut node = i;
            while self.weight[node] == 0 {
                let next = self.parent[node] as usize;
                self.parent[node] = pivot;
                node = next;
            }
        }
    }

    /// Pivots in postorder. Of the children of a pivot the one with the largest front comes last, so
    /// that its memory is reused at once.
    fn postorder(&self) -> Vec<u32> {
        let pivots = || (0..self.nodes).filter(|&i| self.weight[i] > 0);
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.nodes];
        for i in pivots() {
            if self.parent[i] != NONE {
                children[self.parent[i] as usize].push(i as u32);
            }
        }
        for own in &mut children {
            let largest = (0..own.len()).max_by_key(|&k| self.front[own[k] as usize]);
            if let Some(largest) = largest {
                let child = own.remove(largest);
                own.push(child);
            }
        }

        let mut order = Vec::new();
        let mut stack: Vec<u32> = Vec::new();
        for root in pivots().filter(|&i| self.parent[i] == NONE) {
            stack.push(root as u32);
            while let Some(&top) = stack.last() {
                let own = std::mem::take(&mut children[top as usize]);
                if own.is_empty() {
                    order.push(top);
                    stack.pop();
                } else {
                    stack.extend(own.iter().rev());
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_matrices::grid;
    use faer::dyn_stack::{MemBuffer, MemStack};
    use faer::sparse::SymbolicSparseColMatRef;
    use faer::sparse::linalg::amd;
    use proptest::prelude::*;

    /// Order of the library faer, which ports the authors' program.
    fn of_faer(nodes: usize, pairs: &[[usize; 2]]) -> Vec<u32> {
        let Graph {
            starts,
            mut neighbours,
        } = Graph::new(nodes, pairs);
        for ends in starts.windows(2) {
            neighbours[ends[0] as usize..ends[1] as usize].sort_unstable();
        }
        let pattern =
            SymbolicSparseColMatRef::new_checked(nodes, nodes, &starts, None, &neighbours);
        let size = amd::order_scratch::<u32>(nodes, neighbours.len());
        let mut memory = MemBuffer::new(size);
        let mut order = vec![0; nodes];
        let mut inverse = vec![0; nodes];
        let stack = MemStack::new(&mut memory);
        amd::order(
            &mut order,
            &mut inverse,
            pattern,
            amd::Control::default(),
            stack,
        )
        .unwrap();
        order
    }

    fn same(nodes: usize, pairs: &[[usize; 2]]) -> bool {
        minimum_degree(Graph::new(nodes, pairs)) == of_faer(nodes, pairs)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn random_graphs_are_ordered_as_by_faer(
            nodes in 1_usize..80,
            seeds in prop::collection::vec(prop::array::uniform2(0_usize..1000), 0..400),
        ) {
            let pairs: Vec<[usize; 2]> = seeds.iter().map(|pair| pair.map(|k| k % nodes)).collect();
            prop_assert!(same(nodes, &pairs));
        }
    }

    #[test]
    fn grids_stars_chains_and_dense_rows_are_ordered_as_by_faer() {
        for n in [2, 3, 10, 31, 60] {
            assert!(same(n * n, &grid(n)), "grid of {n}");
        }
        let n = 3000;
        let star: Vec<[usize; 2]> = (1..n).map(|j| [0, j]).collect();
        let chain: Vec<[usize; 2]> = (1..n).map(|j| [j - 1, j]).collect();
        let two_hubs: Vec<[usize; 2]> = chain
            .iter()
            .copied()
            .chain((0..n).map(|j| [1500, j]))
            .chain((0..n).map(|j| [7, j]))
            .collect();
        for pairs in [star, chain, two_hubs, Vec::new()] {
            assert!(same(n, &pairs));
        }
    }
}
