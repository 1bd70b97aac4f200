//! The two frames of a row as linear maps of six vertices, in few numbers.
//!
//! Ties are looked at several times in each iteration, and mechanisms have many, so their maps
//! decide how much memory an iteration reads. A weight of a [`JointFrame`] turns and scales, which
//! two numbers tell; arrows are kept only for rules that need them.

use super::pose::{Bends, JointFrame, RelativePose, STENCIL, Slopes};
use ipcsim_math::{Mat2, Vec2};
use std::sync::Arc;

/// A turn and a scaling, the matrix `[[s, -t], [t, s]]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Similarity {
    /// Entry of the diagonal.
    s: f64,
    /// Entry below it.
    t: f64,
}

impl Similarity {
    /// Map of a matrix that turns and scales; other matrices lose a part.
    fn of(matrix: &Mat2) -> Self {
        Self {
            s: matrix.m11,
            t: matrix.m21,
        }
    }

    /// The opposite map.
    fn opposite(self) -> Self {
        Self {
            s: -self.s,
            t: -self.t,
        }
    }

    /// The map as a matrix.
    fn matrix(self) -> Mat2 {
        Mat2::new(self.s, -self.t, self.t, self.s)
    }

    /// Product with a vector.
    #[inline]
    fn times(self, v: &Vec2) -> Vec2 {
        Vec2::new(self.s * v.x - self.t * v.y, self.t * v.x + self.s * v.y)
    }

    /// Product of the transposed matrix with a vector.
    #[inline]
    fn transposed_times(self, v: &Vec2) -> Vec2 {
        Vec2::new(self.s * v.x + self.t * v.y, self.s * v.y - self.t * v.x)
    }
}

/// Two frames as linear maps of the positions of six vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Ends {
    /// Vertices of the first frame, then of the second.
    pub vertices: [usize; STENCIL],
    /// Weights of the vertices in the vector from the second point to the first.
    way: [Similarity; STENCIL],
    /// Weights of the vertices in the arrow of their body; `None` where arrows do not count.
    arrows: Option<Arc<[Similarity; STENCIL]>>,
}

impl Ends {
    /// The map of two frames.
    pub fn of(frames: &[JointFrame; 2]) -> Self {
        let [first, second] = frames;
        let arrows = join(first.arrow, second.arrow).map(|weight| Similarity::of(&weight));
        Self {
            arrows: Some(Arc::new(arrows)),
            ..Self::of_points(frames)
        }
    }

    /// The map of two frames whose arrows do not count: poses have arrows of length 0.
    pub fn of_points(frames: &[JointFrame; 2]) -> Self {
        let [first, second] = frames;
        let [a, b, c] = first.vertices;
        let [d, e, f] = second.vertices;
        let point = join(first.point, second.point).map(|weight| Similarity::of(&weight));
        let [p, q, r, u, v, w] = point;
        Self {
            vertices: [a, b, c, d, e, f],
            way: [p, q, r, u.opposite(), v.opposite(), w.opposite()],
            arrows: None,
        }
    }

    /// The two frames; without arrows where these do not count.
    pub fn frames(&self) -> [JointFrame; 2] {
        [0, 1].map(|side| {
            let own = |k: usize| 3 * side + k;
            let arrow = |k: usize| {
                self.arrows
                    .as_ref()
                    .map_or(Mat2::zeros(), |a| a[k].matrix())
            };

            // The vector runs from the second point to the first, so weights of the second have the
            // opposite sign.
            let point = |k: usize| {
                let weight = self.way[own(k)];
                let weight = if side == 0 { weight } else { weight.opposite() };
                weight.matrix()
            };

            JointFrame {
                vertices: [0, 1, 2].map(|k| self.vertices[own(k)]),
                point: [0, 1, 2].map(point),
                arrow: [0, 1, 2].map(|k| arrow(own(k))),
            }
        })
    }

