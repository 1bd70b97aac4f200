//! Meshes of bodies that touch in one place, fine where they touch.

use ipcsim::prelude::*;

/// Growth of cells away from the place (1).
const GROWTH: f64 = 1.18;

/// A body as large as `reach` on both sides of the place and deep, with cells of the size `fine` up
/// to the distance `within` (m).
#[derive(Clone, Copy)]
pub(super) struct Graded {
    pub(super) fine: f64,
    pub(super) within: f64,
    pub(super) reach: f64,
}

/// Side of the place on which a body is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Half {
    Upper,
    Lower,
}

impl Graded {
    /// Distances of the lines of the mesh (m): [`Self::fine`] apart up to `within`, then growing.
    fn lines(&self, within: f64) -> Vec<f64> {
        let mut lines = vec![0.0];
        let (mut last, mut step) = (0.0, self.fine);
        while last < self.reach {
            if last > within {
                step *= GROWTH;
            }
            last += step;
            lines.push(last);
        }
        lines
    }

    /// Distance of the far side from the place (m).
    pub(super) fn depth(&self) -> f64 {
        self.lines(0.25 * self.within)
            .last()
            .copied()
            .unwrap_or(0.0)
    }

    /// Mesh of a body whose near side is the parabola `c x^2 / 2` with the curvature `c` (1/m),
    /// which begins at the origin. Diagonals alternate.
    pub(super) fn mesh(&self, half: Half, curvature: f64) -> InlineMesh {
        let right = self.lines(self.within);
        let left = right[1..].iter().rev().map(|x| -x);
        let across: Vec<f64> = left.chain(right.iter().copied()).collect();
        let deep = self.lines(0.25 * self.within);
        let (rows, depth) = (deep.len(), self.depth());
        let sign = if half == Half::Upper { 1.0 } else { -1.0 };

        let column = |x: f64| {
            let near = 0.5 * curvature * x * x;
            let place = move |y: &f64| [x, sign * (near + (depth - near) * y / depth)];
            deep.iter().map(place).collect::<Vec<_>>()
        };
        let vertices = across.iter().flat_map(|&x| column(x)).collect();

        let at = |i: usize, j: usize| i * rows + j;
        let cells = (0..(across.len() - 1) * (rows - 1)).flat_map(|k| {
            let [i, j] = [k / (rows - 1), k % (rows - 1)];
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            if (i + j) % 2 == 0 {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, b, d], [b, c, d]]
            }
        });

        // The lower half is mirrored, which turns its triangles over.
        let turned = |[a, b, c]: [usize; 3]| match half {
            Half::Upper => [a, b, c],
            Half::Lower => [a, c, b],
        };
        InlineMesh::new(vertices, cells.map(turned).collect())
    }
}
