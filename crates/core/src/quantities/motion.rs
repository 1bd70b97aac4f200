//! The fastest motion of a step, and rest.

use crate::time::{State, World};
use crate::tuning::REST_SPEED;
use ipcsim_math::{Vec2, parallel};

/// Time and velocities before a step.
#[derive(Clone, Debug)]
pub(super) struct Earlier {
    /// Simulated time (s).
    time: f64,
    /// Velocities of all vertices (m/s), `[vertices]`.
    v: Vec<Vec2>,
}

impl Earlier {
    /// Time and velocities of a state.
    pub(super) fn of(state: &State) -> Self {
        Self {
            time: state.time,
            v: state.v.clone(),
        }
    }
}

/// The fastest motion of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// Largest speed of a vertex at the end (m/s).
    pub(super) speed: f64,
    /// Largest change of a vertex's velocity over the step, by the time between (m/s^2).
    pub(super) acceleration: f64,
}

impl Motion {
    /// The motion at the end of a step `from` one state `to` another.
    pub(super) fn of(from: &Earlier, to: &State) -> Self {
        let time = to.time - from.time;
        let largest =
            |of: &(dyn Fn(usize) -> Vec2 + Sync)| parallel::max(to.v.len(), 0.0, |i| of(i).norm());
        Self {
            speed: largest(&|i| to.v[i]),
            acceleration: largest(&|i| to.v[i] - from.v[i]) / time,
        }
    }

    /// True if both are negligible compared with the effect of loads on the smallest body: they
    /// carry it by its own size `L` in the time `T`, [`World::clock`], with a speed like `L / T`
    /// and an acceleration like `L / T^2`.
    ///
    /// A test of the speed is not enough: it is 0 where a pendulum turns round.
    pub(super) fn is_rest(self, world: &World) -> bool {
        let size = smallest(world);
        let speed = REST_SPEED * size / world.clock;
        self.speed <= speed && self.acceleration <= speed / world.clock
    }
}

/// Size of the smallest body that moves (m): the diagonal of the box around it at rest.
fn smallest(world: &World) -> f64 {
    let sizes = world.bodies.iter().filter_map(|body| {
        let places = &world.rest[body.vertices.clone()];
        let first = *places.first()?;
        let low = places.iter().fold(first, |low, place| low.inf(place));
        let high = places.iter().fold(first, |high, place| high.sup(place));
        let size = (high - low).norm();
        (!body.kind.is_obstacle() && size > 0.0).then_some(size)
    });
    sizes.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{H, RADIUS, circles};

    #[test]
    fn the_fastest_vertex_and_its_change_over_the_step_count() {
        let (world, mut from) = circles(&[[0.0, 0.0], [5.0, 0.0]], true, 0.0);
        let mut to = from.clone();
        from.q_dot[0] = Vec2::new(0.0, 1.0);
        // The rim, 0.1 m along x from the centre, moves with the turn as well.
        to.q_dot[0] = Vec2::new(0.0, 3.0);
        to.q_dot[1] = Vec2::new(20.0, 0.0);
        to.time = H;
        for state in [&mut from, &mut to] {
            let at = state.configuration();
            let coordinates = &world.model.coordinates;
            coordinates.displacements(&at, &state.q_dot, &mut state.v);
        }

        let motion = Motion::of(&Earlier::of(&from), &to);
        assert!((motion.speed - (3.0 + 20.0 * RADIUS)).abs() < 1e-14);
        assert!((motion.acceleration - (2.0 + 20.0 * RADIUS) / H).abs() < 1e-10);
    }

    #[test]
    fn rest_is_slow_and_stays_slow_by_the_size_of_the_smallest_body() {
        let (world, _) = circles(&[[0.0, 0.0], [5.0, 0.0]], true, 0.0);
        // Of a circle the world has its centre and a place on its rim.
        assert!((smallest(&world) - RADIUS).abs() < 1e-15);
        let speed = 1e-3 * RADIUS / world.clock;
        let is_rest = |speed, acceleration| {
            let motion = Motion {
                speed,
                acceleration,
            };
            motion.is_rest(&world)
        };
        let acceleration = speed / world.clock;
        assert!(is_rest(0.99 * speed, 0.99 * acceleration));
        assert!(!is_rest(1.01 * speed, 0.0));
        // A pendulum that turns round.
        assert!(!is_rest(0.0, 1.01 * acceleration));
    }
}
