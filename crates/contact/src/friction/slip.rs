//! Slip of a contact in a frame that turns with the surfaces.
//!
//! The tangent of a contact turns with the bodies. Slip along the tangent of the start of a step
//! counts the sagitta of an arc as slip: a block that sticks to a platform at the distance `r` from
//! its axis would slide outwards by `r w^2 h / 2` a second, whatever the friction. Here slip is a
//! difference of material points in the frame of the other side, so that a rotation of both sides
//! together is no slip at any angle.
//!
//! Let `c_A` be the contact's place on the first side (the point itself, or the centre of its
//! circle, with the radius `r_A`), `c_B` the nearest material place of the other side, and `t` the
//! tangent, which turns with the other side by `theta_B` from `t^n` at the start of the step. At an
//! edge or a half-plane the contact slides by
//!
//! `u = t . (c_A - c_B) - t^n . (c_A^n - c_B^n) - (t . perp n) r_A (theta_A - theta_B)`.
//!
//! Two circles, or a circle and a corner, turn their normal by `phi`, and roll along arcs:
//!
//! `u = -(t . perp n) (r_A (theta_A - phi) + r_B (theta_B - phi))`, where `r_A + r_B` is the distance
//! of the centres.
//!
//! Both are 0 to the bit where nothing moves. Their derivatives are the weights of
//! [`Frame::sliding_weights`] at the end.

use super::frame::Frame;
use super::{Known, Turning};
use crate::{Disk, Surface};
use ipcsim_math::elementary::atan2;
use ipcsim_math::{Vec2, cross, perp};

impl Frame {
    /// Distance (m) along the tangent by which the contact has slid from the positions `start` to
    /// `x`, at which this frame is, less what the integrator takes off it.
    ///
    /// A side that has edges only turns by less than half a turn between the two; circles turn by
    /// any angle.
    pub(super) fn slid(
        &self,
        surface: &Surface,
        start: &[Vec2],
        turning: Turning,
        x: &[Vec2],
    ) -> f64 {
        let back = self.turn_of_frame(surface, start, x);
        let axes = [self.tangent, self.normal].map(|axis| turned_back(axis, back));
        let slid = self.slid_by(surface, axes[0], start, turning.spun, x);
        let by = |axes: [Vec2; 2], at: &[Vec2], moved: &[Vec2]| -> f64 {
            let weights = self.weights_along(axes, surface, at);
            weights.iter().map(|(i, c)| c.dot(&moved[*i])).sum()
        };
        match turning.known {
            Known::Nothing => slid,
            Known::Velocity(lead) => slid - by(axes, start, lead),
            Known::Alternating {
                share,
                x: there,
                spun,
                moved: [now, then],
            } => {
                // Velocities slip in the frame of each state.
                let back = self.turn_of_frame(surface, there, x);
                let axes_there = [self.tangent, self.normal].map(|axis| turned_back(axis, back));
                let changed = by(axes, start, now) - by(axes_there, there, then);
                slid - changed - share * self.slid_by(surface, axes[0], start, spun, there)
            }
            Known::Share { share, x, spun } => {
                slid - share * self.slid_by(surface, axes[0], start, spun, x)
            }
        }
    }

    /// Normal that this contact, whose frame is the one at `x`, had at `start` (m, `[vertices]`).
    pub(super) fn normal_at_start(&self, surface: &Surface, start: &[Vec2], x: &[Vec2]) -> Vec2 {
        turned_back(self.normal, self.turn_of_normal(surface, start, x))
    }

    /// Turn of the normal from `start` to `x` (m, `[vertices]`), as a unit vector `(cos, sin)`.
    fn turn_of_normal(&self, surface: &Surface, start: &[Vec2], x: &[Vec2]) -> Vec2 {
        let [point, _, other, _] = self.vertices;
        if self.is_at_vertex {
            turn_of([other, point], start, x)
        } else {
            self.turn_of_frame(surface, start, x)
        }
    }

