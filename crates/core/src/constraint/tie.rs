//! Ties: a sum of displacements of vertices keeps a value.
//!
//! Factors of a vertex along x and y are a weight that turns and scales, like the weights of all frames: with
//! the factors `f` it is the matrix `[[f_x, f_y], [-f_y, f_x]]`, whose product with a place has the first
//! component `f . x`. The second component has no meaning, and no slope.
//!
//! Frames share the vertices between them without regard to bodies; their points do not stand for places.

use super::pose::{JointFrame, RelativePose, Slopes};
use super::residual::Constraint;
use ipcsim_math::{Mat2, Vec2};
use serde::{Deserialize, Serialize};

/// A tie: the residual is `(sum f_i u_i, 0)`, with factors `f` and displacements `u` along x or y.
///
/// The weights of its frames make the sum of `f_i x_i` the first component of the vector between
/// their points ([`Tie::frames`]), and `rest` is that sum where nothing has moved. So the residual is a linear
/// function of positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tie {
    /// Sum of the places of all vertices at rest, times their factors (m).
    pub rest: f64,
}

impl Tie {
    /// Largest number of vertices of a tie.
    pub const MOST: usize = super::pose::STENCIL;

    /// Frames of a tie of some vertices, each with its factors along x and y (1); at most [`Tie::MOST`].
    pub fn frames(parts: &[(usize, Vec2)]) -> [JointFrame; 2] {
        let first = parts.first().map_or(0, |part| part.0);
        let part = |k: usize| parts.get(k).copied().unwrap_or((first, Vec2::zeros()));

        // The vector runs from the second point to the first.
        [1.0, -1.0].map(|sign| {
            let own = |k: usize| part(if sign > 0.0 { k } else { 3 + k });
            JointFrame {
                vertices: [0, 1, 2].map(|k| own(k).0),
                point: [0, 1, 2].map(|k| weight(own(k).1 * sign)),
                arrow: [Mat2::zeros(); 3],
            }
        })
    }
}

/// A turn and a scaling whose product with a vector has the first component `f . v`.
fn weight(f: Vec2) -> Mat2 {
    Mat2::new(f.x, f.y, -f.y, f.x)
}

impl Constraint for Tie {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        Vec2::new(pose.way.x - self.rest, 0.0)
    }

    fn slopes(&self, _: &RelativePose) -> Slopes {
        let still = Vec2::zeros();
        [[Vec2::x(), still, still], [still; 3]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Ends;

    #[test]
    fn the_residual_is_the_sum_of_displacements_times_factors() {
        let factors = [[2.0, 0.0], [0.0, -3.0], [0.5, 1.0], [-1.0, 0.0]].map(Vec2::from);
        let parts: Vec<(usize, Vec2)> = [4, 0, 2, 1].into_iter().zip(factors).collect();
        let rest: Vec<Vec2> = (0..5).map(|k| Vec2::new(f64::from(k), 1.5)).collect();
        let sum = |of: &[Vec2]| -> f64 { parts.iter().map(|(i, f)| f.dot(&of[*i])).sum() };
        let tie = Tie { rest: sum(&rest) };

        let moves: Vec<Vec2> = (0..5).map(|k| Vec2::new(0.3, f64::from(k * k))).collect();
        let x: Vec<Vec2> = rest.iter().zip(&moves).map(|(x, u)| x + u).collect();
        let ends = Ends::of_points(&Tie::frames(&parts));
        let pose = ends.pose(&ends.vertices.map(|i| x[i]), [0.0; 2]);
        let residual = tie.residual(&pose);
        assert!((residual.x - sum(&moves)).abs() < 1e-13, "{residual}");

        // Forces are the factors.
        let forces = ends.pull(&tie.slopes(&pose), &Vec2::x());
        for (k, (vertex, factor)) in parts.iter().enumerate() {
            assert_eq!(ends.vertices[k], *vertex);
            assert!((forces[k] - factor).norm() < 1e-15);
        }
    }
}
