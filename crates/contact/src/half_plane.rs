//! Half-planes: their contact with points, and how far a step may go towards them.
//!
//! A half-plane is an obstacle without edges, such as the ground. Its energy and its step bound are
//! simpler than for an edge: there is one normal, and the gap is signed. Three cases differ in the
//! paths that a step takes:
//!
//! - straight paths over a fixed normal: the gap is linear, and the bound is a quotient;
//! - curved paths over a fixed normal: pieces of the path, each with its chord and an envelope;
//! - a normal that turns: conservative advancement with a bound on the rate of the gap.

use super::barrier::{Barrier, Jet};
use super::segments::round;
use super::tuning::{PLANE_ENVELOPE, PLANE_GAP_EXCESS, PLANE_GAP_KEPT, PLANE_MAX_PIECES};
use ipcsim_energy::{AddProduct, Batched, Curvature, LocalEnergy};
use ipcsim_math::geometry::path::{Sweep, Trajectory, VertexPath};
use ipcsim_math::{Mat2, Vec2, outer, perp};

/// The region `n . (x - o) >= 0` (obstacle without edges). Its origin `o` is a vertex and may move.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfPlane {
    /// Unit normal `n` at the start, pointing into the region where bodies are.
    pub normal: Vec2,
    /// Vertex at the origin `o`.
    pub origin: usize,
    /// For a half-plane that turns, another vertex on its line. The region is on the left of the
    /// line from the origin to it.
    pub along: Option<usize>,
}

impl HalfPlane {
    /// Unit normal at the positions `x` (m, `[vertices]`).
    #[inline]
    pub fn normal_at(&self, x: &[Vec2]) -> Vec2 {
        self.along.map_or(self.normal, |tip| {
            perp((x[tip] - x[self.origin]).normalize())
        })
    }
}

/// Barrier energy between a point `x` and a half-plane that does not turn, for the vertices
/// `[x, o]`.
///
/// The energy (J) is `w b(g)` with `g = n . (x - o) - s`,
///
/// - `w`: [`weight`](Self::weight), contact length times thickness (m^2);
/// - `b`: [`barrier`](Self::barrier) with the activation distance [`d_hat`](Self::d_hat) (Pa m);
/// - `g`: gap (m), whose derivatives are `n` and `-n`;
/// - `s`: [`separation`](Self::separation) (m).
#[derive(Clone, Copy, Debug)]
pub struct PlaneContact {
    /// Unit normal `n`.
    pub normal: Vec2,
    /// Contact length times thickness `w` (m^2).
    pub weight: f64,
    /// Barrier `b` as a function of the gap.
    pub barrier: Barrier,
    /// Activation distance of the barrier (m).
    pub d_hat: f64,
    /// Distance `s` at which point and half-plane touch (m).
    pub separation: f64,
    /// Curvature of a circle whose barrier is integrated along it (1/m), with the thickness as the
    /// weight (m); 0 where it is not.
    pub curvature: f64,
}

impl PlaneContact {
    /// Gap `g` (m) between the point `x[0]` and the half-plane with its origin at `x[1]`.
    fn gap(&self, x: &[Vec2; 2]) -> f64 {
        self.normal.dot(&(x[0] - x[1])) - self.separation
    }

    /// Value and derivatives of the barrier `b` at the gap `g` (m).
    #[inline]
    pub fn jet(&self, g: f64) -> Jet {
        if self.curvature > 0.0 {
            round(self.barrier, g, self.d_hat, self.curvature)
        } else {
            self.barrier.plane(g, self.d_hat)
        }
    }
}

impl LocalEnergy<2> for PlaneContact {
    const NAME: &'static str = "barrier";

    /// Energy `w b(g)` (J).
    fn value(&self, x: &[Vec2; 2]) -> f64 {
        self.weight * self.jet(self.gap(x)).value
    }

    /// Derivatives `w b' n` and `-w b' n`.
    fn gradient(&self, x: &[Vec2; 2]) -> [Vec2; 2] {
        let g = self.normal * (self.weight * self.jet(self.gap(x)).first);
        [g, -g]
    }

    /// Blocks `+- w b'' n n^T`.
    fn hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        let h = outer(self.normal, self.normal) * (self.weight * self.jet(self.gap(x)).second);
        [[h, -h], [-h, h]]
    }

    /// The Hessian `w b'' n n^T` of the gap.
    fn products(&self, x: &[Vec2; 2], _curvature: Curvature, add: &mut AddProduct) -> bool {
        let normal = [self.normal, -self.normal];
        add(self.weight * self.jet(self.gap(x)).second, &normal, &normal);
        true
    }
}

impl Batched<2> for PlaneContact {}

