//! Closed curves of straight lines, arcs and splines, and the points that stand for them.
//!
//! A curve is made of [`Piece`]s, and each begins where the one before it ends. Bodies have
//! straight edges, so a curve is replaced by points on it ([`Piece::points`]) whose chords are
//! nowhere farther from it than a given deviation and no longer than a given length. A chord over
//! the angle `theta` of a circle of radius `r` is at most `r (1 - cos(theta/2))` away from it. The
//! second derivative of a cubic Bezier curve with controls `b_0 .. b_3` is at most
//! `M = 6 max |b_k - 2 b_(k+1) + b_(k+2)|`, and a chord over the parameter `1/n` is at most
//! `M / (8 n^2)` away from the curve.

use crate::tuning::{CURVE_MOST_CHORDS, SMALL_DEVIATION};
use ipcsim_math::elementary::{acos, atan2, cos, sin};
use ipcsim_math::{Vec2, cross};
use std::f64::consts::TAU;

/// A part of a curve, from where the part before it ends.
///
/// Elliptic arcs are not among them: pictures that have some give cubic curves for them.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A straight line to a point (m).
    Line(Vec2),
    /// An arc of a circle through a point between its ends, to its end (m).
    Arc {
        /// A point of the arc between its ends (m).
        through: Vec2,
        /// End of the arc (m).
        to: Vec2,
    },
    /// A cubic Bezier curve with two controls, to its end (m).
    Cubic {
        /// Points that the tangents at both ends point to and come from (m).
        controls: [Vec2; 2],
        /// End of the curve (m).
        to: Vec2,
    },
    /// A smooth curve through all these points (m) to the last of them.
    ///
    /// It is a Catmull-Rom spline: the tangent at a point is parallel to the chord from its
    /// neighbour before to its neighbour behind. Nearly equal distances give the roundest curves.
    Spline(Vec<Vec2>),
}

/// How finely curves are divided.
///
/// Both limits hold at once: a curve that is nearly straight is divided by the length, a tight one
/// by the deviation. Straight lines are not divided here, since the refinement does that by the
/// size field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fineness {
    /// Largest distance of a chord from the curve (m).
    pub deviation: f64,
    /// Largest length of a chord of an arc or a spline (m).
    pub length: f64,
}

impl Piece {
    /// End of the piece (m); `from` for a spline without points.
    ///
    /// Nothing is divided for it, so that callers may walk along a curve cheaply.
    pub fn end(&self, from: Vec2) -> Vec2 {
        match self {
            Self::Line(to) | Self::Arc { to, .. } | Self::Cubic { to, .. } => *to,
            Self::Spline(points) => points.last().copied().unwrap_or(from),
        }
    }

    /// Number of chords of a piece that begins at `from` (m), also where it is too large to make them.
    pub fn chords(&self, from: Vec2, fineness: Fineness) -> f64 {
        match self {
            Self::Line(_) => 1.0,
            Self::Arc { through, to } => match arc_through(from, *through, *to) {
                Some(arc) => asked_of_arc(arc.radius, arc.turn.abs(), fineness),
                None => 1.0,
            },
            Self::Cubic {
                controls: [a, b],
                to,
            } => asked_of_cubic([from, *a, *b, *to], fineness),
            Self::Spline(points) => cubics(from, points)
                .map(|controls| asked_of_cubic(controls, fineness).max(1.0))
                .sum(),
        }
    }

    /// Points that stand for a piece that begins at `from` (m), without `from` and with the end.
    ///
    /// All of them are on the curve. The last one is the given end to the last bit, so that
    /// neighbouring pieces join without a gap.
    pub fn points(&self, from: Vec2, fineness: Fineness) -> Vec<Vec2> {
        match self {
            Self::Line(to) => vec![*to],
            Self::Arc { through, to } => arc(from, *through, *to, fineness),
            Self::Cubic {
                controls: [a, b],
                to,
            } => cubic([from, *a, *b, *to], fineness),
            Self::Spline(points) => spline(from, points, fineness),
        }
    }
}

/// Points of a whole circle, counter-clockwise, the first to the right of the centre (m).
///
/// There are at least 8, whose number is a multiple of 4: mirror images of a circle have the same
/// points.
pub fn circle(center: Vec2, radius: f64, fineness: Fineness) -> Vec<Vec2> {
    let quarter = chords_of_arc(radius, TAU / 4.0, fineness).max(2);
    let count = 4 * quarter;
    let points = (0..count).map(|k| {
        let angle = TAU * k as f64 / count as f64;
        center + Vec2::new(cos(angle), sin(angle)) * radius
    });
    points.collect()
}

/// Number of chords of a whole circle, also where it is too large to make them.
pub fn chords_of_circle(radius: f64, fineness: Fineness) -> f64 {
    asked_of_arc(radius, TAU, fineness)
}

/// Number of chords that an arc of `radius` (m) over an `angle` (rad) asks for.
///
/// For small deviations `acos(1 - x)` is `sqrt(2 x)`, which rounding does not lose.
fn asked_of_arc(radius: f64, angle: f64, fineness: Fineness) -> f64 {
    let share = fineness.deviation / radius;
    let half = if share < SMALL_DEVIATION {
        (2.0 * share).sqrt()
    } else {
        acos((1.0 - share).clamp(0.0, 1.0))
    };
    (angle / (2.0 * half)).max(radius * angle / fineness.length)
}

