//! Derivatives by nodes from derivatives by vertices, for numbers that depend on few vertices, as the
//! opening of a joint does: two or three of each body, which depend on the same nodes.

use super::{Configuration, Coordinates};
use crate::math::Mat2;
use smallvec::SmallVec;

/// Derivatives of a pair of numbers by nodes, each node once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByNodes {
    /// The nodes, those of a body side by side.
    pub nodes: SmallVec<[usize; 6]>,
    /// Derivative by each of them.
    pub blocks: SmallVec<[Mat2; 6]>,
}

impl ByNodes {
    /// Derivatives by `count` nodes of a body from the node `first` on, which are zero if the body is
    /// new.
    #[inline]
    fn of_body(&mut self, first: usize, count: usize) -> &mut [Mat2] {
        let known = self.nodes.iter().position(|&node| node == first);
        let start = known.unwrap_or(self.nodes.len());
        if known.is_none() {
            for node in first..first + count {
                self.nodes.push(node);
                self.blocks.push(Mat2::zeros());
            }
        }
        &mut self.blocks[start..start + count]
    }

    /// The nodes with their derivatives.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Mat2)> {
        self.nodes.iter().copied().zip(&self.blocks)
    }
}

impl Coordinates {
    /// Derivatives by nodes of a pair of numbers with these derivatives `by_x` by vertices,
    /// `by_x dx/dq`.
    pub fn by_nodes(
        &self,
        at: &Configuration,
        by_x: impl Iterator<Item = (usize, Mat2)>,
    ) -> ByNodes {
        let mut by_q = ByNodes::default();
        for (i, by) in by_x {
            let Some(body) = self.body_of(i) else {
                by_q.of_body(self.first[i], 1)[0] += by;
                continue;
            };
            let vertex = i - body.vertices.start;
            let nodes = body.nodes.clone();
            let out = by_q.of_body(nodes.start, nodes.len());
            body.kinematics
                .chain(&at.q[nodes], at.x[i], vertex, &by, out);
        }
        by_q
    }
}
