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
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "nodes have 32 bits, and a count of nodes is not negative"
)]

mod postorder;

use super::graph::Graph;
use super::tuning::{DENSE_ROW, LEAST_DENSE_ROW};
use std::ops::Range;

/// No node.
const NONE: u32 = u32::MAX;

/// Nodes of a graph in order of elimination, `[nodes]`.
pub(super) fn minimum_degree(graph: Graph) -> Vec<u32> {
    let mut quotient = Quotient::new(graph);
    while quotient.eliminated < quotient.nodes.len() {
        let pivot = quotient.take_pivot();
        quotient.eliminate(pivot);
    }
    quotient.order()
}

/// A node of the quotient graph: a variable, an element, or a node that another one stands for.
struct Node {
    /// First entry of its list.
    start: usize,
    /// Length of its list.
    length: usize,
    /// Number of elements at the beginning of the list of a variable.
    elements: usize,
    /// Number of nodes that it stands for: 0 once another one stands for it, negative while it is in
    /// the element that is being made.
    weight: i64,
    /// Bound of the degree of a variable; size of an element.
    degree: i64,
    /// Node that absorbed it, or [`NONE`].
    parent: u32,
    /// Size of its front when it was eliminated.
    front: i64,
    /// Mark: 0 for an absorbed element, values from `flag` on in the present comparison.
    mark: i64,
    /// Hash of the list of a variable of the present element.
    hash: usize,
    /// Next variable of the same hash; later the next child of the same parent.
    next: u32,
    /// Last variable whose hash is the number of this node; later the first child of this one.
    first: u32,
    /// Newest variable whose degree is the number of this node.
    newest: u32,
    /// Next older variable of the same degree.
    older: u32,
    /// Next newer variable of the same degree.
    newer: u32,
}

/// Quotient graph: variables that are not yet eliminated, and elements. An element stands for
/// eliminated variables and lists the variables that they joined.
struct Quotient {
    /// All nodes of the graph.
    nodes: Vec<Node>,
    /// Number of nodes that are eliminated or stand at the end of the order.
    eliminated: usize,
    /// Lists of all nodes. The list of a variable has elements first, then variables; the list of
    /// an element has variables. The element that is being made is at the end.
    lists: Vec<u32>,
    /// No variable has a lower degree.
    least: usize,
    /// Least mark of the present comparison.
    flag: i64,
    /// Largest size of an element so far.
    largest: i64,
}

impl Quotient {
    /// Quotient graph in which no node is eliminated, except nodes without neighbours. Nodes with
    /// very many neighbours stand at the end of the order.
    fn new(graph: Graph) -> Self {
        let count = graph.nodes();
        let Graph {
            starts,
            neighbours: mut lists,
        } = graph;
        let nodes = starts.windows(2).map(|ends| {
            let [start, end] = [ends[0] as usize, ends[1] as usize];
            lists[start..end].sort_unstable();
            Node {
                start,
                length: end - start,
                elements: 0,
                weight: 1,
                degree: i64::from(ends[1] - ends[0]),
                parent: NONE,
                front: 1,
                mark: 1,
                hash: 0,
                next: NONE,
                first: NONE,
                newest: NONE,
                older: NONE,
                newer: NONE,
            }
        });
        let mut quotient = Self {
            nodes: nodes.collect(),
            eliminated: 0,
            lists,
            least: count,
            flag: 2,
            largest: 0,
        };
        quotient.lists.reserve(count);

        // Variables, but for nodes without neighbours and nodes with very many.
        let dense = (DENSE_ROW * (count as f64).sqrt()) as usize;
        let dense = dense.max(LEAST_DENSE_ROW).min(count);
        for i in 0..count as u32 {
            let node = quotient.node(i);
            if node.length == 0 {
                node.mark = 0;
                quotient.eliminated += 1;
            } else if node.length > dense {
                node.weight = 0;
                quotient.eliminated += 1;
            } else {
                quotient.enqueue(i);
            }
        }
        quotient
    }

