//! Hinges: a point of one body stays on a point of another.
//!
//! Each of the two points is a fixed combination of two vertices of its rigid body, so the opening
//! is linear in positions and its Jacobian constant. The point itself need not be a vertex, or
//! inside of the body.

use super::Constraint;
use super::joint::Way;
use crate::math::{Mat2, Vec2};

/// A hinge between two rigid bodies, each known by the positions of two of its vertices.
///
/// A point of a rigid body follows two of its vertices `a` and `b` by a turn and a scaling, which
/// do not change as the body moves:
///
/// `p = a + S (b - a)` with `S = [[s, -t], [t, s]]`.
///
/// The opening is the difference `p_1 - p_2` of the two bodies' points. It is linear in the
/// positions of the vertices.
#[derive(Clone, Copy, Debug)]
pub struct Hinge {
    /// Opening: the way between the two bodies' points.
    way: Way,
}

impl Hinge {
    /// Hinge at the position `at` (m), where two different vertices of each body have these
    /// positions (m).
    ///
    /// The opening is zero there.
    pub fn between(first: [Vec2; 2], second: [Vec2; 2], at: Vec2) -> Self {
        Self {
            way: Way::between(first, second, [at, at]),
        }
    }
}

impl Constraint for Hinge {
    fn opening(&self, x: &[Vec2; 4]) -> Vec2 {
        self.way.at(x)
    }

    fn jacobian(&self, _: &[Vec2; 4]) -> [Mat2; 4] {
        self.way.weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation2;

    #[test]
    fn the_opening_is_the_distance_of_the_two_points_however_the_bodies_turn() {
        // A hinge that is closed at the start.
        let at = Vec2::new(0.7, -0.2);
        let first = [Vec2::new(0.0, 0.0), Vec2::new(0.5, 0.1)];
        let second = [Vec2::new(1.0, 1.0), Vec2::new(2.0, -3.0)];
        let hinge = Hinge::between(first, second, at);
        let start = [first[0], first[1], second[0], second[1]];
        assert!(hinge.opening(&start).norm() < 1e-15);

        // Each body moves rigidly, away from the other.
        for (one, other) in [(0.3, -2.0), (3.1, 40.0), (-1.0, 0.0)] {
            let [a_1, b_1, p_1] =
                [first[0], first[1], at].map(|x| Rotation2::new(one) * x + Vec2::new(0.2, 0.4));
            let [a_2, b_2, p_2] = [second[0], second[1], at]
                .map(|x| Rotation2::new(other) * x + Vec2::new(-1.0, 2.0));
            let x = [a_1, b_1, a_2, b_2];

            let expected = p_1 - p_2;
            assert!((hinge.opening(&x) - expected).norm() < 1e-14);
        }
    }
}