/// Largest fraction in `[0, 1]` of a motion that leaves the share [`PLANE_GAP_KEPT`] of the gap
/// between a vertex and a half-plane.
pub(super) fn plane_step(plane: &HalfPlane, separation: f64, motion: &Sweep, vertex: usize) -> f64 {
    let HalfPlane {
        normal,
        origin,
        along,
    } = *plane;

    // The line turns, or point and origin move on arcs.
    if let Some(tip) = along {
        return turning_plane_step(separation, motion, [vertex, origin, tip]);
    }
    if motion.turning(vertex).is_some() || motion.turning(origin).is_some() {
        let paths = [vertex, origin].map(|i| motion.path(i));
        return turning_point_step(normal, separation, &paths);
    }

    // Both paths are straight and the gap is linear.
    let Sweep { start, end, .. } = motion;
    let initial = normal.dot(&(start[vertex] - start[origin])) - separation;
    let closing = initial - (normal.dot(&(end[vertex] - end[origin])) - separation);
    if closing <= 0.0 {
        return 1.0;
    }
    ((1.0 - PLANE_GAP_KEPT) * initial / closing).clamp(0.0, 1.0)
}

/// [`plane_step`] of a point and an origin on curved paths, piece by piece.
///
/// On a piece the gap is linear up to an envelope, the deviation of both paths from their chords. A
/// piece is halved until its envelope takes at most the share [`PLANE_ENVELOPE`] of the gap to be
/// used up (see [`super::ccd::arc`]).
fn turning_point_step(normal: Vec2, separation: f64, paths: &[VertexPath; 2]) -> f64 {
    let gap = |t: f64| normal.dot(&(paths[0].position(t) - paths[1].position(t))) - separation;
    let initial = gap(0.0);
    let kept = PLANE_GAP_KEPT * initial;
    let mut t = 0.0;
    let mut now = initial;

    for _ in 0..PLANE_MAX_PIECES {
        if t >= 1.0 || now - kept <= PLANE_GAP_EXCESS * initial {
            break;
        }

        // The longest piece from here.
        let mut t1 = 1.0;
        while envelope(paths, t, t1) > PLANE_ENVELOPE * (now - kept) {
            t1 = t + 0.5 * (t1 - t);
            if t1 <= t {
                return t;
            }
        }

        // The point on its chord where the gap less the envelope is used up.
        let end = gap(t1);
        let room = now - kept - envelope(paths, t, t1);
        let next = if now - end <= room {
            t1
        } else {
            t + room / (now - end) * (t1 - t)
        };

        if next <= t || next.is_nan() {
            return t;
        }
        t = next;
        now = gap(next);
    }
    t.min(1.0)
}

/// Sum of the largest deviations (m) of two paths from their chords between the times `t` and `t1`.
fn envelope(paths: &[VertexPath; 2], t: f64, t1: f64) -> f64 {
    let deviations = paths.iter().map(|path| path.chord_deviation(t, t1));
    deviations.sum()
}

