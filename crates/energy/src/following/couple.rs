//! Torques on vertices of bodies that have no angle.
//!
//! The mean rotation of vertices with weights `w_i` and arms `R_i` at the start, where
//! `sum w_i R_i = 0`, is the angle `phi` of
//!
//! `z = (sum w_i R_i . x_i, sum w_i R_i x x_i)`,
//!
//! the rotation that fits them best. A torque `M` has the energy `-M phi`. Its forces
//!
//! `f_i = M w_i perp(R(phi) R_i) / |z|`
//!
//! are across the turned arms. They add up to zero, and their moment about every point is `M`,
//! whatever the deformation: `sum x_i x f_i = M sum w_i x_i . R(phi) R_i / |z| = M`.

use super::NAME;
use crate::{Curvature, Energy, StepBound, Stressed};
use ipcsim_math::elementary::atan2;
use ipcsim_math::{Mat2, Vec2, cross, perp};
use std::ops::Range;

/// A vertex on which a torque acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    /// Number of the vertex.
    pub vertex: usize,
    /// Weight times arm, `w_i R_i` (m times any unit).
    pub weighted: Vec2,
}

/// A torque on vertices, in a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Couple {
    /// The vertices; their weighted arms add up to zero.
    pub arms: Vec<Arm>,
    /// Torque `M` (N m), counter-clockwise.
    pub torque: f64,
    /// Vector `z` at the start of the stage.
    pub start: Vec2,
    /// Number of the load.
    pub load: usize,
}

/// All torques on vertices in a stage.
///
/// Forces are exact, and so is the energy. The second derivatives would couple all vertices with
/// each other. They are left out: they change a direction by the share `beta^2 M / (sum w R^2)` of
/// inertia, the square of the angle by which the torque turns the body in a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Couples {
    /// The torques.
    pub list: Vec<Couple>,
}

/// Vector `z` of vertices at positions `x` (m), whose angle is the mean rotation.
fn mean(arms: &[Arm], x: &[Vec2]) -> Vec2 {
    let first = arms.first().map_or_else(Vec2::zeros, |arm| x[arm.vertex]);
    let mut z = Vec2::zeros();
    for Arm { vertex, weighted } in arms {
        let from = x[*vertex] - first;
        z += Vec2::new(weighted.dot(&from), cross(*weighted, from));
    }
    z
}

impl Couple {
    /// A torque (N m) by a load on vertices that are at `x` (m) at the start of a stage.
    pub fn of(arms: Vec<Arm>, torque: f64, x: &[Vec2], load: usize) -> Self {
        Self {
            start: mean(&arms, x),
            arms,
            torque,
            load,
        }
    }

    /// Angle by which the vertices have turned since the start of the stage (rad).
    fn angle(&self, x: &[Vec2]) -> f64 {
        let z = mean(&self.arms, x);
        atan2(cross(self.start, z), self.start.dot(&z))
    }

    /// Force (N) on each of the vertices at positions `x` (m). Zero where the vertices have no mean
    /// rotation.
    pub fn forces(&self, x: &[Vec2]) -> impl Iterator<Item = (usize, Vec2)> {
        let z = mean(&self.arms, x);
        let square = z.norm_squared();
        let scale = if square > 0.0 {
            self.torque / square
        } else {
            0.0
        };
        self.arms.iter().map(move |Arm { vertex, weighted }| {
            let turned = weighted * z.x + perp(*weighted) * z.y;
            (*vertex, perp(turned) * scale)
        })
    }
}

impl Couple {
    /// The second derivative at positions `x` (m), which the energy leaves out, as two products of vectors: the
    /// derivative of the gradient by each component of `z` (N over its unit), and that of the component by
    /// positions, each with its vertices.
    ///
    /// `d^2 E / dx dx = sum_a (dg/dz_a) (dz_a/dx)^T`, since forces depend on positions by the two components of
    /// `z`. It is symmetric, as a second derivative is.
    pub fn curvature(&self, x: &[Vec2]) -> [[Vec<(usize, Vec2)>; 2]; 2] {
        let z = mean(&self.arms, x);
        let square = z.norm_squared();
        [Vec2::x(), Vec2::y()].map(|axis| {
            let arms = self.arms.iter();
            let forces = arms.clone().map(|Arm { vertex, weighted }| {
                let turned = |z: Vec2| perp(weighted * z.x + perp(*weighted) * z.y);
                let by = turned(axis) - turned(z) * (2.0 * z.dot(&axis) / square);
                (*vertex, by * (-self.torque / square))
            });
            let along = arms.map(|Arm { vertex, weighted }| {
                (*vertex, weighted * axis.x + perp(*weighted) * axis.y)
            });
            [forces.collect(), along.collect()]
        })
    }
}

