//! Ties to first order, by coordinates.
//!
//! A row opens by `J dx/dq p` in a motion `p` of the coordinates, and its force `f` on them is
//! `(J dx/dq)^T f`. Both are needed often while forces are sought, so the derivative is kept as few
//! blocks: one for each node of the bodies that the row joins. All of them have the factor
//! `sqrt(s k)`, with the factor `s` of contact in the potential and the stiffness `k` of the row.
//!
//! So rows add `B^T B` to the Newton matrix, and the unknowns that belong to `B` are
//! `u = d / sqrt k` for the changes `d` of forces. All rows then count alike, whatever mass they
//! move and whatever the unit of their residual is: a length for a hinge, an angle times an arm for
//! a gear.
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

            // A row that moves nothing keeps its number but has no blocks.
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

    /// Nodes of all rows, and the first one of each, from which the pattern of their matrix
    /// follows.
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

    /// `B p` of each row: up to `sqrt(s k)` the opening by a motion `p` of the coordinates
    /// (`[nodes]`).
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
    use crate::body::Configuration;
    use crate::constraint::{
        ConstraintAction, Constraints, DistanceConstraint, Hinge, JointFrame, Rule, Slider, Spring,
        WarmStart,
    };
    use crate::solve::model::Model;
    use crate::solve::test_problems::{Small, number};
    use ipcsim_sparse::BlockMatrix;

    /// Two rigid bodies and a vertex with rows of several kinds, at a state in which all are open.
    fn joined() -> (Model, Configuration) {
        let mut small = Small::default();
        let bars = [[0.0, 0.0], [2.0, 0.5]].map(|center| {
            let arms = [[-0.7, 0.2], [0.8, -0.1]];
            let first = small.rigid([center, [0.0; 2]], &arms, [1.0, 0.3]);
            let x = arms.map(|arm| Vec2::from(center) + Vec2::from(arm));
            let place = Vec2::new(1.1, 0.3);
            JointFrame::turning([first, first + 1], x, place, Vec2::new(0.6, 0.8))
        });
        let point = JointFrame::vertex(small.point([1.0, 2.0], 1.0));

        let spring = ConstraintAction::Sprung(Spring {
            stiffness: 3.0,
            rest: 0.1,
            damping: 0.0,
        });
        let rod = Rule::Rod(DistanceConstraint { length: 1.3 });
        let [a, b] = bars;
        small.row(Rule::Hinge(Hinge), ConstraintAction::Closed, &[a, b]);
        small.row(rod, ConstraintAction::Closed, &[point, b]);
        small.row(
            Rule::Slider(Slider { arm: 1.7 }),
            ConstraintAction::Closed,
            &[b, a],
        );
        small.row(rod, spring, &[a, point]);

        let (model, at) = small.model();
        let shaken = at.q.iter().enumerate();
        let shaken = shaken.map(|(k, q)| q + 0.2 * Vec2::new(number(2 * k), number(2 * k + 1)));
        let at = Configuration::of(&model.coordinates, shaken.collect());
        (model, at)
    }

    /// Residuals of all rows where the coordinates are `q`.
    fn residuals(model: &Model, constraints: &Constraints, q: Vec<Vec2>) -> Vec<Vec2> {
        let x = Configuration::of(&model.coordinates, q).x;
        constraints
            .linear(&x)
            .map(|row| row.open.residual)
            .collect()
    }

    #[test]
    fn blocks_are_the_derivatives_of_residuals_by_coordinates_that_are_free() {
        let (model, at) = joined();
        let outset = WarmStart {
            scale: 0.01,
            ..WarmStart::START
        };
        let constraints = Constraints::new(&model.joints, &outset);
        let row: Vec<usize> = (0..5).collect();
        let mut pairs: Vec<[usize; 2]> = (0..5).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let matrix = BlockMatrix::new(5, &mut pairs);
        let mut places = ConstraintPlaces::new(&model.joints, &model.coordinates, &row, &matrix);
        for row in constraints.linear(&at.x) {
            places.derive(&row, &model.coordinates, &at);
        }

        // The vertex is fixed, and one component of a centre.
        let mut fixed = [[false; 2]; 5];
        fixed[2] = [false, true];
        fixed[4] = [true; 2];
        let factor = 0.04_f64;
        let mut tied = ConstraintJacobian::default();
        tied.renew(&places, factor, &fixed);
        assert_eq!(tied.len(), 4);
        assert_eq!(
            tied.of(3).count(),
            0,
            "the force of a spring does not change"
        );
        assert_eq!(tied.of(1).count(), 2, "nothing moves the vertex");

        let here = residuals(&model, &constraints, at.q.clone());
        for (k, residual) in here.iter().take(3).enumerate() {
            let root = tied.roots[k];
            assert!((tied.residuals[k] - residual * root).norm() < 1e-13 * root);
            for (node, block) in tied.of(k) {
                for axis in 0..2 {
                    let ends = [1e-6, -1e-6].map(|step| {
                        let mut q = at.q.clone();
                        q[node][axis] += step;
                        residuals(&model, &constraints, q)[k]
                    });
                    let slope = (ends[0] - ends[1]) / 2e-6 * (root * factor.sqrt());
                    let expected = if fixed[node][axis] {
                        Vec2::zeros()
                    } else {
                        slope
                    };
                    let error = (block.column(axis) - expected).norm();
                    assert!(error < 1e-7 * root, "{k} {node} {axis}: {error:e}");
                }
            }
        }
    }

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