    /// The pose where the vertices are at `x` (m), with angles near these (rad).
    #[inline]
    pub fn pose(&self, x: &[Vec2; STENCIL], near: [f64; 2]) -> RelativePose {
        let mut way = Vec2::zeros();
        for (weight, x) in self.way.iter().zip(x) {
            way += weight.times(x);
        }
        let mut both = [Vec2::zeros(); 2];
        if let Some(arrows) = &self.arrows {
            for (k, (weight, x)) in arrows.iter().zip(x).enumerate() {
                both[k / 3] += weight.times(x);
            }
        }
        RelativePose::new(way, both, near)
    }

    /// Derivative of a residual with these `slopes` with respect to each vertex.
    #[inline]
    pub fn jacobian(&self, slopes: &Slopes) -> [Mat2; STENCIL] {
        std::array::from_fn(|k| self.slope(k, slopes))
    }

    /// Forces on the vertices (N) by one in a residual with these `slopes`.
    #[inline]
    pub fn pull(&self, slopes: &Slopes, force: &Vec2) -> [Vec2; STENCIL] {
        std::array::from_fn(|k| self.slope(k, slopes).tr_mul(force))
    }

    /// Derivative of a residual with these `slopes` with respect to one of the vertices.
    #[inline]
    fn slope(&self, k: usize, slopes: &Slopes) -> Mat2 {
        let rows = [0, 1].map(|row| self.way[k].transposed_times(&slopes[row][0]));
        let mut by = of_rows(rows);
        if let Some(arrows) = &self.arrows {
            let side = 1 + k / 3;
            let rows = [0, 1].map(|row| arrows[k].transposed_times(&slopes[row][side]));
            by += of_rows(rows);
        }
        by
    }

    /// Adds second derivatives with respect to vector and arrows as derivatives with respect to
    /// vertices.
    pub fn add_curvature(&self, inner: &Bends, out: &mut [[Mat2; STENCIL]; STENCIL]) {
        let ways = self.way.map(Similarity::matrix);
        let arrows = self.arrows.as_ref();
        let arrows = arrows.map_or([Mat2::zeros(); STENCIL], |all| all.map(Similarity::matrix));
        for (i, row) in out.iter_mut().enumerate() {
            for (j, block) in row.iter_mut().enumerate() {
                let [of_i, of_j] = [1 + i / 3, 1 + j / 3];
                *block += ways[i].tr_mul(&(inner[0][0] * ways[j]))
                    + ways[i].tr_mul(&(inner[0][of_j] * arrows[j]))
                    + arrows[i].tr_mul(&(inner[of_i][0] * ways[j]))
                    + arrows[i].tr_mul(&(inner[of_i][of_j] * arrows[j]));
            }
        }
    }
}

/// Weights of the first frame's vertices, then of the second's.
fn join(a: [Mat2; 3], b: [Mat2; 3]) -> [Mat2; STENCIL] {
    [a[0], a[1], a[2], b[0], b[1], b[2]]
}

/// The matrix of two rows.
#[inline]
fn of_rows([first, second]: [Vec2; 2]) -> Mat2 {
    Mat2::new(first.x, first.y, second.x, second.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maps_tell_the_frames() {
        let at = Vec2::new(0.7, -0.2);
        let x = [[0.1, 0.3], [0.5, 0.1], [1.4, 0.9]].map(Vec2::from);
        let turning = JointFrame::turning([4, 5], [x[0], x[1]], at, Vec2::new(0.6, 0.8));
        let mean = JointFrame::mean([1, 2, 3], [0.2, 0.5, 0.3], [-1.0, 0.7, 0.3]);
        let frames = [turning, mean];
        assert_eq!(Ends::of(&frames).frames(), frames);

        // The vector joins the points of the frames.
        let all = [at, x[0], x[1], x[2], x[0] * 2.0, x[1] - at];
        let ends = Ends::of_points(&frames);
        let way = ends.pose(&ends.vertices.map(|i| all[i]), [0.0; 2]).way;
        let expected = turning.place(&all) - mean.place(&all);
        assert!((way - expected).norm() < 1e-15, "{way} {expected}");
    }
}