    /// Turn of the frame from `start` to `x` (m, `[vertices]`), as a unit vector `(cos, sin)`: that of
    /// the normal between two circles or a circle and a corner, else that of the other side.
    fn turn_of_frame(&self, surface: &Surface, start: &[Vec2], x: &[Vec2]) -> Vec2 {
        let [point, _, other, _] = self.vertices;
        if self.rolls_along_arcs(surface) {
            turn_of([other, point], start, x)
        } else {
            self.edge.map_or(Vec2::x(), |edge| turn_of(edge, start, x))
        }
    }

    /// True for two circles, or a circle and a corner.
    fn rolls_along_arcs(&self, surface: &Surface) -> bool {
        let [point, _, other, _] = self.vertices;
        let is_disk = |vertex| surface.disk_at(vertex).is_some();
        self.is_at_vertex && (is_disk(point) || is_disk(other))
    }

    /// Distance slid (m) from `start`, where the contact has the `tangent`, to `x`.
    fn slid_by(
        &self,
        surface: &Surface,
        tangent: Vec2,
        start: &[Vec2],
        spun: &[Vec2],
        x: &[Vec2],
    ) -> f64 {
        let turn = self.turn_of_frame(surface, start, x);
        if self.rolls_along_arcs(surface) {
            return self.rolled(surface, angle(turn), start, spun, x);
        }

        // Both places along a tangent that turns with the other side.
        let [point, last, a, b] = self.vertices;
        let apart = |x: &[Vec2]| {
            let own = x[point] + (x[last] - x[point]) * self.own_place;
            own - (x[a] + (x[b] - x[a]) * self.place)
        };
        let moved = turned(tangent, turn).dot(&apart(x)) - tangent.dot(&apart(start));

        // A circle or a thick rod rolls as well.
        let rolled = if let Some(disk) = surface.disk_at(point) {
            disk.radius * (spin(disk, start, spun) - angle(turn))
        } else if point != last && surface.radius[point] > 0.0 {
            let own = turn_of([point, last], start, x);
            surface.radius[point] * angle(turned_back(own, turn))
        } else {
            0.0
        };
        moved - self.across() * rolled
    }

    /// Slip (m) between two circles or between a circle and a corner, whose normal turns by `phi`
    /// (rad).
    fn rolled(
        &self,
        surface: &Surface,
        phi: f64,
        start: &[Vec2],
        spun: &[Vec2],
        x: &[Vec2],
    ) -> f64 {
        let [point, _, other, _] = self.vertices;
        let own = surface.disk_at(point);
        let radius = own.map_or(0.0, |disk| disk.radius);
        let own = own.map_or(0.0, |disk| spin(disk, start, spun));
        let theirs = match (surface.disk_at(other), self.edge) {
            (Some(disk), _) => spin(disk, start, spun),
            (None, Some(edge)) => angle(turn_of(edge, start, x)),
            (None, None) => 0.0,
        };
        let rolled = radius * (own - phi) + (self.distance - radius) * (theirs - phi);
        -self.across() * rolled
    }
}

/// Angle (rad) by which a circle has turned where its points would be at `spun` if the body kept its
/// turn on the tangents of `start` (m, `[vertices]`). It counts full turns.
fn spin(disk: &Disk, start: &[Vec2], spun: &[Vec2]) -> f64 {
    let arm = start[disk.rim] - start[disk.center];
    let moved = (spun[disk.rim] - start[disk.rim]) - (spun[disk.center] - start[disk.center]);
    perp(arm).dot(&moved) / arm.norm_squared()
}

/// Turn of the direction from the first to the second vertex, from `start` to `x` (m,
/// `[vertices]`), as a unit vector `(cos, sin)`.
fn turn_of([from, to]: [usize; 2], start: &[Vec2], x: &[Vec2]) -> Vec2 {
    let [before, after] = [start, x].map(|x| x[to] - x[from]);
    let sine = cross(before, after);
    if sine == 0.0 && before.dot(&after) >= 0.0 {
        return Vec2::x();
    }
    Vec2::new(before.dot(&after), sine).normalize()
}

/// Angle (rad) of a turn, in `[-pi, pi]`.
fn angle(turn: Vec2) -> f64 {
    atan2(turn.y, turn.x)
}

