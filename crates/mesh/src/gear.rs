//! Gear wheels with involute teeth.
//!
//! Two such wheels whose pitch circles touch turn together at a constant ratio. Their flanks are
//! involutes of circles of radius `r cos(alpha)`, which touch each other along a line inclined by
//! the pressure angle `alpha`.
//!
//! On wheels with few teeth a pure involute would collide with the tips of the other wheel. There a
//! tooth is cut as by a rack whose teeth are as long as the other wheel's. No wheel's tooth sweeps
//! more than a rack's (Litvin and Fuentes, *Gear Geometry and Applied Theory*, 2004, chapter 6).
//!
//! A flank is a polyline from the root to the tip, at radii in equal steps. [`Teeth`] gives the
//! half angle of a tooth at each radius, and `Outline::gear` mirrors and repeats the flank.

use super::Outline;
use super::outline::circle;
use crate::tuning::{BORE_CORNERS, FLANK_POINTS};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::{acos, atan2, cos, sin_cos, tan};
use std::f64::consts::{PI, TAU};

/// Pressure angle `alpha`, 20 degrees (rad).
const PRESSURE_ANGLE: f64 = PI / 9.0;

/// Depth (1) of gaps below the pitch circle, in addenda.
///
/// The quarter beyond 1 is the clearance to the tips of the other wheel. Below 1 tips touch the
/// ground of gaps; a large depth makes teeth slender.
const DEDENDUM: f64 = 1.25;

/// Teeth of a gear wheel: their number and proportions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teeth {
    /// Number of teeth.
    pub count: usize,
    /// Radius `r` of the pitch circle, which rolls on the pitch circle of the other wheel (m).
    pub pitch_radius: f64,
    /// Length of teeth beyond the pitch circle (m).
    pub addendum: f64,
    /// Share (1) of the pitch `2 pi r / count` that is play between two such wheels. Each of them
    /// gives half of it.
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
    /// Radius at which gaps end (m). Not positive if the teeth are too long for the wheel.
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

    /// Points of a flank from the root to the tip, at radii in equal steps.
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

    /// Half of the angle that a tooth spans at a radius (rad): the angle of the involute, or less
    /// where the tip of a rack passes.
    ///
    /// The tooth has `pi (1 - backlash) / (2 count)` at the pitch circle. The involute loses
    /// `inv(phi) - inv(alpha)` of that, where `cos(phi) = r cos(alpha) / radius`; below the base
    /// circle `phi` is 0 and the flank runs straight to the centre.
    ///
    /// A corner of the rack that starts next to the flank, at the depth of an addendum `a`, is at
    /// the angle `a tan(alpha) / r +- (atan(q / (r - a)) - q / r)` from it, where
    /// `q^2 = radius^2 - (r - a)^2`.
    fn half_angle(&self, radius: f64) -> f64 {
        let Self {
            count,
            pitch_radius: r,
            addendum: a,
            backlash,
        } = *self;
        let at_pitch_circle = 0.5 * PI * (1.0 - backlash) / count as f64;

        let phi = acos((r * cos(PRESSURE_ANGLE) / radius).min(1.0));
        let by_involute = involute(PRESSURE_ANGLE) - involute(phi);

        let q = (radius * radius - (r - a) * (r - a)).max(0.0).sqrt();
        let by_rack = a * tan(PRESSURE_ANGLE) / r - (atan2(q, r - a) - q / r).abs();
        at_pitch_circle + by_involute.min(by_rack)
    }
}

/// Involute function `inv(phi) = tan(phi) - phi`.
fn involute(phi: f64) -> f64 {
    tan(phi) - phi
}

