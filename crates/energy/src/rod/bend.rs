//! Bending of a rod at the vertex between two segments.

use crate::tuning::FOLD_SHARE;
use crate::{Batched, LocalEnergy};
use ipcsim_math::definite::project;
use ipcsim_math::{Mat2, Vec2, cross, outer, perp};
use nalgebra::Matrix4;

/// Energy of the bending of a rod at the second of three vertices in a row.
///
/// Source: Bergou et al. 2008, "Discrete Elastic Rods", section 4.2. With the segments `e` and `f`
/// before and behind the vertex, and the angle `phi` from `e` to `f`, the energy (J) is
///
/// `EI / (2 L') (kappa - kappa_0)^2` with `kappa = 2 tan(phi/2) = 2 (e x f) / (|e| |f| + e . f)`
///
/// - `EI / L'`: [`stiffness`](Self::stiffness) over the mean length of both segments (N m);
/// - `kappa_0`: [`rest`](Self::rest), the same number of the shape at rest (1).
///
/// It is infinite at a fold, where `phi` is 180 degrees. The lengths of the segments have no part in
/// it. The gradient of the angle `a` of a segment `e` is `perp(t) / |e|`, with the unit tangent `t`,
/// and its Hessian `-(t n^T + n t^T) / |e|^2` with `n = perp(t)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Bending stiffness over length, `EI / L'` (N m), not negative.
    pub stiffness: f64,
    /// Curvature times length at rest, `kappa_0` (1).
    pub rest: f64,
}

/// A segment: its unit tangent and normal, and its inverse length (1/m).
struct Segment {
    /// Unit tangent.
    tangent: Vec2,
    /// Unit normal, on the left.
    normal: Vec2,
    /// Inverse length (1/m).
    inverse: f64,
}

impl Segment {
    /// The segment from its start to its end, `way` (m).
    fn along(way: Vec2) -> Self {
        let inverse = 1.0 / way.norm();
        let tangent = way * inverse;
        Self {
            tangent,
            normal: perp(tangent),
            inverse,
        }
    }

    /// Derivative of the angle of the segment with respect to its vector (1/m).
    fn turn(&self) -> Vec2 {
        self.normal * self.inverse
    }

    /// Second derivative of that angle (1/m^2).
    fn second_turn(&self) -> Mat2 {
        let mixed = outer(self.tangent, self.normal);
        (mixed + mixed.transpose()) * (-self.inverse * self.inverse)
    }
}

impl Bend {
    /// Bending of a rod of the stiffness `bending` (N m^2), whose vertices are at `rest` where it
    /// has no moment (m), or that is straight then.
    pub fn new(bending: f64, rest: [Vec2; 3], is_straight: bool) -> Self {
        let [a, b, c] = rest;
        let length = 0.5 * ((b - a).norm() + (c - b).norm());
        Self {
            stiffness: bending / length,
            rest: if is_straight { 0.0 } else { 2.0 * slope(&rest) },
        }
    }

    /// Bending of two segments that meet at any angle at rest, as at the corner of a frame: it resists small
    /// changes of the angle with the `stiffness` (N m) whatever the angle is.
    ///
    /// The factor is `(1 + s^2)^-2` with `s = tan(phi_0 / 2)`, by which `kappa` changes faster than the
    /// angle.
    pub fn corner(stiffness: f64, rest: [Vec2; 3]) -> Self {
        let tangent = slope(&rest);
        let secant = 1.0 + tangent * tangent;
        Self {
            stiffness: stiffness / (secant * secant),
            rest: 2.0 * tangent,
        }
    }

    /// Bending moment at the positions `x` (N m), positive where the rod turns to the left of its
    /// shape at rest: the derivative of the energy with respect to the angle.
    pub fn moment(&self, x: &[Vec2; 3]) -> f64 {
        self.by_angle(x)[0]
    }

    /// First two derivatives of the energy with respect to the angle (J).
    ///
    /// With `s = tan(phi/2)`, whose derivative is `(1 + s^2) / 2`, they are
    /// `c (2 s - kappa_0) (1 + s^2)` and `c (1 + s^2) (1 + s^2 + (2 s - kappa_0) s)`.
    fn by_angle(&self, x: &[Vec2; 3]) -> [f64; 2] {
        let s = slope(x);
        let secant = 1.0 + s * s;
        let off = 2.0 * s - self.rest;
        let scale = self.stiffness * secant;
        [scale * off, scale * (secant + off * s)]
    }