/// [`plane_step`] of a half-plane that turns, by conservative advancement; `vertices` are point,
/// origin and tip.
///
/// The gap of a point at most `r` away from the origin shrinks no faster than `omega r + v`, with
/// the turn `omega` of the line and the speed `v` of point and origin together. Each advance takes
/// the time in which the gap could be used up at that rate.
fn turning_plane_step(separation: f64, motion: &Sweep, vertices: [usize; 3]) -> f64 {
    let [point, origin, tip] = vertices.map(|i| motion.path(i));
    let gap = |t: f64| {
        let normal = perp((tip.position(t) - origin.position(t)).normalize());
        normal.dot(&(point.position(t) - origin.position(t))) - separation
    };

    // Angle and lengths per unit of time; the motion takes time 1.
    let turn = motion
        .turning(vertices[2])
        .map_or(0.0, |path| path.motion.angle.abs());
    let speed = point.speed() + origin.speed();

    let initial = gap(0.0);
    let kept = PLANE_GAP_KEPT * initial;
    let mut t = 0.0;
    let mut now = initial;

    for _ in 0..PLANE_MAX_PIECES {
        let arm = point.position(t) - origin.position(t);
        let rate = turn * (arm.norm() + (1.0 - t) * speed) + speed;
        if t + (now - kept) / rate >= 1.0 || rate <= 0.0 {
            return 1.0;
        }

        if now.is_nan() || now - kept <= PLANE_GAP_EXCESS * initial {
            return t;
        }

        t += (now - kept) / rate;
        now = gap(t);
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::BarrierShape;
    use ipcsim_energy::testing;
    use ipcsim_math::geometry::path::RigidMotion;

    #[test]
    fn derivatives_match_finite_differences() {
        for shape in [BarrierShape::Log, BarrierShape::ClampedLog] {
            let barrier = Barrier { shape, kappa: 1e5 };
            let contact = PlaneContact {
                normal: Vec2::new(0.6, 0.8),
                weight: 0.25,
                barrier,
                d_hat: 0.01,
                separation: 1e-3,
                curvature: 0.0,
            };
            testing::check(
                &contact,
                [Vec2::new(0.5, 0.004), Vec2::new(0.5, -0.001)],
                1e-8,
                false,
            );
        }
    }

    /// The region above a horizontal line through vertex 1.
    const GROUND: HalfPlane = HalfPlane {
        normal: Vec2::new(0.0, 1.0),
        origin: 1,
        along: None,
    };

    #[test]
    fn a_half_plane_that_turns_stops_before_a_point() {
        // The line through the origin turns towards the point (1, h): 0.1 of the gap is left at an
        // angle that satisfies h cos a - sin a = 0.1 h.
        for (h, angle) in [(0.5, 2.0), (0.02, 0.1), (0.5, 40.0), (0.5, -7.0)] {
            let start = [Vec2::new(1.0, h), Vec2::zeros(), Vec2::new(1.0, 0.0)];
            let rigid = RigidMotion {
                center: Vec2::zeros(),
                translation: Vec2::zeros(),
                angle,
            };
            let end = [start[0], start[1], rigid.carry(start[2]).position(1.0)];
            let turns = [Some(rigid.into())];
            let motion = Sweep {
                start: &start,
                end: &end,
                turn_of: &[0, 1, 1],
                turns: &turns,
            };
            let plane = HalfPlane {
                along: Some(2),
                ..GROUND
            };

            let found = plane_step(&plane, 0.0, &motion, 0);
            let cone = (0.1 * h / h.hypot(1.0)).acos();
            let point = (1.0 / h).atan();
            let behind = if angle > 0.0 {
                cone - point
            } else {
                cone + point
            };
            let expected = behind / f64::abs(angle);
            assert!(
                found <= expected && found > 0.99 * expected,
                "{h} {angle}: {found} {expected}"
            );
        }
    }

    /// Step bound of a point and an origin at `x` that move straight by `p`.
    fn step(x: [Vec2; 2], p: [Vec2; 2]) -> f64 {
        let end = [x[0] + p[0], x[1] + p[1]];
        plane_step(&GROUND, 0.0, &Sweep::straight(&x, &end), 0)
    }

    #[test]
    fn a_step_leaves_a_tenth_of_the_gap_and_a_retreat_is_free() {
        let x = [Vec2::new(3.0, 0.5), Vec2::zeros()];
        let toward = step(x, [Vec2::new(1.0, -2.0), Vec2::new(0.0, 1.0)]);
        assert!((toward - 0.9 * 0.5 / 3.0).abs() < 1e-15);
        assert_eq!(step(x, [Vec2::new(1.0, 1.0), Vec2::zeros()]), 1.0);
        assert_eq!(
            step(x, [Vec2::new(0.0, -f64::INFINITY), Vec2::zeros()]),
            0.0
        );
    }

    /// Step bound of the top of a unit circle at a `height` above the ground that turns by `angle`.
    fn turn_above(height: f64, angle: f64) -> f64 {
        let start = [Vec2::new(0.0, height + 1.0), Vec2::zeros()];
        let center = Vec2::new(0.0, height);
        let rigid = RigidMotion {
            center,
            translation: Vec2::zeros(),
            angle,
        };

        let motion = Sweep {
            start: &start,
            end: &[rigid.carry(start[0] - center).position(1.0), start[1]],
            turn_of: &[1, 0],
            turns: &[Some(rigid.into())],
        };
        plane_step(&GROUND, 0.0, &motion, 0)
    }

    #[test]
    fn on_an_arc_a_tenth_of_the_gap_is_left_and_nothing_dips_below_on_the_way() {
        // From the top of a unit circle the height is 0.5 + cos(angle t): a tenth of 1.5 is left at
        // angle t = acos(-0.35).
        let impact = (-0.35_f64).acos();
        let turn = std::f64::consts::TAU;
        for angle in [2.0, -2.0, turn, 100.0 * turn, -7.0] {
            let expected = impact / angle.abs();
            let found = turn_above(0.5, angle);
            assert!(
                found <= expected && found > 0.997 * expected,
                "{angle}: {found} {expected}"
            );
        }
        assert_eq!(turn_above(0.5, 1.8), 1.0);
        // There are more turns than pieces, and none comes too near. The search still ends.
        assert!(turn_above(1.5, 1e15) < 1e-9);
    }
}
