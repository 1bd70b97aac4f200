//! Ties to first order, by coordinates.
//!
//! A row opens by `J dx/dq p` in a motion `p` of the coordinates, and its force `f` on them is
//! `(J dx/dq)^T f`. Both are needed often while forces are sought, so the derivative is kept as few
//! blocks: one for each node of the bodies that the row joins. All of them have the factor
//! `sqrt(s k)`, with the factor `s` of contact in the potential and the stiffness `k` of the row.
//!
//! So rows add `B^T B` to the Newton matrix, and the unknowns that belong to `B` are `u = d / sqrt
//! k` for the changes `d` of forces. All rows then count alike, whatever mass they move and
//! whatever the unit of their residual is: that of a hinge is a length, that of a gear an angle
//! times an arm.
//!
//! A row whose force cannot change has no blocks: a limit, a spring, or a motor that slips. Neither
//! have nodes that are fixed, since nothing moves them.

use crate::solve::constraint_places::ConstraintPlaces;
use ipcsim_math::{Mat2, Vec2};

/// Derivatives of the residuals of all rows by the coordinates that are free to move.
#[derive(Debug, Default)]
pub(crate) struct ConstraintJacobian {
    /// First block of each row, `[rows + 1]`.
    starts: Vec<usize>,
    /// Node of each block.
    nodes: Vec<usize>,
    /// Derivatives `B = sqrt(s k) J dx/dq` (sqrt(kg); of angles m sqrt(kg)).
    pub(crate) blocks: Vec<Mat2>,
    /// Roots of the stiffness of each row, `sqrt k` (sqrt(N/m)).
    pub(crate) roots: Vec<f64>,
    /// Openings that forces have to close, times `sqrt k` (m sqrt(N/m)).
    pub(crate) residuals: Vec<Vec2>,
}

impl ConstraintJacobian {
    /// Takes the constraints to first order where their derivatives by coordinates were found, without
    /// the `fixed` components, for a potential with the `factor` of contact.
    pub(crate) fn renew(&mut self, rows: &ConstraintPlaces, factor: f64, fixed: &[[bool; 2]]) {
        self.clear(rows.open().len());
        let root = factor.sqrt();
        for (number, row) in rows.open().iter().enumerate() {
            let part = Mat2::from_diagonal(&row.part);
            let by_nodes = rows.of(number).map(|(node, by)| (node, part * by));
            let acts = by_nodes.clone().any(|(_, by)| by != Mat2::zeros());
            for (node, by) in by_nodes.filter(|(node, _)| acts && fixed[*node] != [true; 2]) {
                let [x_is_free, y_is_free] = fixed[node].map(|is_fixed| f64::from(!is_fixed));
                let free = Mat2::new(x_is_free, 0.0, 0.0, y_is_free);
                self.nodes.push(node);
                self.blocks.push(by * free * (row.root * root));
            }
            self.starts.push(self.nodes.len());
            self.roots.push(row.root);
            self.residuals.push(row.residual * row.root);
        }
    }

    /// Leaves no rows, with room for this number of them.
    fn clear(&mut self, count: usize) {
        let Self {
            starts,
            nodes,
            blocks,
            roots,
            residuals,
        } = self;
        starts.clear();
        starts.reserve(count + 1);
        starts.push(0);
        nodes.clear();
        nodes.reserve(4 * count);
        blocks.clear();
        blocks.reserve(4 * count);
        roots.clear();
        roots.reserve(count);
        residuals.clear();
        residuals.reserve(count);
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Nodes of all rows, and the first one of each: what the pattern of their matrix follows from.
    pub(crate) fn pattern(&self) -> (Vec<usize>, Vec<usize>) {
        (self.nodes.clone(), self.starts.clone())
    }

    /// True if this is the [`pattern`](Self::pattern) of the rows.
    pub(crate) fn has_pattern(&self, (nodes, starts): &(Vec<usize>, Vec<usize>)) -> bool {
        self.nodes == *nodes && self.starts == *starts
    }

    /// Nodes of a row with their blocks.
    pub(crate) fn of(&self, row: usize) -> impl Iterator<Item = (usize, &Mat2)> {
        let own = self.starts[row]..self.starts[row + 1];
        self.nodes[own.clone()]
            .iter()
            .copied()
            .zip(&self.blocks[own])
    }

    /// Writes `B^T u`, `[nodes]`: up to `sqrt s` the gradient that the forces `sqrt k u` add to the
    /// potential.
    pub(crate) fn pull(&self, u: &[Vec2], out: &mut [Vec2]) {
        out.fill(Vec2::zeros());
        for (row, u) in u.iter().enumerate() {
            for (node, by) in self.of(row) {
                out[node] += by.tr_mul(u);
            }
        }
    }

    /// `B p` of each row: up to `sqrt(s k)` what a motion `p` of the coordinates (`[nodes]`) opens.
    pub(crate) fn open<'a>(&'a self, p: &'a [Vec2]) -> impl Iterator<Item = Vec2> + 'a {
        (0..self.len()).map(|row| self.of(row).map(|(node, by)| by * p[node]).sum())
    }
}

#[cfg(test)]
impl ConstraintJacobian {
    /// Ties with these nodes and blocks.
    pub(crate) fn of_blocks(rows: &[Vec<(usize, Mat2)>]) -> Self {
        let mut tied = Self::default();
        tied.clear(rows.len());
        for row in rows {
            for (node, block) in row {
                tied.nodes.push(*node);
                tied.blocks.push(*block);
            }
            tied.starts.push(tied.nodes.len());
        }
        tied
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pull_is_the_transpose_of_open() {
        let rows = [
            vec![
                (0, Mat2::new(1.0, 2.0, -0.5, 3.0)),
                (2, Mat2::new(0.3, 0.0, 1.0, -2.0)),
            ],
            vec![(2, Mat2::new(-1.0, 0.4, 0.2, 0.7))],
        ];
        let tied = ConstraintJacobian::of_blocks(&rows);
        let p = [[0.3, -1.0], [5.0, 5.0], [0.9, 0.1]].map(Vec2::from);
        let u = [[1.2, 0.4], [-0.6, 2.0]].map(Vec2::from);
        let mut pulled = [Vec2::zeros(); 3];
        tied.pull(&u, &mut pulled);
        assert_eq!(pulled[1], Vec2::zeros());

        let opened: f64 = tied.open(&p).zip(&u).map(|(open, u)| open.dot(u)).sum();
        let moved: f64 = pulled.iter().zip(&p).map(|(pull, p)| pull.dot(p)).sum();
        assert!((opened - moved).abs() < 1e-14, "{opened} {moved}");
    }
}
