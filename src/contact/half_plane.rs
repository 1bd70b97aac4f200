//! The gap between a vertex and a half-plane.

use super::barrier::Barrier;
use crate::energy::LocalEnergy;
use crate::math::{Mat2, Vec2, outer};

/// Share of the gap to a half-plane that one step leaves.
const GAP_KEPT: f64 = 0.1;

/// `w b(d)` with `d = n . (x - o)`, for the vertices `[x, o]`.
#[derive(Clone, Copy, Debug)]
pub struct PlaneContact {
    /// Unit normal `n`.
    pub normal: Vec2,
    /// Contact length times thickness `w` (m^2).
    pub weight: f64,
    /// The barrier `b`.
    pub barrier: Barrier,
}

impl PlaneContact {
    fn gap(&self, x: &[Vec2; 2]) -> f64 {
        self.normal.dot(&(x[0] - x[1]))
    }
}

/// The largest fraction of the motion `p` of `[x, o]` after which a tenth of the gap is left.
pub(super) fn plane_step(normal: Vec2, x: [Vec2; 2], p: [Vec2; 2]) -> f64 {
    let gap = normal.dot(&(x[0] - x[1]));
    let closing = -normal.dot(&(p[0] - p[1]));
    if closing <= 0.0 {
        return 1.0;
    }
    ((1.0 - GAP_KEPT) * gap / closing).clamp(0.0, 1.0)
}

impl LocalEnergy<2> for PlaneContact {
    const NAME: &'static str = "barrier";

    fn value(&self, x: &[Vec2; 2]) -> f64 {
        self.weight * self.barrier.plane(self.gap(x)).value
    }

    fn gradient(&self, x: &[Vec2; 2]) -> [Vec2; 2] {
        let g = self.normal * (self.weight * self.barrier.plane(self.gap(x)).first);
        [g, -g]
    }

    fn hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        let h = outer(self.normal, self.normal) * (self.weight * self.barrier.plane(self.gap(x)).second);
        [[h, -h], [-h, h]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::barrier::BarrierShape;
    use crate::energy::testing;

    #[test]
    fn derivatives_match_finite_differences() {
        for shape in [BarrierShape::Log, BarrierShape::ClampedLog] {
            let barrier = Barrier { shape, kappa: 1e5, d_hat: 0.01 };
            let contact = PlaneContact { normal: Vec2::new(0.6, 0.8), weight: 0.25, barrier };
            testing::check(&contact, [Vec2::new(0.5, 0.004), Vec2::new(0.5, -0.001)], 1e-8, false);
        }
    }

    #[test]
    fn a_step_leaves_a_tenth_of_the_gap_and_a_retreat_is_free() {
        let n = Vec2::new(0.0, 1.0);
        let x = [Vec2::new(3.0, 0.5), Vec2::zeros()];
        let toward = plane_step(n, x, [Vec2::new(1.0, -2.0), Vec2::new(0.0, 1.0)]);
        assert!((toward - 0.9 * 0.5 / 3.0).abs() < 1e-15);
        assert_eq!(plane_step(n, x, [Vec2::new(1.0, 1.0), Vec2::zeros()]), 1.0);
        assert_eq!(plane_step(n, x, [Vec2::new(0.0, -f64::INFINITY), Vec2::zeros()]), 0.0);
    }
}
