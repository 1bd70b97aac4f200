//! Springs from points of bodies to places, by which a hand drags a body.

use crate::{Batched, Energy, LocalEnergy, Summed};
use ipcsim_math::{Mat2, Vec2, outer};

/// Energy (J) of a spring between a place and a point that follows `N` vertices of a body:
///
/// `k/2 d^2` up to the largest force `F`, and beyond it `F d - F^2 / (2k)`, where `d = |p - to|` and
/// `p = sum_i M_i x_i + offset`.
///
/// The force grows with the distance up to its largest value, and keeps this value from there on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull<const N: usize> {
    /// Maps `M_i` from the vertices to the point (1).
    pub maps: [Mat2; N],
    /// The spring to the point.
    pub spring: HandSpring,
}

/// Spring from a place to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandSpring {
    /// Offset of the point from the sum of its vertices (m).
    pub offset: Vec2,
    /// Place to which it pulls (m).
    pub to: Vec2,
    /// Stiffness `k` (N/m), positive.
    pub stiffness: f64,
    /// Largest force `F` (N), positive or infinite.
    pub most: f64,
}

impl HandSpring {
    /// Energy (J) where the point is at a distance `way` (m) from the place.
    fn energy(&self, way: Vec2) -> f64 {
        let d = way.norm();
        if self.stiffness * d <= self.most {
            0.5 * self.stiffness * way.norm_squared()
        } else {
            self.most * (d - 0.5 * self.most / self.stiffness)
        }
    }

    /// Derivative of the energy with respect to the point (N).
    pub fn slope(&self, way: Vec2) -> Vec2 {
        let full = way * self.stiffness;
        let size = full.norm();
        if size <= self.most {
            full
        } else {
            full * (self.most / size)
        }
    }

    /// Second derivative (N/m), which is nowhere negative.
    fn curvature(&self, way: Vec2) -> Mat2 {
        let size = self.stiffness * way.norm();
        if size <= self.most {
            return Mat2::identity() * self.stiffness;
        }

        // Beyond the largest force only its direction changes.
        let across = Mat2::identity() - outer(way, way) / way.norm_squared();
        across * (self.stiffness * self.most / size)
    }
}

impl<const N: usize> Pull<N> {
    /// Distance of the point from its place (m), where the vertices are at `x` (m).
    fn way(&self, x: &[Vec2; N]) -> Vec2 {
        let mut way = self.spring.offset - self.spring.to;
        for (map, x) in self.maps.iter().zip(x) {
            way += map * x;
        }
        way
    }
}

impl<const N: usize> LocalEnergy<N> for Pull<N> {
    const NAME: &'static str = "hand";

    fn value(&self, x: &[Vec2; N]) -> f64 {
        self.spring.energy(self.way(x))
    }

    fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N] {
        let slope = self.spring.slope(self.way(x));
        self.maps.map(|map| map.transpose() * slope)
    }

    fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        let curvature = self.spring.curvature(self.way(x));
        self.maps
            .map(|own| self.maps.map(|other| own.transpose() * curvature * other))
    }
}

impl<const N: usize> Batched<N> for Pull<N> {}

/// All hands of a stage, by the number of vertices that their points follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hands {
    /// Points that are vertices.
    pub ones: Summed<Pull<1>, 1>,
    /// Points of rigid bodies and rods.
    pub twos: Summed<Pull<2>, 2>,
    /// Points in triangles, and of affine bodies.
    pub threes: Summed<Pull<3>, 3>,
}

impl Hands {
    /// True if no hand holds a body.
    pub fn is_empty(&self) -> bool {
        self.ones.elements.is_empty()
            && self.twos.elements.is_empty()
            && self.threes.elements.is_empty()
    }

    /// Adds a spring to a point that follows some vertices, one to three, by their maps.
    pub fn push(&mut self, arms: &[(usize, Mat2)], spring: HandSpring) {
        match *arms {
            [(a, m)] => self.ones.push([a], Pull { maps: [m], spring }),
            [(a, m), (b, n)] => {
                let maps = [m, n];
                self.twos.push([a, b], Pull { maps, spring });
            }
            [(a, m), (b, n), (c, o)] => {
                let maps = [m, n, o];
                self.threes.push([a, b, c], Pull { maps, spring });
            }
            _ => {}
        }
    }

    /// The energies, one for each number of vertices.
    pub fn energies(&self) -> [&dyn Energy; 3] {
        [&self.ones, &self.twos, &self.threes]
    }

    /// Sum of the energies at positions `x` (J).
    pub fn value(&self, x: &[Vec2]) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        self.energies().iter().map(|energy| energy.value(x)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn derivatives_match_finite_differences(e in prop::array::uniform6(-1.0_f64..1.0), most in 0.5_f64..9.0) {
            let spring = HandSpring { offset: Vec2::new(0.1, 0.2), to: Vec2::new(0.4, -0.3), stiffness: 7.0, most };
            let scaled = |scale: f64| Mat2::identity() * scale;
            let maps = [scaled(0.2), Mat2::new(0.5, -0.1, 0.1, 0.5), scaled(0.3)];
            let pull = Pull { maps, spring };
            let x = [Vec2::new(e[0], e[1]), Vec2::new(e[2], e[3]), Vec2::new(e[4], e[5])];
            // The force has a corner where it reaches its largest value.
            prop_assume!((7.0 * pull.way(&x).norm() - most).abs() > 1e-3);
            testing::check_derivatives(&pull, x, 1e-6, false);
            let force = spring.slope(pull.way(&x)).norm();
            prop_assert!(force <= most * (1.0 + 1e-15));
        }
    }
}
