//! Numbers drawn from distributions, with the same bits on every machine.

use crate::schema::{Body, Distribution, Lognormal, Normal, Shape};
use ipcsim_math::elementary::{exp, ln};
use ipcsim_math::random::Stream;

/// Number of deviations at which a normal distribution is cut, if a scene does not say it, and at most.
const CUT: [f64; 2] = [3.0, 6.0];

/// Largest number of tries for one number. The last one is taken as it is: it has a chance of 1e-6.
const TRIES: u64 = 64;

/// Sizes and angles of the copies of a body.
pub(super) struct Drawn<'a> {
    /// The body.
    body: &'a Body,
    /// Seed, if the body has one.
    seed: Option<usize>,
    /// Distribution of radii (m).
    radius: Option<&'a Distribution>,
    /// Distribution of factors of the shape (1).
    scale: Option<&'a Distribution>,
    /// Distribution of angles (degrees).
    angle_deg: Option<&'a Distribution>,
}

impl<'a> Drawn<'a> {
    /// Sizes and angles of the copies of a body.
    pub(super) fn of(body: &'a Body) -> Self {
        let (drawn, seed) = match (&body.copies, &body.pack) {
            (Some(own), _) => ([&own.radius, &own.scale, &own.angle_deg], own.seed),
            (None, Some(own)) => ([&own.radius, &own.scale, &own.angle_deg], Some(own.seed)),
            (None, None) => ([&None; 3], None),
        };
        let [radius, scale, angle_deg] = drawn.map(Option::as_ref);
        Self {
            body,
            seed,
            radius,
            scale,
            angle_deg,
        }
    }

    /// Random numbers of the body for one purpose.
    pub(super) fn stream(&self, purpose: &str) -> Stream {
        let seed = self.seed.unwrap_or(0) as u64;
        Stream::new(seed, &format!("{} {purpose}", self.body.name))
    }

    /// Radius of copy `k` (m); `None` if radii are not drawn.
    pub(super) fn radius(&self, k: usize) -> Option<f64> {
        Some(self.radius?.draw(self.stream("radius"), k))
    }

    /// Factor of the shape of copy `k` (1).
    pub(super) fn scale(&self, k: usize) -> f64 {
        if let (Some(radius), Some(own)) = (self.radius(k), radius_of(&self.body.shape)) {
            return radius / own;
        }
        self.scale
            .map_or(1.0, |scale| scale.draw(self.stream("scale"), k))
    }

    /// Rotation of copy `k` in addition to the body's (degrees).
    pub(super) fn angle_deg(&self, k: usize) -> f64 {
        self.angle_deg
            .map_or(0.0, |angle| angle.draw(self.stream("angle"), k))
    }

    /// Random numbers of the jitter of copy `k`, if it has a seed.
    pub(super) fn jitter(&self, k: usize) -> Option<[f64; 2]> {
        self.seed?;
        let stream = self.stream("jitter");
        Some([0, 1].map(|axis| stream.uniform(2 * k as u64 + axis)))
    }
}

/// Radius that a shape has as a key (m).
fn radius_of(shape: &Shape) -> Option<f64> {
    match shape {
        Shape::Circle(circle) => Some(circle.radius),
        Shape::Disk(disk) => Some(disk.radius),
        Shape::RegularPolygon(polygon) => Some(polygon.radius),
        Shape::Ring(ring) => Some(ring.radius),
        _ => None,
    }
}

/// True if a shape has a radius as a key.
pub(crate) fn has_radius(shape: &Shape) -> bool {
    radius_of(shape).is_some()
}

impl Distribution {
    /// Number `k` from the distribution.
    fn draw(&self, stream: Stream, k: usize) -> f64 {
        let uniform = stream.uniform(k as u64);
        match self {
            Self::Constant(value) => *value,
            Self::Uniform([from, to]) => from + (to - from) * uniform,
            Self::Choice(own) => {
                let weight = |k| own.weights.get(k).copied().unwrap_or(1.0);
                let sum: f64 = (0..own.values.len()).map(weight).sum();
                let mut left = uniform * sum;
                for (k, value) in own.values.iter().enumerate() {
                    left -= weight(k);
                    if left < 0.0 {
                        return *value;
                    }
                }
                own.values.last().copied().unwrap_or_default()
            }
            Self::Normal(own) => own.mean + own.deviation * cut_normal(own.cut(), stream, k),
            Self::Lognormal(own) => {
                own.median * exp(own.deviation * cut_normal(own.cut(), stream, k))
            }
        }
    }