impl Energy for Couples {
    fn name(&self) -> &'static str {
        NAME
    }

    fn value(&self, x: &[Vec2]) -> f64 {
        let work = self
            .list
            .iter()
            .map(|couple| couple.torque * couple.angle(x));
        -work.sum::<f64>()
    }

    /// None: no element has an energy.
    fn values(&self, _x: &[Vec2]) -> Vec<f64> {
        Vec::new()
    }

    fn add_gradient(&self, x: &[Vec2], scale: f64, gradient: &mut [Vec2]) {
        for couple in &self.list {
            for (vertex, force) in couple.forces(x) {
                gradient[vertex] -= force * scale;
            }
        }
    }

    /// None: no element has second derivatives.
    fn element_count(&self) -> usize {
        0
    }

    fn stencil(&self, _k: usize) -> &[usize] {
        &[]
    }

    fn blocks_each(&self) -> usize {
        1
    }

    fn hessian(&self, _: Range<usize>, _: &[Vec2], _: f64, _: Curvature, _: &mut [Mat2]) {}

    fn max_step(&self, _x: &[Vec2], _p: &[Vec2]) -> StepBound {
        StepBound::FULL
    }

    fn admits(&self, _x: &[Vec2]) -> bool {
        true
    }

    fn stresses(&self, _x: &[Vec2]) -> Vec<Stressed> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A torque of 3 N m on five vertices with different weights, and their deformed positions.
    fn example() -> (Couples, Vec<Vec2>) {
        let rest = [(0.0, 0.0), (1.0, 0.2), (0.8, 1.1), (-0.1, 0.9), (0.4, 0.5)];
        let rest: Vec<Vec2> = rest.map(|(x, y)| Vec2::new(x, y)).into();
        let weights = [1.0, 2.0, 0.5, 1.5, 3.0];
        let center = rest.iter().zip(weights).map(|(x, w)| x * w).sum::<Vec2>() / 8.0;
        let arms = (0..5).map(|vertex| Arm {
            vertex,
            weighted: (rest[vertex] - center) * weights[vertex],
        });
        let couple = Couple::of(arms.collect(), 3.0, &rest, 0);
        let x = rest
            .iter()
            .map(|x| Vec2::new(5.0 - x.y - 0.3 * x.x, 7.0 + 1.2 * x.x + x.y * x.y));
        (Couples { list: vec![couple] }, x.collect())
    }

    #[test]
    fn forces_are_the_derivative_of_the_energy_and_a_couple_of_the_torque() {
        let (couples, x) = example();
        let mut gradient = vec![Vec2::zeros(); 5];
        couples.add_gradient(&x, 1.0, &mut gradient);

        // Central differences of the energy.
        for k in 0..10 {
            let value = |by: f64| {
                let mut x = x.clone();
                x[k / 2][k % 2] += by;
                couples.value(&x)
            };
            let slope = (value(1e-6) - value(-1e-6)) / 2e-6;
            assert!(
                (slope - gradient[k / 2][k % 2]).abs() < 1e-8,
                "{k}: {slope}"
            );
        }

        // No force, and the torque about any point.
        let force: Vec2 = gradient.iter().sum();
        assert!(force.norm() < 1e-14);
        for about in [Vec2::zeros(), Vec2::new(-3.0, 20.0)] {
            let moments = x.iter().zip(&gradient).map(|(x, g)| -cross(x - about, *g));
            assert!((moments.sum::<f64>() - 3.0).abs() < 1e-13);
        }
    }

    #[test]
    fn a_rotation_works_torque_times_angle() {
        let (couples, _) = example();
        let (sin, cos) = 0.7_f64.sin_cos();
        let turned: Vec<Vec2> = [(0.0, 0.0), (1.0, 0.2), (0.8, 1.1), (-0.1, 0.9), (0.4, 0.5)]
            .map(|(x, y)| Vec2::new(cos * x - sin * y, sin * x + cos * y))
            .into();
        assert!((couples.value(&turned) + 3.0 * 0.7).abs() < 1e-14);
    }
}