    /// Second derivatives with respect to both segments, `e` before `f` (N/m).
    fn of_segments(&self, x: &[Vec2; 3]) -> Matrix4<f64> {
        let [moment, second] = self.by_angle(x);
        let [e, f] = segments(x).map(Segment::along);
        let turns = [-e.turn(), f.turn()];
        let bends = [-e.second_turn(), f.second_turn()];

        let mut form = Matrix4::zeros();
        for i in 0..2 {
            for j in 0..2 {
                let mut block = outer(turns[i], turns[j]) * second;
                if i == j {
                    block += bends[i] * moment;
                }
                form.fixed_view_mut::<2, 2>(2 * i, 2 * j).copy_from(&block);
            }
        }
        form
    }
}

/// Vectors of both segments (m).
fn segments(x: &[Vec2; 3]) -> [Vec2; 2] {
    [x[1] - x[0], x[2] - x[1]]
}

/// `tan(phi/2)` for the angle `phi` between both segments; not finite at a fold.
fn slope(x: &[Vec2; 3]) -> f64 {
    let [e, f] = segments(x);
    cross(e, f) / (e.norm() * f.norm() + e.dot(&f))
}

/// Blocks of three vertices of a form of both segments, `e = x_1 - x_0` and `f = x_2 - x_1`.
fn of_vertices(form: &Matrix4<f64>) -> [[Mat2; 3]; 3] {
    let block = |i: usize, j: usize| -> Mat2 { form.fixed_view::<2, 2>(2 * i, 2 * j).into() };
    let [ee, ef, fe, ff] = [block(0, 0), block(0, 1), block(1, 0), block(1, 1)];
    [
        [ee, ef - ee, -ef],
        [fe - ee, ee - ef - fe + ff, ef - ff],
        [-fe, fe - ff, ff],
    ]
}

impl LocalEnergy<3> for Bend {
    const NAME: &'static str = "bend";

    /// Energy (J), infinite at a fold and where a segment has no length.
    fn value(&self, x: &[Vec2; 3]) -> f64 {
        if !self.admits(x) {
            return f64::INFINITY;
        }
        let off = 2.0 * slope(x) - self.rest;
        0.5 * self.stiffness * off * off
    }

    /// The moment times the derivative of the angle with respect to each vertex (N).
    fn gradient(&self, x: &[Vec2; 3]) -> [Vec2; 3] {
        let moment = self.moment(x);
        let [e, f] = segments(x).map(|way| Segment::along(way).turn() * moment);
        [e, -e - f, f]
    }

    /// Hessian (N/m), projected in the space of both segments.
    fn hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        of_vertices(&project(self.of_segments(x)))
    }

    /// Hessian (N/m) without projection.
    fn exact_hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        of_vertices(&self.of_segments(x))
    }

    /// Share `FOLD_SHARE` of the motion up to the first fold; 1 without one.
    ///
    /// A fold is where `e x f` vanishes and `e . f` is negative. The first is a quadratic in time.
    /// That both segments keep a length is up to [`super::Stretch`].
    fn max_step(&self, x: &[Vec2; 3], p: &[Vec2; 3]) -> f64 {
        let [e, f] = segments(x);
        let [u, v] = segments(p);
        let mut bound = 1.0;
        for t in roots([cross(e, f), cross(e, v) + cross(u, f), cross(u, v)]) {
            let is_fold = (e + u * t).dot(&(f + v * t)) < 0.0;
            if is_fold && t >= 0.0 && FOLD_SHARE * t < bound {
                bound = FOLD_SHARE * t;
            }
        }
        bound
    }

    /// True if both segments have a length, and do not lie on each other.
    fn admits(&self, x: &[Vec2; 3]) -> bool {
        let [e, f] = segments(x);
        let lengths = e.norm() * f.norm();
        lengths > 0.0 && lengths + e.dot(&f) > 0.0 && lengths.is_finite()
    }
}

impl Batched<3> for Bend {}

