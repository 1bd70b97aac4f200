//! Gear wheels with involute teeth.
//!
//! Two such wheels whose pitch circles touch turn together at a constant ratio. Their flanks are
//! involutes of circles of radius `r cos(alpha)`, which touch each other along a line inclined by
//! the pressure angle `alpha`. On wheels with few teeth the involute alone would collide with the
//! tips of the other wheel. There a tooth is cut as by a rack whose teeth are as long as the other
//! wheel's: no wheel's tooth sweeps more than a rack's (Litvin and Fuentes, *Gear Geometry and
//! Applied Theory*, 2004, chapter 6).

use super::Outline;
use super::outline::circle;
use crate::math::Vec2;
use std::f64::consts::{PI, TAU};

/// Pressure angle `alpha`, 20 degrees (rad).
const PRESSURE_ANGLE: f64 = PI / 9.0;

/// Depth of gaps below the pitch circle, in addenda.
const DEDENDUM: f64 = 1.25;

/// Number of points of each flank.
const FLANK_POINTS: usize = 7;

/// Number of corners of a hole, unless there are more teeth.
const BORE_CORNERS: usize = 24;

/// Teeth of a gear wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teeth {
    /// Number of teeth.
    pub count: usize,
    /// Radius `r` of the pitch circle, which rolls on that of the other wheel (m).
    pub pitch_radius: f64,
    /// Length of teeth beyond the pitch circle (m).
    pub addendum: f64,
    /// Share of the pitch `2 pi r / count` that is play between two such wheels. Each of them gives
    /// half of it.
    pub backlash: f64,
}

/// A point of a flank in polar coordinates around the middle of the tooth.
#[derive(Clone, Copy)]
struct FlankPoint {
    /// Distance from the centre of the wheel (m).
    radius: f64,
    /// Half of the angle that the tooth spans there (rad).
    half_angle: f64,
}

impl Teeth {
    /// Radius at which gaps end (m).
    pub fn root_radius(&self) -> f64 {
        self.pitch_radius - DEDENDUM * self.addendum
    }

    /// True if teeth and gaps have a width at all radii, and the wheel has a middle.
    pub fn are_possible(&self) -> bool {
        let half_pitch = PI / self.count as f64;
        self.root_radius() > 0.0
            && self
                .flank()
                .iter()
                .all(|point| point.half_angle > 0.0 && point.half_angle < half_pitch)
    }

    /// Points of a flank from the root to the tip.
    fn flank(&self) -> [FlankPoint; FLANK_POINTS] {
        let root = self.root_radius();
        let tip = self.pitch_radius + self.addendum;
        std::array::from_fn(|k| {
            let radius = root + (tip - root) * k as f64 / (FLANK_POINTS - 1) as f64;
            FlankPoint {
                radius,
                half_angle: self.half_angle(radius),
            }
        })
    }

    /// Half of the angle that a tooth spans at a radius (rad): that of the involute, or less where
    /// the tip of a rack passes.
    ///
    /// The involute loses `inv(phi) = tan(phi) - phi` from the base circle on, where
    /// `cos(phi) = r cos(alpha) / radius`; below it the flank runs straight to the centre. A corner
    /// of the rack that starts at the depth of an addendum `a`, beside the flank, is at the angle
    /// `a tan(alpha) / r +- (atan(q / (r - a)) - q / r)` from it, where
    /// `q^2 = radius^2 - (r - a)^2`.
    fn half_angle(&self, radius: f64) -> f64 {
        let Self {
            count,
            pitch_radius: r,
            addendum: a,
            backlash,
        } = *self;
        let at_pitch_circle = 0.5 * PI * (1.0 - backlash) / count as f64;

        let phi = (r * PRESSURE_ANGLE.cos() / radius).min(1.0).acos();
        let by_involute = involute(PRESSURE_ANGLE) - involute(phi);

        let q = (radius * radius - (r - a) * (r - a)).max(0.0).sqrt();
        let by_rack = a * PRESSURE_ANGLE.tan() / r - (q.atan2(r - a) - q / r).abs();
        at_pitch_circle + by_involute.min(by_rack)
    }
}

/// Involute function `inv(phi) = tan(phi) - phi`.
fn involute(phi: f64) -> f64 {
    phi.tan() - phi
}