    /// Smallest and largest number that it can give.
    pub(crate) fn range(&self) -> [f64; 2] {
        match self {
            Self::Constant(value) => [*value; 2],
            Self::Uniform([from, to]) => [from.min(*to), from.max(*to)],
            Self::Choice(own) => {
                let least = own.values.iter().copied().fold(f64::INFINITY, f64::min);
                let most = own.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                [least, most]
            }
            Self::Normal(own) => own.cut().map(|z| own.mean + own.deviation * z),
            Self::Lognormal(own) => own.cut().map(|z| own.median * exp(own.deviation * z)),
        }
    }
}

impl Normal {
    /// Ends of the distribution in deviations from the mean (1).
    pub(crate) fn cut(&self) -> [f64; 2] {
        let ends = [self.min, self.max];
        limited(ends.map(|end| Some((end? - self.mean) / self.deviation)))
    }
}

impl Lognormal {
    /// Ends of the distribution in deviations of the logarithm from that of the median (1).
    pub(crate) fn cut(&self) -> [f64; 2] {
        let ends = [self.min, self.max];
        limited(ends.map(|end| Some(ln(end? / self.median) / self.deviation)))
    }
}

/// Ends in deviations, at most six from the mean.
fn limited([least, most]: [Option<f64>; 2]) -> [f64; 2] {
    let [usual, limit] = CUT;
    let least = least.unwrap_or(-usual).max(-limit);
    [least, most.unwrap_or(usual).min(limit)]
}

/// Number from the normal distribution of mean 0 and deviation 1 between two ends (von Neumann 1951: a
/// number between the ends is taken with a chance in proportion to its density).
fn cut_normal([from, to]: [f64; 2], stream: Stream, k: usize) -> f64 {
    // Where the density is largest.
    let peak = 0.0_f64.clamp(from, to.max(from));
    let mut z = peak;
    for number in 0..TRIES {
        let at = 2 * (TRIES * k as u64 + number);
        z = from + (to - from) * stream.uniform(at);
        if stream.uniform(at + 1) < exp(0.5 * (peak * peak - z * z)) {
            break;
        }
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Mean, standard deviation, smallest and largest of many numbers.
    fn drawn(distribution: &serde_json::Value) -> [f64; 4] {
        let own: Distribution = serde_json::from_value(distribution.clone()).unwrap();
        let count = 20_000;
        let stream = Stream::new(4, "numbers");
        let all: Vec<f64> = (0..count).map(|k| own.draw(stream, k)).collect();
        let mean = all.iter().sum::<f64>() / count as f64;
        let variance = all.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count as f64;
        let [least, most] = own.range();
        assert!(all.iter().all(|value| (least..=most).contains(value)));
        let ends = all
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], &value| {
                [a.min(value), b.max(value)]
            });
        [mean, variance.sqrt(), ends[0], ends[1]]
    }

    /// Checks moments to four deviations of their estimates, and the ends to 1 % of the range.
    fn assert_near(found: [f64; 4], expected: [f64; 4]) {
        let tolerance = 0.03 * expected[1];
        assert!(
            (found[0] - expected[0]).abs() < tolerance,
            "{found:?} {expected:?}"
        );
        assert!(
            (found[1] - expected[1]).abs() < tolerance,
            "{found:?} {expected:?}"
        );
        let range = expected[3] - expected[2];
        assert!(
            (found[2] - expected[2]).abs() < 0.05 * range,
            "{found:?} {expected:?}"
        );
        assert!(
            (found[3] - expected[3]).abs() < 0.05 * range,
            "{found:?} {expected:?}"
        );
    }

    #[test]
    fn numbers_have_mean_deviation_and_ends_of_their_distribution() {
        let third = 2.0 / 12.0_f64.sqrt();
        assert_near(drawn(&json!({ "uniform": [3, 1] })), [2.0, third, 1.0, 3.0]);
        // A cut at one deviation leaves the deviation sqrt(1 - 2 f(1) / P) of 0.53956.
        let normal = json!({ "normal": { "mean": 5, "deviation": 2, "min": 3, "max": 7 } });
        assert_near(drawn(&normal), [5.0, 2.0 * 0.53956, 3.0, 7.0]);
        let normal = json!({ "normal": { "mean": 5, "deviation": 2 } });
        assert_near(drawn(&normal), [5.0, 2.0 * 0.98658, -1.0, 11.0]);
        // Without a cut that matters: mean exp(s^2 / 2), deviation mean sqrt(exp(s^2) - 1).
        let own = json!({ "lognormal": { "median": 1, "deviation": 0.2, "min": 0.3, "max": 3.3 } });
        let [mean, deviation, ..] = drawn(&own);
        assert!((mean - 1.0202).abs() < 0.006 && (deviation - 0.20609).abs() < 0.006);
        let choice = json!({ "choice": { "values": [1, 4], "weights": [3, 1] } });
        assert_near(drawn(&choice), [1.75, 1.299, 1.0, 4.0]);
        assert_eq!(drawn(&json!(2)), [2.0, 0.0, 2.0, 2.0]);
    }
}
