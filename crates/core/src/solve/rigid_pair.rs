//! Hessians between two rigid bodies as sums of moments.
//!
//! A vertex of a rigid body moves by `dx = dc + r dtheta` with its arm `r = perp(x - c)`. So the block
//! `B` between a vertex of one body and one of another becomes
//!
//! `[ B      B s     ]`
//! `[ r^T B  r^T B s ]`
//!
//! in the coordinates of both bodies, with the arms `r` and `s`. All blocks between the same two bodies
//! are summed in this form, and the sum goes to its places in the matrix once.

use ipcsim_math::{Mat2, Vec2, outer};

/// Sum of blocks between the vertices of one rigid body, by rows, and of one, by columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    /// By the two centres: sum of `B`.
    pub(super) centers: Mat2,
    /// By the angle of the row and the centre of the column: sum of `B^T r`.
    pub(super) row_angle: Vec2,
    /// By the centre of the row and the angle of the column: sum of `B s`.
    pub(super) column_angle: Vec2,
    /// By both angles: sum of `r^T B s`.
    pub(super) angles: f64,
}

impl Moments {
    /// Blocks by the nodes of both bodies, the centre and the angle: the number of each by rows and
    /// columns, and the block. The last one counts between different bodies only.
    pub(super) fn blocks(&self) -> [([usize; 2], Mat2); 4] {
        let [row, column] = [self.row_angle, self.column_angle];
        [
            ([0, 0], self.centers),
            ([1, 0], Mat2::new(row.x, row.y, 0.0, 0.0)),
            ([1, 1], Mat2::new(self.angles, 0.0, 0.0, 0.0)),
            ([0, 1], Mat2::new(column.x, 0.0, column.y, 0.0)),
        ]
    }

    /// Adds a block between vertices with these arms (m).
    #[inline]
    fn add(&mut self, block: &Mat2, row_arm: Vec2, column_arm: Vec2) {
        let by_row = block.tr_mul(&row_arm);
        self.centers += block;
        self.row_angle += by_row;
        self.column_angle += block * column_arm;
        self.angles += by_row.dot(&column_arm);
    }

    /// Adds `weight a b^T`, with `a` by rows and `b` by columns.
    #[inline]
    fn add_product(&mut self, weight: f64, a: Wrench, b: Wrench) {
        let Wrench { force, moment } = b;
        let (scaled, turned) = (a.force * weight, a.moment * weight);
        self.centers += outer(scaled, force);
        self.row_angle += force * turned;
        self.column_angle += scaled * moment;
        self.angles += turned * moment;
    }
}

/// Vectors of the vertices of one body, pulled back to its coordinates: their sum, and the sum of their
/// products with the arms.
#[derive(Clone, Copy, Debug, Default)]
struct Wrench {
    force: Vec2,
    moment: f64,
}

impl Wrench {
    /// Vectors of both bodies from the `vectors` of all vertices.
    #[inline]
    fn of_both(vertices: &[RigidVertex], vectors: &[Vec2]) -> [Self; 2] {
        let mut both = [Self::default(); 2];
        for (vertex, vector) in vertices.iter().zip(vectors) {
            let own = &mut both[vertex.body];
            own.force += vector;
            own.moment += vertex.arm.dot(vector);
        }
        both
    }
}

/// Hessian of some elements between two rigid bodies.
#[derive(Clone, Debug)]
pub(super) struct RigidPair {
    /// First node of each body, its centre; the next node is its angle.
    pub(super) centers: [usize; 2],
    /// Blocks of each body with itself.
    pub(super) own: [Moments; 2],
    /// Blocks with rows of the second body and columns of the first.
    pub(super) between: Moments,
}

/// Vertex of a rigid body: which of two bodies it is of, and its arm (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct RigidVertex {
    /// Number of the body in the pair.
    pub(super) body: usize,
    /// Arm `perp(x - c)`.
    pub(super) arm: Vec2,
}

impl RigidPair {
    /// Two bodies with these first nodes, and no blocks yet.
    pub(super) fn new(centers: [usize; 2]) -> Self {
        Self {
            centers,
            own: [Moments::default(); 2],
            between: Moments::default(),
        }
    }

    /// Adds the blocks of an element between its `vertices`, lower triangle row by row.
    #[inline]
    pub(super) fn add(&mut self, vertices: &[RigidVertex], blocks: &[Mat2]) {
        let mut blocks = blocks.iter();
        for (k, &row) in vertices.iter().enumerate() {
            for (&column, block) in vertices[..k].iter().zip(&mut blocks) {
                self.add_beside(row, column, block);
            }
            if let Some(block) = blocks.next() {
                self.own[row.body].add(block, row.arm, row.arm);
            }
        }
    }