impl Outline {
    /// A gear wheel, with a hole of radius `bore` (m) if given. One of its teeth points along x.
    pub fn gear(teeth: &Teeth, bore: Option<f64>) -> Self {
        let flank = teeth.flank();
        let mut points = Vec::with_capacity(2 * FLANK_POINTS * teeth.count);
        for k in 0..teeth.count {
            let middle = TAU * k as f64 / teeth.count as f64;
            let right = flank.iter().map(|point| (point.radius, -point.half_angle));
            let left = flank
                .iter()
                .rev()
                .map(|point| (point.radius, point.half_angle));
            for (radius, angle) in right.chain(left) {
                let (sin, cos) = (middle + angle).sin_cos();
                points.push(Vec2::new(cos, sin) * radius);
            }
        }

        let hole = bore.map(|bore| circle(bore, teeth.count.max(BORE_CORNERS)));
        Self::polygon(points, hole.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Aabb;
    use crate::geometry::predicates::segments_touch;

    /// A wheel of module 2, which has a pitch radius of a metre per tooth.
    fn wheel(count: usize, addendum: f64) -> Teeth {
        Teeth {
            count,
            pitch_radius: count as f64,
            addendum,
            backlash: 0.05,
        }
    }

    /// The edges of a wheel turned by an angle and moved along x, in a box.
    fn edges(wheel: &Outline, angle: f64, x: f64, bounds: &Aabb) -> Vec<[Vec2; 2]> {
        let (sin, cos) = angle.sin_cos();
        let place = |p: &Vec2| Vec2::new(cos * p.x - sin * p.y + x, sin * p.x + cos * p.y);
        let placed: Vec<Vec2> = wheel.vertices.iter().map(place).collect();
        let sides = wheel.edges.iter().map(|edge| edge.map(|i| placed[i]));
        sides
            .filter(|side| Aabb::around(*side).overlaps(bounds))
            .collect()
    }

    /// Whether two wheels whose pitch circles touch overlap when the first has turned by `share` of
    /// its pitch and the second with it, and by `play` of its pitch more.
    fn overlap(one: (&Teeth, &Outline), two: (&Teeth, &Outline), share: f64, play: f64) -> bool {
        let [n, m] = [one.0.count as f64, two.0.count as f64];
        let [r, s] = [one.0.pitch_radius, two.0.pitch_radius];
        let reach = 3.0 * one.0.addendum;
        // Teeth meet between the tips, a few teeth above and below.
        let bounds = Aabb {
            min: Vec2::new(r - reach, -6.0 * reach),
            max: Vec2::new(r + reach, 6.0 * reach),
        };
        let first = edges(one.1, TAU / n * share, 0.0, &bounds);
        // A gap of the second is where a tooth of the first is.
        let second = edges(
            two.1,
            PI + PI / m - TAU / m * (share + play),
            r + s,
            &bounds,
        );
        first.iter().any(|a| {
            second
                .iter()
                .any(|b| segments_touch(a[0], a[1], b[0], b[1]))
        })
    }

    #[test]
    fn two_wheels_turn_together_with_the_play_they_should_have() {
        for (n, m) in [
            (8, 8),
            (8, 200),
            (9, 31),
            (12, 30),
            (17, 18),
            (40, 41),
            (200, 200),
        ] {
            for addendum in [2.0, 1.6, 1.2] {
                let [one, two] = [wheel(n, addendum), wheel(m, addendum)];
                assert!(one.are_possible() && two.are_possible());
                let [first, second] = [&one, &two].map(|teeth| Outline::gear(teeth, None));
                let overlaps = |share, play| {
                    overlap((&one, &first), (&two, &second), share, play * one.backlash)
                };
                // Flanks of few points are a little hollow; few teeth do not always touch in two
                // places at a time.
                let much = if n < 17 { 1.05 } else { 0.65 };
                for share in (0..40).map(|step| f64::from(step) / 40.0) {
                    for play in [0.0, 0.2, 0.4, 0.45] {
                        let free = !overlaps(share, play) && !overlaps(share, -play);
                        assert!(
                            free,
                            "{n} and {m} teeth of {addendum} m at {share} of a pitch and {play} of the play"
                        );
                    }
                    let caught = overlaps(share, much) && overlaps(share, -much);
                    assert!(
                        caught,
                        "{n} and {m} teeth of {addendum} m at {share} of a pitch"
                    );
                }
            }
        }
    }

    #[test]
    fn a_wheel_is_as_large_as_its_numbers_say() {
        let teeth = wheel(20, 2.0);
        let gear = Outline::gear(&teeth, Some(5.0));
        let radii = || gear.vertices.iter().map(Vec2::norm);
        assert!((radii().fold(0.0, f64::max) - 22.0).abs() < 1e-13);
        let (outer, hole) = gear.vertices.split_at(20 * 2 * FLANK_POINTS);
        assert!(
            outer.iter().all(|p| p.norm() > 17.5 - 1e-13)
                && hole.iter().all(|p| (p.norm() - 5.0).abs() < 1e-14)
        );
        assert_eq!(
            (gear.edges.len(), hole.len(), gear.filled),
            (gear.vertices.len(), 24, true)
        );
        // A tooth's width at the pitch circle is half a pitch less half of the play.
        assert!((2.0 * teeth.half_angle(20.0) * 20.0 - PI * 0.95).abs() < 1e-14);
        // The first tooth points along x.
        let [right, left] = [FLANK_POINTS - 1, FLANK_POINTS].map(|k| gear.vertices[k]);
        assert!(
            right.x > 21.9 && (right.x - left.x).abs() < 1e-14 && (right.y + left.y).abs() < 1e-14
        );
    }

    #[test]
    fn teeth_without_a_width_are_impossible() {
        for (count, addendum) in [(8, 4.0), (20, 5.0), (20, 16.0), (200, 8.0)] {
            assert!(!wheel(count, addendum).are_possible(), "{count} {addendum}");
        }
        assert!(
            !Teeth {
                backlash: 1.0,
                ..wheel(20, 2.0)
            }
            .are_possible()
        );
    }
}