/// Number of chords of an arc of `radius` (m) over an `angle` (rad).
///
/// A chord over `theta` is `r (1 - cos(theta/2))` away, which gives `theta = 2 acos(1 - d/r)` for
/// the deviation `d`.
fn chords_of_arc(radius: f64, angle: f64, fineness: Fineness) -> usize {
    let share = (1.0 - fineness.deviation / radius).clamp(0.0, 1.0);
    let by_deviation = angle / (2.0 * acos(share));
    let by_length = radius * angle / fineness.length;
    number_of(by_deviation.max(by_length))
}

/// A number of chords, rounded up to 1 or more.
///
/// A number that is whole but for rounding is not rounded up, so that mirror images of a curve have
/// the same number of chords.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is between 1 and a million"
)]
fn number_of(chords: f64) -> usize {
    let count = (chords - 1e-9).ceil().max(1.0);
    // Not a number, where a radius is 0.
    if count.is_nan() {
        return 1;
    }
    count.min(CURVE_MOST_CHORDS) as usize
}

/// Centre and radius (m) of the circle through three points, from which the centre is equally far;
/// `None` if they are on a line.
pub fn circle_through(a: Vec2, b: Vec2, c: Vec2) -> Option<(Vec2, f64)> {
    let [u, v] = [b - a, c - a];
    let twice = 2.0 * cross(u, v);
    if twice.abs() <= 1e-12 * u.norm() * v.norm() {
        return None;
    }
    let offset = Vec2::new(
        v.y * u.norm_squared() - u.y * v.norm_squared(),
        u.x * v.norm_squared() - v.x * u.norm_squared(),
    ) / twice;
    Some((a + offset, offset.norm()))
}

/// An arc of a circle.
struct Arc {
    /// Centre (m).
    center: Vec2,
    /// Radius (m).
    radius: f64,
    /// Angle of its beginning (rad).
    start: f64,
    /// Angle that it turns by, positive counter-clockwise (rad).
    turn: f64,
}

/// The arc from `a` through `b` to `c`; `None` if they are on a straight line.
fn arc_through(a: Vec2, b: Vec2, c: Vec2) -> Option<Arc> {
    let (center, radius) = circle_through(a, b, c)?;
    let is_left = cross(b - a, c - a) > 0.0;

    // Angle of the arc with the middle point, positive counter-clockwise.
    let angle_of = |p: Vec2| atan2((p - center).y, (p - center).x);
    let start = angle_of(a);
    let to_end = (angle_of(c) - start).rem_euclid(TAU);
    // The arc passes b, and so it turns as the triangle of the three points does.
    let turn = if is_left { to_end } else { to_end - TAU };
    Some(Arc {
        center,
        radius,
        start,
        turn,
    })
}

/// Points of the arc from `a` through `b` to `c`; a straight line if they are on one.
fn arc(a: Vec2, b: Vec2, c: Vec2, fineness: Fineness) -> Vec<Vec2> {
    let Some(Arc {
        center,
        radius,
        start,
        turn,
    }) = arc_through(a, b, c)
    else {
        return vec![c];
    };

    let count = chords_of_arc(radius, turn.abs(), fineness);
    let inner = (1..count).map(|k| {
        let angle = start + turn * k as f64 / count as f64;
        center + Vec2::new(cos(angle), sin(angle)) * radius
    });
    inner.chain([c]).collect()
}

/// Number of steps that a cubic Bezier curve asks for.
///
/// The number of steps follows from the bound of the file's head for the deviation. For the length
/// it follows from the largest speed, three times the longest distance between neighbouring
/// controls.
fn asked_of_cubic(b: [Vec2; 4], fineness: Fineness) -> f64 {
    let bend = (b[0] - b[1] * 2.0 + b[2])
        .norm()
        .max((b[1] - b[2] * 2.0 + b[3]).norm());
    let by_deviation = (6.0 * bend / (8.0 * fineness.deviation)).sqrt();
    let fastest = (0..3).map(|k| (b[k + 1] - b[k]).norm()).fold(0.0, f64::max);
    // Straight controls need no points between.
    let by_length = if by_deviation > 0.01 {
        3.0 * fastest / fineness.length
    } else {
        1.0
    };
    by_deviation.max(by_length)
}

/// Points of a cubic Bezier curve at equal steps of its parameter, without the first.
fn cubic(b: [Vec2; 4], fineness: Fineness) -> Vec<Vec2> {
    let count = number_of(asked_of_cubic(b, fineness));
    let inner = (1..count).map(|k| {
        let t = k as f64 / count as f64;
        let s = 1.0 - t;
        b[0] * (s * s * s)
            + b[1] * (3.0 * s * s * t)
            + b[2] * (3.0 * s * t * t)
            + b[3] * (t * t * t)
    });
    inner.chain([b[3]]).collect()
}