    /// Adds `weight / 2 (a b^T + b a^T)` for the vectors `a` and `b` of all `vertices`.
    #[inline]
    pub(super) fn add_product(
        &mut self,
        vertices: &[RigidVertex],
        weight: f64,
        [a, b]: [&[Vec2]; 2],
    ) {
        let first = Wrench::of_both(vertices, a);
        if std::ptr::eq(a, b) {
            let [row, column] = [1, 0].map(|body| first[body]);
            self.own[0].add_product(weight, column, column);
            self.own[1].add_product(weight, row, row);
            self.between.add_product(weight, row, column);
            return;
        }

        let second = Wrench::of_both(vertices, b);
        let half = 0.5 * weight;
        for (own, (a, b)) in self.own.iter_mut().zip(first.into_iter().zip(second)) {
            own.add_product(half, a, b);
            own.add_product(half, b, a);
        }
        self.between.add_product(half, first[1], second[0]);
        self.between.add_product(half, second[1], first[0]);
    }

    /// Adds a block between two different vertices, and its transpose on the other side.
    #[inline]
    fn add_beside(&mut self, row: RigidVertex, column: RigidVertex, block: &Mat2) {
        match [row.body, column.body] {
            [1, 0] => self.between.add(block, row.arm, column.arm),
            [0, 1] => {
                let block = block.transpose();
                self.between.add(&block, column.arm, row.arm);
            }
            [body, _] => {
                let own = &mut self.own[body];
                own.add(block, row.arm, column.arm);
                own.add(&block.transpose(), column.arm, row.arm);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::SMatrix;

    /// The matrix by the coordinates of both bodies, from the moments of a pair.
    fn whole(pair: &RigidPair) -> SMatrix<f64, 6, 6> {
        let mut matrix = SMatrix::<f64, 6, 6>::zeros();
        let mut put = |moments: &Moments, row: usize, column: usize| {
            let mut part = SMatrix::<f64, 3, 3>::zeros();
            part.fixed_view_mut::<2, 2>(0, 0)
                .copy_from(&moments.centers);
            part.fixed_view_mut::<1, 2>(2, 0)
                .copy_from(&moments.row_angle.transpose());
            part.fixed_view_mut::<2, 1>(0, 2)
                .copy_from(&moments.column_angle);
            part[(2, 2)] = moments.angles;
            matrix.fixed_view_mut::<3, 3>(row, column).copy_from(&part);
            if row != column {
                matrix
                    .fixed_view_mut::<3, 3>(column, row)
                    .copy_from(&part.transpose());
            }
        };
        put(&pair.own[0], 0, 0);
        put(&pair.own[1], 3, 3);
        put(&pair.between, 3, 0);
        matrix
    }

    #[test]
    fn moments_are_the_product_with_the_jacobian_on_both_sides() {
        // A symmetric element of four vertices, of the bodies 1, 0, 0, 1.
        let number = |i: usize, j: usize| ((7 * i * j + 3 * (i + j) + 1) % 11) as f64 - 5.0;
        let element = SMatrix::<f64, 8, 8>::from_fn(number);
        assert_eq!(element, element.transpose());
        let vertices = [1, 0, 0, 1].iter().zip(0..).map(|(&body, k)| RigidVertex {
            body,
            arm: Vec2::new(number(k, 2), number(3, k + 1)),
        });
        let vertices: Vec<RigidVertex> = vertices.collect();

        let mut jacobian = SMatrix::<f64, 8, 6>::zeros();
        let mut blocks = Vec::new();
        for (k, vertex) in vertices.iter().enumerate() {
            let first = 3 * vertex.body;
            jacobian[(2 * k, first)] = 1.0;
            jacobian[(2 * k + 1, first + 1)] = 1.0;
            jacobian
                .fixed_view_mut::<2, 1>(2 * k, first + 2)
                .copy_from(&vertex.arm);
            blocks.extend((0..=k).map(|j| {
                let block = element.fixed_view::<2, 2>(2 * k, 2 * j);
                Mat2::from(block)
            }));
        }

        let mut pair = RigidPair::new([0, 2]);
        pair.add(&vertices, &blocks);
        pair.add(&vertices, &blocks);
        let expected = jacobian.transpose() * element * jacobian * 2.0;
        assert_eq!(whole(&pair), expected);
    }

    #[test]
    fn products_are_the_blocks_that_they_stand_for() {
        let number = |k: usize| ((5 * k * k + 3 * k + 1) % 13) as f64 - 6.0;
        let vector = |k: usize| Vec2::new(number(k), number(k + 7));
        let vertices: Vec<RigidVertex> = [0, 1, 1]
            .into_iter()
            .zip(0..)
            .map(|(body, k)| RigidVertex {
                body,
                arm: vector(k + 20),
            })
            .collect();
        let a: Vec<Vec2> = (0..3).map(vector).collect();
        let b: Vec<Vec2> = (3..6).map(vector).collect();

        for (first, second) in [(&a, &b), (&a, &a)] {
            let mut blocks = Vec::new();
            for i in 0..3 {
                for j in 0..=i {
                    let both = outer(first[i], second[j]) + outer(second[i], first[j]);
                    blocks.push(both * 2.0);
                }
            }
            let mut by_blocks = RigidPair::new([0, 2]);
            by_blocks.add(&vertices, &blocks);
            let mut by_products = RigidPair::new([0, 2]);
            by_products.add_product(&vertices, 4.0, [first, second]);
            assert_eq!(whole(&by_products), whole(&by_blocks));
        }
    }
}
