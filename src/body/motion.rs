//! Prescribed motion.

use crate::math::Vec2;

/// Motion along a straight line at constant speed, which may end after a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Velocity (m/s).
    pub velocity: Vec2,
    /// Distance after which the motion stops (m); infinite if it never does.
    pub travel: f64,
}

impl Motion {
    /// No motion at all.
    pub const REST: Self = Self { velocity: Vec2::new(0.0, 0.0), travel: f64::INFINITY };

    /// The displacement at time `t` (m).
    pub fn displacement(&self, t: f64) -> Vec2 {
        let speed = self.velocity.norm();
        if speed * t > self.travel { self.velocity * (self.travel / speed) } else { self.velocity * t }
    }
}

/// A vertex whose motion is prescribed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prescribed {
    /// The vertex.
    pub vertex: usize,
    /// Where it starts (m).
    pub start: Vec2,
    /// How it moves.
    pub motion: Motion,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_stops_where_it_should() {
        let motion = Motion { velocity: Vec2::new(0.0, -0.5), travel: 0.97 };
        assert_eq!(motion.displacement(1.0), Vec2::new(0.0, -0.5));
        assert_eq!(motion.displacement(1.95), Vec2::new(0.0, -0.97));
        assert_eq!(Motion::REST.displacement(1e9), Vec2::zeros());
    }
}