/// A vector after a turn.
fn turned(vector: Vec2, turn: Vec2) -> Vec2 {
    vector * turn.x + perp(vector) * turn.y
}

/// A vector before a turn.
fn turned_back(vector: Vec2, turn: Vec2) -> Vec2 {
    Vec2::new(turn.dot(&vector), cross(turn, vector))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::{Barrier, BarrierShape};
    use crate::{Candidates, Contacts, Friction, FrictionTable, Lag};
    use nalgebra::Rotation2;

    /// Two rigid bodies that touch at one place: the arms of their vertices about their centres (m),
    /// and their centres.
    struct Pair {
        surface: Surface,
        arms: [Vec<Vec2>; 2],
        centers: [Vec2; 2],
    }

    /// Motion of a body: displacement (m) and turn (rad).
    type Motion = (Vec2, f64);

    fn v(x: f64, y: f64) -> Vec2 {
        Vec2::new(x, y)
    }

    /// A circle of this radius (m) about a centre.
    fn circle(radius: f64) -> (Vec<Vec2>, bool) {
        (vec![Vec2::zeros(), v(0.6, 0.8) * radius], true)
    }

    /// A corner that points up from its two edges, or down where `sign` is -1.
    fn corner(sign: f64) -> (Vec<Vec2>, bool) {
        let arms = [v(-1.0, -1.0), v(0.0, 0.0), v(1.0, -1.0)];
        (arms.map(|arm| arm * sign).to_vec(), false)
    }

    impl Pair {
        /// The first body above the second one, whose arms and kinds are given.
        fn new(first: (Vec<Vec2>, bool), second: (Vec<Vec2>, bool), above: Vec2) -> Self {
            let counts = [first.0.len(), second.0.len()];
            let body = [vec![0; counts[0]], vec![1; counts[1]]].concat();
            let mut surface = Surface::new(body, 0.05);
            for (from, (arms, is_circle)) in [(0, &first), (counts[0], &second)] {
                surface
                    .points
                    .push(from + usize::from(!is_circle && arms.len() > 2));
                if *is_circle {
                    surface.disks.push(Disk {
                        center: from,
                        rim: from + 1,
                        radius: arms[1].norm(),
                    });
                    surface.radius[from] = arms[1].norm();
                    surface.isolated[from] = true;
                    surface.edges.push([from, from]);
                } else {
                    surface
                        .edges
                        .extend((1..arms.len()).map(|k| [from + k - 1, from + k]));
                }
            }
            surface.weight.fill(1.0);
            Self {
                surface,
                arms: [first.0, second.0],
                centers: [above, Vec2::zeros()],
            }
        }

        /// Positions after motions from the start (m), and those on tangents there.
        fn moved(&self, motions: [Motion; 2]) -> [Vec<Vec2>; 2] {
            let mut x = Vec::new();
            let mut spun = Vec::new();
            for ((arms, center), (way, turn)) in self.arms.iter().zip(self.centers).zip(motions) {
                for arm in arms {
                    x.push(center + way + Rotation2::new(turn) * arm);
                    spun.push(center + way + arm + perp(*arm) * turn);
                }
            }
            [x, spun]
        }

        /// Slip at `y` (m), a function that is linear about the positions after motions.
        fn slip(&self, motions: [Motion; 2], y: Option<&[Vec2]>) -> f64 {
            let [start, _] = self.moved([(Vec2::zeros(), 0.0); 2]);
            let [x, spun] = self.moved(motions);
            let barrier = Barrier {
                shape: BarrierShape::Inverse,
                kappa: 1.0,
            };
            let candidates = Candidates::find(&self.surface, &x, |_| 0.0);
            let contacts = Contacts::find(&self.surface, &barrier.into(), &candidates, &x).unwrap();
            let table = FrictionTable::uniform(0.5, 1.0);
            let lag = Lag {
                turning: Some(Turning {
                    spun: &spun,
                    known: Known::Nothing,
                }),
                ..Lag::along_tangents(&table, &start, 1.0)
            };
            let friction = Friction::lagged(&self.surface, &contacts, &x, lag);
            let force = friction
                .forces(&self.surface, y.unwrap_or(&x))
                .next()
                .expect("the bodies touch");
            // Along the tangent that points to the right below the first body.
            let [first, _] = force.bodies;
            force.slip.x.signum() * force.slip.norm() * if first == 0 { 1.0 } else { -1.0 }
        }
    }

    /// Pairs of all kinds that touch with a gap of 0.02 m.
    fn pairs() -> Vec<(&'static str, Pair)> {
        let floor = (vec![v(-3.0, 0.0), v(2.0, 0.0)], false);
        vec![
            (
                "corner on an edge",
                Pair::new(corner(-1.0), floor.clone(), v(0.3, 0.02)),
            ),
            (
                "circle on an edge",
                Pair::new(circle(0.5), floor, v(0.3, 0.52)),
            ),
            (
                "two circles",
                Pair::new(circle(0.5), circle(1.0), v(0.0, 1.52)),
            ),
            (
                "circle on a corner",
                Pair::new(circle(0.5), corner(1.0), v(0.0, 0.52)),
            ),
            (
                "corner on a circle",
                Pair::new(corner(-1.0), circle(1.0), v(0.0, 1.02)),
            ),
        ]
    }

    /// Motion of both bodies of a pair as one about a place.
    fn together(pair: &Pair, about: Vec2, turn: f64) -> [Motion; 2] {
        pair.centers.map(|center| {
            let arm = center - about;
            (Rotation2::new(turn) * arm - arm, turn)
        })
    }

    #[test]
    fn a_rotation_of_both_sides_together_is_no_slip_at_any_angle() {
        for (name, pair) in pairs() {
            for turn in [1e-3, 0.087, -0.5, 2.0] {
                let motions = together(&pair, v(0.7, -2.0), turn);
                let slip = pair.slip(motions, None);
                assert!(slip.abs() < 1e-14, "{name}, {turn}: {slip}");
            }
            let nothing = pair.slip([(Vec2::zeros(), 0.0); 2], None);
            assert_eq!(nothing.to_bits() << 1, 0, "{name}: {nothing}");
        }
    }

    #[test]
    fn slip_on_a_side_that_turns_is_the_way_along_it() {
        for (name, pair) in pairs() {
            let about = v(0.1, -0.4);
            let [(_, _), other] = together(&pair, about, 0.4);
            // The first body slides by 0.003 m along the second one, then both turn.
            let rotation = Rotation2::new(0.4);
            let end = about + rotation * (pair.centers[0] + v(0.003, 0.0) - about);
            let slip = pair.slip([(end - pair.centers[0], 0.4), other], None);
            // Where the normal turns along arcs, the way is that of the place of contact.
            assert!((slip - 0.003).abs() < 1e-5, "{name}: {slip}");
        }
    }

    #[test]
    fn a_circle_that_rolls_does_not_slip_even_over_full_turns() {
        let floor = (vec![v(-30.0, 0.0), v(30.0, 0.0)], false);
        let pair = Pair::new(circle(0.5), floor, v(0.0, 0.52));
        for turn in [-0.3, 2.0, -15.0] {
            let rolled = [(v(-0.5 * turn, 0.0), turn), (Vec2::zeros(), 0.0)];
            assert!(pair.slip(rolled, None).abs() < 1e-13, "{turn}");
        }
    }

    #[test]
    fn slip_has_the_weights_as_its_derivatives() {
        let step = 1e-6;
        for (name, pair) in pairs() {
            let base = together(&pair, v(0.3, -1.0), 0.2);
            let moved = |sign: f64| {
                let mut motions = base;
                motions[0].0 += v(0.7, 0.2) * (sign * step);
                motions[0].1 += 0.4 * sign * step;
                motions[1].1 -= 0.3 * sign * step;
                motions
            };
            let [there, back] = [1.0, -1.0].map(|sign| {
                let [y, _] = pair.moved(moved(sign));
                (pair.slip(moved(sign), None), pair.slip(base, Some(&y)))
            });
            let exact = there.0 - back.0;
            let linear = there.1 - back.1;
            let scale = step;
            assert!(
                (exact - linear).abs() < 1e-5 * scale,
                "{name}: {exact} {linear}"
            );
        }
    }
}