/// Real roots of `c_0 + c_1 t + c_2 t^2`, each without cancellation; not finite where there is none.
fn roots([c0, c1, c2]: [f64; 3]) -> [f64; 2] {
    let discriminant = c1 * c1 - 4.0 * c0 * c2;
    if discriminant < 0.0 {
        return [f64::NAN; 2];
    }
    let q = -0.5 * (c1 + discriminant.sqrt().copysign(c1));
    [q / c2, c0 / q]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    /// Three vertices of segments of these lengths (m), the first along an angle (rad), that turn by
    /// another one.
    fn bent([l, m]: [f64; 2], along: f64, turn: f64) -> [Vec2; 3] {
        let way = |length: f64, angle: f64| Vec2::new(angle.cos(), angle.sin()) * length;
        let start = Vec2::new(0.2, -0.1);
        let middle = start + way(l, along);
        [start, middle, middle + way(m, along + turn)]
    }

    proptest! {
        #[test]
        fn derivatives_match_finite_differences(
            along in 0.0..6.3_f64, turn in -2.5..2.5_f64, rest in -2.0..2.0_f64,
        ) {
            let bend = Bend { stiffness: 3.0, rest };
            let x = bent([0.5, 0.8], along, turn);
            testing::check(&bend, x, 1e-6, true);
            prop_assert!(testing::torque(&bend, x).abs() < 1e-9);

            // The exact Hessian is the derivative of the gradient.
            let hessian = bend.exact_hessian(&x);
            for (j, axis) in (0..3).flat_map(|j| [(j, 0), (j, 1)]) {
                let [mut plus, mut minus] = [x; 2];
                plus[j][axis] += 1e-6;
                minus[j][axis] -= 1e-6;
                let [plus, minus] = [plus, minus].map(|x| bend.gradient(&x));
                for i in 0..3 {
                    let change = (plus[i] - minus[i]) / 2e-6;
                    let error = (change - hessian[i][j].column(axis)).norm();
                    prop_assert!(error < 1e-4 * (1.0 + hessian[i][j].norm()), "{}", error);
                }
            }
        }
    }

    #[test]
    fn the_moment_of_a_circle_is_stiffness_over_radius() {
        // A polygon in a circle of radius R turns by 2 pi / n: the moment is EI / R in the limit.
        let (bending, radius, n) = (6.0, 2.5, 2000.0);
        let turn = 2.0 * PI / n;
        let length = 2.0 * radius * (turn / 2.0).sin();
        let straight = bent([length; 2], 0.3, 0.0);
        let bend = Bend::new(bending, straight, false);
        let moment = bend.moment(&bent([length; 2], 0.3, turn));
        assert!((moment * radius / bending - 1.0).abs() < 1e-5);

        // The energy per length is EI / (2 R^2), and none at rest.
        let energy = bend.value(&bent([length; 2], 0.3, turn)) / length;
        assert!((energy * 2.0 * radius * radius / bending - 1.0).abs() < 1e-5);
        let curved = Bend::new(bending, bent([0.5, 0.8], 0.3, -1.2), false);
        assert!(curved.value(&bent([0.5, 0.8], 2.0, -1.2)) < 1e-28);
        let straight = Bend::new(bending, bent([0.5, 0.8], 0.3, -1.2), true);
        assert!(straight.value(&bent([0.3, 0.1], 2.0, 0.0)) < 1e-28);
    }

    #[test]
    fn no_step_passes_a_fold() {
        let bend = Bend {
            stiffness: 1.0,
            rest: 0.0,
        };
        let x = bent([1.0, 1.0], 0.0, 0.0);
        let still = Vec2::zeros();

        // The end goes straight over the first vertex: down and back, or up and round.
        let over = |to: Vec2| bend.max_step(&x, &[still, still, to - x[2]]);
        let middle = x[1];
        assert_eq!(over(middle + Vec2::new(0.0, 1.0)), 1.0);
        assert_eq!(over(middle + Vec2::new(-0.5, 0.5)), 1.0);
        let mut bent = bent([1.0, 1.0], 0.0, 2.0);
        let down = Vec2::new(0.0, -3.0);
        let bound = bend.max_step(&bent, &[still, still, down]);
        let fold = (bent[2].y - middle.y) / 3.0;
        assert!((bound - 0.9 * fold).abs() < 1e-14, "{bound} {fold}");

        // Folded and without length.
        bent[2] = middle - Vec2::new(0.3, 0.0);
        assert!(!bend.admits(&bent));
        assert_eq!(bend.value(&bent), f64::INFINITY);
        bent[2] = middle;
        assert!(!bend.admits(&bent));
    }

    #[test]
    fn the_energy_has_a_pole_at_the_fold() {
        let bend = Bend {
            stiffness: 1.0,
            rest: 0.0,
        };
        for off in [1e-2, 1e-4, 1e-6] {
            // 2 tan(phi/2) is 4/off there.
            let energy = bend.value(&bent([1.0, 0.7], 0.4, PI - off));
            assert!(
                (energy * off * off / 8.0 - 1.0).abs() < 1e-2 + 1e-9 / off,
                "{energy}"
            );
        }
    }
}
