//! From eliminated pivots to an order: postorder of their tree.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "nodes have 32 bits, and a count of nodes is not negative"
)]

use super::{NONE, Node, Quotient};

impl Quotient {
    /// Nodes in order: pivots in postorder of their tree, each after the nodes that it stands for;
    /// nodes with many neighbours last.
    pub(super) fn order(mut self) -> Vec<u32> {
        self.compress();
        self.link_children();
        let mut count = self.place_pivots();
        for i in 0..self.nodes.len() {
            let Node { weight, parent, .. } = self.nodes[i];
            if weight != 0 {
                continue;
            }
            let next = match parent {
                NONE => &mut count,
                parent => &mut self.node(parent).start,
            };
            let place = *next;
            *next += 1;
            self.nodes[i].start = place;
        }

        let mut order = vec![0; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            order[node.start] = number as u32;
        }
        order
    }

    /// Makes the pivot that stands for a node its parent, for all nodes that are not pivots.
    fn compress(&mut self) {
        for i in 0..self.nodes.len() as u32 {
            if self.node(i).weight != 0 || self.node(i).parent == NONE {
                continue;
            }

            let mut pivot = self.node(i).parent;
            while self.node(pivot).weight == 0 {
                pivot = self.node(pivot).parent;
            }

            // All nodes on the path get the pivot, so that no path is followed twice.
            let mut node = i;
            while self.node(node).weight == 0 {
                node = std::mem::replace(&mut self.node(node).parent, pivot);
            }
        }
    }

    /// Links the children of each pivot, which are pivots, by ascending numbers. The child with the
    /// largest front comes last, so that its memory is reused at once.
    fn link_children(&mut self) {
        for node in &mut self.nodes {
            node.first = NONE;
            node.next = NONE;
        }

        for j in (0..self.nodes.len() as u32).rev() {
            let parent = self.node(j).parent;
            if self.node(j).weight > 0 && parent != NONE {
                let first = std::mem::replace(&mut self.node(parent).first, j);
                self.node(j).next = first;
            }
        }

        for i in 0..self.nodes.len() as u32 {
            self.put_largest_last(i);
        }
    }

    /// Moves the child of a pivot with the largest front to the end of its children.
    fn put_largest_last(&mut self, pivot: u32) {
        let mut largest = NONE;
        let mut before_largest = NONE;
        let mut last = NONE;
        let mut child = self.node(pivot).first;
        while child != NONE {
            let front = self.node(child).front;
            if largest == NONE || front >= self.node(largest).front {
                before_largest = last;
                largest = child;
            }
            last = child;
            child = self.node(child).next;
        }
        if largest == last {
            return;
        }

        let after = std::mem::replace(&mut self.node(largest).next, NONE);
        match before_largest {
            NONE => self.node(pivot).first = after,
            before => self.node(before).next = after,
        }
        self.node(last).next = largest;
    }

    /// Gives each pivot its place, `start`, in a postorder of the tree, with room for the nodes that
    /// it stands for. The links of children are used up. Returns the first free place.
    fn place_pivots(&mut self) -> usize {
        let mut count = 0;
        for root in 0..self.nodes.len() as u32 {
            let is_root = self.node(root).weight > 0 && self.node(root).parent == NONE;
            let mut top = if is_root { root } else { NONE };
            while top != NONE {
                // Its children one after the other, then itself.
                let own = self.node(top);
                if own.first == NONE {
                    own.start = count;
                    count += own.weight as usize;
                    top = own.parent;
                } else {
                    let child = own.first;
                    let next = self.node(child).next;
                    self.node(top).first = next;
                    top = child;
                }
            }
        }
        count
    }
}