/// Points of a smooth curve through `from` and `points`.
fn spline(from: Vec2, points: &[Vec2], fineness: Fineness) -> Vec<Vec2> {
    cubics(from, points)
        .flat_map(|controls| cubic(controls, fineness))
        .collect()
}

/// Pieces of a smooth curve through `from` and `points`: a Catmull-Rom spline, whose tangent at a
/// point is half of the chord from its neighbour before to its neighbour behind (Catmull and Rom
/// 1974). At its ends the tangent is along the first and the last chord.
fn cubics(from: Vec2, points: &[Vec2]) -> impl Iterator<Item = [Vec2; 4]> {
    let mut through = vec![from];
    through.extend(points);
    let last = through.len() - 1;
    (0..last).map(move |k| {
        let tangent = |k: usize| {
            let [before, behind] = [k.saturating_sub(1), (k + 1).min(last)];
            // At both ends the chord spans one piece, elsewhere two.
            (through[behind] - through[before]) / (behind - before).max(1) as f64
        };
        let [a, b] = [through[k], through[k + 1]];
        [a, a + tangent(k) / 3.0, b - tangent(k + 1) / 3.0, b]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: Fineness = Fineness {
        deviation: 1e-4,
        length: f64::INFINITY,
    };

    #[test]
    fn an_arc_stays_on_its_circle_and_runs_through_its_point() {
        // Both arcs between the same ends.
        for (through, length) in [(Vec2::new(0.0, 1.0), 1.0), (Vec2::new(0.0, -1.0), 1.0)] {
            let from = Vec2::new(1.0, 0.0);
            let to = Vec2::new(-1.0, 0.0);
            let points = Piece::Arc { through, to }.points(from, FINE);
            let mut before = from;
            let mut way = 0.0;
            for &p in &points {
                assert!((p.norm() - 1.0).abs() < 1e-14);
                assert!(1.0 - (p + before).norm() / 2.0 <= FINE.deviation * (1.0 + 1e-9));
                assert!(p.y * through.y >= -1e-15);
                way += (p - before).norm();
                before = p;
            }
            assert!((way / std::f64::consts::PI - length).abs() < 1e-3);
            assert_eq!(points.last(), Some(&to));
        }
    }

    #[test]
    fn chords_of_a_cubic_are_as_near_as_asked() {
        let b = [[0.0, 0.0], [0.0, 2.0], [3.0, 2.0], [3.0, -1.0]].map(Vec2::from);
        for deviation in [1e-2, 1e-4] {
            let points = cubic(b, Fineness { deviation, ..FINE });
            let mut before = b[0];
            let n = points.len();
            for (k, &p) in points.iter().enumerate() {
                for j in 0..=20 {
                    let t = (k as f64 + f64::from(j) / 20.0) / n as f64;
                    let s = 1.0 - t;
                    let on = b[0] * (s * s * s)
                        + b[1] * (3.0 * s * s * t)
                        + b[2] * (3.0 * s * t * t)
                        + b[3] * (t * t * t);
                    let side = (p - before).normalize();
                    assert!(cross(side, on - before).abs() <= deviation);
                }
                before = p;
            }
        }
    }

    #[test]
    fn a_spline_runs_through_its_points_and_a_length_divides_it() {
        let points = [[1.0, 1.0], [2.0, 0.0], [3.0, 1.0]].map(Vec2::from);
        let fine = Fineness {
            length: 0.1,
            ..FINE
        };
        let along = Piece::Spline(points.to_vec()).points(Vec2::zeros(), fine);
        for point in points {
            assert!(along.contains(&point));
        }
        let mut before = Vec2::zeros();
        for p in along {
            assert!((p - before).norm() <= 0.1 + 1e-12);
            before = p;
        }
    }

    #[test]
    fn the_chords_that_are_asked_for_are_those_that_are_made() {
        let pieces = [
            Piece::Arc {
                through: Vec2::new(0.0, 1.0),
                to: Vec2::new(-1.0, 0.0),
            },
            Piece::Spline([[1.0, 1.0], [2.0, 0.0]].map(Vec2::from).to_vec()),
        ];
        let from = Vec2::new(1.0, 0.0);
        for deviation in [1e-3, 1e-6, 1e-9] {
            let fine = Fineness { deviation, ..FINE };
            for piece in &pieces {
                let made = piece.points(from, fine).len() as f64;
                let asked = piece.chords(from, fine);
                assert!((made - asked).abs() <= 2.0, "{made} {asked}");
            }
        }
        // Below rounding the number goes on to grow.
        let fine = |deviation| Fineness { deviation, ..FINE };
        let ratio = chords_of_circle(1.0, fine(1e-20)) / chords_of_circle(1.0, fine(1e-10));
        assert!((ratio / 1e5 - 1.0).abs() < 1e-6, "{ratio}");
    }

    #[test]
    fn a_circle_is_its_own_mirror_image() {
        let points = circle(Vec2::zeros(), 2.0, FINE);
        assert!(points.len().is_multiple_of(4) && points.len() > 100);
        for p in &points {
            let mirrored = Vec2::new(-p.x, p.y);
            assert!(points.iter().any(|q| (q - mirrored).norm() < 1e-14));
        }
    }
}
