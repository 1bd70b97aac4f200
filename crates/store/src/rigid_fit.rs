//! Motion of a rigid body, from the places of its vertices.

use ipcsim::math::{Vec2, cross, elementary};

/// Mean of some places; the origin without any.
pub(super) fn mean(x: &[Vec2]) -> Vec2 {
    x.iter().sum::<Vec2>() / x.len().max(1) as f64
}

/// Angle (rad), at most half a turn, by which a body turns whose vertices go from `start` to `end`:
/// that with the least sum of squared distances.
pub(super) fn angle(start: &[Vec2], end: &[Vec2]) -> f64 {
    let [from, to] = [start, end].map(mean);
    let mut sine = 0.0;
    let mut cosine = 0.0;
    for (a, b) in start.iter().zip(end) {
        sine += cross(a - from, b - to);
        cosine += (a - from).dot(&(b - to));
    }
    elementary::atan2(sine, cosine)
}

/// Place of a point of a body whose vertices go from `start` to `end`, which was an `arm` (m) away from
/// their mean.
pub(super) fn turned(start: &[Vec2], end: &[Vec2], arm: Vec2) -> Vec2 {
    mean(end) + elementary::rotation(angle(start, end)) * arm
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_turns_with_the_vertices_by_the_smaller_angle() {
        let start = [[1.0, 0.0], [3.0, 0.0]].map(Vec2::from);
        let end = [[5.0, 1.0], [5.0, 3.0]].map(Vec2::from);
        assert!((angle(&start, &end) - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
        let place = turned(&start, &end, Vec2::new(1.0, 0.0));
        assert!((place - Vec2::new(5.0, 3.0)).norm() < 1e-15);
    }
}
