//! Rods: two points of two bodies keep their distance.
//!
//! Both points are fixed combinations of two vertices of their bodies, as in a hinge, but the
//! distance between them is not linear in positions: the Jacobian turns with the rod.

use super::Constraint;
use super::joint::Way;
use crate::math::{Mat2, Vec2};

/// A rod without mass between two rigid bodies, each known by the positions of two of its vertices.
///
/// Both ends are points of the bodies, which follow the vertices as that of a
/// [`Hinge`](super::Hinge) does. With the way `d = p_1 - p_2` between them the opening is `(|d| -
/// L, 0)`, so that the first component of the force is the pull in the rod.
#[derive(Clone, Copy, Debug)]
pub struct Rod {
    /// Way `d` from the second end to the first.
    way: Way,
    /// Length `L` of the rod (m).
    length: f64,
}

impl Rod {
    /// Rod between two different points `ends` (m) of two bodies, where two different vertices of
    /// each body have these positions (m).
    ///
    /// The length is the distance of the points there.
    pub fn between(first: [Vec2; 2], second: [Vec2; 2], ends: [Vec2; 2]) -> Self {
        Self {
            way: Way::between(first, second, ends),
            length: (ends[0] - ends[1]).norm(),
        }
    }
}

impl Constraint for Rod {
    fn opening(&self, x: &[Vec2; 4]) -> Vec2 {
        Vec2::new(self.way.at(x).norm() - self.length, 0.0)
    }

    fn jacobian(&self, x: &[Vec2; 4]) -> [Mat2; 4] {
        // A rod of length zero has no direction: any one will do.
        let along = self.way.at(x).try_normalize(0.0).unwrap_or_else(Vec2::x);
        self.way.weights.map(|weight| {
            let by = weight.tr_mul(&along);
            Mat2::new(by.x, by.y, 0.0, 0.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jacobian_is_the_slope_of_the_opening() {
        let first = [Vec2::new(0.0, 0.0), Vec2::new(0.5, 0.1)];
        let second = [Vec2::new(1.0, 1.0), Vec2::new(2.0, -3.0)];
        let rod = Rod::between(first, second, [Vec2::new(0.7, -0.2), Vec2::new(1.5, 0.3)]);
        let mut x = [first[0], first[1], second[0], second[1]];
        assert!(rod.opening(&x).norm() < 1e-15);

        x[0] += Vec2::new(0.1, -0.3);
        // Away from the closed state, where the rod has turned.
        let slopes = rod.jacobian(&x);
        for k in 0..4 {
            for axis in 0..2 {
                let at = |step: f64| {
                    let mut moved = x;
                    moved[k][axis] += step;
                    rod.opening(&moved)
                };
                let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
                assert!((slope - slopes[k].column(axis)).norm() < 1e-8);
            }
        }
    }
}