    /// A node by its number.
    fn node(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    /// Puts a variable in front of all variables of its degree.
    fn enqueue(&mut self, i: u32) {
        let degree = self.node(i).degree as usize;
        self.least = self.least.min(degree);
        let older = std::mem::replace(&mut self.nodes[degree].newest, i);
        let own = self.node(i);
        own.older = older;
        own.newer = NONE;
        if older != NONE {
            self.node(older).newer = i;
        }
    }

    /// Takes a variable out of the list of its degree.
    fn dequeue(&mut self, i: u32) {
        let own = self.node(i);
        let degree = own.degree as usize;
        let [older, newer] = [own.older, own.newer];
        if older != NONE {
            self.node(older).newer = newer;
        }
        match newer {
            NONE => self.nodes[degree].newest = older,
            newer => self.node(newer).older = older,
        }
    }

    /// Takes out the newest variable of least degree. There must be one.
    fn take_pivot(&mut self) -> u32 {
        while self.nodes[self.least].newest == NONE {
            self.least += 1;
        }
        let pivot = self.nodes[self.least].newest;
        self.dequeue(pivot);
        pivot
    }

    /// Eliminates a variable: it becomes an element, and the variables next to it get new degrees.
    fn eliminate(&mut self, pivot: u32) {
        let own = self.node(pivot);
        let weight = own.weight;
        own.weight = -weight;
        self.eliminated += weight as usize;
        let members = self.neighbours_of_pivot(pivot);
        let mut size = 0;
        for k in members.clone() {
            size -= self.node(self.lists[k]).weight;
        }
        let own = self.node(pivot);
        own.degree = size;
        own.front = size + weight;

        self.count_outside(members.clone());
        for k in members.clone() {
            self.bound_degree(self.lists[k], pivot);
        }
        self.largest = self.largest.max(self.node(pivot).degree);
        self.flag += self.largest;
        for k in members.clone() {
            self.merge_same(self.lists[k]);
        }
        self.close_element(pivot, members);
    }

    /// Appends the variables next to the pivot to the lists, and takes them out of their degrees.
    /// Elements next to it are absorbed. Returns where the variables are.
    fn neighbours_of_pivot(&mut self, pivot: u32) -> Range<usize> {
        let first = self.lists.len();
        let own = self.node(pivot);
        let start = own.start;

        let variables = start + own.elements..start + own.length;
        for k in start..variables.start {
            let element = self.lists[k];
            let absorbed = self.node(element);
            absorbed.parent = pivot;
            absorbed.mark = 0;
            let listed = absorbed.start..absorbed.start + absorbed.length;
            self.collect(listed);
        }

        self.collect(variables);
        first..self.lists.len()
    }

    /// Appends the variables in a range of lists, each once.
    fn collect(&mut self, range: Range<usize>) {
        for k in range {
            let i = self.lists[k];
            let node = self.node(i);
            if node.weight > 0 {
                node.weight = -node.weight;
                self.dequeue(i);
                self.lists.push(i);
            }
        }
    }

    /// Marks each element next to a member with `flag` plus the size of its part outside of the new
    /// element.
    fn count_outside(&mut self, members: Range<usize>) {
        for member in members {
            let own = self.node(self.lists[member]);
            let weight = -own.weight;
            for k in own.start..own.start + own.elements {
                let element = &mut self.nodes[self.lists[k] as usize];
                if element.mark >= self.flag {
                    element.mark -= weight;
                } else if element.mark != 0 {
                    element.mark = element.degree + self.flag - weight;
                }
            }
        }
    }

    /// Bounds the degree of a member outside of the new element, shortens its list, and hashes the
    /// rest. A member without anything else is eliminated with the pivot.
    fn bound_degree(&mut self, i: u32, pivot: u32) {
        let Node {
            start,
            length,
            elements,
            ..
        } = *self.node(i);
        let mut end = start;
        let mut hash = 0_usize;
        let mut degree = 0;

        // Elements with a part outside; others lie in the new one.
        for k in start..start + elements {
            let number = self.lists[k];
            let element = &mut self.nodes[number as usize];
            let outside = element.mark - self.flag;
            if element.mark == 0 {
                continue;
            }
            if outside > 0 {
                degree += outside;
                hash = hash.wrapping_add(number as usize);
                self.lists[end] = number;
                end += 1;
            } else {
                element.parent = pivot;
                element.mark = 0;
            }
        }

        // Variables outside.
        let variables = end;
        for k in start + elements..start + length {
            let j = self.lists[k];
            let weight = self.node(j).weight;
            if weight > 0 {
                degree += weight;
                hash = hash.wrapping_add(j as usize);
                self.lists[end] = j;
                end += 1;
            }
        }

        if end == start {
            return self.absorb(i, pivot);
        }

        // The new element becomes the first one of the list, which has room for it.
        self.lists[end] = self.lists[variables];
        self.lists[variables] = self.lists[start];
        self.lists[start] = pivot;
        let bucket = hash % self.nodes.len();
        let before = std::mem::replace(&mut self.nodes[bucket].first, i);
        let own = self.node(i);
        own.degree = own.degree.min(degree);
        own.elements = variables - start + 1;
        own.length = end - start + 1;
        own.hash = bucket;
        own.next = before;
    }

    /// Eliminates a member of the new element together with its pivot.
    fn absorb(&mut self, i: u32, pivot: u32) {
        let own = self.node(i);
        let weight = -std::mem::take(&mut own.weight);
        own.parent = pivot;
        let element = self.node(pivot);
        element.degree -= weight;
        element.weight -= weight;
        self.eliminated += weight as usize;
    }

    /// Merges the variables of the hash of a member that have the same list.
    fn merge_same(&mut self, member: u32) {
        let own = self.node(member);
        if own.weight >= 0 {
            return;
        }
        let bucket = own.hash;
        let mut i = std::mem::replace(&mut self.nodes[bucket].first, NONE);
        while i != NONE && self.node(i).next != NONE {
            let own = self.node(i);
            for k in own.start + 1..own.start + own.length {
                self.nodes[self.lists[k] as usize].mark = self.flag;
            }

            let mut before = i;
            let mut other = self.node(i).next;
            while other != NONE {
                let j = other;
                other = self.node(j).next;
                if self.is_marked(j, i) {
                    let merged = self.node(j);
                    merged.parent = i;
                    let weight = std::mem::take(&mut merged.weight);
                    self.node(i).weight += weight;
                    self.node(before).next = other;
                } else {
                    before = j;
                }
            }
            self.flag += 1;
            i = self.node(i).next;
        }
    }

    /// True if the lists of `j` and `i` have the same lengths, and the whole list of `j` is marked.
    fn is_marked(&self, j: u32, i: u32) -> bool {
        let [j, i] = [j, i].map(|k| &self.nodes[k as usize]);
        let mut rest = self.lists[j.start + 1..j.start + j.length].iter();
        j.length == i.length
            && j.elements == i.elements
            && rest.all(|&k| self.nodes[k as usize].mark == self.flag)
    }

    /// Lists the members that are left in the new element, and queues them by their new degrees.
    fn close_element(&mut self, pivot: u32, members: Range<usize>) {
        let left = (self.nodes.len() - self.eliminated) as i64;
        let element = self.node(pivot);
        element.weight = -element.weight;
        let size = element.degree;
        let mut end = members.start;
        for k in members.clone() {
            let i = self.lists[k];
            let own = self.node(i);
            if own.weight >= 0 {
                continue;
            }
            own.weight = -own.weight;
            own.degree = (own.degree + size - own.weight).min(left - own.weight);
            self.enqueue(i);
            self.lists[end] = i;
            end += 1;
        }

        // The list takes the place of the pivot's own if there is room.
        let element = &mut self.nodes[pivot as usize];
        let length = end - members.start;
        if length == 0 {
            element.mark = 0;
        }
        if length <= element.length {
            self.lists.copy_within(members.start..end, element.start);
            end = members.start;
        } else {
            element.start = members.start;
        }
        element.length = length;
        self.lists.truncate(end);
    }
}

#[cfg(test)]
mod tests;