impl Outline {
    /// A gear wheel around the origin, with a hole of radius `bore` (m) if given. One of its teeth
    /// points along x.
    pub fn gear(teeth: &Teeth, bore: Option<f64>) -> Self {
        let flank = teeth.flank();
        let mut points = Vec::with_capacity(2 * FLANK_POINTS * teeth.count);

        for k in 0..teeth.count {
            let middle = TAU * k as f64 / teeth.count as f64;

            // Up the right flank from the root, and down the left one.
            let right = flank.iter().map(|point| (point.radius, -point.half_angle));
            let left = flank.iter().map(|point| (point.radius, point.half_angle));
            for (radius, angle) in right.chain(left.rev()) {
                let (sin, cos) = sin_cos(middle + angle);
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
    use ipcsim_math::geometry::Aabb;
    use ipcsim_math::geometry::predicates::segments_touch;

    /// A wheel of module 2, which has a pitch radius of a metre per tooth.
    fn wheel(count: usize, addendum: f64) -> Teeth {
        Teeth {
            count,
            pitch_radius: count as f64,
            addendum,
            backlash: 0.05,
        }
    }

    /// Edges of a wheel, turned by an angle (rad) and moved by `x` (m) along x, that may be in a
    /// box.
    fn edges(wheel: &Outline, angle: f64, x: f64, bounds: &Aabb) -> Vec<[Vec2; 2]> {
        let (sin, cos) = angle.sin_cos();
        let turned = wheel.vertices.iter().map(|p| {
            let turned_x = cos * p.x - sin * p.y + x;
            Vec2::new(turned_x, sin * p.x + cos * p.y)
        });
        let placed: Vec<Vec2> = turned.collect();
        let sides = wheel.edges.iter().map(|edge| edge.map(|i| placed[i]));
        sides
            .filter(|side| Aabb::around(*side).overlaps(bounds))
            .collect()
    }

    /// A wheel and its shape.
    struct Wheel {
        teeth: Teeth,
        outline: Outline,
    }

    impl Wheel {
        fn new(count: usize, addendum: f64) -> Self {
            let teeth = wheel(count, addendum);
            assert!(teeth.are_possible());
            let outline = Outline::gear(&teeth, None);
            Self { teeth, outline }
        }
    }

    /// True if two wheels whose pitch circles touch overlap when the first has turned by `share` of
    /// its pitch and the second with it, and by `play` of its pitch more.
    fn overlap(one: &Wheel, two: &Wheel, share: f64, play: f64) -> bool {
        let [n, m] = [one, two].map(|wheel| wheel.teeth.count as f64);
        let [r, s] = [one, two].map(|wheel| wheel.teeth.pitch_radius);
        let reach = 3.0 * one.teeth.addendum;

        // Teeth meet between the tips, a few teeth above and below.
        let bounds = Aabb {
            min: Vec2::new(r - reach, -6.0 * reach),
            max: Vec2::new(r + reach, 6.0 * reach),
        };

        // A gap of the second is where a tooth of the first is.
        let angle = PI + PI / m - TAU / m * (share + play);
        let first = edges(&one.outline, TAU / n * share, 0.0, &bounds);
        let second = edges(&two.outline, angle, r + s, &bounds);
        first.iter().any(|a| {
            second
                .iter()
                .any(|b| segments_touch(a[0], a[1], b[0], b[1]))
        })
    }

    /// Asserts that two wheels turn freely within the play, and catch each other outside it, at the
    /// `share` of a pitch.
    fn assert_play(one: &Wheel, two: &Wheel, share: f64) {
        let overlaps = |play: f64| overlap(one, two, share, play * one.teeth.backlash);
        let [n, m] = [one, two].map(|wheel| wheel.teeth.count);
        let case = format!("{n} and {m} teeth of {} m", one.teeth.addendum);

        for play in [0.0, 0.2, 0.4, 0.45] {
            let free = !overlaps(play) && !overlaps(-play);
            assert!(free, "{case} at {share} of a pitch and {play} of the play");
        }

        // Flanks of few points are a little hollow; few teeth do not always touch in two places at
        // a time.
        let much = if n < 17 { 1.05 } else { 0.65 };
        let caught = overlaps(much) && overlaps(-much);
        assert!(caught, "{case} at {share} of a pitch");
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
                let one = Wheel::new(n, addendum);
                let two = Wheel::new(m, addendum);
                for share in (0..40).map(|step| f64::from(step) / 40.0) {
                    assert_play(&one, &two, share);
                }
            }
        }
    }

    #[test]
    fn a_wheel_is_as_large_as_its_numbers_say() {
        let teeth = wheel(20, 2.0);
        let gear = Outline::gear(&teeth, Some(5.0));
        let largest = gear.vertices.iter().map(Vec2::norm).fold(0.0, f64::max);
        assert!((largest - 22.0).abs() < 1e-13);
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
